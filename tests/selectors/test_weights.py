"""Weights of rows: the same as repeated rows, bit for bit, or refused."""

import inspect

import numpy as np
import pytest
import scipy.sparse
import sklearn
from hypothesis import given, strategies as st
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import has_fit_parameter

import entropick as ep
import naive
from entropick import cuts, measures
from entropick.contracts import Need
from entropick.exceptions import CombinationError, DataError
from entropick.registry import MEASURES
from entropick.selectors.catalog import set_known_params
from entropick.selectors.methods import METHODS
from entropick.table import weights as module
from strategies import examples

OF_COUNTS = sorted(name for name, measure in MEASURES.items() if measure.needs == {Need.COUNTS})


def table(seed=0, n_rows=60, n_columns=6):
    """Real and whole numbers, a target with a signal, and weights with some zeros."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = (
        rng.normal(size=(n_rows, n_columns)).round(2)
        + 0.8 * (rng.random((n_rows, n_columns)) < 0.5) * y[:, None]
    )
    X[:, 1] = rng.integers(0, 4, n_rows)
    return X, y, rng.integers(0, 5, n_rows)


def record(selection):
    """What must be equal bit for bit; how long steps took is left out."""
    steps = [
        (
            s.columns,
            s.score,
            s.runner_up,
            s.runner_up_score,
            s.ties,
            s.n_ties,
            s.residual,
            s.p_value,
            s.chance,
        )
        for s in selection.steps
    ]
    return steps, selection.n_rows, selection.n_kept, list(map(str, selection.encodings)), selection.target


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")  # of constant columns
@pytest.mark.parametrize("binning", ["quantile", "uniform", "mdlp"])
@pytest.mark.parametrize("name", OF_COUNTS)
def test_weights_are_repeated_rows(name, binning):
    """Edges of bins, scores, ties and the number of rows are those of the repeated table."""
    X, y, w = table()
    options = {"measure": name, "cut": 4, "n_bins": 4, "binning": binning, "search": "forward"}
    weighted = ep.select(X, y, sample_weight=w, **options)
    repeated = ep.select(X.repeat(w, axis=0), y.repeat(w), **options)
    assert record(weighted) == record(repeated)
    assert weighted.n_rows == w.sum()


WEIGHABLE = {name: method for name, method in METHODS.items() if has_fit_parameter(method(), "sample_weight")}
RULES = dict.fromkeys(["BayesianEntropyFS", "CrossEntropyFS", "SwarmFS", "CFSSubset", "FCBF"], "auto")
RULES |= {"RenyiFS": "residual", "JMI": "permutation"}


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")  # of picks without a gain
@pytest.mark.parametrize(
    ("name", "multioutput"),
    [(name, "joint") for name in WEIGHABLE]
    + [(name, "sum") for name, method in WEIGHABLE.items() if "multioutput" in method().get_params()],
)
def test_weights_of_every_method_are_repeated_rows(name, multioutput):
    """Of one target and of a sum over two; searches over subsets, and cuts that shuffle labels, included."""
    X, y, w = table(1)
    if multioutput == "sum":
        y = np.column_stack([y, X[:, 1] > 1])
    selector = WEIGHABLE[name](n_features=RULES.get(name, 4), n_bins=3)
    set_known_params(selector, random_state=0, multioutput=multioutput)
    weighted = selector.fit(X, y, sample_weight=w).selection_
    repeated = selector.fit(X.repeat(w, axis=0), y.repeat(w, axis=0)).selection_
    assert record(weighted) == record(repeated)
    assert weighted.order.tolist() == repeated.order.tolist()


@examples(30)
@given(seed=st.integers(0, 10**6), n_rows=st.integers(2, 25))
def test_relevance_by_weighted_counts(seed, n_rows):
    """I(f;y) computed from weighted counts."""
    rng = np.random.default_rng(seed)
    f, y, w = rng.integers(0, 3, n_rows), rng.integers(0, 2, n_rows), rng.integers(0, 4, n_rows)
    y[:2], w[:2] = (0, 1), 1
    found = ep.select(f[:, None], y, measure="mim", sample_weight=w).scores[0]
    assert found == pytest.approx(naive.weighted_information(f, y, w), abs=1e-12)


def containers(X):
    pd, pl, pa = (pytest.importorskip(module) for module in ("pandas", "polars", "pyarrow"))
    names = [f"x{j}" for j in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names, index=np.arange(len(X))[::-1])
    yield from (X.tolist(), frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False))
    yield from (scipy.sparse.csr_array(X), scipy.sparse.csc_matrix(X))


def test_containers_of_tables_targets_and_weights():
    """Every container of X, y and weights gives the same record."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y, w = table()
    expected = record(ep.select(X.repeat(w, axis=0), y.repeat(w), cut=3))
    shuffled = np.arange(len(y))[::-1]
    for container in containers(X):
        assert record(ep.select(container, y, cut=3, sample_weight=w))[0] == expected[0]
    for labels in (y.tolist(), pd.Series(y, index=shuffled), pl.Series(y)):
        assert record(ep.select(X, labels, cut=3, sample_weight=w))[0] == expected[0]
    for weights in (
        w.tolist(),
        w.astype(float),
        w.astype(np.uint8),
        pd.Series(w, index=shuffled),
        pl.Series(w),
    ):
        assert record(ep.select(X, y, cut=3, sample_weight=weights)) == expected


def test_rows_of_no_weight_are_never_looked_at():
    """Neither their values nor their labels must make sense."""
    X, y, w = table()
    w[[2, 5]] = 0
    expected = record(ep.select(X.repeat(w, axis=0), y.repeat(w), cut=3))[0]
    X[2, 0], labels = np.inf, y.astype(float)
    labels[5] = np.nan
    assert record(ep.select(X, labels, cut=3, sample_weight=w))[0] == expected


def test_weights_of_one_change_nothing():
    """The table is not even copied."""
    X, y, _ = table()
    for weight in (1, 0.7):
        same = module.weigh(X, [(None, y)], np.full(len(y), weight))
        assert same.X is X
        assert same.y[0][1] is y


def test_only_methods_that_count_take_weights():
    """`fit` has the argument exactly where the measure counts, so that scikit-learn knows."""
    weighable = {name for name, method in METHODS.items() if has_fit_parameter(method(), "sample_weight")}
    assert {"JMI", "MRMR", "CMIM", "RenyiFS", "BayesianEntropyFS", "CrossEntropyFS", "SwarmFS"} <= weighable
    assert not weighable & {"SNEFS", "NEFS", "ReliefF", "FisherScore", "InfFS", "RRPC", "LaplacianScore"}
    assert all(hasattr(method, "set_fit_request") for method in METHODS.values())  # of `groups`


@pytest.mark.parametrize("name", ["ReliefF", "FisherScore"])
def test_methods_without_weights_say_so(name):
    """By their own names, and with what to do; scikit-learn never hands them any."""
    X, y, w = table(n_rows=60)
    selector = METHODS[name](1)
    for fit in (selector.fit, selector.fit_transform):
        with pytest.raises(
            TypeError, match=f"^{name} takes no sample_weight.*Hint: use a method that counts"
        ):
            fit(X, y, sample_weight=w)
    assert list(inspect.signature(selector.fit).parameters) == ["X", "y", "groups"]
    with sklearn.config_context(enable_metadata_routing=True):
        model = GaussianNB().set_fit_request(sample_weight=True)
        assert make_pipeline(selector, model).fit(X, y, sample_weight=w)[0].n_features_ == 1


def test_metadata_routing():
    """Pipelines and grids hand weights to selectors that ask for them."""
    X, y, w = table(n_rows=120)
    with sklearn.config_context(enable_metadata_routing=True):
        selector = ep.JMI(n_features=2).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(
            selector, GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        )
        pipeline.fit(X, y, sample_weight=w)
        expected = ep.JMI(n_features=2).fit(X, y, sample_weight=w).order_.tolist()
        assert pipeline[0].order_.tolist() == expected
        grid = GridSearchCV(pipeline, {"jmi__n_features": [1, 2]}, cv=2).fit(X, y, sample_weight=w)
        n_chosen = grid.best_params_["jmi__n_features"]
        assert grid.best_estimator_[0].order_.tolist() == expected[:n_chosen]
        silent = make_pipeline(
            ep.JMI().set_fit_request(sample_weight=False),
            GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
        )
        silent.fit(X, y, sample_weight=w)
        assert silent[0].selection_.n_rows == len(y)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1] * 59 + [-2], "not be negative, got -2 in row 59"),
        ([1] * 59 + [np.nan], "must be finite and must not be negative, got nan in row 59"),
        ([1] * 59 + [np.inf], "must be finite and must not be negative, got inf in row 59"),
        ([0] * 60, "must not be zero in all rows"),
        ([1] * 61, r"one weight for each of the 60 rows, got an array of shape \(61,\)"),
        (3, r"one weight for each of the 60 rows, got an array of shape \(\)"),
        (["a"] * 60, "must hold numbers, got values of type"),
        ([10**12] * 60, "the repeated table must have at most .* values. Hint: divide"),
        ([1e300] * 60, "the repeated table must have at most"),
    ],
)  # fmt: skip
def test_weights_that_make_no_sense(weights, message):
    """One sentence each."""
    X, y, _ = table()
    with pytest.raises(DataError, match=message):
        ep.JMI().fit(X, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"measure": "neighborhood_entropy"}, "measures that count levels, but NeighborhoodEntropy goes by distances"),
        ({"measure": "relieff"}, "but ReliefF goes by distances"),
        ({"measure": "fisher_score"}, r"but FisherScore goes by sums of numbers\. Hint: leave sample_weight out"),
        ({"measure": measures.CrossValidated(GaussianNB()), "search": "swarm"}, "CrossValidated goes by source"),
        ({"measure": "jmi", "cut": cuts.BestSize(GaussianNB())}, "BestSize needs single rows"),
    ],
)  # fmt: skip
def test_weights_where_rows_are_more_than_counts(parts, message):
    """Refused by one sentence, before rows are repeated."""
    X, y, w = table()
    with pytest.raises(CombinationError, match=message):
        ep.select(X, y, sample_weight=w, **parts)


def test_weights_of_lazy_frames_are_refused():
    """A lazy frame is never held as a whole."""
    pl = pytest.importorskip("polars")
    X, y, w = table()
    with pytest.raises(
        DataError, match=r"needs a table in memory, got a lazy frame\. Hint: call its collect"
    ):
        ep.JMI().fit(pl.LazyFrame(X), y, sample_weight=w)


def test_weights_of_collections_are_refused():
    """Neither are Dask collections."""
    dask_array = pytest.importorskip("dask.array")
    X, y, w = table()
    with pytest.raises(DataError, match=r"got a Dask collection\. Hint: call its compute\(\) first"):
        ep.JMI().fit(
            dask_array.from_array(X, chunks=20), dask_array.from_array(y, chunks=20), sample_weight=w
        )


def test_errors_about_rows_say_how_rows_are_numbered():
    """A row in a message is one of the repeated table."""
    X, y, w = table()
    w[:4] = 3, 1, 2, 1
    X[3, 0] = np.inf
    with pytest.raises(DataError, match="row 6: inf") as caught:
        ep.JMI().fit(X, y, sample_weight=w)
    assert "numbered after they were repeated" in caught.value.__notes__[0]

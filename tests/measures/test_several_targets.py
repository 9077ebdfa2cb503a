"""Several target columns: jointly, or with scores summed over them."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from sklearn.datasets import load_wine, make_multilabel_classification
from sklearn.exceptions import DataConversionWarning
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

import entropick as ep
import naive
from entropick import cuts, measures
from entropick.exceptions import CombinationError, DataError, SelectionWarning
from entropick.registry import MEASURES
from entropick.selectors.methods import METHODS
from entropick.table.encoding.target import encode_target, join_targets
from helpers import columns_of
from strategies import examples

pytestmark = pytest.mark.filterwarnings("ignore:The columns of y have:entropick.exceptions.SelectionWarning")

SUMMABLE = sorted(
    name for name, measure in MEASURES.items() if measure.uses_target and measure.kinds & {"step", "ranking"}
)
CRITERIA = ["mim", "mifs", "mrmr", "cife", "jmi", "jmim", "cmim", "disr", "icap"]


def table(seed=0, n_rows=80, n_columns=7, n_targets=3):
    """Columns of few levels, and targets that different columns tell about."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, n_columns))
    noise = rng.random((n_rows, n_targets)) < 0.3
    Y = np.where(noise, rng.integers(0, 3, (n_rows, n_targets)), X[:, :n_targets] % 3)
    return X, Y


def path(selection):
    """What must be equal bit for bit."""
    return [(s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.n_ties) for s in selection.steps]


@contextmanager
def no_warning():
    """Warnings that the module ignores are errors here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def doubled(selection):
    return [
        (s.columns, 2 * s.score, s.runner_up, None if s.runner_up_score is None else 2 * s.runner_up_score)
        for s in selection.steps
    ]


# -- jointly -------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("name", sorted(set(MEASURES) - {"cross_validated"}))
def test_joint_targets_are_one_target_of_joint_classes(name):
    """The same as a single target that numbers the pairs of labels, bit for bit."""
    X, Y = table(n_targets=2)
    pairs = naive.joint(*columns_of(Y))
    single = np.array([sorted(set(pairs)).index(pair) for pair in pairs])
    options = {"measure": name, "cut": 4, "random_state": 0}
    if name in ("bayesian", "joint_balance", "pairwise_balance"):
        options["search"] = "forward"
    assert path(ep.select(X, Y, **options)) == path(ep.select(X, single, **options))


@examples(50)
@given(seed=st.integers(0, 10**6), n_targets=st.integers(1, 5), hidden=st.booleans())
def test_joint_classes(seed, n_targets, hidden):
    """Rows share a class exactly where they share all labels; without one of them a row has none."""
    rng = np.random.default_rng(seed)
    Y = rng.integers(0, 3, (20, n_targets)).astype(float)
    if hidden:
        Y[rng.random(Y.shape) < 0.2] = np.nan
        Y[0] = 0
    joint = join_targets([encode_target(y, semi_supervised=True) for y in Y.T])
    labels = [tuple(row) if np.isfinite(row).all() else None for row in Y]
    assert joint.is_labelled.tolist() == [label is not None for label in labels]
    known = {label for label in labels if label is not None}
    assert joint.n_classes == len(known)
    assert len(set(zip(labels, joint.codes.tolist(), strict=True)) - {(None, -1)}) == len(known)
    assert set(joint.codes[joint.is_labelled].tolist()) == set(range(len(known)))


def test_searches_over_subsets_take_targets_jointly():
    """They have no other mode, and no parameter for it."""
    X, Y = table(n_targets=2)
    single = Y[:, 0] * 3 + Y[:, 1]
    for method in (ep.BayesianEntropyFS, ep.CrossEntropyFS, ep.SwarmFS):
        assert "multioutput" not in method().get_params()
        fits = [method(random_state=0, n_jobs=1).fit(X, y) for y in (Y, single)]
        assert path(fits[0].selection_) == path(fits[1].selection_)


def test_many_joint_classes_are_said():
    """Fewer than ten rows for each, on average."""
    X, Y = table(n_rows=80, n_targets=2)
    with pytest.warns(
        SelectionWarning, match=r"9 joint classes in 80 rows, fewer than 10 rows for each.*Hint"
    ):
        ep.JMI(2).fit(X, Y)
    X, Y = table(n_rows=90, n_targets=2)
    with no_warning():
        ep.JMI(2).fit(X, Y)
    X, Y = table(n_rows=80, n_targets=2)
    with no_warning():
        ep.JMI(2, multioutput="sum").fit(X, Y)


# -- summed --------------------------------------------------------------------------------------


@examples(15)
@given(seed=st.integers(0, 10**6), n_targets=st.integers(2, 4))
@pytest.mark.parametrize("criterion", CRITERIA)
def test_sums_equal_naive(criterion, seed, n_targets):
    """At every step the pick has the largest sum over targets, and that is its score."""
    X, Y = table(seed, 40, 5, n_targets)
    measure = measures.JMI(correction=None) if criterion == "jmi" else criterion  # the sums of frequencies
    steps = ep.select(X, Y, measure=measure, search="forward", cut=5, multioutput="sum").steps
    columns, targets, picked = columns_of(X), columns_of(Y), []
    for step in steps:
        chosen = [columns[j] for j in picked]
        sums = {
            j: naive.summed_score(criterion, columns[j], chosen, targets) for j in range(5) if j not in picked
        }
        assert step.score == pytest.approx(sums[step.column], abs=1e-9)
        assert step.score == pytest.approx(max(sums.values()), abs=1e-9)
        if step.runner_up is not None:
            assert step.runner_up_score == pytest.approx(sums[step.runner_up], abs=1e-9)
        picked.append(step.column)


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("alpha", [1.0, 2.0, np.inf])
@pytest.mark.parametrize("seed", range(5))
def test_sums_of_entropies_equal_naive(alpha, seed):
    """Gains and what stays unexplained are sums over targets."""
    X, Y = table(seed, 40, 5)
    selection = ep.select(X, Y, measure=measures.Renyi(alpha), cut=4, multioutput="sum")
    columns, targets, chosen = columns_of(X), columns_of(Y), []
    for step in selection.steps:
        gain = naive.summed_gain(columns[step.column], chosen, targets, alpha)
        assert step.score == pytest.approx(gain, abs=1e-9)
        chosen.append(columns[step.column])
        left = sum(naive.conditional_entropy(y, chosen, alpha) for y in targets)
        assert step.residual == pytest.approx(left, abs=1e-9)
    learned = selection.learned["residual_entropy"]
    expected = [naive.conditional_entropy(y, chosen, alpha) for y in targets]
    assert learned == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("name", sorted(n for n in SUMMABLE if "ranking" in MEASURES[n].kinds))
def test_sums_of_rankings(name):
    """The score of a column is the sum of its scores for each target, also of numbers and distances."""
    X, Y = table()
    options = {"measure": name, "cut": 3, "random_state": 0}
    found = ep.select(X, Y, multioutput="sum", **options).scores
    assert found == pytest.approx(sum(ep.select(X, y, **options).scores for y in Y.T), rel=1e-12)


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", SUMMABLE)
def test_a_target_twice_counts_twice(name, sparse):
    """Twice the same target: the same path, each score doubled; jointly nothing changes at all."""
    X, Y = table(3, n_columns=30)
    y = Y[:, 0]
    X = scipy.sparse.csc_array(X.astype(float)) if sparse else X
    options = {"measure": name, "cut": 12, "random_state": 0}
    single = ep.select(X, y, **options)
    twice = ep.select(X, np.column_stack([y, y]), multioutput="sum", **options)
    assert [s[:4] for s in path(twice)] == doubled(single)
    assert path(ep.select(X, np.column_stack([y, y]), **options)) == path(single)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("search", ["backward", "floating"])
def test_sums_where_columns_are_taken_out_again(search, n_jobs):
    """A target twice gives the path of one; three targets the same for any number of threads."""
    X, Y = table(4)
    single = ep.select(X, Y[:, 0], measure="mrmr", search=search, cut=3)
    twice = ep.select(X, Y[:, [0, 0]], measure="mrmr", search=search, cut=3, multioutput="sum")
    assert [s.columns for s in twice.steps] == [s.columns for s in single.steps]
    options = {"measure": "mrmr", "search": search, "cut": 3, "multioutput": "sum"}
    assert path(ep.select(X, Y, n_jobs=n_jobs, **options)) == path(ep.select(X, Y, **options))


def test_sums_find_a_column_for_each_target():
    """Each target has its own column; the three are found first."""
    X, Y = table(5, n_rows=500)
    assert sorted(ep.MRMR(3, multioutput="sum").fit(X, Y).order_.tolist()) == [0, 1, 2]


def test_sums_with_groups_and_fixed_columns():
    """Units and fixed columns are the same for every target."""
    X, Y = table(6)
    selector = ep.JMI(3, multioutput="sum", feature_groups=[[0, 5]], fixed_features=[4]).fit(X, Y)
    assert selector.order_[0] == 4
    assert {0, 5} <= set(selector.order_.tolist())


def test_each_target_on_its_own_labels():
    """Rows without a label for one target still tell about another."""
    X, Y = table(7)
    Y = Y.astype(float)
    Y[:40, 0], Y[40:, 1] = np.nan, np.nan
    found = ep.RRPC(1, multioutput="sum").fit(X, Y[:, :2]).selection_.steps[0]
    expected = [sum(naive.rrpc(X, np.where(np.isnan(y), -1, y), j, []) for y in Y[:, :2].T) for j in range(7)]
    assert found.score == pytest.approx(max(expected), abs=1e-9)
    with pytest.raises(DataError, match=r"No row has a label in all columns of y\. Hint: multioutput='sum'"):
        ep.RRPC(1).fit(X, Y[:, :2])


def test_real_targets():
    """Jointly they are cut into classes, summed each keeps its values where the measure uses them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    Y = X[:, [3, 1]] + 0.1 * rng.normal(size=(300, 2))
    for selector in (ep.MRMR(2, n_bins=3), ep.MRMR(2, multioutput="sum"), ep.ReliefF(2, multioutput="sum")):
        assert sorted(selector.fit(X, Y).order_.tolist()) == [1, 3]


@pytest.mark.parametrize("search", ["exhaustive", "swarm", "cross_entropy", "nsga2"])
def test_sums_over_subsets_are_refused(search):
    """With one sentence, before the search starts."""
    X, Y = table()
    with pytest.raises(
        CombinationError, match=r"multioutput='sum' adds scores of columns.*Hint: multioutput='joint'"
    ):
        ep.select(X, Y, measure="renyi", search=search, multioutput="sum")
    with pytest.raises(CombinationError, match="Forward with Bayesian scores whole subsets"):
        ep.select(X, Y, measure="bayesian", search="forward", multioutput="sum")


# -- containers and scikit-learn -----------------------------------------------------------------


@pytest.mark.parametrize("multioutput", ["joint", "sum"])
def test_containers_of_targets(multioutput):
    """Arrays, lists, sparse indicators and dataframes of labels, mixed types beside each other."""
    pd, pl, pa = (pytest.importorskip(module) for module in ("pandas", "polars", "pyarrow"))
    X, Y = table(n_targets=2)
    expected = path(ep.select(X, Y, cut=3, multioutput=multioutput))
    frame = pd.DataFrame({"first": Y[:, 0], "second": np.array(["a", "b", "c"])[Y[:, 1]]})
    mixed = [[int(a), b] for a, b in frame.itertuples(index=False)]
    for y in (
        Y.tolist(), Y.astype(float), Y.astype(str), scipy.sparse.csr_array(Y), frame, mixed,
        pl.from_pandas(frame), pa.Table.from_pandas(frame), frame.to_numpy(),
    ):  # fmt: skip
        assert path(ep.select(X, y, cut=3, multioutput=multioutput)) == expected, type(y)
    assert ep.select(X, frame, cut=3).target.name == "first + second"


@pytest.mark.parametrize("make", [lambda y: y[:, None], lambda y: y[:, None].tolist()])
@pytest.mark.parametrize("multioutput", ["joint", "sum"])
def test_one_column_is_one_target(make, multioutput):
    """With scikit-learn's warning, and the same record as a 1-D target."""
    X, Y = table()
    expected = ep.JMI(3).fit(X, Y[:, 0]).selection_
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        found = ep.JMI(3, multioutput=multioutput).fit(X, make(Y[:, 0])).selection_
    assert path(found) == path(expected)
    assert found.target == expected.target


def test_errors_name_the_target_column():
    """The message names the column."""
    pd = pytest.importorskip("pandas")
    X, Y = table()
    frame = pd.DataFrame(Y.astype(float), columns=["a", "b", "c"])
    frame.loc[5, "b"] = np.nan
    with pytest.raises(DataError, match="The target 'b' has 1 missing value, the first in row 5"):
        ep.JMI().fit(X, frame)
    with pytest.raises(DataError, match="The target 'y2' holds an infinite value"):
        ep.JMI().fit(X, np.where(np.arange(3) == 2, np.inf, Y))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.JMI().fit(X, Y[:-1])


@pytest.mark.parametrize("multioutput", ["joint", "sum"])
def test_weights_and_several_targets(multioutput):
    """Weights repeat the rows of all targets."""
    X, Y = table()
    w = np.random.default_rng(0).integers(0, 4, len(Y))
    found = ep.select(X, Y, sample_weight=w, cut=4, multioutput=multioutput)
    expected = ep.select(X.repeat(w, axis=0), Y.repeat(w, axis=0), cut=4, multioutput=multioutput)
    assert path(found) == path(expected)


def test_cuts_take_targets_jointly():
    """The residual is that of the joint classes, whatever is summed."""
    X, Y = table(8, n_rows=200)
    selection = ep.select(X, Y, measure="jmi", cut=cuts.Residual(), multioutput="sum")
    chosen = [columns_of(X)[j] for j in selection.order]
    left = naive.conditional_entropy(naive.joint(*columns_of(Y)), chosen)
    assert selection.kept[-1].residual == pytest.approx(left, abs=1e-9)


def test_unsupervised_methods_ignore_several_targets():
    """As they ignore a single target."""
    X, Y = table()
    assert ep.LaplacianScore(3).fit(X, Y).order_.tolist() == ep.LaplacianScore(3).fit(X).order_.tolist()


def test_multilabel_pipeline():
    """Indicators of labels, before a classifier of several outputs."""
    X, Y = make_multilabel_classification(n_samples=300, n_features=12, n_labels=2, random_state=0)
    for selector in (ep.JMI(4, multioutput="sum"), ep.FisherScore(4, multioutput="sum"), ep.MRMR(4)):
        pipeline = make_pipeline(selector, MultiOutputClassifier(GaussianNB())).fit(X, Y)
        assert pipeline.predict(X).shape == Y.shape


def test_tags_and_parameters():
    """All selectors take several outputs; the parameter is where it says something."""
    for name, method in METHODS.items():
        assert get_tags(method()).target_tags.multi_output, name
        assert get_tags(method()).target_tags.single_output, name
    has_it = {name for name, method in METHODS.items() if "multioutput" in method().get_params()}
    assert {"JMI", "RenyiFS", "SNEFS", "FisherScore", "InfFS", "RRPC", "ReliefF"} <= has_it
    assert not has_it & {"SwarmFS", "BayesianEntropyFS"}


def test_wine_with_two_targets():
    """A real table: class and a real column beside it."""
    X, y = load_wine(return_X_y=True)
    targets = np.column_stack([y, X[:, 0] > 13])
    summed = ep.MIM(13, multioutput="sum").fit(X, targets).scores_
    assert summed == pytest.approx(ep.MIM(13).fit(X, y).scores_ + ep.MIM(13).fit(X, targets[:, 1]).scores_)


def test_what_takes_a_single_target_says_so():
    """Halves of the rows, rows left out and comparisons are about one target."""
    X, Y = table()
    for call in (
        lambda: ep.StabilitySelector().fit(X, Y),
        lambda: ep.JMI(2).fit(X, Y[:, 0]).held_out_risk(X, Y),
    ):
        with pytest.raises(ValueError, match="y should be a 1d array, got 3 columns instead"):
            call()
    with pytest.raises(DataError, match="must have one dimension"):
        ep.compare(X, Y, methods=["jmi"])


def test_marks_of_rows_without_label_reach_the_selector_inside():
    """-1 is what the selector inside takes it for: no label, or a class."""
    X, Y = table(9)
    some = np.where(np.arange(len(Y)) % 3 == 0, -1, Y[:, 0])
    missing = np.where(some < 0, np.nan, some)
    fits = [
        ep.StabilitySelector(ep.RRPC(2, unlabelled=unlabelled), random_state=0)
        .fit(X, y)
        .frequencies_.tolist()
        for unlabelled, y in ((-1, some), ("missing", missing), ("missing", some))
    ]
    assert fits[0] == fits[1] != fits[2]
    with pytest.raises(DataError, match="27 missing labels, the first in row 0"):
        ep.RRPC(2, unlabelled=-1).fit(X, some).held_out_risk(X, some)

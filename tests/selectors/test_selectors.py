"""What users do with selectors: pipelines, grids, frames in and out, groups, fixed columns."""

import datetime
import pickle

import joblib
import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick import cuts, measures, searches
from entropick.exceptions import DataError, SelectionWarning

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

X, y = load_wine(return_X_y=True)


def test_fitted_attributes():
    """Order, ranks, scores, record and support agree."""
    selector = ep.JMI(n_features=4).fit(X, y)
    assert selector.order_.shape == (4,)
    assert selector.ranking_[selector.order_].tolist() == [1, 2, 3, 4]
    assert (np.delete(selector.ranking_, selector.order_) == 5).all()
    assert np.isfinite(selector.scores_[selector.order_]).all()
    assert np.isnan(np.delete(selector.scores_, selector.order_)).all()
    assert sorted(selector.order_) == selector.get_support(indices=True).tolist()
    assert selector.n_features_ == 4
    assert selector.transform(X).shape == (178, 4)
    assert np.array_equal(selector.transform(X), X[:, sorted(selector.order_)])
    assert selector.inverse_transform(selector.transform(X)).shape == X.shape


def test_ranking_scores_every_column():
    """MIM knows the score of every column, but `scores_` holds those the search reached."""
    selector = ep.MIM(n_features=1.0).fit(X, y)
    assert np.isfinite(selector.scores_).all()
    assert sorted(selector.ranking_) == list(range(1, 14))


def test_missing_values_come_back():
    """inverse_transform takes what transform gave, missing values included."""
    holes = np.where(X > np.quantile(X, 0.9, axis=0), np.nan, X)
    selector = ep.JMI(n_features=2).fit(holes, y)
    back = selector.inverse_transform(selector.transform(holes))
    assert np.array_equal(back[:, selector.get_support()], holes[:, selector.get_support()], equal_nan=True)


def test_named_class_equals_free_combination():
    """A named method is a combination of parts."""
    pairs = [
        (ep.JMI(n_features=5), ep.FeatureSelector("jmi", "forward", 5)),
        (ep.MIFS(n_features=5, beta=0.3), ep.FeatureSelector(measures.MIFS(beta=0.3), cut=5)),
        (ep.MIM(n_features=5), ep.FeatureSelector("mim", searches.Ranking(), cuts.Count(5))),
        (ep.MIM(n_features=5), ep.FeatureSelector("MIM", "forward", 5)),
        (ep.RenyiFS(n_features=3, alpha=2), ep.FeatureSelector(measures.Renyi(alpha=2.0), cut=3)),
        (ep.XMIFS(n_features=3), ep.FeatureSelector(measures.Renyi(alpha=1), cut=3, n_bins=2)),
    ]
    for named, free in pairs:
        assert named.fit(X, y).order_.tolist() == free.fit(X, y).order_.tolist()


def test_grid_search_over_number_and_parameters():
    """n_features of a named class, measure__beta and cut__n of a free one."""
    named = make_pipeline(StandardScaler(), ep.MRMR(), GaussianNB())
    grid = GridSearchCV(named, {"mrmr__n_features": [2, 5], "mrmr__n_bins": [3, 10]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.9
    free = make_pipeline(ep.FeatureSelector(measures.MIFS(), cut=cuts.Count(3)), GaussianNB())
    grid = {"featureselector__measure__beta": [0.1, 1.0], "featureselector__cut__n": [2, 4]}
    fitted = GridSearchCV(free, grid, cv=3).fit(X, y)
    assert set(fitted.best_params_) == set(grid)


def test_clone_pickle_and_joblib(tmp_path):
    """Parameters survive clone, results survive pickle and joblib."""
    selector = ep.FeatureSelector(measures.MIFS(beta=0.5), cut=cuts.Permutation(level=0.1), random_state=0)
    assert clone(selector).get_params()["measure__beta"] == 0.5
    selector.fit(X, y)
    for copy in (pickle.loads(pickle.dumps(selector)), _through_joblib(selector, tmp_path)):
        assert copy.order_.tolist() == selector.order_.tolist()
        assert str(copy.selection_) == str(selector.selection_)
        assert np.array_equal(copy.transform(X), selector.transform(X))


def _through_joblib(selector, tmp_path):
    joblib.dump(selector, tmp_path / "selector.joblib")
    return joblib.load(tmp_path / "selector.joblib")


def test_fit_changes_no_parameter():
    """Parts given as objects are copied before use."""
    cut, measure = cuts.Permutation(), measures.JMI()
    selector = ep.FeatureSelector(measure, cut=cut, random_state=3).fit(X, y)
    assert cut.random_state is None
    assert selector.get_params(deep=False)["measure"] is measure


def mixed_frames():
    frame = pd.DataFrame(
        {
            "noise": np.random.default_rng(0).integers(0, 5, 60),
            "text": ["a", "b", "c"] * 20,
            "time": pd.to_datetime(["2020-01-01", "2021-01-01"] * 30),
            "flag": [True, False, False] * 20,
        }
    )
    labels = [0, 1, 2] * 20
    return frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), labels


def test_set_output_keeps_types():
    """Frames come back as frames with their own types, whatever library."""
    frame, polars, arrow, labels = mixed_frames()
    selector = ep.JMI(n_features=2).set_output(transform="polars")
    out = selector.fit(polars, labels).transform(polars)
    assert isinstance(out, pl.DataFrame)
    assert dict(out.schema) == {name: polars.schema[name] for name in out.columns}
    assert out.columns == ["text", "flag"] or "text" in out.columns
    assert selector.get_feature_names_out().tolist() == out.columns
    selector = ep.JMI(n_features=3).set_output(transform="pandas")
    out = selector.fit(frame, labels).transform(frame)
    assert isinstance(out, pd.DataFrame)
    assert (out.dtypes == frame.dtypes[out.columns]).all()
    assert isinstance(
        ep.JMI(n_features=1).set_output(transform="pandas").fit_transform(polars, labels), pd.DataFrame
    )
    assert isinstance(
        ep.JMI(n_features=1).set_output(transform="polars").fit_transform(arrow, labels), pl.DataFrame
    )


def test_default_output_of_frames_is_an_array():
    """Without set_output frames of numbers give arrays of numbers, as in scikit-learn."""
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(13)])
    for container in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        selector = ep.JMI(n_features=3).fit(container, y)
        out = selector.transform(container)
        assert isinstance(out, np.ndarray)
        assert np.array_equal(out, X[:, selector.get_support()])
        assert selector.feature_names_in_.tolist() == list(frame.columns)


def test_sparse_in_sparse_out():
    """Sparse matrices stay sparse."""
    matrix = scipy.sparse.csr_array((X > X.mean(axis=0)).astype(float))
    selector = ep.CMIM(n_features=3).fit(matrix, y)
    assert selector.order_.tolist() == ep.CMIM(n_features=3).fit(matrix.toarray(), y).order_.tolist()
    assert scipy.sparse.issparse(selector.transform(matrix))


def test_selected_columns_help_a_classifier():
    """Ten of thirty columns keep the accuracy on breast cancer data."""
    data, target = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), ep.JMI(n_features=10), LogisticRegression(max_iter=1000))
    assert cross_val_score(model, data, target, cv=3).mean() > 0.93


# -- fixed columns and groups ----------------------------------------------------------------


def test_fixed_features_by_name_and_index():
    """Fixed columns are kept, come first and count."""
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(13)])
    by_name = ep.JMI(n_features=4, fixed_features=["c3", "c1"]).fit(frame, y)
    by_index = ep.JMI(n_features=4, fixed_features=[3, 1]).fit(X, y)
    assert by_name.order_.tolist() == by_index.order_.tolist()
    assert by_name.order_[:2].tolist() == [3, 1]
    assert by_name.n_features_ == 4


def test_groups_come_and_go_together():
    """A one-hot block is judged like the column it came from."""
    rng = np.random.default_rng(0)
    cause, noise = rng.integers(0, 4, 300), rng.integers(0, 2, (300, 6))
    labels = (cause + (rng.random(300) < 0.2)) % 4
    block = np.eye(4, dtype=int)[cause]
    data = np.column_stack([noise[:, :3], block, noise[:, 3:]])
    selector = ep.JMI(n_features=2, feature_groups=[[3, 4, 5, 6]]).fit(data, labels)
    assert selector.order_[:4].tolist() == [3, 4, 5, 6]
    assert selector.n_features_ == 5
    assert selector.selection_.steps[0].columns == (3, 4, 5, 6)
    whole = ep.JMI(n_features=2).fit(np.column_stack([noise[:, :3], cause, noise[:, 3:]]), labels)
    assert selector.selection_.steps[0].score == whole.selection_.steps[0].score
    assert selector.selection_.steps[1].score == whole.selection_.steps[1].score
    named = ep.JMI(n_features=1, feature_groups={"colour": ["b0", "b1"]})
    frame = pd.DataFrame({"a": noise[:, 0], "b0": block[:, 0], "b1": block[:, 1]})
    assert named.fit(frame, labels).order_.tolist() == [1, 2]
    assert named.ranking_.tolist() == [2, 1, 1]


def test_groups_and_fixed_features_together():
    """Fixing one column of a group fixes the group."""
    selector = ep.MRMR(n_features=3, feature_groups=[[0, 1], [5, 6, 7]], fixed_features=[6]).fit(X, y)
    assert selector.order_[:3].tolist() == [5, 6, 7]
    sparse = scipy.sparse.csr_array((X > X.mean(axis=0)).astype(float))
    dense = ep.MRMR(n_features=4, feature_groups=[[0, 1], [5, 6, 7]]).fit(sparse.toarray(), y)
    assert (
        ep.MRMR(n_features=4, feature_groups=[[0, 1], [5, 6, 7]]).fit(sparse, y).order_.tolist()
        == dense.order_.tolist()
    )


# -- targets and missing values --------------------------------------------------------------


def test_real_target():
    """A regression target is binned; the true column is found."""
    rng = np.random.default_rng(0)
    data = rng.standard_normal((400, 8))
    target = data[:, 5] ** 2 + 0.1 * rng.standard_normal(400)
    assert ep.JMI(n_features=1).fit(data, target).order_.tolist() == [5]
    counts = np.round(np.exp(target)).astype(int)
    assert ep.JMI(n_features=1, target="real").fit(data, counts).selection_.target.n_levels <= 10


def test_missing_values_can_tell():
    """That a value is missing may be what matters."""
    rng = np.random.default_rng(0)
    data = rng.standard_normal((300, 4))
    labels = rng.integers(0, 2, 300)
    data[labels == 1, 2] = np.nan
    assert ep.MIM(n_features=1).fit(data, labels).order_.tolist() == [2]
    with pytest.raises(DataError, match="Column 'x2' has"):
        ep.MIM(missing="error").fit(data, labels)


def test_one_class_is_said():
    """A constant target is no error, but deserves a warning."""
    with pytest.warns(SelectionWarning, match="only one class"):
        selector = ep.JMI(n_features=2).fit(X, np.zeros(len(y)))
    assert selector.order_.tolist() == [0, 1]


def test_more_columns_than_there_are():
    """All are kept, with a warning, so that a grid over sizes goes on."""
    with pytest.warns(SelectionWarning, match="14 columns were asked for, but the table has 13"):
        assert ep.JMI(n_features=14).fit(X, y).n_features_ == 13


def test_constant_columns():
    """By default they are not among the columns kept; where they are, it is said."""
    data = np.column_stack([X[:, :3], np.ones(len(X))])
    assert ep.MIM().fit(data, y).n_features_ == 3
    with pytest.warns(SelectionWarning, match="Column 'x1' is constant"):
        ep.JMI(n_features=2, fixed_features=[1]).fit(np.column_stack([X[:, 0], np.ones(len(X)), X[:, 1]]), y)


@pytest.mark.parametrize(
    ("n_rows", "n_levels", "share"), [(20_000, 5000, 0.01), (2000, 1000, 0.3), (200_000, 60, 0.3)]
)
def test_noise_of_many_levels_is_said(n_rows, n_levels, share):
    """A random column of many levels looks informative on paper; that chance gives as much is said."""
    rng = np.random.default_rng(0)
    labels = (rng.random(n_rows) < share).astype(int)
    data = np.column_stack([rng.integers(0, n_levels, n_rows), rng.integers(0, 2, n_rows)]).astype(str)
    with pytest.warns(SelectionWarning, match=r"Column 'x0' has \d+ levels.*no better than chance"):
        ep.MIM(n_features=1).fit(data, labels)


def test_parts_draw_independent_numbers():
    """One seed for the selector, a stream of its own for each part."""
    selector = ep.FeatureSelector(measures.NeighborhoodEntropy(), cut=ep.cuts.Permutation(), random_state=0)
    measure, search, cut = selector._parts()
    selector._seed(measure, search, cut)
    assert measure.random_state != cut.random_state
    again = ep.FeatureSelector(measures.NeighborhoodEntropy(random_state=5), random_state=0)
    parts = again._parts()
    again._seed(*parts)
    assert parts[0].random_state == 5


def test_signatures_have_only_what_is_used():
    """A parameter that a method has no use for is an error."""
    for make in (lambda: ep.LaplacianScore(n_bins=3), lambda: ep.FisherScore(binning="uniform"),
                 lambda: ep.ReliefF(binning="uniform"), lambda: ep.CFS(n_bins=3)):  # fmt: skip
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            make()


def test_subclasses_inherit_their_method():
    """A class of one's own on top of a method is that method."""

    class Own(ep.MRMR):
        pass

    assert Own(n_features=4).fit(X, y).order_.tolist() == ep.MRMR(n_features=4).fit(X, y).order_.tolist()
    assert Own(n_features=4).get_params() == ep.MRMR(n_features=4).get_params()


@pytest.mark.parametrize(
    "cut", [ep.cuts.BestSize(max_size=3), "residual", ep.cuts.Permutation(random_state=0)]
)
def test_cuts_see_the_target_of_unsupervised_measures(cut):
    """The measure does not look at y, the cut does."""
    assert len(ep.select(X, y, measure="laplacian_score", cut=cut).steps) >= 1


def test_warnings_name_the_line_of_the_user():
    """Whatever the depth from which they come."""
    calls = [
        lambda: ep.JMI(n_features=14).fit(X, y),
        lambda: ep.JMI(n_features=14).fit_transform(X, y),
        lambda: ep.select(X, y, cut=14),
        lambda: ep.RRPC(2).fit(X, y - 1),
    ]
    for call in calls:
        with pytest.warns(SelectionWarning) as caught:
            call()
        assert caught[0].filename == __file__


def test_rankings_score_every_column():
    """Whether selected or not; greedy methods give NaN to columns that were never picked."""
    assert np.isfinite(ep.FisherScore(n_features=2).fit(X, y).scores_).all()
    assert np.isfinite(ep.MIM(n_features=2).fit(X, y).scores_).all()
    assert np.isnan(ep.JMI(n_features=2).fit(X, y).scores_).sum() == 11


def test_support():
    """`support_` is the mask that `get_support` gives."""
    selector = ep.JMI(n_features=3).fit(X, y)
    assert selector.support_.tolist() == selector.get_support().tolist()
    assert np.flatnonzero(selector.support_).tolist() == sorted(selector.order_)


def test_blind_picks_of_min_entropy_are_said():
    """Where no single column changes the most likely class, I(f;y|S) decides, and the user learns so."""
    rng = np.random.default_rng(0)
    data = rng.integers(0, 2, (200, 5))
    labels = (data[:, 3] & (rng.random(200) < 0.4)).astype(int)
    with pytest.warns(SelectionWarning, match=r"1 of 1 picks \(first 'x3'\) do not lower"):
        assert ep.RenyiFS(n_features=1).fit(data, labels).order_.tolist() == [3]
    assert ep.RenyiFS(n_features=1, alpha=1).fit(data, labels).order_.tolist() == [3]


def test_progress_is_called_and_printed(capsys):
    """A callable sees every step; True writes to stderr."""
    seen = []
    ep.JMI(
        n_features=3, progress=lambda step, done, expected: seen.append((step.column, done, expected))
    ).fit(X, y)
    assert [entry[1:] for entry in seen] == [(1, 3), (2, 3), (3, 3)]
    ep.JMI(n_features=2, progress=True).fit(X, y)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "step 2 of 2" in captured.err


def test_names_must_agree_in_transform():
    """Other columns than at fit are refused, whatever the container."""
    frame, polars, arrow, labels = mixed_frames()
    for container, other in (
        (frame, frame[frame.columns[::-1]]),
        (polars, polars.select(polars.columns[::-1])),
        (arrow, arrow.select(arrow.column_names[::-1])),
    ):
        selector = ep.JMI(n_features=2).fit(container, labels)
        with pytest.raises(ValueError, match="feature names"):
            selector.transform(other)


@pytest.mark.parametrize(
    "selector", [ep.MIM(1), ep.RenyiFS("residual"), ep.CrossEntropyFS(n_samples=100, random_state=0)], ids=str
)
def test_columns_that_name_rows(selector):
    """A column of texts that are nearly all different is selected for that, and it is said."""
    rng = np.random.default_rng(0)
    X = np.array([[f"row {i}", str(rng.integers(0, 3))] for i in range(60)], dtype=object)
    with pytest.warns(SelectionWarning, match="Column 'x0' looks like an identifier"):
        assert selector.fit(X, rng.integers(0, 2, 60)).order_.tolist() == [0]


def test_a_target_that_names_rows(recwarn):
    """Texts that are nearly all different are no classes; a few rows, and real classes, are not warned of."""
    numbers = np.arange(100.0)[:, None]
    ep.MIM(1).fit(numbers[:8], [f"row {i}" for i in range(8)])
    ep.MIM(1).fit(numbers, [f"class {i % 30}" for i in range(100)])
    assert not recwarn.list
    with pytest.warns(
        SelectionWarning, match=r"The target 'y' has 100 classes in 100 rows, so .* Hint: check"
    ):
        ep.MIM(1).fit(numbers, [f"row {i}" for i in range(100)])


def test_columns_that_name_rows_among_all_columns(recwarn):
    """A rule that keeps all columns did not ask for the one that names rows; a number did."""
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = pd.DataFrame({"id": [f"row {i}" for i in range(100)], "a": rng.normal(size=100) + 3 * y})
    assert ep.JMI(2).fit(X, y).n_features_ == 2
    assert not recwarn.list
    with pytest.warns(SelectionWarning, match="Column 'id' looks like an identifier"):
        assert ep.JMI("auto", correction=None).fit(X, y).n_features_ == 2
    assert ep.JMI("auto").fit(X, y).n_features_ == 1


def test_columns_that_name_rows_are_seen_through(recwarn):
    """Bayesian frequencies prefer a column that tells about y."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.array(
        [[f"row {i}", str((label + (rng.random() < 0.1)) % 2)] for i, label in enumerate(y)], dtype=object
    )
    assert ep.BayesianEntropyFS(n_evaluations=200, random_state=0).fit(X, y).order_.tolist() == [1]
    assert not recwarn.list


def test_lazy_frames_stay_lazy(tmp_path):
    """`fit` reads a file column by column, `transform` reads nothing, unless a container is asked for."""
    path = tmp_path / "wine.parquet"
    held = pl.DataFrame(X, schema=[f"c{j}" for j in range(X.shape[1])])
    held.write_parquet(path)
    lazy = pl.scan_parquet(path)
    selector = ep.JMI(n_features=3).fit(lazy, y)
    assert selector.order_.tolist() == ep.JMI(n_features=3).fit(held, y).order_.tolist()
    assert selector.feature_names_in_.tolist() == held.columns
    reduced = selector.transform(lazy)
    assert isinstance(reduced, pl.LazyFrame)
    assert reduced.collect().equals(held[:, sorted(selector.order_.tolist())])
    assert selector.set_output(transform="polars").transform(lazy).equals(reduced.collect())
    wrapper = measures.CrossValidated(GaussianNB(), cv=2)
    swarm = searches.Swarm(n_particles=4, n_rounds=2)
    found = [
        ep.FeatureSelector(wrapper, swarm, random_state=0).fit(table, y).order_ for table in (lazy, held)
    ]
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("make", [lambda d: pd.DataFrame(d), lambda d: pl.DataFrame(d), lambda d: pa.table(d)],
                         ids=["pandas", "polars", "pyarrow"])  # fmt: skip
@pytest.mark.filterwarnings("ignore:Nothing was found", "ignore:No features were selected")
def test_transform_to_an_array_of_mixed_types(make):
    """Times beside numbers and texts stay what they are; nothing selected leaves the rows."""
    days = [datetime.date(2026, 1, day) for day in range(1, 21)]
    data = {"day": days, "size": [day / 7 for day in range(20)], "site": list("ab" * 10)}
    y = [0, 1] * 10
    X = make(data)
    chosen = ep.MIM(3).fit(X, y).transform(X)
    assert chosen.tolist() == [list(row) for row in zip(*data.values(), strict=True)]
    two = ep.MIM(2, fixed_features=["day", "size"]).fit(X, y).transform(X)
    assert two.tolist() == [list(row) for row in zip(days, data["size"], strict=True)]
    constant = make({"same": [1.0] * 20})
    nothing = ep.JMI("auto", random_state=0).fit(constant, y)
    assert nothing.transform(constant).shape == (20, 0)
    if isinstance(constant, pd.DataFrame):
        assert nothing.set_output(transform="pandas").transform(constant).shape == (20, 0)


def test_no_threads_are_refused():
    """n_jobs=0 means nothing."""
    with pytest.raises(ValueError, match=r"n_jobs must be a number of threads.* got 0"):
        ep.MIM(1, n_jobs=0).fit([[0], [1]], [0, 1])


def test_record_in_one_line_and_in_a_notebook():
    """The record shows itself in a line, and as a table without harm by names."""
    frame = pd.DataFrame(X[:, :4], columns=["a", "<b>", "c", "d"])
    record = ep.MIM(2).fit(frame, y).selection_
    assert repr(record) == f"Selection(2 of 4 columns: {', '.join(record.selected_names)})"
    assert "..." in repr(ep.MIM(12).fit(X, y).selection_)
    shown = ep.MIM(4).fit(frame, y).selection_._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert shown.count("<tr>") == 5

"""Batches of rows: the same bits as all rows at once, in any order, and after a process was killed between them."""

import itertools
import pickle

import numpy as np
import polars as pl
import pytest

import entropick as ep
from database_tables import dirty_table
from entropick.exceptions import DataError

pytestmark = pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 600)
X = RNG.normal(size=(600, 5)) + Y[:, None] * [0, 0.4, 0, 1, 0.2]
BATCHES = [slice(0, 200), slice(200, 210), slice(210, 600)]


def result(selector):
    """Everything that does not depend on the clock, to the last bit."""
    steps = [repr((s.columns, s.score, s.runner_up, s.ties, s.gain)) for s in selector.selection_.steps]
    return steps, selector.scores_.tobytes(), tuple(selector.selection_.encodings), selector.selection_.n_rows


@pytest.mark.parametrize("make", [ep.JMI, ep.CMIM, ep.MRMR], ids=lambda make: make.__name__)
def test_batches_in_any_order(make):
    """With given edges the first batch is nothing special; killed and loaded after each batch."""
    edges = ep.Cube.count(X, Y)
    expected = result(make(3).fit(X, Y))
    for order in itertools.permutations(BATCHES):
        selector = make(3)
        for rows in order:
            selector.partial_fit(X[rows], Y[rows], edges=edges)
            selector = pickle.loads(pickle.dumps(selector))
        assert result(selector) == expected
        assert selector.cube_ == edges
        assert not hasattr(selector, "feature_names_in_")
    assert not hasattr(selector.fit(X, Y), "cube_")


def test_edges_of_the_first_batch():
    """Later batches use them, and the result is that of all rows with these edges."""
    selector, cube = ep.JMI(3), ep.Cube.count(X[:200], Y[:200])
    for rows in BATCHES:
        selector.partial_fit(X[rows], Y[rows])
    for rows in BATCHES[1:]:
        assert cube.partial_fit(X[rows], Y[rows]) is cube
    assert selector.cube_ == cube == ep.Cube.count(X, Y, edges=ep.Cube.count(X[:200], Y[:200]))
    assert result(selector) == result(ep.JMI(3).fit(cube))


def test_classes_and_names():
    """Classes that come later are given as in scikit-learn; names of columns and of the target are kept."""
    frame = dirty_table(300).select("few", "flag", "day", "y").sort("y")
    selector = ep.JMI(2).partial_fit(frame[:50], "y", classes=[2, 0, 1])
    selector.partial_fit(frame[50:].drop("y"), frame[50:]["y"])
    assert result(selector) == result(ep.JMI(2).fit(ep.Cube.count(frame, "y", edges=selector.cube_)))
    assert selector.selection_.target.name == "y"
    assert selector.feature_names_in_.tolist() == ["few", "flag", "day"]
    with pytest.raises(DataError, match="not one of its known classes"):
        ep.JMI(2).partial_fit(frame[:50], "y").partial_fit(frame[50:], "y")


def test_a_bad_batch_changes_nothing():
    frame = pl.DataFrame({"a": ["x", "z"] * 20, "b": [0, 1, 2, 3] * 10, "y": [0, 1] * 20})
    selector = ep.JMI(1).partial_fit(frame, "y")
    before = result(selector), pickle.dumps(selector.cube_)
    for bad, error in [
        (frame.with_columns(a=pl.lit("new")), "holds 'new', which it did not hold"),
        (frame.rename({"b": "c"}), "feature names"),
        (frame.drop("b"), "feature names"),
        (frame.with_columns(b=pl.lit(0).cast(pl.Datetime)), "'b' holds numbers in one .* and times"),
    ]:
        with pytest.raises(ValueError, match=error):
            selector.partial_fit(bad, "y")
        assert (result(selector), pickle.dumps(selector.cube_)) == before
    twice = frame.drop("y").to_pandas().set_axis(["a", "a"], axis=1)
    with pytest.raises(DataError, match="'a' appears 2 times"):
        selector.partial_fit(twice, frame["y"])
    with pytest.raises(ValueError, match="y to be passed"):
        ep.JMI(1).partial_fit(frame.drop("y"))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        ep.JMI(1).partial_fit(X, Y[:-1])


@pytest.mark.parametrize(
    ("selector", "part"),
    [
        (ep.JMI3(3), "JMI3 needs joint counts"),
        (ep.RenyiFS(3), "Renyi needs joint counts"),
        (ep.JMI("residual"), "Residual needs joint counts"),
        (ep.CMIM("permutation"), "Permutation needs labels"),
        (ep.FeatureSelector("relieff", cut=3), "ReliefF needs distances"),
    ],
    ids=str,
)
def test_what_needs_more_than_pairs_is_refused_by_name(selector, part):
    assert not hasattr(selector, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit") as caught:
        selector.partial_fit(X, Y)
    assert part in str(caught.value.__cause__)


def test_which_methods_take_batches():
    """All methods over pairs of columns; the list follows from what their parts need."""
    able = ["JMI", "MRMR", "CMIM", "JMIM", "DISR", "MIFS", "CIFE", "ICAP", "FCBF", "MIM"]
    assert all(hasattr(getattr(ep, name)(2), "partial_fit") for name in able)
    assert hasattr(ep.JMI("auto"), "partial_fit")
    assert not hasattr(ep.ReliefF(2), "partial_fit")


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_a_batch_that_ends_in_an_error_changes_nothing(error):
    """Earlier batches stay counted, also if the selection after a batch is interrupted."""

    def stop(*_):
        raise error

    selector = ep.JMI(2).partial_fit(X[:200], Y[:200])
    with pytest.raises(error):
        selector.set_params(progress=stop).partial_fit(X[200:210], Y[200:210])
    assert selector.cube_.n_rows == 200
    selector.set_params(progress=False)
    assert selector.partial_fit(X[210:], Y[210:]).cube_.n_rows == 590

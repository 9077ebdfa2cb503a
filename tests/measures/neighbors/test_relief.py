"""ReliefF and RReliefF."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick.exceptions import DataError, SelectionWarning
from near_rows import mixed, points
from strategies import examples

SEEDS = st.integers(0, 10_000)


@examples(15)
@given(seed=SEEDS, k=st.integers(1, 8), classes=st.integers(2, 4))
def test_relieff_equals_naive(seed, k, classes):
    """Hits and misses per class, misses weighted by prior, by multiplying."""
    X, y = points(seed, classes=classes)
    y = np.minimum(y, np.random.default_rng(seed).integers(0, classes, len(y)))  # unequal priors
    scores = ep.ReliefF(n_features=1.0, n_neighbors=k).fit(X, y).scores_
    assert scores == pytest.approx(np.array(naive.relieff(X.tolist(), y.tolist(), k)), abs=1e-5)


@examples(10)
@given(seed=SEEDS)
def test_relieff_of_mixed_columns_equals_naive(seed):
    """Categories and missing values count as documented."""
    frame, rows, kinds = mixed(seed)
    y = np.random.default_rng(seed).integers(0, 2, len(rows))
    scores = ep.ReliefF(n_features=1.0, n_neighbors=5).fit(frame, y).scores_
    assert scores == pytest.approx(np.array(naive.relieff(rows, y.tolist(), 5, kinds)), abs=1e-5)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("prior", ["others", "bare"])
@pytest.mark.parametrize("seed", range(3))
def test_relieff_as_printed_equals_naive(power, prior, seed):
    """Squared differences and bare priors, on numbers alone and beside categories and missing values."""
    options = {"n_features": 1.0, "n_neighbors": 5, "power": power, "prior": prior}
    X, y = points(seed, classes=3)
    expected = naive.relieff(X.tolist(), y.tolist(), 5, power=power, bare=prior == "bare")
    assert ep.ReliefF(**options).fit(X, y).scores_ == pytest.approx(np.array(expected), abs=1e-5)
    frame, rows, kinds = mixed(seed)
    expected = naive.relieff(rows, y.tolist(), 5, kinds, power=power, bare=prior == "bare")
    assert ep.ReliefF(**options).fit(frame, y).scores_ == pytest.approx(np.array(expected), abs=1e-5)


@pytest.mark.parametrize("options", [{"power": 2}, {"prior": "bare"}])
def test_relieff_as_printed_is_for_classes(options):
    X, _ = points(0)
    with pytest.raises(DataError, match=r"are for classes, but the target is real\. Hint"):
        ep.ReliefF(2, **options).fit(X, X[:, 0] + 0.5)


@examples(10)
@given(seed=SEEDS)
def test_rrelieff_equals_naive(seed):
    """Real targets use RReliefF."""
    X, _ = points(seed)
    y = X[:, 2] ** 2 + 0.1 * X[:, 0]
    scores = ep.ReliefF(n_features=1.0, n_neighbors=5).fit(X, y).scores_
    assert scores == pytest.approx(np.array(naive.rrelieff(X.tolist(), y.tolist(), 5)), abs=1e-5)
    assert np.argmax(scores) == 2


@pytest.mark.parametrize("target", ["class", "real"])
def test_relieff_is_the_same_for_any_threads_container_and_order(target):
    """Threads and containers change nothing; the order of rows only the last digits."""
    pd = pytest.importorskip("pandas")
    X, y = points(4, n=300, d=9)
    y = X[:, 0] * X[:, 1] if target == "real" else y
    scores = ep.ReliefF(n_features=1.0).fit(X, y).scores_
    assert np.array_equal(ep.ReliefF(n_features=1.0, n_jobs=4).fit(X, y).scores_, scores)
    assert np.array_equal(ep.ReliefF(n_features=1.0).fit(pd.DataFrame(X), y).scores_, scores)
    order = np.random.default_rng(0).permutation(300)
    assert ep.ReliefF(n_features=1.0).fit(X[order], y[order]).scores_ == pytest.approx(scores, abs=1e-6)


def test_relieff_of_a_constant_target_and_of_two_rows():
    X, _ = points(0)
    with pytest.warns(SelectionWarning):
        assert (ep.ReliefF(1.0, target="real").fit(X, np.ones(40)).scores_ < 0).all()
    assert np.isfinite(ep.ReliefF(2).fit(X[:2], [0, 1]).scores_).all()


def test_relieff_finds_an_interaction():
    """Two columns that matter only together rank first."""
    X, _ = points(0, n=400, d=8)
    y = (X[:, 3] > 0.5) ^ (X[:, 6] > 0.5)
    assert set(ep.ReliefF(n_features=2).fit(X, y).order_) == {3, 6}
    some = ep.ReliefF(n_features=2, n_iterations=100, random_state=0).fit(X, y)
    assert set(some.order_) == {3, 6}


def test_relieff_misses_are_multiplied_by_their_prior():
    """With 150, 40 and 10 rows of three classes dividing by the prior would turn the ranking over."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [150, 40, 10])
    common = (y == 1) + 0.3 * rng.random(200)  # tells the two frequent classes apart
    rare = (y == 2) + 0.3 * rng.random(200)  # tells the rare class apart
    X = np.column_stack([rare, common])
    scores = ep.ReliefF(n_features=2, n_neighbors=5).fit(X, y).scores_
    assert scores == pytest.approx(np.array(naive.relieff(X.tolist(), y.tolist(), 5)), abs=1e-5)
    assert scores[1] > scores[0]


def test_relieff_does_not_depend_on_row_order_where_rows_tie():
    """CORRAL is full of ties: its four causes play the same part and get the same weight."""
    X, y = ep.datasets.make_corral()
    weights = ep.ReliefF(n_features=6).fit(X, y).scores_
    assert weights[:4] == pytest.approx(np.full(4, weights[0]), abs=1e-9)
    order = np.random.default_rng(0).permutation(len(y))
    assert ep.ReliefF(n_features=6).fit(X[order], y[order]).scores_ == pytest.approx(weights, abs=1e-9)
    assert weights == pytest.approx(np.array(naive.relieff(X.tolist(), y.tolist(), 10)), abs=1e-6)

"""What the paper on neighborhood entropy leaves open or prints: distance, units, width, ties, every row."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick import measures
from entropick.exceptions import CombinationError, DataError
from strategies import examples

SEEDS = st.integers(0, 1000)


def table(seed, n=40):
    """Columns in units that differ by far, and whole numbers, whose distances tie."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 3, (n, 2)), 50 * rng.normal(size=n), rng.normal(size=(n, 2))])
    return X, (X[:, 0] + X[:, 3] > 1).astype(int) + (X[:, 2] > 30)


def visits(seed, n):
    """The order in which a measure with this seed visits n rows."""
    return np.random.default_rng(np.random.RandomState(seed).randint(np.iinfo(np.int32).max)).permutation(n)


@pytest.mark.parametrize("every_row", [False, True])
@pytest.mark.parametrize("scaling", ["range", None])
@pytest.mark.parametrize("metric", ["l1", "l2"])
@examples(6)
@given(seed=SEEDS)
def test_entropy_with_ties_in_row_order_equals_naive(metric, scaling, every_row, seed):
    """Ties included, since the order of the rows decides between them."""
    X, y = table(seed)
    order = None if every_row else visits(seed, len(y)).tolist()
    options = {"scaled": scaling is not None, "power": int(metric[1])}
    found = ep.neighborhood_entropy(
        y, X, 3, seed, every_row=every_row, scaling=scaling, metric=metric, ties="order"
    )
    expected = naive.neighborhood_entropy(y.tolist(), X.astype(np.float32).tolist(), 3, order, **options)
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("metric", ["l1", "l2"])
@pytest.mark.parametrize("per_subset", [False, True])
def test_steps_equal_naive(per_subset, metric):
    """Each step of NEFS and, with all rows as candidates, of SNEFS."""
    X, y = table(0)
    measure = measures.NeighborhoodEntropy(
        index="exact", metric=metric, ties="order", scaling=None, random_state=3, per_subset=per_subset,
        n_candidates=len(y) - 1,
    )  # fmt: skip
    order, picked, rows = visits(3, len(y)).tolist(), [], X.astype(np.float32)
    for step in ep.select(X, y, measure=measure, cut=4).steps:
        entropies = {
            j: naive.neighborhood_entropy(
                y.tolist(), rows[:, [*picked, j]].tolist(), 4, order, scaled=False, power=int(metric[1])
            )
            for j in range(X.shape[1])
            if j not in picked
        }
        assert step.residual == pytest.approx(min(entropies.values()), abs=1e-6)
        picked.append(step.column)


def test_every_row_leaves_nothing_to_chance():
    """Without ties the seed decides nothing."""
    X, y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 3
    for selector in (ep.NEFS(2, index="exact", every_row=True), ep.SNEFS(2, index="exact", every_row=True)):
        found = [selector.set_params(random_state=seed).fit(X, y).scores_ for seed in (0, 1)]
        assert found[0] == pytest.approx(found[1], abs=1e-9, nan_ok=True)


def test_units_matter_without_scaling():
    """A column of noise in small units decides who is near, unless columns are scaled."""
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    y = (X[:, 0] > 0.5).astype(int)
    X[:, 1] *= 1e6
    entropies = [ep.neighborhood_entropy(y, X, 4, 0, every_row=True, scaling=s) for s in ("range", None)]
    assert entropies[0] < 0.5 < entropies[1]
    with pytest.raises(DataError, match=r"overflow: column 'x1' goes from .* to .*Hint: use scaling='range'"):
        ep.SNEFS(1, scaling=None).fit(X * [1, 1e12], y)
    ep.SNEFS(1, scaling=None, random_state=0).fit(X + 1e20, y)  # large numbers, small differences


def test_width_of_buckets():
    """Buckets that are wide enough hold all rows, as large ones do; narrow ones leave nearly all to chance."""
    X, y = np.random.default_rng(0).normal(size=(50, 3)), np.arange(50) % 2
    common = {"n_candidates": "bucket", "n_tables": 1, "random_state": 0, "scaling": "std"}
    wide = ep.SNEFS(2, width=1e9, **common).fit(X, y)
    exact = ep.SNEFS(2, n_candidates=49, index="exact", random_state=0, scaling="std").fit(X, y)
    assert wide.scores_ == pytest.approx(exact.scores_, abs=1e-9, nan_ok=True)
    narrow = ep.SNEFS(2, width=1e-9, **common).fit(X, y)
    assert narrow.scores_ != pytest.approx(exact.scores_, abs=1e-9, nan_ok=True)
    hashed = [ep.NEFS(2, index="lsh", width=width, random_state=0).fit(X, y).scores_ for width in (1e-9, 0.3)]
    assert hashed[0] != pytest.approx(hashed[1], abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", ["l1", "l2"])
def test_hashing_for_each_distance(metric):
    """With many tables hashed neighbours nearly are the exact ones; Gaussian functions serve L2."""
    rng = np.random.default_rng(0)
    X = rng.random((300, 5))
    y = ((X[:, 0] > 0.5) + (X[:, 3] > 0.5)).astype(int)
    options = {"metric": metric, "random_state": 0, "every_row": True}
    hashed = ep.NEFS(3, index="lsh", n_tables=60, **options).fit(X, y)
    exact = ep.NEFS(3, index="exact", **options).fit(X, y)
    assert set(hashed.order_[:2].tolist()) == set(exact.order_[:2].tolist()) == {0, 3}
    assert hashed.scores_[[0, 3]] == pytest.approx(exact.scores_[[0, 3]], abs=0.05)
    assert ep.SNEFS(2, n_candidates="bucket", **options).fit(X, y).n_features_ == 2


def test_threads_change_nothing_for_other_distances():
    X, y = table(1)
    for options in ({"index": "exact"}, {"index": "exact", "ties": "order"}, {"index": "lsh"}):
        fits = [ep.NEFS(3, metric="l2", random_state=0, n_jobs=n, **options).fit(X, y) for n in (1, 2)]
        assert np.array_equal(fits[0].scores_, fits[1].scores_, equal_nan=True)


def test_categories_and_gaps_by_squares():
    """Categories differ by 0 or 1 whatever the power; the fit takes what a scaled one takes."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"number": rng.normal(size=60), "letter": np.array(list("abc"))[rng.integers(0, 3, 60)]})
    y = (X["letter"] == "a").astype(int)
    X.loc[::7, "number"] = np.nan
    for selector in (ep.NEFS(1, index="exact", scaling=None), ep.SNEFS(1, n_candidates=59)):
        selector.set_params(metric="l2", random_state=0)
        assert selector.fit(X, y).selection_.selected_names == ["letter"]


def test_rows_of_buckets_have_no_order():
    X, y = table(0)
    with pytest.raises(CombinationError, match=r"ties='order' needs exact neighbours.*Hint: index='exact'"):
        ep.NEFS(2, index="lsh", ties="order").fit(X, y)
    measure = measures.NeighborhoodEntropy(ties="order", random_state=0)
    assert len(ep.select(X, y, measure=measure, cut=2).order) == 2


def test_the_causes_of_corral_in_row_order():
    """The paper's NEFS finds A0, A1, B0 and B1 on CORRAL as it is generated, if ties go by the rows."""
    X, y = ep.datasets.make_corral()
    options = {"index": "exact", "ties": "order", "scaling": None}
    first = [set(ep.NEFS(4, **options, random_state=seed).fit(X, y).order_.tolist()) for seed in range(20)]
    assert sum(picks == {0, 1, 2, 3} for picks in first) > 10

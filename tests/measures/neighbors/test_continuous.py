"""Mutual information without binning: KSG and Gaussian."""

import math

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from helpers import make_table
from strategies import examples


def table(seed, n=60):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 1] += X[:, 0]
    return X * [1, 100, 1e-3, 1, 1, 1], X[:, 0] + 0.5 * rng.normal(size=n)


@examples(10)
@given(seed=st.integers(0, 1000), k=st.integers(1, 5))
def test_ksg_equals_scikit_learn(seed, k):
    """Column by column, in bits, for classes and real targets."""
    X, y = table(seed)
    labels = (y > 0).astype(int)
    for target, estimate in ((labels, mutual_info_classif), (y, mutual_info_regression)):
        found = ep.KSG(1.0, n_neighbors=k, random_state=0).fit(X, target).scores_
        seed_of_measure = np.random.SeedSequence(0).spawn(3)[0].generate_state(1)[0]
        draws = np.random.RandomState(int(seed_of_measure)).randint(2**31 - 1)
        for j in range(6):
            expected = estimate(X[:, [j]], target, n_neighbors=k, random_state=draws)[0] / math.log(2)
            assert found[j] == pytest.approx(expected, abs=1e-12)


def test_ksg_without_a_seed_takes_0():
    """Rounded numbers are moved apart by chance, in the order of the values."""
    X, y = table(0, n=200)
    X, labels = np.round(X / X.std(axis=0)), y > 0
    found = measures.KSG().begin_steps(make_table(X, labels), Threads(1)).compete(np.arange(6)).scores
    orders = [np.lexsort((labels, column)) for column in X.T]
    expected = [
        mutual_info_classif(X[order][:, [j]], labels[order], n_neighbors=3, random_state=0)[0]
        for j, order in enumerate(orders)
    ]
    assert found == pytest.approx(np.array(expected) / math.log(2), abs=1e-12)


def test_ksg_of_known_information():
    """Normal columns: the estimate is near −½ log2(1 − ρ²); independent ones share about nothing."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=4000)
    noise = rng.normal(size=(4000, 3))
    X = np.column_stack(
        [0.9 * y + math.sqrt(1 - 0.81) * noise[:, 0], 0.5 * y + math.sqrt(0.75) * noise[:, 1], noise[:, 2]]
    )
    expected = [-0.5 * math.log2(1 - 0.81), -0.5 * math.log2(1 - 0.25), 0.0]
    assert ep.KSG(1.0).fit(X, y).scores_ == pytest.approx(expected, abs=0.05)


def test_ksg_counts_categories():
    """Categories and booleans are counted, whatever their order."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    frame = pd.DataFrame(
        {"name": np.array(["c", "a", "b"])[y], "flag": y == 1, "noise": rng.normal(size=200)}
    )
    frame.loc[:20, "name"] = None  # a level of its own
    found = ep.KSG(1.0).fit(frame, y).scores_
    expected = [naive.mutual_information(list(frame[name].astype(str)), list(y)) for name in ("name", "flag")]
    assert found[:2] == pytest.approx(expected, abs=1e-9)


def test_ksg_laws():
    """Threads and containers change nothing, nor does the order of columns; copies tie; constants score 0."""
    X, y = table(1)
    X = np.round(np.column_stack([X, X[:, 0], np.ones(60)]), 1)
    expected = ep.KSG(1.0).fit(X, y).scores_
    assert expected[6] == expected[0]
    assert expected[7] == 0
    assert np.array_equal(ep.KSG(1.0, n_jobs=3).fit(X, y).scores_, expected)
    assert np.array_equal(ep.KSG(1.0).fit(X[:, ::-1], y).scores_, expected[::-1])
    assert ep.KSG(1.0).fit(scipy.sparse.csr_array(X), y).scores_ == pytest.approx(expected)


def test_ksg_where_every_row_has_a_name_of_its_own():
    """Nothing can be compared within classes, or categories, of one row each: score 0."""
    pd = pytest.importorskip("pandas")
    X, y = table(3, n=12)
    assert ep.KSG(1.0).fit(X, np.arange(12).astype(str)).scores_.tolist() == [0] * 6
    frame = pd.DataFrame({"id": [f"row {i}" for i in range(12)], "number": X[:, 0]})
    found = ep.KSG(1.0, target="real").fit(frame, y).scores_
    assert found[0] == 0
    assert found[1] > 0


@examples(20)
@given(seed=st.integers(0, 1000), beta=st.sampled_from([0.0, 0.5, 1.0]), classes=st.booleans())
def test_gaussian_equals_naive(seed, beta, classes):
    """Relevance less β times the mean redundancy, at every step."""
    X, y = table(seed)
    labels = (y > 0).astype(int)

    def info(r):
        return -0.5 * math.log2(1 - min(r * r, 1 - 1e-12))

    def relevance(j):
        return info(naive.rrpc(X, labels, j, []) if classes else naive.correlation(X[:, j], y))

    picked = []
    measure = measures.Gaussian(beta)
    for step in ep.select(X, labels if classes else y, measure=measure, cut=1.0).steps:
        scores = {}
        for j in set(range(6)) - set(picked):
            shared = [info(naive.correlation(X[:, j], X[:, s])) for s in picked]
            scores[j] = relevance(j) - beta * (sum(shared) / len(shared) if shared else 0.0)
        assert step.score == pytest.approx(scores[step.column], abs=1e-6)
        assert step.score == pytest.approx(max(scores.values()), abs=1e-6)
        picked.append(step.column)


def test_gaussian_copies_and_constants():
    """A copy of y has 20 bits, a copy of a pick loses as many; nothing is infinite."""
    X, y = table(2)
    X = np.column_stack([X, y, y, np.ones(60)])
    found = ep.Gaussian(1.0).fit(X, y)
    assert found.order_[0] == 6
    assert found.scores_[6] == pytest.approx(-0.5 * math.log2(1e-12), abs=0.01)
    assert np.isfinite(found.scores_).all()
    sparse = ep.Gaussian(1.0).fit(scipy.sparse.csr_array(X[:, :6]), y).scores_
    assert sparse == pytest.approx(ep.Gaussian(1.0).fit(X[:, :6], y).scores_, abs=1e-6)


@pytest.mark.parametrize("shift", [1e9, 1e11])
def test_ksg_of_large_numbers_of_small_spread(shift):
    """Such as times: what separates equal numbers does not depend on their mean."""
    X, y = table(0, n=200)
    expected = ep.KSG(1).fit(X[:, :1], y > 0).scores_
    assert ep.KSG(1).fit(X[:, :1] + shift, y > 0).scores_ == pytest.approx(expected, abs=0.01)

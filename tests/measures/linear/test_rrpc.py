"""RRPC: correlations with the target, less those with selected columns."""

from contextlib import nullcontext

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import entropick as ep
import naive
from entropick import measures
from entropick.exceptions import DataError, SelectionWarning
from number_tables import clusters, labels, path, scores
from strategies import examples

SEEDS = st.integers(0, 10_000)


@examples(20)
@given(seed=SEEDS, classes=st.integers(1, 4), share=st.sampled_from([0.2, 0.6, 1.0]))
def test_rrpc_equals_naive(seed, classes, share):
    """Relevance on the labelled rows, redundancy on all rows, at every step."""
    X = np.column_stack([clusters(seed), np.zeros(40)])
    y = labels(X, seed, classes)
    hidden = np.random.default_rng(seed).random(40) >= share
    y = np.where(hidden & (np.arange(40) > 3), -1, y)
    expected = pytest.warns(match="only one class") if len(np.unique(y[y >= 0])) < 2 else nullcontext()
    with expected:
        steps = ep.select(X, y, measure="rrpc", cut=1.0, unlabelled=-1).steps
    picked = []
    for step in steps:
        rest = [j for j in range(6) if j not in picked] or [6]  # the constant comes last
        expected = {j: naive.rrpc(X, y, j, picked) for j in rest}
        assert step.score == pytest.approx(expected[step.column], abs=1e-9)
        assert step.score == pytest.approx(max(expected.values()), abs=1e-9)
        picked.append(step.column)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("container", [np.asarray, scipy.sparse.csr_array])
def test_rrpc_as_printed_equals_naive(seed, container):
    """Signed correlations, with the number of the class, some labels hidden."""
    X = np.column_stack([clusters(seed), np.zeros(40)])
    y = np.where(np.random.default_rng(seed).random(40) < 0.5, -1, np.arange(40) % 3)
    printed = measures.RRPC(signed=True, classes="number")
    picked = []
    for step in ep.select(container(X), y, measure=printed, cut=1.0, unlabelled=-1).steps:
        rest = [j for j in range(6) if j not in picked] or [6]  # the constant comes last
        expected = {j: naive.printed_rrpc(X, y, j, picked) for j in rest}
        assert step.score == pytest.approx(expected[step.column], abs=1e-9)
        assert step.score == pytest.approx(max(expected.values()), abs=1e-9)
        picked.append(step.column)


def test_rrpc_with_a_sign_puts_falling_columns_back():
    """A column that falls with y is first by |r| and last by r."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = np.column_stack([rng.normal(size=60), -y + 0.01 * rng.normal(size=60)])
    assert ep.RRPC(1).fit(X, y).order_.tolist() == [1]
    assert ep.RRPC(1, classes="number").fit(X, y).order_.tolist() == [1]
    assert ep.RRPC(1, signed=True, classes="number").fit(X, y).order_.tolist() == [0]


def test_rrpc_of_a_real_target():
    """Pearson's correlation with the numbers themselves, where they are known."""
    X = clusters(0)
    y = X[:, 2] / X[:, 2].std() + np.linspace(0, 1, 40)
    y[::3] = np.nan
    known = ~np.isnan(y)
    expected = max(naive.correlation(X[known, j], y[known]) for j in range(6))
    first = ep.RRPC(n_features=1, target="real").fit(X, y)
    assert first.order_.tolist() == [2]
    assert first.scores_[2] == pytest.approx(expected, abs=1e-9)


def test_rrpc_groups_by_their_most_correlated_pair():
    """Relevance of the best column, redundancy of the worst pair."""
    X = clusters(10)
    y = labels(X)
    steps = ep.RRPC(n_features=2, feature_groups=[[0, 3]], fixed_features=[4]).fit(X, y).selection_.steps
    members = steps[1].columns
    relevance = max(naive.rrpc(X, y, j, []) for j in members)
    redundancy = max(naive.correlation(X[:, j], X[:, 4]) for j in members)
    assert steps[1].score == pytest.approx(relevance - redundancy, abs=1e-9)


def test_rrpc_on_corral_takes_the_correlated_column_first():
    """Table II of paper NEFS: C is first, and with 80 % of the labels hidden it is first most often."""
    X, y = ep.datasets.make_corral()
    assert ep.RRPC(n_features=1).fit(X, y).order_[0] == 5
    rng = np.random.default_rng(0)
    hidden = [rng.permutation(128) < 102 for _ in range(60)]
    first = [ep.RRPC(1, unlabelled=-1).fit(X, np.where(some, -1, y)).order_[0] for some in hidden]
    assert np.argmax(np.bincount(first)) == 5


def test_rrpc_marks_of_rows_without_label_agree():
    """−1, NaN and None mean the same."""
    X = clusters(0)
    y = labels(X)
    hidden = np.arange(40) % 3 == 0
    marked = np.where(hidden, -1, y)
    expected = path(ep.RRPC(unlabelled=-1).fit(X, marked))
    assert path(ep.RRPC().fit(X, np.where(hidden, np.nan, y))) == expected
    texts = np.where(hidden, None, np.where(y == 1, "yes", "no").astype(object))
    assert path(ep.RRPC().fit(X, texts)) == expected


@pytest.mark.parametrize("dtype", [int, float])
def test_rrpc_of_classes_minus_one_and_one(dtype):
    """Two values are two classes, also where one is −1: the same picks as for 0 and 1."""
    X = clusters(0)
    y = labels(X)
    expected = path(ep.RRPC().fit(X, y))
    assert path(ep.RRPC().fit(X, (2 * y - 1).astype(dtype))) == expected
    hidden = np.arange(40) % 3 == 0
    partly = path(ep.RRPC().fit(X, np.where(hidden, np.nan, y)))
    assert path(ep.RRPC().fit(X, np.where(hidden, np.nan, 2 * y - 1))) == partly
    with pytest.warns(SelectionWarning, match="only one class"):
        ep.RRPC(unlabelled=-1).fit(X, 2 * y - 1)


def test_rrpc_learns_redundancy_from_unlabelled_rows():
    """A copy on the unlabelled rows is redundant, though on the labelled ones it is not."""
    rng = np.random.default_rng(0)
    n, n_labelled = 1000, 100
    y = np.where(np.arange(n) < n_labelled, rng.integers(0, 2, n), -1)
    signal = np.where(y >= 0, y, rng.integers(0, 2, n)) + 0.5 * rng.normal(size=n)
    copy = np.where(y >= 0, y + 0.5 * rng.normal(size=n), signal)
    own = np.where(y >= 0, y, rng.integers(0, 2, n)) + 0.7 * rng.normal(size=n)
    X = np.column_stack([signal, copy, own])
    labelled = y >= 0
    order = ep.RRPC(n_features=2, fixed_features=[0], unlabelled=-1).fit(X, y).order_
    assert order.tolist() == [0, 2]
    steps = ep.RRPC(n_features=2, fixed_features=[0]).fit(X[labelled], y[labelled]).selection_.steps
    assert steps[1].column == 1


@pytest.mark.parametrize("y", [np.full(40, -1), np.full(40, np.nan), np.full(40, None)])
def test_rrpc_without_any_label(y):
    """No label at all is an error that says so."""
    with pytest.raises(DataError, match=r"no label at all.*Hint"):
        ep.RRPC(unlabelled=-1).fit(clusters(0), y)


def test_rrpc_of_one_class():
    """One class: a warning, and columns by index."""
    X = clusters(0)
    with pytest.warns(match="only one class"):
        assert ep.RRPC(n_features=1).fit(X, np.zeros(40, int)).order_.tolist() == [0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "load",
    [load_breast_cancer, load_wine, load_digits, ep.datasets.make_corral, ep.datasets.make_hyperspheres],
    ids=lambda load: load.__name__,
)
def test_rrpc_with_hidden_labels(load):
    """RRPC_SS, 80 % of the labels hidden, runs and beats chance by what it picks."""
    X, y = load(random_state=0) if load.__name__.startswith("make") else load(return_X_y=True)
    hidden = np.random.default_rng(0).random(len(y)) < 0.8
    partly = ep.RRPC(n_features=5, unlabelled=-1).fit(X, np.where(hidden, -1, y))
    assert len(partly.order_) == 5
    relevance = scores(X, "rrpc", y)
    assert np.isfinite(relevance).all()
    first = ep.RRPC(n_features=X.shape[1]).fit(X, y).selection_.steps[0]
    alone = naive.rrpc(X, y, int(partly.order_[0]), [])
    assert alone >= 0.5 * first.score

"""Nearest rows do not depend on the order of rows, however many tie."""

import inspect
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick import _core
from entropick._base.threads import Threads
from entropick.evaluation.models import Design, neighbors
from entropick.measures.neighbors import exact_neighbors
from entropick.measures.spectral.graph_of_rows import nearest_rows
from entropick.measures.spectral.row_order import content_order
from entropick.selectors.methods import METHODS
from entropick.table.numeric.coordinates import Coordinates
from strategies import examples

# What looks at near rows, by what the order of rows may change: nothing; nothing in the lists of near rows, but
# the solver may choose among equally good solutions; all, since rows are given a random order first.
EXACT = ["ReliefF", "MultiSURF", "KSG", "LaplacianScore", "UDFS"]
SOLVED = ["MCFS", "LLCFS", "FSASL", "UFSOL", "DGUFS"]
RANDOM = ["NEFS", "SNEFS"]
SEEDS = st.integers(0, 2**32 - 1)


def tied_table(seed, n_rows=80):
    """Two to four levels in each column, and each row several times."""
    rng = np.random.default_rng(seed)
    n_columns = int(rng.integers(2, 7))
    levels = rng.integers(2, 5, n_columns)
    X = rng.integers(0, levels, (int(rng.integers(8, n_rows)), n_columns))
    X = X[rng.integers(0, len(X), n_rows)]
    y = (X[:, 0] + X[:, 1] + rng.integers(0, 2, n_rows)) % 3
    return X.astype(np.float64), y, rng.permutation(n_rows)


# -- the rule ------------------------------------------------------------------------------------


@given(seed=SEEDS, k=st.integers(1, 12))
def test_nearest_rows_are_the_same_in_any_order(seed, k):
    """The values of the nearest rows: copies are interchangeable."""
    X, _, order = tied_table(seed)
    points = X / 3 - X.mean(axis=0)
    distances, near = nearest_rows(points, k, Threads(1))
    shuffled_distances, shuffled_near = nearest_rows(points[order], k, Threads(1))
    assert shuffled_distances == pytest.approx(distances[order], abs=1e-12)
    assert np.array_equal(X[order][shuffled_near], X[near[order]])


@given(seed=SEEDS, k=st.integers(1, 12))
def test_nearest_rows_equal_naive(seed, k):
    """All pairs, by distance, then by values, then by index; also of sparse rows."""
    X, _, _ = tied_table(seed)
    rank = content_order(X)
    distances, near = nearest_rows(X, k, Threads(1))
    for i, row in enumerate(X):
        exact = np.sqrt(((X - row) ** 2).sum(axis=1))
        others = [j for j in range(len(X)) if j != i]
        expected = sorted(others, key=lambda j: (round(exact[j], 9), rank[j], j))[:k]
        assert near[i].tolist() == expected
        assert distances[i] == pytest.approx(exact[expected])
    found = nearest_rows(scipy.sparse.csc_array(X), k, Threads(1))
    assert np.array_equal(found[1], near)
    assert found[0] == pytest.approx(distances)


def test_more_rows_tie_than_are_wanted():
    """1,000 rows of 8 kinds, far from zero: 125 copies of each, and 375 rows are the next nearest."""
    X = np.random.default_rng(0).permutation(np.repeat(np.indices((2, 2, 2)).reshape(3, 8).T, 125, axis=0))
    distances, near = nearest_rows(X + 1e6, 5, Threads(1))
    assert not distances.any()
    assert (X[near] == X[:, None]).all()


def test_close_rows_are_told_apart_beside_outliers():
    """Products in single precision see nothing of them."""
    rng = np.random.default_rng(0)
    points = rng.random((300, 2)) * 1e-9
    points[:3] = [[1, 0], [0, 1], [1, 1]]
    distances, near = (found[3:] for found in nearest_rows(points, 4, Threads(1)))
    exact = np.sqrt(((points[3:, None] - points) ** 2).sum(axis=2))
    exact[exact == 0] = np.inf
    assert distances == pytest.approx(np.sort(exact, axis=1)[:, :4], rel=1e-9)
    assert np.array_equal(near, np.argsort(exact, axis=1)[:, :4])


@given(seed=SEEDS)
def test_content_order(seed):
    """It goes with the rows, copies share a place and nothing else does, and columns may change places."""
    X, _, order = tied_table(seed)
    X = np.column_stack([X, X.sum(axis=1)])  # no two columns play the same part
    places = content_order(X)
    assert np.array_equal(content_order(X[order]), places[order])
    assert np.array_equal(content_order(X * 7.3 - 1), places)
    assert len(np.unique(places)) == len(np.unique(X, axis=0))
    assert np.array_equal(content_order(scipy.sparse.csc_array(X)), places)


@given(seed=SEEDS, k=st.integers(1, 12))
def test_exact_neighbors_take_tied_rows_in_their_order(seed, k):
    """Thirds add up to whole numbers in any order of columns."""
    X, _, _ = tied_table(seed, n_rows=40)
    n_columns = X.shape[1]
    thirds = np.ascontiguousarray(X.T / 3, dtype=np.float32)
    space = Coordinates(thirds, np.zeros(n_columns, np.int64), np.zeros(n_columns, np.float32))
    found = exact_neighbors(space, k, Threads(1))
    for i, row in enumerate(X):
        exact = np.abs(X - row).sum(axis=1)
        others = [j for j in range(len(X)) if j != i]
        assert found[i].tolist() == sorted(others, key=lambda j: (exact[j], j))[:k]


@given(seed=SEEDS)
def test_neighborhoods_take_rounded_ties_in_their_order(seed):
    """Thirds in other columns: rows at the same distance count by their place, not by rounding."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (6, 30))
    labels = rng.integers(0, 2, 30).astype(np.int32)
    sums = []
    for columns in (X, X[::-1]):
        values = (columns / 3).astype(np.float32)
        space = _core.Space(values, np.zeros(6, np.int64), np.zeros(6, np.float32))
        found = np.empty((1, 2))
        _core.Neighborhoods(space, labels, 2, 4, True).of_all_rows(
            np.zeros(2, np.int64), np.empty(0, np.int64), np.zeros(1, np.int64), np.arange(6), found
        )
        sums.append(found[0])
    assert sums[0] == pytest.approx(sums[1])


# -- the models of "auto" ------------------------------------------------------------------------


@pytest.mark.parametrize("method", [ep.JMI, ep.MRMR, ep.MIM])
@examples(5)
@given(seed=SEEDS)
def test_predictions_of_near_rows_do_not_know_the_order_of_rows(method, seed):
    """Shuffled training rows give the same predictions at every number of columns."""
    X, y, order = tied_table(seed, n_rows=120)
    path = method(n_features=1.0).fit(X, y).order_
    train, test = np.arange(90), np.arange(90, 120)
    goal, weights = np.eye(3)[y], np.random.default_rng(seed).uniform(0.5, 2, 120)
    sizes = range(len(path) + 1)
    shuffled = order[order < 90]
    found = [
        neighbors(Design(X, path, rows, test), goal[rows], weights[rows], sizes) for rows in (train, shuffled)
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    design = Design(X, path, train, test)
    expected = naive.weighted_neighbors(
        design.train.tolist(), goal[train].tolist(), weights[train].tolist(), design.test.tolist(), 5
    )
    assert found[0][-1] == pytest.approx(np.array(expected), abs=1e-9)


def test_nearer_rows_count_more_than_the_many_that_tie():
    """Three copies keep three of five places; the hundred next nearest share the other two."""
    X = np.concatenate([np.zeros((3, 1)), np.ones((100, 1)), np.zeros((1, 1))])
    goal = (X[:103] == 0).astype(np.float64)
    design = Design(X, np.array([0]), np.arange(103), np.array([103]))
    assert neighbors(design, goal, np.ones(103), [1])[0, 0, 0] == pytest.approx(0.6)


# -- selectors -----------------------------------------------------------------------------------


def test_all_that_look_at_near_rows_are_known():
    """A new one must say what the order of rows may change."""
    modules = {
        name: Path(inspect.getfile(type(selector()._parts()[0]))).read_text()
        for name, selector in METHODS.items()
    }
    near = (
        "neighbors.exact",
        "neighbors.lsh",
        "spectral.graph_of_rows",
        "spectral.row_order",
        "nearer_than_own",
    )
    of_rows = {name for name, text in modules.items() if any(word in text for word in near)}
    assert of_rows == {*EXACT, *SOLVED, *RANDOM}


@pytest.mark.parametrize("name", EXACT)
@examples(15)
@given(seed=SEEDS)
def test_row_order_changes_no_score(name, seed):
    """Shuffled rows give the same scores up to rounding."""
    X, y, order = tied_table(seed)
    selector = getattr(ep, name)
    expected, found = (selector(n_features=1.0).fit(X[rows], y[rows]) for rows in (np.arange(len(y)), order))
    by_column = [
        dict(zip(one.order_.tolist(), one.scores_.tolist(), strict=True)) for one in (expected, found)
    ]
    assert by_column[1] == pytest.approx(by_column[0], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", SOLVED)
@examples(3)
@given(seed=SEEDS)
def test_row_order_changes_no_columns(name, seed):
    """What solvers, clusters and draws make of the rows starts from an order that follows from their values."""
    X, y, order = tied_table(seed)
    selector = getattr(ep, name)
    found = [selector(n_features=2).fit(X[rows]).order_.tolist() for rows in (np.arange(len(y)), order)]
    assert found[0] == found[1]


@examples(10)
@given(seed=SEEDS)
def test_mirrored_columns_tie(seed):
    """A column and its mirror image share a weight, which rounding must not decide."""
    rng = np.random.default_rng(seed)
    half = rng.integers(0, 2, (120, 6)).astype(float)
    X, order = np.hstack([half, 1 - half]), rng.permutation(120)
    y = (half[:, :3].sum(axis=1) >= 2) ^ (rng.random(120) < 0.15)
    found = [ep.NHTP(n_features=2).fit(X[rows], y[rows]).order_.tolist() for rows in (np.arange(120), order)]
    assert found[0] == found[1]


def test_mirrored_columns_tie_in_many_rows():
    """The ridge that says how mirror images share a weight is never so small that rounding says it."""
    rng = np.random.default_rng(0)
    half = rng.integers(0, 2, (40_000, 4)).astype(float)
    y = half[:, :3].sum(axis=1) + rng.normal(size=len(half)) >= 1.5
    scores = ep.NHTP(n_features=8).fit(np.hstack([half, 1 - half]), y).scores_
    assert scores[:4].tolist() == scores[4:].tolist()


# -- other processors ----------------------------------------------------------------------------

PROCESSORS = [
    {},
    {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL X86_V3"},
    {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL"},
]
PROGRAM = """
import json, warnings
import numpy as np
import entropick as ep
from entropick.measures.spectral.graph_of_rows import nearest_rows
from entropick.selectors.methods import METHODS
from entropick._base.threads import Threads
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.integers(0, 2, (300, 12)) + rng.integers(0, 2, (300, 12)) * (np.arange(12) % 2)
y = (X[:, 0] ^ (X[:, 2] & 1)) ^ (rng.random(300) < 0.1)
near = nearest_rows(X / 3.0 - X.mean(axis=0), 10, Threads(1))[1]
kept = {m: getattr(ep, m)(n_features="auto").fit(X, y).order_.tolist() for m in ("JMI", "MRMR", "MIM", "ReliefF")}
print(json.dumps([near.tolist(), kept]))
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="emulates x86 processors")
@pytest.mark.slow
def test_other_processors_find_the_same_rows_and_columns():
    found = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", PROGRAM],
            env=os.environ | settings, capture_output=True, text=True, check=True,
        ).stdout
        for settings in PROCESSORS
    ]  # fmt: skip
    near, kept = json.loads(found[0])
    assert any(kept.values())
    assert np.array(near).shape == (300, 10)
    assert found[1:] == found[:-1]

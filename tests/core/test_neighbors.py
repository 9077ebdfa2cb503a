"""Compiled distances and neighbourhoods against loops over rows."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import naive
from core.cases import RandomSpace, seeds
from entropick import _core


@given(
    seed=seeds,
    n_columns=st.integers(1, 9),
    n_rows=st.integers(1, 30),
    squared=st.booleans(),
    all_numeric=st.booleans(),
)
def test_distances(seed, n_columns, n_rows, squared, all_numeric):
    space = RandomSpace(seed, n_columns, n_rows, all_numeric)
    rows = space.rng.integers(0, n_rows, 4)
    distances = np.empty((4, n_rows), np.float32)
    space.compiled.distances_from(rows, squared, distances)
    expected = [[space.distance(i, j, squared=squared) for j in range(n_rows)] for i in rows]
    assert distances == pytest.approx(np.array(expected), rel=1e-5, abs=1e-6)
    near = space.rng.integers(0, n_rows, (n_rows // 2, 5)).astype(np.int32)
    columns, first = space.rng.integers(0, n_columns, 3), n_rows - len(near)
    added = np.ones(near.shape, np.float32)
    space.compiled.add_distances(columns, first, near, squared, added)
    for r in range(len(near)):
        expected = [1 + space.distance(first + r, j, columns, squared) for j in near[r]]
        assert added[r] == pytest.approx(np.array(expected), rel=1e-5, abs=1e-6)


def test_distances_of_several_tiles():
    """More rows than one tile holds."""
    space = RandomSpace(1, 6, 1100)
    distances = np.empty((1, 1100), np.float32)
    space.compiled.distances_from(np.array([700]), False, distances)
    expected = [space.distance(700, j) for j in range(1100)]
    assert distances[0] == pytest.approx(np.array(expected), rel=1e-5, abs=1e-6)


def neighborhood_sum(space, order_of, distance_of, k, every_row):
    """Summed entropies and the number of neighbourhoods, row by row."""
    n_rows = space.values.shape[1]
    total, visited, seen = 0.0, 0, set()
    for i in range(n_rows):
        if i in seen and not every_row:
            continue
        near = sorted(order_of(i), key=lambda c: distance_of(i, c))[:k]
        total += naive.entropy([int(space.labels[row]) for row in (i, *(c[1] for c in near))])
        visited += 1
        seen |= {i, *(c[1] for c in near)}
    return total, visited


@given(seed=seeds, n_rows=st.integers(2, 25), k=st.integers(1, 6), every_row=st.booleans())
def test_neighborhood_entropies(seed, n_rows, k, every_row):
    space = RandomSpace(seed, 4, n_rows)
    units, chosen = (np.array([0, 1, 3, 4]), np.array([2, 0, 1, 3])), np.array([1, 2, 0])
    k = min(k, n_rows - 1)
    near = np.array(
        [space.rng.permutation([j for j in range(n_rows) if j != i]) for i in range(n_rows)], np.int32
    )
    known = (space.rng.integers(0, 4, near.shape) / 4).astype(np.float32)
    sums = np.empty((3, 2))
    neighborhoods = _core.Neighborhoods(space.compiled, space.labels, 3, k, every_row)
    neighborhoods.of_listed(*units, chosen, near, known, sums)
    exact = np.empty((3, 2))
    selected = np.array([3])
    neighborhoods.of_all_rows(*units, chosen, selected, exact)
    for q, u in enumerate(chosen):
        columns = units[1][units[0][u] : units[0][u + 1]]

        def listed_order(i):
            return [(known[i, c], int(row)) for c, row in enumerate(near[i])]

        def listed_distance(i, candidate, columns=columns):
            return candidate[0] + space.distance(i, candidate[1], columns)

        assert sums[q] == pytest.approx(neighborhood_sum(space, listed_order, listed_distance, k, every_row))

        def exact_order(i):
            first = (i * 7919 + 1) % n_rows
            return [(0, j) for j in (*range(first, n_rows), *range(first)) if j != i]

        def exact_distance(i, candidate, columns=columns):
            return space.distance(i, candidate[1], [*selected, *columns])

        assert exact[q] == pytest.approx(neighborhood_sum(space, exact_order, exact_distance, k, every_row))


def test_every_row_looks_from_a_place_of_its_own():
    """Also where the number of rows is a multiple of the usual step: ties do not all fall on the same rows."""
    n = 7919
    labels = np.zeros(n, np.int32)
    labels[1:3] = 1  # a step of 7919 would make nearly every row find row 1 first
    parts = (np.zeros((1, n), np.float32), np.zeros(1, np.int64), np.zeros(1, np.float32))
    sums = np.empty((1, 2))
    nothing = (np.zeros(2, np.int64), np.empty(0, np.int64))
    neighborhoods = _core.Neighborhoods(_core.Space(*parts), labels, 2, 1, True)
    neighborhoods.of_all_rows(*nothing, np.zeros(1, np.int64), np.array([0]), sums)
    assert sums[0, 0] < 10


@given(
    seed=seeds,
    n_rows=st.integers(2, 120),
    n_columns=st.sampled_from([5, 19]),
    m=st.integers(1, 40),
    squared=st.booleans(),
    all_numeric=st.booleans(),
)
def test_nearest_in_windows(seed, n_rows, n_columns, m, squared, all_numeric):
    """The nearest of the rows that share a window, filled up by others where these are too few."""
    space, m = RandomSpace(seed, n_columns, n_rows, all_numeric), min(m, n_rows - 1)
    rng = space.rng
    ordered = np.array([rng.permutation(n_rows) for _ in range(2)], np.int32)
    low = rng.integers(0, n_rows + 1, (2, n_rows))
    high = np.minimum(low + rng.integers(0, 30, (2, n_rows)), n_rows)
    filler, first = rng.permutation(n_rows), n_rows // 3
    found = np.full((n_rows - first, m), -1, np.int32)
    windows = _core.Windows(ordered, low, high, filler)
    space.points.nearest_in_windows(windows, first, squared, found)
    for r, near in enumerate(found.tolist()):
        i = first + r
        looked_at = {int(row) for t in range(2) for row in ordered[t, low[t, i] : high[t, i]]} - {i}
        at = i
        while len(looked_at) < m:
            looked_at |= {int(filler[at % n_rows])} - {i}
            at += 1
        assert set(near) <= looked_at
        assert len(set(near)) == m
        distances = [space.distance(i, j, squared=squared) for j in near]
        assert distances == pytest.approx(
            sorted(space.distance(i, j, squared=squared) for j in looked_at)[:m], abs=1e-5
        )


@given(seed=seeds, n_rows=st.integers(1, 30), all_numeric=st.booleans())
def test_weighted_differences(seed, n_rows, all_numeric):
    """Every pair with a weight counts, missing values by what is expected of them."""
    space = RandomSpace(seed, 5, n_rows, all_numeric)
    rows = np.arange(0, n_rows, 2)
    weights = space.rng.normal(size=(len(rows), n_rows)) * (space.rng.random((len(rows), n_rows)) < 0.6)
    sums = np.ones(5)
    space.points.add_differences(rows, weights, sums)
    expected = np.ones(5)
    for r, i in enumerate(rows):
        for j in np.flatnonzero(weights[r]):
            expected += weights[r, j] * np.array([float(space.difference(f, i, j)) for f in range(5)])
    assert sums == pytest.approx(expected, abs=1e-4)


@given(seed=seeds, n_rows=st.integers(2, 30), k=st.integers(1, 6), all_numeric=st.booleans())
def test_relief(seed, n_rows, k, all_numeric):
    """Rows as near as the k-th share the remaining weight."""
    space = RandomSpace(seed, 5, n_rows, all_numeric)
    distances = np.array([[space.distance(i, j) for j in range(n_rows)] for i in range(n_rows)], np.float32)
    rows = np.arange(0, n_rows, 2)
    priors = np.bincount(space.labels, minlength=3) / n_rows
    weights, target = np.zeros(5), space.rng.random(n_rows)
    shares = priors / np.maximum(1 - priors, 1e-9)[:, None]
    np.fill_diagonal(shares, -1.0)
    _core.Relief(space.points, space.labels, shares, k, False).add(distances[rows], rows, weights)
    of_target, of_columns, of_both = sums = np.zeros((3, 5))
    _core.RealRelief(space.points, target, k).add(distances[rows], rows, sums)

    def shares(i, others):
        """How much of each other row counts among the k nearest."""
        if not others:
            return {}
        limit = sorted(distances[i, j] for j in others)[min(k, len(others)) - 1]
        nearer = [j for j in others if distances[i, j] < limit]
        tied = [j for j in others if distances[i, j] == limit]
        places = min(k, len(others)) - len(nearer)
        return {**dict.fromkeys(nearer, 1.0), **dict.fromkeys(tied, places / len(tied))}

    expected, in_target, in_columns, in_both = np.zeros(5), 0.0, np.zeros(5), np.zeros(5)
    for i in rows:
        for c in range(3):
            of_class = shares(i, [j for j in range(n_rows) if j != i and space.labels[j] == c])
            own = c == space.labels[i]
            scale = -1.0 if own else priors[c] / (1 - priors[space.labels[i]]) if of_class else 0.0
            for j, share in of_class.items():
                differences = np.array([float(space.difference(f, i, j)) for f in range(5)])
                expected += scale / sum(of_class.values()) * share * differences
        of_all = shares(i, [j for j in range(n_rows) if j != i])
        for j, share in of_all.items():
            differences = np.array([float(space.difference(f, i, j)) for f in range(5)])
            weight = share / sum(of_all.values())
            in_target += abs(target[i] - target[j]) * weight
            in_columns += weight * differences
            in_both += weight * abs(target[i] - target[j]) * differences
    assert weights == pytest.approx(expected, abs=1e-5)
    assert of_target[0] == pytest.approx(in_target)
    assert of_columns == pytest.approx(in_columns, abs=1e-5)
    assert of_both == pytest.approx(in_both, abs=1e-5)


def test_rows_infinitely_far_come_last():
    """They tie with each other, not with rows at a finite distance; a missing distance is infinite."""
    distances = np.array([[0, np.inf, 3, np.nan, 1, np.inf, 2]], np.float32)
    near = np.zeros((1, 5), np.int32)
    _core.nearest_by_distance(distances, np.array([0]), near)
    assert near[0].tolist() == [4, 6, 2, 1, 3]
    below = np.array([[0, 2, -np.inf, -1, -np.inf]], np.float32)
    _core.nearest_by_distance(below, np.array([0]), near[:, :3].copy())

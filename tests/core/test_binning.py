"""Compiled edges and levels against the definitions."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import naive
from core.cases import CODE_TYPES, frozen, seeds
from entropick import _core

QUANTILE, UNIFORM = 0, 1


def naive_edges(column, n_bins, strategy, n_kept):
    """Edges and whether the values are kept, from the definitions."""
    ordered = sorted(v for v in column if v == v)
    values = sorted(set(ordered))
    if len(values) <= n_kept:
        return values[:-1], True
    if strategy == UNIFORM:
        width = values[-1] / n_bins - values[0] / n_bins
        limits = [values[0] + k * width for k in range(1, n_bins)]
        edges = [max((v for v in values if v < limit), default=None) for limit in limits]
        return sorted({e for e in edges if e is not None and e < values[-1]}), False
    n, edges = len(ordered), []
    for wanted in (k * n // n_bins for k in range(1, n_bins)):
        if not wanted:  # fewer rows than bins
            continue
        run = ordered[wanted - 1]
        begin, end = ordered.index(run), n - ordered[::-1].index(run)
        edge = run if 2 * wanted > begin + end or wanted == end else ordered[begin - 1] if begin else None
        if edge is not None and edge < values[-1] and edge not in edges:
            edges.append(edge)
    return edges, False


def random_column(rng, n, kind):
    column = {
        "float": lambda: (
            np.round(rng.standard_normal(n) * rng.choice([1, 10, 1e6]), rng.integers(0, 4)) + 0.0
        ),
        "int": lambda: rng.integers(-(2**60), 2**60, n) if rng.random() < 0.3 else rng.integers(-40, 40, n),
        "byte": lambda: rng.integers(0, rng.integers(1, 256), n).astype(np.uint8),
    }[kind]()
    if kind == "float" and rng.random() < 0.4:  # most values close to each other, some far away
        column = np.exp(rng.choice([1, 5, 50]) * rng.standard_normal(n)) * rng.choice([-1, 1])
        column[rng.random(n) < rng.choice([0, 0.3, 0.6])] = column[0]
    if kind == "float" and rng.random() < 0.5:
        column[rng.random(n) < 0.2] = np.nan
    return column


def encoded(values, n_bins, strategy, code_type=np.uint8, n_kept=None):
    n_columns, n = values.shape
    codes = np.full((n_columns, n + 2), 77, code_type)
    encoder = _core.Encoder(n_bins, n_kept or n_bins, strategy, max(n_bins, n_kept or 0))
    found = encoder.encode(frozen(values.copy()), codes)
    names = ("edges", "n_edges", "n_missing", "kept", "low", "high")
    return {**dict(zip(names, found, strict=True)), "codes": codes}


@given(
    seed=seeds,
    n=st.integers(1, 400),
    n_bins=st.integers(2, 12),
    n_kept=st.integers(1, 40),
    kind=st.sampled_from(["float", "int", "byte"]),
    strategy=st.sampled_from([QUANTILE, UNIFORM]),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_edges_and_levels(seed, n, n_bins, n_kept, kind, strategy, code_type):
    rng = np.random.default_rng(seed)
    values = np.array([random_column(rng, n, kind) for _ in range(3)])
    found = encoded(values, n_bins, strategy, code_type, n_kept)
    assert found["n_missing"].tolist() == [np.count_nonzero(row != row) for row in values]
    for j, column in enumerate(values):
        edges = found["edges"][j, : found["n_edges"][j]].tolist()
        assert (edges, bool(found["kept"][j])) == naive_edges(column.tolist(), n_bins, strategy, n_kept)
        valid = column[column == column]
        if len(valid):
            assert (found["low"][j], found["high"][j]) == (valid.min(), valid.max())
        missing = len(edges) + 1 if len(valid) else 0
        levels = [sum(e < v for e in edges) if v == v else missing for v in column.tolist()]
        assert found["codes"][j, :n].tolist() == levels
    assert (found["codes"][:, n:] == 77).all()
    level = np.where(found["n_missing"] > 0, np.where(found["n_missing"] < n, found["n_edges"] + 1, 0), -1)
    codes = np.full((3, n + 2), 77, code_type)
    _core.assign_levels(frozen(values.copy()), found["edges"], found["n_edges"], level, codes)
    assert codes.tolist() == found["codes"].tolist()


@pytest.mark.parametrize("strategy", [QUANTILE, UNIFORM])
@pytest.mark.parametrize(
    "column",
    [
        2**60 + np.random.default_rng(0).permutation(40),  # equal as floats
        np.repeat([-(2**62), 2**62, 5, 6], 10),  # a range beyond that of integers
        np.array([-1.0, 1e-20, 0.0, 2.0, 3.0, 4.0, 5.0]),  # one more than the least, but for rounding
        np.array([1e15 + 0.25, 1e15 + 1.25, 1e15 + 2.5, 1e15, 1e15 + 3, 1e15 + 5]),
        np.append(np.arange(5000.0), np.nan),  # more whole steps than a table has
        np.append(np.arange(4096.0), np.nan),  # as many as it has
        np.array([1e308, -1e308, 0.0, 1.0, 2.0, 3.0]),  # a width beyond all floats
        np.append(np.zeros(300), 1e300 * np.arange(1, 9)),  # almost all in one bucket
        np.array([5e-324, 0.0, 1e-323, 2e-323, np.nan, 3e-323]),
    ],
    ids=str,
)
def test_columns_that_are_hard_to_cut(column, strategy):
    found = encoded(column[None], 4, strategy)
    edges, kept = naive_edges(column.tolist(), 4, strategy, 4)
    assert found["edges"][0, : found["n_edges"][0]].tolist() == edges
    assert bool(found["kept"][0]) == kept
    levels = [sum(e < v for e in edges) if v == v else len(edges) + 1 for v in column.tolist()]
    assert found["codes"][0, :-2].tolist() == levels


@pytest.mark.parametrize("n_edges", [31, 32, 33, 200])
def test_levels_of_many_edges(n_edges):
    """Whether edges are compared one by one or searched."""
    rng = np.random.default_rng(n_edges)
    values, edges = rng.standard_normal((2, 77)), np.sort(rng.standard_normal((2, n_edges)), axis=1)
    values[0, :20] = edges[0, :20]
    codes = np.empty((2, 77), np.uint8)
    _core.assign_levels(values, edges, np.full(2, n_edges), np.full(2, -1), codes)
    assert codes.tolist() == [np.searchsorted(e, v).tolist() for e, v in zip(edges, values, strict=True)]


@given(seed=seeds, n_rows=st.integers(1, 200), n_bins=st.integers(2, 8), strategy=st.sampled_from([0, 1]))
def test_sparse_columns_have_the_edges_of_dense_ones(seed, n_rows, n_bins, strategy):
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((4, n_rows)) < 0.4, np.round(rng.standard_normal((4, n_rows)), 1) + 0.0, 0.0)
    dense[rng.random(dense.shape) < 0.05] = np.nan
    stored = (dense != 0) | (rng.random(dense.shape) < 0.1)  # some zeros are stored
    column, _ = np.nonzero(stored)
    starts, data = np.searchsorted(column, np.arange(5)), dense[stored]
    encoder = _core.Encoder(n_bins, n_bins, strategy, n_bins)
    edges, n_edges, n_missing, kept, _, last = encoder.find_sparse_edges(data, starts, n_rows)
    for j in range(4):
        expected = naive_edges(dense[j].tolist(), n_bins, strategy, n_bins)
        assert (edges[j, : n_edges[j]].tolist(), bool(kept[j])) == expected
        assert n_missing[j] == np.isnan(dense[j]).sum()
        assert last[j] == (0 if np.isnan(dense[j]).all() else np.nanmax(dense[j]))
    codes = np.empty(len(data), np.uint8)
    _core.assign_sparse_levels(data, starts, edges, n_edges, np.full(4, 9), codes)
    for j in range(4):
        inner = edges[j, : n_edges[j]].tolist()
        own = slice(starts[j], starts[j + 1])
        assert codes[own].tolist() == [sum(e < v for e in inner) if v == v else 9 for v in data[own].tolist()]


def naive_mdlp(values, labels):
    """Cuts by recursion, straight from Fayyad and Irani."""
    best, best_entropy, n = None, math.inf, len(values)
    for at in range(1, n):
        if values[at - 1] != values[at]:
            mean = (at * naive.entropy(labels[:at]) + (n - at) * naive.entropy(labels[at:])) / n
            if mean < best_entropy - 1e-12:
                best, best_entropy = at, mean
    if best is None:
        return []
    parts = [labels, labels[:best], labels[best:]]
    k, entropies = [len(set(part)) for part in parts], [naive.entropy(part) for part in parts]
    cost = math.log2(3 ** k[0] - 2) - (k[0] * entropies[0] - k[1] * entropies[1] - k[2] * entropies[2])
    if not entropies[0] - best_entropy > (math.log2(n - 1) + cost) / n:
        return []
    return [
        *naive_mdlp(values[:best], labels[:best]),
        values[best - 1],
        *naive_mdlp(values[best:], labels[best:]),
    ]


@pytest.mark.parametrize("n_classes", [3, 70])
def test_mdlp_edges_of_equal_values(n_classes):
    """No cut separates equal values, of which there are many; room for few cuts is enough for those found first."""
    rng = np.random.default_rng(n_classes)
    labels = np.sort(rng.integers(0, n_classes, 300)).astype(np.int32)
    values = np.sort(labels // 2 + rng.integers(0, 2, 300)).astype(float)
    columns = values[None], labels[None], np.array([300]), n_classes
    edges, n_edges, kept = _core.Encoder(2, 1, QUANTILE, 100).find_class_edges(*columns)
    assert not kept[0]
    if n_classes < 64:  # beyond, the cost of a cut is rounded otherwise
        assert edges[0, : n_edges[0]].tolist() == naive_mdlp(values.tolist(), labels.tolist())
    found = set(edges[0, : n_edges[0]].tolist())
    assert found < set(values.tolist())
    edges, n_edges, _ = _core.Encoder(2, 1, QUANTILE, 1).find_class_edges(*columns)
    assert n_edges[0] == 1
    assert edges[0, 0] in found


@pytest.mark.parametrize("seed", range(8))
def test_mdlp_edges(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, 150)
    values = rng.standard_normal((2, 150)) + 2 * labels
    order = np.argsort(values, axis=1)
    ordered, of_class = np.take_along_axis(values, order, axis=1), labels[order].astype(np.int32)
    encoder = _core.Encoder(5, 5, QUANTILE, 20)
    edges, n_edges, kept = encoder.find_class_edges(ordered, of_class, np.full(2, 150), 3)
    for j in range(2):
        assert edges[j, : n_edges[j]].tolist() == naive_mdlp(ordered[j].tolist(), of_class[j].tolist())
    assert not kept.any()
    few = np.sort(rng.integers(0, 4, (2, 150)), axis=1)
    edges, n_edges, kept = encoder.find_class_edges(few, of_class, np.full(2, 150), 3)
    assert kept.all()
    assert edges[0, :3].tolist() == [0, 1, 2]

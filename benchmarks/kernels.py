"""Time every compiled loop of the installed package, and compare two installations.

    python -m benchmarks.kernels --save new.json
    python -m benchmarks.kernels --compare old.json new.json

Processor time of the calling thread, the best of several repeats, which hardly depends on other load. Each
case also stores a digest of the results, so that a comparison shows whether they are the same.
"""

import argparse
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np

from benchmarks.timing import time_call
from entropick import _core
from entropick._kernels import binning, columns, moments, neighbors, pairs, pareto, partition, subsets

Case = tuple[Callable[[], Any], list[np.ndarray]]  # what to call, and the arrays that are filled
MEASURED_SECONDS, REPEATS = 0.01, 40  # length and number of measurements
WORD = 64


def phi(n_rows: int) -> np.ndarray:
    counts = np.arange(n_rows + 1)
    return np.round(counts * np.log2(np.maximum(counts, 1)) * 2**20).astype(np.int64)


def padded_codes(rng: np.random.Generator, n_columns: int, n_rows: int, n_levels: int) -> np.ndarray:
    dtype = np.min_scalar_type(n_levels - 1)
    codes = np.zeros((n_columns, -(-n_rows // WORD) * WORD), dtype)
    codes[:, :n_rows] = rng.integers(0, n_levels, (n_columns, n_rows))
    return codes


def planes_of(codes: np.ndarray, n_levels: int) -> np.ndarray:
    planes = np.empty((len(codes) * (n_levels - 1), codes.shape[1] // WORD), np.uint64)
    columns = np.arange(len(codes))
    _core.pack(codes, columns, np.full(len(codes), n_levels), columns * (n_levels - 1), planes)
    return planes.reshape(-1)


NOTHING = np.empty(0, np.int64)  # do not compute what is expected by chance


class Table:
    """Random columns, one of them selected, as the loops of `pairs` see them."""

    def __init__(
        self, n_columns: int, n_rows: int, n_levels: int, n_classes: int, n_selected: int = 1
    ) -> None:
        rng = np.random.default_rng(0)
        codes = padded_codes(rng, n_columns, n_rows, n_levels)
        n_words = codes.shape[1] // WORD
        self.labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
        self.levels = np.full(n_columns, n_levels)
        padded_labels = np.zeros((1, codes.shape[1]), np.uint8)
        padded_labels[0, :n_rows] = self.labels
        self.class_planes = planes_of(padded_labels, n_classes)
        self.class_sizes = np.bincount(self.labels, minlength=n_classes)
        has_planes = n_levels <= 5
        planes = planes_of(codes, n_levels) if has_planes else np.empty(0, np.uint64)
        first = np.arange(n_columns) * (n_levels - 1) if has_planes else np.full(n_columns, -1)
        counts = np.empty((n_columns * (n_levels - 1) if has_planes else 0, n_classes), np.uint32)
        self.columns = pairs.Columns(codes, self.levels, planes, first, counts)
        self.rows = pairs.Rows(n_rows, n_words, n_classes)
        self.everything = np.arange(n_columns)
        if has_planes:
            pairs.class_counts(self.columns, self.everything, self.class_planes, n_words)
        n_joint = n_levels * n_classes
        joint = np.empty((n_selected, n_rows), np.min_scalar_type(n_joint - 1))
        index = np.empty((n_selected, 3), np.int64)
        s_counts = np.empty(n_selected * n_joint, np.uint64)
        s_planes = []
        for i in range(n_selected):
            where = slice(i * n_joint, (i + 1) * n_joint)
            pairs.join_classes(codes[i], self.labels, n_classes, joint[i], s_counts[where])
            index[i] = n_levels, i * (n_joint - n_classes) if n_joint <= 256 else -1, where.start
            if n_joint <= 256:
                row = np.zeros((1, codes.shape[1]), np.uint8)
                row[0, :n_rows] = joint[i]
                s_planes.append(planes_of(row, n_joint)[(n_classes - 1) * n_words :])
        all_planes = np.concatenate([np.empty(0, np.uint64), *s_planes])
        self.selected = pairs.Selected(joint, index, all_planes, s_counts, NOTHING, NOTHING)
        self.phi = phi(n_rows)
        self.sums = np.zeros((3, n_columns), np.int64)


def pair_sums(*shape: int) -> Case:
    t = Table(*shape)
    return lambda: _core.pair_sums(
        *t.columns, t.everything, t.everything, *t.selected, 0, *t.rows, t.phi, t.sums
    ), [t.sums]


def lazy_minimum(*shape: int) -> Case:
    t = Table(*shape, n_selected=10)
    n = len(t.everything)
    bounds, n_seen, counted = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    finalists, offsets = np.zeros(n, np.int64), np.arange(10) * 1000
    best = np.empty(2, np.int64)

    def call() -> int:
        bounds[:], n_seen[:], counted[:], best[:] = 2**60, 0, 0, -(2**61)
        search = pairs.LazySearch(bounds, n_seen, counted, t.everything, best, 1000)
        return pairs.lazy_minimum(
            t.columns, t.everything, t.selected, 10, t.rows, t.phi, offsets, search, finalists
        )

    return call, [bounds, n_seen, counted, best, finalists]


def column_sums(*shape: int) -> Case:
    t = Table(*shape)
    return lambda: pairs.column_sums(
        t.columns.codes, t.levels, t.everything, t.everything, t.class_planes, t.class_sizes, t.phi, NOTHING,
        t.sums,
    ), [t.sums]  # fmt: skip


def class_counts(*shape: int) -> Case:
    t = Table(*shape)
    return lambda: pairs.class_counts(t.columns, t.everything, t.class_planes, t.rows.n_words), [
        t.columns.plane_counts
    ]


def pack(*shape: int) -> Case:
    t = Table(*shape)
    planes = t.columns.planes.reshape(-1, t.rows.n_words).copy()
    return lambda: _core.pack(t.columns.codes, t.everything, t.levels, t.columns.first_plane, planes), [
        planes
    ]


def join_classes(*shape: int) -> Case:
    t = Table(*shape)
    joint, counts = t.selected.joint[0], np.empty(shape[2] * shape[3], np.uint64)
    return lambda: pairs.join_classes(t.columns.codes[0], t.labels, shape[3], joint, counts), [joint, counts]


def leaders() -> Case:
    bounds, chosen = np.random.default_rng(0).integers(0, 10**9, 100_000), np.empty(8, np.int64)
    return lambda: pairs.leaders(np.arange(100_000), bounds, chosen), [chosen]


class Listed:
    """Columns stored as lists of their unusual rows."""

    def __init__(self, n_columns: int, n_rows: int, n_levels: int, share: float) -> None:
        rng = np.random.default_rng(0)
        stored = rng.random((n_columns, n_rows)) < share
        _, rows = np.nonzero(stored)
        starts = np.concatenate([[0], np.cumsum(stored.sum(axis=1))])
        codes = rng.integers(1, n_levels, len(rows)).astype(np.uint8)
        usual, levels = np.zeros(n_columns, np.int64), np.full(n_columns, n_levels)
        self.columns = pairs.SparseColumns(starts, rows.astype(np.int32), codes, usual, levels)
        self.everything = np.arange(n_columns)


def sparse_pair_sums(n_columns: int, n_rows: int, n_levels: int, n_classes: int) -> Case:
    listed, t = Listed(n_columns, n_rows, n_levels, 0.02), Table(1, n_rows, n_levels, n_classes)
    by_class = t.selected.counts.astype(np.int64)
    of_level = by_class.reshape(n_levels, n_classes).sum(axis=1)
    sums = np.zeros((3, n_columns), np.int64)
    return lambda: pairs.sparse_pair_sums(
        listed.columns, listed.everything, listed.everything, t.selected.joint[0], n_levels, n_classes,
        of_level, by_class, t.phi, NOTHING, NOTHING, sums,
    ), [sums]  # fmt: skip


def groups_of(n_rows: int, n_groups: int, n_classes: int) -> partition.Groups:
    rng = np.random.default_rng(1)
    group = np.sort(rng.integers(0, n_groups, n_rows))
    starts = np.searchsorted(group, np.arange(n_groups + 1))
    rows = rng.permutation(n_rows).astype(np.int32)
    labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
    return partition.Groups(rows, starts, labels, n_classes)


def split(kind: int | None, n_columns: int, n_rows: int, n_levels: int, n_groups: int) -> Case:
    codes = padded_codes(np.random.default_rng(0), n_columns, n_rows, n_levels)
    levels, everything, groups = (
        np.full(n_columns, n_levels),
        np.arange(n_columns),
        groups_of(n_rows, n_groups, 3),
    )
    if kind is None:
        norms = np.empty(n_columns)
        return lambda: partition.split_norms(codes, levels, everything, groups, 2.5, 7, norms), [norms]
    table, sums = phi(n_rows), np.empty(n_columns, np.int64)
    return lambda: partition.split_sums(codes, levels, everything, groups, kind, table, sums), [sums]


def refine(n_rows: int, n_levels: int, n_groups: int) -> Case:
    codes = padded_codes(np.random.default_rng(0), 1, n_rows, n_levels)[0, :n_rows]
    groups, found = groups_of(n_rows, n_groups, 3), [np.empty(0)] * 4

    def call() -> None:
        found[:] = [np.asarray(part) for part in partition.refine(codes, n_levels, groups)]

    return call, found


def sparse_split_sums(kind: int, n_columns: int, n_rows: int, n_groups: int) -> Case:
    listed, n_classes = Listed(n_columns, n_rows, 3, 0.05), 3
    rows, starts, labels, _ = groups_of(n_rows, n_groups, n_classes)
    group = np.empty(n_rows, np.int32)
    group[rows] = np.repeat(np.arange(n_groups, dtype=np.int32), np.diff(starts))
    label = np.empty(n_rows, np.int32)
    label[rows] = labels
    cell = group * np.int32(n_classes) + label
    counts = np.bincount(cell, minlength=n_groups * n_classes)
    table, by_group = phi(n_rows), counts.reshape(n_groups, n_classes)
    of_group = (
        table[by_group.sum(axis=1)] - table[by_group].sum(axis=1) if kind == 0 else by_group.max(axis=1)
    )
    by_row = partition.RowGroups(group, label, cell, counts, n_classes)
    sums = np.empty(n_columns, np.int64)
    return lambda: partition.sparse_split_sums(
        listed.columns, listed.everything, by_row, kind, table, of_group, sums
    ), [sums]


def usual_levels(n_columns: int, n_rows: int) -> Case:
    codes = padded_codes(np.random.default_rng(0), n_columns, n_rows, 4)
    codes[codes < 3] = 0
    levels, usual, n_unusual = (
        np.full(n_columns, 4),
        np.zeros(n_columns, np.int64),
        np.zeros(n_columns, np.int64),
    )
    return lambda: partition.usual_levels(codes, n_rows, np.arange(n_columns), levels, usual, n_unusual), [
        usual, n_unusual,
    ]  # fmt: skip


def list_unusual(n_columns: int, n_rows: int) -> Case:
    codes = (padded_codes(np.random.default_rng(0), n_columns, n_rows, 10) == 3).astype(np.uint8)
    lengths = codes[:, :n_rows].sum(axis=1, dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    rows, levels = np.empty(lengths.sum(), np.int32), np.empty(lengths.sum(), np.uint8)
    usual = np.zeros(n_columns, np.int64)
    return lambda: partition.list_unusual(codes, n_rows, np.arange(n_columns), usual, starts, rows, levels), [
        rows, levels,
    ]  # fmt: skip


def expand_keys(n_columns: int, width: int) -> Case:
    rng = np.random.default_rng(0)
    codes = padded_codes(rng, n_columns, width, 5)
    keys = rng.integers(0, 2**64, 5 * n_columns, dtype=np.uint64)
    out, columns = np.empty((n_columns, width), np.uint64), np.arange(n_columns)
    return lambda: subsets.expand_keys(codes, columns, columns * 5, keys, 0, width, out, 0), [out]


def add_keys(n_subsets: int, n_columns: int, width: int) -> Case:
    rng = np.random.default_rng(0)
    expanded = rng.integers(0, 2**64, (n_columns, width), dtype=np.uint64)
    members, sums = rng.random((n_subsets, n_columns)) < 0.5, np.zeros((n_subsets, width), np.uint64)
    return lambda: subsets.add_keys(expanded, members, 0, width, sums), [sums]


def add_listed(n_subsets: int, n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    columns = Listed(n_columns, n_rows, 3, 0.05).columns
    differences = rng.integers(0, 2**64, len(columns.rows), dtype=np.uint64)
    members, sums = rng.random((n_subsets, n_columns)) < 0.5, np.zeros((n_subsets, n_rows), np.uint64)

    def call() -> None:
        sums[:] = 0
        subsets.add_listed(columns.starts, columns.rows, differences, members, sums)

    return call, [sums]


def group_sums(kind: int, n_subsets: int, n_rows: int, n_groups: int) -> Case:
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 2**64, n_groups, dtype=np.uint64)
    row_keys = keys[rng.integers(0, n_groups, (n_subsets, n_rows))]
    labels, sums = rng.integers(0, 3, n_rows).astype(np.int32), np.empty((n_subsets, 4), np.int64)
    of_group = np.array([2**40]) if kind == subsets.NORM else phi(n_rows)
    return lambda: subsets.group_sums(row_keys, labels, 3, kind, of_group, phi(n_rows), 2.5, sums), [sums]


def encode(n_columns: int, n_rows: int, kind: str, strategy: int = binning.QUANTILE) -> Case:
    rng = np.random.default_rng(0)
    values = {
        "normal": lambda: rng.standard_normal((n_columns, n_rows)),
        "few": lambda: rng.integers(0, 8, (n_columns, n_rows)).astype(float),
        "integers": lambda: rng.integers(0, 1000, (n_columns, n_rows)),
        "bytes": lambda: rng.integers(0, 200, (n_columns, n_rows)).astype(np.uint8),
    }[kind]()
    edges, n_edges = np.zeros((n_columns, 10), values.dtype), np.zeros(n_columns, np.int64)
    kept, n_missing = np.zeros(n_columns, np.bool_), np.zeros(n_columns, np.int64)
    low, high = np.zeros((2, n_columns), values.dtype)
    filled = [edges, n_edges, kept, n_missing, low, high, np.empty((n_columns, n_rows), np.uint8)]
    return lambda: binning.encode_columns(values, 10, strategy, *filled, 10), filled


def read(n_columns: int, n_rows: int, dtype: str) -> Case:
    table = np.random.default_rng(0).integers(0, 100, (n_rows, 4 * n_columns)).astype(dtype)
    read = np.empty((n_columns, n_rows), dtype)
    return lambda: columns.read_columns(table, n_columns, read), [read]


def mdlp_edges(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, n_rows).astype(np.int32)
    values = rng.standard_normal((n_columns, n_rows)) + labels
    order = np.argsort(values, axis=1)
    ordered, of_class = np.take_along_axis(values, order, axis=1), labels[order]
    edges, n_edges = np.zeros((n_columns, 254)), np.zeros(n_columns, np.int64)
    kept, n_valid = np.zeros(n_columns, np.bool_), np.full(n_columns, n_rows)
    return lambda: binning.find_mdlp_edges(ordered, of_class, n_valid, 10, 3, edges, n_edges, kept), [
        edges, n_edges, kept,
    ]  # fmt: skip


def sparse_edges(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, n_rows // 10, n_columns)
    starts, data = np.concatenate([[0], np.cumsum(lengths)]), rng.standard_normal(lengths.sum())
    edges, n_edges, kept = (
        np.zeros((n_columns, 10)),
        np.zeros(n_columns, np.int64),
        np.zeros(n_columns, np.bool_),
    )
    last, n_missing = np.zeros(n_columns), np.zeros(n_columns, np.int64)
    return lambda: binning.find_sparse_edges(
        data, starts, n_rows, 10, binning.QUANTILE, edges, n_edges, kept, last, n_missing, 10
    ), [edges, n_edges, kept, last, n_missing]


def assign(n_columns: int, n_rows: int, n_edges: int, dtype: str) -> Case:
    rng = np.random.default_rng(0)
    values = (rng.standard_normal((n_columns, n_rows)) * 100).astype(np.int64).astype(dtype)
    edges = np.sort((rng.standard_normal((n_columns, n_edges)) * 100).astype(np.int64).astype(dtype), axis=1)
    codes = np.empty((n_columns, n_rows), np.uint8)
    level = np.full(n_columns, -1)
    return lambda: binning.assign_levels(values, edges, np.full(n_columns, n_edges), level, codes), [codes]


def assign_sparse(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    starts, data = np.arange(n_columns + 1) * n_rows, rng.standard_normal(n_columns * n_rows)
    edges, codes = np.sort(rng.standard_normal((n_columns, 9)), axis=1), np.empty(len(data), np.uint8)
    n_edges, level = np.full(n_columns, 9), np.full(n_columns, -1)
    return lambda: binning.assign_sparse_levels(data, starts, edges, n_edges, level, codes), [codes]


class Space:
    def __init__(self, n_columns: int, n_rows: int, all_numeric: bool) -> None:
        rng = np.random.default_rng(0)
        self.values = rng.random((n_columns, n_rows), np.float32)
        self.kinds = np.zeros(n_columns, np.int64)
        if not all_numeric:
            self.kinds[1::3], self.kinds[2::3] = 1, 2
            self.values[1::3][rng.random(self.values[1::3].shape) < 0.1] = np.nan
            self.values[2::3] = np.floor(self.values[2::3] * 4)
        self.expected = np.full(n_columns, 1 / 3, np.float32)
        self.points = np.ascontiguousarray(self.values.T)
        self.labels = rng.integers(0, 3, n_rows).astype(np.int32)
        self.near = rng.integers(0, n_rows, (n_rows, 60)).astype(np.int32)
        self.rng = rng

    @property
    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.values, self.kinds, self.expected


def distances_from(n_columns: int, n_rows: int, all_numeric: bool, squared: bool) -> Case:
    space, rows = Space(n_columns, n_rows, all_numeric), np.arange(64)
    distances = np.empty((64, n_rows), np.float32)
    return lambda: neighbors.distances_from(*space.parts, rows, squared, distances), [distances]


def candidate_distances(n_columns: int, n_rows: int) -> Case:
    space, columns = Space(n_columns, n_rows, False), np.arange(n_columns)
    distances = np.empty((n_rows, 60), np.float32)

    def call() -> None:
        distances[:] = 0
        neighbors.candidate_distances(*space.parts, columns, 0, space.near, False, distances)

    return call, [distances]


def phi_of_counts(k: int) -> np.ndarray:
    counts = np.arange(1, k + 2)
    return np.concatenate([[0.0], counts * np.log2(counts)])


def neighborhood(n_columns: int, n_rows: int, every_row: bool, exact: bool) -> Case:
    space, k = Space(n_columns, n_rows, True), 10
    units, chosen = (np.arange(n_columns + 1), np.arange(n_columns)), np.arange(n_columns)
    sums, classes, table = np.empty((n_columns, 2)), (space.labels, 3), phi_of_counts(k)
    if exact:
        return lambda: neighbors.exact_neighborhood_entropies(
            space.parts, units, chosen, np.arange(2), classes, k, table, every_row, sums
        ), [sums]
    known = space.rng.random((n_rows, 60), np.float32)
    return lambda: neighbors.neighborhood_entropies(
        space.parts, units, chosen, space.near, known, classes, k, table, every_row, sums
    ), [sums]


def windows(n_columns: int, n_rows: int, m: int, all_numeric: bool) -> Case:
    space = Space(n_columns, n_rows, all_numeric)
    ordered = np.array([space.rng.permutation(n_rows) for _ in range(6)], np.int32)
    place = np.argsort(ordered, axis=1)
    low, high = np.maximum(place - 40, 0), np.minimum(place + 40, n_rows)
    found, filler = np.empty((n_rows, m), np.int32), space.rng.permutation(n_rows)
    return lambda: neighbors.nearest_in_windows(
        space.points, space.kinds, space.expected, (ordered, low, high), 0, False, filler, found
    ), [found]


def relief(n_columns: int, n_rows: int, all_numeric: bool, real: bool) -> Case:
    space, rows = Space(n_columns, n_rows, all_numeric), np.arange(64)
    distances = np.empty((64, n_rows), np.float32)
    neighbors.distances_from(*space.parts, rows, False, distances)
    sums = np.empty((3, n_columns))
    fixed = (space.points, space.kinds, space.expected, distances, rows)

    def call() -> None:
        sums[:] = 0
        if real:
            target = np.linspace(0, 1, n_rows)
            neighbors.rrelief_sums(*fixed, target, 10, sums[0, :1], sums[1], sums[2])
        else:
            neighbors.relief_weights(
                *fixed, space.labels, np.bincount(space.labels) / n_rows, 10, False, False, sums[0]
            )

    return call, [sums]


def weighted_differences(n_columns: int, n_rows: int, all_numeric: bool) -> Case:
    space, rows, sums = Space(n_columns, n_rows, all_numeric), np.arange(64), np.empty(n_columns)
    weights = np.random.default_rng(0).random((64, n_rows)) * (np.arange(n_rows) % 3 == 0)

    def call() -> None:
        sums[:] = 0
        neighbors.weighted_differences(space.points, space.kinds, space.expected, rows, weights, sums)

    return call, [sums]


def products(n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    points = rng.random((n_rows, 20), np.float32)
    dots, lengths = points[:256] @ points.T, np.sqrt((points**2).sum(axis=1))
    exact, order = points.astype(np.float64), np.arange(n_rows)
    found, squared = np.empty((256, 5), np.int64), np.empty((256, 5))
    return lambda: neighbors.nearest_dense_rows(exact, dots, lengths, 3e-6, 0, order, found, squared), [found]


def all_moments(n_columns: int, n_rows: int, density: float) -> Case:
    import scipy.sparse

    rng = np.random.default_rng(0)
    matrix = scipy.sparse.random(n_rows, n_columns, density, "csc", rng=rng)
    codes = rng.integers(0, 3, n_rows).astype(np.int32)
    counts, whole = np.bincount(codes), np.empty((n_columns, 3))
    means, variances = np.empty((2, n_columns, 3))
    out = (codes, counts, whole, means, variances)
    if density == 1:
        columns = np.ascontiguousarray(matrix.toarray().T)
        return lambda: moments.dense_moments(columns, *out), [whole, means, variances]
    return lambda: moments.sparse_moments(matrix.indptr, matrix.indices, matrix.data, *out), [
        whole, means, variances,
    ]  # fmt: skip


def tokens(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    columns, codes = rng.standard_normal((n_columns, n_rows)), rng.integers(0, 3, n_rows).astype(np.int32)
    means, counts = rng.standard_normal((n_columns, 3)), np.empty((n_columns, 6), np.int64)

    def call() -> None:
        counts[:] = 0
        moments.count_tokens(columns, codes, means, counts)

    return call, [counts]


def fronts(n: int) -> Case:
    values = np.random.default_rng(0).integers(0, 50, (n, 2)).astype(float)
    order = np.lexsort((values[:, 1], values[:, 0]))
    ranks, spread = np.empty(n, np.int64), np.empty(n)

    def call() -> None:
        pareto.front_ranks(values, order, ranks)
        pareto.crowding(values, order, ranks, spread)

    return call, [ranks, spread]


CASES: dict[str, Callable[[], Case]] = {
    "read_columns, float64": lambda: read(100, 1_000, "float64"),
    "read_columns, uint8": lambda: read(100, 1_000, "uint8"),
    "encode_columns, 10,000 rows": lambda: encode(10, 10_000, "normal"),
    "encode_columns, 1,000 rows": lambda: encode(100, 1_000, "normal"),
    "encode_columns, 100 rows": lambda: encode(1_000, 100, "normal"),
    "encode_columns, 8 values": lambda: encode(10, 10_000, "few"),
    "encode_columns, integers": lambda: encode(10, 10_000, "integers"),
    "encode_columns, bytes": lambda: encode(10, 10_000, "bytes"),
    "encode_columns, uniform": lambda: encode(10, 10_000, "normal", binning.UNIFORM),
    "find_sparse_edges": lambda: sparse_edges(200, 10_000),
    "find_mdlp_edges": lambda: mdlp_edges(4, 2_000),
    "assign_levels, 9 edges, float64": lambda: assign(10, 10_000, 9, "float64"),
    "assign_levels, 9 edges, int64": lambda: assign(10, 10_000, 9, "int64"),
    "assign_levels, 9 edges, uint8": lambda: assign(10, 10_000, 9, "uint8"),
    "assign_levels, 100 edges": lambda: assign(4, 10_000, 100, "float64"),
    "assign_sparse_levels": lambda: assign_sparse(100, 500),
    "pack, 10,000 rows": lambda: pack(100, 10_000, 5, 3),
    "class_counts, 10,000 rows": lambda: class_counts(100, 10_000, 5, 3),
    "column_sums, 10,000 rows": lambda: column_sums(100, 10_000, 5, 3),
    "column_sums, 100 rows": lambda: column_sums(5_000, 100, 3, 2),
    "join_classes": lambda: join_classes(1, 10_000, 5, 3),
    "leaders": leaders,
    "pair_sums, planes, 100 rows, 3 levels": lambda: pair_sums(5_000, 100, 3, 2),
    "pair_sums, planes, 200 rows, 3 levels": lambda: pair_sums(5_000, 200, 3, 2),
    "pair_sums, planes, 1,000 rows, 5 levels": lambda: pair_sums(1_000, 1_000, 5, 3),
    "pair_sums, planes, 10,000 rows, 5 levels": lambda: pair_sums(200, 10_000, 5, 3),
    "pair_sums, planes, 10,000 rows, no classes": lambda: pair_sums(200, 10_000, 5, 1),
    "pair_sums, planes, 100,000 rows, 2 levels": lambda: pair_sums(100, 100_000, 2, 2),
    "pair_sums, planes, 1,000,000 rows, 2 levels": lambda: pair_sums(20, 1_000_000, 2, 2),
    "pair_sums, table, 10 levels": lambda: pair_sums(100, 10_000, 10, 3),
    "pair_sums, table, 10 levels, no classes": lambda: pair_sums(100, 10_000, 10, 1),
    "pair_sums, table, 10 levels, 1,000,000 rows": lambda: pair_sums(4, 1_000_000, 10, 2),
    "pair_sums, table, 250 levels, 1,000,000 rows": lambda: pair_sums(4, 1_000_000, 250, 2),
    "pair_sums, while counting": lambda: pair_sums(50, 10_000, 100, 3),
    "pair_sums, while counting, no classes": lambda: pair_sums(50, 10_000, 250, 1),
    "pair_sums, while counting, 100 rows": lambda: pair_sums(1_000, 100, 10, 3),
    "pair_sums, hash": lambda: pair_sums(4, 10_000, 2_000, 10),
    "pair_sums, hash, no classes": lambda: pair_sums(4, 100_000, 2_000, 1),
    "lazy_minimum, planes": lambda: lazy_minimum(500, 10_000, 5, 3),
    "lazy_minimum, tables": lambda: lazy_minimum(100, 10_000, 100, 10),
    "sparse_pair_sums": lambda: sparse_pair_sums(200, 10_000, 3, 2),
    "sparse_pair_sums, no classes": lambda: sparse_pair_sums(200, 10_000, 3, 1),
    "split_sums, Shannon, one group": lambda: split(0, 200, 10_000, 5, 1),
    "split_sums, Shannon, 100 groups": lambda: split(0, 200, 10_000, 5, 100),
    "split_sums, Shannon, 3,000 groups": lambda: split(0, 200, 10_000, 5, 3_000),
    "split_sums, minimum, 100 groups": lambda: split(1, 200, 10_000, 5, 100),
    "split_sums, minimum, 3,000 groups": lambda: split(1, 200, 10_000, 5, 3_000),
    "split_sums, 300 levels": lambda: split(0, 100, 10_000, 300, 10),
    "split_norms, 100 groups": lambda: split(None, 50, 10_000, 5, 100),
    "split_norms, 3,000 groups": lambda: split(None, 20, 10_000, 5, 3_000),
    "sparse_split_sums, Shannon, 4 groups": lambda: sparse_split_sums(0, 500, 2_000, 4),
    "sparse_split_sums, Shannon, 200 groups": lambda: sparse_split_sums(0, 500, 2_000, 200),
    "sparse_split_sums, minimum, 200 groups": lambda: sparse_split_sums(1, 500, 2_000, 200),
    "refine": lambda: refine(100_000, 5, 1_000),
    "refine, 300 levels": lambda: refine(100_000, 300, 10),
    "usual_levels": lambda: usual_levels(100, 10_000),
    "list_unusual": lambda: list_unusual(100, 10_000),
    "expand_keys": lambda: expand_keys(36, 1_800),
    "add_keys": lambda: add_keys(64, 36, 1_800),
    "add_listed": lambda: add_listed(64, 100, 3_000),
    "group_sums, entropy, 3,000 rows": lambda: group_sums(subsets.ENTROPY, 50, 3_000, 500),
    "group_sums, entropy, 100,000 rows": lambda: group_sums(subsets.ENTROPY, 4, 100_000, 20_000),
    "group_sums, peak": lambda: group_sums(subsets.PEAK, 50, 3_000, 500),
    "group_sums, majority": lambda: group_sums(subsets.MAJORITY, 50, 3_000, 500),
    "group_sums, norm": lambda: group_sums(subsets.NORM, 50, 3_000, 500),
    "distances_from, numeric": lambda: distances_from(50, 5_000, True, False),
    "distances_from, numeric, squared": lambda: distances_from(50, 5_000, True, True),
    "distances_from, mixed": lambda: distances_from(50, 5_000, False, False),
    "candidate_distances": lambda: candidate_distances(10, 2_000),
    "neighborhood_entropies, every row": lambda: neighborhood(20, 2_000, True, False),
    "neighborhood_entropies": lambda: neighborhood(20, 2_000, False, False),
    "exact_neighborhood_entropies": lambda: neighborhood(8, 1_000, False, True),
    "nearest_in_windows, 10 of them": lambda: windows(20, 1_000, 10, True),
    "nearest_in_windows, 50 of them": lambda: windows(20, 1_000, 50, True),
    "nearest_in_windows, mixed": lambda: windows(20, 1_000, 10, False),
    "weighted_differences": lambda: weighted_differences(100, 1_000, True),
    "relief_weights, numeric": lambda: relief(500, 2_000, True, False),
    "relief_weights, mixed": lambda: relief(50, 2_000, False, False),
    "rrelief_sums": lambda: relief(500, 2_000, True, True),
    "nearest_dense_rows": lambda: products(5_000),
    "dense_moments": lambda: all_moments(50, 10_000, 1),
    "sparse_moments": lambda: all_moments(200, 10_000, 0.05),
    "count_tokens": lambda: tokens(20, 10_000),
    "front_ranks and crowding": lambda: fronts(400),
}


def digest(arrays: list[np.ndarray]) -> str:
    whole = hashlib.sha256()
    for array in arrays:
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()[:16]


def measure(make: Callable[[], Case]) -> dict[str, Any]:
    call, filled = make()
    call()
    several = time_call(lambda: repeat(call, 5), 1, thread_time)[0].best
    n_calls = max(1, round(MEASURED_SECONDS / max(several / 5, 1e-7)))
    best = time_call(lambda: repeat(call, n_calls), REPEATS, thread_time)[0].best
    return {"microseconds": best / n_calls * 1e6, "digest": digest(filled)}


def repeat(call: Callable[[], Any], n_calls: int) -> None:
    for _ in range(n_calls):
        call()


def compare(old: dict[str, Any], new: dict[str, Any]) -> None:
    print("| loop | old, µs | new, µs | times faster | same result |\n|---|--:|--:|--:|---|")
    for name in old:
        if name in new:
            a, b = old[name], new[name]
            ratio = a["microseconds"] / b["microseconds"]
            same = "yes" if a["digest"] == b["digest"] else "**no**"
            print(f"| {name} | {a['microseconds']:.1f} | {b['microseconds']:.1f} | {ratio:.2f} | {same} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--save", type=Path, help="write the figures into this file")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--compare", nargs=2, type=Path, help="print a table of two such files")
    arguments = parser.parse_args()
    if arguments.compare:
        compare(*(json.loads(path.read_text()) for path in arguments.compare))
        return
    figures = {}
    for name, make in CASES.items():
        if arguments.only in name:
            figures[name] = measure(make)
            print(f"{figures[name]['microseconds']:12.1f} µs  {name}", flush=True)
    if arguments.save:
        arguments.save.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()

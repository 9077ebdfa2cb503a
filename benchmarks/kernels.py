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

Case = tuple[Callable[[], Any], list[np.ndarray]]  # what to call, and the arrays that are filled
MEASURED_SECONDS, REPEATS = 0.01, 40  # length and number of measurements
WORD = 64
QUANTILE, UNIFORM = 0, 1


def phi(n_rows: int) -> np.ndarray:
    counts = np.arange(n_rows + 1)
    return np.round(counts * np.log2(np.maximum(counts, 1)) * 2**20).astype(np.int64)


def padded_codes(rng: np.random.Generator, n_columns: int, n_rows: int, n_levels: int) -> np.ndarray:
    dtype = np.min_scalar_type(n_levels - 1)
    codes = np.zeros((n_columns, -(-n_rows // WORD) * WORD), dtype)
    codes[:, :n_rows] = rng.integers(0, n_levels, (n_columns, n_rows))
    return codes


def table_of(codes: np.ndarray, n_rows: int, n_levels: int) -> _core.CodeTable:
    return _core.CodeTable(n_rows, np.full(len(codes), n_levels), [(np.arange(len(codes)), codes)])


class Table:
    """Random columns, some of them selected, as the loops of `pairs` see them."""

    def __init__(
        self, n_columns: int, n_rows: int, n_levels: int, n_classes: int, n_selected: int = 1
    ) -> None:
        rng = np.random.default_rng(0)
        codes = padded_codes(rng, n_columns, n_rows, n_levels)
        self.labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
        self.everything, self.phi = np.arange(n_columns), phi(n_rows)
        self.counter = _core.PairCounter(table_of(codes, n_rows, n_levels), self.labels, n_classes)
        self.codes, self.n_levels, self.n_classes = codes[:, :n_rows], n_levels, n_classes
        self.selected = self.new_selected()
        for i in range(n_selected):
            self.selected.add(self.codes[i], n_levels)
        self.sums = np.zeros((3, n_columns), np.int64)

    def new_selected(self) -> _core.Selected:
        return _core.Selected(self.labels, self.n_classes, self.phi, 0.0)


def pair_sums(*shape: int) -> Case:
    t = Table(*shape)
    return lambda: t.counter.sums(t.everything, t.selected, 0, t.sums), [t.sums]


def race(*shape: int) -> Case:
    t = Table(*shape, n_selected=10)
    n = len(t.everything)
    scores = np.empty(n, np.int64)

    def call() -> None:
        made = _core.Race(t.counter, t.selected, np.full(n, 2**60), 1000)
        for i in range(10):
            made.include(i, 1000 * i)
        made.rivals(t.everything[10:], made.lower(made.leaders(t.everything[10:])))
        made.lower(t.everything)
        scores[:] = made.scores(t.everything)

    return call, [scores]


def column_sums(*shape: int) -> Case:
    t = Table(*shape)
    constant = t.new_selected()
    constant.add(np.zeros(len(t.labels), np.uint8), 1)
    return lambda: t.counter.column_sums(t.everything, constant, t.sums), [t.sums]


def select(*shape: int) -> Case:
    t = Table(*shape)
    return lambda: t.new_selected().add(t.codes[0], t.n_levels), []


def listed(n_columns: int, n_rows: int, n_levels: int, share: float) -> _core.CodeTable:
    """Columns listed by their unusual rows."""
    rng = np.random.default_rng(0)
    stored = rng.random((n_columns, n_rows)) < share
    _, rows = np.nonzero(stored)
    starts = np.concatenate([[0], np.cumsum(stored.sum(axis=1))])
    codes = rng.integers(1, n_levels, len(rows)).astype(np.uint8)
    part = (np.arange(n_columns), starts, rows.astype(np.int32), codes, np.zeros(n_columns, np.int64))
    return _core.CodeTable(n_rows, np.full(n_columns, n_levels), [part])


def sparse_pair_sums(n_columns: int, n_rows: int, n_levels: int, n_classes: int) -> Case:
    t, sums = Table(1, n_rows, n_levels, n_classes), np.zeros((3, n_columns), np.int64)
    counter = _core.PairCounter(listed(n_columns, n_rows, n_levels, 0.02), t.labels, n_classes)
    return lambda: counter.sums(np.arange(n_columns), t.selected, 0, sums), [sums]


def groups_of(n_rows: int, n_groups: int, n_classes: int) -> _core.Groups:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
    return _core.Groups(labels, n_classes).refined(
        rng.integers(0, n_groups, n_rows).astype(np.uint16), n_groups
    )


def split(kind: int | None, n_columns: int, n_rows: int, n_levels: int, n_groups: int) -> Case:
    codes = padded_codes(np.random.default_rng(0), n_columns, n_rows, n_levels)
    columns, everything = table_of(codes, n_rows, n_levels), np.arange(n_columns)
    groups, norms = groups_of(n_rows, n_groups, 3), np.empty(n_columns)
    if kind is None:
        return lambda: groups.split_norms(columns, everything, 2.5, norms), [norms]
    table, sums = phi(n_rows), np.empty(n_columns, np.int64)
    return lambda: groups.split_sums(columns, everything, kind, table, sums), [sums]


def refine(n_rows: int, n_levels: int, n_groups: int) -> Case:
    codes = padded_codes(np.random.default_rng(0), 1, n_rows, n_levels)[0, :n_rows]
    groups, found = groups_of(n_rows, n_groups, 3), [np.empty(0)]

    def call() -> None:
        found[0] = groups.refined(codes, n_levels).sizes()

    return call, found


def sparse_split_sums(kind: int, n_columns: int, n_rows: int, n_groups: int) -> Case:
    columns, groups = listed(n_columns, n_rows, 3, 0.05), groups_of(n_rows, n_groups, 3)
    table, sums, everything = phi(n_rows), np.empty(n_columns, np.int64), np.arange(n_columns)
    return lambda: groups.split_sums(columns, everything, kind, table, sums), [sums]


def usual_levels(n_columns: int, n_rows: int) -> Case:
    codes = padded_codes(np.random.default_rng(0), n_columns, n_rows, 4)
    codes[codes < 3] = 0
    table, (usual, n_unusual) = table_of(codes, n_rows, 4), np.zeros((2, n_columns), np.int64)
    return lambda: table.usual_levels(np.arange(n_columns), usual, n_unusual), [usual, n_unusual]


def list_unusual(n_columns: int, n_rows: int) -> Case:
    codes = (padded_codes(np.random.default_rng(0), n_columns, n_rows, 10) == 3).astype(np.uint8)
    lengths = codes[:, :n_rows].sum(axis=1, dtype=np.int64)
    starts, table = np.cumsum(lengths) - lengths, table_of(codes, n_rows, 2)
    rows, levels = np.empty(lengths.sum(), np.int32), np.empty(lengths.sum(), np.uint8)
    usual = np.zeros(n_columns, np.int64)
    return lambda: table.list_unusual(np.arange(n_columns), usual, starts, rows, levels), [rows, levels]


def subset_sums(kind: str, table: _core.CodeTable, n_subsets: int, shape: tuple[int, int, int]) -> Case:
    n_columns, n_rows, n_levels = shape
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 2**64, n_columns * n_levels, dtype=np.uint64)
    counter = _core.SubsetCounter(table, rng.integers(0, 3, n_rows).astype(np.int32), 3, keys)
    subsets, sums = rng.random((n_subsets, n_columns)) < 0.5, np.empty((n_subsets, 4), np.int64)
    by_size = phi(n_rows)
    return {
        "entropy": lambda: counter.entropy_sums(subsets, by_size, by_size, sums),
        "peak": lambda: counter.peak_sums(subsets, sums),
        "majority": lambda: counter.majority_sums(subsets, by_size, sums),
        "norm": lambda: counter.norm_sums(subsets, 2.5, 2**40, sums),
    }[kind], [sums]


def dense_subsets(kind: str, n_subsets: int, *shape: int) -> Case:
    n_columns, n_rows, n_levels = shape
    codes = padded_codes(np.random.default_rng(0), n_columns, n_rows, n_levels)
    return subset_sums(kind, table_of(codes, n_rows, n_levels), n_subsets, (n_columns, n_rows, n_levels))


def listed_subsets(n_subsets: int, n_columns: int, n_rows: int) -> Case:
    return subset_sums("entropy", listed(n_columns, n_rows, 3, 0.05), n_subsets, (n_columns, n_rows, 3))


def encode(n_columns: int, n_rows: int, kind: str, strategy: int = QUANTILE) -> Case:
    rng = np.random.default_rng(0)
    values = {
        "normal": lambda: rng.standard_normal((n_columns, n_rows)),
        "few": lambda: rng.integers(0, 8, (n_columns, n_rows)).astype(float),
        "integers": lambda: rng.integers(0, 1000, (n_columns, n_rows)),
        "bytes": lambda: rng.integers(0, 200, (n_columns, n_rows)).astype(np.uint8),
    }[kind]()
    encoder, codes = _core.Encoder(10, 10, strategy, 10), np.empty((n_columns, n_rows), np.uint8)
    return lambda: encoder.encode(values, codes), [codes]


def read(n_columns: int, n_rows: int, dtype: str) -> Case:
    table = np.random.default_rng(0).integers(0, 100, (n_rows, 4 * n_columns)).astype(dtype)
    read = np.empty((n_columns, n_rows), dtype)
    return lambda: _core.read_columns(table, n_columns, read), [read]


def mdlp_edges(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, n_rows).astype(np.int32)
    values = rng.standard_normal((n_columns, n_rows)) + labels
    order = np.argsort(values, axis=1)
    ordered, of_class = np.take_along_axis(values, order, axis=1), labels[order]
    encoder, n_valid = _core.Encoder(10, 10, QUANTILE, 254), np.full(n_columns, n_rows)
    return lambda: encoder.find_class_edges(ordered, of_class, n_valid, 3), []


def sparse_edges(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, n_rows // 10, n_columns)
    starts, data = np.concatenate([[0], np.cumsum(lengths)]), rng.standard_normal(lengths.sum())
    return lambda: _core.Encoder(10, 10, QUANTILE, 10).find_sparse_edges(data, starts, n_rows), []


def assign(n_columns: int, n_rows: int, n_edges: int, dtype: str) -> Case:
    rng = np.random.default_rng(0)
    values = (rng.standard_normal((n_columns, n_rows)) * 100).astype(np.int64).astype(dtype)
    edges = np.sort((rng.standard_normal((n_columns, n_edges)) * 100).astype(np.int64).astype(dtype), axis=1)
    codes = np.empty((n_columns, n_rows), np.uint8)
    level = np.full(n_columns, -1)
    return lambda: _core.assign_levels(values, edges, np.full(n_columns, n_edges), level, codes), [codes]


def assign_sparse(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    starts, data = np.arange(n_columns + 1) * n_rows, rng.standard_normal(n_columns * n_rows)
    edges, codes = np.sort(rng.standard_normal((n_columns, 9)), axis=1), np.empty(len(data), np.uint8)
    n_edges, level = np.full(n_columns, 9), np.full(n_columns, -1)
    return lambda: _core.assign_sparse_levels(data, starts, edges, n_edges, level, codes), [codes]


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
        self.labels = rng.integers(0, 3, n_rows).astype(np.int32)
        self.near = rng.integers(0, n_rows, (n_rows, 60)).astype(np.int32)
        self.rng = rng

    @property
    def compiled(self) -> _core.Space:
        return _core.Space(self.values, self.kinds, self.expected)

    @property
    def points(self) -> _core.Points:
        return _core.Points(np.ascontiguousarray(self.values.T), self.kinds, self.expected)


def distances_from(n_columns: int, n_rows: int, all_numeric: bool, squared: bool) -> Case:
    space, rows = Space(n_columns, n_rows, all_numeric).compiled, np.arange(64)
    distances = np.empty((64, n_rows), np.float32)
    return lambda: space.distances_from(rows, squared, distances), [distances]


def candidate_distances(n_columns: int, n_rows: int) -> Case:
    space, columns = Space(n_columns, n_rows, False), np.arange(n_columns)
    distances, compiled = np.empty((n_rows, 60), np.float32), space.compiled

    def call() -> None:
        distances[:] = 0
        compiled.add_distances(columns, 0, space.near, False, distances)

    return call, [distances]


def neighborhood(n_columns: int, n_rows: int, every_row: bool, exact: bool) -> Case:
    space, sums = Space(n_columns, n_rows, True), np.empty((n_columns, 2))
    units = np.arange(n_columns + 1), np.arange(n_columns), np.arange(n_columns)
    neighborhoods = _core.Neighborhoods(space.compiled, space.labels, 3, 10, every_row)
    if exact:
        return lambda: neighborhoods.of_all_rows(*units, np.arange(2), sums), [sums]
    known = space.rng.random((n_rows, 60), np.float32)
    return lambda: neighborhoods.of_listed(*units, space.near, known, sums), [sums]


def windows(n_columns: int, n_rows: int, m: int, all_numeric: bool) -> Case:
    space = Space(n_columns, n_rows, all_numeric)
    ordered = np.array([space.rng.permutation(n_rows) for _ in range(6)], np.int32)
    place = np.argsort(ordered, axis=1)
    low, high = np.maximum(place - 40, 0), np.minimum(place + 40, n_rows)
    found, filler, points = np.empty((n_rows, m), np.int32), space.rng.permutation(n_rows), space.points
    tables = _core.Windows(ordered, low, high, filler)
    return lambda: points.nearest_in_windows(tables, 0, False, found), [found]


def relief(n_columns: int, n_rows: int, all_numeric: bool, real: bool) -> Case:
    space, rows, sums = Space(n_columns, n_rows, all_numeric), np.arange(64), np.empty((3, n_columns))
    distances = np.empty((64, n_rows), np.float32)
    space.compiled.distances_from(rows, False, distances)
    shares = np.full((3, 3), 0.5) - 1.5 * np.eye(3)
    of_classes = _core.Relief(space.points, space.labels, shares, 10, False)
    of_numbers = _core.RealRelief(space.points, np.linspace(0, 1, n_rows), 10)

    def call() -> None:
        sums[:] = 0
        if real:
            of_numbers.add(distances, rows, sums)
        else:
            of_classes.add(distances, rows, sums[0])

    return call, [sums]


def weighted_differences(n_columns: int, n_rows: int, all_numeric: bool) -> Case:
    points, rows, sums = Space(n_columns, n_rows, all_numeric).points, np.arange(64), np.empty(n_columns)
    weights = np.random.default_rng(0).random((64, n_rows)) * (np.arange(n_rows) % 3 == 0)

    def call() -> None:
        sums[:] = 0
        points.add_differences(rows, weights, sums)

    return call, [sums]


def products(n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    points = rng.random((n_rows, 20), np.float32)
    dots, lengths = points[:256] @ points.T, np.sqrt((points**2).sum(axis=1))
    rows = _core.NearestDenseRows(points.astype(np.float64), lengths, np.arange(n_rows), 3e-6)
    found, squared = np.empty((256, 5), np.int64), np.empty((256, 5))
    return lambda: rows.nearest(dots, 0, found, squared), [found]


def all_moments(n_columns: int, n_rows: int, density: float) -> Case:
    import scipy.sparse

    rng = np.random.default_rng(0)
    matrix = scipy.sparse.random(n_rows, n_columns, density, "csc", rng=rng)
    of_classes = _core.ClassMoments(rng.integers(0, 3, n_rows).astype(np.int32), 3)
    out = [np.empty((n_columns, 3)) for _ in range(3)]
    if density == 1:
        columns = np.ascontiguousarray(matrix.toarray().T)
        return lambda: of_classes.of_dense(columns, *out), out
    starts = matrix.indptr.astype(np.int64)
    return lambda: of_classes.of_sparse(starts, matrix.indices, matrix.data, *out), out


def tokens(n_columns: int, n_rows: int) -> Case:
    rng = np.random.default_rng(0)
    columns, codes = rng.standard_normal((n_columns, n_rows)), rng.integers(0, 3, n_rows).astype(np.int32)
    means, counts = rng.standard_normal((n_columns, 3)), np.empty((n_columns, 6), np.int64)
    of_classes = _core.ClassMoments(codes, 3)

    def call() -> None:
        counts[:] = 0
        of_classes.count_tokens(columns, means, counts)

    return call, [counts]


def fronts(n: int) -> Case:
    values = np.random.default_rng(0).integers(0, 50, (n, 2)).astype(float)
    order = np.lexsort((values[:, 1], values[:, 0]))
    ranks, spread = np.empty(n, np.int64), np.empty(n)

    def call() -> None:
        _core.front_ranks(values, order, ranks)
        _core.crowding(values, order, ranks, spread)

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
    "encode_columns, uniform": lambda: encode(10, 10_000, "normal", UNIFORM),
    "find_sparse_edges": lambda: sparse_edges(200, 10_000),
    "find_mdlp_edges": lambda: mdlp_edges(4, 2_000),
    "assign_levels, 9 edges, float64": lambda: assign(10, 10_000, 9, "float64"),
    "assign_levels, 9 edges, int64": lambda: assign(10, 10_000, 9, "int64"),
    "assign_levels, 9 edges, uint8": lambda: assign(10, 10_000, 9, "uint8"),
    "assign_levels, 100 edges": lambda: assign(4, 10_000, 100, "float64"),
    "assign_sparse_levels": lambda: assign_sparse(100, 500),
    "column_sums, 10,000 rows": lambda: column_sums(100, 10_000, 5, 3),
    "column_sums, 100 rows": lambda: column_sums(5_000, 100, 3, 2),
    "select": lambda: select(1, 10_000, 5, 3),
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
    "race, planes": lambda: race(500, 10_000, 5, 3),
    "race, tables": lambda: race(100, 10_000, 100, 10),
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
    "subsets, entropy, 3,000 rows": lambda: dense_subsets("entropy", 64, 36, 3_000, 5),
    "subsets, entropy, 100,000 rows": lambda: dense_subsets("entropy", 4, 12, 100_000, 3),
    "subsets, few groups": lambda: dense_subsets("entropy", 64, 4, 3_000, 2),
    "subsets, peak": lambda: dense_subsets("peak", 64, 10, 3_000, 2),
    "subsets, majority": lambda: dense_subsets("majority", 64, 10, 3_000, 2),
    "subsets, norm": lambda: dense_subsets("norm", 64, 10, 3_000, 2),
    "subsets, listed": lambda: listed_subsets(64, 100, 3_000),
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

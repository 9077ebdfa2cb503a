"""From values to levels: the rule for each kind of column.

Categories, texts and booleans keep every value as a level; a numeric column with at most `n_bins`
distinct values keeps them too; any other is cut into `n_bins` levels. Missing values are a level of
their own, the last one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from entropick._kernels import binning as kernels
from entropick.exceptions import DataError
from entropick.table.inputs import Input, SparseInput, open_input
from entropick.table.memory import freeze, padded, smallest_dtype
from entropick.table.sparse import encode_sparse
from entropick.table.table import ColumnEncoding, DensePart, SparsePart, Table, Target
from entropick.workers import Workers

BLOCK_VALUES = 1 << 20  # values of a numeric block held at once by each thread (8 MB of floats)
MDLP_MOST_EDGES = 254  # with the level of missing values, codes still fit one byte


@dataclass(frozen=True)
class Rules:
    """How numeric and missing values become levels."""

    n_bins: int = 10
    binning: str = "quantile"
    missing: str = "level"

    @property
    def most_levels(self) -> int:
        """Levels a numeric column can have, that of missing values included."""
        bins = max(self.n_bins, MDLP_MOST_EDGES + 1) if self.binning == "mdlp" else self.n_bins
        return bins + 1


@dataclass
class _Encoded:
    """Codes and encodings while they are being filled; columns of one width share an array."""

    n_rows: int
    widths: dict[np.dtype, list[int]] = field(default_factory=dict)
    arrays: dict[np.dtype, np.ndarray] = field(default_factory=dict)
    encodings: dict[int, ColumnEncoding] = field(default_factory=dict)

    def reserve(self, j: int, n_levels: int) -> None:
        self.widths.setdefault(smallest_dtype(n_levels), []).append(j)

    def allocate(self) -> None:
        for dtype, columns in self.widths.items():
            self.arrays[dtype] = np.zeros((len(columns), padded(self.n_rows)), dtype)

    def parts(self) -> tuple[DensePart, ...]:
        made = []
        for dtype, columns in self.widths.items():
            positions = np.array(columns, np.int64)
            freeze(positions, self.arrays[dtype])
            made.append(DensePart(positions, self.arrays[dtype]))
        return tuple(made)


def encode(
    X: Any,
    target: Target | None = None,
    *,
    rules: Rules | None = None,
    names: Sequence[str] | None = None,
    workers: Workers | None = None,
) -> Table:
    """Encode a table of any container.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe
    target : encoded target, needed by MDLP binning (see `entropick.table.target`)
    rules : how numeric and missing values become levels
    names : column names for containers without names
    workers : threads; the calling one by default
    """
    rules = rules or Rules()
    source = open_input(X, names)
    workers = workers or Workers(1)
    if source.n_rows == 0 or len(source.names) == 0:
        raise DataError(
            f"The table must have rows and columns, got {source.n_rows} rows and {len(source.names)} columns."
        )
    if rules.binning == "mdlp" and target is None:
        raise DataError("binning='mdlp' cuts by the target, but no target was given.")
    parts: tuple[DensePart | SparsePart, ...]
    if isinstance(source, SparseInput) and rules.binning != "mdlp":
        parts, encodings = encode_sparse(source, rules)
    else:
        dense = _DenseColumnsOfSparse(source) if isinstance(source, SparseInput) else source
        parts, encodings = _encode_dense(dense, target, rules, workers)
    return Table(source.n_rows, tuple(encodings), parts, target)


class _DenseColumnsOfSparse:
    """A sparse matrix seen as an `Input`, one block of columns dense at a time."""

    def __init__(self, source: SparseInput) -> None:
        self._matrix = source.matrix
        self.names, self.n_rows = source.names, source.n_rows

    def kind(self, j: int) -> str:
        return "numeric"

    def numeric_dtype(self, j: int) -> np.dtype:
        return np.dtype(np.float64)

    def numeric(self, columns: Sequence[int]) -> np.ndarray:
        block = self._matrix[:, list(columns)].toarray()
        return np.ascontiguousarray(block.T, dtype=np.float64)

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        raise AssertionError("a sparse matrix has no category columns")


def _encode_dense(
    source: Input, target: Target | None, rules: Rules, workers: Workers
) -> tuple[tuple[DensePart, ...], list[ColumnEncoding]]:
    encoded = _Encoded(source.n_rows)
    categories: dict[int, np.ndarray] = {}
    numeric: dict[np.dtype, list[int]] = {}
    for j, name in enumerate(source.names):
        if source.kind(j) == "category":
            codes, levels = source.category(j)
            encoded.encodings[j] = _category_encoding(name, codes, levels, rules)
            codes = np.where(codes < 0, len(levels), codes)
            categories[j] = codes.astype(smallest_dtype(encoded.encodings[j].n_levels))
            encoded.reserve(j, encoded.encodings[j].n_levels)
        else:
            numeric.setdefault(source.numeric_dtype(j), []).append(j)
            encoded.reserve(j, rules.most_levels)
    encoded.allocate()
    for dtype, columns in encoded.widths.items():
        for k, j in enumerate(columns):
            if j in categories:
                encoded.arrays[dtype][k, : source.n_rows] = categories.pop(j)
    for columns in numeric.values():
        _encode_numeric(source, columns, target, rules, encoded, workers)
    return encoded.parts(), [encoded.encodings[j] for j in range(len(source.names))]


def _category_encoding(name: str, codes: np.ndarray, levels: list[Any], rules: Rules) -> ColumnEncoding:
    n_missing = int(np.count_nonzero(codes < 0))
    refuse_missing(name, n_missing, rules)
    n_levels = len(levels) + (n_missing > 0)
    return ColumnEncoding(name, "category", n_levels, n_missing, levels=tuple(levels))


def _encode_numeric(
    source: Input,
    columns: list[int],
    target: Target | None,
    rules: Rules,
    encoded: _Encoded,
    workers: Workers,
) -> None:
    """Encode numeric columns of one type, a block at a time, into their places."""
    dtype = smallest_dtype(rules.most_levels)
    place = {j: k for k, j in enumerate(encoded.widths[dtype])}
    block = max(1, min(64, BLOCK_VALUES // source.n_rows))

    def encode_blocks(start: int, stop: int) -> None:
        for first in range(start * block, min(stop * block, len(columns)), block):
            chosen = columns[first : first + block]
            values = source.numeric(chosen)
            cut = cut_columns(values, [source.names[j] for j in chosen], target, rules)
            codes = np.empty((len(chosen), source.n_rows), dtype)
            kernels.assign_levels(values, cut.edges, cut.n_edges, cut.missing_level, codes)
            for row, j in enumerate(chosen):
                encoded.arrays[dtype][place[j], : source.n_rows] = codes[row]
                encoded.encodings[j] = cut.encoding(row, source.names[j], source.kind(j))

    n_blocks = -(-len(columns) // block)
    workers.run(encode_blocks, n_blocks, seconds_per_item=block * source.n_rows * 2e-8)


@dataclass(frozen=True)
class Cut:
    """Edges of a block of numeric columns, one row each."""

    edges: np.ndarray
    n_edges: np.ndarray
    n_missing: np.ndarray
    kept: np.ndarray  # True where the values were kept as they are
    low: np.ndarray
    high: np.ndarray
    n_rows: int
    by_target: bool = False

    @property
    def n_valid(self) -> np.ndarray:
        return self.n_rows - self.n_missing

    @property
    def missing_level(self) -> np.ndarray:
        """Level of missing values: after all others, or -1 where none is missing."""
        after_others = np.where(self.n_valid > 0, self.n_edges + 1, 0)
        return np.where(self.n_missing > 0, after_others, -1)

    def describe(self, ordered: np.ndarray, columns: slice | np.ndarray) -> None:
        """Note missing values, least and largest value of columns given in ascending order."""
        if ordered.dtype.kind == "f":
            self.n_missing[columns] = np.count_nonzero(np.isnan(ordered), axis=1)
        last = np.maximum(self.n_valid[columns] - 1, 0)
        self.low[columns] = ordered[:, 0]
        self.high[columns] = ordered[np.arange(len(ordered)), last]

    def encoding(self, row: int, name: str, kind: str) -> ColumnEncoding:
        """The record of one column."""
        n_missing = int(self.n_missing[row])
        n_valid = self.n_rows - n_missing
        n_levels = (int(self.n_edges[row]) + 1 if n_valid else 0) + (n_missing > 0)
        edges = readable(self.edges[row, : self.n_edges[row]], kind)
        if not self.kept[row]:
            edged = tuple(edges)
            return ColumnEncoding(name, kind, n_levels, n_missing, edges=edged, by_target=self.by_target)
        last = readable(self.high[row : row + 1], kind) if n_valid else []
        return ColumnEncoding(name, kind, n_levels, n_missing, levels=tuple(edges + last))


def readable(values: np.ndarray, kind: str) -> list[Any]:
    """Numbers as the column's own kind of value."""
    numbers: list[Any] = values.tolist()
    if kind == "boolean":
        return [bool(v) for v in numbers]
    if kind == "datetime":
        return [str(np.datetime64(int(v), "us")) for v in numbers]
    if kind == "duration":
        return [str(np.timedelta64(int(v), "us")) for v in numbers]
    return numbers


def cut_columns(values: np.ndarray, names: Sequence[str], target: Target | None, rules: Rules) -> Cut:
    """Find the edges of some numeric columns (columns, rows)."""
    n_columns = len(values)
    most_edges = max(MDLP_MOST_EDGES, rules.n_bins) if rules.binning == "mdlp" else rules.n_bins
    cut = Cut(
        edges=np.zeros((n_columns, most_edges), values.dtype),
        n_edges=np.zeros(n_columns, np.int64),
        n_missing=np.zeros(n_columns, np.int64),
        kept=np.zeros(n_columns, np.bool_),
        low=np.zeros(n_columns, values.dtype),
        high=np.zeros(n_columns, values.dtype),
        n_rows=values.shape[1],
        by_target=rules.binning == "mdlp",
    )
    if rules.binning == "mdlp":
        assert target is not None
        order = np.argsort(values, axis=1, kind="stable")  # missing values come last
        ordered = np.take_along_axis(values, order, axis=1)
        cut.describe(ordered, slice(None))
        labels = target.codes[order]
        kernels.find_mdlp_edges(
            ordered, labels, cut.n_valid, rules.n_bins, target.n_classes, cut.edges, cut.n_edges, cut.kept
        )
    elif rules.binning == "uniform":
        _cut_ordered(values, slice(None), kernels.UNIFORM, rules, cut)
    else:
        done = np.zeros(n_columns, np.bool_)
        kernels.find_quantile_edges(
            values, rules.n_bins, cut.edges, cut.n_edges, cut.kept, cut.n_missing, cut.low, cut.high, done
        )
        if not done.all():
            _cut_ordered(values, np.flatnonzero(~done), kernels.QUANTILE, rules, cut)
    _check_columns(values, cut, names, rules)
    return cut


def _cut_ordered(
    values: np.ndarray, columns: slice | np.ndarray, strategy: int, rules: Rules, cut: "Cut"
) -> None:
    """Order some columns and cut them."""
    ordered = np.sort(values[columns], axis=1)  # missing values come last
    cut.describe(ordered, columns)
    edges, n_edges, kept = cut.edges[columns], cut.n_edges[columns], cut.kept[columns]
    kernels.find_edges(ordered, cut.n_valid[columns], rules.n_bins, strategy, edges, n_edges, kept)
    cut.edges[columns], cut.n_edges[columns], cut.kept[columns] = edges, n_edges, kept


def _check_columns(values: np.ndarray, cut: "Cut", names: Sequence[str], rules: Rules) -> None:
    if values.dtype.kind != "f":
        return
    for row in np.flatnonzero(np.isinf(cut.low) | np.isinf(cut.high)).tolist():
        at = int(np.flatnonzero(np.isinf(values[row]))[0])
        raise DataError(
            f"Column {names[row]!r} holds an infinite value (row {at}: {values[row, at]}); values must "
            "be finite or missing. Hint: clip it, or replace it by NaN to make it a missing value."
        )
    for row in np.flatnonzero(cut.n_missing).tolist():
        refuse_missing(names[row], int(cut.n_missing[row]), rules)


def counted(n: int, thing: str) -> str:
    """1 thing, 2 things."""
    return f"{n} {thing}{'' if n == 1 else 's'}"


def refuse_missing(name: str, n_missing: int, rules: Rules) -> None:
    """Raise where a column has missing values and the rules refuse them."""
    if n_missing and rules.missing == "error":
        raise DataError(
            f"Column {name!r} has {counted(n_missing, 'missing value')}, which missing='error' refuses. "
            "Hint: fill them in, drop the rows or the column, or use missing='level'."
        )

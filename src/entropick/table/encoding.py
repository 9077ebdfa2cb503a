"""From values to levels: the rule for each kind of column, found on some rows and applied to any.

Categories, texts and booleans keep every value as a level; a numeric column with at most `n_bins`
distinct values keeps them too; any other is cut into `n_bins` levels. Missing values are a level of
their own, the last one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick._kernels import binning as kernels
from entropick.exceptions import DataError
from entropick.table.codes import Codes, ColumnEncoding, DensePart, Target, freeze, padded, smallest_dtype
from entropick.table.inputs import (
    Input,
    SparseInput,
    open_input,
    read_columns,
    refuse_infinite,
    refuse_missing,
)
from entropick.table.numbers import refuse_infinite_stored
from entropick.table.sparse import sparse_parts
from entropick.threads import Threads

MDLP_MOST_EDGES = 254  # with the level of missing values, codes still fit one byte


@dataclass(frozen=True)
class Rules:
    """How numeric and missing values become levels."""

    n_bins: int = 10
    binning: str = "quantile"
    missing: str = "level"

    @property
    def most_edges(self) -> int:
        """Edges a numeric column can have."""
        return max(self.n_bins, MDLP_MOST_EDGES) if self.binning == "mdlp" else self.n_bins

    @property
    def most_levels(self) -> int:
        """Levels a numeric column can have, that of missing values included."""
        return max(self.n_bins, MDLP_MOST_EDGES + 1) + 1 if self.binning == "mdlp" else self.n_bins + 1


@dataclass(frozen=True)
class Encoding:
    """How every column became levels, found by `fit`; `apply` encodes any rows with the same levels.

    Rows can therefore be encoded part by part, and the counts of the parts added up.
    """

    columns: tuple[ColumnEncoding, ...]
    rules: Rules

    @classmethod
    def fit(cls, X: Any, target: Target | None = None, rules: Rules | None = None) -> "Encoding":
        """Find the levels of every column; MDLP binning needs the target."""
        return encode(X, target, rules=rules)[1]

    def apply(self, X: Any, target: Target | None = None) -> Codes:
        """Encode rows of the same columns; a category or kept value that has no level is refused by name."""
        names = [column.name for column in self.columns]
        source: Input = open_input(X, names)
        if list(source.names) != names:
            raise DataError(
                f"The encoding knows {len(names)} columns, {_first(names)}, but got {len(source.names)}, "
                f"{_first(source.names)}. Hint: pass the same columns in the same order."
            )
        source = _AsKnown(source, self.columns)
        view = CodesView(source, target, self.rules, known=self)
        read_columns(source, [view], Threads(1))
        return view.codes()

    @property
    def is_by_target(self) -> bool:
        """Whether the levels of some column were chosen by looking at the target."""
        return any(column.by_target for column in self.columns)


def _first(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")


class _AsKnown:
    """Columns of the kinds that are known: one without any value here may be a category elsewhere."""

    def __init__(self, source: Input, columns: Sequence[ColumnEncoding]) -> None:
        self._source = source
        self.names, self.n_rows, self.kinds = source.names, source.n_rows, list(source.kinds)
        self._empty = [
            j
            for j, (kind, column) in enumerate(zip(source.kinds, columns, strict=True))
            if column.kind == "category" != kind and np.isnan(source.numeric([j])[0][1].astype(float)).all()
        ]
        for j in self._empty:
            self.kinds[j] = "category"

    def numeric(self, columns: Sequence[int]) -> list[tuple[list[int], np.ndarray]]:
        return self._source.numeric(columns)

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        return (np.full(self.n_rows, -1), []) if j in self._empty else self._source.category(j)


def encode(
    X: Any,
    target: Target | None = None,
    *,
    rules: Rules | None = None,
    names: Sequence[str] | None = None,
    threads: Threads | None = None,
) -> tuple[Codes, Encoding]:
    """Find the levels of a table of any container, and encode it.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe
    target : encoded target, needed by MDLP binning (see `entropick.table.target`)
    rules : how numeric and missing values become levels
    names : column names for containers without names
    threads : threads; the calling one by default
    """
    source, rules = open_input(X, names), rules or Rules()
    check_shape(source)
    view = codes_view(source, target, rules)
    read_columns(source, [view], threads or Threads(1))
    return view.codes(), view.encoding()


def check_shape(source: Input) -> None:
    """Refuse a table without rows or columns."""
    if source.n_rows == 0 or len(source.names) == 0:
        raise DataError(
            f"The table must have rows and columns, got {source.n_rows} rows and {len(source.names)} columns."
        )


def codes_view(source: Input, target: Target | None, rules: Rules) -> "CodesView":
    """What makes codes of the columns as they are read."""
    if rules.binning == "mdlp" and target is None:
        raise DataError("binning='mdlp' cuts by the target, but no target was given.")
    if isinstance(source, SparseInput) and rules.binning != "mdlp":
        return SparseCodesView(source, target, rules)
    return CodesView(source, target, rules)


class CodesView:
    """Makes codes of columns while they are read; columns of one width share an array.

    Parameters
    ----------
    source : the columns
    target : encoded target
    rules : how values become levels
    known : the levels, where they are given already
    """

    def __init__(
        self, source: Input, target: Target | None, rules: Rules, known: Encoding | None = None
    ) -> None:
        self._source, self._target, self._rules, self._known = source, target, rules, known
        self._dtype = smallest_dtype(rules.most_levels)  # of numeric columns
        self._columns: dict[int, ColumnEncoding] = {}
        self._categories: dict[int, np.ndarray] = {}
        self._widths: dict[np.dtype, list[int]] = {}
        self._arrays: dict[np.dtype, np.ndarray] = {}

    def take_category(self, j: int, codes: np.ndarray, levels: list[Any]) -> None:
        """Take in the codes of a category, -1 where missing."""
        encoding = self._category_encoding(j, codes, levels)
        if self._known is not None:
            codes = self._known_codes(encoding, codes, levels)
        missing_level = encoding.n_levels - 1
        self._columns[j] = encoding
        self._categories[j] = np.where(codes < 0, missing_level, codes).astype(
            smallest_dtype(encoding.n_levels)
        )

    def _category_encoding(self, j: int, codes: np.ndarray, levels: list[Any]) -> ColumnEncoding:
        name, n_missing = self._source.names[j], int(np.count_nonzero(codes < 0))
        refuse_missing(name, n_missing, self._rules.missing)
        if self._known is not None:
            known = self._known.columns[j]
            if known.kind != "category" or (n_missing and not known.n_missing):
                raise _unknown(name, "categories" if known.kind != "category" else "missing values")
            return known
        n_levels = len(levels) + (n_missing > 0)
        return ColumnEncoding(name, "category", n_levels, n_missing, levels=tuple(levels))

    def _known_codes(self, known: ColumnEncoding, codes: np.ndarray, levels: list[Any]) -> np.ndarray:
        place = {level: code for code, level in enumerate(known.levels or ())}
        for level in levels:
            if level not in place:
                raise _unknown(known.name, repr(level))
        return np.array([*(place[level] for level in levels), -1])[codes]

    def allocate(self, numeric: Sequence[int]) -> bool:
        """Make room for all columns, once categories were read; those are moved there."""
        dtypes = {j: codes.dtype for j, codes in self._categories.items()} | dict.fromkeys(
            numeric, self._dtype
        )
        for j in sorted(dtypes):  # counting relies on the order of the columns within a part
            self._widths.setdefault(dtypes[j], []).append(j)
        n_rows = self._source.n_rows
        for dtype, columns in self._widths.items():
            self._arrays[dtype] = np.zeros((len(columns), padded(n_rows)), dtype)
            for k, j in enumerate(columns):
                if j in self._categories:
                    self._arrays[dtype][k, :n_rows] = self._categories.pop(j)
        self._place = {j: k for k, j in enumerate(self._widths.get(self._dtype, []))}
        return True

    def take_numbers(self, columns: Sequence[int], values: np.ndarray) -> None:
        """Take in numeric columns of one type (columns, rows)."""
        source = self._source
        if self._known is None:
            names = [source.names[j] for j in columns]
            found = find_edges(values, names, self._target, self._rules)
            edges, n_edges, missing_level = found.edges, found.n_edges, found.missing_level
            encodings = [found.encoding(row, names[row], source.kinds[j]) for row, j in enumerate(columns)]
        else:
            encodings = [self._known.columns[j] for j in columns]
            values = values.astype(_common_type(values, encodings), copy=False)
            edges, n_edges, missing_level = _known_edges(values, encodings)
        codes = np.empty(values.shape, self._dtype)
        kernels.assign_levels(values, edges, n_edges, missing_level, codes)
        if self._known is not None:
            _refuse_unknown_values(values, codes, encodings)
        room = self._arrays[self._dtype]
        for row, j in enumerate(columns):
            room[self._place[j], : source.n_rows] = codes[row]
            self._columns[j] = encodings[row]

    def codes(self) -> Codes:
        parts = []
        for dtype, columns in self._widths.items():
            positions = np.array(columns, np.int64)
            freeze(positions, self._arrays[dtype])
            parts.append(DensePart(positions, self._arrays[dtype]))
        n_levels = np.array([self._columns[j].n_levels for j in range(len(self._columns))], np.int64)
        return Codes(self._source.n_rows, n_levels, tuple(parts), self._target)

    def encoding(self) -> Encoding:
        return Encoding(tuple(self._columns[j] for j in range(len(self._columns))), self._rules)


class SparseCodesView(CodesView):
    """Makes codes of a whole sparse matrix at once; columns with many stored levels become dense ones."""

    _source: SparseInput

    def allocate(self, numeric: Sequence[int]) -> bool:
        matrix, rules, n_rows = self._source.matrix, self._rules, self._source.n_rows
        refuse_infinite_stored(matrix, self._source.names)
        data, starts = matrix.data.astype(np.float64), matrix.indptr.astype(np.int64)
        found = Edges.empty(len(starts) - 1, n_rows, data.dtype, rules)
        strategy = kernels.QUANTILE if rules.binning == "quantile" else kernels.UNIFORM
        kernels.find_sparse_edges(
            data, starts, n_rows, rules.n_bins, strategy, found.edges, found.n_edges, found.kept,
            found.high, found.n_missing,
        )  # fmt: skip
        for j in np.flatnonzero(found.n_missing).tolist():
            refuse_missing(self._source.names[j], int(found.n_missing[j]), rules.missing)
        codes = np.empty(len(data), self._dtype)
        kernels.assign_sparse_levels(data, starts, found.edges, found.n_edges, found.missing_level, codes)
        is_edge = np.arange(found.edges.shape[1]) < found.n_edges[:, None]
        usual = np.count_nonzero(is_edge & (found.edges < 0), axis=1)  # the level of zero
        usual[found.n_missing == n_rows] = 0
        self._parts = sparse_parts(matrix.indices, codes, starts, usual, n_rows)
        self._columns = {j: found.encoding(j, name, "numeric") for j, name in enumerate(self._source.names)}
        return False

    def codes(self) -> Codes:
        n_levels = np.array([column.n_levels for column in self.encoding().columns], np.int64)
        return Codes(self._source.n_rows, n_levels, self._parts, self._target)


def _unknown(name: str, what: str) -> DataError:
    return DataError(
        f"Column {name!r} holds {what}, which it did not hold when its levels were found. "
        "Hint: find the levels on rows that have all values."
    )


# -- edges of numeric columns --------------------------------------------------------------------


@dataclass(frozen=True)
class Edges:
    """Edges of a block of numeric columns, one row each."""

    edges: np.ndarray
    n_edges: np.ndarray
    n_missing: np.ndarray
    kept: np.ndarray  # True where the values were kept as they are
    low: np.ndarray
    high: np.ndarray
    n_rows: int
    by_target: bool = False

    @classmethod
    def empty(cls, n: int, n_rows: int, dtype: np.dtype, rules: Rules) -> "Edges":
        """Room for the edges of n columns."""
        return cls(
            edges=np.zeros((n, rules.most_edges), dtype),
            n_edges=np.zeros(n, np.int64),
            n_missing=np.zeros(n, np.int64),
            kept=np.zeros(n, np.bool_),
            low=np.zeros(n, dtype),
            high=np.zeros(n, dtype),
            n_rows=n_rows,
            by_target=rules.binning == "mdlp",
        )

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
        is_empty = n_missing == self.n_rows
        n_levels = (0 if is_empty else int(self.n_edges[row]) + 1) + (n_missing > 0)
        edges = self.edges[row, : self.n_edges[row]].tolist()
        if not self.kept[row]:
            return ColumnEncoding(
                name, kind, n_levels, n_missing, edges=tuple(edges), by_target=self.by_target
            )
        last = [] if is_empty else [self.high[row].item()]
        return ColumnEncoding(name, kind, n_levels, n_missing, levels=tuple(edges + last))


def find_edges(values: np.ndarray, names: Sequence[str], target: Target | None, rules: Rules) -> Edges:
    """Find the edges of some numeric columns (columns, rows)."""
    found = Edges.empty(len(values), values.shape[1], values.dtype, rules)
    if rules.binning == "mdlp":
        assert target is not None
        order = np.argsort(values, axis=1, kind="stable")  # missing values come last
        ordered = np.take_along_axis(values, order, axis=1)
        found.describe(ordered, slice(None))
        kernels.find_mdlp_edges(
            ordered, target.codes[order], found.n_valid, rules.n_bins, target.n_classes,
            found.edges, found.n_edges, found.kept,
        )  # fmt: skip
    elif rules.binning == "uniform":
        _cut_ordered(values, slice(None), kernels.UNIFORM, rules, found)
    else:
        done = np.zeros(len(values), np.bool_)
        kernels.find_quantile_edges(
            values, rules.n_bins, found.edges, found.n_edges, found.kept, found.n_missing,
            found.low, found.high, done,
        )  # fmt: skip
        if not done.all():
            _cut_ordered(values, np.flatnonzero(~done), kernels.QUANTILE, rules, found)
    if values.dtype.kind == "f":
        if np.isinf(found.low).any() or np.isinf(found.high).any():
            refuse_infinite(values, names)
        for row in np.flatnonzero(found.n_missing).tolist():
            refuse_missing(names[row], int(found.n_missing[row]), rules.missing)
    return found


def _cut_ordered(
    values: np.ndarray, columns: slice | np.ndarray, strategy: int, rules: Rules, found: Edges
) -> None:
    """Order some columns and cut them."""
    ordered = np.sort(values[columns], axis=1)  # missing values come last
    found.describe(ordered, columns)
    edges, n_edges, kept = found.edges[columns], found.n_edges[columns], found.kept[columns]
    kernels.find_edges(ordered, found.n_valid[columns], rules.n_bins, strategy, edges, n_edges, kept)
    found.edges[columns], found.n_edges[columns], found.kept[columns] = edges, n_edges, kept


def _known_edges(
    values: np.ndarray, columns: Sequence[ColumnEncoding]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges, their number and the level of missing values, of columns whose levels are known."""
    refuse_infinite(values, [column.name for column in columns])
    known = [column.edges if column.edges is not None else (column.levels or ())[:-1] for column in columns]
    n_edges = np.array([len(edges) for edges in known], np.int64)
    edges = np.zeros((len(columns), max(1, n_edges.max())), values.dtype)
    for row, column in enumerate(columns):
        if column.kind == "category":
            raise _unknown(column.name, "numbers")
        if values.dtype.kind == "f" and not column.n_missing and np.isnan(values[row]).any():
            raise _unknown(column.name, "missing values")
        edges[row, : n_edges[row]] = known[row]
    missing_level = np.array([column.n_levels - 1 if column.n_missing else -1 for column in columns])
    return edges, n_edges, missing_level


def _common_type(values: np.ndarray, columns: Sequence[ColumnEncoding]) -> type:
    """Whole numbers only where the values and all that they are compared with are whole."""
    compared = (bound for column in columns for bound in column.edges or column.levels or ())
    are_whole = values.dtype.kind != "f" and all(isinstance(bound, int) for bound in compared)
    return np.int64 if are_whole else np.float64


def _refuse_unknown_values(values: np.ndarray, codes: np.ndarray, columns: Sequence[ColumnEncoding]) -> None:
    """Raise where a column whose values were kept as they are holds another value."""
    for column, row, levels in zip(columns, values, codes, strict=True):
        if column.levels is None:
            continue
        present = ~np.isnan(row) if row.dtype.kind == "f" else np.ones(len(row), bool)
        if not column.levels:
            continue  # nothing but missing values
        is_other = np.asarray(column.levels)[np.where(present, levels, 0)] != row
        if (is_other & present).any():
            raise _unknown(column.name, str(row[is_other & present][0]))

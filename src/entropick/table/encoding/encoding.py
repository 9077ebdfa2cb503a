"""From values to levels: the rule for each kind of column, found on some rows and applied to any.

Categories, texts and booleans keep every value as a level; a numeric column with at most `n_kept`
distinct values keeps them too; any other is cut into `n_bins` levels. Missing values are a level of
their own, the last one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from entropick._base.threads import Threads
from entropick._base.wording import listed
from entropick._core import Encoder, assign_levels, assign_sparse_levels, renumber
from entropick.exceptions import DataError
from entropick.table.codes import (
    Codes,
    ColumnEncoding,
    DensePart,
    Target,
    freeze,
    padded,
    smallest_dtype,
    sparse_parts,
)
from entropick.table.encoding.known import (
    AsKnown,
    apply_known,
    known_places,
    less_offset,
    unknown_values,
)
from entropick.table.numeric.numbers import reject_infinite_stored
from entropick.table.readers.checks import check_width, reject_infinite, reject_missing
from entropick.table.readers.inputs import Input, SparseInput, check_shape, open_input, read_columns

Look = Callable[[int, np.ndarray, np.ndarray], None]  # at a column, its values and its codes
MDLP_MAX_EDGES = 254  # with the level of missing values, codes still fit one byte
MIN_BINS, MAX_BINS = 5, 10


def usual_bins(n_rows: int) -> int:
    """Levels of a numeric column that this many rows can fill: n_bins="auto".

    With few rows most cells of a count table are empty, which inflates information. The numbers were chosen
    on half of the data sets of an experiment (`python -m reproduction levels`), and confirmed on the others.
    """
    return min(max(round(n_rows**0.5 / 3), MIN_BINS), MAX_BINS)


QUANTILE, UNIFORM = 0, 1  # strategies of the compiled encoder


@dataclass(frozen=True)
class Rules:
    """How numeric and missing values become levels."""

    n_bins: int = 10
    binning: str = "quantile"
    missing: str = "level"
    n_kept: int = 0  # numeric columns with at most this many distinct values keep them; 0 for n_bins

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_kept", self.n_kept or self.n_bins)

    @classmethod
    def for_rows(cls, n_rows: int, binning: str = "quantile", missing: str = "level") -> "Rules":
        """What n_bins="auto" is for a table of this many rows; few values, which may be codes, stay apart."""
        return cls(usual_bins(n_rows), binning, missing, MAX_BINS)

    @property
    def _most(self) -> int:
        return max(self.n_bins, self.n_kept)

    @property
    def most_edges(self) -> int:
        """Edges a numeric column can have."""
        return max(self._most, MDLP_MAX_EDGES) if self.binning == "mdlp" else self._most

    @property
    def encoder(self) -> Encoder:
        """What finds edges by these rules."""
        strategy = UNIFORM if self.binning == "uniform" else QUANTILE
        return Encoder(self.n_bins, self.n_kept, strategy, self.most_edges)

    @property
    def most_levels(self) -> int:
        """Levels a numeric column can have, that of missing values included."""
        return max(self._most, MDLP_MAX_EDGES + 1) + 1 if self.binning == "mdlp" else self._most + 1


@dataclass(frozen=True)
class Encoding:
    """How every column became levels, found by `fit`; `apply` encodes any rows with the same levels.

    Rows can therefore be encoded part by part, and the counts of the parts added up.
    """

    columns: Sequence[ColumnEncoding]
    rules: Rules

    @classmethod
    def fit(cls, X: Any, target: Target | None = None, rules: Rules | None = None) -> "Encoding":
        """Find the levels of every column; MDLP binning needs the target."""
        return encode(X, target, rules=rules)[1]

    def apply(
        self,
        X: Any,
        target: Target | None = None,
        look: Look | None = None,
        exact: bool = False,
    ) -> Codes:
        """Encode rows of the same columns; a category or kept value that has no level is rejected by name.

        `look` is shown each numeric column, its values and codes, while they are at hand. `exact` compares
        whole numbers that floats would round as they are, if the levels were found so.
        """
        names = [column.name for column in self.columns]
        source: Input = open_input(X, names, exact=exact)
        if list(source.names) != names:
            missing = [repr(name) for name in names if name not in set(source.names)]
            unknown = [repr(name) for name in source.names if name not in set(names)]
            raise DataError(
                f"The encoding knows {len(names)} columns, {listed(map(repr, names))}, but got "
                f"{len(source.names)}, {listed(map(repr, source.names))}"
                f"{f'; missing: {listed(missing)}' if missing else ''}"
                f"{f'; not known: {listed(unknown)}' if unknown else ''}. Hint: pass the same columns in the "
                "same order."
            )
        check_width(len(source.kinds), len(names))  # names are given to arrays, whatever their columns
        source = AsKnown(source, self.columns)
        view = CodesView(source, target, self.rules, known=self, look=look)
        read_columns(source, [view], Threads(1))
        return view.codes()

    @property
    def is_by_target(self) -> bool:
        """Whether the levels of some column were chosen by looking at the target."""
        return self.rules.binning == "mdlp" and any(column.by_target for column in self.columns)


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
    target : encoded target, needed by MDLP binning (see `entropick.table.encoding.target`)
    rules : how numeric and missing values become levels
    names : column names for containers without names
    threads : threads; the calling one by default
    """
    source, rules = open_input(X, names, exact=True), rules or Rules()
    check_shape(source.n_rows, source.names)
    view = codes_view(source, target, rules)
    read_columns(source, [view], threads or Threads(1))
    return view.codes(), view.encoding()


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
    look : is shown each numeric column of known levels, its values and codes
    """

    def __init__(
        self,
        source: Input,
        target: Target | None,
        rules: Rules,
        known: Encoding | None = None,
        look: Look | None = None,
    ) -> None:
        self._source, self._target, self._rules, self._known = source, target, rules, known
        self._look = look
        self._dtype = smallest_dtype(rules.most_levels)  # of numeric columns
        self._encodings: dict[int, ColumnEncoding] = {}  # of categories
        self._blocks: list[Edges] = []  # of numbers
        self._categories: dict[int, np.ndarray] = {}
        self._widths: dict[np.dtype, np.ndarray] = {}  # columns of each width
        self._arrays: dict[np.dtype, np.ndarray] = {}

    def take_category(self, j: int, codes: np.ndarray, levels: list[Any]) -> None:
        """Take in the codes of a category, -1 where missing."""
        n_missing = int(np.count_nonzero(codes < 0))
        encoding = self._category_encoding(j, n_missing, levels)
        place = np.arange(len(levels)) if self._known is None else known_places(encoding, levels)
        self._encodings[j] = encoding
        self._categories[j] = np.empty(len(codes), smallest_dtype(encoding.n_levels))
        renumber(codes, place, encoding.n_levels - 1, self._categories[j])

    def _category_encoding(self, j: int, n_missing: int, levels: list[Any]) -> ColumnEncoding:
        name = self._source.names[j]
        reject_missing(name, n_missing, self._rules.missing)
        if self._known is not None:
            known = self._known.columns[j]
            if known.kind != "category" or (n_missing and not known.n_missing):
                raise unknown_values(name, "categories" if known.kind != "category" else "missing values")
            return known
        n_levels = len(levels) + (n_missing > 0)
        return ColumnEncoding(name, "category", n_levels, n_missing, levels=tuple(levels))

    def allocate(self, numeric: np.ndarray) -> bool:
        """Make room for all columns, once categories were read; those are moved there."""
        members: dict[np.dtype, list[np.ndarray]] = {self._dtype: [numeric]} if len(numeric) else {}
        for j, codes in self._categories.items():
            members.setdefault(codes.dtype, []).append(np.array([j]))
        n_rows = self._source.n_rows
        for dtype, found in members.items():
            self._widths[dtype] = np.sort(np.concatenate(found))  # counting relies on their order
            self._arrays[dtype] = np.zeros((len(self._widths[dtype]), padded(n_rows)), dtype)
        self._place = np.zeros(len(self._source.names), np.int64)
        for columns in self._widths.values():
            self._place[columns] = np.arange(len(columns))
        for j in list(self._categories):
            codes = self._categories.pop(j)
            self._arrays[codes.dtype][self._place[j], :n_rows] = codes
        return True

    def take_numbers(self, columns: np.ndarray, values: np.ndarray) -> None:
        """Take in numeric columns of one type (columns, rows)."""
        values = np.require(values, requirements="A")
        places = self._place[columns]
        together = bool(places[-1] - places[0] == len(places) - 1)
        room = self._arrays[self._dtype]
        codes = room[places[0] : places[-1] + 1] if together else np.zeros_like(room[: len(places)])
        if self._known is None:
            found = encode_numbers(columns, values, self._target, self._rules, codes)
            _reject(values, found, self._source.names, self._rules)
            self._blocks.append(found)
        else:
            known = [self._known.columns[j] for j in columns]
            if columns[0] in self._source.offsets:  # which are read one by one
                known[0], values = less_offset(known[0], values, self._source.offsets[int(columns[0])])
            apply_known(known, values, codes)
            if self._look is not None:
                for j, column, levels in zip(
                    columns.tolist(), values, codes[:, : values.shape[1]], strict=True
                ):
                    self._look(j, column, levels)
        if not together:
            room[places] = codes

    def codes(self) -> Codes:
        parts = []
        for dtype, columns in self._widths.items():
            freeze(columns, self._arrays[dtype])
            parts.append(DensePart(columns, self._arrays[dtype]))
        return Codes(self._source.n_rows, self._n_levels(), tuple(parts), self._target)

    def _n_levels(self) -> np.ndarray:
        if self._known is not None:
            return np.array([column.n_levels for column in self._known.columns], np.int64)
        n_levels = np.zeros(len(self._source.names), np.int64)
        for block in self._blocks:
            n_levels[block.columns] = block.n_levels
        for j, encoding in self._encodings.items():
            n_levels[j] = encoding.n_levels
        return n_levels

    def encoding(self) -> Encoding:
        source = self._source
        records = _Records(source.names, source.kinds, self._blocks, self._encodings, source.offsets)
        return Encoding(records, self._rules)


class _Records(Sequence[ColumnEncoding]):
    """The records of all columns, each made when it is asked for: there may be very many."""

    def __init__(
        self,
        names: Sequence[str],
        kinds: Sequence[str],
        blocks: Sequence["Edges"],
        categories: dict[int, ColumnEncoding],
        offsets: Mapping[int, int],
    ) -> None:
        self._names, self._kinds, self._blocks, self._categories = names, kinds, blocks, categories
        self._offsets = dict(offsets)
        self._block_of, self._row_of = np.zeros((2, len(names)), np.int64)
        for b, block in enumerate(blocks):
            self._block_of[block.columns] = b
            self._row_of[block.columns] = np.arange(len(block.columns))

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, at: int) -> ColumnEncoding: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[ColumnEncoding, ...]: ...
    def __getitem__(self, at: int | slice) -> ColumnEncoding | tuple[ColumnEncoding, ...]:
        if isinstance(at, slice):
            return tuple(self[j] for j in range(len(self))[at])
        j = range(len(self))[at]
        if j in self._categories:
            return self._categories[j]
        block, row, offset = self._blocks[self._block_of[j]], self._row_of[j], self._offsets.get(j, 0)
        return block.encoding(row, self._names[j], self._kinds[j], offset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class SparseCodesView(CodesView):
    """Makes codes of a whole sparse matrix at once; columns with many stored levels become dense ones."""

    _source: SparseInput

    def allocate(self, numeric: np.ndarray) -> bool:
        matrix, rules, n_rows = self._source.matrix, self._rules, self._source.n_rows
        reject_infinite_stored(matrix, self._source.names)
        data, starts = matrix.data.astype(np.float64), matrix.indptr.astype(np.int64)
        found = Edges(*rules.encoder.find_sparse_edges(data, starts, n_rows), numeric, n_rows)
        for j in np.flatnonzero(found.n_missing).tolist():
            reject_missing(self._source.names[j], int(found.n_missing[j]), rules.missing)
        codes = np.empty(len(data), self._dtype)
        assign_sparse_levels(data, starts, found.edges, found.n_edges, found.missing_level, codes)
        is_edge = np.arange(found.edges.shape[1]) < found.n_edges[:, None]
        usual = np.count_nonzero(is_edge & (found.edges < 0), axis=1)  # the level of zero
        usual[found.n_missing == n_rows] = 0
        self._parts = sparse_parts(matrix.indices, codes, starts, usual, n_rows)
        self._blocks = [found]
        return False

    def codes(self) -> Codes:
        return Codes(self._source.n_rows, self._n_levels(), self._parts, self._target)


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
    columns: np.ndarray  # which of the table they are
    n_rows: int
    by_target: bool = False

    @property
    def n_levels(self) -> np.ndarray:
        """Levels of each column, that of missing values included."""
        return self._count_levels(self.n_edges, self.n_missing)

    def _count_levels(self, n_edges: Any, n_missing: Any) -> Any:
        return (n_missing < self.n_rows) * (n_edges + 1) + (n_missing > 0)

    @property
    def missing_level(self) -> np.ndarray:
        """Level of missing values: after all others, or -1 where none is missing."""
        return np.where(self.n_missing > 0, self.n_levels - 1, -1)

    def encoding(self, row: int, name: str, kind: str, offset: int = 0) -> ColumnEncoding:
        """The record of one column, whose values are those of the edges plus an offset."""
        n_missing, n_edges = int(self.n_missing[row]), int(self.n_edges[row])
        n_levels = self._count_levels(n_edges, n_missing)
        is_empty = n_missing == self.n_rows
        edges = self.edges[row, :n_edges].tolist()
        high = self.high[row].item()
        if offset:
            edges, high = [int(edge) + offset for edge in edges], high if is_empty else int(high) + offset
        if not self.kept[row]:
            return ColumnEncoding(
                name, kind, n_levels, n_missing, edges=tuple(edges), by_target=self.by_target
            )
        last = [] if is_empty else [high]
        return ColumnEncoding(name, kind, n_levels, n_missing, levels=tuple(edges + last))


def encode_numbers(
    columns: np.ndarray, values: np.ndarray, target: Target | None, rules: Rules, codes: np.ndarray
) -> Edges:
    """Find the edges of some numeric columns (columns, rows), and fill in their codes."""
    if rules.binning != "mdlp":
        return Edges(*rules.encoder.encode(values, codes), columns, values.shape[1])
    assert target is not None
    found = _cut_by_classes(columns, values, target, rules)
    assign_levels(values, found.edges, found.n_edges, found.missing_level, codes)
    return found


def _reject(values: np.ndarray, found: Edges, names: Sequence[str], rules: Rules) -> None:
    """Raise where a column holds an infinite value, or a missing one where none is allowed."""
    if values.dtype.kind != "f":
        return
    if np.isinf(found.low).any() or np.isinf(found.high).any():
        reject_infinite(values, [names[j] for j in found.columns])
    for row in np.flatnonzero(found.n_missing).tolist():
        reject_missing(names[found.columns[row]], int(found.n_missing[row]), rules.missing)


def _cut_by_classes(columns: np.ndarray, values: np.ndarray, target: Target, rules: Rules) -> Edges:
    order = np.argsort(values, axis=1, kind="stable")  # missing values come last
    ordered, n_rows = np.take_along_axis(values, order, axis=1), values.shape[1]
    n_missing = np.zeros(len(values), np.int64)
    if values.dtype.kind == "f":
        n_missing[:] = np.count_nonzero(np.isnan(values), axis=1)
    n_valid = n_rows - n_missing
    low, high = ordered[:, 0], ordered[np.arange(len(ordered)), np.maximum(n_valid - 1, 0)]
    edges, n_edges, kept = rules.encoder.find_class_edges(
        ordered, target.codes[order], n_valid, target.n_classes
    )
    return Edges(edges, n_edges, n_missing, kept, low, high, columns, n_rows, by_target=True)

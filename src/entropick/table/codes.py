"""Columns as codes: an immutable table of small integers, and how values became codes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from entropick import _core
from entropick._base.logarithms import log2, plogp
from entropick._base.wording import listed

ROW_PADDING = 64  # rows are padded with level 0 to whole machine words
ROW_BYTES = 4  # a stored row number of a sparse column


def smallest_dtype(n_levels: int) -> np.dtype:
    """The smallest unsigned type for codes 0..n_levels-1."""
    return np.min_scalar_type(max(n_levels - 1, 0))


def padded(n_rows: int) -> int:
    """Number of stored codes per column: rows padded to whole machine words."""
    return -(-n_rows // ROW_PADDING) * ROW_PADDING


def freeze(*arrays: np.ndarray) -> None:
    """Make arrays read-only."""
    for array in arrays:
        array.setflags(write=False)


class FromElsewhere:
    """Aligns arrays after unpickling, as the compiled loops require: a buffer may start at any address."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            is_array = isinstance(value, np.ndarray)
            object.__setattr__(self, name, np.require(value, requirements="A") if is_array else value)


@dataclass(frozen=True)
class ColumnEncoding:
    """How one column (or the target) became levels; enough to encode other rows the same way.

    Attributes
    ----------
    name : str
    kind : "numeric", "boolean", "category", "datetime", "duration" or "group"
    n_levels : levels that occur, the one of missing values included
    n_missing : missing values; they share the last level
    levels : the value of each level, if values were not binned; else None
    edges : the largest value of each level but the last, if values were binned; else None
    by_target : whether the target was used to choose the edges

    Levels and edges are stored as they are compared: times as microseconds, booleans as 0 and 1. `shown`
    makes them readable.
    """

    name: str
    kind: str
    n_levels: int
    n_missing: int = 0
    levels: tuple[Any, ...] | None = None
    edges: tuple[Any, ...] | None = None
    by_target: bool = False

    def shown(self, values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """Levels or edges as values of the column's own kind."""
        if values is None or self.kind not in ("boolean", "datetime", "duration"):
            return values
        if self.kind == "boolean":
            return tuple(bool(value) for value in values)
        kind = np.datetime64 if self.kind == "datetime" else np.timedelta64
        return tuple(str(kind(int(value), "us")) for value in values)

    def to_dict(self) -> dict[str, Any]:
        """The record with readable levels and edges."""
        return vars(self) | {"levels": self.shown(self.levels), "edges": self.shown(self.edges)}

    def describe(self) -> str:
        """The levels in words."""
        if self.edges is not None:
            edges = self.shown(self.edges) or ()
            return "up to " + ", ".join(
                f"{edge:.6g}" if isinstance(edge, float) else str(edge) for edge in edges
            )
        if self.levels is None:
            return "joint levels"
        return listed(self.shown(self.levels[:11]) or (), 10)

    def __str__(self) -> str:
        missing = f", {self.n_missing} missing" if self.n_missing else ""
        return f"{self.name} ({self.kind}): {self.n_levels} levels{missing}: {self.describe()}"


# Classes are uneven if H(y) is below this share of log2 of their number; two classes, from 32 : 68 on. One
# rare class among many changes H(y) little, as it should: its few rows must not decide.
EVEN_SHARE = 0.9


@dataclass(frozen=True)
class Target(FromElsewhere):
    """The encoded target.

    `codes` are 0..n_classes-1; rows without a label have code -1 (only where the method is
    semi-supervised, otherwise a missing label is an error). `values` holds the numbers of a real target.
    """

    codes: np.ndarray
    encoding: ColumnEncoding
    values: np.ndarray | None = None

    @property
    def n_classes(self) -> int:
        return self.encoding.n_levels

    @property
    def kind(self) -> str:
        """What the parameter `target` calls it: "class" or "real"."""
        return "class" if self.values is None else "real"

    @property
    def truth(self) -> np.ndarray:
        """The class or the real value of each row."""
        return self.codes if self.values is None else self.values

    @property
    def class_sizes(self) -> np.ndarray:
        """Rows per class."""
        return np.bincount(self.codes[self.codes >= 0], minlength=self.n_classes)

    @property
    def has_even_classes(self) -> bool:
        """Whether classes are of similar size, so that accuracy is a fair score."""
        sizes = self.class_sizes[self.class_sizes > 0]
        return bool(-plogp(sizes / sizes.sum()).sum() >= EVEN_SHARE * log2(len(sizes)))

    @property
    def is_labelled(self) -> np.ndarray:
        """True for rows with a label."""
        return self.codes >= 0

    def take_rows(self, rows: np.ndarray) -> "Target":
        """The target of some rows, with all classes."""
        values = None if self.values is None else self.values[rows]
        return Target(self.codes[rows], self.encoding, values)


@dataclass(frozen=True)
class DensePart(FromElsewhere):
    """Columns of one storage width: ``codes[k, :n_rows]`` are the levels of column `columns[k]`."""

    columns: np.ndarray
    codes: np.ndarray

    def column(self, k: int, n_rows: int) -> np.ndarray:
        return self.codes[k, :n_rows]

    def nbytes(self) -> int:
        return self.codes.nbytes


@dataclass(frozen=True)
class SparsePart(FromElsewhere):
    """Columns stored as the rows that differ from the most common level of the column.

    Rows ``rows[starts[k]:starts[k + 1]]`` of column `columns[k]` have the levels in `codes`, all
    others have level `usual[k]`.
    """

    columns: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    codes: np.ndarray
    usual: np.ndarray

    def column(self, k: int, n_rows: int) -> np.ndarray:
        stored = slice(self.starts[k], self.starts[k + 1])
        column = np.full(n_rows, self.usual[k], self.codes.dtype)
        column[self.rows[stored]] = self.codes[stored]
        freeze(column)
        return column

    def nbytes(self) -> int:
        return self.rows.nbytes + self.codes.nbytes + self.starts.nbytes


@dataclass(frozen=True)
class Codes(FromElsewhere):
    """The levels of every column, with the classes of the rows.

    Columns are stored in parts of one kind (one, two or four bytes per code, or sparse); column j is number
    ``place[j]`` of part ``part_of[j]``. Codes go from 0 to ``n_levels[j] - 1``; some of the rows keep the
    levels of the whole table. If fractional weights made copies of rows, `copies` of them count as one row
    wherever the number of rows matters.
    """

    n_rows: int
    n_levels: np.ndarray
    parts: tuple[DensePart | SparsePart, ...]
    target: Target | None = None
    copies: float = 1.0
    labels: np.ndarray = field(init=False, repr=False)  # class of each row; 0 without a target
    n_classes: int = field(init=False, repr=False)
    part_of: np.ndarray = field(init=False, repr=False)
    place: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        part_of, place = np.empty((2, len(self.n_levels)), np.int64)
        target = self.target
        labels = np.zeros(self.n_rows, np.int32) if target is None else target.codes
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "n_classes", 1 if target is None else target.n_classes)
        for p, part in enumerate(self.parts):
            part_of[part.columns] = p
            place[part.columns] = np.arange(len(part.columns))
        freeze(part_of, place, self.n_levels)
        object.__setattr__(self, "part_of", part_of)
        object.__setattr__(self, "place", place)

    @property
    def n_columns(self) -> int:
        return len(self.n_levels)

    @property
    def nbytes(self) -> int:
        """Bytes of the stored codes."""
        return sum(part.nbytes() for part in self.parts)

    def compiled(self, *more: tuple[np.ndarray, ...]) -> _core.CodeTable:
        """The table as the compiled loops see it; columns of more parts replace those of the table."""
        return _core.CodeTable(
            self.n_rows, self.n_levels, [*(tuple(vars(part).values()) for part in self.parts), *more]
        )

    def count_tables(self, columns: np.ndarray, beside: np.ndarray, n_beside: int) -> np.ndarray:
        """Rows of each level of some columns, by the number `beside` of each row; table after table."""
        beside = beside.astype(np.uint8 if n_beside <= 256 else np.uint16 if n_beside <= 65536 else np.uint32)
        tables = np.zeros(self.n_levels[columns].sum() * n_beside, np.int64)
        self.compiled().count_tables(columns, beside, n_beside, tables)
        return tables

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of each level, column after column, and where the levels of each column begin."""
        sizes = self.count_tables(np.arange(self.n_columns), np.zeros(self.n_rows, np.uint8), 1)
        return sizes, level_starts(self.n_levels)

    def column(self, j: int) -> np.ndarray:
        """The levels of column j, one per row."""
        return self.parts[self.part_of[j]].column(self.place[j], self.n_rows)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.column(j) for j in range(self.n_columns))

    def take_rows(self, rows: np.ndarray) -> "Codes":
        """Take some rows, with the levels and classes of the whole table; all columns become dense."""
        target = None if self.target is None else self.target.take_rows(rows)
        columns = {j: self.column(j)[rows] for j in range(self.n_columns)}
        parts = dense_parts(columns, self.n_levels, len(rows))
        return Codes(len(rows), self.n_levels, parts, target, self.copies)


def level_starts(n_levels: np.ndarray) -> np.ndarray:
    """Where the levels of each column begin, if all levels stand one after the other."""
    return np.asarray(np.cumsum(n_levels) - n_levels)


def dense_parts(columns: dict[int, np.ndarray], n_levels: np.ndarray, n_rows: int) -> tuple[DensePart, ...]:
    """Store columns, given by position, densely, one part per width; empties `columns` to save memory."""
    by_width: dict[np.dtype, list[int]] = {}
    for j in columns:
        by_width.setdefault(smallest_dtype(int(n_levels[j])), []).append(j)
    parts = []
    for dtype, members in by_width.items():
        codes = np.zeros((len(members), padded(n_rows)), dtype)
        for k, j in enumerate(members):
            codes[k, :n_rows] = columns.pop(j)
        positions = np.array(members, np.int64)
        freeze(codes, positions)
        parts.append(DensePart(positions, codes))
    return tuple(parts)


def sparse_parts(
    rows: np.ndarray, codes: np.ndarray, starts: np.ndarray, usual: np.ndarray, n_rows: int
) -> tuple[DensePart | SparsePart, ...]:
    """Drop codes that equal the usual level, and store each column sparse or dense, whichever is smaller."""
    column = np.repeat(np.arange(len(usual)), np.diff(starts))
    unusual = codes != usual[column]
    rows, codes, column = rows[unusual].astype(np.int32), codes[unusual], column[unusual]
    lengths = np.bincount(column, minlength=len(usual))
    is_sparse = lengths * (ROW_BYTES + codes.itemsize) <= n_rows * codes.itemsize
    parts: list[DensePart | SparsePart] = []
    chosen = np.flatnonzero(is_sparse)
    if len(chosen):
        stored = is_sparse[column]
        new_starts = np.concatenate([[0], np.cumsum(lengths[chosen])]).astype(np.int64)
        part = SparsePart(chosen, new_starts, rows[stored], codes[stored], usual[chosen])
        freeze(part.columns, part.starts, part.rows, part.codes, part.usual)
        parts.append(part)
    chosen = np.flatnonzero(~is_sparse)
    if len(chosen):
        dense = np.zeros((len(chosen), padded(n_rows)), codes.dtype)
        dense[:, :n_rows] = usual[chosen, None]
        stored = ~is_sparse[column]
        place = np.cumsum(~is_sparse) - 1
        dense[place[column[stored]], rows[stored]] = codes[stored]
        freeze(chosen, dense)
        parts.append(DensePart(chosen, dense))
    return tuple(parts)


def join_columns(codes: Codes, groups: Sequence[Sequence[int]]) -> Codes:
    """Join the columns of each group to one; groups of one column keep its storage."""
    alone = {members[0]: g for g, members in enumerate(groups) if len(members) == 1}
    n_levels = np.empty(len(groups), np.int64)
    n_levels[list(alone.values())] = codes.n_levels[list(alone)]
    parts: list[DensePart | SparsePart] = []
    for part in codes.parts:
        kept = np.array([k for k, j in enumerate(part.columns) if int(j) in alone], np.int64)
        if len(kept):
            parts.append(_take(part, kept, np.array([alone[int(part.columns[k])] for k in kept], np.int64)))
    joined: dict[int, np.ndarray] = {}
    for g, members in enumerate(groups):
        if len(members) > 1:
            joined[g], n_levels[g] = joint_levels((codes.column(j) for j in members), codes.n_rows)
    parts += dense_parts(joined, n_levels, codes.n_rows)
    return Codes(codes.n_rows, n_levels, tuple(parts), codes.target)


def joint_levels(columns: Iterable[np.ndarray], n_rows: int) -> tuple[np.ndarray, int]:
    """Joint level of each row, and the number of levels that occur; a single level without columns."""
    codes, n_levels = np.zeros(n_rows, np.int64), min(n_rows, 1)
    for column in columns:
        width = int(column.max(initial=0)) + 1
        present, codes = np.unique(codes * width + column, return_inverse=True)
        n_levels = len(present)
    return codes, n_levels


def _take(part: DensePart | SparsePart, kept: np.ndarray, columns: np.ndarray) -> DensePart | SparsePart:
    """Take some columns of a part and give them new positions."""
    if isinstance(part, DensePart):
        codes = part.codes if len(kept) == len(part.columns) else part.codes[kept]
        freeze(codes, columns)
        return DensePart(columns, codes)
    lengths = np.diff(part.starts)[kept]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    stored = np.concatenate([np.arange(part.starts[k], part.starts[k + 1]) for k in kept])
    rows, codes, usual = part.rows[stored], part.codes[stored], part.usual[kept]
    freeze(columns, starts, rows, codes, usual)
    return SparsePart(columns, starts, rows, codes, usual)

"""The encoded table: what every measure, search and cut works on."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from entropick.table.memory import freeze
from entropick.table.space import Space
from entropick.table.values import Values


@dataclass(frozen=True)
class ColumnEncoding:
    """How one column (or the target) became levels.

    Attributes
    ----------
    name : str
    kind : "numeric", "boolean", "category", "datetime", "duration" or "group"
    n_levels : levels that occur, the one of missing values included
    n_missing : missing values; they share the last level
    levels : the values of the levels, where values were kept as they are; else None
    edges : the largest value of each level but the last, where values were binned; else None
    by_target : whether the edges were chosen by looking at the target
    """

    name: str
    kind: str
    n_levels: int
    n_missing: int = 0
    levels: tuple[Any, ...] | None = None
    edges: tuple[Any, ...] | None = None
    by_target: bool = False

    def __str__(self) -> str:
        if self.edges is not None:
            detail = "up to " + ", ".join(
                f"{edge:.6g}" if isinstance(edge, float) else str(edge) for edge in self.edges
            )
        elif self.levels is not None:
            shown = [str(level) for level in self.levels[:10]]
            detail = ", ".join(shown + ["..."] * (len(self.levels) > len(shown)))
        else:
            detail = "joint levels"
        missing = f", {self.n_missing} missing" if self.n_missing else ""
        return f"{self.name} ({self.kind}): {self.n_levels} levels{missing}: {detail}"


@dataclass(frozen=True)
class Target:
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
    def is_labelled(self) -> np.ndarray:
        """True for rows with a label."""
        return self.codes >= 0


@dataclass(frozen=True)
class DensePart:
    """Columns of one storage width: ``codes[k, :n_rows]`` are the levels of column `columns[k]`."""

    columns: np.ndarray
    codes: np.ndarray

    def column(self, k: int, n_rows: int) -> np.ndarray:
        return self.codes[k, :n_rows]

    def nbytes(self) -> int:
        return self.codes.nbytes


@dataclass(frozen=True)
class SparsePart:
    """Columns stored as the rows that differ from the column's usual level.

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
class Table:
    """An immutable table of levels, column by column, with its target.

    The columns stand in parts of equal storage (one, two or four bytes per code, or sparse); column j
    is number ``place[j]`` of part ``part_of[j]``. Where a measure works with distances, `space` holds the
    columns as coordinates, where it works with numbers, `values` holds these (rows, columns), and `members`
    says which of them belong to each column of the table (None: one each). `source` is the table as it came
    in, for estimators that score subsets of its columns.
    """

    n_rows: int
    encodings: tuple[ColumnEncoding, ...]
    parts: tuple[DensePart | SparsePart, ...]
    target: Target | None = None
    space: Space | None = None
    values: Values | None = None
    source: Any = None
    members: tuple[tuple[int, ...], ...] | None = None
    part_of: np.ndarray = field(init=False, repr=False, compare=False)
    place: np.ndarray = field(init=False, repr=False, compare=False)
    n_levels: np.ndarray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        part_of = np.empty(self.n_columns, np.int64)
        place = np.empty(self.n_columns, np.int64)
        for p, part in enumerate(self.parts):
            part_of[part.columns] = p
            place[part.columns] = np.arange(len(part.columns))
        n_levels = np.array([encoding.n_levels for encoding in self.encodings], np.int64)
        freeze(part_of, place, n_levels)
        object.__setattr__(self, "part_of", part_of)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "n_levels", n_levels)

    @property
    def n_columns(self) -> int:
        return len(self.encodings)

    def with_space(self, space: Space) -> "Table":
        """The same table with its columns as coordinates beside it."""
        return dataclasses.replace(self, space=space)

    def with_values(self, values: Values) -> "Table":
        """The same table with its columns as numbers beside it."""
        return dataclasses.replace(self, values=values)

    def with_source(self, source: Any) -> "Table":
        """The same table with the one it was made of beside it."""
        return dataclasses.replace(self, source=source)

    def columns_of(self, units: np.ndarray) -> np.ndarray:
        """The columns as they came in that belong to some columns of this table."""
        if self.members is None:
            return units
        return np.array([j for unit in units for j in self.members[unit]], np.int64)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(encoding.name for encoding in self.encodings)

    @property
    def is_binned_by_target(self) -> bool:
        """Whether the levels of some column were chosen by looking at the target."""
        return any(encoding.by_target for encoding in self.encodings)

    @property
    def nbytes(self) -> int:
        """Bytes of the stored codes."""
        return sum(part.nbytes() for part in self.parts)

    def column(self, j: int) -> np.ndarray:
        """The levels of column j, one per row."""
        return self.parts[self.part_of[j]].column(self.place[j], self.n_rows)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.column(j) for j in range(self.n_columns))

    def grouped(self, groups: Sequence[Sequence[int]]) -> "Table":
        """A table with one column per group: the joint levels of the group's columns."""
        from entropick.table.joint import join_columns

        return join_columns(self, groups)

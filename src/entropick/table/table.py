"""The table that parts work on: one interface for rows in memory, in partitions and in chunks of columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from entropick._base.threads import Threads
from entropick.contracts import Counts, Need, NumberSums, StepState
from entropick.counting.surprisal import ColumnCounts
from entropick.records.exploration import Exploration
from entropick.records.selection import Step
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.notes import Note
from entropick.table.numeric.coordinates import Coordinates
from entropick.table.numeric.numbers import Numbers

View = TypeVar("View")


class Units:
    """What is selected as a whole: single columns, or disjoint groups of columns.

    Attributes
    ----------
    columns : names of all columns
    names : names of the units, in the order of their first columns
    groups : columns of each unit; None if every unit is a single column
    """

    def __init__(self, columns: Sequence[str], groups: Sequence[Sequence[int]] | None = None) -> None:
        self.columns = self.names = tuple(columns)
        self.groups: tuple[tuple[int, ...], ...] | None = None
        if groups:
            grouped = {j for members in groups for j in members}
            alone = [(j,) for j in range(len(columns)) if j not in grouped]
            self.groups = tuple(sorted([*map(tuple, groups), *alone], key=min))
            self.names = tuple(" + ".join(columns[j] for j in members) for members in self.groups)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _unit_of(self) -> np.ndarray:
        unit_of = np.arange(len(self.columns))
        for unit, members in enumerate(self.groups or ()):
            unit_of[list(members)] = unit
        return unit_of

    def members_of(self, unit: int) -> tuple[int, ...]:
        """The columns of a unit."""
        return (unit,) if self.groups is None else self.groups[unit]

    def of(self, columns: Sequence[int]) -> list[int]:
        """The units of some columns, without repetition."""
        return list(dict.fromkeys(self._unit_of[list(columns)].tolist()))

    def name_of(self, column: int) -> str:
        """The name of the unit of a column."""
        return self.names[self._unit_of[column]]

    def columns_of(self, units: Sequence[int] | np.ndarray) -> np.ndarray:
        """The columns of some units, one unit after the other."""
        if self.groups is None:
            return np.asarray(units, np.int64)
        return np.array([j for unit in units for j in self.groups[unit]], np.int64)

    def per_column(self, of_units: np.ndarray) -> np.ndarray:
        """Repeat values of units for each of their columns."""
        return of_units if self.groups is None else of_units[self._unit_of]

    def best_of(self, scores: np.ndarray) -> np.ndarray:
        """Scores of units from scores of columns: a group has that of its best column."""
        if self.groups is None:
            return scores
        return np.array([scores[list(members)].max() for members in self.groups])

    def sum_of(self, weights: np.ndarray) -> np.ndarray:
        """Weights of units from weights of columns: a group has their sum."""
        if self.groups is None:
            return weights
        return np.array([weights[list(members)].sum() for members in self.groups])

    def expand(self, *steps: Step) -> tuple[Step, ...]:
        """Convert steps over units to steps over columns."""
        groups = self.groups
        if groups is None:
            return steps
        return tuple(
            step.annotated(
                columns=groups[step.column],
                runner_up=None if step.runner_up is None else groups[step.runner_up][0],
                ties=tuple(groups[unit][0] for unit in step.ties),
                dropped=tuple(groups[unit][0] for unit in step.dropped),
            )
            for step in steps
        )

    def expand_exploration(self, exploration: Exploration) -> Exploration:
        """Convert an exploration over units to one over columns."""
        return exploration if self.groups is None else exploration.expanded(self._unit_of)


class Beginner(Protocol):
    """The methods of a measure that a table calls."""

    @property
    def kinds(self) -> frozenset[str]: ...

    def begin_steps(self, table: "Table", threads: Threads) -> StepState: ...


@dataclass(frozen=True, kw_only=True)
class Table:
    """Units to choose from, the target, and the requested views of the data.

    Attributes
    ----------
    units : columns or groups of columns to choose from
    n_columns : number of units
    n_rows : number of rows; a row counts as often as its weight says
    n_rows_in : number of input rows if fractional weights made copies of them; else 0
    needs : views the table was opened with
    encodings : how columns became levels, if the table has counts
    notes : columns that should hardly be selected, such as identifiers
    per_target : if scores are summed over several targets, the same table with each of them
    is_binned_by_target : whether the target was used to choose levels
    row_groups : group of each row, 0, 1, ..., where rows belong together; None if they are independent
    """

    offers: ClassVar[frozenset[Need]] = frozenset()  # views that tables of this kind can give

    units: Units
    n_columns: int = field(init=False)
    n_rows: int
    n_rows_in: int = 0
    needs: frozenset[Need] = frozenset()
    encodings: Sequence[ColumnEncoding] = ()
    notes: tuple[Note, ...] = ()
    per_target: tuple["Table", ...] = ()
    row_groups: np.ndarray | None = None
    is_binned_by_target: bool = False
    _target: Target | None = None
    _counts: Counts | None = None
    _sums: NumberSums | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_columns", len(self.units))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the units."""
        return self.units.names

    @property
    def n_varying(self) -> int:
        """Number of units that are not constant, if levels are counted; else of all units."""
        return self.n_columns if self._counts is None else int(np.count_nonzero(self._counts.n_levels > 1))

    @property
    def has_target(self) -> bool:
        return self._target is not None

    @property
    def target(self) -> Target:
        """The encoded target; check `has_target` first if it is optional."""
        return made(self._target, "target")

    @property
    def target_encoding(self) -> ColumnEncoding | None:
        """How the target became classes; None without a target."""
        return None if self._target is None else self._target.encoding

    @property
    def has_counts(self) -> bool:
        """Whether columns can be counted given others, not only by themselves."""
        return self._counts is not None

    @property
    def counts(self) -> Counts:
        """Sums of φ over contingency counts."""
        return made(self._counts, Need.COUNTS)

    @property
    def column_counts(self) -> ColumnCounts:
        """The counts of single columns, which chunks of columns have as well."""
        return self.counts

    def levels(self, unit: int) -> np.ndarray:
        """The level of a unit in each row."""
        return made(None, "single rows")

    @property
    def sums(self) -> NumberSums:
        """Sums over the rows of columns as numbers."""
        return made(self._sums, Need.SUMS)

    @property
    def numbers(self) -> Numbers:
        """The columns as numbers, row by row."""
        return made(None, Need.NUMBERS)

    @property
    def coordinates(self) -> Coordinates:
        """The columns as coordinates of rows."""
        return made(None, Need.DISTANCES)

    @property
    def source(self) -> object:
        """X as it was passed."""
        return made(None, Need.SOURCE)

    def rows(self, rows: np.ndarray, *, refit: bool = False) -> "Table":
        """Take some rows; `refit` finds levels, scales and classes anew in them, which must be ascending."""
        return made(None, "single rows")

    def values(self, units: Sequence[int]) -> np.ndarray:
        """The numbers of units of one numeric column each, (units, rows)."""
        return made(None, Need.SOURCE)

    def with_rows_of(self, columns: Sequence[tuple[int, np.ndarray | None]]) -> "Table":
        """A table of units that have the values of other rows; None for their own, in order."""
        return made(None, Need.SOURCE)

    def begin_steps(self, measure: Beginner, threads: Threads) -> StepState:
        """Start a measure that scores columns on this table."""
        return measure.begin_steps(self, threads)


def made(view: View | None, what: str) -> View:
    """Return a view of a table; fail if the table was opened without it."""
    if view is None:
        raise AssertionError(f"a part uses {what} of the data without declaring that it needs them")
    return view

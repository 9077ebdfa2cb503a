"""What parts work on: one interface, whether rows are in memory, in partitions or in chunks of columns."""

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
    """What comes or goes together: single columns, or groups of columns.

    Parameters
    ----------
    columns : names of all columns
    groups : disjoint groups of columns; other columns stand alone

    Attributes
    ----------
    columns : names of all columns
    names : of the units, in the order of their first columns
    groups : columns of each unit; None where every column stands alone
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
        """The unit of each column."""
        unit_of = np.arange(len(self.columns))
        for unit, members in enumerate(self.groups or ()):
            unit_of[list(members)] = unit
        return unit_of

    def members_of(self, unit: int) -> tuple[int, ...]:
        """The columns of a unit."""
        return (unit,) if self.groups is None else self.groups[unit]

    def of(self, columns: Sequence[int]) -> list[int]:
        """The units that some columns belong to, each once."""
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
        """What units have as what their columns have."""
        return of_units if self.groups is None else of_units[self._unit_of]

    def best_of(self, scores: np.ndarray) -> np.ndarray:
        """Scores of columns as scores of units: a group is as good as the best of its columns."""
        if self.groups is None:
            return scores
        return np.array([scores[list(members)].max() for members in self.groups])

    def sum_of(self, weights: np.ndarray) -> np.ndarray:
        """Weights of columns as weights of units: a group has the sum of its columns."""
        if self.groups is None:
            return weights
        return np.array([weights[list(members)].sum() for members in self.groups])

    def expand(self, *steps: Step) -> tuple[Step, ...]:
        """Steps over units as steps over columns."""
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
        """An exploration over units as one over columns."""
        return exploration if self.groups is None else exploration.expanded(self._unit_of)


class Beginner(Protocol):
    """A measure, as far as a table knows it."""

    @property
    def kinds(self) -> frozenset[str]: ...

    def begin_steps(self, table: "Table", threads: Threads) -> StepState: ...


@dataclass(frozen=True, kw_only=True)
class Table:
    """What a selection works on: units to choose from, the target, and the views that were asked for.

    Attributes
    ----------
    units : columns or groups of columns to choose from
    n_columns : how many there are
    n_rows : rows, as often as their weights say
    n_rows_in : rows that the record speaks of, if weights with fractions made copies of them; else 0
    needs : what it was opened for
    encodings : how columns became levels, if they were counted
    notes : columns that are hardly an answer
    per_target : the same table with each of several targets whose scores are summed
    """

    offers: ClassVar[frozenset[Need]] = frozenset()  # what tables of this kind can give

    units: Units
    n_columns: int = field(init=False)
    n_rows: int
    n_rows_in: int = 0
    needs: frozenset[Need] = frozenset()
    encodings: Sequence[ColumnEncoding] = ()
    notes: tuple[Note, ...] = ()
    per_target: tuple["Table", ...] = ()
    is_binned_by_target: bool = False  # whether levels were chosen by looking at the target
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
        """Units that are not constant, as far as their levels were counted."""
        return self.n_columns if self._counts is None else int(np.count_nonzero(self._counts.n_levels > 1))

    @property
    def has_target(self) -> bool:
        return self._target is not None

    @property
    def target(self) -> Target:
        """The encoded target; a part that can do without asks `has_target` first."""
        return made(self._target, "target")

    @property
    def target_encoding(self) -> ColumnEncoding | None:
        """How the target became classes; None if there is no target."""
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
        """The counts of single columns, which chunks of columns have, too."""
        return self.counts

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
        """The table as it came in."""
        return made(None, Need.SOURCE)

    def rows(self, rows: np.ndarray, *, refit: bool = False) -> "Table":
        """Some rows; with `refit`, in ascending order, levels, scales and classes are found in them alone."""
        return made(None, "single rows")

    def begin_steps(self, measure: Beginner, threads: Threads) -> StepState:
        """A measure that scores columns, at work on this table."""
        return measure.begin_steps(self, threads)


def made(view: View | None, what: str) -> View:
    """A view that was asked for when the table was opened."""
    if view is None:
        raise AssertionError(f"a part uses {what} of the data without declaring that it needs them")
    return view

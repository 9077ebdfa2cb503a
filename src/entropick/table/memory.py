"""Tables in memory: each column is read once and converted to the views that parts need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from entropick._base.race import FallingScore
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.counting.local import LocalCounts, LocalMinima
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.table.codes import Codes, Target, join_columns
from entropick.table.encoding.encoding import Rules, codes_view
from entropick.table.encoding.target import target_of_rows
from entropick.table.notes import Note
from entropick.table.numeric.coordinates import Coordinates, CoordinatesView
from entropick.table.numeric.numbers import Numbers, NumbersView, sparse_numbers
from entropick.table.numeric.sums import SumsOfRows
from entropick.table.readers.inputs import (
    Columns,
    Input,
    SparseInput,
    View,
    check_shape,
    container_rows,
    open_input,
    read_columns,
)
from entropick.table.table import Table, Units, made

VIEWS = frozenset({Need.COUNTS, Need.SUMS, Need.NUMBERS, Need.DISTANCES})  # what columns are read for
EVERYTHING = 1 << 61  # larger than any difference of scores: sums of φ stay below 2^60


@dataclass(frozen=True, kw_only=True)
class MemoryTable(Table):
    """A table in memory."""

    offers = frozenset(Need)

    _counts: LocalCounts | None = None
    _sums: SumsOfRows | None = None
    _codes: Codes | None = None
    _coordinates: Coordinates | None = None
    _source: object = None
    _threads: Threads
    _remake: "_Recipe | None" = None

    def levels(self, unit: int) -> np.ndarray:
        return made(self._codes, Need.COUNTS).column(unit)

    @property
    def numbers(self) -> Numbers:
        return made(self._sums, Need.NUMBERS).numbers

    @property
    def coordinates(self) -> Coordinates:
        return made(self._coordinates, Need.DISTANCES)

    @property
    def source(self) -> object:
        return made(self._source, Need.SOURCE)

    def rows(
        self, rows: np.ndarray, *, refit: bool = False, answers: np.ndarray | None = None
    ) -> "MemoryTable":
        if refit:
            return made(self._remake, Need.SOURCE).on_rows(rows, rows if answers is None else answers)
        numbers = None if self._sums is None else self._sums.numbers
        if isinstance(numbers, np.ndarray):
            numbers = np.asfortranarray(numbers[rows])
        elif numbers is not None:
            numbers = numbers.tocsr()[rows].tocsc()
        target = None if self._target is None else self._target.take_rows(rows)
        codes = None if self._codes is None else self._codes.take_rows(rows)
        return replace(
            self,
            n_rows=len(rows),
            _target=target,
            _counts=None if codes is None else LocalCounts(codes, self._threads),
            _codes=codes,
            _sums=None if numbers is None else SumsOfRows(numbers, target, self._threads),
            _coordinates=None,
            per_target=tuple(part.rows(rows) for part in self.per_target),
            row_groups=None if self.row_groups is None else self.row_groups[rows],
        )

    def values(self, units: Sequence[int]) -> np.ndarray:
        columns = self.units.columns_of(units)
        found = np.empty((len(columns), self.n_rows))
        for read, values in open_input(self.source, exact=True).numeric(columns):
            found[np.searchsorted(columns, read)] = values
        return found

    def with_rows_of(self, columns: Sequence[tuple[int, np.ndarray | None]]) -> "MemoryTable":
        members = [(j, rows) for unit, rows in columns for j in self.units.members_of(unit)]
        sizes = [len(self.units.members_of(unit)) for unit, _ in columns]
        groups = None
        if self.units.groups is not None:
            groups = [
                range(end - size, end) for size, end in zip(sizes, np.cumsum(sizes).tolist(), strict=True)
            ]
        return made(self._remake, Need.SOURCE).of_columns(members, groups)


@dataclass(frozen=True)
class _Recipe:
    """How a table was made, to make similar ones; `make` has the settings that they share."""

    X: Any
    target: Target | None
    summed: tuple[Target, ...]
    names: Sequence[str] | None
    groups: Sequence[Sequence[int]] | None
    row_groups: np.ndarray | None
    make: Callable[..., MemoryTable]
    rules: Rules

    def on_rows(self, rows: np.ndarray, answers: np.ndarray) -> MemoryTable:
        """The same columns on some of the rows, with the targets of these or of other rows.

        Levels, scales and classes are those of these rows.
        """
        return self.make(
            container_rows(self.X, rows),
            None if self.target is None else target_of_rows(self.target, answers, self.rules),
            summed=[target_of_rows(one, answers, self.rules) for one in self.summed],
            names=self.names,
            groups=self.groups,
            row_groups=None if self.row_groups is None else self.row_groups[rows],
        )

    def of_columns(
        self, columns: Sequence[tuple[int, np.ndarray | None]], groups: Sequence[Sequence[int]] | None
    ) -> MemoryTable:
        """Columns with the values of other rows, and the target as it is."""
        X = ColumnsOfRows(open_input(self.X, self.names, exact=True), columns)
        return self.make(X, self.target, summed=self.summed, groups=groups, row_groups=self.row_groups)


class ColumnsOfRows:
    """Columns of another input, each with the values of other rows, such as knockoffs; None for its own."""

    columns_together = 1
    offsets: Mapping[int, int] = MappingProxyType({})  # levels are asked for, not the values at their ends
    rounded: Sequence[int] = ()  # the other input has told

    def __init__(self, source: Input, columns: Sequence[tuple[int, np.ndarray | None]]) -> None:
        self._source, self._columns = source, columns
        self._numbers: dict[int, np.ndarray] = {}  # columns that were read, as others may be copies of them
        self._categories: dict[int, tuple[np.ndarray, list[Any]]] = {}
        self.n_rows = source.n_rows
        self.names: Sequence[str] = [source.names[j] for j, _ in columns]
        self.kinds = [source.kinds[j] for j, _ in columns]

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        found = []
        for at in columns:
            j, rows = self._columns[at]
            if j not in self._numbers:
                ((_, self._numbers[j]),) = self._source.numeric(np.array([j]))
            values = self._numbers[j]
            found.append((np.array([at]), values if rows is None else np.ascontiguousarray(values[:, rows])))
        return found

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        column, rows = self._columns[j]
        if column not in self._categories:
            self._categories[column] = self._source.category(column)
        codes, levels = self._categories[column]
        return codes if rows is None else codes[rows], levels


class SummedCounts(LocalCounts):
    """Counts with one of several targets; no candidate is skipped, because scores are summed over all."""

    def race(self, columns: ColumnSums, score: FallingScore, *, capped: bool) -> None:
        """None: all candidates are counted."""

    def minima(self, start: np.ndarray, surprisal: Surprisal, slack: int) -> LocalMinima:
        return super().minima(start, surprisal, EVERYTHING)


def make_table(
    X: Any,
    target: Target | None,
    needs: frozenset[Need],
    *,
    rules: Rules | None = None,
    scaling: str | None = "range",
    names: Sequence[str] | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    threads: Threads | None = None,
    summed: Sequence[Target] = (),
    copies: float = 1.0,
    notes: tuple[Note, ...] = (),
    n_rows_in: int = 0,
    row_groups: np.ndarray | None = None,
    source: Input | None = None,
) -> MemoryTable:
    """Read a table and make the views that parts need.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe
    target : encoded target
    needs : views that the parts need
    rules : how values become levels
    scaling : how coordinates are scaled; None leaves them in their units
    names : column names, for containers without names
    groups : disjoint groups of columns that are selected together
    summed : several targets over which scores are summed; `target` is then their joint
    copies : rows that count as one in corrections, see `Codes`
    notes, n_rows_in, row_groups : see `Table`
    source : X, if it has been opened
    """
    source = source or (X if isinstance(X, ColumnsOfRows) else open_input(X, names, exact=True))
    rules, threads = rules or Rules(), threads or Threads(1)
    again = partial(make_table, needs=needs, rules=rules, scaling=scaling, threads=threads, copies=copies)
    check_shape(source.n_rows, source.names)
    codes = codes_view(source, target, rules) if Need.COUNTS in needs else None
    numbers = coordinates = None
    is_lazy = needs & VIEWS == {Need.SUMS}  # moments alone may not need the columns
    if needs & {Need.NUMBERS, Need.SUMS} and not (is_lazy or isinstance(source, SparseInput)):
        numbers = NumbersView(source, rules.missing)
    if Need.DISTANCES in needs:
        coordinates = CoordinatesView(source, scaling, rules.missing)
    views: list[View] = [view for view in (codes, numbers, coordinates) if view is not None]
    if views:
        read_columns(source, views, threads)
    units = Units(source.names, groups)
    encoding = None if codes is None else codes.encoding()
    of_units = None if codes is None else _of_units(codes.codes(), units, copies)
    sums = None
    if needs & {Need.NUMBERS, Need.SUMS}:
        values = _reader(source, rules.missing, threads) if numbers is None else numbers.numbers()
        sums = SumsOfRows(values, target, threads, table=X)

    table = MemoryTable(
        units=units,
        n_rows=source.n_rows,
        n_rows_in=n_rows_in,
        needs=needs,
        notes=notes,
        row_groups=row_groups,
        encodings=() if encoding is None else encoding.columns,
        is_binned_by_target=encoding is not None and encoding.is_by_target,
        _target=target,
        _counts=None if of_units is None else LocalCounts(of_units, threads),
        _codes=of_units,
        _sums=sums,
        _coordinates=None if coordinates is None else coordinates.coordinates(),
        _source=X if Need.SOURCE in needs else None,
        _threads=threads,
        _remake=None
        if Need.SOURCE not in needs
        else _Recipe(X, target, tuple(summed), names, groups, row_groups, again, rules),
    )
    each = tuple(_with_target(table, one, of_units, threads) for one in summed)
    return replace(table, per_target=each) if each else table


def _reader(source: Input, missing: str, threads: Threads) -> Callable[[], Numbers]:
    """What reads the columns of a table as numbers."""

    def read() -> Numbers:
        if isinstance(source, SparseInput):
            return sparse_numbers(source, missing)
        view = NumbersView(source, missing)
        read_columns(source, [view], threads)
        return view.numbers()

    return read


def _of_units(codes: Codes, units: Units, copies: float) -> Codes:
    """The codes of units; a group has the joint levels of its columns."""
    codes = codes if units.groups is None else join_columns(codes, units.groups)
    return codes if copies == 1 else replace(codes, copies=copies)


def _with_target(table: MemoryTable, target: Target, codes: Codes | None, threads: Threads) -> MemoryTable:
    """The same table with one of several targets; all share the columns."""
    codes = None if codes is None else replace(codes, target=target)
    counts = None if codes is None else SummedCounts(codes, threads)
    sums = None if table._sums is None else SumsOfRows(table._sums.numbers, target, threads, is_summed=True)
    return replace(table, _target=target, _counts=counts, _codes=codes, _sums=sums)

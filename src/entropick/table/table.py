"""From a table of any container to the data that parts work on: each column is read once."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from entropick._base.threads import Threads
from entropick.contracts import Counts, Need, NumberSums
from entropick.counting.local import LocalCounts
from entropick.counting.rows import RowPartitionedCounts, TablesInProcess
from entropick.exceptions import DataError
from entropick.table.codes import Codes, Target, join_columns
from entropick.table.coordinates import Coordinates, CoordinatesView
from entropick.table.encoding import CodesView, Encoding, Rules, check_shape, codes_view
from entropick.table.inputs import SparseInput, View, container_rows, open_input, read_columns
from entropick.table.numbers import Numbers, NumbersView, sparse_numbers
from entropick.table.target import target_of_rows

Made = TypeVar("Made")


@dataclass(frozen=True)
class Table:
    """What a selection works on: units to choose from, the target, and the views that were asked for.

    Attributes
    ----------
    names : of the units to choose from: columns, or groups of columns that come or go together
    n_rows : rows
    members : columns of each unit; None where every column stands alone
    is_binned_by_target : whether levels were chosen by looking at the target
    """

    names: tuple[str, ...]
    n_rows: int
    _target: Target | None = None
    _counts: Counts | None = None
    _numbers: Numbers | None = None
    _coordinates: Coordinates | None = None
    source: object = None
    members: tuple[tuple[int, ...], ...] | None = None
    is_binned_by_target: bool = False
    is_partitioned: bool = False  # whether rows can only be counted and summed, not looked at
    _sums: NumberSums | None = None  # of columns as numbers, where rows are partitioned
    per_target: tuple["Table", ...] = ()  # the same with each of several targets, whose scores are summed
    is_summed: bool = False  # whether it is one of these, so that the scores of all candidates are needed
    _remake: "Callable[[np.ndarray], Table] | None" = None

    @property
    def n_columns(self) -> int:
        """Units to choose from."""
        return len(self.names)

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
        return _made(self._target, "target")

    @property
    def counts(self) -> Counts:
        return _made(self._counts, Need.COUNTS)

    @property
    def numbers(self) -> Numbers:
        return _made(self._numbers, Need.NUMBERS)

    @property
    def has_sums(self) -> bool:
        """Whether of columns as numbers only sums over the rows are at hand."""
        return self._sums is not None

    @property
    def sums(self) -> NumberSums:
        return _made(self._sums, "sums of numbers")

    @property
    def coordinates(self) -> Coordinates:
        return _made(self._coordinates, Need.DISTANCES)

    @property
    def has_distances(self) -> bool:
        """Whether rows are compared with each other, which takes longer than counting."""
        return self._coordinates is not None

    def take_rows(self, rows: np.ndarray) -> "Table":
        """Some rows of the target, counts and numbers."""
        numbers = self._numbers
        if isinstance(numbers, np.ndarray):
            numbers = np.asfortranarray(numbers[rows])
        elif numbers is not None:
            numbers = numbers.tocsr()[rows].tocsc()
        return dataclasses.replace(
            self,
            n_rows=len(rows),
            _target=None if self._target is None else self._target.take_rows(rows),
            _counts=None if self._counts is None else self._counts.take_rows(rows),
            _numbers=numbers,
            _coordinates=None,
            per_target=tuple(part.take_rows(rows) for part in self.per_target),
        )

    def made_anew(self, rows: np.ndarray) -> "Table":
        """Data of some rows, in ascending order: their levels, scales and classes are found in them alone."""
        return _made(self._remake, Need.SOURCE)(rows)

    def units_of(self, columns: Sequence[int]) -> list[int]:
        """The units that some columns belong to, each once."""
        if self.members is None:
            return list(dict.fromkeys(columns))
        unit_of = {j: u for u, members in enumerate(self.members) for j in members}
        return list(dict.fromkeys(unit_of[j] for j in columns))

    def per_column(self, of_units: np.ndarray) -> np.ndarray:
        """What units have as what their columns have."""
        if self.members is None:
            return of_units
        of_columns = np.empty(sum(len(columns) for columns in self.members))
        for value, columns in zip(of_units, self.members, strict=True):
            of_columns[list(columns)] = value
        return of_columns

    def columns_of(self, units: np.ndarray) -> np.ndarray:
        """The columns, as they came in, of some units."""
        if self.members is None:
            return units
        return np.array([j for unit in units for j in self.members[unit]], np.int64)


def _made(view: Made | None, what: str) -> Made:
    if view is None:
        raise AssertionError(f"a part uses {what} of the data without declaring that it needs them")
    return view


def make_table(
    X: Any,
    target: Target | None,
    needs: frozenset[Need],
    *,
    rules: Rules | None = None,
    scaling: str = "range",
    names: Sequence[str] | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    threads: Threads | None = None,
    summed: Sequence[Target] = (),
    copies: float = 1.0,
) -> tuple[Table, Encoding | None]:
    """Read a table, and make of it what is needed.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe
    target : encoded target
    needs : what the parts need
    rules : how values become levels
    scaling : how coordinates are scaled
    names : of columns, for containers without names
    groups : disjoint groups of columns that come or go together; other columns stand alone
    threads : threads
    summed : several targets over which scores are summed; `target` then is their joint
    copies : rows for each that counts as one in a correction

    Returns
    -------
    table : what was needed
    encoding : how columns became levels, where codes were needed
    """
    source = open_input(X, names, exact=True)
    rules, threads = rules or Rules(), threads or Threads(1)
    check_shape(source)
    codes: CodesView | None = codes_view(source, target, rules) if Need.COUNTS in needs else None
    numbers = coordinates = sparse = None
    if Need.NUMBERS in needs:
        if isinstance(source, SparseInput):
            sparse = sparse_numbers(source, rules.missing)
        else:
            numbers = NumbersView(source, rules.missing)
    if Need.DISTANCES in needs:
        coordinates = CoordinatesView(source, scaling, rules.missing)
    views: list[View] = [view for view in (codes, numbers, coordinates) if view is not None]
    read_columns(source, views, threads)
    members = _units(groups, len(source.names))
    encoding = None if codes is None else codes.encoding()
    codes_of_units = None if codes is None else _grouped(codes.codes(), members)
    if codes_of_units is not None and copies != 1:
        codes_of_units = dataclasses.replace(codes_of_units, copies=copies)

    def remake(rows: np.ndarray) -> Table:
        labels = None if target is None else target_of_rows(target, rows, rules)
        each = [target_of_rows(one, rows, rules) for one in summed]
        return make_table(
            container_rows(X, rows), labels, needs, rules=rules, scaling=scaling, names=names, groups=groups,
            threads=threads, summed=each, copies=copies,
        )[0]  # fmt: skip

    table = Table(
        names=_unit_names(source.names, members),
        n_rows=source.n_rows,
        _target=target,
        _counts=None if codes_of_units is None else LocalCounts(codes_of_units, threads),
        _numbers=sparse if numbers is None else numbers.numbers(),
        _coordinates=None if coordinates is None else coordinates.coordinates(),
        source=X if Need.SOURCE in needs else None,
        members=members,
        is_binned_by_target=encoding is not None and encoding.is_by_target,
        _remake=remake if Need.SOURCE in needs else None,
    )
    return dataclasses.replace(
        table, per_target=_per_target(table, summed, codes_of_units, threads)
    ), encoding


def _per_target(
    table: Table, targets: Sequence[Target], codes: Codes | None, threads: Threads
) -> tuple[Table, ...]:
    """The same data with each of the targets; all share the columns."""

    def counts_of(target: Target) -> Counts | None:
        return None if codes is None else LocalCounts(dataclasses.replace(codes, target=target), threads)

    return tuple(
        dataclasses.replace(table, _target=target, _counts=counts_of(target), is_summed=True)
        for target in targets
    )


def table_of_partitions(partitions: Sequence[Codes], names: Sequence[str]) -> Table:
    """Data whose rows are split into tables of codes with the same levels, see `Encoding.apply`."""
    first = partitions[0]
    for part in partitions:
        if part.target is None or first.target is None:
            raise DataError("Partitions of rows need a target.")
        if not np.array_equal(part.n_levels, first.n_levels) or part.target.encoding != first.target.encoding:
            raise DataError(
                "Partitions of rows must have the same levels and classes. Hint: find them on all rows, then "
                "encode each partition with Encoding.apply and apply_target."
            )
    return Table(
        names=tuple(names),
        n_rows=sum(part.n_rows for part in partitions),
        _target=first.target,
        _counts=RowPartitionedCounts(TablesInProcess(partitions)),
        is_partitioned=True,
    )


def _units(groups: Sequence[Sequence[int]] | None, n_columns: int) -> tuple[tuple[int, ...], ...] | None:
    """The columns of each unit, in the order of their first columns."""
    if not groups:
        return None
    grouped = {j for members in groups for j in members}
    units = [tuple(members) for members in groups]
    units += [(j,) for j in range(n_columns) if j not in grouped]
    return tuple(sorted(units, key=min))


def _unit_names(names: Sequence[str], members: tuple[tuple[int, ...], ...] | None) -> tuple[str, ...]:
    if members is None:
        return tuple(names)
    return tuple(" + ".join(names[j] for j in columns) for columns in members)


def _grouped(codes: Codes, members: tuple[tuple[int, ...], ...] | None) -> Codes:
    return codes if members is None else join_columns(codes, members)

"""From a table of any container to the data that parts work on: each column is read once."""

from collections.abc import Sequence
from typing import Any

from entropick.contracts import Data, Need
from entropick.counting.local import LocalCounts
from entropick.counting.rows import RowPartitionedCounts, TablesInProcess
from entropick.exceptions import DataError
from entropick.table.codes import Codes, join_columns
from entropick.table.coordinates import CoordinatesView
from entropick.table.encoding import CodesView, Encoding, Rules, check_shape, codes_view
from entropick.table.inputs import SparseInput, open_input
from entropick.table.levels import Target
from entropick.table.numbers import NumbersView, sparse_numbers
from entropick.table.reading import View, read_columns
from entropick.workers import Workers


def make_data(
    X: Any,
    target: Target | None,
    needs: frozenset[Need],
    *,
    rules: Rules | None = None,
    scaling: str = "range",
    names: Sequence[str] | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    workers: Workers | None = None,
) -> tuple[Data, Encoding | None]:
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
    workers : threads

    Returns
    -------
    data : what was needed
    encoding : how columns became levels, where codes were needed
    """
    source, rules, workers = open_input(X, names), rules or Rules(), workers or Workers(1)
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
    read_columns(source, views, workers)
    members = _units(groups, len(source.names))
    encoding = None if codes is None else codes.encoding()
    data = Data(
        names=_unit_names(source.names, members),
        n_rows=source.n_rows,
        _target=target,
        _counts=None if codes is None else LocalCounts(_grouped(codes.codes(), members), workers),
        _numbers=sparse if numbers is None else numbers.numbers(),
        _coordinates=None if coordinates is None else coordinates.coordinates(),
        source=X if Need.SOURCE in needs else None,
        members=members,
        is_binned_by_target=encoding is not None and encoding.is_by_target,
    )
    return data, encoding


def data_of_partitions(partitions: Sequence[Codes], names: Sequence[str]) -> Data:
    """Data whose rows are split into tables of codes with the same levels, see `Encoding.apply`."""
    first = partitions[0]
    if first.target is None:
        raise DataError("Partitions of rows need a target.")
    return Data(
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

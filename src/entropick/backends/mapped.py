"""Tables in partitions held by another engine, such as Spark: functions are sent, small results come back.

The rest of this package sees all partitions of such a table as one source, which the engine splits.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

import narwhals.stable.v2 as nw
import numpy as np

from entropick.backends.files import NamedTable
from entropick.backends.parts import Partitions
from entropick.counting.rows import added, class_sizes
from entropick.exceptions import DataError
from entropick.table.codes import Codes

Counted = TypeVar("Counted")


class Parts(Protocol):
    """What an engine holds of each partition; see `partitioned`."""

    def total(self, call: Callable[[Any], Any], add: Callable[[Sequence[Any]], Any]) -> Any:
        """Call a function on each partition and `add` the results."""

    def hold(self, call: Callable[[Any], Any]) -> "Parts":
        """Call a function on each partition; the results stay there."""


@dataclass(frozen=True)
class PartitionedTable(NamedTable):
    """A table in partitions held by another engine; made by `entropick.partitioned`."""

    parts: Parts

    def _column(self, name: str) -> "PartitionedColumn":
        return PartitionedColumn(self.parts, name)


class PartitionedColumn(NamedTuple):
    """One column of such a table, such as the target."""

    parts: Parts
    name: str


def partitioned(parts: Parts, columns: Iterable[str]) -> PartitionedTable:
    """A table in partitions of rows held by another engine, such as Spark.

    The engine calls functions on its partitions. For all measures based on counts the result is that of the
    whole table, bit for bit.

    Parameters
    ----------
    parts : object with two methods
        ``total(call, add)`` calls a function on each partition, a dataframe (pandas, polars, pyarrow), and
        returns ``add(list of results)``, which may be added up in steps. ``hold(call)`` also calls a function
        on each partition, but leaves the results there, and returns an object like `parts` for them.
        Functions and results can be pickled. Partitions without rows may be omitted.
    columns : iterable of str
        The names of the columns.

    Returns
    -------
    table : PartitionedTable
        ``table["y"]`` is a column, ``table.drop("y")`` all others; pass both to `fit` or `select`.

    Examples
    --------
    >>> import pandas as pd, entropick as ep
    >>> class InList:
    ...     def __init__(self, parts):
    ...         self.parts = parts
    ...     def total(self, call, add):
    ...         return add([call(part) for part in self.parts])
    ...     def hold(self, call):
    ...         return InList([call(part) for part in self.parts])
    >>> rows = pd.DataFrame({"a": [0, 1, 2, 3] * 3, "b": [0, 5, 5, 0] * 3, "y": [0, 0, 1, 1] * 3})
    >>> table = ep.partitioned(InList([rows[:5], rows[5:]]), rows.columns)
    >>> ep.select(table.drop("y"), table["y"], measure="jmi", cut=1).selected_names
    ['a']
    """
    return PartitionedTable(tuple(columns), parts)


class _Source(NamedTuple):
    """All partitions, and what a function receives of each."""

    parts: Parts
    take: Callable[[Any], Any]


def partitions_of_mapped(X: PartitionedTable, y: Any) -> Partitions:
    """All partitions as one source."""
    if y is not None and not (isinstance(y, PartitionedColumn) and y.parts is X.parts):
        raise DataError("The target of a partitioned table must be a column of it, table['y'].")
    target = None if y is None else _Source(X.parts, partial(_take_column, y.name))
    table = _Source(X.parts, partial(_take_columns, list(X.columns)))
    return Partitions([table], [target], list(X.columns), len(X.columns))


class WithParts:
    """`entropick.backends.parts.Place` of the one source that stands for all partitions."""

    def run(self, call: Callable[..., object], sources: Sequence[tuple[Any, ...]], *given: Any) -> list[Any]:
        parts, work = _on_each(call, sources, given)
        return [_Source(parts.hold(work), _itself)]

    def total(
        self,
        call: Callable[..., Counted],
        sources: Sequence[tuple[Any, ...]],
        add: Callable[[Sequence[Counted]], Counted],
        *given: Any,
    ) -> Counted:
        parts, work = _on_each(call, sources, given)
        found: Counted = parts.total(work, partial(_added_up, add))
        return found

    def rows(self, codes: list[Any], n_levels: np.ndarray) -> "RowsOfParts":
        return RowsOfParts(codes[0].parts, n_levels)


class RowsOfParts:
    """`entropick.contracts.Rows` of codes held by an engine, alone or with the results of `hold`."""

    def __init__(self, parts: Parts, n_levels: np.ndarray) -> None:
        self._parts, self.n_levels = parts, n_levels
        self.class_sizes = self.total(class_sizes, None, added)
        self.n_rows = int(self.class_sizes.sum())

    def total(
        self,
        count: Callable[..., Counted],
        argument: object,
        add: Callable[[Sequence[Counted]], Counted],
        held: Any = None,
    ) -> Counted:
        parts = self._parts if held is None else held
        found: Counted = parts.total(partial(_counted, count, argument), add)
        return found

    def hold(self, make: Callable[..., object], argument: object, held: Any = None) -> Parts:
        parts: Parts = self._parts if held is None else held
        return parts.hold(partial(_kept, make, argument))


def _on_each(
    call: Callable[..., object], sources: Sequence[tuple[Any, ...]], given: tuple[Any, ...]
) -> tuple[Parts, Callable[[Any], Any]]:
    """The holder of the partitions, and the work for each; only the engine knows their numbers."""
    (source,) = sources
    takes = [item.take if isinstance(item, _Source) else _nothing for item in source]
    parts = next(item.parts for item in source if isinstance(item, _Source))
    return parts, partial(_work, call, takes, given)


# -- called where a partition is -----------------------------------------------------------------


def _work(
    call: Callable[..., object], takes: list[Callable[[Any], Any]], given: tuple[Any, ...], part: Any
) -> object:
    return call(*(take(part) for take in takes), *given)


def _counted(count: Callable[..., Counted], argument: object, part: Codes | tuple[Codes, object]) -> Counted:
    return count(part[0], argument, part[1]) if isinstance(part, tuple) else count(part, argument)


def _kept(make: Callable[..., object], argument: object, part: Any) -> tuple[Codes, object]:
    return part[0] if isinstance(part, tuple) else part, _counted(make, argument, part)


def _added_up(add: Callable[[Sequence[Counted]], Counted], found: Sequence[Counted]) -> Counted:
    if not found:
        raise DataError("The table has no rows in any partition.")
    return add(found)


def _take_columns(names: list[str], part: Any) -> Any:
    return nw.from_native(part, eager_only=True).select(names).to_native()


def _take_column(name: str, part: Any) -> Any:
    return nw.from_native(part, eager_only=True)[name]  # pyarrow columns have no names


def _itself(part: Any) -> Any:
    return part


def _nothing(part: Any) -> None:
    return None

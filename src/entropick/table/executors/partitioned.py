"""Tables in partitions of another engine, such as Spark, which runs functions and returns small results."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

import narwhals.stable.v2 as nw

from entropick.exceptions import DataError
from entropick.table.executors.parts import Part, Sources, aligned
from entropick.table.readers.scan import NamedTable

Counted = TypeVar("Counted")


class Engine(Protocol):
    """The partitions of a table, or what was computed from them, in an engine; see `partitioned`."""

    def map(self, call: Callable[[Any], Any]) -> "Engine":
        """Call a function on each partition; the results stay there."""

    def reduce(self, call: Callable[[Any], Any], add: Callable[[Sequence[Any]], Any]) -> Any:
        """Call a function on each partition and `add` the results."""


@dataclass(frozen=True)
class PartitionedFrame(NamedTable):
    """A table in partitions held by another engine; made by `entropick.partitioned`."""

    parts: Engine

    def _column(self, name: str) -> "PartitionedColumn":
        return PartitionedColumn(self.parts, name)


class PartitionedColumn(NamedTuple):
    """One column of a partitioned table, such as the target."""

    parts: Engine
    name: str


def partitioned(parts: Engine, columns: Iterable[str]) -> PartitionedFrame:
    """A table in partitions of rows held by another engine, such as Spark.

    The engine calls functions on its partitions. For all measures based on counts the result is that of the
    whole table, bit for bit.

    Parameters
    ----------
    parts : object with two methods
        ``map(call)`` calls a function on each partition, a dataframe (pandas, polars, pyarrow), leaves the
        results there, and returns an object like `parts` for them. ``reduce(call, add)`` also calls a
        function on each partition, and returns ``add(list of results)``, which may be added up in steps.
        Functions and results can be pickled. Partitions without rows may be omitted.
    columns : iterable of str
        The names of the columns.

    Returns
    -------
    table : PartitionedFrame
        ``table["y"]`` is a column, ``table.drop("y")`` all others; pass both to `fit` or `select`.

    Examples
    --------
    >>> import pandas as pd, entropick as ep
    >>> class InList:
    ...     def __init__(self, parts):
    ...         self.parts = parts
    ...     def map(self, call):
    ...         return InList([call(part) for part in self.parts])
    ...     def reduce(self, call, add):
    ...         return add([call(part) for part in self.parts])
    >>> rows = pd.DataFrame({"a": [0, 1, 2, 3] * 3, "b": [0, 5, 5, 0] * 3, "y": [0, 0, 1, 1] * 3})
    >>> table = ep.partitioned(InList([rows[:5], rows[5:]]), rows.columns)
    >>> ep.select(table.drop("y"), table["y"], measure="jmi", cut=1).selected_names
    ['a']
    """
    return PartitionedFrame(tuple(columns), parts)


class InEngine:
    """`entropick.contracts.Partitions` of an engine; `take` prepares a partition for each call."""

    def __init__(self, parts: Engine, take: Callable[[Any], Any] | None = None) -> None:
        self._parts, self._take = parts, take

    def map(self, call: Callable[..., object], *args: object) -> "InEngine":
        return InEngine(self._parts.map(partial(_called, call, args, self._take)))

    def reduce(
        self, call: Callable[..., Counted], add: Callable[[Sequence[Counted]], Counted], *args: object
    ) -> Counted:
        found: Counted = self._parts.reduce(partial(_called, call, args, self._take), partial(_added, add))
        return found


def sources_of_engine(X: PartitionedFrame, y: Any) -> Sources:
    """The table and its target as partitions, which have no numbers."""
    if y is not None and not (isinstance(y, PartitionedColumn) and y.parts is X.parts):
        raise DataError("The target of a partitioned table must be a column of it, table['y'].")
    columns, target = list(X.columns), None if y is None else y.name
    return Sources(
        InEngine(X.parts, partial(_part, columns, None)),
        None if target is None else InEngine(X.parts, partial(_part, None, target)),
        InEngine(X.parts, partial(_part, columns, target)),
        columns,
        None,
        lambda codes: codes,
    )


# -- called for each partition -------------------------------------------------------------------


def _called(
    call: Callable[..., Counted], args: tuple[Any, ...], take: Callable[[Any], Any] | None, part: Any
) -> Counted:
    return call(part if take is None else take(part), *aligned(args))


def _added(add: Callable[[Sequence[Counted]], Counted], found: Sequence[Counted]) -> Counted:
    if not found:
        raise DataError("The table has no rows in any partition.")
    return add(found)


def _part(columns: list[str] | None, target: str | None, rows: Any) -> Part:
    """Take the given columns and the target of a partition."""
    frame = nw.from_native(rows, eager_only=True)
    X = None if columns is None else frame.select(columns).to_native()
    return Part(None, X, None if target is None else frame[target])  # pyarrow columns have no names

"""A table that is never in one place, as partitions of rows, and what works on them wherever they are."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from entropick.backends.files import Piece, Scan, ScannedColumn
from entropick.contracts import Rows
from entropick.exceptions import ColumnTypeError, DataError

Counted = TypeVar("Counted")


class Partitions:
    """The partitions of a table and its target: how to get each of them, and what is known beforehand.

    Attributes
    ----------
    X, y : the sources of partitions, such as tasks of Dask; None in y where there is no target
    names : of the columns; None where they have none
    n_columns : columns
    """

    def __init__(self, X: list[Any], y: list[Any], names: list[str] | None, n_columns: int) -> None:
        self.X, self.y, self.names, self.n_columns = X, y, names, n_columns


class Place(Protocol):
    """Where functions are called on partitions; a source is a tuple of what the function is given first."""

    def run(self, call: Callable[..., object], sources: Sequence[tuple[Any, ...]], *given: Any) -> list[Any]:
        """Call a function on each partition; what it makes stays there, as the sources of later calls."""

    def total(
        self,
        call: Callable[..., Counted],
        sources: Sequence[tuple[Any, ...]],
        add: Callable[[Sequence[Counted]], Counted],
        *given: Any,
    ) -> Counted:
        """Call a function on each partition, and add up what comes back."""

    def rows(self, codes: list[Any], n_levels: np.ndarray) -> Rows:
        """Partitions of codes, to be counted."""


class ToRead(NamedTuple):
    """A piece of files that is read where it is needed, and not held longer."""

    table: Scan | ScannedColumn
    piece: Piece

    def read(self) -> Any:
        piece = self.piece
        try:
            return self.table.read(piece)
        except Exception as error:
            first = str(error).strip().split("\n", 1)[0]
            rows = f"rows {piece.first} to {piece.first + piece.n_rows - 1}"
            raise DataError(f"{piece.path!r}, {rows}, cannot be read: {first}") from None


def here(part: Any) -> Any:
    """A partition, read if it must be."""
    return part.read() if isinstance(part, ToRead) else part


@contextmanager
def of_partition(i: int | None) -> Iterator[None]:
    """Errors say in which partition something is wrong, where that is known."""
    try:
        yield
    except (DataError, ColumnTypeError) as error:
        name = "A partition" if i is None else f"Partition {i}"
        raise type(error)(f"{name}: {error}") from None

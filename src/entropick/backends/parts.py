"""A distributed table as partitions of rows, and what works on them wherever they are."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from entropick._base.wording import first_line
from entropick.backends.files import Piece, Scan, ScannedColumn
from entropick.contracts import Rows
from entropick.exceptions import ColumnTypeError, DataError, with_prefix

Counted = TypeVar("Counted")


class Partitions:
    """The partitions of a table and its target: how to get each, and what is known in advance.

    Attributes
    ----------
    X, y : sources of the partitions, such as Dask tasks; None in y if there is no target
    names : column names, or None
    n_columns : number of columns
    """

    def __init__(self, X: list[Any], y: list[Any], names: list[str] | None, n_columns: int) -> None:
        self.X, self.y, self.names, self.n_columns = X, y, names, n_columns


class Place(Protocol):
    """Where functions are called on partitions; a source is a tuple of the function's first arguments."""

    def run(self, call: Callable[..., object], sources: Sequence[tuple[Any, ...]], *given: Any) -> list[Any]:
        """Call a function on each partition; the results stay there, as sources of later calls."""

    def total(
        self,
        call: Callable[..., Counted],
        sources: Sequence[tuple[Any, ...]],
        add: Callable[[Sequence[Counted]], Counted],
        *given: Any,
    ) -> Counted:
        """Call a function on each partition and add up the results."""

    def rows(self, codes: list[Any], n_levels: np.ndarray) -> Rows:
        """Partitions of codes, to be counted."""


class ToRead(NamedTuple):
    """A piece of files, read where it is needed and not kept."""

    table: Scan | ScannedColumn
    piece: Piece

    def read(self) -> Any:
        piece = self.piece
        try:
            return self.table.read(piece)
        except Exception as error:
            rows = f"rows {piece.first} to {piece.first + piece.n_rows - 1}"
            raise DataError(f"{piece.path!r}, {rows}, cannot be read: {first_line(error)}.") from None


def here(part: Any) -> Any:
    """A partition, read if necessary."""
    return part.read() if isinstance(part, ToRead) else part


@contextmanager
def of_partition(i: int | None) -> Iterator[None]:
    """Name the partition in errors, if it is known."""
    try:
        yield
    except (DataError, ColumnTypeError) as error:
        name = "A partition" if i is None else f"Partition {i}"
        raise with_prefix(f"{name}: ", error, type(error)) from None

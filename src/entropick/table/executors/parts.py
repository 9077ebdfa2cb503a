"""Partitions of rows of a table that is not in memory, and how they are read."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from entropick._base.wording import first_line
from entropick.contracts import Partitions
from entropick.exceptions import ColumnTypeError, DataError, with_prefix
from entropick.table.readers.scan import Piece, Scan, ScannedColumn


class Part(NamedTuple):
    """A partition of rows: its number, if known, and its table, its target or both."""

    number: int | None
    X: Any
    y: Any


class Sources(NamedTuple):
    """A table and its target in partitions of `Part`.

    Attributes
    ----------
    X, y, both : partitions of the table alone, of the target alone (None if there is none), and of both
    names : column names, or None
    n_rows : number of rows, if known
    bundled : groups what was computed from partitions by worker, if that saves time
    """

    X: Partitions
    y: Partitions | None
    both: Partitions
    names: list[str] | None
    n_rows: int | None
    bundled: Callable[[Partitions], Partitions]


class ToRead(NamedTuple):
    """A piece of a file, read when needed and not kept."""

    table: Scan | ScannedColumn
    piece: Piece

    def read(self) -> Any:
        piece = self.piece
        try:
            return self.table.read(piece)
        except Exception as error:
            rows = f"rows {piece.first} to {piece.first + piece.n_rows - 1}"
            raise DataError(f"{piece.path!r}, {rows}, cannot be read: {first_line(error)}.") from None


def aligned(args: Sequence[Any]) -> list[Any]:
    """Arguments from elsewhere; their buffers may start at any address, which compiled loops reject."""
    return [np.require(arg, requirements="A") if isinstance(arg, np.ndarray) else arg for arg in args]


def here(part: Any) -> Any:
    """Return a table or a target; read it if necessary."""
    return part.read() if isinstance(part, ToRead) else part


@contextmanager
def of_partition(i: int | None) -> Iterator[None]:
    """Name the partition in errors; None if its number is not known."""
    try:
        yield
    except (DataError, ColumnTypeError) as error:
        name = "A partition" if i is None else f"Partition {i}"
        raise with_prefix(f"{name}: ", error, type(error)) from None

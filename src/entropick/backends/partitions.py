"""A collection of Dask, or scanned files, as partitions of rows: how to get each of them."""

from itertools import pairwise
from typing import Any

import dask
import numpy as np

from entropick.backends.files import Scan, ScannedColumn
from entropick.backends.parts import Partitions, ToRead
from entropick.exceptions import DataError


def partitions_of(X: Any, y: Any) -> Partitions:
    """See a Dask collection, or scanned files, as partitions of rows."""
    if isinstance(X, Scan):
        return _scanned(X, y)
    if is_array(X):
        reject_sparse(X)
        rows = X.rechunk({1: -1})
        names = None
        sources = list(rows.to_delayed().ravel())
        n_columns = X.shape[1]
    else:
        names = [str(name) for name in X.columns]
        sources, n_columns = list(X.to_delayed()), len(names)
    return Partitions(sources, _targets(X, y, len(sources)), names, n_columns)


def is_array(X: Any) -> bool:
    """Whether X is an array of Dask."""
    return hasattr(X, "chunks") and hasattr(X, "rechunk")


def is_collection(y: Any) -> bool:
    """Whether it is still to be computed by Dask."""
    return bool(dask.is_dask_collection(y))


def as_task(y: Any) -> Any:
    """A whole collection as one task."""
    return dask.delayed(y)


def reject_sparse(X: Any) -> None:
    """Refuse arrays whose chunks are not those of numpy."""
    if not isinstance(X._meta, np.ndarray):
        raise DataError(
            f"The chunks of a Dask array must be numpy arrays, got {type(X._meta).__name__}. Hint: "
            "X.map_blocks(lambda chunk: chunk.toarray()) makes sparse chunks dense."
        )


def _scanned(X: Scan, y: Any) -> Partitions:
    if y is not None and (not isinstance(y, ScannedColumn) or y.table.pieces != X.pieces):
        raise DataError("The target of scanned files must be a column of the same files, table['y'].")
    of_x = [ToRead(X, piece) for piece in X.pieces]
    of_y = [None if y is None else ToRead(y, piece) for piece in X.pieces]
    return Partitions(of_x, of_y, list(X.columns), len(X.columns))


def _targets(X: Any, y: Any, n_partitions: int) -> list[Any]:
    """The target in the partitions of the table; nothing for each where there is none."""
    if y is None:
        return [None] * n_partitions
    if is_array(y):
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1:
            raise DataError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
        if is_array(X) and not np.isnan([*X.chunks[0], *y.chunks[0]]).any():
            check_lengths(X.shape[0], y.shape[0])
            y = y.rechunk((X.chunks[0],))
        parts = list(y.to_delayed().ravel())
    elif hasattr(y, "to_delayed"):
        if getattr(y, "ndim", 1) == 2:
            y = y[y.columns[0]] if len(y.columns) == 1 else y
        if getattr(y, "ndim", 1) != 1:
            raise DataError(f"y should be one column, got {len(y.columns)}.")
        parts = list(y.to_delayed())
    else:
        return _split(X, y)
    if len(parts) != n_partitions:
        raise DataError(
            f"X and y must have the same partitions, but X has {n_partitions} and y {len(parts)}. Hint: take "
            "both from one collection, or repartition y."
        )
    return parts


def _split(X: Any, y: Any) -> list[Any]:
    """A target that is all here, cut as the table is."""
    y = y if hasattr(y, "iloc") else np.asarray(y)
    if is_array(X) and not np.isnan(X.chunks[0]).any():
        lengths = list(X.chunks[0])
    else:
        lengths = [int(n) for n in dask.compute(*[dask.delayed(len)(part) for part in _rows_of(X)])]
    check_lengths(sum(lengths), len(y))
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(int).tolist()
    take = y.iloc if hasattr(y, "iloc") else y
    return [dask.delayed(take[a:b]) for a, b in pairwise(ends)]


def _rows_of(X: Any) -> list[Any]:
    return list(X.rechunk({1: -1}).to_delayed().ravel() if is_array(X) else X.to_delayed())


def check_lengths(n_x: int, n_y: int) -> None:
    """Refuse a target of another number of rows."""
    if n_x != n_y:
        raise DataError(f"Found input variables with inconsistent numbers of samples: {[n_x, n_y]}")


def is_wide(X: Any) -> bool:
    """Whether a table is cut by columns: an array in chunks of columns, with more columns than rows."""
    return is_array(X) and X.ndim == 2 and X.numblocks[1] > 1 and X.shape[0] <= X.shape[1]

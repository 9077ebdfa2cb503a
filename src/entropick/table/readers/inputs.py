"""The one door for data: arrays, sparse matrices and dataframes seen as named columns."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse

from entropick._base.threads import Threads
from entropick._base.wording import quoted
from entropick._core import read_columns as read_columns_of
from entropick.exceptions import ColumnTypeError, DataError, warn_user
from entropick.table.readers.checks import check_sparse
from entropick.table.readers.objects import read_objects, read_times, whole_objects

BLOCK_VALUES = 1 << 17  # values of a numeric block read at once by each thread (1 MB of floats)
CACHE_LINE = 64  # bytes that memory hands over at once
Columns: TypeAlias = Sequence[int] | np.ndarray
_NO_OFFSETS: Mapping[int, int] = MappingProxyType({})
FEW_BLOCKS = 16  # columns are read one by one rather than in fewer blocks than this


class Input(Protocol):
    """Named columns of one length; each is to be read once."""

    names: Sequence[str]
    n_rows: int
    columns_together: int  # columns that are read in the time of one, as they share cache lines
    offsets: Mapping[int, int]  # what was subtracted from the values of some columns that were read
    rounded: Sequence[int]  # columns that were read of which floats made equal what differs

    @property
    def kinds(self) -> Sequence[str]:
        """The kind of each column: "numeric", "boolean", "datetime", "duration" or "category"."""

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        """Columns of one type each, and their values (columns, rows).

        Values are uint8, int64 or, where any may be missing, float64 with NaN.
        """

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        """Level of each row of column j, -1 where missing, and the levels in order."""


def open_input(X: Any, names: Sequence[str] | None = None, *, exact: bool = False) -> Input:
    """See X, whatever its container, as an `Input`.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or array, or dataframe (pandas, polars, also lazy, pyarrow)
    names : column names for containers without names; x0, x1, ... by default
    exact : whether whole numbers that floats would round are read as differences from the least; that
        depends on the rows, so it is for tables in one place
    """
    source = _open(X, names)
    if exact and source.may_round():
        from entropick.table.readers.whole import exact_input  # which needs this file

        return exact_input(source)
    return source


def _open(X: Any, names: Sequence[str] | None) -> "ArrayInput | SparseInput | ColumnwiseInput":
    if scipy.sparse.issparse(X):
        return SparseInput(X, names)
    if is_lazy(X) or is_frame(X):
        from entropick.table.readers.frames import open_frame  # which needs this file

        return open_frame(X)
    as_frame(X)  # rejects other lazy frames
    X = plain_array(X)
    if X.ndim != 2:
        raise DataError(f"The table must have two dimensions (rows and columns), got {X.ndim}.")
    if X.dtype.kind in "biuf":
        return ArrayInput(X, names)
    return ObjectInput(X, names)


def container_columns(X: Any, columns: np.ndarray, for_sklearn: bool = True) -> Any:
    """Some columns of a table, in its own container (an array where scikit-learn does not know it)."""
    if is_lazy(X):
        return collect_columns(X, [X.collect_schema().names()[j] for j in columns]).to_native()
    frame = as_frame(X)
    if frame is not None:
        chosen = frame[:, columns.tolist()]
        known = chosen.implementation.is_pandas() or chosen.implementation.is_polars()
        return chosen.to_native() if known or not for_sklearn else frame_values(chosen)
    return X.tocsc()[:, columns].tocsr() if scipy.sparse.issparse(X) else X[:, columns]


def container_rows(X: Any, rows: np.ndarray) -> Any:
    """Some rows of a table, in its own container; of a lazy frame, in ascending order and in memory."""
    if is_lazy(X):
        name = "row"
        while name in X.collect_schema().names():
            name += "_"
        numbered = nw.from_native(X.with_row_index(name))
        chosen = numbered.filter(nw.col(name).is_in(rows.tolist())).drop(name)
        return chosen.to_native().collect(engine="streaming")
    frame = as_frame(X)
    if frame is not None:
        return frame[rows.tolist(), :].to_native()
    return X.tocsr()[rows] if scipy.sparse.issparse(X) else plain_array(X)[rows]


def _is_ragged(rows: Any) -> bool:
    """Whether rows, such as lists, have different lengths."""
    try:
        return len({len(row) for row in rows}) > 1
    except TypeError:
        return False


def plain_array(X: Any) -> np.ndarray:
    """X as an array: nested lists keep numbers beside texts, masked values become missing."""
    if isinstance(X, np.ma.MaskedArray):
        numeric = X.dtype.kind in "biuf"
        return np.ma.filled(X.astype(np.float64 if numeric else object), np.nan)
    try:
        array = np.asarray(X)
    except ValueError:
        if not _is_ragged(X):
            raise
        raise DataError(
            "The rows of the table have different lengths. Hint: fill them up with None."
        ) from None
    if array.dtype.kind in "SU" and not hasattr(X, "dtype"):
        return np.asarray(X, dtype=object)  # numpy would turn the numbers into texts
    return array


@lru_cache(maxsize=4)  # fits follow one another
def default_names(n_columns: int) -> tuple[str, ...]:
    """Names for columns without names, as scikit-learn gives them."""
    return tuple(f"x{j}" for j in range(n_columns))


# -- reading -------------------------------------------------------------------------------------


class View(Protocol):
    """Something made of the columns while they are read."""

    def take_category(self, j: int, codes: np.ndarray, levels: list[Any]) -> None:
        """Take in a category: its codes, -1 where missing, and its levels."""

    def allocate(self, numeric: np.ndarray) -> bool:
        """Make room: all categories were read. Whether numeric columns are to follow as numbers."""

    def take_numbers(self, columns: np.ndarray, values: np.ndarray) -> None:
        """Take in numeric columns of one type, (columns, rows); called from several threads."""


def read_columns(source: Input, views: Sequence[View], threads: Threads) -> None:
    """Read all columns of a table, categories first, a block at a time, in threads."""
    is_category = np.zeros(len(source.kinds), np.bool_)
    if "category" in source.kinds:
        is_category[:] = [kind == "category" for kind in source.kinds]
    categories = np.flatnonzero(is_category).tolist()

    def read_categories(start: int, stop: int) -> None:
        for j in categories[start:stop]:
            codes, levels = source.category(j)
            for view in views:
                view.take_category(j, codes, levels)

    n_rows = max(1, source.n_rows)  # a partition may have none
    if categories:
        threads.run(read_categories, len(categories), seconds_per_item=n_rows * 2e-8)
    numeric = np.flatnonzero(~is_category)
    takers = [view for view in views if view.allocate(numeric)]
    if not takers:
        return _warn_of_rounding(source)
    block = _block_columns(source, len(numeric))

    def read_numbers(start: int, stop: int) -> None:
        for first in range(start * block, min(stop * block, len(numeric)), block):
            for columns, values in source.numeric(numeric[first : first + block]):
                for view in takers:
                    view.take_numbers(columns, values)

    threads.run(read_numbers, -(-len(numeric) // block), seconds_per_item=block * n_rows * 1e-8)
    return _warn_of_rounding(source)


def _warn_of_rounding(source: Input) -> None:
    """Say so where values that differ became equal."""
    if not source.rounded:
        return
    name, n_others = source.names[min(source.rounded)], len(source.rounded) - 1
    others = f" (and {n_others} more)" if n_others else ""
    warn_user(
        f"Column {quoted(name)}{others} holds whole numbers beyond 2^53, which are rounded to floats, so "
        "that values that differ count as equal. Hint: turn them into strings if they are names or "
        "identifiers."
    )


def _block_columns(source: Input, n_columns: int) -> int:
    """Columns to read at once: some of short ones, and those that stand together in memory."""
    together = min(source.columns_together, n_columns // FEW_BLOCKS)
    return max(1, together, BLOCK_VALUES // max(1, source.n_rows))


# -- containers ----------------------------------------------------------------------------------


class ArrayInput:
    """A 2-D array of numbers or booleans."""

    offsets = _NO_OFFSETS
    rounded: Sequence[int] = ()

    def __init__(self, X: np.ndarray, names: Sequence[str] | None) -> None:
        if X.dtype == np.uint64 and X.size and X.max() <= np.iinfo(np.int64).max:
            X = X.view(np.int64)
        self._X = X
        self.kinds = ["boolean" if X.dtype == np.bool_ else "numeric"] * X.shape[1]
        self._dtype = common_numeric(X.dtype)
        self.names = names or default_names(X.shape[1])
        self.n_rows = X.shape[0]
        by_row = abs(X.strides[1]) < abs(X.strides[0])
        self.columns_together = CACHE_LINE // X.itemsize if by_row else 1

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        columns = np.asarray(columns)
        first, last = columns[0], columns[-1]
        together = last - first + 1 == len(columns)
        block = self._X[:, first : last + 1] if together else self._X[:, columns]
        return [(columns, by_columns(block, self._dtype))]

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        raise AssertionError("an array of numbers has no category columns")

    def may_round(self) -> Sequence[int]:
        """Columns of whole numbers that `numeric` may hand on as floats."""
        return range(len(self.names)) if self._X.dtype == np.uint64 else ()

    def whole(self, j: int) -> tuple[np.ndarray, np.ndarray] | None:
        """The values of such a column as they are, and which are missing; None if it is of other numbers."""
        return self._X[:, j], np.zeros(self.n_rows, np.bool_)


class SparseInput:
    """A scipy sparse matrix, in columns, which is encoded without making it dense."""

    columns_together = 1
    offsets = _NO_OFFSETS
    rounded: Sequence[int] = ()

    def __init__(self, X: Any, names: Sequence[str] | None) -> None:
        if X.dtype.kind not in "biuf":
            raise ColumnTypeError(f"A sparse matrix must hold numbers, got values of type {X.dtype}.")
        check_sparse(X)
        self._X, self.n_rows = X, X.shape[0]
        self.names = names or default_names(X.shape[1])
        self.kinds = ["numeric"] * X.shape[1]

    @cached_property
    def matrix(self) -> Any:
        """The matrix by columns."""
        found = self._X.tocsc()
        matrix = type(found)((found.data, found.indices, found.indptr), shape=found.shape)  # unflagged
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return matrix

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        columns = np.asarray(columns)
        block = self.matrix[:, columns].toarray()
        return [(columns, np.ascontiguousarray(block.T, dtype=np.float64))]

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        raise AssertionError("a sparse matrix has no category columns")

    def may_round(self) -> Sequence[int]:
        """Columns of whole numbers that `numeric` may hand on as floats."""
        return range(len(self.names)) if self._X.dtype in (np.int64, np.uint64) else ()


class ColumnwiseInput(ABC):
    """Columns read one by one."""

    names: Sequence[str]
    n_rows: int
    columns_together = 1
    offsets = _NO_OFFSETS
    rounded: Sequence[int] = ()

    def __init__(self) -> None:
        self._read_early: dict[int, tuple[str, Any]] = {}

    @abstractmethod
    def _read(self, j: int) -> tuple[str, Any]:
        """Kind and values of column j."""

    def _kind_by_type(self, j: int) -> str | None:
        """The kind of column j as far as its type tells."""
        return None

    @cached_property
    def kinds(self) -> list[str]:
        return [self._kind_by_type(j) or self._kind_by_values(j) for j in range(len(self.names))]

    def _kind_by_values(self, j: int) -> str:
        """The values tell; they are kept until they are asked for."""
        self._read_early[j] = self._read(j)
        return self._read_early[j][0]

    def _values(self, j: int) -> Any:
        return (self._read_early.pop(j, None) or self._read(j))[1]

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        columns = np.asarray(columns)
        if len(columns) == 1:
            return [(columns, self._values(int(columns[0]))[np.newaxis])]  # a long column is not copied
        by_type: dict[np.dtype, list[tuple[int, np.ndarray]]] = {}
        for j in columns.tolist():
            values = self._values(j)
            by_type.setdefault(values.dtype, []).append((j, values))
        return [
            (np.array([j for j, _ in read]), np.stack([values for _, values in read]))
            for read in by_type.values()
        ]

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        codes_and_levels: tuple[np.ndarray, list[Any]] = self._values(j)
        return codes_and_levels

    @abstractmethod
    def may_round(self) -> Sequence[int]:
        """Columns of whole numbers that `numeric` may hand on as floats."""

    @abstractmethod
    def whole(self, j: int) -> tuple[np.ndarray, np.ndarray] | None:
        """The values of such a column as they are, and which are missing; None if it is of other numbers."""


class ObjectInput(ColumnwiseInput):
    """A 2-D array of objects, texts or times."""

    def __init__(self, X: np.ndarray, names: Sequence[str] | None) -> None:
        super().__init__()
        self._X = X
        self.names = names or default_names(X.shape[1])
        self.n_rows = X.shape[0]

    def _read(self, j: int) -> tuple[str, Any]:
        return read_values(self._X[:, j], self.names[j])

    def may_round(self) -> Sequence[int]:
        return range(len(self.names)) if self._X.dtype == object else ()

    def whole(self, j: int) -> tuple[np.ndarray, np.ndarray] | None:
        return whole_objects(self._X[:, j].tolist())


# -- dataframes ----------------------------------------------------------------------------------


def is_lazy(X: Any) -> bool:
    """Whether X is a lazy frame of polars, which is read a few columns at a time.

    Other lazy frames need not keep their rows in one order from one reading to the next.
    """
    return not isinstance(X, np.ndarray) and nw.dependencies.is_polars_lazyframe(X)


def lazy_columns(lazy: Any, names: Sequence[str]) -> Any:
    """Some columns of a lazy frame of polars, by their names as they are: plain ones may be patterns."""
    return lazy.select(nw.dependencies.get_polars().selectors.by_name(*names))


def collect_columns(lazy: Any, names: Sequence[str]) -> nw.DataFrame[Any]:
    """Read some columns of a lazy frame of polars."""
    return nw.from_native(lazy_columns(lazy, names).collect(engine="streaming"))


def count_rows(X: Any) -> int:
    """Number of rows of a table; those of a lazy frame of polars are counted."""
    if hasattr(X, "shape"):
        return int(X.shape[0])
    counted = nw.from_native(X).select(nw.len()).to_native().collect(engine="streaming")
    return int(counted.item())


def check_shape(n_rows: int, names: Sequence[str]) -> None:
    """Reject a table without rows or columns."""
    if not n_rows or not len(names):
        raise DataError(f"The table must have rows and columns, got {n_rows} rows and {len(names)} columns.")


def is_frame(X: Any) -> bool:
    """Whether X is a dataframe of any library narwhals knows; what holds one is rejected by name."""
    if isinstance(X, np.ndarray):  # as most tables are, and to ask narwhals takes long
        return False
    _reject_collections(X)
    return bool(nw.dependencies.is_into_dataframe(X))


def as_frame(X: Any) -> nw.DataFrame[Any] | None:
    """X as a dataframe of narwhals if it is a dataframe of any library, else None."""
    if isinstance(X, np.ndarray):
        return None
    _reject_collections(X)
    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise repeated_names(X.columns) from None
    if isinstance(frame, nw.LazyFrame):
        raise DataError("A lazy frame has no values yet. Hint: call its collect() first.")
    if not isinstance(frame, nw.DataFrame):
        return None
    names = frame.columns
    if len(set(names)) < len(names):
        raise repeated_names(names)
    return frame


def repeated_names(names: Iterable[Any]) -> DataError:
    """The error for names of which one comes more than once."""
    twice, count = Counter(names).most_common(1)[0]
    return DataError(
        f"Column names must be unique, but {twice!r} appears {count} times. Hint: rename the columns."
    )


def _reject_collections(X: Any) -> None:
    """Name the table inside of an object that holds one; numpy would try to read it value by value."""
    if all(hasattr(X, part) for part in ("X", "obs", "var", "to_df")):
        raise DataError(
            f"X must be a table, got {type(X).__name__}, which holds one. Hint: pass its matrix, adata.X, or "
            "the dataframe adata.to_df(), which has names."
        )
    if hasattr(X, "to_table") and hasattr(X, "scanner"):
        raise DataError(
            f"X must be a table, got {type(X).__name__}, which is not read yet. Hint: call its "
            "to_table(), or take polars.scan_parquet, which is read a few columns at a time."
        )


def frame_values(frame: nw.DataFrame[Any]) -> np.ndarray:
    """The values of a dataframe as an array, one of objects where times stand beside other columns."""
    are_times = [dtype.is_temporal() for dtype in frame.schema.dtypes()]
    if all(are_times) == any(are_times):
        return frame.to_numpy()
    values = np.empty(frame.shape, dtype=object)
    for j, series in enumerate(frame.iter_columns()):
        values[:, j] = series.to_list()
    return values


def frame_names(X: Any) -> list[Any]:
    """The names of a dataframe's columns, as they are: texts, or in pandas anything else."""
    if nw.dependencies.is_pandas_dataframe(X):
        return list(X.columns.tolist())
    if nw.dependencies.is_polars_dataframe(X):
        return list(X.columns)
    if nw.dependencies.is_pyarrow_table(X):
        return list(X.schema.names)
    return list(nw.from_native(X).columns)


# -- values --------------------------------------------------------------------------------------


def common_numeric(dtype: np.dtype) -> np.dtype:
    """uint8, int64 or float64: the types the binning loops take."""
    if dtype == np.bool_ or dtype == np.uint8:
        return np.dtype(np.uint8)
    return np.dtype(np.int64 if dtype.kind in "iu" and dtype != np.uint64 else np.float64)


def by_columns(block: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """A table of numbers (rows, columns) as (columns, rows) of another type; not copied if it need not be."""
    if block.dtype == dtype and block.T.flags.c_contiguous and block.T.flags.aligned:
        return block.T
    if block.dtype.str[1:] not in _READ_BY_LOOP or not block.dtype.isnative or not block.flags.aligned:
        return np.ascontiguousarray(block.T, dtype=dtype)
    values = np.empty(block.shape[::-1], dtype)
    read_columns_of(block, 0, values)
    return values


_READ_BY_LOOP = ("f8", "f4", "i8", "i4", "i2", "i1", "u4", "u2", "u1", "b1")


def read_values(values: np.ndarray, name: str) -> tuple[str, Any]:
    """Kind of an array of objects, texts or times, and its numbers, or its levels and codes."""
    if values.dtype.kind in "biuf":
        return "numeric", np.ascontiguousarray(values, dtype=common_numeric(values.dtype))
    return read_times(values) if values.dtype.kind in "mM" else read_objects(values.tolist(), name)

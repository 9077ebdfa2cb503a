"""The one door for data: arrays, sparse matrices and dataframes seen as named columns."""

import datetime
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse

from entropick._kernels.columns import find_present, number_texts, read_columns as read_columns_of, renumber
from entropick.exceptions import ColumnTypeError, DataError
from entropick.threads import Threads

BLOCK_VALUES = 1 << 17  # values of a numeric block read at once by each thread (1 MB of floats)
CACHE_LINE = 64  # bytes that memory hands over at once
Columns: TypeAlias = Sequence[int] | np.ndarray
FEW_BLOCKS = 16  # columns are read one by one rather than in fewer blocks than this


class Input(Protocol):
    """Named columns of one length; each is to be read once."""

    names: Sequence[str]
    n_rows: int
    columns_together: int  # so many columns are read in the time of one, as they share cache lines

    @property
    def kinds(self) -> Sequence[str]:
        """The kind of each column: "numeric", "boolean", "datetime", "duration" or "category"."""

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        """Columns of one type each, and their values (columns, rows).

        Values are uint8, int64 or, where any may be missing, float64 with NaN.
        """

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        """Level of each row of column j, -1 where missing, and the levels in order."""


def open_input(X: Any, names: Sequence[str] | None = None) -> Input:
    """See X, whatever its container, as an `Input`.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or array, or dataframe (pandas, polars, also lazy, pyarrow)
    names : column names for containers without names; x0, x1, ... by default
    """
    if scipy.sparse.issparse(X):
        return SparseInput(X, names)
    if is_lazy(X):
        return LazyInput(X)
    frame = as_frame(X)
    if frame is not None:
        return FrameInput(frame)
    X = plain_array(X)
    if X.ndim != 2:
        raise DataError(f"The table must have two dimensions (rows and columns), got {X.ndim}.")
    if X.dtype.kind in "biuf":
        return ArrayInput(X, names)
    return ObjectInput(X, names)


def is_lazy(X: Any) -> bool:
    """Whether X is a lazy frame of polars, which is read a few columns at a time.

    Other lazy frames need not keep their rows in one order from one reading to the next.
    """
    return nw.dependencies.is_polars_lazyframe(X)


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


def is_frame(X: Any) -> bool:
    """Whether X is a dataframe of any library narwhals knows; what holds one is refused by name."""
    _refuse_collections(X)
    return bool(nw.dependencies.is_into_dataframe(X))


def as_frame(X: Any) -> nw.DataFrame[Any] | None:
    """X as a dataframe of narwhals if it is a dataframe of any library, else None."""
    _refuse_collections(X)
    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise _repeated(X.columns) from None
    if isinstance(frame, nw.LazyFrame):
        raise DataError("A lazy frame has no values yet. Hint: call its collect() first.")
    if not isinstance(frame, nw.DataFrame):
        return None
    names = frame.columns
    if len(set(names)) < len(names):
        raise _repeated(names)
    return frame


def _repeated(names: Iterable[Any]) -> DataError:
    twice, count = Counter(names).most_common(1)[0]
    return DataError(
        f"Column names must be unique, but {twice!r} stands {count} times. Hint: rename the columns."
    )


def _refuse_collections(X: Any) -> None:
    """Name the table inside of an object that holds one; numpy would try to read it value by value."""
    if all(hasattr(X, part) for part in ("X", "obs", "var", "to_df")):
        raise DataError(
            f"X must be a table, got {type(X).__name__}, which holds one. Hint: pass its matrix, adata.X, or "
            "the dataframe adata.to_df(), which has names."
        )
    if hasattr(X, "to_table") and hasattr(X, "scanner"):
        raise DataError(
            f"X must be a table, got {type(X).__name__}, which is still to be read. Hint: call its "
            "to_table(), or take polars.scan_parquet, which is read a few columns at a time."
        )


def container_columns(X: Any, columns: np.ndarray) -> Any:
    """Some columns of a table, in its own container (an array where scikit-learn does not know it)."""
    if is_lazy(X):
        return collect_columns(X, [X.collect_schema().names()[j] for j in columns]).to_native()
    frame = as_frame(X)
    if frame is not None:
        chosen = frame[:, columns.tolist()]
        known = chosen.implementation.is_pandas() or chosen.implementation.is_polars()
        return chosen.to_native() if known else frame_values(chosen)
    return X.tocsc()[:, columns].tocsr() if scipy.sparse.issparse(X) else X[:, columns]


def frame_values(frame: nw.DataFrame[Any]) -> np.ndarray:
    """The values of a dataframe as an array, one of objects where times stand beside other columns."""
    are_times = [dtype.is_temporal() for dtype in frame.schema.dtypes()]
    if all(are_times) == any(are_times):
        return frame.to_numpy()
    values = np.empty(frame.shape, dtype=object)
    for j, series in enumerate(frame.iter_columns()):
        values[:, j] = series.to_list()
    return values


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


def plain_array(X: Any) -> np.ndarray:
    """X as an array: nested lists keep numbers beside texts, masked values become missing."""
    if isinstance(X, np.ma.MaskedArray):
        numeric = X.dtype.kind in "biuf"
        return np.ma.filled(X.astype(np.float64 if numeric else object), np.nan)
    array = np.asarray(X)
    if array.dtype.kind in "SU" and not hasattr(X, "dtype"):
        return np.asarray(X, dtype=object)  # numpy would turn the numbers into texts
    return array


def default_names(n_columns: int) -> list[str]:
    """Names for columns without names, as scikit-learn gives them."""
    return [f"x{j}" for j in range(n_columns)]


def _common_numeric(dtype: np.dtype) -> np.dtype:
    """uint8, int64 or float64: the types the binning loops take."""
    if dtype == np.bool_ or dtype == np.uint8:
        return np.dtype(np.uint8)
    return np.dtype(np.int64 if dtype.kind in "iu" and dtype != np.uint64 else np.float64)


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
    is_category = np.array([kind == "category" for kind in source.kinds], np.bool_)
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
        return
    block = _block_columns(source, len(numeric))

    def read_numbers(start: int, stop: int) -> None:
        for first in range(start * block, min(stop * block, len(numeric)), block):
            for columns, values in source.numeric(numeric[first : first + block]):
                for view in takers:
                    view.take_numbers(columns, values)

    threads.run(read_numbers, -(-len(numeric) // block), seconds_per_item=block * n_rows * 1e-8)


def _block_columns(source: Input, n_columns: int) -> int:
    """Columns to read at once: some of short ones, and those that stand together in memory."""
    together = min(source.columns_together, n_columns // FEW_BLOCKS)
    return max(1, together, BLOCK_VALUES // max(1, source.n_rows))


def counted(n: int, thing: str) -> str:
    """1 thing, 2 things."""
    return f"{n} {thing}{'' if n == 1 else 's'}"


def refuse_infinite(values: np.ndarray, names: Sequence[str]) -> None:
    """Raise where a column (columns, rows) holds an infinite value."""
    if values.dtype.kind != "f" or not np.isinf(values).any():
        return
    row, at = np.argwhere(np.isinf(values))[0].tolist()
    raise DataError(
        f"Column {names[row]!r} holds an infinite value (row {at}: {values[row, at]}); values must "
        "be finite or missing. Hint: clip it, or replace it by NaN to make it a missing value."
    )


def refuse_missing(name: str, n_missing: int, missing: str) -> None:
    """Raise where a column has missing values and `missing` refuses them."""
    if n_missing and missing == "error":
        raise DataError(
            f"Column {name!r} has {counted(n_missing, 'missing value')}, which missing='error' refuses. "
            "Hint: fill them in, drop the rows or the column, or use missing='level'."
        )


# -- containers ----------------------------------------------------------------------------------


class ArrayInput:
    """A 2-D array of numbers or booleans."""

    def __init__(self, X: np.ndarray, names: Sequence[str] | None) -> None:
        if X.dtype == np.uint64 and X.size and X.max() <= np.iinfo(np.int64).max:
            X = X.view(np.int64)
        self._X = X
        self.kinds = ["boolean" if X.dtype == np.bool_ else "numeric"] * X.shape[1]
        self._dtype = _common_numeric(X.dtype)
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


class SparseInput:
    """A scipy sparse matrix, in columns; `entropick.table.sparse` encodes it without making it dense."""

    columns_together = 1

    def __init__(self, X: Any, names: Sequence[str] | None) -> None:
        if X.dtype.kind not in "biuf":
            raise ColumnTypeError(f"A sparse matrix must hold numbers, got values of type {X.dtype}.")
        self.matrix = X.tocsc()
        if not self.matrix.has_canonical_format:
            self.matrix = self.matrix.copy()
            self.matrix.sum_duplicates()
        self.names = names or default_names(X.shape[1])
        self.kinds = ["numeric"] * X.shape[1]
        self.n_rows = X.shape[0]

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        columns = np.asarray(columns)
        block = self.matrix[:, columns].toarray()
        return [(columns, np.ascontiguousarray(block.T, dtype=np.float64))]

    def category(self, j: int) -> tuple[np.ndarray, list[Any]]:
        raise AssertionError("a sparse matrix has no category columns")


class _ColumnwiseInput(ABC):
    """Columns read one by one."""

    names: Sequence[str]
    n_rows: int
    columns_together = 1

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


class FrameInput(_ColumnwiseInput):
    """A dataframe of any library narwhals knows.

    Its own library is asked where it can be: narwhals takes some time per column, and there may be very many.
    """

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        super().__init__()
        self._frame, self._native = frame, frame.to_native()
        self._library = frame.implementation
        self._types = _type_keys(frame)
        self._known_types: dict[Hashable, Any] = {}
        self.names = [str(name) for name in frame.columns]
        self.n_rows = len(frame)
        # Columns of pandas often stand in one array, row by row.
        self.columns_together = CACHE_LINE // 8 if self._library.is_pandas() else 1

    def _series(self, j: int) -> nw.Series[Any]:
        if self._library.is_pandas():
            return nw.from_native(self._native.iloc[:, j], series_only=True)
        if self._library.is_polars():
            return nw.from_native(self._native.to_series(j), series_only=True)
        if self._library.is_pyarrow():
            return nw.from_native(self._native.column(j), series_only=True)
        return self._frame[:, j]

    def _type(self, j: int) -> Any:
        """The type of column j as narwhals knows it, asked once per type; objects may be of any."""
        key = self._types[j]
        if key == _ANY:
            return self._series(j).dtype
        if key not in self._known_types:
            self._known_types[key] = self._series(j).dtype
        return self._known_types[key]

    def _read(self, j: int) -> tuple[str, Any]:
        return read_series(self._series(j), self.names[j])

    def _kind_by_type(self, j: int) -> str | None:
        return kind_by_type(self._type(j))

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        by_type: dict[Hashable, list[int]] = {}
        for j in np.asarray(columns).tolist():
            by_type.setdefault(self._types[j], []).append(j)
        read: list[tuple[np.ndarray, np.ndarray]] = []
        for members in by_type.values():
            plain = self._plain(members)
            read += [(np.array(plain), self._block(plain))] if plain else []
            if len(plain) < len(members):
                read += super().numeric(np.array(sorted(set(members) - set(plain))))
        return read

    def _plain(self, columns: list[int]) -> list[int]:
        """Those columns of one type that numpy can hold, with a way to say that a value is missing."""
        if self._library.is_pandas():
            dtype = self._types[columns[0]]
            return columns if isinstance(dtype, np.dtype) and dtype.kind in "biuf" else []
        if not (self._library.is_polars() or self._library.is_pyarrow()):
            return []
        dtype = self._type(columns[0])
        if isinstance(dtype, nw.Float32 | nw.Float64):
            return columns
        if dtype == nw.Boolean or (dtype.is_integer() and not isinstance(dtype, nw.Int128 | nw.UInt128)):
            return [j for j in columns if not self._null_counts[j]]
        return []

    @cached_property
    def _null_counts(self) -> Sequence[int]:
        if self._library.is_polars():
            return self._native.null_count().row(0)
        return [column.null_count for column in self._native.columns]

    def _block(self, columns: Sequence[int]) -> np.ndarray:
        """Plain columns of one type, (columns, rows)."""
        first, last = columns[0], columns[-1]
        chosen = slice(first, last + 1) if last - first + 1 == len(columns) else list(columns)
        if self._library.is_pyarrow():
            block = np.array([column.to_numpy() for column in self._native.select(columns).columns]).T
        elif self._library.is_pandas():
            block = self._native.iloc[:, chosen].to_numpy()
        else:
            block = self._native[:, chosen].to_numpy()
        return by_columns(block, _common_numeric(block.dtype))


_ANY = "any"  # the type of columns that hold objects


def _type_keys(frame: nw.DataFrame[Any]) -> list[Hashable]:
    """What tells the types of columns apart, from the dataframe's own library where it is a known one."""
    native = frame.to_native()
    if frame.implementation.is_pandas():
        types = native.dtypes.tolist()
        texts = [dtype if isinstance(dtype, np.dtype) else str(dtype) for dtype in types]
        return [_ANY if dtype == np.dtype(object) else dtype for dtype in texts]
    if frame.implementation.is_polars():
        return [_ANY if text == "Object" else text for text in map(str, native.dtypes)]
    if frame.implementation.is_pyarrow():
        return list(map(str, native.schema.types))
    return [_ANY] * len(frame.columns)


class LazyInput(_ColumnwiseInput):
    """A lazy frame of polars, read a few columns at a time, never as a whole."""

    def __init__(self, frame: Any) -> None:
        super().__init__()
        self._lazy = frame
        schema = nw.from_native(frame).collect_schema()
        self._types = list(schema.values())
        self.names = list(schema)
        self.n_rows = count_rows(frame)

    def _read(self, j: int) -> tuple[str, Any]:
        name = self.names[j]
        return read_series(collect_columns(self._lazy, [name]).get_column(name), name)

    def _kind_by_type(self, j: int) -> str | None:
        return kind_by_type(self._types[j])

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        if len(columns) == 1:
            return super().numeric(columns)
        columns = np.asarray(columns)
        block = FrameInput(collect_columns(self._lazy, [self.names[j] for j in columns]))
        return [(columns[places], values) for places, values in block.numeric(np.arange(len(columns)))]


class ObjectInput(_ColumnwiseInput):
    """A 2-D array of objects, texts or times."""

    def __init__(self, X: np.ndarray, names: Sequence[str] | None) -> None:
        super().__init__()
        self._X = X
        self.names = names or default_names(X.shape[1])
        self.n_rows = X.shape[0]

    def _read(self, j: int) -> tuple[str, Any]:
        return read_values(self._X[:, j], self.names[j])


def kind_by_type(dtype: Any) -> str | None:
    """The kind of a dataframe column by its type; None where the values must tell."""
    if dtype.is_numeric():
        return "numeric"
    if dtype == nw.Boolean:
        return "boolean"
    if isinstance(dtype, nw.Datetime | nw.Date):
        return "datetime"
    if isinstance(dtype, nw.Duration | nw.Time):
        return "duration"
    return "category" if isinstance(dtype, nw.Categorical | nw.Enum | nw.String) else None


def read_series(series: nw.Series[Any], name: str) -> tuple[str, Any]:
    """Kind of a dataframe column, and its numbers, or its levels and codes."""
    series = series.alias("")  # polars takes "^...$" for a pattern, and a name with NUL ends the process
    dtype = series.dtype
    if dtype.is_numeric():
        return "numeric", _numbers(series)
    if dtype == nw.Boolean:
        return "boolean", _numbers(series.cast(nw.Int8) if series.null_count() else series)
    if isinstance(dtype, nw.Datetime | nw.Date):
        return "datetime", _times(series, series.dt.timestamp("us"))
    if isinstance(dtype, nw.Duration):
        return "duration", _times(series, series.dt.total_microseconds())
    if isinstance(dtype, nw.Categorical | nw.Enum | nw.String):
        return "category", _categories(series)
    if isinstance(dtype, nw.Time):
        return "duration", np.array([np.nan if v is None else _microseconds(v) for v in series.to_list()])
    if isinstance(dtype, nw.Object):
        return read_values(series.to_numpy(), name)
    if hasattr(native := series.to_native(), "dt") and hasattr(
        native.dt, "to_timestamp"
    ):  # periods of pandas
        return read_series(nw.from_native(native.dt.to_timestamp(), series_only=True), name)
    if series.null_count() == len(series):
        return "numeric", np.full(len(series), np.nan)
    values = series.to_numpy()  # a type narwhals does not know; numpy may
    if values.dtype.kind in "biufmM":
        return read_values(values, name)
    raise ColumnTypeError(
        f"Column {name!r} holds values of type {dtype}; a column must hold numbers, categories, "
        "texts, booleans or times. Hint: drop the column or turn it into one of these."
    )


def _numbers(series: nw.Series[Any]) -> np.ndarray:
    as_floats = series.null_count() or isinstance(
        series.dtype, nw.Int128 | nw.UInt128
    )  # numpy has none of 128 bits
    values = series.cast(nw.Float64).to_numpy() if as_floats else series.to_numpy()
    if values.dtype.kind not in "biuf":  # decimals, nullable types
        values = np.array([np.nan if v is None else float(v) for v in values.tolist()])
    return np.ascontiguousarray(values, dtype=_common_numeric(values.dtype))


def _microseconds(time: datetime.time) -> float:
    return ((time.hour * 60 + time.minute) * 60 + time.second) * 1e6 + time.microsecond


def _times(series: nw.Series[Any], microseconds: nw.Series[Any]) -> np.ndarray:
    missing = series.is_null().to_numpy()
    values = np.where(missing, 0, microseconds.fill_null(0).to_numpy()).astype(np.float64)
    values[missing] = np.nan
    return values


def _categories(series: nw.Series[Any]) -> tuple[np.ndarray, list[Any]]:
    """Levels in order, and the one of each row; read in the fastest way the library of the series has."""
    native, library = series.to_native(), series.implementation
    if library.is_pandas():
        if isinstance(series.dtype, nw.String):
            codes, levels = native.factorize()
        else:
            codes, levels = native.cat.codes.to_numpy(), native.cat.categories.astype(str)
        return _in_order(codes, levels.tolist())
    if library.is_polars() or (library.is_pyarrow() and _are_texts(native.type)):
        return _in_order(*number_texts(native.__arrow_c_stream__()))
    missing = series.is_null()
    # Only values that are there become texts: some libraries would turn a missing one into "None".
    texts = series.filter(~missing).cast(nw.String).alias("text")
    levels = texts.unique().sort().to_list()
    codes = np.full(len(series), -1)
    if levels:
        places = texts.replace_strict(levels, list(range(len(levels))), return_dtype=nw.Int64)
        codes[~missing.to_numpy()] = places.to_numpy()
    return codes, levels


def _are_texts(dtype: Any) -> bool:
    """Whether a type of Arrow is one of texts, or of dictionaries of texts."""
    return str(getattr(dtype, "value_type", dtype)) in ("string", "large_string", "string_view")


def _in_order(codes: np.ndarray, texts: list[str]) -> tuple[np.ndarray, list[str]]:
    """Number the texts that occur in their order."""
    is_present = np.zeros(len(texts), np.bool_)
    find_present(codes, is_present)
    levels = sorted({text for text, present in zip(texts, is_present.tolist(), strict=True) if present})
    place = {level: code for code, level in enumerate(levels)}
    in_order = np.empty(len(codes), np.int64)
    renumber(codes, np.array([place.get(text, -1) for text in texts], np.int64), -1, in_order)
    return in_order, levels


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and the missing values of dataframe libraries."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value; arrays have many
        return type(value).__name__ == "NAType"


def read_values(values: np.ndarray, name: str) -> tuple[str, Any]:
    """Kind of an array of objects, texts or times, and its numbers, or its levels and codes."""
    if values.dtype.kind in "biuf":
        return "numeric", np.ascontiguousarray(values, dtype=_common_numeric(values.dtype))
    if values.dtype.kind in "mM":
        unit = values.astype("datetime64[us]" if values.dtype.kind == "M" else "timedelta64[us]")
        numbers = unit.astype(np.int64).astype(np.float64)
        numbers[np.isnat(values)] = np.nan
        return ("datetime" if values.dtype.kind == "M" else "duration"), numbers
    objects = values.tolist()
    missing = np.fromiter(map(is_missing, objects), bool, len(objects))
    present = [value for value, absent in zip(objects, missing, strict=True) if not absent]
    if all(isinstance(value, bool | int | float | np.number | np.bool_) for value in present):
        if not missing.any() and all(isinstance(v, bool | int | np.integer | np.bool_) for v in present):
            with suppress(OverflowError):  # beyond 64 bits they are compared as floats
                return "numeric", np.array(present, dtype=np.int64)
        numbers = np.full(len(objects), np.nan)
        try:
            numbers[~missing] = [float(value) for value in present]
        except OverflowError:
            raise DataError(
                f"Column {name!r} holds a whole number beyond the range of floats; values must be below "
                "1.8e308. Hint: use its logarithm, or turn the values into texts."
            ) from None
        return "numeric", numbers
    if all(isinstance(value, datetime.date) for value in present):
        times = [None if absent else value for value, absent in zip(objects, missing, strict=True)]
        return read_values(np.array(times, dtype="datetime64[us]"), name)
    allowed = str | bytes | bool | int | float | np.generic
    for value in present:
        if not isinstance(value, allowed):
            raise ColumnTypeError(
                f"Column {name!r} holds a {type(value).__name__}; each value of the argument must "
                "be a string or a number. Hint: drop the column or turn its values into texts."
            )
    levels = sorted({str(value) for value in present})
    place = {level: code for code, level in enumerate(levels)}
    codes = np.full(len(objects), -1)
    codes[~missing] = [place[str(value)] for value in present]
    return "category", (codes, levels)

"""Read dataframes of pandas, polars, pyarrow and other libraries that narwhals supports."""

import datetime
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse

from entropick._base.wording import did_you_mean, quoted
from entropick._core import NumericTable, find_present, number_texts, renumber
from entropick.exceptions import ColumnTypeError, DataError
from entropick.table.readers.inputs import (
    CACHE_LINE,
    Columns,
    ColumnwiseInput,
    as_frame,
    by_columns,
    collect_columns,
    common_numeric,
    count_rows,
    is_lazy,
    lazy_columns,
    plain_array,
    read_values,
    repeated_names,
)
from entropick.table.readers.objects import whole_objects


class FrameInput(ColumnwiseInput):
    """A dataframe of any library, read through narwhals column by column.

    Subclasses read many columns at once, because narwhals takes time per column.
    """

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        super().__init__()
        self._frame = frame
        self._open(list(frame.columns), len(frame), [_ANY] * len(frame.columns))

    def _open(self, names: Sequence[Any], n_rows: int, types: Sequence[Hashable]) -> None:
        """Set names and types; a type is any key that distinguishes column types."""
        if len(set(names)) < len(names):
            raise repeated_names(names)
        self.names = names if set(map(type, names)) == {str} else list(map(str, names))
        self.n_rows = n_rows
        self._types = types

    def _series(self, j: int) -> nw.Series[Any]:
        return self._frame[:, j]

    @cached_property
    def kinds(self) -> list[str]:
        first = {key: self._types.index(key) for key in set(self._types) - {_ANY}}
        kind_of = {key: kind_by_type(self._series(j).dtype) or "" for key, j in first.items()} | {_ANY: ""}
        kinds = list(map(kind_of.__getitem__, self._types))
        for j in [j for j, kind in enumerate(kinds) if not kind]:
            kinds[j] = kind_by_type(self._series(j).dtype) or self._kind_by_values(j)
        return kinds

    def _read(self, j: int) -> tuple[str, Any]:
        return read_series(self._series(j), self.names[j])

    def may_round(self) -> Sequence[int]:
        rounded = {key for key in set(self._types) if _may_round(key)}
        return [j for j, key in enumerate(self._types) if key in rounded] if rounded else ()

    def whole(self, j: int) -> tuple[np.ndarray, np.ndarray] | None:
        return whole_numbers(self._series(j))


def _may_round(key: Hashable) -> bool:
    """Whether a column of this type may hold whole numbers that become floats."""
    if isinstance(key, np.dtype):
        return key == np.uint64
    return key in ("l", "L", _ANY) or str(key).lower().startswith(("int", "uint"))


_ANY = "any"  # the type of object columns, whose values may have any type


class PandasInput(FrameInput):
    """A pandas dataframe."""

    # Columns are often stored in one row-major array.
    columns_together = CACHE_LINE // 8

    def __init__(self, frame: Any) -> None:
        ColumnwiseInput.__init__(self)
        self._native = frame
        dtypes = frame.dtypes.tolist()
        text_of = {dtype: dtype if isinstance(dtype, np.dtype) else str(dtype) for dtype in set(dtypes)}
        text_of[np.dtype(object)] = _ANY
        self._open(frame.columns.tolist(), len(frame), [text_of[dtype] for dtype in dtypes])

    def _series(self, j: int) -> nw.Series[Any]:
        return nw.from_native(self._native.iloc[:, j], series_only=True)

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        by_type: dict[Hashable, list[int]] = {}
        for j in np.asarray(columns).tolist():
            by_type.setdefault(self._types[j], []).append(j)
        read: list[tuple[np.ndarray, np.ndarray]] = []
        for dtype, members in by_type.items():
            if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
                read.append((np.array(members), self._block(members)))
            else:
                read += super().numeric(members)
        return read

    def _block(self, columns: Sequence[int]) -> np.ndarray:
        first, last = columns[0], columns[-1]
        chosen = slice(first, last + 1) if last - first + 1 == len(columns) else list(columns)
        block = self._native.iloc[:, chosen].to_numpy()
        return by_columns(block, common_numeric(block.dtype))


class ArrowInput(FrameInput):
    """A dataframe whose numbers are read in place through Arrow's C interface."""

    _table: NumericTable
    _place: np.ndarray  # index of each column in `_table`; -1 if it is not a number

    @cached_property
    def gather(self) -> Callable[[np.ndarray], np.ndarray] | None:
        """What takes rows of columns that stand in memory as floats; None if some do not.

        The libraries need some microseconds per column for it.
        """
        formats = self._table.formats  # of numbers only, in polars
        if len(formats) < len(self.names) or set(formats) != {"g"}:
            return None
        views = list(map(self._table.view, range(len(formats))))
        if any(view is None for view in views):
            return None
        return lambda rows: np.stack([view[rows] for view in views if view is not None], axis=1)

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        columns = np.asarray(columns)
        places = self._place[columns]
        read = [] if (places >= 0).all() else super().numeric(columns[places < 0])
        columns, places = columns[places >= 0], places[places >= 0]
        view = self._table.view(int(places[0])) if len(places) == 1 else None
        if view is not None:  # a long column is not copied
            return [*read, (columns, view[np.newaxis])]
        codes = self._table.types[places]
        for code in np.unique(codes).tolist():
            values = np.empty((np.count_nonzero(codes == code), self.n_rows), _TYPES[code])
            self._table.read(places[codes == code], values)
            read.append((columns[codes == code], values))
        return read


_TYPES = (np.uint8, np.int64, np.float64)  # in the order of NumericTable's type codes


class PolarsInput(ArrowInput):
    """A polars dataframe; only its numbers are exported, as other types may be converted."""

    def __init__(self, frame: Any) -> None:
        ColumnwiseInput.__init__(self)
        self._native = frame
        # Use Arrow's format letters: creating a Python object per type would take longer than all the rest.
        names = frame.columns
        self._table = NumericTable(_exported(frame, names), all_or_none=True)
        types, self._place = list(self._table.formats), np.arange(frame.width)
        if _OTHER in self._table.formats:
            is_number = np.array(types) != _OTHER
            self._place = np.where(is_number, np.cumsum(is_number) - 1, -1)
            dtypes = frame.dtypes
            for j in np.flatnonzero(~is_number).tolist():
                types[j] = _ANY if (name := str(dtypes[j])) == "Object" else name
            numbers = frame[:, np.flatnonzero(is_number).tolist()]
            self._table = NumericTable(_exported(numbers, names))
        self._open(names, frame.height, types)

    def _series(self, j: int) -> nw.Series[Any]:
        return nw.from_native(self._native.to_series(j), series_only=True)


_OTHER = "?"  # NumericTable's letter for what is neither a number nor a boolean


def _exported(frame: Any, names: Sequence[str]) -> Any:
    """Export a polars dataframe as a stream of Arrow data; a name with NUL would abort the process."""
    if "\0" in "".join(names):
        frame = frame.clone()
        frame.columns = list(map(str, range(frame.width)))
    return frame.__arrow_c_stream__()


class PyarrowInput(ArrowInput):
    """A pyarrow table."""

    def __init__(self, table: Any) -> None:
        ColumnwiseInput.__init__(self)
        self._native = table
        self._table = NumericTable(table.__arrow_c_stream__())
        is_number = self._table.types < len(_TYPES)
        types = list(self._table.formats)
        for j in np.flatnonzero(~is_number).tolist():
            types[j] = str(table.schema.field(j).type)
        self._open(table.schema.names, table.num_rows, types)
        self._place = np.where(is_number, np.arange(len(types)), -1)

    def _series(self, j: int) -> nw.Series[Any]:
        return nw.from_native(self._native.column(j), series_only=True)


def open_frame(X: Any) -> ColumnwiseInput:
    """Present a dataframe, or a polars lazy frame, as named columns."""
    if is_lazy(X):
        return LazyInput(X)
    X = nw.to_native(X, pass_through=True)
    if nw.dependencies.is_pandas_dataframe(X):
        return PandasInput(X)
    if nw.dependencies.is_polars_dataframe(X):
        return PolarsInput(X)
    if nw.dependencies.is_pyarrow_table(X):
        return PyarrowInput(X)
    return FrameInput(nw.from_native(X))


class LazyInput(ColumnwiseInput):
    """A polars lazy frame, read a few columns at a time, never as a whole."""

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

    def may_round(self) -> Sequence[int]:
        return [j for j, dtype in enumerate(self._types) if dtype.is_integer()]

    def whole(self, j: int) -> tuple[np.ndarray, np.ndarray] | None:
        name = self.names[j]
        return whole_numbers(collect_columns(self._lazy, [name]).get_column(name))

    def numeric(self, columns: Columns) -> list[tuple[np.ndarray, np.ndarray]]:
        if len(columns) == 1:
            return super().numeric(columns)
        columns = np.asarray(columns)
        block = PolarsInput(collect_columns(self._lazy, [self.names[j] for j in columns]).to_native())
        return [(columns[places], values) for places, values in block.numeric(np.arange(len(columns)))]


def target_taken_out(X: Any, name: str) -> tuple[Any, Any]:
    """X without the column of this name, and that column."""
    frame = X if is_lazy(X) else as_frame(X)
    if frame is None:
        raise DataError(
            f"y is the name {quoted(name)} of a column, but X has no column names. Hint: pass the values of "
            "the target as y."
        )
    names = list(frame.collect_schema().names())
    if name not in names:
        near = did_you_mean(name, names, "pass the values of the target as y.")
        raise DataError(f"y names {quoted(name)}, which is not one of the {len(names)} columns. Hint: {near}")
    column = collect_columns(X, [name])[name] if is_lazy(X) else frame[name]
    return without_column(X, name), column.to_native()


def without_column(X: Any, name: str) -> Any:
    """X without the column of this name, if it has names and such a column."""
    if is_lazy(X):
        names = X.collect_schema().names()
        return lazy_columns(X, [other for other in names if other != name]) if name in names else X
    frame = as_frame(X)
    return X if frame is None or name not in frame.columns else frame.drop(name).to_native()


def with_copies(X: Any, orders: Iterator[np.ndarray], n_copies: int) -> Any:
    """A table followed by copies of its columns, each with its rows in another order."""
    frame = as_frame(X)
    if frame is None:
        X = X.tocsc() if scipy.sparse.issparse(X) else plain_array(X)
        columns = np.tile(np.arange(X.shape[1]), n_copies)[:, None]
        parts = [X, *(X[:, j][next(orders)] for j in columns)]
        return scipy.sparse.hstack(parts, "csr") if scipy.sparse.issparse(X) else np.hstack(parts)
    frame = frame.rename({name: str(name) for name in frame.columns if not isinstance(name, str)})
    prefix = "copy"
    while any(name.startswith(prefix) for name in frame.columns):
        prefix += "_"
    copies = [
        frame[name][next(orders).tolist()].alias(f"{prefix}{k}_{name}")
        for k in range(n_copies)
        for name in frame.columns
    ]
    return frame.with_columns(*copies).to_native()


def kind_by_type(dtype: Any) -> str | None:
    """The kind of a dataframe column by its type; None if it depends on the values."""
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
    """Return the kind of a dataframe column, and its numbers or its codes and levels."""
    series = series.alias("")  # polars reads "^...$" as a pattern, and NUL in a name aborts the process
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
    native = series.to_native()
    if hasattr(native, "dt") and hasattr(native.dt, "to_timestamp"):  # periods of pandas
        return read_series(nw.from_native(native.dt.to_timestamp(), series_only=True), name)
    if series.null_count() == len(series):
        return "numeric", np.full(len(series), np.nan)
    values = series.to_numpy()  # a type unknown to narwhals; numpy may know it
    if values.dtype.kind in "biufmM" and values.ndim == 1:  # structs and arrays of polars are 2-D
        return read_values(values, name)
    shown = native.dtype if dtype == nw.Unknown else dtype
    raise ColumnTypeError(
        f"Column {quoted(name)} holds values of type {shown}; a column must hold numbers, categories, "
        "strings, booleans or times. Hint: drop the column or turn it into one of these."
    )


def _numbers(series: nw.Series[Any]) -> np.ndarray:
    is_wide = isinstance(series.dtype, nw.Int128 | nw.UInt128)  # numpy has no 128-bit integers
    values = _floats(series) if is_wide or series.null_count() else series.to_numpy()
    if values.dtype.kind not in "biuf":  # decimals, nullable types
        values = np.array([np.nan if v is None else float(v) for v in values.tolist()])
    return np.ascontiguousarray(values, dtype=common_numeric(values.dtype))


def _floats(series: nw.Series[Any]) -> np.ndarray:
    if series.implementation.is_pandas() and series.dtype.is_integer():
        # Arrow's own cast rejects whole numbers beyond 2^53.
        return np.asarray(series.to_native().to_numpy(dtype=np.float64, na_value=np.nan))
    return series.cast(nw.Float64).to_numpy()


def whole_numbers(series: nw.Series[Any]) -> tuple[np.ndarray, np.ndarray] | None:
    """The values of a column of whole numbers, and which are missing; None for other columns."""
    series = series.alias("")
    if isinstance(series.dtype, nw.Object):
        return whole_objects(series.to_numpy().tolist())
    if not series.dtype.is_integer():
        return None
    missing = series.is_null().to_numpy()
    if not missing.any() and not isinstance(series.dtype, nw.Int128 | nw.UInt128):
        values = series.to_numpy()
        if values.dtype.kind in "iu":
            return values, missing
    return whole_objects(series.to_list())


def _microseconds(time: datetime.time) -> float:
    return ((time.hour * 60 + time.minute) * 60 + time.second) * 1e6 + time.microsecond


def _times(series: nw.Series[Any], microseconds: nw.Series[Any]) -> np.ndarray:
    missing = series.is_null().to_numpy()
    values = np.where(missing, 0, microseconds.fill_null(0).to_numpy()).astype(np.float64)
    values[missing] = np.nan
    return values


def _categories(series: nw.Series[Any]) -> tuple[np.ndarray, list[Any]]:
    """Codes of the rows and sorted levels, read in the fastest way of the library."""
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
    # Only present values are cast: some libraries would turn a missing one into "None".
    texts = series.filter(~missing).cast(nw.String).alias("text")
    levels = texts.unique().sort().to_list()
    codes = np.full(len(series), -1)
    if levels:
        places = texts.replace_strict(levels, list(range(len(levels))), return_dtype=nw.Int64)
        codes[~missing.to_numpy()] = places.to_numpy()
    return codes, levels


def _are_texts(dtype: Any) -> bool:
    """Whether an Arrow type is a string, or a dictionary of strings."""
    return str(getattr(dtype, "value_type", dtype)) in ("string", "large_string", "string_view")


def _in_order(codes: np.ndarray, texts: list[str]) -> tuple[np.ndarray, list[str]]:
    """Number the strings that occur, in sorted order."""
    is_present = np.zeros(len(texts), np.bool_)
    find_present(codes, is_present)
    levels = sorted({text for text, present in zip(texts, is_present.tolist(), strict=True) if present})
    code_of = {level: code for code, level in enumerate(levels)}
    in_order = np.empty(len(codes), np.int64)
    renumber(codes, np.array([code_of.get(text, -1) for text in texts], np.int64), -1, in_order)
    return in_order, levels

"""Tables inside a database: queries are sent, counts come back, and rows stay where they are."""

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from entropick._base.wording import first_line, quoted
from entropick.exceptions import ColumnTypeError, DatabaseError, DataError
from entropick.table.encoding.in_database import Frame, Rows, ValueColumn, Values
from entropick.table.executors.dialects import Dialect, dialect_of
from entropick.table.readers.frames import kind_by_type
from entropick.table.readers.scan import LAZY_LIBRARIES, NamedTable

MAX_ROWS = 1 << 22  # of an answer
REFUSALS = frozenset(
    {
        "ProgrammingError", "DataError", "NotSupportedError",  # as Python's standard for databases calls them
        "SQLITE_ERROR", "SQLITE_NOTADB",  # which SQLite calls operational errors
        "25006",  # PostgreSQL: a transaction that only reads
        "SqlglotError", "IbisError", "AnalysisException", "ArithmeticException", "NumberFormatException",
    }
)  # fmt: skip


@dataclass(frozen=True)
class DatabaseFrame(NamedTable):
    """A table inside a database; made by `entropick.database`."""

    frame: Frame
    watch: Callable[[Frame], None] | None = field(default=None, compare=False)  # is shown every query

    def _column(self, name: str) -> "DatabaseColumn":
        return DatabaseColumn(self.frame, name)

    def to_native(self) -> Any:
        """The chosen columns as a table of their own library."""
        return dialect_of(self.frame).selected(self.frame, self.columns)


class DatabaseColumn(NamedTuple):
    """One column of such a table, such as the target."""

    frame: Frame
    name: str


def database(table: Any) -> DatabaseFrame:
    """A table inside a database, which stays there.

    Only queries are sent, and only counts, bounds and levels come back. For all measures based on counts the
    result is that of the table in memory, bit for bit. `fit` and `select` also take the table as it is, with
    the name of the target: ``JMI(10).fit(table, "y")``.

    Parameters
    ----------
    table : relation of DuckDB, table of ibis, or any lazy frame of narwhals
        With ibis that is a table of PostgreSQL, SQLite, Snowflake, BigQuery and others.

    Returns
    -------
    table : DatabaseFrame
        ``table["y"]`` is a column, ``table.drop("y")`` all others; pass both to `fit` or `select`.

    Examples
    --------
    >>> import duckdb, entropick as ep
    >>> con = duckdb.connect()
    >>> query = "SELECT i % 4 AS a, i % 2 AS b, i % 4 // 2 AS y FROM range(16) t(i)"
    >>> _ = con.execute("CREATE TABLE t AS " + query)
    >>> table = ep.database(con.table("t"))
    >>> ep.select(table.drop("y"), table["y"], measure="jmi", cut=1).selected_names
    ['a']
    """
    if isinstance(table, DatabaseFrame):
        return table
    if not is_database(table):
        raise DataError(
            f"The table must be inside a database, got {type(table).__name__}. Hint: pass a relation of "
            "DuckDB or a table of ibis; other tables go to fit as they are."
        )
    frame: Frame = nw.from_native(table)
    with errors_in_a_sentence():
        return DatabaseFrame(tuple(frame.collect_schema().names()), frame)


def is_database(X: Any) -> bool:
    """Whether X is a table inside a database: a lazy frame, but none of polars or Dask."""
    if isinstance(X, DatabaseFrame):
        return True
    if type(X).__module__.partition(".")[0] not in LAZY_LIBRARIES:
        return False
    frame = nw.from_native(X, pass_through=True)
    if not isinstance(frame, nw.LazyFrame):
        return False
    return not (frame.implementation.is_polars() or frame.implementation.is_dask())


def named_parts(X: Any, y: Any) -> tuple[DatabaseFrame, DatabaseColumn | None]:
    """The columns to choose from and the target of a table, which y may name."""
    if y is None:
        return database(X), None
    parent = _common_table(X, y)
    if parent is not None:
        return database(X), database(parent)[y.get_name()]
    table = database(X)
    if isinstance(y, str):
        return table.drop(y), table[y]
    if isinstance(y, DatabaseColumn) and y.frame is table.frame:
        return table, y
    raise DataError(
        "The target of a table inside a database must be the name of one of its columns, fit(table, 'y'), or "
        "such a column: table = ep.database(table); fit(table.drop('y'), table['y'])."
    )


def _common_table(X: Any, y: Any) -> Any:
    """The table of ibis that X and the column y were taken from; None if they were not."""
    if type(X).__module__.partition(".")[0] != "ibis" or type(y).__module__.partition(".")[0] != "ibis":
        return None
    parent, of_target = X.op(), getattr(y.op(), "rel", None)
    while of_target is not None:
        if parent == of_target:
            return parent.to_expr()
        kept = type(parent).__name__ == "DropColumns" or (
            type(parent).__name__ == "Project"
            and all(type(value).__name__ == "Field" for value in parent.values.values())
        )
        if not kept:
            break
        parent = parent.parent
    raise DataError(
        "X and y must be columns of one table of ibis, with all its rows. Hint: fit(table, 'y') takes the "
        "target by its name."
    )


def _is_interruption(error: Exception) -> bool:
    """Whether Ctrl-C ended a query, as DuckDB and SQLite report it."""
    is_of_sqlite = getattr(error, "sqlite_errorname", None) == "SQLITE_INTERRUPT"
    return is_of_sqlite or type(error).__name__ == "InterruptException"


def _is_refusal(error: Exception) -> bool:
    """Whether a query is wrong, not the database or the connection: then another try is in vain."""
    return (
        any(base.__name__ in REFUSALS for base in type(error).__mro__)
        or getattr(error, "sqlite_errorname", None) in REFUSALS
        or getattr(error, "sqlstate", None) in REFUSALS
    )


@contextmanager
def errors_in_a_sentence() -> Iterator[None]:
    """Say in one sentence why a database does not answer, or what it refuses."""
    try:
        yield
    except (DataError, ColumnTypeError, DatabaseError, ImportError):
        raise
    except Exception as error:
        if _is_interruption(error):
            raise KeyboardInterrupt from None
        if _is_refusal(error):
            raise DataError(
                f"The database refuses a query: {first_line(error).rstrip('.!')}. No table of it was "
                "changed. Hint: check the query, and what you may read."
            ) from error
        raise DatabaseError(
            f"The database did not answer: {first_line(error).rstrip('.!')}. No table of it was changed. "
            "Hint: check the connection and the table, and try again."
        ) from error


class DatabaseRun:
    """Answers queries; one at a time, on the connection that the table came with.

    Parameters
    ----------
    frame : the table
    watch : is shown every query
    """

    def __init__(self, frame: Frame, watch: Callable[[Frame], None] | None = None) -> None:
        self._frame, self._watch = frame, watch
        self._dialect: Dialect = dialect_of(frame)
        self._drops: list[Callable[[], None]] = []

    def number(self, value: float) -> nw.Expr:
        return self._dialect.number(value)

    def code_type(self, n_levels: int) -> Any:
        """The type of codes of a column with this many levels."""
        return self._dialect.code_type(n_levels)

    @property
    def columns_at_once(self) -> int:
        """Columns whose cells are best counted by one query."""
        return self._dialect.columns_at_once

    def ask(self, branches: Sequence[Frame]) -> Rows:
        """The rows of some queries with the same columns."""
        found: list[Rows] = []
        at_once = self._dialect.branches_at_once
        for first in range(0, len(branches), at_once):
            found.append(self._ask(self._dialect.union(list(branches[first : first + at_once]))))
        if len(found) == 1:
            return found[0]
        return {name: np.concatenate([rows[name] for rows in found]) for name in found[0]}

    def _ask(self, query: Frame) -> Rows:
        query = query.head(MAX_ROWS + 1)
        if self._watch is not None:
            self._watch(query)
        with self._explained():
            answer = query.collect(backend="pyarrow").to_native()
        if answer.num_rows > MAX_ROWS:
            raise DataError(
                f"The database would have to send more than {MAX_ROWS} counts at once. Hint: leave out "
                "columns of many levels, or use a method that counts pairs of columns, such as JMI."
            )
        return {name: _values(answer.column(name)) for name in answer.schema.names}

    def stored(self, frame: Frame, n_bytes: int) -> Frame:
        """The rows of a query in a temporary table, or the query itself where there can be none."""
        if self._watch is not None:
            self._watch(frame)
        with self._explained():
            found = self._dialect.stored(frame, n_bytes)
        if found is None:
            return frame
        self._drops.append(found[1])
        return found[0]

    def close(self) -> None:
        """Drop temporary tables."""
        for drop in self._drops:
            with suppress(Exception):  # they go with the connection
                drop()
        self._drops.clear()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        with errors_in_a_sentence(), self._dialect.interruptible():
            yield

    # -- values --------------------------------------------------------------------------------

    def values(self, names: Sequence[str], complete: Container[str] = ()) -> Values:
        """Some columns as values that can be compared: missing ones are NULL, times are microseconds.

        Complete columns have no missing values, so that none is looked for.
        """
        with self._explained():
            plain, own = self._dialect.with_plain_names(self._frame)
            schema = plain.collect_schema()
            types = {name: schema[own[name]] for name in names}
            times = {n: t for n, t in types.items() if kind_by_type(t) in ("datetime", "duration")}
            frame: Frame | None = plain
            if times:
                read = {own[name]: dtype for name, dtype in times.items()}
                frame = self._dialect.with_microseconds(plain.select(*map(own.__getitem__, names)), read)
            if frame is None:
                raise _type_error(*next(iter(times.items())))
            columns, values = [], {}
            for j, (name, dtype) in enumerate(types.items()):
                has_nan = self._dialect.has_nan and name not in complete
                column, values[f"c{j}"] = _value(name, nw.col(own[name]), f"c{j}", dtype, has_nan)
                columns.append(column)
            return Values(frame.select(**values), tuple(columns))


def _value(name: str, x: nw.Expr, key: str, dtype: Any, has_nan: bool) -> tuple[ValueColumn, nw.Expr]:
    """A column, and the expression of its values."""
    kind = kind_by_type(dtype)
    if kind == "category":
        return ValueColumn(name, key, kind, False), x if dtype == nw.String else x.cast(nw.String)
    if kind == "boolean":
        number = nw.when(x).then(nw.lit(1)).otherwise(nw.when(~x).then(nw.lit(0)).otherwise(nw.lit(None)))
        return ValueColumn(name, key, kind, True), number.cast(nw.Int64)
    if kind in ("datetime", "duration"):
        return ValueColumn(name, key, kind, True), x
    if kind != "numeric":
        raise _type_error(name, dtype)
    if dtype.is_integer():
        fits = not isinstance(dtype, nw.UInt64 | nw.Int128 | nw.UInt128)
        return ValueColumn(name, key, kind, True, fits), x.cast(nw.Int64) if fits else x
    number = x if dtype == nw.Float64 else x.cast(nw.Float64)
    if has_nan and dtype.is_float():
        number = nw.when(~number.is_nan()).then(number).otherwise(nw.lit(None))
    return ValueColumn(name, key, kind, False), number


def _type_error(name: str, dtype: Any) -> ColumnTypeError:
    return ColumnTypeError(
        f"Column {quoted(name)} holds values of type {dtype}, which cannot be compared in this database; a "
        "column must hold numbers, texts, booleans or times. Hint: leave it out, or cast it in a query."
    )


def _values(column: Any) -> np.ndarray:
    """A column of an answer: int64, float64, or objects for texts and numbers beyond 64 bits."""
    kind = str(column.type)
    if kind.startswith(("int", "uint", "double", "float")) and not column.null_count:
        return np.asarray(column.to_numpy())
    found = np.empty(len(column), dtype=object)
    found[:] = column.to_pylist()
    return found

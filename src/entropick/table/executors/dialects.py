"""What differs between the engines of databases: reading times, exact numbers, temporary tables, Ctrl-C."""

import math
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

Frame: TypeAlias = nw.LazyFrame[Any]

PLAIN_DIGITS, PLAIN_EXPONENT = 15, 22  # decimal numbers up to here are read exactly by any engine
MICROSECONDS = 1_000_000
SHARE_OF_MEMORY = 0.25  # of DuckDB's, up to which codes are kept there
STORED_BY_ROW = ("postgres", "sqlite", "mysql")
OWN_SESSION = "entropick"  # how sessions that the program opened are called


class Dialect:
    """An engine of which narwhals knows all that is needed; subclasses know more."""

    has_nan = True

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def with_plain_names(self, frame: Frame) -> tuple[Frame, Mapping[str, str]]:
        """The frame with names that mean nothing in expressions, and these names by the old ones."""
        return frame, {name: name for name in frame.collect_schema().names()}

    def selected(self, frame: Frame, names: Sequence[str]) -> Any:
        """Some columns as a table of their own library."""
        return frame.select(*names).to_native()

    def with_microseconds(self, frame: Frame, types: Mapping[str, Any]) -> Frame | None:
        """A frame whose times are whole microseconds; None if the engine cannot do that."""
        return None

    def number(self, value: float) -> nw.Expr:
        """A number that the engine reads exactly: one of many digits is written as m · 2^e."""
        if isinstance(value, int) or _is_plain(value):
            return nw.lit(value)
        mantissa, exponent = math.frexp(value)
        whole, exponent = int(mantissa * 2**53), exponent - 53
        while whole % 2 == 0:
            whole, exponent = whole // 2, exponent + 1
        number = nw.lit(whole).cast(nw.Float64)
        while exponent:
            shift = min(abs(exponent), 60)
            power = nw.lit(2**shift).cast(nw.Float64)
            number = number * power if exponent > 0 else number / power
            exponent -= shift if exponent > 0 else -shift
        return number

    def code_type(self, n_levels: int) -> Any:
        """The type of codes of a column with this many levels."""
        return nw.Int16 if n_levels < 1 << 15 else nw.Int32

    @property
    def branches_at_once(self) -> int:
        """Queries that are sent as one."""
        return 32

    @property
    def columns_at_once(self) -> int:
        """Columns whose cells are best counted by one query."""
        return 1

    def union(self, branches: list[Frame]) -> Frame:
        """All rows of some queries."""
        return nw.concat(branches, how="vertical") if len(branches) > 1 else branches[0]

    def stored(self, frame: Frame, n_bytes: int) -> tuple[Frame, Callable[[], None]] | None:
        """A temporary table of the rows of a query, and what drops it; None if there can be none."""
        return None

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let Ctrl-C end a query."""
        yield


def _nothing() -> None:
    """Nothing has to be undone."""


class DuckDB(Dialect):
    """Relations of DuckDB."""

    def with_microseconds(self, frame: Frame, types: Mapping[str, Any]) -> Frame:
        import duckdb

        relation = frame.to_native()
        columns = []
        for name in frame.collect_schema().names():
            column = duckdb.ColumnExpression(name)
            if name in types:
                column = duckdb.FunctionExpression("epoch_us", column).alias(name)
            columns.append(column)
        return nw.from_native(relation.select(*columns))

    def number(self, value: float) -> nw.Expr:
        return nw.lit(value)  # handed over as it is, not as text

    def code_type(self, n_levels: int) -> Any:
        return nw.UInt8 if n_levels <= 1 << 8 else super().code_type(n_levels)

    def stored(self, frame: Frame, n_bytes: int) -> tuple[Frame, Callable[[], None]]:
        name, view = _unused_name("codes"), _unused_name("view")
        relation = frame.to_native()
        execute = partial(relation.query, view)
        catalog, detach = _place_of_codes(lambda sql: execute(sql).fetchall(), n_bytes)
        temporary = "TEMP" if catalog == "temp" else ""

        def drop() -> None:
            execute(f"DROP TABLE IF EXISTS {catalog}.{name}")
            execute(f"DROP VIEW IF EXISTS {view}")
            detach()

        try:
            execute(f"CREATE {temporary} TABLE {catalog}.{name} AS SELECT * FROM {view}")
        except BaseException:
            with suppress(Exception):
                drop()
            raise
        return nw.from_native(execute(f"SELECT * FROM {catalog}.{name}")), drop


def _place_of_codes(fetch: Callable[[str], Any], n_bytes: int) -> tuple[str, Callable[[], None]]:
    """The catalog of DuckDB for a table of codes, and what gives it up.

    A temporary table that does not fit in DuckDB's memory is written to disk again whenever it was read, so a
    large one goes to a file of its own, which is only read. Not within a transaction of the caller, which
    can write to one file only.
    """
    in_memory = "temp", _nothing
    ((limit, folder),) = fetch("SELECT current_setting('memory_limit'), current_setting('temp_directory')")
    is_in_transaction = fetch("SELECT txid_current()") == fetch("SELECT txid_current()")
    if not folder or is_in_transaction or n_bytes < _in_bytes(limit) * SHARE_OF_MEMORY:
        return in_memory
    near = Path(folder) if Path(folder).is_dir() else Path(folder).parent
    catalog = _unused_name("file")
    try:
        own = tempfile.mkdtemp(prefix="entropick-", dir=near)
    except OSError:
        return in_memory
    try:
        path = str(Path(own, "codes.duckdb")).replace("'", "''")
        fetch(f"ATTACH '{path}' AS {catalog} (READ_WRITE)")
    except Exception:  # DuckDB may be forbidden to open files
        shutil.rmtree(own, ignore_errors=True)
        return in_memory

    def detach() -> None:
        fetch(f"DETACH DATABASE IF EXISTS {catalog}")
        shutil.rmtree(own, ignore_errors=True)

    return catalog, detach


class Ibis(Dialect):
    """Tables of ibis."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        import ibis

        self._backend = frame.to_native().get_backend()
        self.has_nan = bool(self._backend.has_operation(ibis.expr.operations.IsNan))

    @property
    def name(self) -> str:
        return str(self._backend.name)

    @property
    def branches_at_once(self) -> int:
        return 8 if self.name == "sqlite" else 32  # SQLite nests unions, up to a depth of a hundred

    @property
    def columns_at_once(self) -> int:
        return 2 if self.name in STORED_BY_ROW else 1  # which read whole rows, however few columns count

    def with_microseconds(self, frame: Frame, types: Mapping[str, Any]) -> Frame | None:
        table = frame.to_native()
        if any(isinstance(dtype, nw.Duration) for dtype in types.values()):
            return None
        return nw.from_native(table.mutate(**{name: self._microseconds(table[name]) for name in types}))

    def _microseconds(self, column: Any) -> Any:
        if column.type().is_time():
            seconds = (column.hour().cast("int64") * 60 + column.minute()) * 60 + column.second()
            return seconds * MICROSECONDS + column.microsecond()
        column = column.cast("timestamp") if column.type().is_date() else column
        if self.name == "sqlite":  # whose times are exact to the second
            return column.epoch_seconds() * MICROSECONDS + column.millisecond() * 1000
        seconds = column.truncate("s").epoch_seconds()  # which would be rounded
        return seconds.cast("int64") * MICROSECONDS + column.microsecond().cast("int64")

    def union(self, branches: list[Frame]) -> Frame:
        import ibis

        if len(branches) == 1:
            return branches[0]
        return nw.from_native(ibis.union(*(branch.to_native() for branch in branches)))

    def stored(self, frame: Frame, n_bytes: int) -> tuple[Frame, Callable[[], None]] | None:
        name, catalog, detach = _unused_name("codes"), "temp", _nothing
        if self.name == "duckdb":
            catalog, detach = _place_of_codes(lambda sql: self._backend.raw_sql(sql).fetchall(), n_bytes)
        place: dict[str, Any] = {"temp": True} if catalog == "temp" else {"database": (catalog, "main")}
        with suppress(Exception), self._writing():  # it is read-only, or has no temporary tables
            table = self._backend.create_table(name, frame.to_native(), **place)
            return nw.from_native(table), detach if place.get("database") else partial(self._drop, name)
        detach()
        return None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that may write, in a session that the program opened for reading only."""
        con: Any = self._backend.con if self.name == "postgres" else None
        if con is None or con.info.parameter_status("application_name") != OWN_SESSION:
            yield
            return
        with con.transaction():
            con.execute("SET TRANSACTION READ WRITE")
            yield

    def _drop(self, name: str) -> None:
        with suppress(Exception), self._writing():  # it goes with the connection
            cursor = self._backend.raw_sql(f"DROP TABLE {name}")
            if cursor is not self._backend.con:
                cursor.close()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """SQLite does not check for signals."""
        handle = getattr(self._backend.con, "set_progress_handler", None) if self.name == "sqlite" else None
        if handle is None:
            yield
            return
        handle(lambda: 0, 1_000_000)
        try:
            yield
        finally:
            handle(None, 0)


class Spark(Dialect):
    """Dataframes of PySpark, which takes ``a.b`` for the field b of a column a."""

    def with_plain_names(self, frame: Frame) -> tuple[Frame, Mapping[str, str]]:
        plain = {name: f"v{j}" for j, name in enumerate(frame.collect_schema().names())}
        return nw.from_native(frame.to_native().toDF(*plain.values())), plain

    def selected(self, frame: Frame, names: Sequence[str]) -> Any:
        return frame.to_native().select(*("`" + name.replace("`", "``") + "`" for name in names))

    def with_microseconds(self, frame: Frame, types: Mapping[str, Any]) -> Frame | None:
        from pyspark.sql import functions

        if any(isinstance(dtype, nw.Duration | nw.Time) for dtype in types.values()):
            return None
        native = frame.to_native()
        for name, dtype in types.items():
            column = functions.col(name)
            if isinstance(dtype, nw.Date):
                column = functions.unix_date(column).cast("bigint") * (86_400 * MICROSECONDS)
            else:
                column = functions.unix_micros(column.cast("timestamp"))
            native = native.withColumn(name, column)
        return nw.from_native(native)

    def number(self, value: float) -> nw.Expr:
        return nw.lit(value)  # handed over as it is, not as text

    def stored(self, frame: Frame, n_bytes: int) -> tuple[Frame, Callable[[], None]]:
        native = frame.to_native().cache()
        return nw.from_native(native), lambda: native.unpersist()


def dialect_of(frame: Frame) -> Dialect:
    """What is known of the engine that holds a frame."""
    library = frame.implementation
    if library.is_duckdb():
        return DuckDB(frame)
    if library.is_ibis():
        return Ibis(frame)
    return Spark(frame) if library.is_pyspark() else Dialect(frame)


def query_text(frame: Frame, dialect: str) -> str:
    """A query of DuckDB or ibis as SQL."""
    if frame.implementation.is_duckdb():
        return str(frame.to_native().sql_query())
    import ibis

    return str(ibis.to_sql(frame.to_native(), dialect=dialect))


def _in_bytes(size: str) -> float:
    """A size as DuckDB shows it, such as 476.8 MiB."""
    number, unit = size.split()
    return float(number) * 1024.0 ** "bKMGT".index(unit[0])


def _is_plain(value: float) -> bool:
    digits, _, exponent = f"{value!r}e0".partition("e")
    power = int(exponent.partition("e")[0]) - len(digits.partition(".")[2])
    return len(digits.strip("-").replace(".", "").strip("0")) <= PLAIN_DIGITS and abs(power) <= PLAIN_EXPONENT


def _unused_name(what: str) -> str:
    """A name that nobody else uses; no text of the user's goes into it."""
    return f"entropick_{what}_{uuid.uuid4().hex}"

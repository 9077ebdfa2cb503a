"""Connections that the program opens: a file of DuckDB or SQLite, or the address of a server, by ibis."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import narwhals.stable.v2 as nw

from entropick._base.wording import first_line, listed, quoted
from entropick.exceptions import DataError
from entropick.table.executors.database import errors_in_a_sentence
from entropick.table.executors.dialects import OWN_SESSION
from entropick.table.readers.frames import kind_by_type

DUCKDB_FILES = (".duckdb", ".ddb")  # all other files are taken for SQLite's
MADE_UP_ROWS = 64
HEAD_OF_DUCKDB = b"DUCK"  # the first bytes of its files, after eight of a checksum
SELECTS = "StatementType.SELECT"  # how DuckDB calls statements that only read
TYPES_OF_POSTGRES = (
    "SELECT oid::int, CASE typtype WHEN 'e' THEN 'enum' ELSE format_type(oid, NULL) END FROM pg_type "
    "WHERE oid = ANY(%s)"
)

END_WITHOUT_CLIENT = (  # PostgreSQL 14 and later notice while they count that the program was killed
    "SELECT set_config(name, '1000', false) FROM pg_settings WHERE name = 'client_connection_check_interval'"
)


def without_password(address: str) -> str:
    """An address that may be shown."""
    parts = urlsplit(address)
    if "://" not in address or parts.password is None:
        return address
    shown = parts.netloc.replace(f":{parts.password}@", ":***@")
    return urlunsplit(parts._replace(netloc=shown))


@dataclass(frozen=True)
class Opened:
    """A table of a connection.

    Attributes
    ----------
    table : relation of DuckDB or table of ibis
    name : of the table, or "query"
    dialect : of SQL, as ibis calls it
    code : Python code that opens it, too; None if it would show a password
    """

    table: Any
    name: str
    dialect: str
    code: str | None = None


@contextmanager
def opened(address: str, table: str | None, query: str | None) -> Iterator[Opened]:
    """Open a table, or a query, for reading only; the connection is closed at the end.

    Files are opened so that they cannot be written, and PostgreSQL is asked for transactions that only read.
    To a server only queries and a temporary table are sent.
    """
    if table is not None and query is not None:
        raise DataError("Give either --table or --query, not both.")
    if "://" not in address and not Path(address).is_file():
        raise FileNotFoundError(2, "No such file", address)
    with ExitStack() as stack:
        with errors_in_a_sentence():
            con, dialect, code = stack.enter_context(_connected(address))
            if query is not None:
                query = _statement(con, query, dialect)
                found = Opened(_queried(con, query, dialect), "query", dialect, f"{code}.sql({query!r})")
            else:
                name, given = _chosen(con, table, dialect)
                found = Opened(con.table(given), name, dialect, f"{code}.table({given!r})")
        yield found if without_password(address) == address else replace(found, code=None)


@contextmanager
def _connected(address: str) -> Iterator[tuple[Any, str, str]]:
    """A connection, its dialect, and Python code that makes one."""
    suffix = Path(address).suffix.lower()
    if "://" not in address and suffix in DUCKDB_FILES:
        import duckdb

        with Path(address).open("rb") as file:
            if not file.read(12).endswith(HEAD_OF_DUCKDB):
                raise DataError(f"{quoted(address)} is not a file of DuckDB.")
        with duckdb.connect(address, read_only=True) as relations:
            yield relations, "duckdb", f"duckdb.connect({address!r}, read_only=True)"
        return
    import ibis

    if "://" not in address:
        place = f"file:{quote(str(Path(address).resolve()))}?mode=ro"
        with closing(sqlite3.connect(place, uri=True)) as rows:
            yield ibis.sqlite.from_connection(rows), "sqlite", f"ibis.sqlite.connect({address!r})"
        return
    is_duckdb = address.startswith("duckdb:")
    try:
        server = ibis.connect(address, read_only=True) if is_duckdb else ibis.connect(address)
    except ImportError as error:
        engine = address.partition(":")[0].replace("postgresql", "postgres")
        raise ImportError(f"{first_line(error)}. Hint: pip install 'ibis-framework[{engine}]'.") from error
    code = f"ibis.connect({address!r}{', read_only=True' if is_duckdb else ''})"
    try:
        if is_duckdb:  # whose relations need no ibis
            yield server.con, "duckdb", f"{code}.con"
            return
        if server.name == "postgres":
            server.con.execute(f"SET application_name = '{OWN_SESSION}'")  # for its administrators, too
            server.con.execute("SET default_transaction_read_only = on")
            server.con.execute(END_WITHOUT_CLIENT)
        yield server, str(server.name), code
    finally:
        server.disconnect()


def _statement(con: Any, query: str, dialect: str) -> str:
    """A query without what follows it: a semicolon and comments, which most engines refuse within others."""
    if dialect == "duckdb":
        import duckdb

        if [str(one.type) for one in con.extract_statements(query)] != [SELECTS]:
            raise DataError(
                "--query must be a single SELECT. Hint: COPY and other statements can write files."
            )
        text = query.encode()
        for start, kind in reversed(duckdb.tokenize(query)):  # counted in bytes
            if kind != duckdb.token_type.comment and text[start:].lstrip()[:1] != b";":
                break
            text = text[:start]
        return text.decode().rstrip()
    import sqlglot

    tokens = sqlglot.tokenize(query, read=con.dialect)
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    return query[: tokens[-1].end + 1] if tokens else query


def _queried(con: Any, query: str, dialect: str) -> Any:
    """The table of a query; of PostgreSQL the types are asked for here, which ibis needs a view for."""
    if dialect != "postgres":
        return con.sql(query)
    with con.con.cursor() as cursor:
        cursor.execute(f"SELECT * FROM ({query}\n) AS q LIMIT 0", prepare=True)  # so, a single statement
        columns = [(column.name, column.type_code) for column in cursor.description]
        cursor.execute(TYPES_OF_POSTGRES, [[kind for _, kind in columns]])
        types = dict(cursor.fetchall())
    mapper = con.compiler.type_mapper
    return con.sql(query, schema={name: mapper.from_string(types[kind]) for name, kind in columns})


def _chosen(con: Any, table: str | None, dialect: str) -> tuple[str, str]:
    """The table asked for, or the only one: its name, and how the connection takes it."""
    if dialect == "duckdb":
        rows = con.execute(
            "SELECT table_schema, table_name, table_schema = current_schema() FROM information_schema.tables "
            "WHERE table_catalog = current_database() ORDER BY 3, 1, 2"
        ).fetchall()
        names = {
            name if is_here else f"{schema}.{name}": identifier(*([] if is_here else [schema]), name)
            for schema, name, is_here in rows
        }
    else:
        names = {name: name for name in sorted(con.list_tables())}
    if table in names or (table is None and len(names) == 1):
        name = next(iter(names)) if table is None else table
        return name, names[name]
    shown = listed(map(quoted, names), 10) if names else "none"
    if table is None:
        raise DataError(f"Several tables are there, or none. Hint: name one with --table: {shown}.")
    raise DataError(f"There is no table {quoted(table)}. Hint: the tables are {shown}.")


def identifier(*names: str) -> str:
    """A name as SQL quotes it, after those of what holds it."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def made_up(source: Opened) -> Opened:
    """The same table in memory with made-up rows, to show queries without running them."""
    import duckdb

    con = duckdb.connect()
    schema = nw.from_native(source.table).collect_schema()
    columns = ", ".join(f"{identifier(name)} {_type_of(dtype)}" for name, dtype in schema.items())
    con.execute(f"CREATE TABLE {identifier(source.name)} ({columns})")
    rows = [[_value_of(dtype, i) for dtype in schema.values()] for i in range(MADE_UP_ROWS)]
    con.executemany(f"INSERT INTO {identifier(source.name)} VALUES ({', '.join('?' * len(schema))})", rows)
    if source.dialect == "duckdb":
        return Opened(con.table(identifier(source.name)), source.name, "duckdb")
    import ibis

    return Opened(ibis.duckdb.from_connection(con).table(source.name), source.name, source.dialect)


def _type_of(dtype: Any) -> str:
    kind = kind_by_type(dtype)
    if kind == "numeric":
        return "BIGINT" if dtype.is_integer() else "DOUBLE"
    if kind == "datetime":
        return "DATE" if isinstance(dtype, nw.Date) else "TIMESTAMP"
    return {"boolean": "BOOLEAN", "duration": "TIME"}.get(kind or "", "VARCHAR")


def _value_of(dtype: Any, i: int) -> Any:
    kind = kind_by_type(dtype)
    if kind == "numeric":
        return i if dtype.is_integer() else i / 2
    if kind == "datetime":
        return f"2020-01-{i % 28 + 1:02d}"
    if kind == "duration":
        return f"10:{i % 60:02d}:00"
    return i % 2 == 0 if kind == "boolean" else "ab"[i % 2]

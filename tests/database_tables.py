"""One table in every database that fits take: DuckDB, ibis over DuckDB and SQLite, and PostgreSQL."""

import datetime

import duckdb
import ibis
import numpy as np
import polars as pl

import entropick as ep

EMBEDDED = ["duckdb", "ibis duckdb", "sqlite"]
SQLITE_TYPES = {
    pl.Float64: "real", pl.Float32: "real", pl.Int64: "integer", pl.Int32: "integer", pl.UInt8: "integer",
    pl.String: "text", pl.Boolean: "boolean", pl.Date: "date",
}  # fmt: skip


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def in_duckdb(frame, threads=2):
    """A connection to DuckDB that holds a table t."""
    con = duckdb.connect(config={"threads": threads})
    con.register("given", frame.to_arrow())
    con.execute("CREATE TABLE t AS SELECT * FROM given")
    con.unregister("given")
    return con


def in_sqlite(frame, path=":memory:"):
    """A connection of ibis to SQLite that holds a table t."""
    con = ibis.sqlite.connect(path)
    types = [
        SQLITE_TYPES.get(type(dtype) if dtype == pl.Datetime else dtype, "timestamp")
        for dtype in frame.dtypes
    ]
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(frame.columns, types, strict=True))
    con.con.execute(f"CREATE TABLE t ({columns})")
    rows = [
        [str(value) if isinstance(value, datetime.date) else value for value in row]
        for row in frame.iter_rows()
    ]
    con.con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * frame.width)})", rows)
    con.con.commit()
    return con


def in_database(kind, frame):
    """A dataframe as a table inside a database."""
    if kind == "sqlite":
        return in_sqlite(frame).table("t")
    con = in_duckdb(frame)
    return con.table("t") if kind == "duckdb" else ibis.duckdb.from_connection(con).table("t")


def steps(selection):
    """Everything about the steps that does not depend on the clock."""
    return [
        (
            s.columns,
            s.score,
            s.runner_up,
            s.runner_up_score,
            s.ties,
            s.residual,
            s.explained,
            s.gain,
            s.p_value,
        )
        for s in selection.steps
    ]


def assert_same(one, other):
    """Two fits found the same, to the last bit."""
    one, other = one.selection_, other.selection_
    assert steps(one) == steps(other)
    assert one.selected_names == other.selected_names
    assert tuple(one.encodings) == tuple(other.encodings)
    assert one.target == other.target
    assert one.n_rows == other.n_rows
    np.testing.assert_array_equal(one.scores, other.scores)


def dirty_table(n_rows=400, seed=0, fraction=0):
    """Columns of all kinds with hostile names and values, missing ones among them.

    Times have multiples of `fraction` microseconds, which SQLite does not keep.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    lost = rng.random((n_rows, 4)) < 0.1
    texts = ["it's", 'say "so"', "ü; DROP TABLE t; --", "12", "012", "", " ", "a\\b", "line\nbreak"]
    signal = rng.normal(size=n_rows) + y
    return pl.DataFrame(
        {
            'x"; DROP TABLE t; --': signal,
            "y'); --": rng.integers(0, 40, n_rows) + 3 * y,
            "few": rng.integers(0, 5, n_rows),
            "text": [texts[k] for k in (rng.integers(0, 7, n_rows) + y)],
            "lost text": [None if lost[i, 0] else texts[k] for i, k in enumerate(rng.integers(0, 9, n_rows))],
            "flag": rng.random(n_rows) < 0.3 + 0.2 * y,
            "lost flag": [None if lost[i, 1] else bool(k) for i, k in enumerate(rng.integers(0, 2, n_rows))],
            "day": [
                datetime.date(1965, 1, 1) + datetime.timedelta(days=int(d))
                for d in rng.integers(0, 9999, n_rows)
            ],
            "time": [
                datetime.datetime(1969, 12, 1)
                + datetime.timedelta(seconds=int(s), microseconds=int(s) % 7 * fraction)
                for s in rng.integers(0, 10**7, n_rows)
            ],
            "huge": 2**60 + rng.integers(0, 1000, n_rows) + y,
            "lost huge": [
                None if lost[i, 2] else 2**60 + int(v) for i, v in enumerate(rng.integers(0, 99, n_rows))
            ],
            "skewed": np.exp(20 * rng.normal(size=n_rows)),
            "lost": [None if lost[i, 3] else v for i, v in enumerate(signal)],
            "nothing": pl.Series([None] * n_rows, dtype=pl.Float64),
            "constant": np.ones(n_rows),
            "y": y,
        }
    )


def in_memory(selector, frame):
    return selector.fit(frame.drop("y"), frame["y"])


SELECTORS = [
    name
    for name in dir(ep)
    if isinstance(getattr(ep, name, None), type) and hasattr(getattr(ep, name), "_parts")
]

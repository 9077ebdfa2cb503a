"""Selection inside a database beside the same fit in memory: processor time and memory of the process.

python -m benchmarks.database make 50 50            a file of DuckDB with 50 million rows and 50 columns
python -m benchmarks.database duckdb 50 2           JMI(20) inside it, on 50 million rows, in two threads
python -m benchmarks.database memory 5 1            the first 5 million rows in memory, in one thread
python -m benchmarks.database load 5 30 URL         copies 5 million rows and 30 columns to PostgreSQL
python -m benchmarks.database postgres URL          JMI(20) inside that table, without parallel workers
"""

import os
import resource
import sys
import time
from pathlib import Path

import entropick as ep

FILE = Path(os.environ.get("ENTROPICK_BENCH_FILE", "build/benchmark.duckdb"))
LIMIT = "400MB"  # DuckDB's own memory
N_FEATURES = 20


def make(millions, n_columns):
    import duckdb

    FILE.unlink(missing_ok=True)
    kinds = [
        "random() + y * {w}",
        "floor(random() * 40) + floor(y * {w} * 10)",
        "exp(4 * random()) + y * {w}",
    ]
    columns = ", ".join(f"{kinds[j % 3].format(w=0.5 / (j + 1))} AS f{j}" for j in range(int(n_columns)))
    with duckdb.connect(str(FILE), config={"memory_limit": "2GB", "threads": 2}) as con:
        con.execute("SELECT setseed(0.5)")
        target = f"(SELECT (random() < 0.4)::INT AS y FROM range({_rows(millions)}))"
        con.execute(f"CREATE TABLE t AS SELECT {columns}, y FROM {target}")
    print(f"{FILE}: {FILE.stat().st_size / 1e9:.2f} GB")


def in_duckdb(millions, threads):
    with _opened({"memory_limit": LIMIT, "threads": int(threads)}) as con:
        _report("DuckDB", con.sql(f"SELECT * FROM t WHERE rowid < {_rows(millions)}"), "y")


def in_memory(millions, threads):
    with _opened() as con:
        table = con.sql(f"SELECT * FROM t WHERE rowid < {_rows(millions)}").to_arrow_table()
    print(f"reading: {time.process_time():.1f} s of processor time, with imports")
    _report("memory", table.drop(["y"]), table["y"], n_jobs=int(threads))


def load(millions, n_columns, address):
    import polars as pl
    import psycopg

    names = [*(f"f{j}" for j in range(int(n_columns))), "y"]
    with _opened() as con, psycopg.connect(address) as server:
        columns = ", ".join(f"{name} double precision" for name in names)
        server.execute(f"DROP TABLE IF EXISTS bench; CREATE UNLOGGED TABLE bench ({columns})")
        rows = con.sql(f"SELECT {', '.join(names)} FROM t WHERE rowid < {_rows(millions)}")
        with server.cursor().copy("COPY bench FROM STDIN (FORMAT csv)") as copy:
            for batch in rows.to_arrow_reader(100_000):
                copy.write(pl.from_arrow(batch).write_csv(include_header=False).encode())


def in_postgres(address):
    import ibis

    con = ibis.connect(address)
    con.con.execute("SET max_parallel_workers_per_gather = 0")
    (server,) = con.con.execute("SELECT pg_backend_pid()").fetchone()
    _report("PostgreSQL", con.table("bench"), "y")
    ticks = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[11:13]  # if it is here
    print(f"the server's process: {sum(map(int, ticks)) / os.sysconf('SC_CLK_TCK'):.1f} s of processor time")


def _rows(millions):
    return int(float(millions) * 1e6)


def _opened(config=None):
    import duckdb

    return duckdb.connect(str(FILE), read_only=True, config=config or {})


def _report(name, X, y, **options):
    start, wall = time.process_time(), time.perf_counter()
    selector = ep.JMI(N_FEATURES, **options).fit(X, y)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{name}: {time.process_time() - start:.1f} s of processor time, {time.perf_counter() - wall:.1f} s, "
        f"peak {used.ru_maxrss * 1024 / 1e9:.2f} GB, {selector.selection_.n_rows} rows, "
        f"{selector.get_feature_names_out().tolist()}"
    )


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    run = {"make": make, "duckdb": in_duckdb, "memory": in_memory, "load": load, "postgres": in_postgres}
    run[command](*arguments)

"""Selection inside a DuckDB file beside the same fit in memory: processor time and memory of the process.

python -m benchmarks.database make 10 50      a file of 10 million rows and 50 columns
python -m benchmarks.database duckdb          JMI(20) inside the file
python -m benchmarks.database memory          the same of rows in memory, read before the clock starts
python -m benchmarks.database postgres URL    JMI(20) inside a copy of the file in PostgreSQL
"""

import os
import resource
import sys
import time
from pathlib import Path

import entropick as ep

FILE = Path(os.environ.get("ENTROPICK_BENCH_FILE", "build/benchmark.duckdb"))
LIMIT = "500MB"  # DuckDB's own memory; what does not fit goes to disk
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
        rows = int(float(millions) * 1e6)
        target = f"(SELECT (random() < 0.4)::INT AS y FROM range({rows}))"
        con.execute(f"CREATE TABLE t AS SELECT {columns}, y FROM {target}")
    print(f"{FILE}: {FILE.stat().st_size / 1e9:.2f} GB")


def report(name, start, wall, selector):
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{name}: {time.process_time() - start:.1f} s of processor time, {time.perf_counter() - wall:.1f} s, "
        f"peak {used.ru_maxrss / 1e6:.2f} GB, {selector.selection_.n_rows} rows, "
        f"{selector.get_feature_names_out().tolist()}"
    )


def in_duckdb():
    import duckdb

    with duckdb.connect(str(FILE), read_only=True, config={"memory_limit": LIMIT, "threads": 1}) as con:
        start, wall = time.process_time(), time.perf_counter()
        report("DuckDB", start, wall, ep.JMI(N_FEATURES).fit(con.table("t"), "y"))


def in_memory():
    import duckdb

    with duckdb.connect(str(FILE), read_only=True) as con:
        table = con.table("t").to_arrow_table()
    start, wall = time.process_time(), time.perf_counter()
    report("memory", start, wall, ep.JMI(N_FEATURES, n_jobs=1).fit(table.drop(["y"]), table["y"]))


def in_postgres(address):
    import duckdb
    import ibis
    import psycopg

    with duckdb.connect(str(FILE), read_only=True) as con, psycopg.connect(address) as server:
        relation = con.table("t")
        columns = ", ".join(f"{name} double precision" for name in relation.columns)
        server.execute(f"DROP TABLE IF EXISTS bench; CREATE UNLOGGED TABLE bench ({columns})")
        with server.cursor().copy("COPY bench FROM STDIN") as copy:
            for batch in relation.to_arrow_reader(100_000):
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    copy.write_row(row)
    table = ibis.connect(address).table("bench")
    start, wall = time.process_time(), time.perf_counter()
    report(
        "PostgreSQL (processor time of this process only)", start, wall, ep.JMI(N_FEATURES).fit(table, "y")
    )


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    {"make": make, "duckdb": in_duckdb, "memory": in_memory, "postgres": in_postgres}[command](*arguments)

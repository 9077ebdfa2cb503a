"""Five engines, the same bits as in memory; Ctrl-C, lost connections and queries that would write.

PostgreSQL and Spark are started for the tests, on this machine only. `make engines` installs them and tries every
criterion on each engine; `make test-all` leaves Spark out, and tries a few.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import ibis
import numpy as np
import polars as pl
import pytest

import entropick as ep
from database_tables import EMBEDDED, assert_same, dirty_table, in_database, in_memory, quoted
from entropick import measures, registry
from entropick.contracts import COUNTED
from entropick.exceptions import DatabaseError, DataError
from program_runs import run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of connections that ibis opened
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.xdist_group("servers"),
]
IS_FULL = os.environ.get("ENTROPICK_ENGINES") == "all"  # as `make engines` sets it
PATIENCE = 180  # seconds, on a busy machine
POSTGRES_TYPES = {
    pl.Float64: "double precision", pl.Int64: "bigint", pl.String: "text", pl.Boolean: "boolean", pl.Date: "date",
}  # fmt: skip
HOSTILE = [
    '"; DROP TABLE t; --', "it's", "a\\", "%s {} $1 ?", "ü ☃", "SELECT", "a.b", "`x`", " ", "c0", "n", "y'); --",
    "x" * 10_000,
]  # fmt: skip

# Every measure that needs counts alone; of Rényi's orders those whose sums are whole numbers.
COUNTING = [
    *(
        name
        for name, measure in registry.MEASURES.items()
        if measure.needs <= COUNTED and "step" in measure.kinds and name != "renyi"
    ),
    measures.JMI("adjusted"), measures.CMIM("miller_madow"), measures.Renyi(alpha=1), measures.Renyi(),
]  # fmt: skip
FEW = ["jmi", "cmim", measures.Renyi()]


# -- engines -------------------------------------------------------------------------------------


def programs():
    """The folder of PostgreSQL's programs; None if it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@contextmanager
def server():
    """The address of a server of PostgreSQL with its own temporary data, stopped at the end."""
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'psycopg[binary]'")
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="entropick-postgres-"))
    user = {} if os.getuid() else {"user": "nobody"}  # PostgreSQL refuses to run as root
    if user:
        shutil.chown(folder, "nobody")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories= -c fsync=off"
    call = lambda *command: subprocess.run(command, check=True, capture_output=True, cwd="/", **user)  # noqa: E731
    call(where / "initdb", "-D", folder / "data", "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8")
    wait = "-w", "-t", str(PATIENCE)
    call(where / "pg_ctl", *wait, "-D", folder / "data", "-o", options, "-l", folder / "log", "start")
    try:
        yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    finally:
        call(where / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def spark():
    pyspark = pytest.importorskip("pyspark", reason="needs pyspark: make engines")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    settings = {
        "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1", "spark.sql.session.timeZone": "UTC", "spark.log.level": "OFF",
        "spark.sql.codegen.wholeStage": "false", "spark.sql.adaptive.enabled": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }  # fmt: skip
    builder = pyspark.sql.SparkSession.builder.master("local[1]")
    session = builder.config(map=settings).getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def write(address, frame, name="t"):
    import psycopg

    types = [POSTGRES_TYPES.get(dtype, "timestamp") for dtype in frame.dtypes]
    columns = ", ".join(f"{quoted(column)} {kind}" for column, kind in zip(frame.columns, types, strict=True))
    with psycopg.connect(address) as con, con.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {name} CASCADE; CREATE TABLE {name} ({columns})".encode())
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in frame.iter_rows():
                copy.write_row(row)


@pytest.fixture(scope="module")
def postgres():
    with server() as address:
        yield address


@pytest.fixture(scope="module", params=[*EMBEDDED, "postgres", "spark"])
def engine(request):
    """Puts a dataframe into an engine, and gives it its name."""
    kind = request.param
    if kind in EMBEDDED:
        yield kind, lambda frame: in_database(kind, frame)
    elif kind == "postgres":
        address = request.getfixturevalue("postgres")
        con = ibis.connect(address)

        def put(frame):
            write(address, frame)
            return con.table("t")

        yield kind, put
        con.disconnect()
    else:
        with spark() as session:
            yield kind, lambda frame: session.createDataFrame(frame.to_arrow())


# -- the law ---------------------------------------------------------------------------------------


def hostile(kind):
    """Names that are also values."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    longest = 63 if kind == "postgres" else 10_000  # bytes of a name, which PostgreSQL cuts off
    names = list(dict.fromkeys(name[:longest] for name in HOSTILE))
    columns = {name: [HOSTILE[j] if a ^ b else "other" for a, b in zip(y, rng.random(80) < j / 30, strict=True)]
               for j, name in enumerate(names)}  # fmt: skip
    return pl.DataFrame(columns | {"y": y})


def wide(kind):
    """Columns are asked for in blocks; texts of 60 and of 70 levels, and texts that look like numbers."""
    rng = np.random.default_rng(1)
    n_rows = 200
    columns = {f"x{j}": rng.integers(0, 3, n_rows) for j in range(297 if IS_FULL else 37)}
    columns["sixty"] = [f"level {k}" for k in rng.integers(0, 60, n_rows)]
    columns["seventy"] = [f"level {k}" for k in rng.integers(0, 70, n_rows)]
    columns["digits"] = [["1", "01", "1.0", "1e0", " 1", "10", "9"][k] for k in rng.integers(0, 7, n_rows)]
    return pl.DataFrame(columns | {"y": rng.integers(0, 2, n_rows)})


def beyond_floats(kind):
    """Whole numbers that floats would round, with and without missing ones, next to each other and far apart."""
    rng = np.random.default_rng(2)
    n_rows = 300
    y = rng.integers(0, 2, n_rows)
    near = 2**60 + rng.integers(0, 40, n_rows) + y
    return pl.DataFrame(
        {
            "near": near,
            "lost": [None if k % 9 == 0 else int(v) for k, v in enumerate(near)],
            "below": -(2**62) + rng.integers(0, 9, n_rows),
            "far": rng.integers(-(2**62), 2**62, n_rows),
            "y": y,
        }
    )


TABLES = {
    "dirty": lambda kind: dirty_table(200, fraction=0 if kind == "sqlite" else 1),
    "hostile": hostile,
    "wide": wide,
    "beyond floats": beyond_floats,
    "one row": lambda kind: dirty_table(60)[:1],
}


@pytest.mark.parametrize("table", TABLES)
def test_same_bits_on_every_engine(engine, table):
    kind, put = engine
    frame = TABLES[table](kind)
    native = put(frame)
    assert_same(ep.JMI(3).fit(native, "y"), in_memory(ep.JMI(3), frame))
    assert ep.database(native).frame.collect().to_native().num_rows == frame.height


def test_empty_tables_are_refused(engine):
    _, put = engine
    with pytest.raises(DataError, match="must have rows"):
        ep.JMI(1).fit(put(dirty_table(10).clear()), "y")


@pytest.mark.parametrize("binning", ["quantile", "uniform"])
def test_every_counting_measure(engine, binning):
    """Also those that group rows by all picked columns, or by whole subsets."""
    kind, put = engine
    frame = dirty_table(120).select("few", "lost", "text", "y'); --", "lost flag", "y")
    native = put(frame)
    asked = COUNTING if IS_FULL or (kind, binning) == ("duckdb", "quantile") else FEW
    for measure in asked:
        known = registry.MEASURES.get(measure, type(measure)) if isinstance(measure, str) else type(measure)
        search = "ranking" if "ranking" in known.kinds else "forward"
        make = lambda: ep.FeatureSelector(measure, search, 2, binning=binning)  # noqa: B023, E731
        assert_same(make().fit(native, "y"), in_memory(make(), frame))


# -- a shared server -----------------------------------------------------------------------------


def test_postgres_with_many_rows(postgres):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    frame = pl.DataFrame(
        {
            "even": rng.random(20_000) + y, "skewed": np.exp(60 * rng.normal(size=20_000)),
            "tiny": rng.normal(size=20_000) * 1e-300, "wide": rng.integers(-(2**62), 2**62, 20_000), "y": y,
        }
    )  # fmt: skip
    write(postgres, frame)
    table = ibis.connect(postgres).table("t")
    assert_same(ep.JMI(3).fit(table.drop("y"), table["y"]), in_memory(ep.JMI(3), frame))


IS_COUNTING = "count(*) FILTER (WHERE state = 'active' AND query LIKE 'FETCH%')"


def sessions(address, do="pid"):
    """What is known of the program's sessions on a server."""
    import psycopg

    question = f"SELECT {do} FROM pg_stat_activity WHERE application_name = 'entropick'"
    with psycopg.connect(address, autocommit=True) as other:
        return other.execute(question.encode()).fetchall()


def waited_for(condition):
    """Wait until something is so, on a busy machine, too."""
    end = time.monotonic() + PATIENCE
    while not (is_so := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return is_so


@pytest.fixture
def long_query(postgres):
    """A view whose rows nobody can count in a minute."""
    import psycopg

    write(postgres, dirty_table(100).select("few", "flag", "y"))
    with psycopg.connect(postgres, autocommit=True) as con:
        con.execute("CREATE VIEW big AS SELECT t.* FROM t, generate_series(1, 1000000000) g")
    yield ["select", postgres, "--table", "big", "-t", "y", "-n", "1"]
    waited_for(lambda: not sessions(postgres))  # of a test that failed, too: they would hold the view
    with psycopg.connect(postgres, autocommit=True) as con:
        con.execute("DROP VIEW big")


@contextmanager
def started(arguments):
    """The program, which does not outlive the test: the server would count for it beside the next one."""
    command = [sys.executable, "-m", "entropick.cli", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def is_counting(address, process):
    """Whether the server counts for the program, which is waited for; the program must not have ended."""
    return (
        waited_for(lambda: process.poll() is not None or sessions(address, IS_COUNTING) == [(1,)])
        and process.poll() is None
    )


def test_ctrl_c_cancels_the_query_of_a_server(postgres, long_query):
    """The program ends, and so does what the server does for it."""
    with started(long_query) as process:
        assert is_counting(postgres, process)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 130, said
    assert "Interrupted." in said
    assert waited_for(lambda: not sessions(postgres))


def test_killed_program_ends_the_query_of_a_server(postgres, long_query):
    """Nobody asked the server to stop: it looks for the program while it counts."""
    with started(long_query) as process:
        assert is_counting(postgres, process)
    assert waited_for(lambda: not sessions(postgres))


def test_lost_connection_is_one_sentence(postgres, long_query):
    with started(long_query) as process:
        assert is_counting(postgres, process)
        sessions(postgres, "pg_terminate_backend(pid)")
        said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 1
    assert said.splitlines()[-1].startswith("Error: The database did not answer: terminating connection")
    assert "Traceback" not in said


def test_connection_lost_between_queries(postgres):
    write(postgres, dirty_table(60))
    table = ibis.connect(postgres).table("t")

    def disconnect(*_):
        import psycopg

        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )

    with pytest.raises(DatabaseError, match="did not answer") as caught:
        ep.JMI(5, progress=disconnect).fit(table, "y")
    assert "\n" not in str(caught.value)


def test_queries_that_would_write(postgres):
    """The program's session can only read; what a query says beside that is refused by the server."""
    import psycopg

    frame = dirty_table(60).select("few", "flag", "y")
    write(postgres, frame)
    with psycopg.connect(postgres, autocommit=True) as con:
        con.execute("CREATE FUNCTION remove() RETURNS int LANGUAGE sql AS 'DELETE FROM t RETURNING 1'")
    for query, answer in [
        ("SELECT * FROM t; DROP TABLE t", "syntax error"),
        ("WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone", "must be at the top level"),
        ("SELECT *, remove() AS n FROM t", "cannot execute DELETE in a read-only transaction"),
    ]:
        result = run("select", postgres, "--query", query, "-t", "y", "-n", "1")
        assert result.exit_code == 2, result.output
        assert answer in result.stderr
    result = run("select", postgres, "--query", "SELECT * FROM t;  -- all; of it", "-t", "y", "-n", "2")
    assert result.exit_code == 0, result.output
    assert "from 60 rows" in result.stdout
    with psycopg.connect(postgres, autocommit=True) as con:
        assert con.execute("SELECT count(*) FROM t").fetchone() == (60,)
        left = con.execute("SELECT count(*) FROM pg_class WHERE relname LIKE 'entropick%'").fetchone()
    assert left == (0,)


INTERRUPTED = """
import sys, duckdb, ibis, entropick as ep
if sys.argv[1] == "duckdb":
    table = duckdb.connect().sql("SELECT i % 7 AS a, i % 2 AS y FROM range(1000000000000) t(i)")
else:
    table = ibis.sqlite.connect().sql(
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i % 7 AS a, i % 2 AS y FROM r"
    )
print("ready", flush=True)
try:
    ep.JMI(1).fit(table, "y")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_ctrl_c_ends_a_query_in_this_process(kind):
    """The library raises KeyboardInterrupt while the engine is still counting."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, kind], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=PATIENCE)
    assert said == "interrupted\n", errors

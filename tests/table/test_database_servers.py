"""PostgreSQL and Spark: the same bits as in memory. A server is started for the tests, on this machine only."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import entropick as ep
from database_tables import assert_same, dirty_table, in_memory, quoted
from entropick.exceptions import DatabaseError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of connections that ibis opened
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.xdist_group("servers"),
]
POSTGRES_TYPES = {
    pl.Float64: "double precision", pl.Int64: "bigint", pl.String: "text", pl.Boolean: "boolean", pl.Date: "date",
}  # fmt: skip


def programs():
    """The folder of PostgreSQL's programs; None if it is not installed."""
    found = (
        sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if Path("/usr/lib/postgresql").is_dir()
        else []
    )
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@pytest.fixture(scope="module")
def postgres():
    """The address of a server with its own temporary data, stopped at the end."""
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'ibis-framework[postgres]'")
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
    run = lambda *command: subprocess.run(command, check=True, capture_output=True, cwd="/", **user)  # noqa: E731
    run(where / "initdb", "-D", folder / "data", "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8")
    run(where / "pg_ctl", "-w", "-D", folder / "data", "-o", options, "-l", folder / "log", "start")
    yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    run(where / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


def write(address, frame, name="t"):
    import psycopg

    types = [POSTGRES_TYPES.get(dtype, "timestamp") for dtype in frame.dtypes]
    columns = ", ".join(f"{quoted(column)} {kind}" for column, kind in zip(frame.columns, types, strict=True))
    with psycopg.connect(address) as con, con.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} ({columns})".encode())
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in frame.iter_rows():
                copy.write_row(row)


@pytest.mark.parametrize("binning", ["quantile", "uniform"])
@pytest.mark.parametrize("measure", ["jmi", "cmim", "jmi3", "renyi"])
def test_postgres_as_in_memory(postgres, measure, binning):
    import ibis

    frame = dirty_table(600, fraction=1)
    write(postgres, frame)
    make = lambda: ep.FeatureSelector(measure, "forward", 3, binning=binning)  # noqa: E731
    table = ibis.connect(postgres).table("t")
    assert_same(make().fit(table, "y"), in_memory(make(), frame))


def test_postgres_with_many_rows(postgres):
    import ibis

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 30_000)
    frame = pl.DataFrame(
        {
            "even": rng.random(30_000) + y, "skewed": np.exp(60 * rng.normal(size=30_000)),
            "tiny": rng.normal(size=30_000) * 1e-300, "wide": rng.integers(-(2**62), 2**62, 30_000), "y": y,
        }
    )  # fmt: skip
    write(postgres, frame)
    table = ibis.connect(postgres).table("t")
    assert_same(ep.JMI(3).fit(table.drop("y"), table["y"]), in_memory(ep.JMI(3), frame))


def test_postgres_that_stops_is_one_sentence(postgres):
    import ibis

    write(postgres, dirty_table(60))
    con = ibis.connect(postgres)
    table = con.table("t")

    def disconnect(*_):
        import psycopg

        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )

    with pytest.raises(DatabaseError, match="did not answer") as caught:
        ep.JMI(5, progress=disconnect).fit(table, "y")
    assert "\n" not in str(caught.value)


def test_spark_as_in_memory():
    pyspark = pytest.importorskip("pyspark", reason="needs pyspark: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    frame = dirty_table(300).drop("lost huge")
    session = (
        pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    )  # fmt: skip
    try:
        table = session.createDataFrame(frame.to_arrow())
        assert_same(ep.JMI(3).fit(table, "y"), in_memory(ep.JMI(3), frame))
    finally:
        session.stop()

"""Scanned files and the program on a cluster."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

import entropick as ep
from entropick.exceptions import DataError

dask = pytest.importorskip("dask", reason="dask is not installed (extra dask)")
distributed = pytest.importorskip("distributed", reason="distributed is not installed (extra dask)")
pd = pytest.importorskip("pandas")

from dask_tables import MARKS, check_same, frame  # noqa: E402

pytestmark = MARKS

pl = pytest.importorskip("polars")


@pytest.fixture
def files(tmp_path):
    whole = pl.from_pandas(frame())
    for part, rows in enumerate([(0, 200), (200, 0), (200, 400)]):
        whole.slice(*rows).write_parquet(tmp_path / f"part-{part}.parquet", row_group_size=70)
    return tmp_path


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_scanned_files(files, place, library, monkeypatch):
    from entropick.table.readers import scan as reading

    if library == "pyarrow":
        if place is not None:
            pytest.skip("workers have polars")
        monkeypatch.setattr(reading, "_library", lambda: reading._PyArrow)
    monkeypatch.setattr(reading, "PIECE_VALUES", 100)
    monkeypatch.setattr(reading, "MIN_ROWS", 90)  # several pieces per file
    whole = pl.from_pandas(frame())
    expected = ep.JMI(4).fit(whole.drop("y"), whole["y"])
    table = ep.scan(files / "part-*.parquet")
    assert repr(table) == "Scan(3 files, 600 rows, 14 columns)"
    assert len(table.pieces) > 5
    got = ep.JMI(4).fit(table.drop("y"), table["y"])
    check_same(got, expected)
    assert got.transform(table.drop("y")).columns == tuple(got.get_feature_names_out())


def test_files_that_are_refused(files, monkeypatch):
    with pytest.raises(DataError, match="no Parquet file"):
        ep.scan(files / "nothing-*.parquet")
    with pytest.raises(DataError, match="no column 'z'"):
        ep.scan(files)["z"]
    with pytest.raises(DataError, match="column of the same files"):
        ep.JMI(1).fit(ep.scan(files).drop("y"), np.zeros(600))
    (files / "part-3.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(DataError, match=r"part-3.parquet' cannot be read as Parquet"):
        ep.scan(files)
    pl.DataFrame({"a": [1]}).write_parquet(files / "part-3.parquet")
    with pytest.raises(DataError, match=r"same columns in the same order.*part-3.parquet"):
        ep.scan(files)


def test_a_damaged_piece_is_named(files, place):
    """Its end is whole, so that it is found out when the rows are read."""
    table = ep.scan(files / "part-*.parquet")
    path = files / "part-2.parquet"
    content = bytearray(path.read_bytes())
    content[4:3000] = bytes(2996)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"part-2.parquet.*cannot be read"):
        ep.JMI(1).fit(table.drop("y"), table["y"])


def run_program(*arguments):
    from click.testing import CliRunner

    from entropick.cli.program import program

    result = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def test_the_program_on_a_cluster(files, client):
    """The same answer as from the library, a document and a report."""
    pytest.importorskip("click")
    pytest.importorskip("jinja2")
    report = files / "report.html"
    result = run_program(
        "select",
        files / "part-*.parquet",
        "-t",
        "y",
        "-n",
        3,
        "--cluster",
        client.scheduler.address,
        "--json",
        "--report",
        report,
    )
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    whole = pl.from_pandas(frame())
    expected = ep.select(whole.drop("y"), whole["y"], measure="jmi", cut=3)
    assert document["selection"]["selected"] == expected.selected_names
    assert document["data"]["n_rows"] == 600
    assert document["data"]["target"]["kind"] == "class"
    assert "workers" in result.stderr
    assert report.read_text().startswith("<!")
    for arguments, message, code in [
        (["-t", "nope"], "not one of the 14 columns", 2),
        (["-t", "y", "-i", "y"], "--ignore names 'y', which is the target", 2),
        (["-t", "text", "--target-type", "real"], "The target 'text' holds strings or categories", 2),
        (["-t", "y", "-m", "laplacian_score"], "needs numbers of all rows", 2),
        (["-t", "y", "--out", files / "part-0.parquet"], "is the table itself", 2),
        (["-t", "y", "--stability"], "--stability resamples rows", 2),
        (["-t", "y", "--cluster", "tcp://127.0.0.1:9"], "No scheduler answers", 1),
    ]:
        refused = run_program(
            "select", files / "part-*.parquet", "--cluster", client.scheduler.address, *arguments
        )
        assert refused.exit_code == code, refused.output
        assert message in refused.stderr


def test_the_program_leaves_out_what_it_would_elsewhere(tmp_path, client, monkeypatch):
    """Constants and identifiers; columns that only look like these in the first rows stay."""
    pytest.importorskip("click")
    from entropick.cli import cluster

    monkeypatch.setattr(cluster, "SAMPLE_ROWS", 50)
    monkeypatch.setattr(cluster, "MAX_VALUES", 100)
    rng, rows = np.random.default_rng(0), np.arange(400)
    whole = pl.DataFrame(
        {
            "id": rng.permutation(400), "row": 3 + 2 * rows, "key": [f"k{i}" for i in rows],
            "few": [f"k{i % 60}" for i in rows], "constant": np.ones(400), "nothing": [None] * 400,
            "late": (rows > 300).astype(float), "x": rng.normal(size=400), "y": rows % 2,
        }
    )  # fmt: skip
    whole = whole.with_columns(pl.col("nothing").cast(pl.Float64))
    for part in range(4):
        whole.slice(100 * part, 100).write_parquet(tmp_path / f"part-{part}.parquet")
    whole.write_parquet(tmp_path / "whole.parquet")
    out = tmp_path / "selected.csv"
    local = run_program("select", tmp_path / "whole.parquet", "-t", "y", "-n", 2, "--json")
    command = ["select", tmp_path / "part-*.parquet", "-t", "y", "-n", 2, "--json", "--out", out]
    result = run_program(*command, "--cluster", client.scheduler.address)
    assert result.exit_code == 0, result.output
    expected, found = json.loads(local.stdout), json.loads(result.stdout)
    assert found["selection"]["selected"] == expected["selection"]["selected"]
    assert found["data"]["ignored"] == expected["data"]["ignored"]
    assert {one["name"] for one in found["data"]["ignored"]} == {"id", "row", "key", "constant", "nothing"}
    written = pl.read_csv(out)
    assert written.columns == [*found["selection"]["selected"], "y"]
    assert written.height == 400
    kept = run_program(*command, "--cluster", client.scheduler.address, "--keep-ids")
    assert {one["name"] for one in json.loads(kept.stdout)["data"]["ignored"]} == {"constant", "nothing"}


def test_patterns_that_the_shell_replaced(files):
    pytest.importorskip("click")
    result = run_program("select", *sorted(files.glob("part-*")), "-t", "y", "--cluster", "local")
    assert result.exit_code == 2
    assert "part-1.parquet' as well. Hint: quote a pattern" in result.stderr


@pytest.mark.slow
def test_ctrl_c_in_the_program(files):
    """Exit code 130, and no process is left."""
    pytest.importorskip("click")
    psutil = pytest.importorskip("psutil")
    command = [sys.executable, "-m", "entropick.cli", "select", str(files / "part-*.parquet"), "-t", "y"]
    process = subprocess.Popen(
        [*command, "-n", "14", "--cluster", "local", "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        if line.startswith("Cluster"):
            break
    started = psutil.Process(process.pid).children(recursive=True)
    assert len(started) >= 1
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode == 130
    _, alive = psutil.wait_procs(started, timeout=300)
    assert all(worker.status() == psutil.STATUS_ZOMBIE for worker in alive)  # ended, if not seen to yet

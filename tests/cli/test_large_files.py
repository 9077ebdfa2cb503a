"""Files that do not fit into memory give the same answer."""

import gzip
import math
import threading
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from entropick.files import text
from entropick.files.reading import read_table
from program_runs import COMPARE, N_ROWS, broken_files, document_of, refused, run


@pytest.fixture
def all_files_are_large(monkeypatch, tmp_path):
    """The folder for temporary files, which must be empty after each run."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".parquet", ".feather", "stdin"])
def test_large_files_give_the_same(table, tmp_path, all_files_are_large, monkeypatch, suffix):
    """Whether a table is held in memory or read column by column; rows without a target, ids and gaps included."""
    table = table.with_columns(
        pl.when(pl.col("noise") > 2).then(None).otherwise(pl.col("label")).alias("label")
    )
    path = tmp_path / f"table{suffix.removesuffix('.gz')}"
    write = {".tsv": lambda: table.write_csv(path, separator="\t"), ".parquet": lambda: table.write_parquet(path),
             ".feather": lambda: table.write_ipc(path)}  # fmt: skip
    write.get(suffix, lambda: table.write_csv(path))()
    content = path.read_bytes() if suffix == "stdin" else None
    if suffix == ".csv.gz":
        path.write_bytes(gzip.compress(path.read_bytes()))
    out = tmp_path / "out.parquet"
    question = ("-" if content else path, "-t", "label", "-n", 2)
    lazy = document_of("select", *question, "-o", out, input=content)
    lazily_written = pl.read_parquet(out)
    monkeypatch.undo()
    held = document_of("select", *question, "-o", out, input=content)
    assert lazily_written.equals(pl.read_parquet(out))
    for document in (lazy, held):
        for step in document["selection"]["steps"]:
            del step["seconds"]
        document["selection"].pop("seconds", None)
    assert {key: lazy[key] for key in ("data", "selection", "redundancy")} == {
        key: held[key] for key in ("data", "selection", "redundancy")
    }
    assert list(all_files_are_large.iterdir()) == []


def test_large_tables_are_compared_by_rows_drawn(csv, all_files_are_large, monkeypatch):
    """A table that does not fit into memory is sampled, and the output says so."""
    monkeypatch.setattr("entropick.cli.prepare.MAX_VALUES_HELD", 200 * 3)
    document = document_of("compare", csv, "-t", "label", *COMPARE)
    assert document["data"]["n_rows"] == N_ROWS
    assert "The table is large: a random sample of 200 of 300 rows is used." in document["data"]["notes"]


def test_large_files_that_cannot_be_used(table, tmp_path, all_files_are_large):
    """The same sentences, and no temporary file stays."""
    for name, part in broken_files(tmp_path, table).items():
        assert part in refused("select", tmp_path / name, "--target", "label"), name
    assert list(all_files_are_large.iterdir()) == []


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_wide_files_are_held_in_memory(table, suffix, tmp_path, monkeypatch):
    """Up to a larger size: a lazy frame takes time per column at every step."""
    path = tmp_path / f"table{suffix}"
    {".csv": table.write_csv, ".parquet": table.write_parquet, ".arrow": table.write_ipc}[suffix](path)
    monkeypatch.setattr("entropick.files.room.LARGE", 0)
    for wide, largest, kind in (
        (table.width, 10**9, pl.DataFrame), (table.width, 0, pl.LazyFrame), (table.width + 1, 10**9, pl.LazyFrame),
    ):  # fmt: skip
        monkeypatch.setattr("entropick.files.room.WIDE", wide)
        monkeypatch.setattr("entropick.files.room.LARGE_WIDE", largest)
        assert isinstance(read_table(str(path)).frame, kind)


def test_a_header_that_is_cut_off_is_wide():
    assert text._count_columns("a,b,c\n1,2", ",") == 3
    assert text._count_columns("a,b,c", ",") == math.inf


def test_a_thread_that_outlives_its_error_makes_no_file(csv, all_files_are_large, tmp_path, monkeypatch):
    """polars raises while other threads of it still begin to write."""
    late = []

    def sink(frame, place, **options):
        late.append(threading.Thread(target=write_late, args=(place,)))
        raise pl.exceptions.ComputeError("could not parse")

    def write_late(place):
        with suppress(ValueError):  # a file that is closed
            place.write_bytes(b"late") if isinstance(place, Path) else place.write(b"late")

    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", sink)
    out = tmp_path / "out.parquet"
    refused("select", csv, "-t", "label")
    assert run("select", "iris", "-n", "1", "--out", out).exit_code == 2
    for thread in late:
        thread.start()
        thread.join()
    assert len(late) == 3  # the types are looked for twice
    assert list(all_files_are_large.iterdir()) == []
    assert [path for path in tmp_path.iterdir() if ".parquet" in path.name] == []


def test_no_room_for_a_large_file(csv, all_files_are_large, monkeypatch):
    """It is reported as a system error."""
    full = pl.exceptions.ComputeError("No space left on device (os error 28)")
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", lambda *_, **__: (_ for _ in ()).throw(full))
    assert "No space left on device" in refused("select", csv, "-t", "label", code=1)
    assert list(all_files_are_large.iterdir()) == []

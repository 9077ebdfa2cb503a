"""What the program writes: reports, reduced tables, whole or not at all."""

import errno
import json
import sys
import types

import polars as pl
import pytest

from entropick._base import whole_files
from entropick.cli import writing
from program_runs import COMPARE, N_ROWS, run


@pytest.fixture
def rendered(monkeypatch):
    """Documents handed to the report, which only counts them here."""
    documents = []

    def render(document):
        documents.append(json.loads(json.dumps(document, allow_nan=False)))
        return "<!doctype html>"

    monkeypatch.setitem(sys.modules, "entropick.report", types.SimpleNamespace(render=render))
    return documents


def test_report_path_is_the_last_line(csv, tmp_path, rendered):
    """The report is made of the same document, and its path comes last."""
    path = tmp_path / "report.html"
    for arguments in (["select", csv, "-n", 1], ["compare", csv, *COMPARE]):
        result = run(*arguments, "-t", "label", "--report", path)
        assert result.exit_code == 0, result.output
        assert result.stdout.splitlines()[-1] == f"Report: {path}"
        assert path.read_text() == "<!doctype html>"
    assert [document["kind"] for document in rendered] == ["select", "compare"]


def test_report_and_json_together(csv, tmp_path, rendered):
    """stdout holds the document alone."""
    path = tmp_path / "report.html"
    result = run("select", csv, "-t", "label", "--json", "--report", path)
    shown = {key: value for key, value in rendered[0].items() if key != "pairs"}  # for the page's script
    assert json.loads(result.stdout) == shown
    assert result.stderr.splitlines()[-1] == f"Report: {path}"


def test_the_old_file_stays_when_writing_fails(csv, tmp_path, monkeypatch, rendered):
    """A full disk is the system's fault; the old file is whole and nothing half-written is left."""
    out = tmp_path / "out.csv"
    out.write_text("old")
    before = set(whole_files.unfinished)  # tables of other tests may still be there

    def full(frame, file):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(writing.TABLE_WRITERS, ".csv", full)
    result = run("select", csv, "-t", "label", "--out", out)
    assert result.exit_code == 1
    assert f"Error: '{out}': No space left on device." in result.stderr
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "table.csv"]
    assert whole_files.unfinished <= before


def test_written_files_have_the_usual_mode(csv, tmp_path):
    """Not the private mode of temporary files; the mode of an old file is kept."""
    out, old = tmp_path / "out.csv", tmp_path / "old.csv"
    old.write_text("")
    old.chmod(0o640)
    for path in (out, old):
        assert run("select", csv, "-t", "label", "-o", path).exit_code == 0
    plain = tmp_path / "plain"
    plain.write_text("")
    assert out.stat().st_mode == plain.stat().st_mode
    assert old.stat().st_mode & 0o777 == 0o640


def test_compare_writes_what_it_recommends(csv, tmp_path):
    """The columns with the target, and their names."""
    out, names = tmp_path / "few.csv", tmp_path / "names.txt"
    result = run(
        "compare",
        csv,
        "-t",
        "label",
        "-m",
        "jmi,mim",
        "-e",
        "tree",
        "--folds",
        2,
        "--out",
        out,
        "--columns-file",
        names,
    )
    assert result.exit_code == 0
    columns = names.read_text().splitlines()
    assert columns
    assert f"Columns: {json.dumps(columns)}" in result.stdout
    assert pl.read_csv(out).columns == [*columns, "label"]
    assert pl.read_csv(out).height == N_ROWS

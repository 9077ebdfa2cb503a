"""The program inside databases and with files of counts: rows stay where they are, and errors are one sentence."""

import json
import sys
from contextlib import contextmanager, nullcontext

import duckdb
import polars as pl
import pytest

import entropick as ep
from database_tables import dirty_table, in_duckdb, in_sqlite
from entropick.table.executors import connections
from program_runs import document_of, refused, run

pytestmark = [
    pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning"),
    pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning"),
    pytest.mark.xdist_group("database"),
]
KEPT = ["few", "text", "flag", "y'); --", "lost flag", "y"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file of DuckDB with two tables, one of SQLite, and two Parquet files of the same rows."""
    folder = tmp_path_factory.mktemp("databases")
    frame = dirty_table(120).select(KEPT)
    con = in_duckdb(frame)
    con.execute(f"ATTACH '{folder / 'a.duckdb'}' AS file; CREATE TABLE file.t AS SELECT * FROM t")
    con.execute("""CREATE TABLE file."o'd ""x" AS SELECT * FROM t""")
    con.execute("""CREATE SCHEMA file."of 25"; CREATE TABLE file."of 25".u AS SELECT * FROM t""")
    con.close()
    in_sqlite(frame, folder / "a.sqlite").disconnect()
    frame.write_parquet(folder / "whole.parquet")
    frame[:50].write_parquet(folder / "first.parquet")
    frame[50:].write_parquet(folder / "second.parquet")
    return folder


def steps_of(selection):
    """The steps without their times."""
    return [{key: value for key, value in step.items() if key != "seconds"} for step in selection["steps"]]


def answer(frame, n_features=2):
    return ep.JMI(n_features).fit(frame.drop("y"), frame["y"]).selection_


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("a.duckdb", ["--table", "t"]),
        ("a.duckdb", ["--table", "o'd \"x"]),
        ("a.duckdb", ["--table", "of 25.u"]),
        ("a.sqlite", []),
        ("a.duckdb", ["--query", "SELECT * FROM t"]),
    ],
)
def test_select_in_a_file(folder, file, options):
    before = (folder / file).read_bytes()
    found = document_of("select", folder / file, *options, "--target", "y", "--n-features", "2")
    expected = answer(dirty_table(120).select(KEPT))
    assert found["selection"]["selected"] == expected.to_dict()["selected"]
    assert steps_of(found["selection"]) == steps_of(json.loads(json.dumps(expected.to_dict())))
    assert (folder / file).read_bytes() == before
    assert sorted(path.name for path in folder.glob(f"{file}*")) == [file]


@pytest.mark.parametrize(
    ("file", "options"),
    [
        pytest.param(
            "a.duckdb",
            ["--table", "o'd \"x", "-t", "y", "-i", "text", "-i", "lost flag"],
            marks=pytest.mark.slow,
        ),
        ("a.duckdb", ["--query", "SELECT few, flag, y FROM t WHERE text <> 'it''s'", "-t", "y"]),
        pytest.param("a.sqlite", ["-t", "y"], marks=pytest.mark.slow),
        pytest.param("a.duckdb?memory_limit=300MB", ["--table", "t", "-t", "y"], marks=pytest.mark.slow),
        ("a.counts", []),
    ],
)
def test_auto_is_the_default_and_code_runs_as_printed(folder, file, options):
    """The rule that needs counts alone. It would be another one in memory, so the code has the number it kept."""
    if file == "a.counts":
        run("count", folder / "whole.parquet", "-t", "y", "-o", folder / file)
    place = f"duckdb://{folder / file}" if "?" in file else folder / file
    shown = run("select", place, *options).stdout
    assert shown == run("select", place, *options, "-n", "auto").stdout
    names = json.loads(shown.partition("Columns: ")[2].partition("\n")[0])
    *imports, call = shown.partition("Python: ")[2].strip().split("; ep.")
    exec(f"{imports[0]}; found = ep.{call}", known := {})
    assert known["found"].selection_.selected_names == names
    expected = known["found"].set_params(n_features="gain")
    exec(f"expected.fit({call.partition('.fit(')[2]}", known | {"expected": expected})
    assert expected.selection_.selected_names == names


def test_passwords_are_not_printed(folder, monkeypatch):
    address = f"duckdb://user:secret@{folder / 'a.duckdb'}"
    assert connections.without_password(address) == address.replace("secret", "***")
    monkeypatch.setattr(
        connections,
        "_connected",
        lambda _: nullcontext((duckdb.connect(folder / "a.duckdb"), "duckdb", address)),
    )
    with connections.opened(address, "t", None) as found:
        assert found.code is None


def test_query_from_a_file_and_ignored_columns(folder, tmp_path):
    (tmp_path / "q.sql").write_text("SELECT * FROM t WHERE few > 1")
    found = document_of(
        "select", folder / "a.duckdb", "--query", tmp_path / "q.sql", "-t", "y", "-n", "1", "-i", "text"
    )
    frame = dirty_table(120).select(KEPT).filter(pl.col("few") > 1).drop("text")
    assert found["selection"]["selected"] == answer(frame, 1).to_dict()["selected"]


def test_warnings_are_shown_and_stored(folder):
    """In one line each, as for files of rows."""
    query = "SELECT few, 0 AS y FROM t"
    found = run("select", folder / "a.duckdb", "--query", query, "-t", "y", "-n", "1", "--json")
    assert "Warning: The target has only one class" in found.stderr
    assert "SelectionWarning" not in found.stderr
    assert any("only one class" in text for text in json.loads(found.stdout)["warnings"])


def test_progress_by_query_and_step(folder, monkeypatch):
    shown = []

    @contextmanager
    def progress(self):
        yield lambda *moved: shown.append(moved)

    monkeypatch.setattr("entropick.cli.screen.Screen.progress", progress)
    run("select", folder / "a.duckdb", "--table", "t", "-t", "y", "-n", "2", "-i", "text")
    texts = [text for text, *_ in shown]
    assert texts[:2] == ["query 1", "query 2"]
    assert [moved[1:] for moved in shown if not moved[0].startswith("query")] == [(1, 2), (2, 2)]


def test_explain_runs_nothing(folder):
    """Queries are printed with quoted names, and none of them is sent to the database."""
    result = run("select", folder / "a.duckdb", "--table", "t", "-t", "y", "-n", "1", "--explain")
    assert result.exit_code == 0
    assert '"y\'); --"' in result.stdout
    assert result.stdout.count("GROUP BY") > 3
    assert "selects" not in result.stdout


def test_sketch_count_merge_and_select(folder, tmp_path, monkeypatch):
    """Parts find common edges in rounds; their counts, merged, are those of all rows."""
    monkeypatch.setattr("entropick.table.sketches.sketch_values", lambda rules: 12)
    parts, options = ("first", "second"), ["-t", "y", "-o"]

    def done(*arguments):
        result = run(*arguments)
        assert result.exit_code == 0, result.output
        return result.stderr

    done("count", folder / "whole.parquet", *options, tmp_path / "whole.counts")
    after, said = [], ""
    while "All edges are known" not in said:
        for part in parts:
            done("sketch", folder / f"{part}.parquet", *options, tmp_path / f"{part}.sketch", *after)
        files = [tmp_path / f"{part}.sketch" for part in parts]
        if after:  # a part is missing
            assert "rows answered" in refused("merge", files[0], "-o", tmp_path / "none.sketch")
            assert not (tmp_path / "none.sketch").exists()
        said = done("merge", *files, "-o", tmp_path / "all.sketch")
        assert after or "The edges of 1 column are not known exactly yet" in said
        after = ["--after", tmp_path / "all.sketch"]
    for part in parts:
        place = tmp_path / f"{part}.counts"
        done("count", folder / f"{part}.parquet", *options, place, "--edges", tmp_path / "all.sketch")
    done("merge", tmp_path / "second.counts", tmp_path / "first.counts", "-o", tmp_path / "all.counts")
    assert "cannot be merged" in refused(
        "merge", tmp_path / "all.sketch", tmp_path / "all.counts", "-o", tmp_path / "x"
    )
    assert ep.Cube.load(tmp_path / "all.counts") == ep.Cube.load(tmp_path / "whole.counts")
    found = document_of(
        "select", tmp_path / "all.counts", "-n", "2", "--columns-file", tmp_path / "names.txt"
    )
    assert (tmp_path / "names.txt").read_text().split("\n")[:-1] == found["selection"]["selected"]


def test_refusals(folder, tmp_path):
    file = folder / "a.duckdb"
    assert "name one with --table" in refused("select", file, "-t", "y")
    assert "There is no table 'u'" in refused("select", file, "--table", "u", "-t", "y")
    assert "Name the target with --target" in refused("select", file, "--table", "t")
    assert "There is no column 'z'" in refused("select", file, "--table", "t", "-t", "z")
    assert "--out needs rows" in refused("select", file, "--table", "t", "-t", "y", "-o", "x.csv")
    assert "either --table or --query" in refused(
        "select", file, "--table", "t", "--query", "SELECT 1", "-t", "y"
    )
    assert "No such file" in refused("select", folder / "none.duckdb", "-t", "y")
    written = tmp_path / "rows.csv"
    copy = refused("select", file, "--query", f"COPY t TO '{written}'", "-t", "y")
    assert "must be a single SELECT" in copy
    assert not written.exists()  # a query may only read
    for name, reason in [("bad.sqlite", "file is not a database"), ("bad.duckdb", "is not a file of DuckDB")]:
        (tmp_path / name).write_bytes(b"no database at all" * 100)
        assert reason in refused("select", tmp_path / name, "-t", "y")
    (tmp_path / "bad.counts").write_bytes(b"no counts")
    assert "is not a file of counts" in refused("select", tmp_path / "bad.counts")
    assert "needs distances" in refused("select", file, "--table", "t", "-t", "y", "-m", "ReliefF", "-n", "2")


FILES = ["a.duckdb", pytest.param("a.sqlite", marks=pytest.mark.slow)]


@pytest.mark.parametrize("file", FILES)
def test_queries_that_are_wrong(folder, file):
    """Another try would be in vain, so the call is wrong, not the system."""
    for query in ("SELEC", "SELECT * FROM u", "SELECT few, z, y FROM t", "SELECT 'x", "-- none"):
        said = refused("select", folder / file, "--query", query, "-t", "y", code=2)
        assert "refuses a query" in said or "must be a single SELECT" in said


def test_queries_that_fail_while_they_run(folder):
    query = "SELECT CAST(text || 'x' AS INT) AS number, y FROM t"
    assert "Could not convert" in refused("select", folder / "a.duckdb", "--query", query, "-t", "y")


@pytest.mark.parametrize("file", FILES)
def test_what_follows_a_query(folder, file):
    """A semicolon and comments, also in the code that is printed."""
    query = "SELECT few, '; --' AS \"a;\", y FROM t"
    shown = [
        run("select", folder / file, "--query", query + end, "-t", "y", "-n", "1").stdout
        for end in ("", ";  -- ü; '", "; /* ; */ ;\n")
    ]
    assert 'Columns: ["few"]' in shown[0]
    assert shown == shown[:1] * 3


@pytest.mark.parametrize("command", ["count", "sketch"])
def test_columns_to_leave_out_must_exist(folder, tmp_path, command):
    """A misspelt name would let out what was to stay."""
    given = [command, folder / "whole.parquet", "-t", "y", "-o", tmp_path / "a"]
    assert "did you mean 'text'?" in refused(*given, "-i", "txt")
    assert "which is the target" in refused(*given, "-i", "y")
    assert "--target names 'z'" in refused(*given[:2], "-t", "z", *given[4:])
    assert not (tmp_path / "a").exists()


def test_what_leaves_no_counts_is_refused(folder, tmp_path):
    path = tmp_path / "a.counts"
    message = refused("count", folder / "whole.parquet", "-t", "y", "-o", path, "--min-cell", "1000")
    assert "--min-cell" in message
    assert not path.exists()


def test_other_rows_in_a_later_round_are_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("entropick.table.sketches.sketch_values", lambda rules: 12)
    frame = pl.DataFrame({"x": range(100), "y": [0, 1] * 50})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.with_columns(pl.col("x") + 200).write_parquet(tmp_path / "b.parquet")
    one, two = tmp_path / "1.sketch", tmp_path / "2.sketch"
    assert run("sketch", tmp_path / "a.parquet", "-t", "y", "-o", one).exit_code == 0
    assert run("sketch", tmp_path / "b.parquet", "-t", "y", "-o", two, "--after", one).exit_code == 0
    counting = ["count", tmp_path / "a.parquet", "-t", "y", "-o", tmp_path / "c", "--edges", two]
    for command in (["merge", two, "-o", tmp_path / "3.sketch"], counting):
        assert "not the rows of the round before" in refused(*command)


@pytest.mark.slow
def test_what_an_engine_needs_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "MySQLdb", None)
    said = refused("select", "mysql://user@127.0.0.1/name", "-t", "y")
    assert said.strip().endswith("missing dependencies. Hint: pip install 'ibis-framework[mysql]'.")


def test_passwords_are_not_shown():
    from entropick.table.executors.connections import without_password

    assert without_password("postgresql://me:secret@host/name") == "postgresql://me:***@host/name"
    assert without_password("a.duckdb") == "a.duckdb"

"""The program: results on stdout, messages on stderr, one sentence and an exit code where something is wrong."""

import cProfile
import datetime
import decimal
import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import naive

click = pytest.importorskip("click")

from click.testing import CliRunner  # noqa: E402

import entropick  # noqa: E402
from entropick.cli import interrupt, reading, writing  # noqa: E402
from entropick.cli.arff import parse_arff  # noqa: E402
from entropick.cli.built_in import BUILT_IN  # noqa: E402
from entropick.cli.columns import Survey  # noqa: E402
from entropick.cli.document import redundancy  # noqa: E402
from entropick.cli.layout import TextFormat, sniff_delimiter  # noqa: E402
from entropick.cli.prepare import prepare  # noqa: E402
from entropick.cli.program import program  # noqa: E402
from entropick.cli.reading import Loaded, read_table  # noqa: E402
from entropick.cli.screen import Screen, one_line  # noqa: E402
from entropick.exceptions import DataError, SelectionWarning  # noqa: E402
from entropick.selectors.catalog import METHODS, set_known_params  # noqa: E402

HOSTILE = [
    "<script>alert(1)</script>",
    "=cmd()",
    "a,b",
    'say "hi"',
    "rtl \u202e txt",
    "two\nlines",
    "😀",
    "x" * 10_000,
]
N_ROWS = 300
COMPARE = ["--methods", "jmi,mim", "--estimators", "bayes", "--folds", "3"]


def run(*arguments, input=None):
    """The program's result; an unexpected exception fails the test."""
    result = CliRunner().invoke(program, [str(argument) for argument in arguments], input=input)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def refused(*arguments, code=2, input=None):
    """The one sentence a refusal gives."""
    result = run(*arguments, input=input)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (sentence,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    return sentence.removeprefix("Error: ")


def document_of(*arguments, input=None):
    result = run(*arguments, "--json", input=input)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def table():
    """Ids, a good number, a good category, noise, missing values, and a class."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, N_ROWS)
    size = label + 0.3 * rng.standard_normal(N_ROWS)
    size[3] = np.nan
    return pl.DataFrame(
        {
            "id": [f"r{i}" for i in range(N_ROWS)],
            "size": size,
            "site": np.where(rng.random(N_ROWS) < 0.9, label, 1 - label).astype(str),
            "noise": rng.standard_normal(N_ROWS),
            "label": np.array(["no", "yes"])[label],
        },
        nan_to_null=True,
    )


@pytest.fixture
def csv(table, tmp_path):
    path = tmp_path / "table.csv"
    table.write_csv(path)
    return path


# -- select --------------------------------------------------------------------------------------


def test_select_shows_the_columns(csv):
    """The table is on stdout, what was noticed on stderr."""
    result = run("select", csv, "--target", "label", "--n-features", 2)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "JMI selects 2 of 3 columns from 300 rows."
    assert {line.split()[1] for line in lines[2:4]} == {"size", "site"}
    (columns,) = [line for line in lines if line.startswith("Columns: ")]
    assert json.loads(columns.removeprefix("Columns: ")) == [line.split()[1] for line in lines[2:4]]
    assert "scikit-learn: make_pipeline(ep.JMI(2), model)" in lines
    assert "\x1b" not in result.output
    assert "holds 2 classes" in result.stderr
    assert "Left out: 'id': looks like an identifier (--keep-ids keeps such columns)." in result.stderr
    assert "1 missing value in 1 column: 'size' (1)" in result.stderr


def test_select_agrees_with_the_library(csv, table):
    """The document holds the selection the library makes."""
    document = document_of("select", csv, "-t", "label", "-m", "cmim", "-n", "3", "--seed", "7")
    selection = entropick.CMIM(3).fit(table.drop("id", "label"), table["label"]).selection_
    assert document["selection"]["selected"] == selection.selected_names
    assert [s["score"] for s in document["selection"]["steps"]] == [s.score for s in selection.steps]
    assert document["method"] == "CMIM"
    assert document["seed"] == 7


def test_select_by_stability(csv, table, tmp_path):
    """Columns kept on most halves of the rows: what the library says, on the screen and in the report."""
    arguments = ("select", csv, "-t", "label", "-n", "1", "--stability", "--seed", "3")
    report = tmp_path / "report.html"
    result = run(*arguments, "--report", report)
    assert result.exit_code == 0
    X, y = table.drop("id", "label"), table["label"]
    found = entropick.StabilitySelector(entropick.JMI(1), random_state=3).fit(X, y)
    assert document_of(*arguments)["selection"]["selected"] == found.selection_.selected_names
    assert "Expected false selections: at most" in result.stdout
    assert f"Stability: {found.stability_}." in result.stdout
    assert "complementary pairs" in report.read_text()


def test_select_tells_the_risk_on_rows_left_out(csv, table, tmp_path):
    """Of methods that go by the Bayes risk: on the screen, in the document and in the report."""
    arguments = ("select", csv, "-t", "label", "-m", "renyi", "-n", "2", "--seed", "4")
    report = tmp_path / "report.html"
    result = run(*arguments, "--report", report)
    X, y = table.drop("id", "label"), table["label"]
    risk = entropick.RenyiFS(2).fit(X, y).held_out_risk(X, y, random_state=4)
    assert str(risk) in " ".join(result.stdout.split())
    assert document_of(*arguments)["selection"]["held_out_risk"] == risk.to_dict()
    assert "On held-out rows" in report.read_text()
    assert document_of(*arguments[:4], "-n", "2")["selection"]["held_out_risk"] is None


def test_compare_by_any_score(csv):
    """--scoring names the score; the screen, the document and the report call it so."""
    arguments = ("compare", csv, "-t", "label", "-m", "mim", "-e", "bayes", "--folds", "3")
    shown = run(*arguments, "--scoring", "roc_auc")
    assert "Best roc auc over 3 folds" in shown.stdout
    assert document_of(*arguments, "--scoring", "roc_auc")["comparison"]["scoring"] == "roc_auc"
    assert document_of(*arguments)["comparison"]["scoring"] == "accuracy"
    sentence = refused(*arguments, "--scoring", "rocauc")
    assert sentence.startswith("There is no score named 'rocauc'. Hint: Did you mean 'roc_auc'")


def test_document_has_the_agreed_form(csv):
    """All parts are there, in order, and the redundancies are shares."""
    document = document_of("select", csv, "-t", "label", "--ignore", "noise")
    assert list(document) == [
        "schema_version", "kind", "created", "command", "seconds", "versions", "seed", "data", "warnings",
        "selection", "method", "code", "profiles", "redundancy", "comparison",
    ]  # fmt: skip
    assert document["schema_version"] == 1
    assert document["kind"] == "select"
    assert document["command"] == f"entropick select {csv} -t label --ignore noise --json"
    assert set(document["versions"]) == {"entropick", "python", "numpy", "scikit-learn"}
    data = document["data"]
    assert (data["n_rows"], data["n_columns"]) == (N_ROWS, 2)
    assert data["target"]["kind"] == "class"
    assert sum(n_rows for _, n_rows in data["target"]["classes"]) == N_ROWS
    assert data["ignored"] == [
        {"name": "noise", "reason": "asked for"},
        {"name": "id", "reason": "looks like an identifier"},
    ]
    assert len(data["notes"]) == 3
    values = np.array(document["redundancy"]["values"])
    assert document["redundancy"]["names"] == document["selection"]["selected"]
    assert (values == values.T).all()
    assert (np.diag(values) == 1).all()
    assert ((values >= 0) & (values <= 1)).all()


def test_quiet_and_json_leave_stderr_empty(csv):
    """Nothing but the document is printed."""
    result = run("select", csv, "-t", "label", "--json", "--quiet")
    assert result.stderr == ""
    json.loads(result.stdout)


@pytest.mark.parametrize(
    ("given", "n_selected"), [("1", 1), ("0.5", 15), ("auto", None), ("AUTO", None), (None, None)]
)
def test_numbers_of_columns(given, n_selected):
    """A number, a share, and as many as predict unseen rows, which is also what happens by default."""
    options = [] if given is None else ["-n", given]
    document = document_of("select", "breast_cancer", "-m", "mrmr", *options)
    if n_selected is None:
        n_selected = entropick.MRMR("auto", random_state=0).fit(*breast_cancer()).n_features_
    assert len(document["selection"]["selected"]) == n_selected


def breast_cancer():
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True)


def test_permutation_cut_shows_p_values():
    """What a rule computed is shown too."""
    result = run("select", "wine", "-n", "permutation")
    assert result.stdout.splitlines()[1].split() == ["column", "score", "lead", "left", "open", "p"]


@pytest.mark.parametrize("given", ["0", "-3", "1.5", "ten", "0.0"])
def test_wrong_numbers_of_columns(given):
    """Anything else is refused."""
    assert "neither a number of columns" in refused("select", "wine", "-n", given)


def test_real_targets_are_noticed(tmp_path):
    """Fractions, and whole numbers of very many values, are real values; one may say otherwise."""
    rng = np.random.default_rng(0)
    path = tmp_path / "real.csv"
    x = rng.standard_normal(100)
    pl.DataFrame({"x": x, "u": rng.random(100), "price": np.round(x * 1e6).astype(int)}).write_csv(path)
    assert document_of("select", path, "-t", "price", "-n", 1)["data"]["target"]["kind"] == "real"
    assert document_of("select", path, "-t", "u", "-n", 1)["data"]["target"]["kind"] == "real"
    assert "has a different value in every row" in refused(
        "select", path, "-t", "price", "--target-type", "class"
    )


def mixed_table(target):
    """Numbers, whole numbers, texts, booleans and times, with missing values, and a target."""
    rng = np.random.default_rng(0)
    n_rows = 120
    hidden = rng.standard_normal(n_rows)
    holes = rng.random((3, n_rows)) < 0.1
    frame = {
        "size": np.where(holes[0], np.nan, hidden + 0.5 * rng.standard_normal(n_rows)),
        "count": [None if hole else int(v) for hole, v in zip(holes[1], 20 * hidden + 90, strict=True)],
        "site": [None if hole else "abc"[k] for hole, k in zip(holes[2], rng.integers(0, 3, n_rows), strict=True)],
        "is_new": rng.random(n_rows) < 0.5,
        "when": [datetime.date(2026, 1, 1) + datetime.timedelta(days=int(d)) for d in rng.integers(0, 90, n_rows)],
        "huge": 1e100 * rng.standard_normal(n_rows),
    }  # fmt: skip
    whole = np.round(1000 * (hidden + 0.3 * rng.standard_normal(n_rows))).astype(int)
    frame[target] = whole if target == "grams" else np.array(["no", "yes"])[(whole > 0).astype(int)]
    return pl.DataFrame(frame, nan_to_null=True)


@pytest.mark.parametrize("target", ["grams", "label"])
@pytest.mark.parametrize("method", METHODS)
def test_program_and_library_agree(method, target, tmp_path):
    """The same file gives the same columns and scores, whatever the method and the kind of target."""
    path = tmp_path / "mixed.csv"
    mixed_table(target).write_csv(path)
    shown = document_of("select", path, "-t", target, "-m", method, "-n", "3")["selection"]
    frame = pl.read_csv(path, try_parse_dates=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)  # whole numbers are taken as real values
        selector = set_known_params(METHODS[method](3), random_state=0)
        selection = selector.fit(frame.drop(target), frame[target]).selection_
    expected = json.loads(json.dumps(selection.to_dict()))
    assert shown["selected"] == expected["selected"]
    for one, other in zip(shown["steps"], expected["steps"], strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}
    assert shown["target"] == expected["target"]


def test_rows_without_a_target_are_left_out_of_the_fit_only(table, tmp_path):
    """They are said, do not count, and stay in the reduced table."""
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    table.with_columns(
        pl.when(pl.col("id") == "r5").then(None).otherwise(pl.col("label")).alias("label")
    ).write_parquet(path)
    document = document_of("select", path, "-t", "label", "-n", 1, "-o", out)
    assert document["data"]["n_rows"] == N_ROWS - 1
    assert "1 row without a target left out." in document["data"]["notes"]
    assert pl.read_parquet(out).height == N_ROWS


def test_ids_may_be_kept(csv):
    """--keep-ids takes columns of distinct values in."""
    document = document_of("select", csv, "-t", "label", "--keep-ids")
    assert document["data"]["ignored"] == []
    assert document["data"]["n_columns"] == 4


def noted(frame, tmp_path, *options):
    """The notes and the columns left out of a table with the target y."""
    path = tmp_path / "noted.parquet"
    frame.write_parquet(path)
    data = document_of("select", path, "-t", "y", "-n", 1, *options)["data"]
    return data["notes"], {column["name"]: column["reason"] for column in data["ignored"]}


@pytest.mark.parametrize("n_rows", [100, 2500])
def test_identifiers_and_measurements(tmp_path, n_rows):
    """Names of rows go, though one of a hundred may come twice; whole numbers that measure stay, and so do times."""
    rng = np.random.default_rng(0)
    codes = [f"p{i}" for i in range(n_rows)]
    codes[1] = codes[0]
    distinct = rng.permutation(10**6)[:n_rows]
    start = datetime.datetime(2026, 1, 1)
    frame = pl.DataFrame(
        {
            "code": codes,
            "with gaps": [None if i % 3 == 0 else f"q{i}" for i in range(n_rows)],
            "row": range(7, 7 + n_rows),
            "backwards": range(3 * n_rows, 0, -3),
            "PatientID": distinct,
            "user_id": distinct[::-1],
            "salary": distinct,
            "paid": distinct[::-1] // 2,
            "population": np.sort(distinct),
            "when": [start + datetime.timedelta(minutes=i) for i in range(n_rows)],
            "^.*$": rng.standard_normal(n_rows),
            "town": [f"t{i % 60}" for i in range(n_rows)],
            "y": rng.integers(0, 2, n_rows),
        }
    )
    names = {"code", "with gaps", "row", "backwards", "PatientID", "user_id"}
    _, left_out = noted(frame, tmp_path)
    assert left_out == dict.fromkeys(names, "looks like an identifier")
    assert noted(frame, tmp_path, "--keep-ids")[1] == {}
    only_ids = ["select", tmp_path / "noted.parquet", "-t", "y"]
    frame.select("row", "y").write_parquet(only_ids[1])
    assert refused(*only_ids).endswith("Hint: --keep-ids keeps columns that look like identifiers.")


@pytest.mark.parametrize("n_rows", [100, 2500])
def test_constants_and_copies(tmp_path, n_rows):
    """Columns of one value are left out, copies are told; what differs in a late row is neither."""
    rng = np.random.default_rng(0)
    size = rng.standard_normal(n_rows)
    size[5] = np.nan
    late, almost, rare = np.zeros(n_rows), size.copy(), np.zeros(n_rows)
    late[-1] = 1
    rare[50:60] = 1  # constant in the rows that are compared first
    almost[-1] += 1e-3
    frame = pl.DataFrame(
        {
            "size": size,
            "inches": size * 0.3937 + 4,
            "negative": -size,
            "almost": almost,
            "site": (site := rng.choice(["a", "b"], n_rows)),
            "place": site,
            "one": ["x"] * n_rows,
            "empty": pl.Series([None] * n_rows, dtype=pl.Float64),
            "nan": [np.nan] * n_rows,
            "gap": ["x"] * (n_rows - 1) + [None],
            "late": late,
            "rare": rare,
            "twice": 2 * rare,
            "y": rng.integers(0, 2, n_rows),
        }
    )
    notes, left_out = noted(frame, tmp_path)
    assert left_out == dict.fromkeys(["one", "empty", "nan"], "one value in every row")
    (copies,) = [note for note in notes if note.startswith("Copies")]
    assert (
        "'inches' duplicates 'size', 'negative' duplicates 'size', 'place' duplicates 'site', ...;" in copies
    )
    assert Survey(frame, n_rows).copies()[-1] == ("twice", "rare")


def test_date_parts(tmp_path):
    """The hour that decides is found as a column, which can be written; parts that do not vary are not made."""
    rng = np.random.default_rng(0)
    start = datetime.datetime(2026, 3, 1)
    when = [start + datetime.timedelta(hours=int(h)) for h in rng.integers(0, 24 * 28, 400)]
    frame = pl.DataFrame({"when": when, "noise": rng.random(400), "y": [int(t.hour >= 12) for t in when]})
    path, out = tmp_path / "dates.parquet", tmp_path / "out.csv"
    frame.write_parquet(path)
    question = ["select", path, "-t", "y", "--date-parts", "-n"]
    document = document_of(*question, 1, "-o", out)
    assert document["selection"]["selected"] == ["when.hour"]
    assert document["data"]["n_columns"] == 4  # day, weekday, hour, noise
    assert pl.read_csv(out)["when.hour"].to_list() == [t.hour for t in when]
    frame.with_columns(pl.lit(0.5).alias("when.hour")).write_parquet(path)
    assert "second column 'when.hour'" in refused(*question, 1)


def test_wide_tables_are_prepared_in_time_that_grows_with_their_width(tmp_path):
    """Nothing is asked of the whole table for each of its columns: 100 times as many calls for 100 times the columns."""
    calls = {}
    for n_columns in (30, 3000):
        rng = np.random.default_rng(0)
        data = {f"c{j}": rng.random(50) for j in range(n_columns)} | {"y": ["a", "b"] * 25}
        counted = cProfile.Profile()
        loaded = Loaded("wide", pl.DataFrame(data))
        counted.runcall(prepare, loaded, "y")
        calls[n_columns] = sum(entry.callcount for entry in counted.getstats())
    assert calls[3000] < 100 * calls[30]


def test_warnings_are_told_and_kept(csv, monkeypatch):
    """Warnings of the library are lines on stderr and part of the document."""
    fit = entropick.JMI.fit

    def loud(self, X, y):
        warnings.warn("look out", UserWarning, stacklevel=1)
        return fit(self, X, y)

    monkeypatch.setattr(entropick.JMI, "fit", loud)
    result = run("select", csv, "-t", "label", "--json")
    assert "Warning: look out\n" in result.stderr
    assert json.loads(result.stdout)["warnings"] == ["look out"]


# -- formats -------------------------------------------------------------------------------------

ARFF = """% a comment
@RELATION test
@attribute 'the id' string
@attribute size REAL
@attribute site {a, 'b c', "d"}
@attribute label{no,yes}
@DATA
r1, 1.5, a, no
'r, 2', ?, 'b c', yes
% another
{0 "it\\'s", 1 2.5, 3 yes}
"""


def test_arff():
    """Quotes, comments, missing values, nominal values and sparse rows."""
    frame = parse_arff(ARFF)
    assert frame.columns == ["the id", "size", "site", "label"]
    assert frame.rows() == [("r1", 1.5, "a", "no"), ("r, 2", None, "b c", "yes"), ("it's", 2.5, "a", "yes")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation r\n@attribute a numeric\n@data\n1,2\n", "Line 4 has 2 values instead of 1"),
        ("@relation r\n@attribute a numeric\n@data\nx\n", "Line 4 cannot be read"),
        ("@relation r\n@attribute a relational\n@data\n", "of the type 'relational'"),
        ("@relation r\nnonsense\n", "Line 2 of the header"),
        (
            "@relation r\n@attribute a {'x,y}\n@data\nx\n",
            "Line 2 of the header cannot be read: unexpected quotes",
        ),
        (
            "@relation r\n@attribute a string\n@data\n'x' y\n",
            "Line 4 cannot be read: unexpected text after quotes",
        ),
        (
            "@relation r\n@attribute a numeric\n@data\n{00}\n",
            "Line 4 cannot be read: '00' is not an index and a value",
        ),
        ("@relation r\n@data\n1\n", "declares no attributes"),
        ("@relation r\n@attribute a numeric\n", "ends before its data"),
        ("@relation r\n@attribute a numeric\n@data\n{7 1}\n", "Line 4 cannot be read"),
        ("@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n", "same name"),
    ],
)
def test_wrong_arff(text, message, tmp_path):
    """A wrong line is named."""
    path = tmp_path / "t.arff"
    path.write_text(text)
    assert message in refused("select", path, "-t", "a")


def test_long_texts_of_arff_are_cut():
    """In what is said about them."""
    for text in (f"@attribute a {'x' * 5000}\n@data\n1", f"@attribute a real\n@data\n{'x' * 5000}"):
        with pytest.raises(DataError) as caught:
            parse_arff(text)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("line", ["a" + " " * 10**6 + "'", "{" + "0" * 10**6 + "}", "'" + "\\'" * 10**6])
def test_hostile_arff_takes_no_time(line):
    """A line that cannot be read is refused at once; time that grew with its square would take hours."""
    with pytest.raises(DataError, match="Line 4 cannot be read"):
        parse_arff(f"@relation r\n@attribute a string\n@data\n{line}\n")


def test_arff_file(table, tmp_path):
    """An ARFF file gives what the same CSV gives."""
    path = tmp_path / "t.arff"
    rows = "\n".join(",".join("?" if v is None else str(v) for v in row) for row in table.rows())
    head = "@relation t\n@attribute id string\n@attribute size real\n@attribute site {0,1}\n"
    path.write_text(f"{head}@attribute noise real\n@attribute label {{no,yes}}\n@data\n{rows}\n")
    document = document_of("select", path, "-t", "label", "-n", 2)
    expected = entropick.JMI(2).fit(table.drop("id", "label"), table["label"])
    assert document["selection"]["selected"] == expected.selection_.selected_names


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".pq", ".feather", ".arrow", ".ipc"])
def test_every_format_goes_round(csv, table, tmp_path, suffix):
    """A reduced table is read again, with the same values, and selected from with the same result."""
    out = tmp_path / f"out{suffix}"
    first = document_of("select", csv, "-t", "label", "-n", 2, "--out", out)
    selected = first["selection"]["selected"]
    frame = read_table(str(out)).frame.lazy().collect()
    assert frame.columns == [*selected, "label"]
    expected = table.select([*selected, "label"]).with_columns(pl.col("site").cast(frame["site"].dtype))
    assert frame.equals(expected)
    again = document_of("select", out, "-t", "label", "-n", 2)
    assert again["selection"]["selected"] == selected
    assert [s["score"] for s in again["selection"]["steps"]] == [
        s["score"] for s in first["selection"]["steps"]
    ]
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_delimiters_are_found(table, tmp_path, delimiter):
    """Whatever the name of the file says; other delimiters within quotes do not mislead."""
    path = tmp_path / "table.txt"
    quoted = table.with_columns((pl.col("site") + ", a; b|c").alias("site"))
    quoted.write_csv(path, separator=delimiter)
    frame = read_table(str(path)).frame
    assert frame.columns == table.columns
    assert frame["site"].to_list() == quoted["site"].to_list()


def test_sniffing():
    """The delimiter is the one that gives the most columns of the same number in each line."""
    assert sniff_delimiter("a;b;c\n1,5;2,5;3,5\n") == ";"
    assert sniff_delimiter("one column\n1\n2\n") == ","
    assert sniff_delimiter("") == ","


def test_stdin_in_any_format(table, csv, tmp_path):
    """`-` reads a text or a binary table."""
    packed = tmp_path / "t.parquet"
    table.write_parquet(packed)
    for content in (csv.read_bytes(), packed.read_bytes(), gzip.compress(csv.read_bytes())):
        document = document_of("select", "-", "-t", "label", "-n", 1, input=content)
        assert document["data"]["source"] == "stdin"
        assert document["data"]["n_rows"] == N_ROWS


def test_packed_and_marked_files(csv, table, tmp_path):
    """A gzipped CSV, and one with a byte order mark."""
    packed, marked = tmp_path / "t.csv.gz", tmp_path / "bom.csv"
    packed.write_bytes(gzip.compress(csv.read_bytes()))
    marked.write_bytes(b"\xef\xbb\xbf" + csv.read_bytes())
    for path in (packed, marked):
        assert read_table(str(path)).frame.columns == table.columns


def test_late_texts_in_a_column_of_numbers(tmp_path):
    """A text after many rows of numbers makes the column one of texts."""
    path = tmp_path / "late.csv"
    rows = [f"{i % 7},{i % 2}" for i in range(12_000)] + ["many,1"]
    path.write_text("\n".join(["count,y", *rows]))
    document = document_of("select", path, "-t", "y")
    assert document["selection"]["encodings"][0]["kind"] == "category"


def text_table(columns, separator=","):
    """A text with a column y of two classes beside others; values with a separator are quoted."""
    columns = columns | {"y": ["no", "yes"] * (len(next(iter(columns.values()))) // 2)}
    quoted = (
        [f'"{v}"' if separator in str(v) else str(v) for v in row]
        for row in zip(*columns.values(), strict=True)
    )
    return "\n".join([separator.join(columns), *(separator.join(row) for row in quoted)]) + "\n"


@pytest.mark.parametrize(
    ("texts", "separator", "numbers"),
    [
        (["3.456,78", "12,5", "1.234.567,00", "7"], ",", [3456.78, 12.5, 1234567.0, 7.0]),
        (["3.456,78", "12,5", "-1.000", "7"], ";", [3456.78, 12.5, -1000.0, 7.0]),
        (["$3,456", "$12", "-$1,234.50", "$ 7"], ",", [3456.0, 12.0, -1234.5, 7.0]),
        (["3,456 €", "12 €", "1,5 €", "7 €"], ";", [3.456, 12.0, 1.5, 7.0]),
        (["12 %", "7,5%", "0 %", "100%"], ",", [12.0, 7.5, 0.0, 100.0]),
        (["1 234", "12", "1\u00a0234\u00a0567", "-7"], ",", [1234.0, 12.0, 1234567.0, -7.0]),
        (["1'234.5", "12", "3'000'000", "-7"], ",", [1234.5, 12.0, 3e6, -7.0]),
        (["1,234", "2,345", "12", "7"], ",", [1234.0, 2345.0, 12.0, 7.0]),
        (["1,234", "2,345", "12", "7"], ";", [1.234, 2.345, 12.0, 7.0]),
        (["$1.50", "NA", "", "$3"], ",", [1.5, None, None, 3.0]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("large", [False, True])
def test_numbers_as_people_write_them(tmp_path, monkeypatch, texts, separator, numbers, large):
    """Columns of texts that all are numbers are read as such, and it is said."""
    monkeypatch.setattr("entropick.cli.reading.LARGE", 0 if large else 10**9)
    path = tmp_path / "t.csv"
    path.write_text(text_table({"price": texts * 10, "plain": [0.5, 1.234, 2.5, 3] * 10}, separator))
    loaded = read_table(str(path))
    frame = loaded.frame.lazy().collect()
    assert frame["price"].to_list() == numbers * 10
    assert (
        frame["plain"].to_list() == [0.5, 1.234, 2.5, 3] * 10
    )  # a point alone is not taken for anything else
    (note,) = loaded.notes
    assert f"'price' ({texts[0]!r} is {numbers[0]:.10g})" in note
    encodings = document_of("select", path, "-t", "y")["selection"]["encodings"]
    assert (encodings[0]["name"], encodings[0]["kind"]) == ("price", "numeric")


@pytest.mark.parametrize(
    "texts",
    [["1.2.3.4", "4.5.6"], ["12 %", "many"], ["$", "$3"], ["1,23,4", "5"], ["192.168.0.1", "10.0.0.1"], ["A1", "B2"],
     ["31/12/2025 x", "1/1/2026"], ["1,234", "1.5,2"], ["3 456,78 kg", "1 kg"]],
)  # fmt: skip
def test_other_texts_stay_texts(tmp_path, texts):
    """One value that is no number is enough."""
    path = tmp_path / "t.csv"
    path.write_text(text_table({"code": texts * 20}, ";"))
    loaded = read_table(str(path))
    assert loaded.frame["code"].to_list() == texts * 20
    assert loaded.notes == ()


def test_the_decimal_sign_may_be_said(tmp_path):
    """It decides what 1,234 and 1.234 are."""
    path = tmp_path / "t.csv"
    path.write_text(
        text_table({"a": ["1,234", "2,5"] * 5, "b": ["1.234", "5"] * 5, "c": ["1.234,5", "3"] * 5}, ";")
    )
    frame = read_table(str(path), text=TextFormat(decimal=",")).frame
    assert frame.row(0)[:3] == (1.234, 1234.0, 1234.5)
    path.write_text(text_table({"a": ["1,234", "2"] * 5, "b": ["1.234", "5"] * 5}, ";"))
    assert read_table(str(path), text=TextFormat(decimal=".")).frame.row(0)[:2] == (1234.0, 1.234)


def test_dates_as_people_write_them(tmp_path):
    """Day first with points, month first with strokes; a day that does not exist keeps the column a text."""
    path = tmp_path / "t.csv"
    path.write_text(
        text_table({"a": ["31.12.2025", "1.2.2026"] * 5, "b": ["12/31/2025", "2/1/2026"] * 5, "c": ["2/30/2026", "1/13/2026"] * 5})
    )  # fmt: skip
    frame = read_table(str(path)).frame
    days = [datetime.date(2025, 12, 31), datetime.date(2026, 2, 1)] * 5
    assert frame["a"].to_list() == frame["b"].to_list() == days
    assert frame["c"].dtype == pl.String


def test_what_the_program_may_be_told_about_a_text(tmp_path):
    """Separator, encoding, marks of missing values, comments and no header, as options."""
    path = tmp_path / "t.txt"
    rows = "".join(f"{i % 7}~{['é', '-'][i % 3 > 0]}~{['ja', 'nein'][i % 2]}\n" for i in range(60))
    path.write_bytes(("# made by hand\n" + rows).encode("latin-1"))
    options = [
        "--separator",
        "~",
        "--encoding",
        "latin-1",
        "--missing-values",
        "-,nix",
        "--comment",
        "#",
        "--no-header",
    ]
    document = document_of("select", path, "-t", "x2", *options)
    assert document["data"]["target"]["classes"] == [["ja", 30], ["nein", 30]]
    (second,) = [e for e in document["selection"]["encodings"] if e["name"] == "x1"]
    assert (second["levels"], second["n_missing"]) == (["é"], 40)
    assert "must be one character" in refused("select", path, "-t", "y", "--separator", "ab")
    assert "is not a known text encoding" in refused("select", path, "-t", "y", "--encoding", "utf-99")
    assert "is not a known text encoding" in refused("select", path, "-t", "y", "--encoding", "base64")
    assert "--encoding names another one" in refused("select", path, "-t", "y")
    assert "is not text in ascii" in refused("select", path, "-t", "y", "--encoding", "ascii")
    tabbed = tmp_path / "tab.txt"
    tabbed.write_text(rows.replace("~", "\t"))
    assert read_table(str(tabbed), text=TextFormat("tab", has_header=False)).frame.width == 3


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_marked_encodings_are_found(csv, table, tmp_path, encoding):
    """By the mark at the beginning, packed or not, in memory or not."""
    path, packed = tmp_path / "wide.csv", tmp_path / "wide.csv.gz"
    content = ("\ufeff" if encoding.endswith("be") else "") + csv.read_text(encoding="utf-8")
    path.write_bytes(content.encode(encoding))
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for file in (path, packed):
        frame = read_table(str(file)).frame
        assert frame.columns == table.columns
        assert frame["id"].to_list() == table["id"].to_list()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("a,y\n1,no\n2,yes,3\n", "line 3 has 3 values, the header 2"),
        ('a,y\n1,no\n"two\nlines",yes\n2,yes,3\n', "line 5 has 3 values, the header 2"),
        ("# by hand\na,y\n1,no\n", "line 2 has 2 values, the header 1. Hint: --comment"),
        ('a,y\n1,no\n2,"yes\n3,no\n', "line 3 cannot be split into values"),
    ],
)
def test_broken_lines_are_named(tmp_path, content, part):
    """By their number, with what may help."""
    path = tmp_path / "t.csv"
    path.write_text(content)
    assert part in refused("select", path, "-t", "y")


def test_tables_of_orange(tmp_path):
    """Three header lines: the class is the target, meta columns are left out, codes of categories are names."""
    path = tmp_path / "iris.tab"
    rows = "".join(f"{i % 5}\t{i % 3}\tflower {i}\t{'ab'[i % 2]}\n" for i in range(60))
    path.write_text("size\tsite\tname\tkind\ncontinuous\td\tstring\tred blue\n\t\tmeta\tclass\n" + rows)
    document = document_of("select", path)
    assert document["data"]["target"]["name"] == "kind"
    assert [(e["name"], e["kind"]) for e in document["selection"]["encodings"]] == [
        ("size", "numeric"),
        ("site", "category"),
    ]
    assert document["data"]["notes"][0] == "Read as an Orange table, without its 'name'."
    path.write_text("size\tkind\n1\ta\n2\tb\n3\ta\n")
    assert read_table(str(path)).frame.height == 3


# -- large files ---------------------------------------------------------------------------------


@pytest.fixture
def all_files_are_large(monkeypatch, tmp_path):
    """The folder for temporary files, which must be empty after each run."""
    monkeypatch.setattr("entropick.cli.reading.LARGE", 0)
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
    """What cannot be held is not held, and it is said."""
    monkeypatch.setattr("entropick.cli.prepare.MOST_VALUES_HELD", 200 * 3)
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
    monkeypatch.setattr("entropick.cli.reading.LARGE", 0)
    for wide, largest, kind in (
        (table.width, 10**9, pl.DataFrame), (table.width, 0, pl.LazyFrame), (table.width + 1, 10**9, pl.LazyFrame),
    ):  # fmt: skip
        monkeypatch.setattr("entropick.cli.reading.WIDE", wide)
        monkeypatch.setattr("entropick.cli.reading.LARGE_WIDE", largest)
        assert isinstance(read_table(str(path)).frame, kind)


def test_a_header_that_is_cut_off_is_wide():
    assert reading._count_columns("a,b,c\n1,2", ",") == 3
    assert reading._count_columns("a,b,c", ",") == reading.WIDE


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
    """The system's fault, said as such."""
    full = pl.exceptions.ComputeError("No space left on device (os error 28)")
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", lambda *_, **__: (_ for _ in ()).throw(full))
    assert "No space left on device" in refused("select", csv, "-t", "label", code=1)
    assert list(all_files_are_large.iterdir()) == []


# -- built-in data -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_data(name):
    """Each has its names, a target, and rows."""
    loaded = read_table(name)
    assert loaded.target in loaded.frame.columns
    assert loaded.frame.height > 5
    assert loaded.frame.equals(read_table(name).frame)


def test_every_generator_is_built_in():
    """A new generator of the library is offered by the program."""
    generators = {name.removeprefix("make_") for name in entropick.datasets.__all__}
    assert generators <= set(BUILT_IN)


def test_a_file_comes_before_a_built_in_name(table, tmp_path, monkeypatch):
    """A file called like a data set is the file."""
    monkeypatch.chdir(tmp_path)
    table.write_csv("wine")
    assert read_table("wine").frame.columns == table.columns


def test_lists():
    """Methods and data sets, as tables and as JSON."""
    shown = run("methods").stdout
    assert {line.split()[0] for line in shown.splitlines() if line.strip()} >= set(METHODS)
    assert "held_out" in shown
    listed = json.loads(run("methods", "--json").stdout)
    assert [method["name"] for method in listed["methods"]] == list(METHODS)
    assert "breast_cancer" in run("datasets").stdout
    assert [d["name"] for d in json.loads(run("datasets", "--json").stdout)["datasets"]] == list(BUILT_IN)


# -- compare -------------------------------------------------------------------------------------


def test_compare_recommends(csv):
    """Scores, consensus and a recommendation; the document holds them all."""
    result = run("compare", csv, "-t", "label", *COMPARE)
    assert result.exit_code == 0, result.output
    assert "stability" in result.stdout
    lines = result.stdout.splitlines()
    (advice,) = [line for line in lines if line.startswith("Take the first ")]
    document = document_of("compare", csv, "-t", "label", *COMPARE)
    assert document["kind"] == "compare"
    assert document["selection"] is None
    assert [method["name"] for method in document["comparison"]["methods"]] == ["JMI", "MIM"]
    found = document["comparison"]["recommendation"]
    assert found["sentence"] == advice
    assert lines[-2:] == [
        f"Columns: {json.dumps(found['columns'])}",
        f"scikit-learn: make_pipeline(ep.{found['method']}({found['n_features']}), model)",
    ]
    assert document["redundancy"]["names"][0] == document["comparison"]["consensus"][0]["name"]


def test_the_line_of_code_of_a_stable_selection(csv, tmp_path):
    """It selects the same columns, on the screen and in the report."""
    page = tmp_path / "r.html"
    result = run("select", csv, "-t", "label", "-n", 1, "--stability", "--report", page)
    code = "ep.StabilitySelector(ep.JMI(1), random_state=0)"
    assert f"scikit-learn: make_pipeline({code}, model)" in result.stdout
    assert f"selector = {code}" in page.read_text(encoding="utf-8")


def counts_table():
    """Whole numbers of many values, which are real values unless they are said to be classes."""
    rng = np.random.default_rng(0)
    count = rng.integers(0, 60, 200)
    return pl.DataFrame(
        {"a": count // 20 + rng.random(200), "b": rng.random(200), "c": count % 7, "y": count}
    )


def assert_code_selects_the_same(path, target, *options):
    """The line of code, run in Python, gives the program's columns and scores."""
    document = document_of("select", path, "-t", target, *options)
    code, found = document["code"], document["selection"]
    if not found["selected"]:
        assert code is None
        return None
    selector = eval(code, {"ep": entropick})
    prepared = prepare(read_table(str(path)), target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)
        selection = selector.fit(prepared.X, prepared.y).selection_.to_dict()
    assert selection["selected"] == found["selected"]
    kept = [
        [step["score"] for step in steps if step["kept"]] for steps in (selection["steps"], found["steps"])
    ]
    assert kept[0] == kept[1]
    return code


DRAWING = ("SNEFS", "NEFS", "CrossEntropyFS", "SwarmFS", "BayesianEntropyFS")


@pytest.mark.parametrize(
    ("method", "options"),
    [
        *((method, []) for method in METHODS),
        *((method, ["-n", "2"]) for method in (*DRAWING, "DGUFS", "NHTP")),
    ],
)
def test_the_line_of_code_of_every_method(method, options, tmp_path):
    """It selects the same columns with the same scores, so it has the seed of methods that draw."""
    path = tmp_path / "mixed.csv"
    mixed_table("label").write_csv(path)
    code = assert_code_selects_the_same(path, "label", "-m", method, *options, "--seed", "5")
    assert code is None or method not in DRAWING or "random_state=5" in code


@pytest.mark.parametrize("rule", ["auto", "permutation", "residual", "threshold", "mean_shift", "0.5"])
@pytest.mark.parametrize(
    ("method", "stability"), [("JMI", ["--stability"]), ("FCBF", []), ("MCFS", []), ("SNEFS", [])]
)
def test_the_line_of_code_of_every_rule(method, stability, rule, tmp_path):
    """A rule for the number is kept where the number itself would not select the same columns."""
    path = tmp_path / "mixed.csv"
    mixed_table("label").write_csv(path)
    code = assert_code_selects_the_same(path, "label", "-m", method, "-n", rule, *stability)
    if stability and code is not None:
        shown = rule if rule == "0.5" else f'"{rule}"'
        assert code == f"ep.StabilitySelector(ep.{method}({shown}), random_state=0)"


@pytest.mark.parametrize("kind", ["auto", "class", "real"])
@pytest.mark.parametrize("options", [["-n", 1], [], ["-m", "swarm"], ["--stability"]], ids=str)
def test_the_line_of_code_has_the_type_of_the_target(kind, options, tmp_path):
    """Where the user says it."""
    path = tmp_path / "counts.csv"
    counts_table().write_csv(path)
    code = assert_code_selects_the_same(path, "y", "--target-type", kind, *options)
    assert code is None or (f'target="{kind}"' in code) == (kind != "auto")
    if options == ["-n", 1]:
        assert code == {"auto": "ep.JMI(1)"}.get(kind, f'ep.JMI(1, target="{kind}")')


@pytest.mark.parametrize("method", ["mim", "snefs", "crossentropyfs"])
@pytest.mark.parametrize("kind", ["auto", "class"])
def test_the_line_of_code_of_a_comparison(method, kind, tmp_path):
    """It selects the recommended columns; where none does, there is no such line."""
    path = tmp_path / "counts.csv"
    counts_table().with_columns(pl.col("y") // 10).write_csv(path)
    arguments = ("compare", path, "-t", "y", "-m", method, "-e", "tree", "--target-type", kind)
    advice = document_of(*arguments)["comparison"]["recommendation"]
    assert advice["columns"]
    shown = run(*arguments).stdout
    if method == "crossentropyfs":
        assert advice["code"] is None
        assert "scikit-learn:" not in shown
        return
    assert f"scikit-learn: make_pipeline({advice['code']}, model)" in shown
    prepared = prepare(read_table(str(path)), "y")
    found = eval(advice["code"], {"ep": entropick}).fit(prepared.X, prepared.y)
    assert found.selection_.selected_names == advice["columns"]


def test_select_says_once_that_nothing_was_found(table, tmp_path):
    """As the answer, with the way to columns all the same."""
    path = tmp_path / "noise.csv"
    table.with_columns(pl.col("label").shuffle(seed=1)).write_csv(path)
    result = run("select", path, "-t", "label")
    assert result.output.count("Nothing was found") == 1
    assert "--n-features 10 selects the best ten anyway." in result.stdout


def test_compare_finds_nothing_in_noise(table, tmp_path):
    """With a permuted target it says so."""
    path = tmp_path / "noise.csv"
    table.with_columns(pl.col("label").shuffle(seed=2)).write_csv(path)
    document = document_of("compare", path, "-t", "label", *COMPARE)
    assert document["comparison"]["recommendation"]["sentence"].startswith("Nothing was found")


def test_compare_draws_rows(csv):
    """Scores may come from a part of the rows, which is said."""
    document = document_of("compare", csv, "-t", "label", "--max-rows", 100, *COMPARE)
    assert document["comparison"]["n_scored_rows"] == 100
    assert document["data"]["notes"][-1].startswith("Scores come from a random sample of 100 rows")


def test_compare_real_targets(tmp_path):
    """Regressors for real values."""
    x = np.random.default_rng(0).standard_normal((60, 3))
    path = tmp_path / "real.csv"
    pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": x[:, 0] * 2 + 0.1 * x[:, 2]}).write_csv(path)
    arguments = ["-t", "y", "-m", "mim", "-e", "ridge", "--folds", "3"]
    document = document_of("compare", path, *arguments)
    assert document["comparison"]["scoring"] == "r2"
    assert document["comparison"]["recommendation"]["n_features"] == 1


def test_every_kind_of_column(tmp_path):
    """Times, decimals, categories, booleans, empty and constant columns, and a name with a zero byte."""
    rng = np.random.default_rng(0)
    y, hours = rng.random(60) < 0.5, rng.integers(0, 23, 60)
    start = datetime.datetime(2026, 1, 1)
    table = pl.DataFrame(
        {
            "day": [start.date() + datetime.timedelta(days=int(h)) for h in hours],
            "when": [start + datetime.timedelta(hours=int(h)) for h in hours[::-1]],
            "took": [datetime.timedelta(hours=int(h)) if h else None for h in hours],
            "clock": [datetime.time(int(h)) for h in hours],
            "category": pl.Series(np.where(y, "a", "b"), dtype=pl.Categorical),
            "flag": y ^ (rng.random(60) < 0.3),
            "decimal": [decimal.Decimal(int(h)) / 4 for h in hours],
            "nothing": pl.Series([None] * 60, dtype=pl.Null),
            "constant": [1] * 60,
            "zero\0byte": rng.standard_normal(60),
            "y": y,
        }
    )
    path, out = tmp_path / "kinds.parquet", tmp_path / "out.csv"
    table.write_parquet(path)
    found = document_of("select", path, "-t", "y", "-n", 8)
    assert found["selection"]["selected"][0] == "category"
    assert "Left out: 'nothing', 'constant': one value in every row." in found["data"]["notes"]
    recommended = document_of("compare", path, "-t", "y", *COMPARE)["comparison"]["recommendation"]
    assert recommended["n_features"] == 1
    result = run("select", path, "-t", "y", "-n", 8, "-o", out)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert "Hint: Parquet and Feather" in result.stderr
    assert list(tmp_path.iterdir()) == [path]


# -- reports and files ---------------------------------------------------------------------------


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
    assert json.loads(result.stdout) == rendered[0]
    assert result.stderr.splitlines()[-1] == f"Report: {path}"


def test_the_old_file_stays_when_writing_fails(csv, tmp_path, monkeypatch, rendered):
    """A full disk is the system's fault; the old file is whole and nothing half-written is left."""
    out = tmp_path / "out.csv"
    out.write_text("old")

    def full(frame, file):
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(writing.TABLE_WRITERS, ".csv", full)
    result = run("select", csv, "-t", "label", "--out", out)
    assert result.exit_code == 1
    assert f"Error: '{out}': No space left on device." in result.stderr
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "table.csv"]
    assert interrupt.unfinished == set()


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


# -- what goes wrong -----------------------------------------------------------------------------


NOT_UTF8 = "is not text in utf-8. Hint: --encoding names another one"


def broken_files(directory, table):
    """Files nobody can read, with a part of what is said about each."""
    parquet = directory / "cut.parquet"
    table.write_parquet(parquet)
    parquet.write_bytes(parquet.read_bytes()[:-100])
    contents = {
        "empty.csv": (b"", "is empty"),
        "blank.csv": (b"\n\n\n", "holds no"),
        "header.csv": (b"a,label\n", "holds no rows"),
        "one.csv": (b"label\nyes\nno\n", "no columns to choose from besides the target"),
        "ragged.csv": (b"a,label\n1,yes\n2,no,3,4\n5,no\n", "cannot be read"),
        "latin.csv": ("a,label\né,yes\nb,no\n".encode("latin-1"), "utf-8"),
        "latin header.csv": ("größe,label\n1,yes\n2,no\n".encode("latin-1"), NOT_UTF8),
        "wide header.csv": (f"{'x' * 70_000},größe,label\n1,1,yes\n2,2,no\n".encode("latin-1"), NOT_UTF8),
        "two lines.csv": ('"a\ngröße",label\n1,yes\n2,no\n'.encode("latin-1"), NOT_UTF8),
        "book.xlsx": (b"PK\x03\x04rest", "Excel"),
        "picture.png": (b"\x89PNG\r\n\x1a\n\0\0\0", "JSON lines, Parquet, Arrow, Feather and ARFF."),
        "false.parquet": (b"a,label\n1,yes\n", "not a valid .parquet file"),
        "cut.feather": (b"ARROW1\0\0garbage", "cannot be read"),
        "cut.csv.gz": (gzip.compress(b"a,label\n1,yes\n" * 500)[:40], "cannot be read"),
        "constant.csv": (b"a,label\n1,yes\n2,yes\n", "only one value (yes)"),
        "missing.csv": (b"a,label\n1,\n2,NA\n", "has no value in any row"),
        "header.arff": (b"@relation r\n@attribute label {a,b}\n@data\n", "holds no rows"),
    }
    for name, (content, _) in contents.items():
        (directory / name).write_bytes(content)
    return {**{name: part for name, (_, part) in contents.items()}, "cut.parquet": "cannot be read"}


def test_files_that_cannot_be_used(table, tmp_path):
    """One sentence each, that says what is wrong."""
    for name, part in broken_files(tmp_path, table).items():
        sentence = refused("select", tmp_path / name, "--target", "label")
        assert part in sentence, f"{name}: {sentence}"
        assert "\n" not in sentence


@pytest.mark.parametrize(
    "arguments", [("-t", "label", "-i", "label"), ("-t", "site", "-t", "label", "-i", "noise", "-i", "label")]
)
def test_the_target_cannot_be_ignored(csv, arguments):
    """Both were asked for, so one of them is a mistake."""
    assert refused("select", csv, *arguments) == (
        "--ignore names 'label', which is the target. Hint: leave out this --ignore, or name another --target."
    )
    assert "--ignore names 'target', which is the target" in refused("select", "wine", "-i", "target")


@pytest.mark.parametrize("command", ["select", "compare"])
def test_texts_are_no_real_target(csv, command):
    """One message, with the column and the option."""
    result = run(command, csv, "-t", "label", "--target-type", "real")
    assert result.exit_code == 2
    assert result.output == (
        "Error: The target 'label' holds strings or categories, but --target-type real needs numbers. Hint: "
        "--target-type class makes each value a class.\n"
    )
    several = refused(command, csv, "-t", "label", "-t", "size", "--target-type", "real")
    assert several.startswith("The target 'label' holds strings or categories")


@pytest.mark.parametrize("is_large", [False, True])
def test_headers_of_another_encoding(tmp_path, monkeypatch, is_large):
    """They are read with --encoding and refused without; a replacement sign that is in the file stays."""
    monkeypatch.setattr(reading, "LARGE", 0 if is_large else 1 << 20)
    path = tmp_path / "latin.csv"
    path.write_bytes("größe,label\n1,yes\n2,no\n".encode("latin-1"))
    assert NOT_UTF8 in refused("select", path, "-t", "label")
    assert read_table(str(path), text=TextFormat(encoding="latin-1")).columns == ["größe", "label"]
    path.write_bytes("gr\ufffde,label\n1,yes\n2,no\n".encode())
    assert read_table(str(path)).columns == ["gr\ufffde", "label"]


@pytest.mark.parametrize("command", ["select", "compare"])
def test_no_threads_are_refused_before_anything_is_read(command):
    """By the name of the option."""
    sentence = refused(command, "no such file.csv", "-t", "y", "-j", 0)
    assert (
        sentence == "Invalid value for '--jobs' / '-j': 0 threads; give a number, or -1 for all processors."
    )


def odd_table(name):
    """Tables that the library has something to say about."""
    rng = np.random.default_rng(0)
    n_rows = 4 if name == "few rows" else 60
    frame = pl.DataFrame({"a": rng.random(n_rows), "b": rng.random(n_rows), "y": np.arange(n_rows) % 2})
    if name == "marks":
        return frame.with_columns(pl.Series("y", np.arange(n_rows) % 3 - 1))
    if name == "many classes":
        return frame.with_columns(pl.Series("y", [f"c{k}" for k in np.arange(n_rows) // 2]))
    if name == "many levels":
        levels = pl.Series([f"v{k}" for k in rng.integers(0, 55, 200)])
        return pl.DataFrame({"a": rng.random(200), "t": levels, "y": np.arange(200) % 2})
    if name == "rare class":
        return frame.with_columns(c=pl.col("a") > 0.5, y=pl.Series(np.arange(n_rows) < 3))
    return frame


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("few rows", [], "give a number (--n-features 10) to get"),
        ("few rows", ["-m", "bayesianentropy"], "in Python, n_bins sets fewer levels."),
        ("marks", ["-m", "rrpc"], "Hint: in Python, RRPC(unlabelled=-1) takes these rows as unlabelled."),
        ("rare class", ["-m", "renyi", "-n", "2"], "in Python, RenyiFS(alpha=1) sees more."),
        ("many levels", ["-m", "mim", "-n", "1"], "Hint: leave it out with --ignore, or merge rare levels."),
        ("plain", ["--stability", "-n", "3"], "selections at 1: fits keep 2.0 of 2 columns"),
        ("plain", ["--stability", "-n", "3"], "keep fewer columns, for instance --n-features 1."),
    ],
)
def test_warnings_name_options(name, options, said, tmp_path):
    """Parameters of Python that have no option are said to be such."""
    path = tmp_path / "odd.csv"
    odd_table(name).write_csv(path)
    result = run("select", path, "-t", "y", *options)
    assert said in result.stderr
    assert any(said in text for text in document_of("select", path, "-t", "y", *options)["warnings"])
    assert "n_features" not in result.stderr


def test_warnings_of_compared_methods_name_options(tmp_path):
    """They stand in the document and in the report."""
    path = tmp_path / "odd.csv"
    odd_table("rare class").write_csv(path)
    arguments = ("compare", path, "-t", "y", "-m", "renyi", "-e", "tree", "--folds", "2")
    (method,) = document_of(*arguments)["comparison"]["methods"]
    assert any("in Python, RenyiFS(alpha=1) sees more." in text for text in method["warnings"])


def test_errors_name_options(tmp_path):
    """Those of the library, too; a rule that a method does not have is refused before the file is read."""
    path = tmp_path / "odd.csv"
    odd_table("many classes").write_csv(path)
    said = "Hint: use fewer --folds, or --target-type real if these are numbers."
    assert refused("compare", path, "-t", "y").endswith(said)
    for method in ("CrossEntropyFS", "SwarmFS", "BayesianEntropyFS"):
        assert refused("select", "no such file.csv", "-m", method, "-n", "permutation") == (
            f"--n-features permutation is a rule for methods that go from column to column, but {method} finds "
            "whole subsets. Hint: give a number, a share or 'auto'."
        )


def infinite_rows(separator=",", value="inf", header="a,b,y"):
    """A text whose first infinite value is in its last row: line 27, row 26; an earlier one has no target."""
    rows = [f"{k}.5,{k % 7},{'no' if k % 3 else 'yes'}" for k in range(25)]
    rows[2] = "-inf,1,"
    return "\n".join([header, *rows, f"{value},0,no", ""]).replace(",", separator)


@pytest.mark.parametrize(
    ("name", "text", "place", "options"),
    [
        ("plain.csv", infinite_rows(), "line 27 of the file", []),
        ("plain.csv", infinite_rows(), "line 27 of the file", ["-m", "fisherscore"]),
        ("tabs.tsv", infinite_rows("\t"), "line 27 of the file", []),
        ("crlf.csv", infinite_rows().replace("\n", "\r\n"), "line 27 of the file", []),
        ("blank.csv", "\n\n" + infinite_rows().replace("\n9.5", "\n\n9.5"), "line 30 of the file", []),
        (
            "comment.csv",
            infinite_rows().replace("\n5.5", "\n# x\n5.5"),
            "line 28 of the file",
            ["--comment", "#"],
        ),
        ("quoted.csv", infinite_rows(header='"a\na",b,y'), "line 28 of the file", []),
        ("headless.csv", infinite_rows().removeprefix("a,b,y\n"), "line 26 of the file", ["--no-header"]),
        ("orange.tab", infinite_rows("\t", header="a,b,y\nc,c,d\n,,class"), "line 29 of the file", []),
        ("packed.csv.gz", infinite_rows(), "line 27 of the file", []),
        ("latin.csv", infinite_rows(header="a,é,y"), "line 27 of the file", ["--encoding", "latin-1"]),
    ],
)
def test_an_infinite_value_is_found_in_the_file(name, text, place, options, tmp_path):
    """By its line; rows without a target, comments and what else is no row count too."""
    path = tmp_path / name
    content = text.encode("latin-1")
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    target = "x2" if "--no-header" in options else "y"
    column = {"headless.csv": "x0", "quoted.csv": "a\\na"}.get(name, "a")
    said = refused("select", path, "-t", target, *options)
    assert said == (
        f"Column '{column}' holds an infinite value ({place}: inf); values must be finite or missing. Hint: "
        "clip it, or --missing-values=inf makes it a missing value."
    )
    assert run("select", path, "-t", target, *options, "--missing-values=inf").exit_code == 0


@pytest.mark.parametrize("command", ["select", "compare"])
def test_an_infinite_value_is_found_in_other_tables(command, tmp_path):
    """By its row, among all of those the user gave, the first being 1; what is piped has no lines any more."""
    said = "Column 'a' holds an infinite value (row 26, the first being 1: inf)"
    path = tmp_path / "t.parquet"
    pl.read_csv(infinite_rows().encode()).write_parquet(path)
    assert refused(command, path, "-t", "y").startswith(said)
    assert refused(command, "-", "-t", "y", input=infinite_rows()).startswith(said)
    assert refused("select", path, "-t", "y", "--stability", "-n", "1").startswith(said)
    long = tmp_path / "long.csv"
    long.write_text(infinite_rows().replace("5.5,5,no", f"5.5,5,{'n' * 200_000}"))
    assert refused(command, long, "-t", "y").startswith(said)


def test_an_infinite_target_is_found_in_the_file(tmp_path):
    """It is named, and so is the way to leave out its row."""
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{k % 7},{k}.25\n" for k in range(30)) + "3,-inf\n")
    assert refused("select", path, "-t", "y") == (
        "The target 'y' holds an infinite value (line 32 of the file: -inf). Hint: clip it, or "
        "--missing-values=-inf leaves its row out."
    )
    assert run("select", path, "-t", "y", "--missing-values=-inf").exit_code == 0


def test_damaged_files_leave_stderr_clean(tmp_path):
    """Bytes changed in the middle of a Parquet file: one sentence or a table, and no stack trace of a library."""
    good = tmp_path / "good.parquet"
    pl.DataFrame({"a": range(60), "y": [0, 1] * 30}).write_parquet(good)
    content = good.read_bytes()
    for place in range(len(content) // 2, len(content) - 8, 40):
        bad = tmp_path / f"bad{place}.parquet"
        bad.write_bytes(content[:place] + b"\xff" * 3 + content[place + 3 :])
    code = (
        "import pathlib, sys\nfrom entropick.cli.reading import read_table\nfrom entropick.exceptions import DataError\n"
        f"for path in pathlib.Path({str(tmp_path)!r}).iterdir():\n"
        "    try: read_table(str(path))\n    except DataError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "bad" in done.stdout


def test_files_that_are_not_there(csv, tmp_path, monkeypatch):
    """The nearest names are offered; a directory is no table."""
    assert f"did you mean '{csv}'" in refused("select", tmp_path / "tabel.csv", "-t", "label")
    assert "did you mean 'breast_cancer'" in refused("select", "breast_cancr")
    assert "is a directory" in refused("select", tmp_path, "-t", "label")
    assert "There is no file" in refused("select", "/no/such/place", "-t", "label")
    monkeypatch.setattr(
        "pathlib.Path.open", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied"))
    )
    assert "cannot be read: Permission denied." in refused("select", csv, "-t", "label")


def test_wrong_columns(csv):
    """A wrong target comes with the nearest names, a missing one with the columns there are."""
    assert refused("select", csv, "-t", "Lable").endswith("Hint: did you mean 'label'?")
    assert "--ignore names 'sise'" in refused("select", csv, "-t", "label", "-i", "sise")
    assert "Hint: perhaps 'label'; the columns are 'id', 'size'" in refused("select", csv)
    assert "the first are ['id'" in refused("select", csv, "-t", "qqqqqq")
    everything = [argument for name in ("id", "size", "site", "noise") for argument in ("-i", name)]
    assert "no columns to choose from" in refused("select", csv, "-t", "label", *everything)


def test_columns_of_lists(table, tmp_path):
    """Neither a column nor the target may hold lists."""
    path = tmp_path / "lists.parquet"
    table.with_columns(pl.lit([[1, 2]]).alias("many")).write_parquet(path)
    assert "Column 'many' holds values of type List" in refused("select", path, "-t", "label")
    assert "The target 'many' holds lists" in refused("select", path, "-t", "many")


def test_wrong_options(csv, tmp_path):
    """Wrong names and places are told before any work is done."""
    assert "no method named 'jmmi'" in refused("select", csv, "-t", "label", "-m", "jmmi")
    assert "no method named 'nope'" in refused("compare", csv, "-t", "label", "-m", "jmi,nope")
    assert "no classifier named 'svm'" in refused("compare", csv, "-t", "label", "-e", "svm")
    assert "at least one name" in refused("compare", csv, "-t", "label", "-m", ",")
    assert "the name must end in one of" in refused("select", csv, "-t", "label", "-o", tmp_path / "out.xls")
    assert "there is no directory" in refused("select", csv, "-t", "label", "-o", tmp_path / "no" / "out.csv")
    assert "is a directory" in refused("select", csv, "-t", "label", "--report", tmp_path)
    assert "is the table itself" in refused("select", csv, "-t", "label", "-o", csv)
    assert "No such option" in refused("select", csv, "--nonsense")
    assert "No such command 'selct'" in refused("selct")
    assert "Missing argument" in refused("select")


def test_unexpected_errors_are_one_sentence(csv, monkeypatch):
    """Even a mistake of ours shows no traceback, unless asked for."""

    def fail(*_, **__):
        raise KeyError("oops")

    monkeypatch.setattr("entropick.cli.commands.make_document", fail)
    assert "Internal error (KeyError: 'oops')" in refused("select", csv, "-t", "label", "--json", code=1)
    monkeypatch.setenv("ENTROPICK_DEBUG", "1")
    result = CliRunner().invoke(program, ["select", str(csv), "-t", "label", "--json"])
    assert isinstance(result.exception, KeyError)


def test_memory_errors_are_the_systems_fault(csv, monkeypatch):
    """Too little memory is told in a sentence too."""

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("entropick.cli.commands.read_table", fail)
    assert "Not enough memory" in refused("select", csv, "-t", "label", code=1)


def test_hostile_column_names(tmp_path):
    """Any name is shown as text on one line, kept as it is in the document, and found as a target."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    data = {name: (y ^ (rng.random(40) < 0.2)).astype(int) for name in HOSTILE}
    path, out = tmp_path / "hostile.csv", tmp_path / "out.csv"
    pl.DataFrame(data | {"y": y}).write_csv(path)
    result = run("select", path, "-t", "y", "-n", len(HOSTILE), "-o", out)
    assert result.exit_code == 0, result.output
    table = result.stdout.splitlines()[: 2 + len(HOSTILE)]
    assert table[-1].startswith(str(len(HOSTILE)))
    assert "\u202e" not in result.output
    assert max(map(len, table)) < 120
    document = document_of("select", path, "-t", "y", "-n", len(HOSTILE))
    assert set(document["selection"]["selected"]) == set(HOSTILE)
    assert set(read_table(str(out)).frame.columns) == {*HOSTILE, "y"}
    assert document_of("select", path, "-t", "two\nlines")["data"]["target"]["name"] == "two\nlines"


# -- the screen ----------------------------------------------------------------------------------


def test_one_line():
    """Control signs, escapes and line breaks are written out; long texts are cut."""
    assert one_line("a\nb\x1b[31m") == "a\\nb\\x1b[31m"
    assert one_line("x" * 30, 10) == "x" * 9 + "…"
    assert one_line("é 😀") == "é 😀"


def test_tables_on_a_terminal(monkeypatch, capsys):
    """Drawn by rich, names never read as markup, no colour where NO_COLOR is set."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    Screen().table(("name", "score"), [("[red]x[/red]", "1.0")], numeric=(1,))
    shown = capsys.readouterr().out
    assert "[red]x[/red]" in shown
    assert "─" in shown
    assert "\x1b[3" not in shown


def test_progress_only_for_people(monkeypatch, capsys):
    """A bar where stderr is a terminal, nothing elsewhere."""
    with Screen().progress() as move:
        assert move is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Screen(quiet=True).progress() as move:
        assert move is None
    with Screen().progress() as move:
        move("[b]half[/b]", 1, 2)
    assert "[b]half[/b]" in capsys.readouterr().err


def test_progress_names_columns(csv, monkeypatch):
    """The bar hears the columns picked."""
    heard = []

    class Listening(Screen):
        from contextlib import contextmanager

        @contextmanager
        def progress(self):
            yield lambda *event: heard.append(event)

    monkeypatch.setattr("entropick.cli.commands.Screen", Listening)
    run("select", csv, "-t", "label", "-n", 2)
    assert [event[1:] for event in heard] == [(1, 2), (2, 2)]
    assert {event[0] for event in heard} == {"size", "site"}


def profiles_of(tmp_path, table, *options):
    path = tmp_path / "profiled.parquet"
    table.write_parquet(path)
    return document_of("select", path, "-t", "y", *options)["profiles"]


def test_profiles_by_hand(tmp_path):
    """Rows and classes of each level, missing values last, and who says the same."""
    label = np.arange(60) % 2
    level = np.array(["low", "high", None] * 20)
    table = pl.DataFrame(
        {
            "y": np.where(label, "yes", "no"),
            "level": level,
            "again": pl.Series(level).replace({"low": "l", "high": "h"}),
            "noise": np.arange(60) // 3 % 4,
        }
    )
    found = profiles_of(tmp_path, table, "-m", "mim", "-n", 1, "--ignore", "noise")
    assert found["classes"] == ["no", "yes"]
    assert found["mean"] is None
    (column,) = found["columns"]
    expected = {
        name: np.mean(label[[value == key for value in level]])
        for name, key in {"low": "low", "high": "high", "missing": None}.items()
    }
    assert {entry["label"]: entry["shares"][1] for entry in column["levels"]} == pytest.approx(expected)
    assert [entry["n_rows"] for entry in column["levels"]] == [20, 20, 20]
    assert column["levels"][-1]["label"] == "missing"
    assert column["stand_ins"] == [{"name": "again", "shared": 1.0}]


def test_profiles_of_a_real_target(tmp_path):
    """Means instead of classes; of many levels the rarest are joined, and every row is in one."""
    rng = np.random.default_rng(0)
    place = np.concatenate([np.arange(40), rng.integers(0, 10, 360)])
    table = pl.DataFrame(
        {"y": place + rng.random(400), "place": [f"p{k:02}" for k in place], "x": rng.random(400)}
    )
    found = profiles_of(tmp_path, table, "-m", "mim", "-n", 1)
    levels = found["columns"][0]["levels"]
    assert found["mean"] == pytest.approx(table["y"].mean())
    assert len(levels) == 12
    assert levels[-1]["label"] == "29 others"
    assert sum(level["n_rows"] for level in levels) == 400
    assert levels[0]["mean"] == pytest.approx(table.filter(pl.col("place") == "p00")["y"].mean())


@pytest.mark.parametrize("command", ["select", "compare"])
def test_leaks_are_said(command, tmp_path, table):
    """A column that determines the target alone is too good to be true; one with two values per class is."""
    path = tmp_path / "leak.csv"
    table.with_columns(refund=pl.col("label").replace({"no": "0", "yes": "1"})).write_csv(path)
    few = () if command == "select" else ("-m", "jmi", "-e", "tree", "--folds", 2)
    result = run(command, path, "-t", "label", *few)
    assert "Warning: Column 'refund' alone determines the target" in result.stderr
    assert result.stderr.count("alone determines") == 1
    table.write_csv(path)
    assert "alone determines" not in run(command, path, "-t", "label", *few).stderr


def test_leaks_of_real_targets(tmp_path):
    """A column in the order of the target is one."""
    y = np.random.default_rng(0).standard_normal(100)
    path = tmp_path / "leak.csv"
    pl.DataFrame({"y": y, "same": np.exp(y), "near": y + 0.3 * np.sin(50 * y)}).write_csv(path)
    result = run("select", path, "-t", "y", "-n", 2, "--keep-ids")
    assert "'same' alone determines" in result.stderr
    assert "'near'" not in result.stderr


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


def test_redundancy_by_hand():
    """A copy is fully redundant, an independent column not at all, a constant only with itself."""
    codes = [np.array(column, np.uint8) for column in ([0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [0] * 4)]
    expected = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert redundancy(codes, [2, 2, 2, 1]).tolist() == expected


def test_redundancy_of_many_levels():
    """Columns of very many levels, whose combinations do not fit the type of the codes."""
    codes = [np.arange(50_000, dtype=np.uint16), np.arange(50_000, dtype=np.uint16)[::-1]]
    assert redundancy(codes, [50_000, 50_000]).tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("method", ["XMIFS", "JMI"])
def test_redundancy_is_of_the_levels_the_method_saw(method, tmp_path):
    """XMIFS cuts numbers into two levels, JMI into seven, and the map says how much these levels share."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 400))
    path = tmp_path / "t.csv"
    frame = pl.DataFrame({"a": x, "b": x + y, "y": (x > 0).astype(int)})
    frame.write_csv(path)
    n_bins = {"XMIFS": 2, "JMI": 7}[method]  # of 400 rows
    a, b = (naive.quantile_levels(frame[name].to_list(), n_bins) for name in ("a", "b"))
    share = naive.mutual_information(a, b) / min(naive.entropy(a), naive.entropy(b))
    shown = document_of("select", path, "-t", "y", "-m", method, "-n", 2)["redundancy"]
    assert shown["values"][0][1] == pytest.approx(share, abs=1e-6)


# -- as a process --------------------------------------------------------------------------------


def start(*arguments, **options):
    command = [sys.executable, "-m", "entropick.cli", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_exit_codes_of_the_process(csv):
    """0 and 2, with nothing on stdout where something is wrong."""
    process = start("select", csv, "-t", "label", "-q")
    stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stderr) == (0, "")
    assert stdout.startswith("JMI selects 3 of 3 columns")
    process = start("select", csv, "-t", "lable")
    stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stdout) == (2, "")
    assert stderr.count("\n") == 1


def test_help_is_light():
    """Help and version load none of the libraries that take long."""
    code = (
        "import sys\nfrom entropick.cli.program import program\n"
        "try: program(['select', '--help'])\nexcept SystemExit as end: assert end.code == 0\n"
        "heavy = ['numpy', 'sklearn', 'numba', 'polars', 'rich', 'jinja2', 'scipy']\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "--target" in done.stdout


def run_python(code):
    """Run code in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize("where", ["in Python", "in compiled code"])
def test_ctrl_c_ends_at_once(where, tmp_path):
    """Exit code 130 and no half-written file, even where compiled code does not listen."""
    busy = "time.sleep(60)" if where == "in Python" else "hashlib.pbkdf2_hmac('sha256', b'x', b'y', 10**9)"
    code = (
        "import hashlib, time\n"
        "from entropick.cli.program import program\n"
        "@program.command()\ndef wait():\n"
        "    from entropick.cli.writing import write_whole\n"
        "    def write(file):\n"
        "        file.write(b'half'); file.flush(); print('ready', flush=True)\n"
        f"        {busy}\n"
        f"    write_whole({str(tmp_path / 'out.csv')!r}, write)\n"
        "program(['wait'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)  # the work itself would take a minute or more
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_ends_a_comparison():
    """The whole program, threads and all."""
    process = start("compare", "breast_cancer")
    process.stderr.readline()  # the table is read
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, "")
    assert stderr.endswith("Interrupted.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_after_the_end_changes_nothing():
    """While Python itself ends, when everything is done, the exit code stays."""
    code = (
        "import atexit, os, signal, sys\n"
        "atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
        "sys.argv[1:] = ['--version']\n"
        "from entropick.cli import main\nmain()"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_that_a_library_turns_into_an_error():
    """The exit code is 130 all the same, with no word of an error."""
    code = (
        "import os, signal, time\nfrom entropick.cli.program import program\n"
        "@program.command()\ndef fail():\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGINT); time.sleep(10)\n"
        "    except KeyboardInterrupt: time.sleep(0.1); raise ImportError('half loaded') from None\n"
        "program(['fail'])"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_while_modules_load():
    """The exit code is 130 then, too, not that of a process ended by a signal."""
    code = (
        "import os, signal, sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'entropick.cli.program': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Press())\n"
        "sys.argv[1:] = ['--version']\n"
        "from entropick.cli import main\nmain()"
    )
    done = run_python(code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_missing_extra_is_said():
    """Without click there is one friendly sentence."""
    code = (
        "import sys\nsys.modules['click'] = None\nfrom entropick.cli import main\n"
        "class Gone:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': raise ModuleNotFoundError(\"No module named 'click'\", name='click')\n"
        "del sys.modules['click']\nsys.meta_path.insert(0, Gone())\nmain()"
    )
    done = run_python(code)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "Error: The command line needs click, which is not installed. Hint: pip install"
    )
    assert done.stdout == ""


@pytest.mark.parametrize("method", METHODS)
def test_every_method_by_name(method):
    """Each selects from a small table, with a document that goes through JSON."""
    document = document_of("select", "iris", "--method", method.lower(), "-n", 2)
    assert document["method"] == method
    assert len(document["selection"]["selected"]) == 2


@pytest.mark.parametrize("method", ["BayesianEntropyFS", "CrossEntropyFS", "SwarmFS"])
def test_searches_over_subsets_choose_the_number(method):
    """Without a number their own rule decides, and what they explored is in the document."""
    document = document_of("select", "corral", "-m", method)
    assert document["selection"]["exploration"]["history"]
    assert document["selection"]["selected"]


def two_targets(tmp_path, n_rows=300):
    """A column for each of two targets and one of noise; the first rows lack a target."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, n_rows), rng.choice(["red", "blue"], n_rows)
    wrong = rng.random((2, n_rows)) < 0.1
    table = pl.DataFrame(
        {"u": a ^ wrong[0], "v": (b == "red") ^ wrong[1], "noise": rng.integers(0, 3, n_rows), "a": a, "b": b}
    )
    table = table.with_columns(a=pl.when(pl.int_range(n_rows) < 5).then(None).otherwise("a"))
    path = tmp_path / "two.parquet"
    table.write_parquet(path)
    return path, table[5:]


@pytest.mark.parametrize("is_large", [False, True])
def test_several_targets_are_taken_jointly(tmp_path, monkeypatch, is_large):
    """The same columns and scores as the library finds for a target of two columns; both are written."""
    monkeypatch.setattr("entropick.cli.reading.LARGE", 0 if is_large else 1 << 30)
    path, table = two_targets(tmp_path)
    out = tmp_path / "out.csv"
    chosen = ["-t", "a", "-t", "b", "-n", "2"]
    document = json.loads(run("select", str(path), *chosen, "--out", str(out), "--json").stdout)
    expected = entropick.JMI(2).fit(table[["u", "v", "noise"]], table[["a", "b"]]).selection_
    assert document["selection"]["selected"] == expected.selected_names == ["u", "v"]
    assert document["data"]["target"]["name"] == "a and b"
    assert document["data"]["target"]["n_classes"] == 4
    counts = Counter(zip(table["a"], table["b"], strict=True))
    assert dict(document["data"]["target"]["classes"]) == {f"a={a}, b={b}": n for (a, b), n in counts.items()}
    assert [step["score"] for step in document["selection"]["steps"][:2]] == [
        pytest.approx(step.score) for step in expected.steps[:2]
    ]
    assert "5 rows without a target left out." in document["data"]["notes"]
    assert pl.read_csv(out).columns == ["u", "v", "a", "b"]


def test_several_targets_that_cannot_be(tmp_path):
    """One sentence each."""
    path, table = two_targets(tmp_path)
    table.with_columns(a=table["a"] + np.random.default_rng(0).random(len(table))).write_parquet(path)
    for arguments, sentence in [
        (["-t", "a", "-t", "b"], "taken jointly, as classes, but 'a' holds real values. Hint: name a single"),
        (["-t", "b", "-t", "c"], "--target names 'c', which is not one of the 5 columns"),
        (["-t", "b", "-t", "u", "--cluster", "local"], "--cluster takes a single target"),
    ]:
        result = run("select", str(path), *arguments)
        assert result.exit_code == 2
        assert sentence in result.stderr
    assert run("select", str(path), "-t", "b", "-t", "b", "-n", "1").exit_code == 0

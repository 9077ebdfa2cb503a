"""Errors: one sentence and an exit code."""

import gzip
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from entropick.cli.program import program
from entropick.files import room
from entropick.files.layout import TextFormat
from entropick.files.reading import read_table
from program_runs import NOT_UTF8, broken_files, document_of, refused, run

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


def test_files_that_cannot_be_used(table, tmp_path):
    """One sentence each that says what is wrong."""
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
    monkeypatch.setattr(room, "LARGE", 0 if is_large else 1 << 20)
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
        ("few rows", ["-m", "bayesianentropy"], "use fewer levels (--n-bins)."),
        ("marks", ["-m", "rrpc"], "Hint: in Python, RRPC(unlabelled=-1) takes these rows as unlabelled;"),
        ("rare class", ["-m", "renyi", "-n", "2"], "in Python, RenyiFS(alpha=1) sees more."),
        (
            "many levels",
            ["-m", "mim", "-n", "1"],
            "Hint: leave it out with --ignore, merge rare levels, or use --correction adjusted where the "
            "method has it.",
        ),
        ("plain", ["--stability", "-n", "3"], "selections at 1: fits keep 2.0 of 2 columns"),
        (
            "plain",
            ["--stability", "-n", "3"],
            "for instance --n-features 1, or raise max_false of StabilitySelector in Python.",
        ),
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
    """They are in the document and in the report."""
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
        "import pathlib, sys\nfrom entropick.files.reading import read_table\nfrom entropick.exceptions import DataError\n"
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
    assert "the columns are 'id', 'size'" in refused("select", csv, "-t", "qqqqqq")
    everything = [argument for name in ("id", "size", "site", "noise") for argument in ("-i", name)]
    assert "no columns to choose from" in refused("select", csv, "-t", "label", *everything)


def test_columns_of_lists(table, tmp_path):
    """Neither a column nor the target may hold lists."""
    path = tmp_path / "lists.parquet"
    table.with_columns(pl.lit([[1, 2]]).alias("many")).write_parquet(path)
    assert "Column 'many' holds values of type List" in refused("select", path, "-t", "label")
    assert "The target 'many' holds lists" in refused("select", path, "-t", "many")


def test_wrong_options(csv, tmp_path):
    """Wrong names and paths are reported before any work is done."""
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
    """Too little memory is reported in one sentence."""

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

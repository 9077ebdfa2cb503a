"""Runs of the program inside the process of the tests, a table and its file."""

import datetime
import gzip
import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from entropick.cli.program import program

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


# -- as a process --------------------------------------------------------------------------------


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

"""Profiles of columns, leaks and redundancy in the document."""

import sys

import numpy as np
import polars as pl
import pytest

import naive
from entropick.table.encoding import encoding, target
from program_runs import document_of, run


def profiles_of(tmp_path, table, *options):
    path = tmp_path / "profiled.parquet"
    table.write_parquet(path)
    return document_of("select", path, "-t", "y", *options)["profiles"]


def test_profiles_by_hand(tmp_path):
    """Rows and classes of each level, missing values last, and redundant columns."""
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
    """A column that copies the target, or determines it alone, is too good to be true."""
    path = tmp_path / "leak.csv"
    table.with_columns(refund=pl.col("label").replace({"no": "0", "yes": "1"})).write_csv(path)
    few = () if command == "select" else ("-m", "jmi", "-e", "tree", "--folds", 2)
    result = run(command, path, "-t", "label", *few)
    said = "copies the target" if command == "select" else "alone determines the target"
    assert f"Warning: Column 'refund' {said}. Hint: leave it out with --ignore" in result.stderr
    assert result.stderr.count("Warning: ") == 1
    if command == "select":
        assert "'refund' copies the target, so what follows says nothing" in result.stdout
    table.with_columns(refund=pl.col("label").replace({"no": "0", "yes": "1"}) + pl.col("site")).write_csv(
        path
    )
    assert "'refund' alone determines the target" in run(command, path, "-t", "label", *few).stderr
    table.write_csv(path)
    assert "the target. Hint" not in run(command, path, "-t", "label", *few).stderr


def test_columns_that_nearly_tell_the_classes_apart_are_said(tmp_path):
    """A number whose threshold is the target, and a text that is there for one class alone but for a few rows."""
    rng = np.random.default_rng(0)
    hours = rng.exponential(5, 400)
    is_late = hours > 6.1
    days = [f"2026-03-{1 + i % 28:02d}" if late and i > 8 else None for i, late in enumerate(is_late)]
    blurred = is_late + rng.normal(0, 0.5, 400)
    path = tmp_path / "leak.csv"
    columns = {"hours": hours, "refunded": days, "blurred": blurred, "late": np.where(is_late, "yes", "no")}
    pl.DataFrame(columns).write_csv(path)
    result = run("select", path, "-t", "late", "-n", 3)
    for name in ("hours", "refunded"):
        assert (
            f"'{name}' alone predicts the target almost without errors. Hint: leave it out" in result.stderr
        )
    assert "'blurred'" not in result.stderr


def test_leaks_of_real_targets(tmp_path):
    """A column in the order of the target is one."""
    y = np.random.default_rng(0).standard_normal(100)
    path = tmp_path / "leak.csv"
    pl.DataFrame({"y": y, "same": np.exp(y), "near": y + 0.3 * np.sin(50 * y)}).write_csv(path)
    result = run("select", path, "-t", "y", "-n", 2, "--keep-ids")
    assert "'same' copies the target" in result.stderr
    assert "'near'" not in result.stderr


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


@pytest.fixture
def encodings(monkeypatch):
    """How often each column of X, and the target, is encoded."""
    found = {"X": [], "y": 0}
    take_numbers, take_category = encoding.CodesView.take_numbers, encoding.CodesView.take_category
    encode_target = target.encode_target

    def numbers(view, columns, values):
        found["X"] += [view._source.names[j] for j in columns]
        take_numbers(view, columns, values)

    def category(view, j, *rest):
        found["X"].append(view._source.names[j])
        take_category(view, j, *rest)

    def classes(*given, **options):
        found["y"] += 1
        return encode_target(*given, **options)

    monkeypatch.setattr(encoding.CodesView, "take_numbers", numbers)
    monkeypatch.setattr(encoding.CodesView, "take_category", category)
    for module in [module for name, module in sys.modules.items() if name.startswith("entropick.")]:
        if vars(module).get("encode_target") is encode_target:
            monkeypatch.setattr(module, "encode_target", classes)
    return found


@pytest.mark.parametrize(
    ("method", "real", "lazy"), [("jmi", 0, 0), ("jmi", 1, 0), ("mim", 0, 1), ("fisher_score", 0, 0)]
)
def test_nothing_is_encoded_twice(method, real, lazy, encodings, tmp_path, monkeypatch):
    """The report, its cards and its map, and the search for leaks use the table of the fit.

    A method that works on numbers encodes no columns; the levels for the report are made once, then.
    """
    if lazy:
        monkeypatch.setattr("entropick.files.room.LARGE", 0)
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 500))
    table = pl.DataFrame({"y": x + y if real else (x + y > 0).astype(int), "a": x, "copy": -x, "b": y})
    table = table.with_columns(text=pl.Series(np.where(x > 1, "high", "low")), noise=rng.random(500))
    path, report = tmp_path / "t.parquet", tmp_path / "r.html"
    table.write_parquet(path)
    kind = "real" if real else "class"
    result = run("select", path, "-t", "y", "-m", method, "-n", 2, "--target-type", kind, "--report", report)
    assert result.exit_code == 0, result.output
    assert sorted(encodings["X"]) == sorted(set(table.columns) - {"y"})
    assert encodings["y"] == 1
    assert ("could stand in" in report.read_text(encoding="utf-8")) == (method == "jmi")

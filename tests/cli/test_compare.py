"""`entropick compare`: recommendations, drawn rows, every kind of column."""

import datetime
import decimal
import json

import numpy as np
import polars as pl

from program_runs import COMPARE, document_of, run


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
        f"scikit-learn: make_pipeline(ep.{found['method']}({found['n_features']}), SimpleImputer(), model)",
    ]
    assert document["redundancy"]["names"][0] == document["comparison"]["consensus"][0]["name"]


def test_select_says_once_that_nothing_was_found(table, tmp_path):
    """The answer says so, and how to get columns all the same."""
    path = tmp_path / "noise.csv"
    table.with_columns(pl.col("label").shuffle(seed=1)).write_csv(path)
    result = run("select", path, "-t", "label")
    assert result.output.count("too few rows to tell") + result.output.count("Nothing was found") == 1
    assert "--n-features 10 selects the best ten anyway." in result.stdout


def test_compare_finds_nothing_in_noise(table, tmp_path):
    """With a permuted target it says so."""
    path = tmp_path / "noise.csv"
    table.with_columns(pl.col("label").shuffle(seed=2)).write_csv(path)
    document = document_of("compare", path, "-t", "label", *COMPARE)
    assert document["comparison"]["recommendation"]["sentence"].startswith("Nothing was found")


def test_compare_draws_rows(csv):
    """Scores may come from a sample of the rows, and the output says so."""
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
    assert "Left out 'nothing', 'constant': one value in every row." in found["data"]["notes"]
    recommended = document_of("compare", path, "-t", "y", *COMPARE)["comparison"]["recommendation"]
    assert recommended["n_features"] == 1
    result = run("select", path, "-t", "y", "-n", 8, "-o", out)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr
    assert "Hint: Parquet and Feather" in result.stderr
    assert list(tmp_path.iterdir()) == [path]

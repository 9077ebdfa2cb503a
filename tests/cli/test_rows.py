"""Rows that belong together, and rows in the order of time, in the program."""

import json

import numpy as np
import polars as pl
import pytest

import entropick as ep
from program_runs import document_of, refused, run


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    """Visits of patients in any order: one column tells who is ill, the others only who it is."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 5)
    ill = rng.permutation(np.arange(40) % 2)[patient]
    X = rng.normal(size=(40, 5))[patient] + 0.5 * rng.normal(size=(200, 5))
    X[:, 2] += 2 * ill
    columns = {f"c{j}": X[:, j] for j in range(5)}
    day = rng.permutation(200)
    frame = pl.DataFrame({**columns, "patient": [f"p{p}" for p in patient], "day": day, "ill": ill})
    path = tmp_path_factory.mktemp("visits") / "visits.csv"
    frame.with_columns(pl.when(pl.col("day") > 0).then(pl.col("ill")).alias("ill")).write_csv(path)
    return path


def test_groups_are_those_of_the_library(visits):
    """The column is no candidate; rows without a target are left out of the groups as well."""
    found = document_of("select", visits, "-t", "ill", "--groups", "patient", "-i", "day")["selection"]
    frame = pl.read_csv(visits).drop_nulls()
    X, y = frame.drop("patient", "day", "ill"), frame["ill"]
    expected = ep.JMI("auto", random_state=0).fit(X, y, groups=frame["patient"])
    assert found["selected"] == expected.selection_.selected_names
    assert found["evidence"]["n_groups"] == 40
    assert found["names"] == [f"c{j}" for j in range(5)]


def test_later_rows_are_predicted_from_earlier_ones(visits):
    found = document_of("select", visits, "-t", "ill", "--time", "day", "-i", "patient")["selection"]
    assert found["evidence"]["is_ordered"]
    assert found["selected"][0] == "c2"
    assert "rows predicted from earlier ones of 199" in found["reason"]
    for rule in (["-n", "permutation"], ["--stability"]):
        kept = document_of("select", visits, "-t", "ill", "--time", "day", "-i", "patient", *rule)[
            "selection"
        ]
        assert kept["selected"][0] == "c2"


def test_without_groups_the_program_warns(visits):
    result = run("select", visits, "-t", "ill", "-i", "day")
    assert "Rows with the same 'patient' have the same target." in result.stderr
    assert "--groups" in result.stderr


def test_columns_that_name_groups_are_said(visits):
    """A cut without held-out rows takes such a column for an answer, so the program says what it is."""
    said = "Column 'patient' names rows that share the target. Hint: leave it out with --ignore"
    result = run("select", visits, "-t", "ill", "-i", "day", "-n", "fdr", "--json")
    assert said in result.stderr
    assert [text for text in json.loads(result.stdout)["warnings"] if said in text]
    assert said not in run("select", visits, "-t", "ill", "-i", "day", "-i", "patient", "-n", "fdr").stderr


def test_compare_takes_groups(visits):
    options = ("-m", "mim", "-e", "bayes", "-i", "day")
    found = document_of("compare", visits, "-t", "ill", "--groups", "patient", *options)["comparison"]
    assert found["recommendation"]["columns"][0] == "c2"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--groups", "pateint"), "did you mean 'patient'"),
        (("--groups", "ill"), "--groups names 'ill', which is the target"),
        (("--groups", "patient", "--time", "day"), "cannot be combined"),
        (("--time", "patient"), "neither numbers nor times"),
        (("--time", "day", "-n", "fdr"), "--n-features fdr does not know of the order of time"),
    ],
)
def test_refusals(visits, options, message):
    assert message in refused("select", visits, "-t", "ill", *options)

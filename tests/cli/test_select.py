"""`entropick select`: results on stdout, messages on stderr, the same as from the library."""

import cProfile
import datetime
import json
import warnings
from collections import Counter

import numpy as np
import polars as pl
import pytest

import entropick
from entropick.cli.prepare import prepare
from entropick.exceptions import SelectionWarning
from entropick.files.reading import Loaded
from entropick.selectors.catalog import METHODS, set_known_params
from entropick.table.notes import find_notes
from program_runs import N_ROWS, document_of, mixed_table, refused, run


def test_select_shows_the_columns(csv):
    """The table is on stdout, what was noticed on stderr."""
    result = run("select", csv, "--target", "label", "--n-features", 2)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "JMI selects 2 of 3 columns from 300 rows."
    assert {line.split()[1] for line in lines[2:4]} == {"size", "site"}
    (columns,) = [line for line in lines if line.startswith("Columns: ")]
    assert json.loads(columns.removeprefix("Columns: ")) == [line.split()[1] for line in lines[2:4]]
    assert "scikit-learn: make_pipeline(ep.JMI(2), SimpleImputer(), model)" in lines
    assert "\x1b" not in result.output
    assert "has 2 classes" in result.stderr
    assert "Left out 'id': looks like an identifier (--keep-ids keeps such columns)." in result.stderr
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
    assert result.stdout.splitlines()[1].split() == [
        "column",
        "adds,",
        "bits",
        "explained",
        "residual",
        "p",
    ]


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


@pytest.mark.every_method
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
    assert find_notes(frame)[-1].sentence == "Column 'twice' duplicates 'rare'."


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
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if is_large else 1 << 30)
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


@pytest.mark.parametrize("rule", ["permutation", "fdr", "knockoffs"])
def test_nothing_found_is_said(rule, tmp_path):
    """Also by rules that give no reason."""
    rng = np.random.default_rng(1)
    path = tmp_path / "noise.csv"
    rows = [",".join(map(str, [*row, i % 2])) for i, row in enumerate(rng.normal(size=(120, 3)).round(3))]
    path.write_text("\n".join(["a,b,c,y", *rows]))
    result = run("select", path, "-t", "y", "-n", rule)
    assert result.exit_code == 0
    assert "Nothing was found" in result.stdout

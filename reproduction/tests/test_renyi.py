"""The experiments on min-entropy: protocol, cells, verdicts."""

import json

import numpy as np
import pytest

from reproduction import renyi
from reproduction.data import Data, Dataset
from reproduction.protocol import FAILS, HOLDS, UNCHECKED, UNDECIDED, Record, Results
from reproduction.renyi import protocol
from reproduction.renyi.findings import curves
from reproduction.renyi.protocol import LEVELS, MIN_ENTROPY, SHANNON

EXPERIMENT = renyi.EXPERIMENT
NOTHING = Results([], 0)


@pytest.mark.parametrize("quick", [False, True])
def test_cells_have_their_own_keys_and_settings_that_json_can_hold(quick):
    cells = list(EXPERIMENT.cells(quick))
    assert len({cell.key for cell in cells}) == len(cells)
    assert {cell.dataset for cell in cells} - {None} == set(LEVELS)
    for cell in cells:
        assert json.loads(json.dumps(dict(cell.settings))) == dict(cell.settings)


def test_repeats_come_one_after_the_other_so_that_a_part_is_balanced():
    for part in ("accuracy", "fixed svm"):
        cells = [cell.settings for cell in EXPERIMENT.cells(False) if cell.settings["part"] == part]
        repeats = [settings["repeat"] for settings in cells]
        assert repeats == sorted(repeats)


def test_a_cell_selects_and_tests_on_rows_of_its_own():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    X = np.column_stack([rng.integers(0, 2, (120, 3)), y, rng.integers(0, 5, (120, 2))]).astype(float)
    dataset = Dataset("small", X, y, np.zeros(6, bool))
    settings = {
        "levels": "capped at 3", "order": "inf", "repeat": 0, "test_share": 0.3, "rows": None, "sizes": [1, 2],
        "svm": protocol.QUICK["svm"], "mlp": {**protocol.WHOLE["mlp"], "max_iter": 5, "batch_size": 16},
    }  # fmt: skip
    found = protocol.accuracies(dataset, settings)
    assert found["columns"][0] == 3
    assert found["exhausted"] == 1
    assert found["svm"] == [1.0, 1.0]
    assert len(found["mlp"]) == 2


def test_levels():
    X = np.array([[0.0, 2.0, 7.0, 450.0]])
    assert protocol.with_levels(X, "capped at 3").tolist() == [[0, 2, 3, 3]]
    assert protocol.with_levels(X, "present or not").tolist() == [[0, 1, 1, 1]]
    assert protocol.with_levels(X, "five bins").tolist() == [[0, 0, 0, 2]]
    assert protocol.with_levels(X, "as they are").tolist() == X.tolist()


def test_exact_claims_hold():
    cell = next(iter(EXPERIMENT.cells(True)))
    record = Record(cell.key, cell.settings, EXPERIMENT.run(cell, Data()), 0.0)
    verdicts = [claim.verdict for claim in EXPERIMENT.claims(Results([record], 1))]
    assert verdicts[:3] == [HOLDS] * 3
    assert set(verdicts[3:]) == {UNCHECKED}


def test_picks_have_the_lowest_risk(folder_with):
    cell = next(cell for cell in EXPERIMENT.cells(True) if cell.settings["part"] == "picks")
    cell = type(cell)(cell.key, {**cell.settings, "picks": 3}, cell.dataset)
    found = EXPERIMENT.run(cell, Data(folder_with("semeion"), openml=False))
    assert found["risk"] == found["lowest"]


def test_naive_risk_counts_what_the_best_rule_gets_wrong():
    y = np.array([0, 0, 1, 1, 1])
    assert protocol.naive_bayes_risk([(), (), (), (), ()], np.array([0, 0, 0, 1, 1]), y) == pytest.approx(0.2)


# -- verdicts --------------------------------------------------------------------------------


def made_results(lead, n_splits=5, data=("basehock", "semeion"), exhausted=None):
    """Curves of both entropies, min-entropy ahead by so much, with a little noise."""
    rng = np.random.default_rng(0)
    records = []
    for name in data:
        for repeat in range(n_splits):
            for order in (SHANNON, MIN_ENTROPY):
                gain = lead if order == MIN_ENTROPY else 0.0
                curve = (np.array([0.7, 0.8, 0.85]) + gain + rng.normal(0, 0.002, 3)).tolist()
                settings = {"part": "accuracy", "data": name, "levels": LEVELS[name], "order": order,
                            "repeat": repeat, "sizes": [5, 10, 20]}  # fmt: skip
                result = {"svm": curve, "mlp": curve, "columns": list(range(20)), "exhausted": exhausted}
                records.append(Record(f"{name}/{order}/{repeat}", settings, result, 1.0))
    return Results(records, len(records))


def verdict(results, where):
    return next(claim for claim in EXPERIMENT.claims(results) if claim.where == where)


def test_nothing_can_be_checked_without_results():
    claims = EXPERIMENT.claims(NOTHING)
    assert {claim.verdict for claim in claims} == {UNCHECKED}
    assert all(claim.why for claim in claims)
    assert EXPERIMENT.sections(NOTHING) == []


def test_missing_data_say_why():
    claim = verdict(Results([], 0, {"gisette": "no such file"}), "Fig. 6, SVM")
    assert (claim.verdict, claim.why) == (UNCHECKED, "no such file")


@pytest.mark.parametrize(("lead", "expected"), [(0.05, HOLDS), (0.0, UNDECIDED), (-0.05, FAILS)])
def test_a_lead_holds_or_fails(lead, expected):
    results = made_results(lead)
    assert verdict(results, "Fig. 5, SVM").verdict == expected
    assert verdict(results, "Fig. 7, ANN").verdict == expected


def test_a_failure_is_explained():
    why = verdict(made_results(-0.05, exhausted=12), "Fig. 7, SVM").why
    assert "neither numbers nor errors" in why
    assert "after 12 to 12 picks" in why


def test_later_sizes_take_the_place_of_those_before():
    results = made_results(0.0)
    [first, *_] = results.where(part="accuracy", data="semeion", order=SHANNON)
    later = {**first.settings, "part": "later", "sizes": [20]}
    record = Record("later", later, {"svm": [0.95], "columns": [7]}, 1.0)
    found = curves(Results([*results, record], 100), "semeion", LEVELS["semeion"], SHANNON, "svm")
    assert found[0].tolist() == [*first.result["svm"][:2], 0.95]
    assert found[1][2] < 0.9


def test_one_split_is_not_enough():
    assert verdict(made_results(0.05, n_splits=1), "Fig. 5, SVM").verdict == UNCHECKED


def test_sections_show_numbers_and_draw():
    matplotlib_figure = pytest.importorskip("matplotlib.figure")
    sections = EXPERIMENT.sections(made_results(0.05))
    assert [section.title for section in sections][:2] == ["Figure 5: BASEHOCK", "Figure 7: SEMEION"]
    assert "min-entropy" in sections[0].text
    for figure in sections[0].figures:
        page = matplotlib_figure.Figure()
        figure.draw(page)
        assert len(page.axes) == 2

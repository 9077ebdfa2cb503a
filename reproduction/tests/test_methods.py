"""The benchmark of all methods: its protocol, one cell, and verdicts from made-up results."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

import entropick as ep
from reproduction.data import Data
from reproduction.methods import EXPERIMENT, guide, statistics
from reproduction.methods.evidence import COMPARED, EVERYWHERE, Evidence, choose_default
from reproduction.methods.protocol import (
    ALL_COLUMNS,
    CHOOSE,
    CLASSIFIERS,
    CONFIRM,
    DATASETS,
    FAMILIES,
    HALF_OF,
    KIND_OF,
    KINDS,
    LIMITS,
    METHOD_NAMES,
    QUICK_DATASETS,
    RANDOM,
    SETTINGS,
    UNSUPERVISED,
    VARIANTS,
    load,
    make_task,
    sizes_below,
)
from reproduction.protocol import FAILS, HOLDS, UNCHECKED, UNDECIDED, Cell, Record, Results
from reproduction.runner import Store, collect

# -- the protocol ------------------------------------------------------------------------------------


def test_methods_that_take_part():
    """Methods that came after the stored results may be missing."""
    selectors = {name for name in ep.__all__ if hasattr(getattr(ep, name), "fit")}
    assert set(METHOD_NAMES) - {RANDOM, ALL_COLUMNS} <= selectors
    assert len(METHOD_NAMES) == len(set(METHOD_NAMES))
    assert {*LIMITS, *SETTINGS["without_own_rule"], *SETTINGS["own_rule_limits"]} <= selectors


@pytest.mark.parametrize("quick", [True, False])
def test_cells_have_names_of_their_own_and_plain_settings(quick):
    cells = list(EXPERIMENT.cells(quick))
    assert len({cell.key for cell in cells}) == len(cells)
    for cell in cells:
        assert json.loads(json.dumps(cell.settings)) == cell.settings
        assert cell.dataset is None or cell.dataset in DATASETS
    splits = [cell.settings["split"] for cell in cells if cell.settings["family"] in FAMILIES]
    assert splits == sorted(splits)  # a run cut short has all data sets


def test_cells_of_the_short_version_are_not_taken_for_those_of_the_whole_one():
    short, whole = ({cell.key for cell in EXPERIMENT.cells(quick)} for quick in (True, False))
    assert not short & whole


def test_both_halves_have_data_sets_of_every_kind():
    for members in KINDS.values():
        assert {HALF_OF[name] for name in members} == {CHOOSE, CONFIRM}
        assert {HALF_OF[name] for name in members if name in QUICK_DATASETS} == {CHOOSE, CONFIRM}
        assert list(members) == sorted(members)


def test_the_protocol_says_what_is_not_run():
    for name in LIMITS:
        assert name in EXPERIMENT.protocol


def test_data_sets_named_are_there(folder_with):
    assert {path.stem for path in Path(folder_with()).glob("*.npz")} >= set(DATASETS)


# -- a cell ------------------------------------------------------------------------------------------


def _run(family, methods):
    settings = {"dataset": "corral", "split": 0, "family": family, "methods": methods, "most_rows": 100}
    return EXPERIMENT.run(Cell("c", settings), Data(openml=False))


def test_a_cell_gives_one_entry_per_method():
    result = _run("entropies", ["MIM", "RenyiFS", "SwarmFS", RANDOM, ALL_COLUMNS])
    assert json.loads(json.dumps(result)) == result
    assert (result["rows"], result["tests"], result["columns"], result["classes"]) == (70, 30, 6, 2)
    for key in ("seconds", "first", "correct", "own"):
        assert len(result[key]) == 5
    task = make_task(load("corral", Data(openml=False)), 0, 100)
    X, y = task.X[task.train], task.y[task.train]
    told = [mutual_info_score(X[:, j], y) for j in range(6)]
    assert result["first"][0] == sorted(range(6), key=lambda j: -told[j])  # MIM
    for correct in result["correct"]:
        assert np.shape(correct) == (len(CLASSIFIERS), 1)
        assert 0 <= np.min(correct)
        assert np.max(correct) <= 30
    assert result["own"][1][0] == 4  # RenyiFS: the four causes leave nothing open
    assert sorted(result["first"][4]) == list(range(6))


def test_a_variant_is_its_method_with_other_parameters():
    result = _run("variants", ["JMI", *VARIANTS])
    assert result["first"][1] == result["first"][0]  # columns of two values have two levels either way
    assert result["own"][1:] == [None] * len(VARIANTS)


def test_a_cell_is_the_same_every_time():
    one, other = (_run("numbers", ["ReliefF", "ILFS", RANDOM]) for _ in range(2))
    assert {**one, "seconds": 0} == {**other, "seconds": 0}


def test_a_method_above_its_limit_is_not_run(monkeypatch):
    monkeypatch.setitem(LIMITS, "MIM", {"columns": 3, "reason": "a test"})
    result = _run("entropies", ["MIM", "RenyiFS"])
    assert result["seconds"][0] is None
    assert result["correct"][0] is None
    assert result["correct"][1] is not None


def test_methods_do_not_see_test_rows(monkeypatch):
    """Other test rows, the same selection."""
    from reproduction.methods import protocol

    first = []
    for shift in (0, 1):

        def changed(dataset, split, most_rows, shift=shift):
            task = make_task(dataset, split, most_rows)
            task.X[task.test] = shift
            return task

        monkeypatch.setattr(protocol, "make_task", changed)
        first.append(_run("pairs", ["JMI", "ReliefF"])["first"])
    assert first[0] == first[1]


def test_classes_of_one_row_do_not_stop_the_split():
    rng = np.random.default_rng(0)
    y = np.array([0] * 30 + [1] * 30 + [2])
    from reproduction.data import Dataset

    dataset = Dataset("t", rng.normal(size=(61, 3)), y, np.zeros(3, bool))
    task = make_task(dataset, 0, 1000)
    assert sorted([*task.train, *task.test]) == list(range(61))


# -- verdicts ----------------------------------------------------------------------------------------


def _made_up(advantage, n_columns=30, n_splits=2, own_loss=0.0):
    """Results where every method has an accuracy of 0.5, its advantage and a little noise."""
    rng = np.random.default_rng(1)
    records, sizes = [], sizes_below(n_columns)
    for split in range(n_splits):
        for place, dataset in enumerate(KIND_OF):
            for family, methods in {**FAMILIES, "variants": tuple(VARIANTS)}.items():
                levels = [
                    500 + 1000 * advantage(name, dataset) + rng.integers(-9, 10)
                    if n_columns <= LIMITS.get(name, {}).get("columns", n_columns)
                    else None
                    for name in methods
                ]
                settings = {"dataset": dataset, "split": split, "family": family, "methods": list(methods)}
                result = {
                    "rows": 2000,
                    "tests": 1000,
                    "columns": n_columns,
                    "classes": 2 + place % 8,
                    "guess": 400,
                    "seconds": [level and 0.1 for level in levels],
                    "first": [list(range(10))] * len(methods),
                    "correct": [level and [[level] * len(sizes)] * len(CLASSIFIERS) for level in levels],
                    "own": [level and [3, *[level - 1000 * own_loss] * len(CLASSIFIERS)] for level in levels],
                }
                records.append(Record(f"{dataset}/{split}/{family}", settings, result, 1.0))
    return Results(records, len(records))


def _as_expected(name, dataset):
    if name in UNSUPERVISED or name == RANDOM:
        return -0.1 * (name == RANDOM)
    return {
        "JMI": 0.15,
        "JMI, 3 levels": 0.2,
        "RenyiFS": 0.2,
        "SNEFS": 0.2,
        "ReliefF": 0.2,
        ALL_COLUMNS: 0.15,
    }.get(name, 0.1)


def _verdicts(results, *beginnings):
    """The verdicts of the claims that begin so, or of all."""
    verdicts = {claim.text: claim.verdict for claim in EXPERIMENT.claims(results)}
    chosen = [text for beginning in beginnings for text in verdicts if text.startswith(beginning)]
    assert len(chosen) == len(beginnings)
    return {verdicts[text] for text in chosen or verdicts}


def test_nothing_is_decided_without_results():
    results = Results([], 10, {"colon": "colon: no file colon.npz in here."})
    claims = EXPERIMENT.claims(results)
    assert {claim.verdict for claim in claims} == {UNCHECKED}
    assert all("no file colon.npz" in claim.why for claim in claims)
    assert EXPERIMENT.sections(results) == []


def test_splits_that_miss_a_family_do_not_count():
    records = [record for record in _made_up(_as_expected) if record.settings["family"] != "subsets"]
    assert _verdicts(Results(records, 999)) == {UNCHECKED}


def test_claims_hold_where_the_methods_are_as_expected():
    results = _made_up(_as_expected)
    for beginning in (
        "The methods differ",
        "JMI, the default",
        "Criteria",
        "Every method",
        "Methods that look",
    ):
        assert _verdicts(results, beginning) == {HOLDS}
    for beginning in ("Where columns", "With many classes", "With at most 50", "The permutation test"):
        assert _verdicts(results, beginning) == {HOLDS}


def test_claims_fail_where_they_are_not():
    def contrary(name, dataset):
        return 0.3 if name in (*UNSUPERVISED, RANDOM) else -0.2 * (name in ("JMI", "RenyiFS", "SNEFS", "MIM"))

    results = _made_up(contrary, own_loss=0.1)
    general = ("JMI, the default", "Criteria", "Every method", "Methods that look")
    assert _verdicts(results, *general, "With few rows and many columns a", "The permutation test") == {FAILS}
    assert _verdicts(results, "Where columns", "With many classes") == {UNDECIDED}  # both sides are worse


def test_no_difference_is_not_taken_for_one():
    results = _made_up(lambda name, dataset: 0.0)
    assert _verdicts(results, "The methods differ", "Every method") == {UNDECIDED}


def test_levels_give_way_only_if_the_other_half_confirms():
    def better_on(*halves):
        return lambda name, dataset: 0.1 * (name == "JMI, 3 levels" and HALF_OF[dataset] in halves)

    assert _verdicts(_made_up(better_on(CHOOSE, CONFIRM)), "`n_bins` stays") == {FAILS}
    assert _verdicts(_made_up(better_on(CHOOSE)), "`n_bins` stays") == {HOLDS}


@pytest.mark.parametrize(("name", "n_causes"), [("parity", 3), ("xor", 2)])
def test_causes_of_parity_and_xor_tell_only_together(name, n_causes):
    dataset = load(name, None)
    signs, y = np.where(dataset.X > 0, 1, -1), 2 * dataset.y - 1
    for size in range(1, n_causes + 1):
        products = [signs[:, of].prod(axis=1) for of in itertools.combinations(range(signs.shape[1]), size)]
        most = np.abs(np.array(products) @ y).max() / len(y)
        assert most > 0.85 if size == n_causes else most < 0.15


def test_the_default_gives_way_only_if_the_other_half_confirms():
    def better_on(*halves):
        return lambda name, dataset: 0.1 * (name == "MRMR" and HALF_OF[dataset] in halves)

    confirmed, luck = (
        choose_default(Evidence(_made_up(better_on(*halves)))) for halves in ((CHOOSE, CONFIRM), (CHOOSE,))
    )
    assert (confirmed.candidate, confirmed.default) == ("MRMR", "MRMR")
    assert (luck.candidate, luck.default) == ("MRMR", "JMI")
    beginning = "The default stays"
    assert _verdicts(_made_up(better_on(CHOOSE, CONFIRM)), beginning) == {FAILS}
    assert _verdicts(_made_up(better_on(CHOOSE)), beginning) == {HOLDS}


def test_a_method_better_in_accuracy_and_stability_ends_the_trade_off():
    results = _made_up(lambda name, dataset: 0.1 * (name == "MRMR"))
    assert _verdicts(results, "JMI is the best trade-off") == {HOLDS}  # all are equally stable
    for record in results.records:
        if record.settings["family"] == "pairs" and record.settings["split"] == 1:
            record.result["first"] = [list(range(10)), list(range(10))] + [list(range(10, 20))] * 6
            record.result["first"][0] = list(range(10, 20))
    assert _verdicts(results, "JMI is the best trade-off") == {FAILS}


def test_sections_and_figures_can_be_made():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    made = EXPERIMENT.sections(_made_up(_as_expected))
    assert len(made) == 9
    for section in made:
        assert "nan" not in section.text
        for figure in section.figures:
            canvas = Figure(figsize=figure.size)
            figure.draw(canvas)
            assert canvas.axes
    assert all(f"| {name} |" in made[0].text for name in EVERYWHERE)
    assert all(f"| {name} |" in made[1].text for name in COMPARED)


def test_sections_of_one_split_and_of_columns_above_all_limits():
    made = EXPERIMENT.sections(_made_up(_as_expected, n_columns=5000, n_splits=1))
    assert len(made) == 8


# -- statistics --------------------------------------------------------------------------------------


def test_critical_difference_of_demsar():
    """Demšar (2006), section 3.2.5: four methods, 14 data sets, q = 2.569."""
    assert statistics.critical_difference(4, 14) == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)


def test_ranks_and_groups():
    scores = np.array([[0.9, 0.8, 0.8, 0.1]] * 20)
    ranking = statistics.rank_methods("abcd", scores)
    assert ranking.names == ("a", "b", "c", "d")
    assert ranking.mean_ranks == (1.0, 2.5, 2.5, 4.0)
    assert ranking.p_value < 1e-6
    assert ranking.best_group() == ["a"]
    assert ranking.alike() == [(1, 2)]
    assert ranking.place_of("d") == 4


def test_runs_of_methods_that_are_alike_may_overlap():
    ranking = statistics.Ranking(("a", "b", "c", "d"), (1.0, 1.5, 2.2, 4.0), 0.0, 1.0, 10)
    assert ranking.alike() == [(0, 1), (1, 2)]


def test_differences_leave_out_what_was_not_run():
    one, other = np.array([1.0, 2.0, 3.0, np.nan]), np.array([0.0, 2.0, 1.0, 5.0])
    found = statistics.difference(one, other)
    assert (found.mean, found.wins, found.losses) == (1.0, 2, 0)
    assert statistics.difference(one, one).p_value == 1.0
    assert np.isnan(statistics.difference(np.array([np.nan]), np.array([1.0])).mean)


# -- the guide -------------------------------------------------------------------------------


def test_the_decision_table_of_the_guide_is_that_of_the_stored_results():
    root = Path(__file__).parents[2]
    results = collect(EXPERIMENT, Store(root / "reproduction" / "results" / "methods.jsonl"))
    text = (root / "docs" / "guide.md").read_text(encoding="utf-8")
    made = text[text.index(guide.BEGIN) + len(guide.BEGIN) : text.index(guide.END)]
    assert made.strip() == guide.decision_table(results).strip()


def test_the_guide_is_written_between_its_marks(tmp_path):
    results = collect(EXPERIMENT, Store(Path(__file__).parents[1] / "results" / "methods.jsonl"))
    page = tmp_path / "guide.md"
    page.write_text(f"before\n{guide.BEGIN}\nold\n{guide.END}\nafter\n")
    guide.write_guide(page, results)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old\n" not in text
    assert "| no target at all |" in text

"""The experiments of the cross-entropy paper: protocol, scores, verdicts."""

import json

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import entropick as ep
from reproduction.ce import EXPERIMENT, authors, protocol
from reproduction.ce.findings import PAPER, Tables
from reproduction.data import Data, Dataset
from reproduction.protocol import FAILS, HOLDS, UNCHECKED, Record, Results


def small_parts(n_rows=120):
    """Class = exclusive or of two columns, then noise and a real column with gaps."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(n_rows, 6)).astype(float)
    X[:, 5] = rng.normal(size=n_rows)
    X[::7, 5] = np.nan
    y = (X[:, 0] != X[:, 1]).astype(np.int64)
    dataset = Dataset("x", X, y, np.zeros(6, bool))
    return protocol.split_rows(dataset, y, {"rows": n_rows, "repeat": 0})


# -- protocol --------------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [False, True])
def test_the_cells_have_keys_of_their_own_and_plain_settings(quick):
    cells = list(EXPERIMENT.cells(quick))
    assert len({cell.key for cell in cells}) == len(cells)
    assert {cell.settings["data"] for cell in cells} == set(protocol.TASKS)
    for cell in cells:
        assert json.loads(json.dumps(dict(cell.settings))) == cell.settings


def test_full_and_quick_cells_do_not_overwrite_each_other():
    full = {cell.key: cell.settings for cell in EXPERIMENT.cells(False)}
    assert all(full.get(cell.key, cell.settings) == cell.settings for cell in EXPERIMENT.cells(True))


def test_the_first_cells_cover_all_tables():
    kinds = ("table", "printed rule")
    ours = [cell for cell in EXPERIMENT.cells(False) if cell.settings["kind"] in kinds]
    first = [cell for cell in ours if cell.settings["repeat"] == 0]
    assert first == ours[: len(first)]
    assert len(first) == 2 * len(protocol.TASKS)


def test_what_takes_long_comes_last_and_not_in_the_quick_version():
    full, quick = ([cell.key for cell in EXPERIMENT.cells(short)] for short in (False, True))
    last = [key for key in full if "floored, " in key]
    assert "Blog Feedback/floored, CE as printed/0" in last
    assert full[-len(last) :] == last
    assert not set(quick) & set(last)


def test_the_published_tables_are_complete():
    assert all(set(found) == {"columns", *protocol.METHODS} for found in PAPER.values())
    assert PAPER["Connect-4"]["CE"] == {"nb": 0.3904, "knn": 0.00067, "gap": 0.0011, "seconds": 178.27}
    assert "nb" not in PAPER["Advertisements"]["mRMR"]
    assert PAPER["Gesture Phase"]["columns"]["PSO"] == 35
    for label, found in PAPER.items():
        assert found["columns"]["CE"] == protocol.TASKS[label]["columns"]


@pytest.mark.parametrize(
    ("target", "expected"), [("class", [0, 3, 100]), ("counts", [0, 3, 21]), ("bins", [0, 0, 19])]
)
def test_targets_become_classes(target, expected):
    dataset = Dataset("x", np.zeros((3, 1)), np.array([0.0, 3.0, 100.0]), np.zeros(1, bool))
    assert protocol.classes_of(dataset, target).tolist() == expected


def test_columns_become_codes():
    values = np.arange(100.0)
    assert np.bincount(protocol.codes_of(values, False)).tolist() == [10] * 10
    assert len(np.unique(protocol.codes_of(values, True))) == 100
    assert protocol.codes_of(np.array([5.0, 7.0, 5.0]), False).tolist() == [0, 1, 0]
    with_gaps = np.where(values < 3, np.nan, values)
    assert len(set(protocol.codes_of(with_gaps, False)[:3])) == 1
    assert protocol.codes_of(with_gaps, False)[0] not in protocol.codes_of(with_gaps, False)[3:]


# -- scores ----------------------------------------------------------------------------------


def test_the_gap_is_that_of_the_library():
    parts = small_parts()
    whole = ep.entropy(parts.y)
    for columns in ([0], [0, 1], [2, 3, 4], [0, 5]):
        gain = ep.mutual_information(parts.codes[:, columns], parts.y)
        found = protocol.information_gap(parts.codes[:, columns], parts.y)
        assert found == pytest.approx((whole - gain) / gain, abs=1e-3, rel=1e-3)


def test_a_constant_column_has_no_gap():
    assert protocol.information_gap(np.zeros((6, 1), dtype=int), np.array([0, 1] * 3)) is None


def test_the_error_on_own_rows_is_that_of_a_plain_loop():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, size=(80, 2)).astype(float), rng.integers(0, 4, size=80)
    groups = {}
    for row, label in zip(X.tolist(), y, strict=True):
        groups.setdefault(tuple(row), []).append(label)
    right = sum(np.bincount(labels).max() for labels in groups.values())
    assert protocol.own_rows_error(X, y) == pytest.approx(1 - right / 80, abs=1e-5)


def test_a_table_finds_the_two_columns(monkeypatch):
    monkeypatch.setitem(protocol.CROSS_ENTROPY, "n_samples", 200)
    swarm = {**protocol.SWARM, "n_rounds": 10}
    result = protocol.table(small_parts(), cardinality=3, seed=0, swarm_settings=swarm)
    assert result["size"] == 2
    assert result["own"]["CE"]["gap"] == 0
    assert result["paper_size"]["mRMR"]["n"] == 3
    assert result["all"]["n"] == 6
    assert [n for n, _, _ in result["curve"]] == [1, 2, 3, 4, 5, 6]
    json.dumps(result)


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
def test_the_printed_rule_is_told_what_it_reaches(monkeypatch):
    monkeypatch.setitem(protocol.CROSS_ENTROPY, "n_samples", 200)
    found = protocol.printed_rule(small_parts(), seed=0)
    assert 0 <= found["reached"] <= 6
    assert found["rounds"] >= 1


def test_data_of_the_folder_are_split(folder_with):
    dataset = Data(folder_with("forestfires"), openml=False).load("forestfires")
    for label in ("Forest Fires", "Forest Fires, fire or none"):
        y = protocol.classes_of(dataset, protocol.TASKS[label]["target"])
        parts = protocol.split_rows(dataset, y, {"rows": 1000, "repeat": 0})
        assert (len(parts.y), len(parts.y_test)) == (465, 52)
        assert parts.codes.shape == parts.X.shape


# -- the authors' reading --------------------------------------------------------------------


def test_whole_parts_of_values():
    X = np.array([[1.5, -0.5], [2.0, np.nan], [3.0, 4.2]])
    assert authors.floored(X, "raw").tolist() == [[1, -1], [2, 5], [3, 4]]
    assert authors.floored(X[:, :1], "scaled").ravel().tolist() == [0, 0, 1]


def test_the_digits_of_blog_feedback(folder_with):
    """DISR on all rows, scaled and floored: the paper's 0.3414."""
    dataset = Data(folder_with("blogfeedback"), openml=False).load("blogfeedback")
    codes, y = authors.floored(dataset.X, "scaled"), dataset.y.astype(int)
    columns = ep.DISR(93, n_bins=65535, target="class").fit(codes, y).order_
    assert f"{protocol.information_gap(codes[:, columns], y):.4f}" == "0.3414"


def three_classes():
    """Classes of unequal size and columns that go together."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [20, 60, 120])
    X = rng.normal(size=(200, 3)) @ [[1.0, 2.0, 0.5], [0.0, 3.0, 1.0], [0.0, 0.0, 1.0]] + y[:, None]
    return X, y


def test_pooled_covariance_and_equal_priors():
    X, y = three_classes()
    parts = protocol.Parts(X, y, X.astype(int), X, y)
    predicted, refused = authors.classified(parts, [0, 1, 2], diagonal=False)
    model = LinearDiscriminantAnalysis(priors=[1 / 3] * 3).fit(X, y)
    assert predicted.tolist() == model.predict(X).tolist()
    assert not refused


def test_pooled_variances_and_equal_priors():
    X, y = three_classes()
    parts = protocol.Parts(X, y, X.astype(int), X, y)
    pooled = np.mean([np.var(X[y == c], axis=0, ddof=1) * (np.sum(y == c) - 1) for c in range(3)], axis=0)
    distances = [((X - X[y == c].mean(axis=0)) ** 2 / pooled).sum(axis=1) for c in range(3)]
    predicted, refused = authors.classified(parts, [0, 1, 2], diagonal=True)
    assert predicted.tolist() == np.argmin(distances, axis=0).tolist()
    assert not refused


def test_columns_that_depend_on_others_are_told_and_do_no_harm():
    X, y = three_classes()
    more = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.ones(len(y))])
    parts = protocol.Parts(more, y, more.astype(int), more, y)
    alone, _ = authors.classified(parts, [0, 1, 2], diagonal=False)
    predicted, refused = authors.classified(parts, [0, 1, 2, 3, 4], diagonal=False)
    assert predicted.tolist() == alone.tolist()
    assert refused
    assert authors.classified(parts, [0, 4], diagonal=True)[1]
    assert not authors.classified(parts, [0, 1, 2, 3], diagonal=True)[1]


def test_the_library_counts_as_plain_loops_do():
    parts = small_parts()
    found = protocol.checks(parts, authors.floored(parts.X, "raw"), n_subsets=5)
    assert found["n"] == 10
    assert found["information"] < 1e-12
    assert found["gap"] < 1e-5


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
def test_a_table_of_the_authors():
    settings = {
        "repeat": 0,
        "methods": ["CE", "CE as printed", "DISR", "PSO"],
        "cross_entropy": dict(protocol.CROSS_ENTROPY),
    }
    settings["cross_entropy"]["n_samples"] = 200
    settings["swarm"] = {**protocol.SWARM, "n_rounds": 10}
    result = authors.table(small_parts(), 3, settings)
    assert result["own"]["CE"]["gap"] == 0
    assert result["paper_size"]["DISR"]["n"] == 3
    assert set(result["own"]) == {"CE", "CE as printed", "PSO"}
    assert result["all"]["n"] == 6
    json.dumps(result)


def test_the_authors_reading_takes_the_algorithm_as_printed_from_all_cells_of_a_split():
    def cell(methods, **scores):
        settings = {"kind": "floored", "data": "Connect-4", "repeat": 0, "methods": methods}
        found = {name: {"n": 32, "linear": 0.1, "diaglinear": 0.2, **scores} for name in methods}
        result = {"own": found, "paper_size": found, "all": {"gap": 0.0}}
        return Record(f"Connect-4/{methods[0]}/0", settings, result, 1.0)

    records = [cell(["DISR"], gap=0.3), cell(["CE"], gap=0.2), cell(["CE as printed"], gap=0.1)]
    tables = Tables(Results(records, 3))
    assert tables.authors.values("Connect-4", "CE", "gap") == [0.1]
    assert tables.authors.values("Connect-4", "DISR", "nb") == [0.1]
    assert tables.others["the same with variances alone"].values("Connect-4", "CE", "nb") == [0.2]
    assert tables.others["whole parts, the smaller of equal subsets"].values("Connect-4", "CE", "gap") == [
        0.2
    ]


# -- verdicts --------------------------------------------------------------------------------


def as_in_the_paper(label, repeat, *, ce_error=None, size=None):
    """A record with the paper's numbers, plus what is asked for."""
    columns = PAPER[label]["columns"]

    def scores(method):
        nb, knn, gap = (PAPER[label][method].get(name, 0.5) for name in ("nb", "knn", "gap"))
        nb = ce_error if ce_error is not None and method == "CE" else nb
        return {"n": columns["CE"], "nb": nb, "knn": knn, "knn_train": 0.0, "own_rows": 0.0, "gap": gap}

    own = {method: scores(method) for method in protocol.METHODS[:-1]}
    own["CE"] = {**own["CE"], "n": columns["CE"] if size is None else size}
    swarm = {**scores("PSO"), "n": columns["PSO"], "knn": 0.1}
    found = columns["CE"] if size is None else size
    result = {
        "asked": 5000,
        "seconds": {**dict.fromkeys(own, 170.0), "PSO": PAPER[label]["PSO"]["seconds"]},
        "own": {**own, "PSO": swarm},
        "paper_size": own,
        "all": {**scores("CE"), "n": 99},
        "curve": [[1, 0.9, 30.0], [found, own["CE"]["nb"], own["CE"]["gap"]]],
    }
    return Record(f"{label}/{repeat}", {"kind": "table", "data": label, "repeat": repeat}, result, 1.0)


def results_like_the_paper(**changes):
    records = [as_in_the_paper(label, repeat, **changes) for label in PAPER for repeat in range(2)]
    return Results(records, len(records))


def verdict_of(results, beginning):
    return next(claim.verdict for claim in EXPERIMENT.claims(results) if claim.text.startswith(beginning))


def test_nothing_can_be_checked_without_results():
    found = EXPERIMENT.claims(Results([], 10, {"wdbc": "wdbc is not there."}))
    assert {claim.verdict for claim in found} == {UNCHECKED}
    assert all(claim.why for claim in found)
    assert "wdbc is not there." in found[0].why
    assert list(EXPERIMENT.sections(Results([], 10))) == []


def test_the_numbers_of_the_paper_hold():
    results = results_like_the_paper()
    for beginning in (
        "The error of naive Bayes is smaller than with DISR",
        "The number of columns the method finds",
        "ΔI_r with the paper's number",
        "The error of 3-NN is no larger",
        "In some cases ΔI_r",
        "The search takes less time than the swarm",
        "The errors of 3-NN are those",
        "At equal size ΔI_r is smaller",
    ):
        assert verdict_of(results, beginning) == HOLDS, beginning


def test_times_are_told_and_not_judged():
    found = EXPERIMENT.claims(results_like_the_paper())
    claim = next(claim for claim in found if claim.text.startswith("The time is comparable"))
    assert claim.verdict == UNCHECKED
    assert "Forest Fires 1," in claim.why


def test_verdicts_can_fail():
    assert verdict_of(results_like_the_paper(ce_error=0.9), "The error of naive Bayes is smaller") == FAILS
    assert verdict_of(results_like_the_paper(size=200), "The number of columns the method") == FAILS


def test_sections_can_be_drawn():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    for section in EXPERIMENT.sections(results_like_the_paper()):
        for figure in section.figures:
            canvas = Figure(figsize=figure.size)
            figure.draw(canvas)
            assert any(axes.lines for axes in canvas.axes), figure.name

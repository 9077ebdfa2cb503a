"""The experiments of Inf-FS: protocol, cells, verdicts."""

import json

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import normalized_mutual_info_score

from reproduction import inffs
from reproduction.data import Data, Dataset
from reproduction.inffs import authors, methods, protocol
from reproduction.inffs.findings import Scores
from reproduction.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, SUPERVISED, UNSUPERVISED
from reproduction.protocol import FAILS, HOLDS, UNCHECKED, UNDECIDED, Record, Results

EXPERIMENT = inffs.EXPERIMENT
NOTHING = Results([], 0)
RAN = ("colon", "leukemia", "lung_gordon", "lymphoma_96", "prostate", "madelon", "dexter")


def small_dataset(name="small", n=60, seed=0):
    """Two columns that tell the class, six that do not, and one constant."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    noise = rng.normal(size=(n, 6))
    X = np.column_stack(
        [noise[:, :3], y + rng.normal(0, 0.2, n), 3 * y + rng.normal(0, 0.5, n), noise[:, 3:]]
    )
    X = np.column_stack([X, np.zeros(n)])
    return Dataset(name, X, y, np.zeros(X.shape[1], bool))


# -- the protocol ----------------------------------------------------------------------------


@pytest.mark.parametrize("quick", [False, True])
def test_cells_have_their_own_keys_and_settings_that_json_can_hold(quick):
    cells = list(EXPERIMENT.cells(quick))
    assert len({cell.key for cell in cells}) == len(cells)
    assert {cell.dataset for cell in cells} - {None} == set(protocol.DATASETS)
    for cell in cells:
        assert json.loads(json.dumps(dict(cell.settings))) == dict(cell.settings)


def test_repeats_come_one_after_the_other_so_that_a_part_is_balanced():
    repeats = [c.settings["repeat"] for c in EXPERIMENT.cells(False) if c.settings["part"] == "accuracy"]
    assert repeats == sorted(repeats)


@pytest.mark.parametrize("group", ["supervised", "unsupervised"])
def test_a_cell_ranks_on_training_rows_with_every_method(group):
    settings = {
        "methods": list(protocol.METHODS[group]), "alpha": None, "most_columns": {"UDFS": 100}, "repeat": 0,
        "test_share": 0.3, "sizes": [1, 2], "svm": {"solver": "libsvm", "C": [1], "folds": 2},
    }  # fmt: skip
    found = protocol.accuracies(small_dataset(), settings, methods.rank)
    assert set(found) == set(protocol.METHODS[group])
    assert all(len(one["accuracy"]) == 2 for one in found.values())
    if group == "supervised":
        assert min(one["accuracy"][1] for one in found.values()) > 0.9
        assert {method for method, one in found.items() if "kept" in one} == {*SUPERVISED[:2], "LASSO"}


def test_a_method_that_costs_too_much_is_left_out():
    settings = {
        "methods": ["UDFS", "LS"], "alpha": None, "most_columns": {"UDFS": 3}, "repeat": 0,
        "test_share": 0.3, "sizes": [2], "svm": {"solver": "liblinear", "C": [1], "folds": 2},
    }  # fmt: skip
    assert list(protocol.accuracies(small_dataset(), settings, methods.rank)) == ["LS"]


def test_recursive_elimination_ranks_all_columns_and_the_telling_ones_first():
    dataset = small_dataset()
    order = methods.recursive_elimination(dataset.X[:, :8], dataset.y)
    assert sorted(order) == list(range(8))
    assert set(order[:2]) == {3, 4}


def test_scores_equal_those_of_the_whole_matrix():
    dataset = small_dataset(n=80)
    found = protocol.compared_with_naive(dataset.X, dataset.y)
    assert max(one["difference"] for one in found.values()) < 1e-9


def test_both_regularizations_rank_alike_with_y():
    dataset = small_dataset(n=80)
    assert protocol.compared_regularizations(dataset.X[:, :8], dataset.y)[INFFS_S]["tau"] == 1


def test_rows_and_classes_of_the_paper():
    y = np.array([0, 0, 0, 1, 2, 2])
    X = np.arange(12.0).reshape(6, 2)
    split = np.array(["train"] * 4 + ["valid"] * 2)
    lymphoma = Dataset("lymphoma_96", X, y, np.zeros(2, bool))
    assert protocol.prepared(lymphoma).y.tolist() == [1, 1, 1, 0, 0, 0]
    madelon = Dataset("madelon", X, y, np.zeros(2, bool), {"split": split})
    assert len(protocol.prepared(madelon).y) == 4


def test_intensities_become_logarithms_between_floor_and_ceiling():
    X = np.array([[-5.0, 200.0, 99_999.0]])
    assert authors.prepared("colon", X).tolist() == np.log2([[100.0, 200.0, 16_000.0]]).tolist()
    assert authors.prepared("prostate", X) is X


def test_the_authors_methods_rank_on_training_rows():
    dataset = small_dataset()
    for method in (*authors.COMPARATORS, INFFS_S, INFFS_U):
        ranking = authors.rank(method, dataset.X[:, :8], dataset.y, 3, 0, None)
        assert len(set(ranking.columns)) == len(ranking.columns) >= 3, method
    assert set(authors.sizes(dataset.X, dataset.y)) == {INFFS_S, INFFS_U}


def test_the_numbers_of_table_3_in_the_authors_reading():
    def results(size_u, size_s):
        found = {INFFS_U: [size_u], INFFS_S: [size_s]}
        return Results([Record("sizes/colon", {"part": "sizes", "data": "colon"}, found, 1.0)], 1)

    part = "The numbers of columns that are kept"
    assert verdict(results(326, 174), part).verdict == HOLDS
    assert verdict(results(326, 274), part).verdict == FAILS


def test_a_cell_of_colon(folder_with):
    data = Data(folder_with("colon"), openml=False)
    cell = next(cell for cell in EXPERIMENT.cells(True) if cell.key.startswith("colon/supervised"))
    settings = {**cell.settings, "methods": [INFFS_S, "Fisher"], "sizes": [10]}
    found = EXPERIMENT.run(type(cell)(cell.key, settings, cell.dataset), data)
    assert found[INFFS_S]["accuracy"][0] > 0.6
    assert found[INFFS_S]["kept"] > 1


# -- verdicts --------------------------------------------------------------------------------


def made_results(best=(), worst=(), n_splits=3, counts=None):
    """All methods alike with a little noise, but some ahead and some behind."""
    rng = np.random.default_rng(0)
    sizes = [10, 50, 100, 150, 200]
    base = np.array([0.7, 0.85, 0.87, 0.875, 0.88])
    counts = {INFFS_S: 300, INFFS_U: 500, "LASSO": 900} if counts is None else counts
    records = []
    for data in RAN:
        for group, names in protocol.METHODS.items():
            for repeat in range(n_splits):
                result = {}
                for method in names:
                    gain = 0.05 * ((method in best) - (method in worst))
                    result[method] = {"accuracy": (base + gain + rng.normal(0, 0.001, 5)).tolist()}
                    if method.startswith("Inf-FS") or method == "LASSO":
                        result[method].update(kept=counts.get(method, 10), kept_accuracy=0.9 + gain)
                    if method.startswith("Inf-FS"):
                        result[method]["weights"] = [1.0]
                settings = {"part": "accuracy", "data": data, "group": group, "repeat": repeat,
                            "sizes": sizes, "alpha": "cv"}  # fmt: skip
                records.append(Record(f"{data}/{group}/{repeat}", settings, result, 1.0))
    return Results(records, len(records))


def verdicts(results):
    return {(claim.where, claim.text): claim for claim in EXPERIMENT.claims(results)}


def verdict(results, part):
    return next(claim for (_, text), claim in verdicts(results).items() if part in text)


def test_nothing_can_be_checked_without_results():
    claims = EXPERIMENT.claims(NOTHING)
    assert {claim.verdict for claim in claims} == {UNCHECKED}
    assert all(claim.why for claim in claims)
    assert EXPERIMENT.sections(NOTHING) == []


def test_one_split_is_not_enough():
    assert {claim.verdict for claim in EXPERIMENT.claims(made_results(n_splits=1))} == {UNCHECKED}


def test_missing_data_say_why():
    claim = verdict(Results([], 0, {"gina": "no such file"}), "on GINA.")
    assert (claim.verdict, claim.why) == (UNCHECKED, "no such file")


@pytest.mark.parametrize(
    "part",
    [
        "ahead of Fisher alone",
        "ahead of MI alone",
        "best accuracy of the supervised methods on the microarray sets",
        "works better than Inf-FS_U",
        "outperforms Inf-FS_U on DEXTER",
    ],
)
def test_a_lead_of_the_supervised_graph_holds_or_fails(part):
    assert verdict(made_results(best=[INFFS_S]), part).verdict == HOLDS
    behind = verdict(made_results(worst=[INFFS_S]), part)
    assert behind.verdict == FAILS
    assert len(behind.why) > 40


def test_the_unsupervised_graph_on_madelon():
    part = "With 10 columns Inf-FS_U is better"
    assert verdict(made_results(best=[INFFS_U]), part).verdict == HOLDS
    assert verdict(made_results(worst=[INFFS_U]), part).verdict == FAILS


def test_ranks_and_who_follows():
    first, second = "best average rank of the supervised", "MI and Fisher have the best average ranks"
    others = [name for name in SUPERVISED if name not in (INFFS_S, "MI", "Fisher")]
    ahead = made_results(best=[INFFS_S], worst=others)
    assert [verdict(ahead, part).verdict for part in (first, second)] == [HOLDS, HOLDS]
    behind = made_results(best=["LASSO"], worst=[INFFS_S])
    assert [verdict(behind, part).verdict for part in (first, second)] == [FAILS, FAILS]


def test_the_first_three_places():
    part = "Inf-FS_S is the best of the supervised methods, and if not"
    assert verdict(made_results(best=["MI", "Fisher"], worst=["RFE", "LASSO"]), part).verdict == UNDECIDED
    others = [name for name in SUPERVISED if name not in (INFFS_S, "MI", "Fisher")]
    assert verdict(made_results(best=["MI", "Fisher"], worst=others), part).verdict == HOLDS
    assert verdict(made_results(best=["MI", "Fisher", "RFE"]), part).verdict == FAILS


def test_few_splits_that_point_the_right_way_are_undecided():
    results = made_results(n_splits=2)
    gains = [0.001, 0.2]
    for record in results:
        if record.settings["data"] == "dexter" and INFFS_S in record.result:
            scores = record.result[INFFS_S]["accuracy"]
            record.result[INFFS_S]["accuracy"] = [v + gains[record.settings["repeat"]] for v in scores]
    assert verdict(results, "outperforms Inf-FS_U on DEXTER").verdict == UNDECIDED


def test_ranks_count_from_the_best():
    ranks = Scores(made_results(best=["LS"])).ranks(UNSUPERVISED)
    assert (ranks["LS"] == 1).all()
    assert ranks["LS"].shape == (len(RAN), 5)


def test_numbers_of_columns():
    part = "keeps fewer columns than Inf-FS_U"
    assert verdict(made_results(), part).verdict == HOLDS
    assert verdict(made_results(counts={INFFS_S: 600, INFFS_U: 500}), part).verdict == FAILS


def test_accuracies_beside_table_3():
    assert verdict(made_results(), "by itself on COLON").verdict == HOLDS  # 90 against 91.1 %
    assert verdict(made_results(worst=[INFFS_S]), "by itself on COLON").verdict == FAILS
    for other_rows in ("LYMPHOMA", "DEXTER"):
        assert verdict(made_results(), f"by itself on {other_rows}").verdict == UNCHECKED


def test_regularizations_that_rank_differently():
    made = {INFFS_S: {"tau": 1.0, "shared": [10, 50, 100, 150, 200]},
            INFFS_U: {"tau": 0.9, "shared": [9, 50, 99, 150, 200]}}  # fmt: skip
    record = Record("regularization/colon", {"part": "regularization", "data": "colon"}, made, 1.0)
    with_y, without_y = EXPERIMENT.claims(Results([record], 1))[:2]
    assert (with_y.verdict, without_y.verdict) == (HOLDS, FAILS)
    assert "at most 1, 0, 1, 0, 0 differ" in without_y.why


def test_sections_show_numbers_and_draw():
    matplotlib_figure = pytest.importorskip("matplotlib.figure")
    sections = EXPERIMENT.sections(made_results())
    titles = [section.title for section in sections]
    assert titles[0] == "Figure 1: the microarray sets"
    assert "Figure 4: average ranks" in titles
    for section in sections:
        for figure in section.figures:
            page = matplotlib_figure.Figure()
            figure.draw(page)
            assert len(page.axes) == 2


def test_the_laplacian_score_of_the_authors_is_nearly_the_variance():
    """Written as their program does it, with sums over rows; its divisors are all below 1e-12."""
    X = np.random.default_rng(0).standard_normal((40, 15)) * np.arange(1, 16)
    distances = np.array([[np.linalg.norm(one - other) for other in X] for one in X])
    W = -distances / distances.max()
    D = W.sum(axis=1)
    wanted = []
    for x in X.T:
        correction = (D @ x) ** 2 / D.sum()
        assert (D * x) @ x - correction < 1e-12
        wanted.append(x @ W @ x - correction)
    found = authors.laplacian_scores(X, None)
    assert found == pytest.approx(wanted)
    assert scipy.stats.spearmanr(found, X.var(axis=0)).statistic > 0.9


def test_the_eigenvector_of_the_authors_is_that_of_the_whole_matrix():
    """With mutual information by scikit-learn, and both parts of the graph scaled to [0, 1]."""
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    X = rng.standard_normal((40, 30)) * rng.uniform(0.5, 3, 30)
    X[:, 3] += 2 * y
    levels = np.minimum((X - X.min(axis=0)) / np.ptp(X, axis=0) * 10, 9).astype(int)
    uncertainty = [normalized_mutual_info_score(y, column) for column in levels.T]
    one, other = X[y == 0], X[y == 1]
    fisher = (one.mean(axis=0) - other.mean(axis=0)) ** 2 / (
        one.var(axis=0, ddof=1) + other.var(axis=0, ddof=1)
    )
    relevance, spread = (fisher + uncertainty) / 2, X.std(axis=0, ddof=1)
    graph = sum(
        (part - part.min()) / np.ptp(part)
        for part in (np.outer(relevance, relevance), np.maximum.outer(spread, spread))
    )
    wanted = np.abs(np.linalg.eigh(graph)[1][:, -1])
    assert authors.eigenvector_scores(X, y) == pytest.approx(wanted)


def test_all_comparators_of_the_paper_are_run_as_the_authors_call_them():
    methods = {
        method
        for cell in EXPERIMENT.cells(False)
        if cell.settings["part"] == "authors" and cell.settings["data"] == "colon"
        for method in cell.settings["methods"]
    }
    assert methods == {*authors.SUPERVISED, *authors.UNSUPERVISED, FIXED_S, FIXED_U}
    assert len(methods) == 4 + 10 + 8  # Inf-FS, with classes (LASSO twice), without


@pytest.mark.parametrize("method", sorted({*authors.COMPARATORS, *authors.MORE_COMPARATORS, *authors.SCORES}))
def test_a_comparator_ranks(method):
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    X = rng.standard_normal((40, 12))
    X[:, 3] += 4 * y
    columns = authors.rank(method, X, y, 12, 0, None).columns
    assert sorted(columns) == list(range(12))
    assert method not in authors.SUPERVISED or columns[0] == 3

"""The number of columns that predict held-out rows best."""

import dataclasses
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline

import entropick as ep
import naive
from entropick import cuts
from entropick.contracts import Need
from entropick.counting.surprisal import Surprisal
from entropick.evaluation import task, trial
from entropick.evaluation.models import Design, linear, neighbors
from entropick.exceptions import CombinationError, SelectionWarning
from entropick.records.held_out import HeldOutScores
from entropick.table import Rules
from entropick.table.encoding.target import encode_target
from entropick.table.memory import make_table as make_data


def planted(n_rows=400, n_causes=3, n_noise=20, seed=0, real=False):
    """A target that depends on the first columns; the others are noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_causes + n_noise))
    signal = X[:, :n_causes].sum(axis=1) + 0.5 * rng.normal(size=n_rows)
    return X, signal if real else (signal > 0).astype(int)


# -- the models ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_columns", [3, 60])
def test_linear_is_ridge_regression(n_columns):
    """On every prefix, with weights, also with more columns than rows."""
    rng = np.random.default_rng(0)
    X, goal = rng.normal(size=(40, n_columns)), rng.normal(size=(40, 2))
    train, test = np.arange(30), np.arange(30, 40)
    weights = rng.uniform(0.5, 2, 30)
    sizes = [0, 1, 2, n_columns]
    design = Design(X, np.arange(n_columns), train, test)
    found = linear(design, goal[train], weights, sizes)
    assert found[0] == pytest.approx(np.tile(np.average(goal[train], axis=0, weights=weights), (10, 1)))
    for place, size in enumerate(sizes[1:], start=1):
        model = Ridge(alpha=1.0).fit(design.train[:, :size], goal[train], weights / weights.mean())
        assert found[place] == pytest.approx(model.predict(design.test[:, :size]), abs=1e-9)


def test_neighbors_are_the_nearest():
    """The mean of the five nearest rows, as scikit-learn finds them; weights weigh."""
    rng = np.random.default_rng(1)
    X, goal = rng.normal(size=(60, 6)), rng.normal(size=(60, 3))
    train, test = np.arange(45), np.arange(45, 60)
    design = Design(X, np.array([4, 0, 3]), train, test)
    found = neighbors(design, goal[train], np.ones(45), [0, 1, 3])
    for place, size in ((1, 1), (2, 3)):
        model = KNeighborsRegressor(5).fit(design.train[:, :size], goal[train])
        assert found[place] == pytest.approx(model.predict(design.test[:, :size]), abs=1e-9)
    weights = rng.uniform(0.5, 2, 45)
    expected = naive.weighted_neighbors(
        design.train.tolist(), goal[train].tolist(), weights.tolist(), design.test.tolist(), 5
    )
    assert neighbors(design, goal[train], weights, [3])[0] == pytest.approx(np.array(expected), abs=1e-6)


def test_design_of_any_columns():
    """Numbers get mean 0 and spread 1 by the training rows, gaps a column, categories one per level."""
    X = pd.DataFrame(
        {
            "number": [1.0, 3.0, 5.0, 7.0, 100.0, 9.0],
            "gaps": [1.0, np.nan, 3.0, 5.0, np.nan, 3.0],
            "text": ["a", "b", "a", "b", "c", "a"],
            "huge": [1e300, -1e300, 1e300, -1e300, 1e300, 0.0],
            "same": [4.0] * 6,
        }
    )
    design = Design(X, np.arange(5), np.arange(4), np.array([4, 5]))
    assert design.ends.tolist() == [0, 1, 3, 5, 6, 7]
    expected = (np.array([1, 3, 5, 7]) - 4) / np.sqrt(5)
    assert design.train[:, 0] == pytest.approx(expected)
    assert design.test[0, 0] == 10.0  # far out
    assert design.train[:, 2].tolist() == [0, 1, 0, 0]
    assert design.train[1, 1] == 0.0
    assert design.train[:, 3:5].tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert design.test[:, 3:5].tolist() == [[0, 0], [1, 0]]  # a level that was never seen
    assert np.isfinite(design.train).all()
    assert not design.train[:, 6].any()


# -- how many ------------------------------------------------------------------------------------

METHODS = [ep.JMI, ep.MRMR, ep.CMIM, ep.MIM, ep.RenyiFS, ep.SNEFS, ep.ReliefF, ep.InfFS, ep.LaplacianScore]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_every_kind_of_measure_is_served(method):
    """The number found predicts about as well as any; the record says how well."""
    X, y = load_breast_cancer(return_X_y=True)
    selection = method("auto").fit(X, y).selection_
    found = selection.evidence
    assert selection.n_kept == found.n_chosen > 0
    assert found.sizes[0] == 0
    assert found.p_value == pytest.approx(1 / 200)
    assert found.score_of(found.n_chosen) > 0.93
    assert found.score_of(found.n_chosen) > max(found.scores) - 0.02
    assert found.scores[0] == 357 / 569
    assert "about as well as any number" in selection.reason


@pytest.mark.parametrize("real", [False, True])
def test_the_causes_are_found_and_little_else(real):
    """Three causes among twenty columns of noise."""
    X, y = planted(real=real)
    order = ep.MIM("auto").fit(X, y).order_
    assert set(order[:3]) == {0, 1, 2}
    assert len(order) <= 5


def test_one_column_may_be_enough():
    """The class is the sign of one column."""
    X = np.random.default_rng(0).normal(size=(400, 20))
    assert ep.MIM("auto").fit(X, (X[:, 0] > 0).astype(int)).order_.tolist() == [0]


def test_more_than_the_first_stage():
    """If many columns are needed, the path is continued."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 120))
    y = X.sum(axis=1)
    selection = ep.MIM("auto").fit(X, y).selection_
    assert selection.n_kept > trial.FIRST_STAGE


def test_digits_are_not_cut_short():
    """The rule of before kept 3 of 64 columns."""
    X, y = load_digits(return_X_y=True)
    found = ep.JMI("auto").fit(X[:600], y[:600]).selection_.evidence
    assert found.n_chosen >= 20
    assert found.score_of(found.n_chosen) > 0.9


@pytest.mark.parametrize("shape", [(50, 500), (300, 20)])
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.slow
def test_nothing_is_kept_of_noise(shape, real):
    """In at least 19 of 20 tables, up to chance, with a warning."""
    n_found = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, *shape])
        y = rng.normal(size=shape[0]) if real else rng.integers(0, 2, shape[0])
        X = rng.normal(size=shape)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SelectionWarning)
            n_found += ep.MIM("auto", target="real" if real else "class").fit(X, y).n_features_ > 0
    assert n_found <= 2  # P(more) is below 2 % at a true level of 5 %


def test_nothing_found_warns_and_leaves_the_rows():
    """As scikit-learn's SelectFdr does: no columns, all rows, and a warning that says what to do."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 10)), rng.integers(0, 2, 80)
    with pytest.warns(SelectionWarning, match=r"Nothing was found.*n_features=10"):
        selector = ep.JMI("auto").fit(X, y)
    assert selector.selection_.reason.startswith("Nothing was found")
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape == (80, 0)


def test_held_out_rows_have_no_say():
    """Levels, scales and classes of the data of some rows are those of these rows alone."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    needs = frozenset({Need.COUNTS, Need.NUMBERS, Need.SOURCE})
    target = encode_target(y, kind="real", rules=Rules(4))
    data = make_data(X, target, needs, rules=Rules(4))
    rows = np.arange(0, 60, 2)
    part = data.rows(rows, refit=True)
    alone = make_data(X[rows], encode_target(y[rows], kind="real", rules=Rules(4)), needs, rules=Rules(4))
    assert part.target.encoding.edges == alone.target.encoding.edges != target.encoding.edges
    assert part.numbers.tolist() == alone.numbers.tolist()
    phi = Surprisal(30)
    assert part.counts.column_sums(phi).tolist() == alone.counts.column_sums(phi).tolist()


def test_unequal_classes_count_alike():
    """Few rows of one class: guessing is a half, and rows are drawn so that none of them is lost."""
    rng = np.random.default_rng(0)
    y = (np.arange(6000) % 100 == 0).astype(int)
    X = rng.normal(size=(6000, 8))
    X[:, 5] += 3 * y
    selection = ep.JMI("auto").fit(X, y).selection_
    assert selection.evidence.scoring == "balanced accuracy"
    assert selection.evidence.scores[0] == pytest.approx(0.5)
    assert selection.evidence.n_rows == 2000
    assert selection.order[0] == 5
    assert selection.evidence.score_of(selection.n_kept) > 0.85


def test_columns_of_many_levels_are_not_kept():
    """A column of 500 random levels comes first by plain counting; held-out rows see through it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1000)
    X = pd.DataFrame({"code": rng.integers(0, 500, 1000).astype(str), "noise": rng.normal(size=1000)})
    with pytest.warns(SelectionWarning, match="Nothing was found"):
        assert ep.MIM("auto").fit(X, y).n_features_ == 0


def test_fixed_columns_and_groups():
    """Fixed columns stay; a group counts as one."""
    X, y = planted()
    selector = ep.JMI("auto", fixed_features=[7]).fit(X, y)
    assert selector.order_[0] == 7
    assert {0, 1, 2} < set(selector.order_)
    assert selector.selection_.evidence.sizes[0] == 1
    grouped = ep.JMI("auto", feature_groups=[[0, 1, 2], [3, 4]], n_bins=3).fit(X, y)
    assert set(grouped.order_[:3]) == {0, 1, 2}


def test_the_same_in_any_container_and_number_of_threads():
    """Arrays, frames, lazy frames and sparse matrices; one thread or three; twice the same."""
    X, y = load_wine(as_frame=True, return_X_y=True)
    expected = ep.JMI("auto").fit(X, y).selection_
    frame = pl.from_pandas(X)
    for table in (X.to_numpy(), frame, frame.lazy(), scipy.sparse.csr_array(X.to_numpy())):
        found = ep.JMI("auto", n_jobs=3).fit(table, y).selection_
        assert found.order.tolist() == expected.order.tolist()
        assert found.evidence == expected.evidence
    other = ep.JMI("auto", random_state=5).fit(X, y).selection_
    assert other.evidence.losses != expected.evidence.losses


def test_names_of_classes_change_nothing():
    """Neither the folds nor the models know what classes are called."""
    X, y = load_breast_cancer(return_X_y=True)
    expected = ep.MRMR("auto").fit(X, y).selection_.evidence
    for names in (np.array(["b", "a"]), np.array(["x", "y"]), np.array([7, 3])):
        assert ep.MRMR("auto").fit(X, names[y]).selection_.evidence == expected


def test_without_a_target_the_own_rule_decides():
    """Without a target there is nothing to predict."""
    X, y = load_wine(return_X_y=True)
    assert ep.LaplacianScore("auto").fit(X).n_features_ == 10
    assert ep.InfFS("auto").fit(X).selection_.settings["cut"]["name"] == "MeanShift"
    assert ep.InfFS("auto").fit(X, y).selection_.settings["cut"]["name"] == "HeldOut"


def test_rows_without_labels_are_never_held_out():
    """They take part in the selection only."""
    X, y = load_wine(return_X_y=True)
    some = np.where(np.arange(len(y)) % 3 == 0, -1, y)
    found = ep.RRPC("auto", unlabelled=-1).fit(X, some).selection_.evidence
    assert found.n_rows == np.count_nonzero(some >= 0)


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
def test_constant_columns_are_never_kept():
    """Predictions that differ by rounding alone agree with nothing."""
    X, y = np.ones((30, 3)), np.arange(30) % 2
    found = ep.JMI("auto").fit(X, y)
    assert found.n_features_ == 0
    assert found.selection_.evidence.p_value == 1.0


@pytest.mark.parametrize("n_rows", [1, 2, 5, 9, 12])
@pytest.mark.filterwarnings("ignore")
def test_very_few_rows(n_rows):
    """Nothing to hold out: nothing kept, no error."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, 4)), np.arange(n_rows) % 2
    assert ep.JMI("auto").fit(X, y).n_features_ <= 4
    assert ep.JMI("auto", target="real").fit(X, rng.normal(size=n_rows)).n_features_ <= 4


@pytest.mark.parametrize("scale", [1e-300, 1e150, 1e300])
def test_extreme_numbers(scale):
    """Neither squares nor sums overflow."""
    X, y = planted(n_rows=100, n_noise=3)
    with np.errstate(all="raise", under="ignore"):
        assert ep.JMI("auto").fit(X * scale, y).n_features_ >= 3


def test_real_targets_of_any_size():
    """The unit of the target changes nothing."""
    X, y = load_diabetes(return_X_y=True)
    expected = ep.CMIM("auto", target="real").fit(X, y).order_.tolist()
    assert ep.CMIM("auto", target="real").fit(X, y * 2.0**900).order_.tolist() == expected


def test_in_a_pipeline():
    """The rule selects anew in each training part."""
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(ep.JMI("auto"), KNeighborsRegressor()).fit(X, y)
    assert model[0].n_features_ < 13


def test_searches_over_subsets_are_refused():
    """They find whole subsets, which are no path."""
    X, y = load_wine(return_X_y=True)
    with pytest.raises(CombinationError, match=r"needs a path of columns.*search by backward"):
        ep.select(X, y, measure="bayesian", search="nsga2", cut="held_out")


@pytest.mark.parametrize("search", ["forward", "ranking", "backward", "floating"])
def test_any_search_that_is_a_path(search):
    """Backward and floating searches as well."""
    X, y = load_wine(return_X_y=True)
    parts = {"measure": "mim" if search == "ranking" else "renyi", "search": search, "n_bins": 3}
    assert 2 <= ep.select(X, y, cut=cuts.HeldOut(n_folds=3), **parts).n_kept <= 13


def test_without_a_seed_it_takes_0():
    """So the program, whose seed is 0, finds what the library does."""
    X, y = load_wine(return_X_y=True)
    found = [ep.JMI("auto", random_state=seed).fit(X, y).selection_.evidence for seed in (None, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert ep.select(X, y, measure="jmi", cut=cuts.HeldOut()).evidence == found[0]


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "n_repeats"), [(300, 20, 5), (2000, 50, 4), (2000, 100, 2), (2000, 1000, 1)]
)
def test_more_repeats_where_a_selection_takes_no_time(n_rows, n_columns, n_repeats):
    assert task.usual_repeats(n_rows, n_columns) == n_repeats


def test_the_score_of_all_columns_is_given_where_it_does_not_take_long(monkeypatch):
    X = np.random.default_rng(0).normal(size=(100, 120))
    y = X[:, 0] > 0
    found = ep.JMI("auto").fit(X, y).selection_.evidence
    assert found.sizes[-1] < 120
    assert 0.5 < found.all_columns < max(found.scores)
    monkeypatch.setattr(trial, "MAX_CELLS", 1)
    assert ep.JMI("auto").fit(X, y).selection_.evidence.all_columns is None


def test_progress_is_shown_in_the_folds():
    """Long selections are not silent before their first step."""
    X, y = load_wine(return_X_y=True)
    events = []
    ep.JMI("auto", progress=lambda *event: events.append(event)).fit(X, y)
    assert len(events) > 10 * 13


# -- which of the numbers that may be as good ----------------------------------------------------


@pytest.mark.parametrize("n_errors", [0, 1, 3])
def test_the_number_kept_is_as_good_as_the_best(n_errors):
    """By the losses and their errors in the record: within so many errors, or 2 % of the gain."""
    X, y = load_breast_cancer(return_X_y=True)
    found = ep.select(X, y, cut=cuts.HeldOut(n_errors=n_errors)).evidence
    least = min(found.losses)
    tolerated = [max(n_errors * error, 0.02 * (1 - least)) for error in found.errors]
    as_good = [
        size
        for size, loss, most in zip(found.sizes, found.losses, tolerated, strict=True)
        if loss <= least + most
    ]
    assert found.n_chosen <= max(as_good)
    assert found.n_best in as_good
    assert found.interval[0] <= found.n_chosen <= found.interval[1]


@pytest.mark.parametrize("n_rows", [150, pytest.param(1000, marks=pytest.mark.slow)])
def test_few_causes_are_not_padded_with_noise(n_rows):
    """Two causes among twenty columns; in some tables a column of noise helps by chance."""
    kept = []
    for seed in range(8):
        X, y = planted(n_rows=n_rows, n_causes=2, n_noise=18, seed=seed)
        kept.append(ep.JMI("auto").fit(X, y).n_features_)
    assert np.mean(kept) < 2.6
    assert kept.count(2) >= 5


@pytest.mark.parametrize("method", [ep.JMI, ep.CMIM, ep.MRMR])
@pytest.mark.parametrize("n_rows", [60, 250, 1000])
def test_a_copy_is_not_kept(method, n_rows):
    """A copy adds nothing, even if models use it."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        sex, age = rng.integers(0, 2, n_rows), rng.normal(size=n_rows)
        y = (rng.random(n_rows) < 0.15 + 0.55 * sex + 0.1 * (age < 0)).astype(int)
        X = pd.DataFrame({"sex": sex, "age": age, "age2": age})
        assert not {"age", "age2"} <= set(method("auto").fit(X, y).selection_.selected_names)


@pytest.mark.parametrize("n_rows", [30, 100, 300])
@pytest.mark.parametrize("method", [ep.JMI, ep.MIM])
def test_noise_beside_a_perfect_column_is_left_out(n_rows, method):
    """All numbers of columns predict perfectly then; the smallest of them is kept."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, n_rows)
        X = np.c_[y, rng.normal(size=(n_rows, 8))]
        assert method("auto").fit(X, y).order_.tolist() == [0]
        assert method("auto", fixed_features=[0]).fit(X, y).order_.tolist() == [0]
    both = np.c_[y == 0, rng.normal(size=(n_rows, 3)), y + 0.01 * X[:, 1]]
    assert method("auto", target="real").fit(both, y + 0.01 * X[:, 1]).order_.tolist() == [4]


# -- tests against noise -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
def test_few_rows_are_tested_all_at_once(monkeypatch):
    """Twenty-four rows and weak columns: the test of columns finds what folds cannot."""
    tables = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = np.arange(24) % 2
        X = rng.normal(size=(24, 40))
        X[:, :10] += 0.9 * y[:, None]
        tables.append((X, y))
    n_found = [sum(ep.MIM("auto").fit(*table).n_features_ > 0 for table in tables)]
    monkeypatch.setattr(trial, "FEW_ROWS", 0)
    n_found.append(sum(ep.MIM("auto").fit(*table).n_features_ > 0 for table in tables))
    assert n_found[0] >= 10
    assert n_found[0] > n_found[1]


# -- how far -------------------------------------------------------------------------------------


def test_searches_that_compare_rows_stop_earlier(monkeypatch):
    """Their steps take long, those of a ranking take nothing."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 60))
    y = (X[:, :6].sum(axis=1) > 0).astype(int)
    monkeypatch.setattr(trial, "FIRST_STAGE", 3)
    monkeypatch.setattr(trial, "MAX_DISTANCES", 150 * 60 * 60)
    assert ep.SNEFS("auto", random_state=0).fit(X, y).selection_.evidence.sizes[-1] > 3
    monkeypatch.setattr(trial, "MAX_DISTANCES", 150 * 60 * 60 - 1)
    sizes = {method: method("auto").fit(X, y).selection_.evidence.sizes for method in (ep.SNEFS, ep.ReliefF)}
    assert sizes[ep.SNEFS][-1] == 3
    assert sizes[ep.ReliefF][-1] > 3


def test_columns_that_do_not_predict_are_kept_with_caution():
    """Where columns are related to the target, but models do no better than guessing, that is said."""
    plain = HeldOutScores(
        scoring="R²", sizes=(0, 1, 2), scores=(0.0, -0.1, 0.2), losses=(1.0, 1.1, 0.8), errors=(0.1, 0.1, 0.0),
        by_model={}, n_best=2, n_chosen=2, p_value=0.01, all_columns=None, n_rows=40, n_folds=10, n_table_rows=40,
        largest_class=None, by_fold=(),
    )  # fmt: skip
    about = "2 columns predict held-out rows about as well as any number, though not all may be needed: R² is 0.200;"
    assert plain.sentence(5).startswith(about)
    spread = dataclasses.replace(plain, interval=(1, 4)).sentence(5)
    assert spread.startswith("2 columns (90 % interval 1 to 4) predict held-out rows about as well")
    unsettled = dataclasses.replace(plain, interval=(1, 9)).sentence(9)
    assert unsettled.startswith(
        "2 columns (90 % interval 1 to 9: these rows do not settle the number) predict"
    )
    everything = "All 2 columns are kept, no smaller number predicts held-out rows as well: R² is 0.200"
    assert plain.sentence(2).startswith(everything)
    poor = dataclasses.replace(plain, n_chosen=1)
    assert poor.sentence(5) == (
        "1 column kept, but with caution: columns are related to the target (p = 0.01), yet models predict it "
        "no better than guessing: R² is -0.100 on held-out rows; guessing gives 0.000 (40 rows, 10 folds)."
    )


@pytest.mark.parametrize(
    ("scores", "n_chosen", "all_columns", "expected"),
    [
        ((0.5, 0.6, 0.66, 0.68), 2, 0.69, "is 0.660; with all 7 columns it is 0.690, guessing gives 0.500 ("),
        ((0.5, 0.6, 0.66, 0.68), 2, 0.67,
         "is 0.660; with 3, the best number tried, it is 0.680, with all 7 columns it is 0.670, guessing gives"),
        ((0.5, 0.6, 0.96, 0.959), 2, None, "is 0.960; guessing gives 0.500 ("),
        ((0.5, 0.6, 0.9601, 0.9604), 2, None, "is 0.960; guessing gives 0.500 ("),
        ((0.5, 0.7, 0.6, 0.65), 3, None,
         "is 0.650; with 1 it is 0.700, though the difference may be chance, guessing gives 0.500 ("),
    ],
)  # fmt: skip
def test_the_best_number_tried_is_the_best_shown(scores, n_chosen, all_columns, expected):
    """By the score in the sentence, whatever the loss says; nothing better is left unsaid."""
    found = HeldOutScores(
        scoring="accuracy", sizes=(0, 1, 2, 3), scores=scores, losses=(1.0, 0.5, 0.5, 0.4), errors=(0.1,) * 4,
        by_model={}, n_best=3, n_chosen=n_chosen, p_value=0.01, all_columns=all_columns, n_rows=40, n_folds=10, n_table_rows=40,
        largest_class=None, by_fold=(),
    )  # fmt: skip
    assert expected in found.sentence(7)


def test_a_model_that_needs_more_columns_is_not_hidden():
    """The loss is the mean of two models; the sentence is about the better one with the chosen number."""
    found = HeldOutScores(
        scoring="R²", sizes=(0, 1, 2), scores=(0.0, 0.6, 0.65), losses=(1.0, 0.5, 0.5), errors=(0.1,) * 3,
        by_model={}, n_best=1, n_chosen=1, p_value=0.01, all_columns=0.68, n_rows=40, n_folds=10, n_table_rows=40,
        largest_class=None, by_fold=(), model="linear",
    )  # fmt: skip
    about = "1 column predicts held-out rows about as well as any number, in the mean of two models but not by each: R²"
    assert found.sentence(7).startswith(about)
    assert "not by each" not in dataclasses.replace(found, all_columns=0.66).sentence(7)
    two = dataclasses.replace(found, n_chosen=2, scores=(0.0, 0.6, 0.6)).sentence(7)
    assert (
        "about as well as any number, in the mean of two models but not by each, though not all may be" in two
    )


def test_too_few_rows_are_said():
    """Nothing can be held out of three rows, so nothing is kept, with a reason."""
    with pytest.warns(SelectionWarning, match="too few rows, 3, to hold some out"):
        assert ep.JMI("auto").fit([[1, 0], [2, 0], [3, 1]], [0, 1, 0]).n_features_ == 0

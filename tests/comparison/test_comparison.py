"""Comparing methods: selection inside folds, honest recommendations, stability as defined."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.model_selection import GroupKFold, StratifiedKFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

import entropick as ep
from entropick.comparison import stability_of
from entropick.evaluation.estimators import CLASSIFIERS, REGRESSORS, make_features, with_preparation
from entropick.evaluation.stability import mean_overlap, mean_ranks
from entropick.exceptions import DataError, SelectionWarning
from entropick.selectors.catalog import METHODS, describe, method_named
from entropick.selectors.python_code import selector_code

FAST = {"methods": ["jmi", "mim"], "estimators": ["bayes"], "folds": 3, "random_state": 0}


def planted(n_rows=240, seed=0):
    """Two columns that tell the class, in ten."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 10))
    y = (X[:, 3] + X[:, 7] > 0).astype(int)
    return X, y


# -- stability -----------------------------------------------------------------------------------


def naive_stability(Z):
    """Nogueira et al. (2018), equations (4) and (5), written out with loops."""
    M, d = len(Z), len(Z[0])
    p = [sum(row[f] for row in Z) / M for f in range(d)]
    k = [sum(row) for row in Z]
    k_mean = sum(k) / M
    base = k_mean / d * (1 - k_mean / d)
    value = 1 - sum(M / (M - 1) * p_f * (1 - p_f) for p_f in p) / d / base
    phi = []
    for i in range(M):
        overlap = sum(Z[i][f] * p[f] for f in range(d)) / d
        spread = 2 * k_mean * k[i] / d**2 - k[i] / d - k_mean / d + 1
        phi.append((overlap - k[i] * k_mean / d**2 + value / 2 * spread) / base)
    mean = sum(phi) / M
    variance = 4 / M**2 * sum((x - mean) ** 2 for x in phi)
    return value, 1.959963984540054 * math.sqrt(variance)


@pytest.mark.parametrize("seed", range(5))
def test_stability_is_that_of_the_paper(seed):
    """Value and interval equal the formulas, also for selections of different sizes."""
    Z = np.random.default_rng(seed).random((6, 15)) < 0.4
    value, reach = naive_stability(Z.astype(int).tolist())
    found = stability_of(Z)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.low == pytest.approx(value - reach, abs=1e-9)
    assert found.high == pytest.approx(min(1, value + reach), abs=1e-9)


def test_stability_at_its_ends():
    """The same columns each time give 1, random ones about 0, all columns 1."""
    same = np.tile(np.arange(20) < 5, (8, 1))
    assert stability_of(same).value == 1.0
    assert stability_of(np.ones((4, 3), bool)).value == 1.0
    rng = np.random.default_rng(0)
    random = np.array([rng.permutation(np.arange(100) < 20) for _ in range(200)])
    assert abs(stability_of(random).value) < 0.01


def test_overlap_and_ranks():
    """Overlap counts common columns among the first k; columns not named share the ranks left over."""
    assert mean_overlap([0, 1, 2], [1, 0, 2]) == pytest.approx((0 + 1 + 1) / 3)
    assert mean_overlap([4, 2], [4, 2]) == 1.0
    assert mean_ranks([[2, 0], [0, 1]], 4).tolist() == [1.5, 2.75, 2.25, 3.5]


# -- what is found -------------------------------------------------------------------------------


def test_planted_columns_win():
    """Two columns determine the class: both methods name them first, and two are recommended."""
    X, y = planted()
    found = ep.compare(X, y, **FAST)
    assert {name for name, _ in found.consensus[:2]} == {"x3", "x7"}
    assert found.recommendation.n_features == 2
    assert found.recommendation.score > 0.85
    assert found["JMI"].stability.value == 1.0
    assert "first 2 columns" in found.recommendation.sentence
    assert found.chance == pytest.approx(max(y.mean(), 1 - y.mean()), abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_found_in_noise(seed):
    """A permuted target has nothing to be found, and the recommendation says so."""
    X, y = planted(150, seed)
    y = np.random.default_rng(seed).permutation(y)
    found = ep.compare(X, y, methods=["jmi", "mim"], estimators=["bayes", "tree"], random_state=seed)
    assert found.recommendation.method is None
    assert found.recommendation.n_features == 0
    assert found.recommendation.sentence.startswith("Nothing was found")


def test_selection_sees_training_rows_only():
    """Many noise columns and few rows: selection on all rows would look good, selection in folds does not."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 400)), np.arange(40) % 2
    found = ep.compare(X, y, methods=["mim"], estimators=["bayes"], sizes=[10], random_state=0)
    assert found["MIM"].scores["bayes"].mean() < 0.7
    assert found.recommendation.method is None


def test_real_targets():
    """Numbers with fractions are scored by R² and regressors."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6))
    y = X[:, 2] * 3 + rng.standard_normal(200) * 0.2
    found = ep.compare(X, y, methods=["mim"], estimators=["ridge"], folds=4, random_state=0)
    assert found.scoring == "r2"
    assert found.chance == pytest.approx(0, abs=0.1)
    assert found.consensus[0][0] == "x2"
    assert found.recommendation.n_features == 1
    assert found.recommendation.score > 0.95


def test_scores_are_those_of_a_loop_by_hand():
    """Means and deviations equal selecting, fitting and scoring fold by fold."""
    X, y = planted(90)
    found = ep.compare(
        X,
        y,
        methods=["mrmr"],
        estimators={"nb": GaussianNB()},
        cv=StratifiedKFold(3, shuffle=True, random_state=5),
        sizes=[2],
        random_state=5,
    )
    scores = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=5).split(X, y):
        columns = ep.MRMR(2).fit(X[train], y[train]).order_
        center, scale = X[train][:, columns].mean(axis=0), X[train][:, columns].std(axis=0)
        model = GaussianNB().fit((X[train][:, columns] - center) / scale, y[train])
        scores.append(model.score((X[test][:, columns] - center) / scale, y[test]))
    assert found["MRMR"].scores["nb"][:, 0] == pytest.approx(scores)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_take_categories_and_missing_values(name):
    """Texts, missing values, an empty column and levels that only the test rows have are no obstacle."""
    rng = np.random.default_rng(1)
    size = rng.standard_normal(90)
    size[::7] = np.nan
    site = rng.choice(["a", "b", None], 90)
    rare = np.array(["usual"] * 89 + ["once"], dtype=object)
    X = pd.DataFrame({"size": size, "site": site, "rare": rare, "empty": np.full(90, np.nan)})
    y = np.where(site == "a", "yes", "no")
    found = ep.compare(X, y, methods=["mim"], estimators=[name], folds=3, random_state=0)
    assert found.recommendation.n_features == 1
    assert found.consensus[0][0] == "site"


@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_take_categories(name):
    """The same for real targets."""
    rng = np.random.default_rng(1)
    site = rng.choice(["a", "b"], 90)
    X = pl.DataFrame({"noise": rng.standard_normal(90), "site": site})
    y = (site == "a") * 5.5 + rng.standard_normal(90) * 0.1
    found = ep.compare(X, y, methods=["mim"], estimators=[name], folds=3, random_state=0)
    assert found.consensus[0][0] == "site"
    assert found.recommendation.score > 0.9


@pytest.mark.slow
def test_containers_and_threads_change_nothing():
    """The same record for arrays, dataframes and sparse matrices, and for any number of threads."""
    X, y = planted(120)
    X = np.round(X, 1) * (np.abs(X) > 0.5)
    names = [f"x{j}" for j in range(10)]
    first = without_time(ep.compare(X, y, **FAST))
    tables = [
        pd.DataFrame(X, columns=names),
        pl.DataFrame(X, schema=names),
        scipy.sparse.csr_array(X),
        X.tolist(),
    ]
    for table in tables:
        assert without_time(ep.compare(table, y, **FAST)) == first
    assert without_time(ep.compare(X, y, n_jobs=2, **FAST)) == first


def without_time(found):
    plain = found.to_dict()
    for method in plain["methods"]:
        method.pop("seconds")
    return plain


def test_dict_is_the_agreed_form():
    """The plain form has the agreed keys and goes through JSON."""
    X, y = planted(90)
    found = ep.compare(X, y, **FAST)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert {
        "methods",
        "estimators",
        "scoring",
        "folds",
        "baseline",
        "chance",
        "agreement",
        "consensus",
    } < set(plain)
    method = plain["methods"][0]
    assert set(method) == {
        "name", "seconds", "order", "sizes", "scores", "stability", "n_features", "warnings"
    }  # fmt: skip
    assert method["sizes"] == [1, 2, 3, 4, 5, 6, 8, 10]
    assert len(method["scores"]["bayes"]["mean"]) == 8
    assert plain["agreement"]["values"][0][0] == 1.0
    assert set(plain["recommendation"]) == {
        "method", "n_features", "estimator", "score", "sentence", "code", "columns", "p_value",
        "interval",
    }  # fmt: skip
    assert plain["recommendation"]["sentence"] in str(found)


def test_a_warning_is_said_once():
    """With the numbers of all rows, not again with those of every fold."""
    pd = pytest.importorskip("pandas")
    X, y = planted(90)
    X = pd.DataFrame(X).add_prefix("x").assign(code=[f"p{i % 70}" for i in range(90)])
    [warning] = ep.compare(X, y, **FAST | {"methods": ["mim"], "sizes": [2]}).methods[0].warnings
    assert "'code'" in warning
    assert "in 90 rows" in warning


def test_each_method_has_its_number_of_columns():
    """By one rule: that of the recommended method is the recommendation; in noise there is none."""
    X, y = planted(150)
    found = ep.compare(X, y, methods=["cmim", "mim"], estimators=["bayes"], folds=3)
    assert found[found.recommendation.method].n_features == found.recommendation.n_features
    alone = ep.compare(X, y, methods=["cmim"], estimators=["bayes"], folds=3)
    assert found["CMIM"].n_features == alone.recommendation.n_features
    coin = np.random.default_rng(3).integers(0, 2, len(X))
    assert ep.compare(X, coin, methods=["mim"], estimators=["bayes"])["MIM"].n_features is None


def test_large_tables_are_scored_on_a_sample():
    """No more than `max_rows` rows are shared out; orders come from all."""
    X, y = planted(200)
    found = ep.compare(X, y, max_rows=60, **FAST)
    assert found.n_scored_rows == 60
    assert list(found["MIM"].order[:2]) == ep.select(X, y, measure="mim", cut=2).selected_names


def test_progress_counts_to_the_end():
    """The function is called for every step, including the last."""
    calls = []
    X, y = planted(60)
    ep.compare(X, y, progress=lambda *event: calls.append(event), **FAST)
    done = [n_done for _, n_done, _ in calls]
    assert done == sorted(done)
    assert calls[-1][1] == calls[-1][2]


def test_in_a_notebook_and_as_a_figure(capsys):
    """One line of progress, one of text, the report in a frame, and a curve per method."""
    X, y = planted(60)
    found = ep.compare(X, y, progress=True, **FAST)
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    last = shown.rstrip().rsplit("(", 1)[1]
    assert last.split(" of ")[0] == last.split(" of ")[1].rstrip(")")
    names = [method.name for method in found.methods]
    assert repr(found) == f"Comparison({len(names)} methods, {found.folds} folds: {', '.join(names)})"
    assert found._repr_html_().startswith('<iframe title="entropick" srcdoc="')
    pytest.importorskip("matplotlib").use("Agg")
    ax = found.plot()
    curves = {line.get_label(): line for line in ax.get_lines()}
    estimator = found.recommendation.estimator or found.estimators[0]
    for method in found.methods:
        x, scores = curves[method.name].get_data()
        assert list(x) == list(method.sizes)
        assert list(scores) == list(method.scores[estimator].mean(axis=0))
    with pytest.raises(ValueError, match=r"estimator must be one of .*, got 'oracle'"):
        found.plot(estimator="oracle")


def test_given_selectors_and_estimators():
    """Selectors are cloned and keep their parameters."""
    X, y = planted(90)
    given = ep.MIM(n_bins=3)
    found = ep.compare(X, y, methods={"three bins": given}, estimators=["bayes"], folds=2, random_state=0)
    assert [method.name for method in found.methods] == ["three bins"]
    assert not hasattr(given, "order_")
    assert given.n_features is None
    twice = ep.compare(X, y, methods=["mim", "MIM"], estimators=["bayes"], folds=2, random_state=0)
    assert len(twice.methods) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"methods": ["jmmi"]}, "no method named 'jmmi'. Hint: Did you mean"),
        ({"methods": []}, "At least one method is needed"),
        ({"methods": [ep.MIM(n_bins=3), ep.MIM(n_bins=5)]}, "Two methods are called MIM. Hint: give a dict"),
        ({"methods": [ep.FeatureSelector()]}, "n_features"),
        ({"estimators": ["ridge"]}, "no classifier named 'ridge'. Hint: .*logistic"),
        ({"estimators": []}, "At least one estimator is needed"),
        ({"folds": 1}, "folds must be at least 2"),
        ({"folds": 500}, "folds must be at least 2 and at most the number of rows"),
        ({"sizes": [0]}, "sizes must be from 1"),
        ({"sizes": []}, "at least one number"),
    ],
)
def test_refusals_name_the_way_out(change, message):
    """Wrong arguments are rejected with one sentence."""
    X, y = planted(60)
    with pytest.raises((ValueError, TypeError), match=message):
        ep.compare(X, y, **(FAST | change))


def test_targets_that_cannot_be_compared_by():
    """One class, and classes of too few rows."""
    X, _ = planted(12)
    with pytest.raises(DataError, match="only one class"):
        ep.compare(X, np.zeros(12, int), **FAST)
    with pytest.raises(DataError, match=r"No class has 3 rows or more.*target='real'"):
        ep.compare(X, np.arange(12), **FAST)


def test_lengths_must_agree():
    """A target of another length is refused as scikit-learn does it."""
    X, y = planted(60)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.compare(X, y[:-1], **FAST)


def test_rare_classes_are_said():
    """A class that cannot be in every fold is a warning, not an error."""
    X, y = planted(60)
    y[0] = 2
    with pytest.warns(SelectionWarning, match="1 of 3 classes have fewer rows than the 3 folds"):
        ep.compare(X, y, **FAST)


def test_a_method_that_fails_is_named():
    """What a method refuses is told with its name."""
    X = pd.DataFrame({"a": [1.0, np.inf] * 10, "b": range(20)})
    with pytest.raises(DataError, match="MIM cannot select from these data: Column 'a' holds an infinite"):
        ep.compare(X, [0, 1] * 10, methods=["mim"], estimators=["bayes"], folds=2)


def test_a_table_without_columns():
    """The sentence is that of `fit`."""
    X, y = planted(60)
    for table, target in [(X[:, :0], y), (pd.DataFrame({"y": y}), "y")]:
        with pytest.raises(DataError, match=r"Found array with 0 feature\(s\).*required by compare"):
            ep.compare(table, target, **FAST)


@pytest.mark.parametrize("estimator", ["logistic", "neighbors", "bayes"])
def test_a_class_with_a_single_row(estimator):
    """Where the training rows have one class only, it is the guess of every estimator."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    with pytest.warns(SelectionWarning, match="1 of 2 classes have fewer rows than the 3 folds"):
        found = ep.compare(X, np.eye(60)[0].astype(int), **(FAST | {"estimators": [estimator], "sizes": [1]}))
    assert found.recommendation.method is None


@pytest.mark.parametrize("estimator", ["logistic", "bayes"])
def test_huge_numbers(estimator):
    """Squares of them would overflow."""
    X, y = planted(60)
    found = ep.compare(X * 1e200, y, **(FAST | {"methods": ["mim"], "estimators": [estimator], "sizes": [2]}))
    assert sorted(found.recommended_columns) == ["x3", "x7"]


@pytest.mark.parametrize("power", [660, -660])
@pytest.mark.parametrize("container", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_units_change_no_bit(estimator, container, power):
    """A power of two leaves every prediction as it is, beside columns of usual size and missing values."""
    X, y = planted(60)
    X[:20, 4] = np.nan
    predictions = []
    for scale in (0, power):
        features = make_features(container(np.ldexp(X, np.where(np.arange(10) < 8, scale, 0))))
        model = with_preparation(CLASSIFIERS[estimator](0), features.is_category)
        values = features.take(np.arange(60), np.arange(10))
        predictions.append(model.fit(values, y).predict_proba(values))
    assert np.isfinite(predictions[1]).all()
    np.testing.assert_array_equal(*predictions)


def test_features_of_a_frame():
    """Categories become codes, missing values NaN."""
    features = make_features(pd.DataFrame({"a": ["x", None, "y"], "b": [1.5, np.nan, 2]}))
    assert features.is_category.tolist() == [True, False]
    np.testing.assert_array_equal(features.values, [[0, 1.5], [np.nan, np.nan], [1, 2]])


# -- methods by name -----------------------------------------------------------------------------


def test_methods_have_all_selectors():
    """Every public selector but the free combination and the one around others is a method by name."""
    public = {name for name in ep.__all__ if hasattr(getattr(ep, name), "get_support")}
    assert set(METHODS) == public - {"FeatureSelector", "StabilitySelector"}


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_described(name):
    """Each has a line and the names of its parts."""
    info = describe(METHODS[name]())
    assert info.name == name
    assert len(info.summary) > 10
    assert info.measure in ep.registry.MEASURES
    assert info.search in ep.registry.SEARCHES
    assert info.own_rule is None or info.own_rule in ep.registry.CUTS


def test_method_names_are_forgiving():
    """Case, hyphens and the final FS do not matter."""
    assert method_named("renyi") is method_named("RenyiFS") is method_named("renyi-fs") is ep.RenyiFS
    assert method_named("fisher_score") is ep.FisherScore


# -- scores and splits ---------------------------------------------------------------------------


def rare_class(n_rows=6000, n_rare=60, seed=0):
    """Two columns of six tell of a rare class, none of them surely."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n_rows, int)
    y[rng.choice(n_rows, n_rare, replace=False)] = 1
    X = rng.standard_normal((n_rows, 6))
    X[:, 1] += 1.3 * y
    X[:, 4] -= 1.1 * y
    return X, y


@pytest.mark.slow
def test_a_rare_class_is_found():
    """One row in a hundred: accuracy sees nothing, balanced accuracy, the default, sees the columns."""
    X, y = rare_class()
    fast = FAST | {"methods": ["mim"], "estimators": ["logistic", "bayes", "neighbors"]}
    found = ep.compare(X, y, max_rows=2000, **fast)
    assert found.scoring == "balanced_accuracy"
    assert found.chance == pytest.approx(0.5)
    assert found.n_scored_rows == 2000
    assert set(found["MIM"].order[:2]) == {"x1", "x4"}
    assert found.recommendation.n_features in (2, 3)
    assert found.recommendation.score > 0.75
    assert "a balanced accuracy of" in found.recommendation.sentence
    blind = ep.compare(X, y, max_rows=2000, scoring="accuracy", **fast)
    assert blind.recommendation.method is None
    assert "Nothing was found" in blind.recommendation.sentence


@pytest.mark.slow
def test_nothing_is_found_for_a_rare_class_in_noise():
    """Balanced accuracy of few rows varies much, and that is not taken for a finding."""
    X, y = rare_class(3000, 30)
    y = np.random.default_rng(1).permutation(y)
    assert ep.compare(X, y, **FAST).recommendation.method is None


@pytest.mark.slow
def test_noise_is_mistaken_for_a_finding_one_time_in_twenty():
    """The rule holds its level, whatever the score: of 8 noise tables at most 2 (level 5 %: p = 0.006)."""
    rng = np.random.default_rng(100)
    found = 0
    for trial in range(8):
        X, y = rng.standard_normal((60, 12)), rng.random(60) < 0.3
        scoring = ("roc_auc", "balanced_accuracy")[trial % 2]
        fast = FAST | {"methods": ["mim"], "sizes": [1, 3, 8], "random_state": trial}
        found += ep.compare(X, y, scoring=scoring, **fast).recommendation.n_features > 0
    assert found <= 2


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", "neg_log_loss", "average_precision"])
def test_any_score_of_scikit_learn(scoring):
    """The folds' scores are those of the scorer, guessing is scored by it too."""
    X, y = planted(120)
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    fast = FAST | {"estimators": {"nb": GaussianNB()}, "sizes": [2]}
    found = ep.compare(X, y, scoring=scoring, cv=cv, **fast)
    scores, guesses = [], []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        columns = ep.MIM(2).fit(X[train], y[train]).order_
        center, scale = X[train][:, columns].mean(axis=0), X[train][:, columns].std(axis=0)
        model = GaussianNB().fit((X[train][:, columns] - center) / scale, y[train])
        scores.append(get_scorer(scoring)(model, (X[test][:, columns] - center) / scale, y[test]))
        guess = DummyClassifier(strategy="prior").fit(X[train], y[train])
        guesses.append(get_scorer(scoring)(guess, X[test], y[test]))
    assert found.scoring == scoring
    assert found["MIM"].scores["nb"][:, 0] == pytest.approx(scores)
    assert found.chance == pytest.approx(np.mean(guesses))
    assert found.recommendation.n_features == 2
    assert scoring in found.recommendation.sentence


def test_functions_see_the_classes_as_they_came():
    """A scorer with a class of its own in mind gets texts."""
    X, y = planted(240)
    labels = np.where(y == 1, "yes", "no")
    scorer = make_scorer(f1_score, pos_label="no")
    found = ep.compare(X, labels, scoring=scorer, **FAST)
    assert found.scoring == "f1_score"
    assert found.recommendation.n_features in (2, 3)


@pytest.mark.slow
def test_splitters():
    """Groups of rows stay together, time goes forward, splits may be given."""
    X, y = planted(120)
    groups = np.arange(120) // 10
    apart = ep.compare(X, y, cv=GroupKFold(4), groups=groups, **FAST)
    splits = list(GroupKFold(4).split(X, y, groups))
    assert without_time(ep.compare(X, y, cv=splits, **FAST)) == without_time(apart)
    assert apart.folds == 4
    assert ep.compare(X, y, cv=TimeSeriesSplit(3), **FAST).folds == 3
    assert without_time(ep.compare(X, y, **(FAST | {"cv": 4}))) == without_time(
        ep.compare(X, y, **(FAST | {"folds": 4}))
    )
    sampled = ep.compare(X, y, cv=splits, max_rows=80, **FAST)
    assert (sampled.n_scored_rows, sampled.folds) == (80, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scoring": "acuracy"}, "There is no score named 'acuracy'. Hint: Did you mean 'accuracy'"),
        ({"scoring": "adjusted"}, "All names are those of sklearn.metrics.get_scorer_names"),
        ({"cv": GroupKFold(3)}, "cannot split 60 rows.*Hint: pass groups"),
        ({"cv": [(range(30), range(30, 60))]}, "cv must give at least two splits"),
        ({"groups": [1, 2]}, "inconsistent numbers of samples"),
        ({"scoring": lambda estimator, X, y: np.nan}, "is not a number"),
        ({"scoring": lambda estimator, X, y: estimator.no_such_thing}, "cannot be computed for"),
    ],
)
def test_scores_and_splits_that_cannot_be(change, message):
    """Refused with one sentence that names the way out."""
    X, y = planted(60)
    with pytest.raises((ValueError, TypeError), match=message):
        ep.compare(X, y, **(FAST | change))


def test_the_code_of_a_recommendation_selects_its_columns():
    """With the parameters of the selector that was given; the name in the comparison is the user's own."""
    X, y = ep.datasets.make_corral(random_state=0)
    found = ep.compare(X, y, methods={"mine": ep.JMI(n_bins=3)}, estimators=["tree"], random_state=0)
    code = found.recommendation.code
    assert code == f"ep.JMI({found.recommendation.n_features}, n_bins=3)"
    assert tuple(eval(code, {"ep": ep}).fit(X, y).selection_.selected_names) == found.recommended_columns


@pytest.mark.parametrize(
    "selector",
    [
        ep.SwarmFS(3, measure=ep.measures.Renyi(alpha=2), random_state=1),
        ep.StabilitySelector(ep.CMIM("residual", binning="uniform"), 10, threshold=0.75),
        ep.JMI(fixed_features=["a", 'quoted "b"'], n_jobs=2, progress=True),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_code_makes_an_equal_selector(selector):
    """Except for parameters that change no result."""
    again = eval(selector_code(selector), {"ep": ep})
    assert repr(again) == repr(clone(selector).set_params(n_jobs=None, progress=None))

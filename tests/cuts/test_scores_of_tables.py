"""Scores of a table larger than the sample are about the whole table: score, guessing, largest class."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score
from sklearn.model_selection import KFold, StratifiedKFold, TimeSeriesSplit
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick.evaluation.resample import MAX_ROWS


def by_hand(X, y, scoring):
    """Scores of a ridge regression and nearest neighbours, cross-validated on all rows of the table.

    They learn from as many rows as the cut's models do, of all classes alike for balanced accuracy, and
    predict every row of the table.
    """
    is_class = scoring != "R²"
    goal = np.eye(y.max() + 1)[y] if is_class else y[:, None]
    found = np.empty((2, *goal.shape))
    splitter = (StratifiedKFold if is_class else KFold)(5, shuffle=True, random_state=0)
    rng = np.random.default_rng(0)
    for train, test in splitter.split(X, y):
        train = rng.permutation(train)
        if scoring == "balanced accuracy":
            train = np.concatenate([train[y[train] == c][: n_of_class(y, c)] for c in np.unique(y)])
        else:
            train = train[: MAX_ROWS * 4 // 5]
        scaler = StandardScaler().fit(X[train])
        weights = (
            1 / np.bincount(y[train])[y[train]] if scoring == "balanced accuracy" else np.ones(len(train))
        )
        learn, predict = scaler.transform(X[train]), scaler.transform(X[test])
        ridge = Ridge(0.02 * len(train)).fit(learn, goal[train], weights / weights.mean())
        found[0, test] = ridge.predict(predict).reshape(len(test), -1)
        rows = KNeighborsRegressor(5).fit(learn, goal[train]).kneighbors(predict)[1]
        shares = weights[rows][:, :, None]
        found[1, test] = (goal[train][rows] * shares).sum(axis=1) / shares.sum(axis=1)
    if not is_class:
        return [r2_score(y, one[:, 0]) for one in found]
    score = balanced_accuracy_score if scoring == "balanced accuracy" else accuracy_score
    return [score(y, one.argmax(axis=1)) for one in found]


def n_of_class(y, c):
    """Training rows of a class if 2,000 rows are shared out evenly, as far as classes have them."""
    sizes = np.bincount(y)
    share = next(n for n in range(MAX_ROWS, 0, -1) if np.minimum(sizes, n).sum() <= MAX_ROWS)
    return min(int(sizes[c]), share) * 4 // 5


def rare_class(seed=0, n_rows=12_000):
    """Two classes, 5 % of the rows in the second."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 8))
    signal = X[:, 0] + 0.8 * X[:, 1] + 1.5 * rng.normal(size=n_rows)
    return X, (signal > np.quantile(signal, 0.95)).astype(int)


def four_classes(seed=0, n_rows=12_000):
    """Classes of 70, 20, 8 and 2 % of the rows."""
    rng = np.random.default_rng(seed)
    y = rng.choice(4, n_rows, p=[0.7, 0.2, 0.08, 0.02])
    X = rng.normal(size=(n_rows, 8))
    X[:, :3] += 1.5 * (y[:, None] == np.arange(3))
    return X, y


def nearly_even(seed=0, n_rows=12_000):
    """Two classes, 64 : 36."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 8))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=n_rows) > 0.62).astype(int)


def many_classes(seed=0, n_rows=20_000):
    """Four hundred classes, most of them rare; the columns tell the larger ones apart."""
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.geometric(0.05, n_rows) - 1, 399)
    y[:800] = np.arange(800) % 400
    X = rng.normal(size=(n_rows, 6))
    X[:, 0] += 4 * (y % 4)
    X[:, 1] += 4 * (y // 4 % 4)
    return X, y


def mostly_zeros(seed=0, n_rows=12_000):
    """A real target that is 0 in four of five rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 8))
    return X, np.maximum(0, X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n_rows) - 1.2)


TABLES = [
    (rare_class, "balanced accuracy", 0.5, 0.025),
    (four_classes, "balanced accuracy", 0.25, 0.025),
    (nearly_even, "accuracy", None, 0.025),
    (many_classes, "accuracy", None, 0.03),
    (mostly_zeros, "R²", 0.0, 0.05),
]


@pytest.mark.parametrize(
    ("make", "scoring", "guess", "error"), TABLES, ids=lambda value: getattr(value, "__name__", "")
)
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_the_sentence_is_about_the_table(make, scoring, guess, error):
    """A sample is predicted, but score, guessing and largest class are those of all rows."""
    X, y = make()
    selection = ep.MIM("auto", target="real" if scoring == "R²" else "class").fit(X, y).selection_
    found = selection.evidence
    largest = None if scoring == "R²" else np.bincount(y).max() / len(y)
    assert found.scoring == scoring
    assert (found.n_rows, found.n_table_rows) == (MAX_ROWS, len(y))
    assert found.largest_class == (None if largest is None else pytest.approx(largest))
    assert found.scores[0] == pytest.approx(largest if guess is None else guess)
    told = [scores[found.sizes.index(found.n_chosen)] for scores in found.by_model.values()]
    assert told == pytest.approx(by_hand(X[:, selection.order], y, scoring), abs=error)
    assert found.score_of(found.n_chosen) == max(told)
    model = "a linear model" if told[0] == max(told) else "nearest neighbours"
    assert f": {scoring} of {model} is {max(told):.3f}" in selection.reason
    assert f"guessing gives {found.scores[0]:.3f}" in selection.reason
    assert f"a sample of 2,000 of {len(y):,} rows" in selection.reason
    said = f"the largest class has {100 * (largest or 0):.1f} % of the rows" in selection.reason
    assert said == (scoring == "balanced accuracy")


@pytest.mark.slow
def test_one_table_has_one_score_whatever_its_size():
    """The same classes, 5 : 95, are judged by the same score on either side of the size of the sample."""
    X, y = rare_class()
    for n_rows in (MAX_ROWS - 100, MAX_ROWS + 100):
        found = ep.MIM("auto").fit(X[:n_rows], y[:n_rows]).selection_.evidence
        assert (found.scoring, found.scores[0]) == ("balanced accuracy", 0.5)


def test_guessing_is_exact_where_classes_are_equal():
    """Half, not 0.497: folds without the guess of the table are no evidence against it."""
    X = np.random.default_rng(0).normal(size=(301, 4))
    y = (np.argsort(np.argsort(X[:, 0])) % 2 == 0).astype(int)
    X[:, 1] += 2 * y
    assert ep.MIM("auto").fit(X, y).selection_.evidence.scores[0] == 151 / 301


def test_balanced_accuracy_is_that_of_scikit_learn():
    """Also where classes have fewer than ten rows, which weigh less in the loss."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [150, 12, 4])
    X = rng.normal(size=(len(y), 4))
    X[:, 0] += 3 * (y == 1)
    found = ep.MIM("auto").fit(X, y).selection_.evidence
    assert found.scoring == "balanced accuracy"
    assert found.scores[0] == pytest.approx(1 / 3)
    assert 0.55 < max(found.scores) < 0.72  # the third class, of four rows, is hardly ever found


def test_compare_names_the_largest_class():
    X, y = rare_class(n_rows=6000)
    found = ep.compare(pd.DataFrame(X), y, methods=["mim"], estimators=["tree"], sizes=[1, 2], random_state=0)
    assert found.scoring == "balanced_accuracy"
    assert "guessing 0.500, the largest class has 95.0 % of the rows." in found.recommendation.sentence


@pytest.mark.slow
def test_compare_of_many_classes_is_by_accuracy():
    """And the accuracy of guessing is the share of the table's largest class."""
    X, y = many_classes()
    with pytest.warns(UserWarning, match="classes have fewer rows than the 5 folds"):
        found = ep.compare(
            X, y, methods=["mim"], estimators=["bayes"], sizes=[2], target="class", random_state=0
        )
    assert found.scoring == "accuracy"
    assert found.chance == pytest.approx(np.bincount(y).max() / len(y), abs=0.002)
    assert found.recommendation.score > 2 * found.chance


def test_the_record_names_the_columns_that_the_scores_are_about():
    """Those selected without each fold, which may be others than those of all rows."""
    X, y = four_classes(n_rows=400)
    found = ep.MIM("auto", feature_groups=[[0, 3], [1, 4]]).fit(X, y).selection_.evidence
    assert len(found.by_fold) == found.n_folds * found.n_repeats
    for columns in found.by_fold:
        assert len(columns) >= found.n_chosen
        assert (0 in columns) == (3 in columns)
    alone = ep.MIM("auto").fit(X, y).selection_
    assert all(len(columns) == alone.n_kept for columns in alone.evidence.by_fold)


def test_a_sample_in_the_order_of_time():
    """Of a large table the sentence says how many rows were sampled, and how many of them predicted."""
    X = np.random.default_rng(0).normal(size=(MAX_ROWS + 400, 2))
    cut = ep.cuts.HeldOut(cv=TimeSeriesSplit(3))
    reason = ep.select(X, X[:, 0] > 0, measure="mim", cut=cut).reason
    assert "(1,500 rows predicted from earlier ones of a sample of 2,000 of 2,400)" in reason

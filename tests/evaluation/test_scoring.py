"""Scores that fit the target."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.naive_bayes import GaussianNB

from entropick.comparison.estimators import EqualClasses
from entropick.comparison.scores import VECTORIZED, CachedPredictions, ShuffledScores
from entropick.evaluation.scoring import resolve_scoring, scoring_name


def test_unknown_scores_are_refused_with_near_names():
    """One sentence, with what may have been meant."""
    message = "There is no score named 'balanced_acuracy'. Hint: Did you mean 'balanced_accuracy'"
    with pytest.raises(ValueError, match=message):
        resolve_scoring("balanced_acuracy")


def test_scores_have_names():
    """Names stay, scorers are called after their function."""
    assert scoring_name("roc_auc") == "roc_auc"
    assert scoring_name(make_scorer(f1_score, pos_label=1)) == "f1_score"

    def profit(estimator, X, y):
        return 0.0

    assert scoring_name(profit) == "profit"
    assert resolve_scoring(profit) is profit


@pytest.mark.parametrize("name", VECTORIZED)
@pytest.mark.parametrize("seed", range(5))
def test_scores_at_once_are_those_of_scikit_learn(name, seed):
    """The usual scores of all shuffles are what scikit-learn's scorer gives one by one."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 3))
    y = X[:, 0] + rng.standard_normal(60) if name == "r2" else rng.choice([0, 1, 1, 1, 2], 60)
    model = (Ridge() if name == "r2" else GaussianNB()).fit(X[:30], y[:30])
    test = np.arange(30, 60)
    fast = ShuffledScores(name, y, [test], 6, seed).of(model, X[test], 0, "model")
    slow = ShuffledScores(get_scorer(name), y, [test], 6, seed).of(model, X[test], 0, "model")
    assert fast == pytest.approx(slow, abs=1e-12)
    assert fast[0] == pytest.approx(get_scorer(name)(model, X[test], y[test]), abs=1e-12)
    assert len(set(fast)) > 1


@pytest.mark.parametrize("name", ["roc_auc", "neg_log_loss", "f1", "accuracy"])
def test_cached_predictions_change_no_score(name):
    """A scorer sees the estimator's own answers, each computed once."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 2))
    y = (X[:, 0] + rng.standard_normal(80) > 0).astype(int)
    model = GaussianNB().fit(X, y)
    cached = CachedPredictions(model, X)
    assert get_scorer(name)(cached, X, y) == get_scorer(name)(model, X, y)
    assert get_scorer(name)(cached, X[:50], y[:50]) == get_scorer(name)(model, X[:50], y[:50])
    with pytest.raises(AttributeError):
        cached.decision_function  # noqa: B018


def test_equal_classes_find_rare_ones():
    """Probabilities divided by the shares of classes are those of a table with equal classes."""
    rng = np.random.default_rng(0)
    y = (rng.random(4000) < 0.02).astype(int)
    X = rng.standard_normal((4000, 1)) + 1.5 * y[:, None]
    score = get_scorer("balanced_accuracy")
    plain, equal = LogisticRegression().fit(X, y), EqualClasses(LogisticRegression()).fit(X, y)
    assert score(plain, X, y) < 0.55
    assert score(equal, X, y) > 0.72  # the best rule, x > 0.75, reaches 0.773
    odds = plain.predict_proba(X)[:, 1] / plain.predict_proba(X)[:, 0] * (1 - y.mean()) / y.mean()
    assert equal.predict_proba(X)[:, 1] == pytest.approx(odds / (1 + odds))

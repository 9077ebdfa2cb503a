"""Scores that fit the target."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, get_scorer, make_scorer

from entropick.evaluation.estimators import EqualClasses
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

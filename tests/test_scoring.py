"""Scores that fit the target."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, make_scorer

from entropick.scoring import default_scoring, resolve_scoring, scoring_name
from entropick.table.target import encode_target


@pytest.mark.parametrize(
    ("sizes", "scoring"),
    [
        ([50, 50], "accuracy"),
        ([63, 37], "accuracy"),
        ([68, 32], "accuracy"),
        ([69, 31], "balanced_accuracy"),
        ([99_880, 120], "balanced_accuracy"),
        ([50] * 9 + [2], "accuracy"),
        ([200, 20, 20], "balanced_accuracy"),
    ],
)
def test_unequal_classes_are_scored_by_balanced_accuracy(sizes, scoring):
    """Accuracy flatters where one class holds most rows; one rare class beside many changes nothing."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    assert default_scoring(encode_target(y)) == scoring


def test_real_targets_are_scored_by_r2():
    """A real target is no class, whatever it is cut into."""
    assert default_scoring(encode_target(np.linspace(0, 1, 50))) == "r2"


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

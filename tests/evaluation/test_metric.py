"""Scores that fit the target."""

import numpy as np
import pytest

from entropick.evaluation.metric import default_scoring, guessing_score, largest_share
from entropick.table.encoding.target import encode_target


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
        ([5000] + [10] * 199, "balanced_accuracy"),
        ([5000] + [10] * 200, "accuracy"),
    ],
)
def test_unequal_classes_are_scored_by_balanced_accuracy(sizes, scoring):
    """Accuracy flatters where one class holds most rows; one rare class beside many changes nothing.
    Of hundreds of classes each has too few rows to be judged alone."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    assert default_scoring(encode_target(y)) == scoring


def test_real_targets_are_scored_by_r2():
    """A real target is no class, whatever it is cut into."""
    assert default_scoring(encode_target(np.linspace(0, 1, 50))) == "r2"


@pytest.mark.parametrize(
    ("sizes", "guess", "largest"),
    [
        ([60, 40], 0.6, 0.6),
        ([95, 5], 0.5, 0.95),
        ([80, 10, 10], 1 / 3, 0.8),
        ([5000] + [10] * 250, 2 / 3, 2 / 3),
    ],
)
def test_what_guessing_has(sizes, guess, largest):
    """The largest class, whatever it is; each class in turn where all weigh the same."""
    target = encode_target(np.repeat(np.arange(len(sizes)), sizes))
    assert guessing_score(target) == pytest.approx(guess)
    assert largest_share(target) == pytest.approx(largest)


def test_guessing_the_mean_explains_nothing():
    target = encode_target(np.linspace(0, 1, 50))
    assert guessing_score(target) == 0.0
    assert largest_share(target) is None

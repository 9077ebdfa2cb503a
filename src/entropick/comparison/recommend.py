"""Which method, how many columns: the smallest size that is as good as the best, if any beats guessing."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from entropick.comparison.record import Recommendation

SIGNIFICANCE = 0.05  # chance that something is recommended although the columns tell nothing


@dataclass(frozen=True)
class FoldScores:
    """Losses of every scored row, for every method, estimator and size.

    Attributes
    ----------
    truth : codes of the classes, or real values
    is_class : whether it is classes
    tests : the rows of each fold
    estimators, sizes : what was tried
    losses : (methods, estimators, sizes, rows)
    baseline_losses : (estimators, rows), with all columns
    chance_losses : (rows,), without any
    """

    truth: np.ndarray
    is_class: bool
    tests: list[np.ndarray]
    estimators: tuple[str, ...]
    sizes: tuple[int, ...]
    losses: np.ndarray
    baseline_losses: np.ndarray
    chance_losses: np.ndarray

    @property
    def scoring(self) -> str:
        return "accuracy" if self.is_class else "r2"

    @property
    def unit(self) -> str:
        """The score in words."""
        return "an accuracy" if self.is_class else "an R²"

    def scores(self, losses: np.ndarray) -> np.ndarray:
        """Score of each fold, in the place of the rows: accuracy or R²."""
        by_fold = np.stack([losses[..., test].mean(axis=-1) for test in self.tests], axis=-1)
        if self.is_class:
            return 1 - by_fold
        spread = np.array([self.truth[test].var() for test in self.tests])
        return 1 - by_fold / np.where(spread > 0, spread, 1.0)

    def beats_chance(self) -> np.ndarray:
        """Which cells, (methods, estimators, sizes), do better than guessing beyond doubt.

        Rows are paired with themselves: the mean gain over guessing against its standard error. With so many
        cells the best of them looks good by chance alone, so the bar is raised by their number (Bonferroni).
        """
        gains = self.chance_losses - self.losses
        errors = gains.std(axis=-1, ddof=1) / np.sqrt(gains.shape[-1])
        bar = norm.isf(SIGNIFICANCE / errors.size)
        return gains.mean(axis=-1) > bar * errors


def recommend(cells: FoldScores, methods: list[str], n_columns: int) -> Recommendation:
    """The smallest size within one standard error of the best mean score, and its best method."""
    scores = cells.scores(cells.losses)
    means = np.where(cells.beats_chance(), scores.mean(axis=-1), -np.inf)
    chance = float(cells.scores(cells.chance_losses).mean())
    if not np.isfinite(means).any():
        return Recommendation(None, 0, None, chance, _nothing_found(cells, chance))
    best = np.unravel_index(means.argmax(), means.shape)
    error = float(scores[best].std(ddof=1) / np.sqrt(scores.shape[-1]))
    s = int(np.flatnonzero((means >= means[best] - error).any(axis=(0, 1)))[0])
    m, e = (int(place) for place in np.unravel_index(means[:, :, s].argmax(), means.shape[:2]))
    size, score, estimator = cells.sizes[s], float(means[m, e, s]), cells.estimators[e]
    if score == means[best]:
        reason = "the best result found"
    else:
        rival = f"{methods[best[0]]}, {counted_columns(cells.sizes[best[2]])}, {cells.estimators[best[1]]}"
        reason = f"within one standard error ({error:.3f}) of the best found, {means[best]:.3f} ({rival})"
    first, them = ("the first column", "it") if size == 1 else (f"the first {size} columns", "them")
    with_all = float(cells.scores(cells.baseline_losses[e]).mean())
    sentence = (
        f"Take {first} of {methods[m]}: {estimator} reaches {cells.unit} of {score:.3f} with {them}, "
        f"{reason}; with all {counted_columns(n_columns)} it reaches {with_all:.3f}, guessing {chance:.3f}."
    )
    return Recommendation(methods[m], size, estimator, score, sentence)


def _nothing_found(cells: FoldScores, chance: float) -> str:
    return (
        "Nothing was found: no method, with any number of columns, predicts the target better than guessing "
        f"({cells.unit} of {chance:.3f}) beyond what chance explains."
    )


def counted_columns(n: int) -> str:
    """1 column, 2 columns."""
    return f"{n} column{'' if n == 1 else 's'}"

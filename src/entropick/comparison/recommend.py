"""Which method, how many columns: the smallest size that is as good as the best, if any beats guessing."""

from dataclasses import dataclass

import numpy as np

from entropick.comparison.record import Recommendation
from entropick.wording import beside_guessing

# With so many shuffles of the held-out labels something is recommended although the columns tell nothing in
# about one of N_SHUFFLES + 1 comparisons. Only about: folds share training rows, so predictions of one fold
# have seen labels of the others. Of 371 noise tables (60 to 300 rows; classes and real values) 17 were
# mistaken.
N_SHUFFLES = 19


@dataclass(frozen=True)
class FoldScores:
    """The score of each fold, for every method, estimator and size.

    Attributes
    ----------
    scoring : name of the score
    estimators, sizes : what was tried
    scores : (methods, estimators, sizes, folds)
    shuffled : (shuffles, methods, estimators, sizes, folds), with the labels of the test rows shuffled
    baseline : (estimators, folds), with all columns
    chance : (folds,), without any
    """

    scoring: str
    estimators: tuple[str, ...]
    sizes: tuple[int, ...]
    scores: np.ndarray
    shuffled: np.ndarray
    baseline: np.ndarray
    chance: np.ndarray

    def beats_chance(self) -> np.ndarray:
        """Which cells, (methods, estimators, sizes), do better than guessing beyond doubt.

        They must do better than the best of all cells does on shuffled labels, each time: with so many cells
        the best of them looks good by chance alone. It serves any score, since nothing is assumed about
        its distribution. And they must do better, by two standard errors, than an estimator that sees no
        column: where classes are unequal guessing may be hard to beat even for columns that tell.
        """
        beats_shuffles = self.scores.mean(axis=-1) > self.shuffled.mean(axis=-1).max()
        gains = self.scores - self.chance
        return np.asarray(beats_shuffles & (gains.mean(axis=-1) > 2 * _standard_error(gains)))

    def told(self, score: float) -> str:
        """A score in words."""
        known = {"accuracy": "an accuracy", "balanced_accuracy": "a balanced accuracy", "r2": "an R²"}
        if self.scoring in known:
            return f"{known[self.scoring]} of {score:.3f}"
        return f"a score ({self.scoring}) of {score:.4g}"


def recommend(
    cells: FoldScores, methods: list[str], n_columns: int, largest_class: float | None
) -> Recommendation:
    """The smallest size within one standard error of the best mean score, and its best method."""
    means = np.where(cells.beats_chance(), cells.scores.mean(axis=-1), -np.inf)
    chance = float(cells.chance.mean())
    if not np.isfinite(means).any():
        return Recommendation(None, 0, None, chance, _nothing_found(cells, chance))
    best = np.unravel_index(means.argmax(), means.shape)
    error = float(_standard_error(cells.scores[best]))
    s = int(np.flatnonzero((means >= means[best] - error).any(axis=(0, 1)))[0])
    m, e = (int(place) for place in np.unravel_index(means[:, :, s].argmax(), means.shape[:2]))
    size, score, estimator = cells.sizes[s], float(means[m, e, s]), cells.estimators[e]
    if score == means[best]:
        reason = "the best result found"
    else:
        rival = f"{methods[best[0]]}, {counted_columns(cells.sizes[best[2]])}, {cells.estimators[best[1]]}"
        reason = f"within one standard error ({error:.3f}) of the best found, {means[best]:.3f} ({rival})"
    first, them = ("the first column", "it") if size == 1 else (f"the first {size} columns", "them")
    with_all = float(cells.baseline[e].mean())
    sentence = (
        f"Take {first} of {methods[m]}: {estimator} reaches {cells.told(score)} with {them}, "
        f"{reason}; with all {counted_columns(n_columns)} it reaches {with_all:.3f}, guessing {chance:.3f}"
        f"{beside_guessing(cells.scoring, largest_class)}."
    )
    return Recommendation(methods[m], size, estimator, score, sentence)


def _standard_error(by_fold: np.ndarray) -> np.ndarray:
    """Of the mean over the folds, which come last."""
    return np.asarray(by_fold.std(axis=-1, ddof=1) / np.sqrt(by_fold.shape[-1]))


def _nothing_found(cells: FoldScores, chance: float) -> str:
    return (
        "Nothing was found: no method, with any number of columns, predicts the target better than guessing "
        f"({cells.told(chance)}) beyond what chance explains."
    )


def counted_columns(n: int) -> str:
    """1 column, 2 columns."""
    return f"{n} column{'' if n == 1 else 's'}"

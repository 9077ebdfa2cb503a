"""Recommend a method and a number of columns, if any beats guessing."""

from dataclasses import dataclass

import numpy as np

from entropick._base.wording import beside_guessing, counted
from entropick.comparison.record import Recommendation
from entropick.evaluation.how_many import choose_size, standard_error

# With this many shuffles of the held-out labels, about one of N_SHUFFLES + 1 comparisons of noise recommends
# something. The level is not exact: folds share training rows, so predictions of one fold depend on labels of
# the others. It happened for 17 of 371 noise tables (60 to 300 rows; classes and real values).
N_SHUFFLES = 19
IN_WORDS = {"accuracy": "an accuracy", "balanced_accuracy": "a balanced accuracy", "r2": "an R²"}


@dataclass(frozen=True)
class FoldScores:
    """The score of each fold, for every method, estimator and size.

    Attributes
    ----------
    scoring : name of the score
    estimators, sizes : names of the estimators, and numbers of columns
    scores : (methods, estimators, sizes, folds)
    shuffled : (shuffles, methods, estimators, sizes, folds), with the labels of the test rows shuffled
    baseline : (estimators, folds), with all columns
    chance : (folds,), of guessing
    """

    scoring: str
    estimators: tuple[str, ...]
    sizes: tuple[int, ...]
    scores: np.ndarray
    shuffled: np.ndarray
    baseline: np.ndarray
    chance: np.ndarray

    def beats_chance(self) -> np.ndarray:
        """Which cells, (methods, estimators, sizes), are significantly better than guessing.

        They must beat the best of all cells on every shuffle of the labels, since the best of many cells
        looks good by chance. This makes no assumption about the distribution of the score. They must also
        beat guessing by two standard errors: with imbalanced classes it may be hard to beat even for
        informative columns.
        """
        beats_shuffles = self.scores.mean(axis=-1) > self.shuffled.mean(axis=-1).max()
        gains = self.scores - self.chance
        return np.asarray(beats_shuffles & (gains.mean(axis=-1) > 2 * standard_error(gains)))

    def losses(self, scores: np.ndarray) -> np.ndarray:
        """Losses by fold, (..., folds), relative to the loss of guessing.

        The highest possible score is 1 for the usual scores; for others it is unknown, and assumed to be
        twice as far from guessing as the best score found.
        """
        chance, best = self.chance.mean(), scores.mean(axis=-1).max()
        highest = 1.0 if self.scoring in IN_WORDS else 2 * best - chance
        return np.asarray((highest - scores) / (highest - chance))

    def in_words(self, score: float) -> str:
        """Format a score with its name."""
        if self.scoring in IN_WORDS:
            return f"{IN_WORDS[self.scoring]} of {score:.3f}"
        return f"a score ({self.scoring}) of {score:.4g}"


def recommend(
    cells: FoldScores, methods: list[str], n_columns: int, largest_class: float | None
) -> Recommendation:
    """Choose a size by the rule of `evaluation.how_many`, from the best method and estimator of each size."""
    means = np.where(cells.beats_chance(), cells.scores.mean(axis=-1), -np.inf)
    chance = float(cells.chance.mean())
    if not np.isfinite(means).any():
        return Recommendation(None, 0, None, chance, _nothing_found(cells, chance))
    found = np.flatnonzero(np.isfinite(means).any(axis=(0, 1)))  # sizes that beat chance
    champions = [np.unravel_index(means[:, :, s].argmax(), means.shape[:2]) for s in found]
    by_fold = np.array([cells.scores[*champion, s] for champion, s in zip(champions, found, strict=True)])
    choice = choose_size(cells.losses(by_fold))
    (m, e), s = champions[choice.kept], found[choice.kept]
    size, score, estimator = cells.sizes[s], float(means[m, e, s]), cells.estimators[e]
    if choice.kept == choice.best:
        reason = "the best result found"
    else:
        (rival_m, rival_e), rival_s = champions[choice.best], found[choice.best]
        rival = f"{methods[rival_m]}, {counted(cells.sizes[rival_s], 'column')}, {cells.estimators[rival_e]}"
        reason = f"as good, within one standard error, as the best found, {means.max():.3f} ({rival})"
    first, them = ("the first column", "it") if size == 1 else (f"the first {size} columns", "them")
    with_all = float(cells.baseline[e].mean())
    sentence = (
        f"Take {first} of {methods[m]}: {estimator} reaches {cells.in_words(score)} with {them}, "
        f"{reason}; with all {counted(n_columns, 'column')} it reaches {with_all:.3f}, guessing {chance:.3f}"
        f"{beside_guessing(cells.scoring, largest_class)}."
    )
    return Recommendation(methods[m], size, estimator, score, sentence)


def _nothing_found(cells: FoldScores, chance: float) -> str:
    return (
        "Nothing was found: no method, with any number of columns, predicts the target better than guessing "
        f"({cells.in_words(chance)}) beyond what chance explains."
    )

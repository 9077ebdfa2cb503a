"""Recommend a method and a number of columns, if any beats guessing."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from entropick._base.wording import beside_guessing, counted, interval_in_words
from entropick.comparison.record import Recommendation
from entropick.evaluation.how_many import Choice, choose_size
from entropick.evaluation.task import Task, largest_share

LEVEL = 0.05  # probability of recommending anything if the columns are uninformative
IN_WORDS = {"accuracy": "an accuracy", "balanced_accuracy": "a balanced accuracy", "r2": "an R²"}


@dataclass(frozen=True)
class Cells:
    """Predictions and scores of every method, estimator and size.

    Attributes
    ----------
    task : what was predicted
    scoring : name of the score
    methods, estimators, sizes : names of the methods and estimators, and numbers of columns
    predictions : (methods, estimators, sizes, predictions, goals), see `evaluation.task.Task`
    scores : (methods, estimators, sizes, folds)
    baseline : (estimators, folds), scores with all columns
    chance : (folds,), scores of guessing
    """

    task: Task
    scoring: str
    methods: list[str]
    estimators: tuple[str, ...]
    sizes: tuple[int, ...]
    predictions: np.ndarray
    scores: np.ndarray
    baseline: np.ndarray
    chance: np.ndarray

    def losses(self) -> np.ndarray:
        """Losses relative to guessing, (methods, sizes, units), in the mean of the estimators.

        Units are those of the task. Other scores than the usual ones are scores of folds, so that folds are
        the units; the highest possible score is assumed to be twice as far from guessing as the best one.
        """
        if self.scoring in IN_WORDS:
            return np.array([self.task.losses(of_method) for of_method in self.predictions])
        chance, best = self.chance.mean(), self.scores.mean(axis=-1).max()
        scale = 2 * (best - chance) if best > chance else 1.0
        return np.asarray((1 - (self.scores - chance) / scale).mean(axis=1))

    def in_words(self, score: float) -> str:
        """Format a score with its name."""
        if self.scoring in IN_WORDS:
            return f"{IN_WORDS[self.scoring]} of {score:.3f}"
        return f"a score ({self.scoring}) of {score:.4g}"


def recommend(
    cells: Cells, n_columns: int, p_value: Callable[[], float], rng: np.random.Generator
) -> tuple[Recommendation, list[int | None]]:
    """Choose a number of columns for each method by the rule of `evaluation.how_many`, then the method.

    The p-value is computed after the numbers, as in the cut `held_out`, which draws from `rng` in this order.
    Returned with the recommendation are the numbers of columns of all methods.
    """
    chance = float(cells.chance.mean())
    losses, seed = cells.losses(), rng.integers(2**31)
    choices = [choose_size(of_method, np.random.default_rng(seed)) for of_method in losses]
    m = int(np.argmin([losses[i, choice.kept].mean() for i, choice in enumerate(choices)]))
    s, p = choices[m].kept, p_value()
    means = cells.scores[m].mean(axis=-1)
    e = int(means[:, s].argmax())
    score, estimator = float(means[e, s]), cells.estimators[e]
    if p > LEVEL or score <= chance:
        nothing = _nothing_found(cells, chance, p)
        return Recommendation(None, 0, None, chance, nothing, p_value=p), [None] * len(choices)
    numbers: list[int | None] = [cells.sizes[choice.kept] for choice in choices]
    low, high = cells.sizes[choices[m].low], cells.sizes[choices[m].high]
    first, verb = ("column", "predicts") if cells.sizes[s] == 1 else (f"{cells.sizes[s]} columns", "predict")
    sentence = (
        f"Take the first {first}{interval_in_words(low, high)} of {cells.methods[m]}, which {verb} held-out "
        f"rows about as well as any number: {estimator} reaches {cells.in_words(score)}"
        f"{_beside(cells, choices[m], means[e])}; with all {counted(n_columns, 'column')} it reaches "
        f"{cells.baseline[e].mean():.3f}, guessing {chance:.3f}"
        f"{beside_guessing(cells.scoring, largest_share(cells.task.whole))}."
    )
    found = Recommendation(
        cells.methods[m], cells.sizes[s], estimator, score, sentence, p_value=p, interval=(low, high)
    )
    return found, numbers


def _beside(cells: Cells, choice: Choice, means: np.ndarray) -> str:
    """The best score of the same estimator and method, if it is visibly better."""
    best = int(means.argmax())
    if round(float(means[best]), 3) <= round(float(means[choice.kept]), 3):
        return ""
    return f", {means[best]:.3f} with {cells.sizes[best]}, the best number tried"


def _nothing_found(cells: Cells, chance: float, p_value: float) -> str:
    return (
        "Nothing was found: no method, with any number of columns, predicts the target better than guessing "
        f"({cells.in_words(chance)}) beyond what chance explains (p = {p_value:.2f})."
    )

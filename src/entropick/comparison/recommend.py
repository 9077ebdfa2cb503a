"""Recommend a method and a number of columns, if any beats guessing."""

from dataclasses import dataclass

import numpy as np

from entropick._base.wording import beside_guessing, counted, interval_in_words
from entropick.comparison.record import Recommendation
from entropick.evaluation.how_many import Choice, choose_size, standard_error
from entropick.evaluation.null import p_of_predictions
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
    cells: Cells, n_columns: int, p_value: float | None, rng: np.random.Generator
) -> Recommendation:
    """Choose a number of columns for each method by the rule of `evaluation.how_many`, then the method.

    A p-value is given where predictions cannot be compared with shuffled targets, as in time.
    """
    chance = float(cells.chance.mean())
    if p_value is None:
        p_value = p_of_predictions(cells.task, cells.predictions.astype(np.float64), rng)
    losses, seed = cells.losses(), rng.integers(2**31)
    choices = [choose_size(of_method, np.random.default_rng(seed)) for of_method in losses]
    m = int(np.argmin([losses[i, choice.kept].mean() for i, choice in enumerate(choices)]))
    s = choices[m].kept
    means = cells.scores[m].mean(axis=-1)
    e = int(means[:, s].argmax())
    gains = cells.scores[m, e, s] - cells.chance
    if p_value > LEVEL or gains.mean() <= 2 * standard_error(gains):
        return Recommendation(None, 0, None, chance, _nothing_found(cells, chance, p_value), p_value=p_value)
    score, estimator = float(means[e, s]), cells.estimators[e]
    sentence = (
        f"{_advice(cells, choices[m], m)} {estimator} reaches {cells.in_words(score)}"
        f"{_beside(cells, choices[m], means[e])}; with all {counted(n_columns, 'column')} it reaches "
        f"{cells.baseline[e].mean():.3f}, guessing {chance:.3f}"
        f"{beside_guessing(cells.scoring, largest_share(cells.task.whole))}."
    )
    return Recommendation(cells.methods[m], cells.sizes[s], estimator, score, sentence, p_value=p_value)


def _advice(cells: Cells, choice: Choice, m: int) -> str:
    size, low, high = (cells.sizes[i] for i in (choice.kept, choice.low, choice.high))
    first, verb = ("column", "predicts") if size == 1 else (f"{size} columns", "predict")
    return (
        f"Take the first {first}{interval_in_words(low, high)} of {cells.methods[m]}, which {verb} held-out "
        "rows about as well as any number:"
    )


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

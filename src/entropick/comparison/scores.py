"""Scores on held-out rows, with true and with shuffled labels."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

from entropick.evaluation.scoring import Scorer, resolve_scoring, scoring_name
from entropick.exceptions import DataError

PREDICTIONS = ("predict", "predict_proba", "predict_log_proba", "decision_function")


class CachedPredictions(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A fitted estimator that caches its predictions for one table.

    Parameters
    ----------
    model : fitted estimator
    X : table whose predictions are cached
    """

    def __init__(self, model: Any, X: Any) -> None:
        self.model = model
        self.X = X
        self._predictions: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("model", "X", "_predictions"):
            raise AttributeError(name)
        value = getattr(self.model, name)
        return self._cached(name, value) if name in PREDICTIONS else value

    def _cached(self, name: str, compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
        @wraps(compute)  # scorers check its name
        def predict(X: Any) -> Any:
            if X is not self.X:
                return compute(X)
            if name not in self._predictions:
                self._predictions[name] = compute(X)
            return self._predictions[name]

        return predict

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.model)


def accuracies(predicted: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Accuracy for several vectors of labels (vectors, rows)."""
    return np.asarray((labels == predicted).mean(axis=1))


def balanced_accuracies(predicted: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Balanced accuracy for several vectors of labels."""
    is_right = labels == predicted
    recalls = [
        (is_right & (labels == c)).sum(axis=1) / np.count_nonzero(labels[0] == c)
        for c in np.unique(labels[0])
    ]
    return np.asarray(np.mean(recalls, axis=0))


def r2_scores(predicted: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """R² for several vectors of labels; 1 or 0 for constant labels, as in scikit-learn."""
    errors = ((labels - predicted) ** 2).sum(axis=1)
    spread = ((labels - labels.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    if not spread.all():
        return np.asarray((errors == 0).astype(np.float64))
    return np.asarray(1 - errors / spread)


# The usual scores, vectorized over shuffles. scikit-learn's scorers give the same numbers, but a call takes a
# millisecond or more: for all shuffles, as long as the estimators take.
VECTORIZED = {"accuracy": accuracies, "balanced_accuracy": balanced_accuracies, "r2": r2_scores}


class ShuffledScores:
    """Scores of test rows with true and with shuffled labels.

    All estimators are scored on the same shuffles of a fold, so that the best of them can be compared.

    Parameters
    ----------
    scoring : name of a scikit-learn score, or a scorer
    truth : classes or real values
    tests : test rows of each fold
    n_shuffles : number of shuffles
    seed : seed of the shuffles
    """

    def __init__(
        self, scoring: str | Scorer, truth: np.ndarray, tests: list[np.ndarray], n_shuffles: int, seed: int
    ) -> None:
        self.name, self._is_named = scoring_name(scoring), isinstance(scoring, str)
        self._score = resolve_scoring(scoring)
        rng = np.random.default_rng(seed)
        self._labels = [
            np.stack([truth[test], *(truth[rng.permutation(test)] for _ in range(n_shuffles))])
            for test in tests
        ]

    def of(self, model: Any, X: Any, fold: int, who: str) -> np.ndarray:
        """Score of a fitted model on the test rows X of a fold, followed by the scores of the shuffles."""
        vectorized = VECTORIZED.get(self.name) if self._is_named else None
        if vectorized is not None:
            return vectorized(model.predict(X), self._labels[fold])
        cached = CachedPredictions(model, X)
        try:
            scores = [float(self._score(cached, X, labels)) for labels in self._labels[fold]]
        except (ValueError, TypeError, AttributeError) as error:
            reason = str(error).rstrip(". ")
            raise DataError(
                f"The score {self.name!r} cannot be computed for {who}: {reason}. Hint: choose another "
                "scoring, or estimators that fit it."
            ) from error
        if np.isnan(scores).any():
            raise DataError(
                f"The score {self.name!r} of {who} is not a number (NaN) on {len(X)} test rows. Hint: use "
                "fewer folds, so that the test rows have every class, or another scoring."
            )
        return np.array(scores)

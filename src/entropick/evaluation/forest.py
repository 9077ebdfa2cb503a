"""Random forests as scikit-learn's with default settings, but compiled: many times faster on small tables."""

import math
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from entropick._core import Forest

N_TREES = 50


class ForestClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Fully grown trees of bootstrap samples; each split is the best of √d random columns.

    Columns enter by at most 256 levels with equally many rows, so their scales do not matter.

    Parameters
    ----------
    random_state : int, default=0
        Seed of the samples and columns.
    """

    def __init__(self, random_state: int = 0) -> None:
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: Any) -> "ForestClassifier":
        self.classes_, places = np.unique(y, return_inverse=True)
        n_tried = max(1, math.isqrt(X.shape[1]))
        self.forest_ = _grown(X, places, np.ones(len(X)), n_tried, self.random_state)
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Mean class shares of the leaves."""
        return _predicted(self.forest_, X, len(self.classes_))

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The most probable class."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


class ForestRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """The same for real values; each split is the best of all columns.

    Parameters
    ----------
    random_state : int, default=0
        Seed of the samples.
    """

    def __init__(self, random_state: int = 0) -> None:
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "ForestRegressor":
        values = np.asarray(y, np.float64)
        largest = np.abs(values).max() or 1.0  # squares of huge numbers would overflow
        self._scale, self._mean = largest, (values / largest).mean()
        places = np.zeros(len(X), np.int32)
        self.forest_ = _grown(X, places, values / largest - self._mean, X.shape[1], self.random_state)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Mean values of the leaves."""
        return np.asarray((_predicted(self.forest_, X, 1)[:, 0] + self._mean) * self._scale)


def _grown(X: np.ndarray, places: np.ndarray, amounts: np.ndarray, n_tried: int, seed: int) -> Forest:
    columns = np.ascontiguousarray(X.T, np.float64)
    return Forest(columns, places.astype(np.int32), amounts, n_tried, N_TREES, seed)


def _predicted(forest: Forest, X: np.ndarray, n_goals: int) -> np.ndarray:
    means = np.empty((len(X), n_goals))
    forest.predict(np.ascontiguousarray(X.T, np.float64), means)
    return means

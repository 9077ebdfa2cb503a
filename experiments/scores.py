"""Scores shared by the experiments: orders of columns, and how well estimators do with their beginnings."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone


def accuracy_at_sizes(
    estimator: Any,
    order: Sequence[int],
    sizes: Sequence[int],
    train: tuple[Any, np.ndarray],
    test: tuple[Any, np.ndarray],
) -> list[float]:
    """Accuracy on the test rows with the first columns of an order, for each number of columns."""
    scores = []
    for size in sizes:
        columns = np.asarray(order[:size])
        fitted = clone(estimator).fit(_columns(train[0], columns), train[1])
        scores.append(float(np.mean(fitted.predict(_columns(test[0], columns)) == test[1])))
    return scores


def _columns(X: Any, columns: np.ndarray) -> np.ndarray:
    chosen = X[:, columns]
    return chosen.toarray() if scipy.sparse.issparse(chosen) else chosen

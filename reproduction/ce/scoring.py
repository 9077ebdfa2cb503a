"""Scores of columns in the cross-entropy paper: errors of classifiers, and the information gap."""

from dataclasses import dataclass

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

NEIGHBOURS = 3
MAX_TESTED = 1000  # rows that 3-NN classifies, of the test and of the training part


@dataclass(frozen=True)
class Parts:
    """Training and test rows: numbers for the classifiers, codes (of the training rows) for the selectors."""

    X: np.ndarray
    y: np.ndarray
    codes: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def ranking_of(selector):
    """All columns by their probability, of equal ones by its mean over the rounds."""
    mean = np.mean([draw.probabilities for draw in selector.history_], axis=0)
    return np.lexsort((-mean, -selector.probabilities_))


def neighbour_error(parts, columns, X, y) -> float:
    """Share of wrong rows with 3-NN on the training rows, of the first rows of X."""
    model = KNeighborsClassifier(NEIGHBOURS, n_jobs=1)
    return error_of(model, parts, columns, X[:MAX_TESTED], y[:MAX_TESTED])


def error_of(model, parts, columns, X, y) -> float:
    return rounded(np.mean(model.fit(parts.X[:, columns], parts.y).predict(X[:, columns]) != y))


def information_gap(codes, y) -> float | None:
    """ΔI_r = (H(y) − I(S;y)) / I(S;y) on the training rows; None where the columns tell nothing."""
    rows = equal_rows(codes)
    left = entropy_of(rows * (y.max() + 1) + y) - entropy_of(rows)
    gain = entropy_of(y) - left
    return rounded(max(0.0, left) / gain) if gain > 1e-12 else None


def own_rows_error(X, y) -> float:
    """Share of rows outside the largest class among the rows equal to them: the error of 1-NN on its rows."""
    rows = equal_rows(np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T]))
    counts = np.zeros((rows.max() + 1, y.max() + 1), dtype=np.int64)
    np.add.at(counts, (rows, y), 1)
    return rounded(1 - counts.max(axis=1).sum() / len(y))


def equal_rows(codes):
    """A number for each row, the same for equal rows."""
    weights = np.random.default_rng(0).integers(1, 2**62, size=(codes.shape[1],))
    return np.unique(codes @ weights, return_inverse=True)[1]  # sums wrap around


def entropy_of(labels) -> float:
    """Shannon's entropy in bits."""
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log2(shares)).sum())


def rounded(value) -> float:
    return round(float(value), 5)

"""Fast models on nested sets of columns, to score the first columns of a path by prediction.

A linear model and nearest neighbours, which represent the models people fit. Both predict numbers: the values
of a real target, or the share of each class.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.linalg import solve

from entropick._core import nearest_means
from entropick.table.readers.inputs import container_columns, container_rows, open_input

N_NEIGHBORS = 5
BLOCK_DISTANCES = 1 << 17  # per block (1 MB), to stay in the cache
SAME_DISTANCE = 1e-9  # per column of variance 1: squared distances closer than this are equal
RIDGE_SHARE = 0.02  # ridge penalty per row, for columns of unit variance
MAX_LEVELS = 30  # one-hot columns of a category
FARTHEST = 10.0  # standard deviations at which values are clipped
MIN_SPREAD = 1e-12  # of values scaled to at most 1; a column with less is constant


class Design:
    """Design matrix: scaled, without missing values, and with one column per level of a category.

    Means, spreads and levels come from the training rows. Copies of an earlier column are omitted: a model
    that weighs a column twice is no evidence for the copy.

    Parameters
    ----------
    X : table in memory, of any container
    columns : indices of its columns, in the order of the path
    train, test : indices of the rows
    """

    def __init__(self, X: Any, columns: np.ndarray, train: np.ndarray, test: np.ndarray) -> None:
        rows, n_train = np.concatenate([train, test]), len(train)
        table = container_rows(container_columns(X, columns, for_sklearn=False), rows)
        source = open_input(table, exact=True)
        blocks: dict[int, np.ndarray] = {}
        numeric = [j for j in range(len(columns)) if source.kinds[j] != "category"]
        for members, values in source.numeric(numeric) if numeric else ():
            blocks |= zip(members, _scaled(values.astype(np.float64), n_train), strict=True)
        for j in set(range(len(columns))) - set(numeric):
            blocks[j] = _levels(source.category(j)[0], n_train)
        known: set[bytes] = set()
        for j in range(len(columns)):
            if (content := blocks[j].tobytes()) in known:
                blocks[j] = blocks[j][:0]
            known.add(content)
        widths = [len(blocks[j]) for j in range(len(columns))]
        self.ends = np.cumsum([0, *widths])  # widths of the first 0, 1, 2, ... columns of the path
        values = np.concatenate([np.empty((0, len(rows))), *(blocks[j] for j in range(len(columns)))]).T
        self.train, self.test = values[:n_train], values[n_train:]


def _scaled(values: np.ndarray, n_train: int) -> list[np.ndarray]:
    """Scale columns (columns, rows) to mean 0 and variance 1, with an indicator of missing values if any."""
    missing = np.isnan(values)
    is_complete = not missing.any()
    values = values if is_complete else np.where(missing, 0.0, values)
    largest = np.abs(values).max(axis=1, keepdims=True)
    values = values / np.where(largest > 0, largest, 1.0)  # squares of huge numbers would overflow
    known = ~missing[:, :n_train]
    n_known = np.maximum(known.sum(axis=1, keepdims=True), 1)
    mean = values[:, :n_train].sum(axis=1, keepdims=True) / n_known
    centered = np.where(missing, 0.0, values - mean)
    spread = np.sqrt((centered[:, :n_train] ** 2).sum(axis=1, keepdims=True) / n_known)
    scaled = np.where(spread > MIN_SPREAD, centered / np.maximum(spread, MIN_SPREAD), 0.0)
    scaled = np.clip(scaled, -FARTHEST, FARTHEST)
    if is_complete:
        return list(scaled[:, None, :])
    some = missing[:, :n_train].any(axis=1)
    return [
        np.stack([column, gaps]) if has_gaps else column[None, :]
        for column, gaps, has_gaps in zip(scaled, missing, some, strict=True)
    ]


def _levels(codes: np.ndarray, n_train: int) -> np.ndarray:
    """One-hot encoding (levels, rows) of the most frequent levels that occur more than once."""
    levels, sizes = np.unique(codes[:n_train], return_counts=True)
    order = np.argsort(-sizes, kind="stable")[:MAX_LEVELS]
    kept = np.sort(levels[order[sizes[order] > 1]])
    return np.asarray((codes == kept[:, None]).astype(np.float64))


def linear(design: Design, goal: np.ndarray, weights: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Predict by ridge regression on the first columns of the path, (sizes, test rows, goals).

    Parameters
    ----------
    design : design matrix
    goal : values to predict, (training rows, goals)
    weights : weights of the training rows
    sizes : numbers of columns, in ascending order; 0 predicts the mean
    """
    mean, center = (
        np.average(goal, axis=0, weights=weights),
        np.average(design.train, axis=0, weights=weights),
    )
    root = np.sqrt(weights / weights.mean())[:, None]
    train, test, sought = (design.train - center) * root, design.test - center, (goal - mean) * root
    penalty = max(1.0, RIDGE_SHARE * len(goal))
    found = np.empty((len(sizes), len(test), goal.shape[1]))
    for i, size in enumerate(sizes):
        k = design.ends[size]
        found[i] = test[:, :k] @ _slopes(train[:, :k], sought, penalty) + mean
    return found


def _slopes(train: np.ndarray, goal: np.ndarray, penalty: float) -> np.ndarray:
    """Coefficients of ridge regression, by the smaller of the primal and dual systems."""
    n_rows, n_columns = train.shape
    if n_columns <= n_rows:
        products = train.T @ train
        products.flat[:: n_columns + 1] += penalty
        return solve(products, train.T @ goal, assume_a="pos") if n_columns else np.empty((0, goal.shape[1]))
    products = train @ train.T
    products.flat[:: n_rows + 1] += penalty
    return np.asarray(train.T @ solve(products, goal, assume_a="pos"))


def neighbors(design: Design, goal: np.ndarray, weights: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Predict the weighted mean of the nearest training rows; parameters as in `linear`.

    Rows at the same distance as the last neighbour share its weight, so the order of rows does not matter.
    """
    found = np.empty((len(sizes), len(design.test), goal.shape[1]))
    step = max(1, BLOCK_DISTANCES // len(goal))
    for start in range(0, len(design.test), step):
        rows = slice(start, start + step)
        _neighbors_of(design, rows, goal, weights, sizes, found[:, rows])
    return found


def _neighbors_of(
    design: Design,
    rows: slice,
    goal: np.ndarray,
    weights: np.ndarray,
    sizes: Sequence[int],
    found: np.ndarray,
) -> None:
    """Predict a block of test rows.

    Squared distances are sums over columns, so those of a larger size extend those of a smaller one.
    """
    test = design.test[rows]
    n_near = min(N_NEIGHBORS, len(goal))
    distances = np.zeros((len(test), len(goal)))
    start = 0
    for i, size in enumerate(sizes):
        stop = design.ends[size]
        one, other = test[:, start:stop], design.train[:, start:stop]
        distances += (one**2).sum(axis=1)[:, None]
        distances += (other**2).sum(axis=1)
        distances -= 2 * one @ other.T
        start = stop
        if size == 0:
            found[i] = np.average(goal, axis=0, weights=weights)
        else:
            nearest_means(distances, stop * SAME_DISTANCE, n_near, weights, goal, found[i])


Model = Callable[[Design, np.ndarray, np.ndarray, Sequence[int]], np.ndarray]
MODELS: Mapping[str, Model] = MappingProxyType({"linear": linear, "neighbors": neighbors})

"""Fast models of nested sets of columns: what the first columns of a path are worth for prediction.

A linear model and nearest neighbours, which together stand for what people fit. Both predict numbers: those
of a real target, or one per class, the share of that class.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.linalg import solve

from entropick._kernels import neighbors as kernels
from entropick.table.readers.inputs import container_columns, container_rows, open_input

N_NEIGHBORS = 5
BLOCK_DISTANCES = 1 << 17  # held at once (1 MB), so that they stay in the cache
SAME_DISTANCE = 1e-9  # of the columns, whose variance is 1: squared distances closer than this are equal
RIDGE_SHARE = 0.02  # of the rows: strength of the ridge penalty on columns of unit variance
MOST_LEVELS = 30  # of a category that get a column of their own
FARTHEST = 10.0  # standard deviations; values farther out count as so far
LEAST_SPREAD = 1e-12  # of values whose largest is 1; below it a column is constant


class Design:
    """Columns as models see them: of one scale, complete, one column per level of a category.

    Means, spreads and levels are those of the training rows. A copy of an earlier column is left out: models
    that weigh the column twice are no evidence for the copy.

    Parameters
    ----------
    X : table of any container that is in memory
    columns : its columns, in the order of the path
    train, test : rows
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
        self.ends = np.cumsum([0, *widths])  # of the first 0, 1, 2, ... columns of the path
        values = np.concatenate([np.empty((0, len(rows))), *(blocks[j] for j in range(len(columns)))]).T
        self.train, self.test = values[:n_train], values[n_train:]


def _scaled(values: np.ndarray, n_train: int) -> list[np.ndarray]:
    """Columns (columns, rows) of mean 0 and variance 1; where values are missing, a second one says so."""
    missing = np.isnan(values)
    is_complete = not missing.any()
    values = values if is_complete else np.where(missing, 0.0, values)
    largest = np.abs(values).max(axis=1, keepdims=True)
    values = values / np.where(largest > 0, largest, 1.0)  # squares of huge numbers are no floats
    known = ~missing[:, :n_train]
    n_known = np.maximum(known.sum(axis=1, keepdims=True), 1)
    mean = values[:, :n_train].sum(axis=1, keepdims=True) / n_known
    centered = np.where(missing, 0.0, values - mean)
    spread = np.sqrt((centered[:, :n_train] ** 2).sum(axis=1, keepdims=True) / n_known)
    scaled = np.where(spread > LEAST_SPREAD, centered / np.maximum(spread, LEAST_SPREAD), 0.0)
    scaled = np.clip(scaled, -FARTHEST, FARTHEST)
    if is_complete:
        return list(scaled[:, None, :])
    some = missing[:, :n_train].any(axis=1)
    return [
        np.stack([column, gaps]) if has_gaps else column[None, :]
        for column, gaps, has_gaps in zip(scaled, missing, some, strict=True)
    ]


def _levels(codes: np.ndarray, n_train: int) -> np.ndarray:
    """One row per level, 1 where a row of the table has it; levels seen once or rarely may have none."""
    levels, sizes = np.unique(codes[:n_train], return_counts=True)
    order = np.argsort(-sizes, kind="stable")[:MOST_LEVELS]
    kept = np.sort(levels[order[sizes[order] > 1]])
    return np.asarray((codes == kept[:, None]).astype(np.float64))


def linear(design: Design, goal: np.ndarray, weights: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Ridge regression on the first columns of the path: predictions (sizes, test rows, goals).

    Parameters
    ----------
    design : the columns
    goal : what to predict, (training rows, goals)
    weights : of the training rows
    sizes : how many columns, in ascending order; 0 predicts the mean
    """
    mean, center = (
        np.average(goal, axis=0, weights=weights),
        np.average(design.train, axis=0, weights=weights),
    )
    root = np.sqrt(weights / weights.mean())[:, None]
    train, test, sought = (design.train - center) * root, design.test - center, (goal - mean) * root
    penalty = max(1.0, RIDGE_SHARE * len(goal))
    found = np.empty((len(sizes), len(test), goal.shape[1]))
    for place, size in enumerate(sizes):
        k = design.ends[size]
        found[place] = test[:, :k] @ _slopes(train[:, :k], sought, penalty) + mean
    return found


def _slopes(train: np.ndarray, goal: np.ndarray, penalty: float) -> np.ndarray:
    """Coefficients of ridge regression, from the smaller of the two equal systems of equations."""
    n_rows, n_columns = train.shape
    if n_columns <= n_rows:
        products = train.T @ train
        products.flat[:: n_columns + 1] += penalty
        return solve(products, train.T @ goal, assume_a="pos") if n_columns else np.empty((0, goal.shape[1]))
    products = train @ train.T
    products.flat[:: n_rows + 1] += penalty
    return np.asarray(train.T @ solve(products, goal, assume_a="pos"))


def neighbors(design: Design, goal: np.ndarray, weights: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Weighted mean of the goal over the nearest training rows; parameters as in `linear`.

    Rows as near as the last of them share the places left for them, so the order of rows does not matter.
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
    """The same for some test rows.

    Squared distances are sums over columns, so those of a larger size go on from those of a smaller one.
    """
    test = design.test[rows]
    n_near = min(N_NEIGHBORS, len(goal))
    distances = np.zeros((len(test), len(goal)))
    start = 0
    for place, size in enumerate(sizes):
        stop = design.ends[size]
        one, other = test[:, start:stop], design.train[:, start:stop]
        distances += (one**2).sum(axis=1)[:, None]
        distances += (other**2).sum(axis=1)
        distances -= 2 * one @ other.T
        start = stop
        if size == 0:
            found[place] = np.average(goal, axis=0, weights=weights)
        else:
            kernels.nearest_means(distances, stop * SAME_DISTANCE, n_near, weights, goal, found[place])


Model = Callable[[Design, np.ndarray, np.ndarray, Sequence[int]], np.ndarray]
MODELS: Mapping[str, Model] = MappingProxyType({"linear": linear, "neighbors": neighbors})

"""Choose the parameters of a ranking by the accuracy of a linear classifier on its first columns."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn.utils import check_random_state

from entropick._base.ties import descending
from entropick.exceptions import DataError
from entropick.table.numeric.magnitude import tamed
from entropick.table.table import Table

Choice = TypeVar("Choice")

SIZES = (10, 50, 100, 150, 200)  # numbers of first columns to classify with, as in the paper of Inf-FS
N_FOLDS = 5


def choose_by_svm(
    table: Table,
    grid: Sequence[Choice],
    scores_of: Callable[[Table], Callable[[Choice], np.ndarray]],
    random_state: Any,
) -> Choice:
    """The element of the grid whose ranking gives a linear SVM the best cross-validated accuracy.

    Rows are split into 5 stratified folds. Columns are ranked and standardised on the training rows, and the
    classifier uses the first 10, 50, 100, 150 and 200 of them, but at most half of all columns. Accuracies
    are averaged over sizes and folds. The first of equally good elements wins.

    Parameters
    ----------
    scores_of : returns, for a table of training rows, a function from elements to scores of columns
    """
    if not table.has_target:
        raise DataError('alpha="cv" needs a target to classify, but y is None. Hint: pass y, or a number.')
    labels = table.target.codes
    rarest = np.bincount(labels).min()
    if table.target.n_classes < 2 or rarest < 2:
        raise DataError(
            'alpha="cv" needs at least two classes of two rows each, but y has classes: '
            f"{table.target.n_classes}, rows of the smallest: {rarest}. Hint: give alpha in numbers."
        )
    from sklearn.model_selection import StratifiedKFold

    rng = check_random_state(random_state)
    folds = StratifiedKFold(min(N_FOLDS, int(rarest)), shuffle=True, random_state=rng.randint(2**31 - 1))
    seed = rng.randint(2**31 - 1)
    accuracy = np.zeros(len(grid))
    for training, held_out in folds.split(labels, labels):
        score = scores_of(table.rows(training))
        known: dict[bytes, float] = {}
        for k, element in enumerate(grid):
            order = descending(score(element))
            for size in sizes(len(order)):
                first = np.sort(order[:size])
                key = first.tobytes()
                if key not in known:  # rankings often agree on the columns
                    known[key] = _accuracy(table, training, held_out, first, seed)
                accuracy[k] += known[key]
    return grid[int(np.argmax(accuracy >= accuracy.max() - 1e-9))]


def sizes(n_columns: int) -> list[int]:
    """Numbers of first columns to classify with."""
    return sorted({min(size, max(1, n_columns // 2)) for size in SIZES})


def _accuracy(
    table: Table, training: np.ndarray, held_out: np.ndarray, columns: np.ndarray, seed: int
) -> float:
    from sklearn.svm import LinearSVC

    values = table.numbers[:, columns]
    if not isinstance(values, np.ndarray):
        values = values.toarray()
    values = tamed(values)
    centre, width = values[training].mean(axis=0), values[training].std(axis=0)
    values = (values - centre) / np.where(width > 0, width, 1.0)
    labels = table.target.codes
    model = LinearSVC(dual=len(training) <= len(columns), random_state=seed, max_iter=10_000)
    return float(model.fit(values[training], labels[training]).score(values[held_out], labels[held_out]))

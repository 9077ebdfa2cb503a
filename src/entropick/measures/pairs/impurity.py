"""Joint impurity: Gini's impurity in place of entropy."""

import numpy as np

from entropick._base.logarithms import power_of_two_above
from entropick._base.threads import Threads
from entropick.counting.cells import in_blocks
from entropick.measures.base import RemovalMeasure
from entropick.measures.pairs.pairwise import Bits, RunningTotals
from entropick.table.codes import level_starts
from entropick.table.table import Table

__all__ = ["JIM"]


class JIM(RemovalMeasure):
    """Joint impurity: greedily the largest Σ G(f,s;y) over the selected s, as JMI with Gini's impurity.

    G(x;y) = Σ p(x,y)² / p(x) − Σ p(y)² is how much the impurity of y falls if the level x is known. The first
    column is the one with the largest G(f;y).

    References
    ----------
    Kursa (2021), Praznik: High performance information-based feature selection.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import JIM
    >>> X, y = load_wine(return_X_y=True)
    >>> JIM(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    def begin_removals(self, table: Table, threads: Threads) -> "ImpurityState":
        return ImpurityState(table)


class ImpurityState(RunningTotals):
    """Sums of squared counts over sizes, as whole multiples of 1 / scale: no order of levels changes them."""

    def __init__(self, table: Table) -> None:
        self._counts = table.counts
        self._scale = 2.0 ** min(52, 62 - power_of_two_above(max(table.n_rows, 1)))
        shares = self._counts.class_sizes / max(table.n_rows, 1)
        self._of_classes = float(np.sort(shares**2).sum())
        super().__init__(self._purities(np.arange(table.n_columns), ()), lambda alone, total, n: total)

    def term(self, s: int, candidates: np.ndarray) -> Bits:
        return self._purities(candidates, (s,))

    def _purities(self, columns: np.ndarray, given: tuple[int, ...]) -> Bits:
        """G(f,given;y) of each of these columns, in the place of each."""
        counts = self._counts
        n_levels = counts.n_levels[columns] * int(np.prod(counts.n_levels[list(given)]))
        found = np.zeros(len(counts.n_levels))
        for block in in_blocks(n_levels * len(counts.class_sizes)):
            tables = counts.class_tables(columns[block], given)
            squares, sizes = (tables * tables).sum(axis=1), np.maximum(tables.sum(axis=1), 1)
            units = np.rint(squares / sizes * self._scale).astype(np.int64)
            sums = np.add.reduceat(units, level_starts(n_levels[block]))
            found[columns[block]] = sums / (self._scale * counts.n_rows) - self._of_classes
        return found

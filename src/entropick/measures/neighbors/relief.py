"""ReliefF: columns that differ between near rows of different classes more than within a class."""

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from entropick import _core
from entropick._base.compat import Interval, StrOptions
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.contracts import Need
from entropick.exceptions import DataError, Hint, Message
from entropick.measures.base import FixedScores, RankingMeasure
from entropick.measures.neighbors.exact import block_of_rows, pair_distances
from entropick.table.numeric.magnitude import tamed
from entropick.table.table import Table

__all__ = ["ReliefF"]


@dataclass(eq=False, repr=False)
class ReliefF(RankingMeasure):
    """ReliefF: columns that differ between near rows of different classes more than within a class.

    Each row is compared with its k nearest rows of every class (L1 distance on all columns scaled to a range
    of 1). Misses of class c count with P(c) / (1 − P(own class)). A class with fewer than k other rows
    contributes all of them. Rows at the same distance share their weight, so the order of rows does not
    matter. Real targets use RReliefF: P(differs in f | differs in y) − P(differs in f | does not). It detects
    interactions between columns, and ignores redundancy.

    Parameters
    ----------
    n_neighbors : int, default=10
        Number of nearest rows of each class.
    n_iterations : int or None, default=None
        Number of random rows whose neighbours are used; None for all rows, which is deterministic.
    power : {1, 2}, default=1
        Power of the differences of values; 2 in the NEFS paper. Near rows are those of the L1 distance either
        way.
    prior : {"others", "bare"}, default="others"
        Misses of class c count with P(c) / (1 − P(own class)), so that they weigh as much as the hits, or
        with P(c) alone, as in the NEFS paper.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers; None takes the selector's.

    References
    ----------
    Kononenko (1994), Estimating attributes: analysis and extensions of RELIEF.
    Robnik-Šikonja and Kononenko (2003), Theoretical and empirical analysis of ReliefF and RReliefF.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ReliefF
    >>> X, y = load_wine(return_X_y=True)
    >>> ReliefF(n_features=3).fit(X, y).order_
    array([11,  6, 12])
    """

    needs = frozenset({Need.DISTANCES})
    default_cut = "threshold"
    needs_classes = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_iterations": [Interval(Integral, 1, None, closed="left"), None],
        "power": [Interval(Integral, 1, 2, closed="both")],
        "prior": [StrOptions({"others", "bare"})],
        "random_state": ["random_state"],
    }

    n_neighbors: int = 10
    n_iterations: int | None = None
    power: int = 1
    prior: str = "others"
    random_state: Any = None

    def begin_steps(self, table: Table, threads: Threads) -> "ReliefState":
        if table.n_rows < 2:
            raise DataError(f"Neighbours need at least two rows, got {counted(table.n_rows, 'sample')}.")
        return ReliefState(self, table, threads)


class ReliefState(FixedScores):
    """The weight of every column; that of a group is the sum over its columns."""

    def __init__(self, measure: ReliefF, table: Table, threads: Threads) -> None:
        self._space = table.coordinates
        points = np.ascontiguousarray(self._space.values.T)
        self._points = _core.Points(points, self._space.kinds, self._space.expected)
        self._k = min(measure.n_neighbors, table.n_rows - 1)
        self._threads = threads
        self._squared, self._bare_priors = measure.power == 2, measure.prior == "bare"
        rows = np.arange(table.n_rows)
        if measure.n_iterations is not None:
            rng = check_random_state(measure.random_state)
            rows = np.sort(rng.permutation(table.n_rows)[: measure.n_iterations])
        if table.target.values is None:
            weights = self._weights(rows, table.target.codes)
        else:
            if self._squared or self._bare_priors:
                raise DataError(
                    Message(
                        "power=2 and prior='bare' are for classes, but the target is real. Hint: ",
                        Hint("target", "class"),
                        ", or the defaults power=1 and prior='others'.",
                    )
                )
            weights = self._real_weights(rows, table.target.values)
        super().__init__(table.units.sum_of(weights))

    def _by_blocks(self, rows: np.ndarray, n_sums: int, add: Any) -> np.ndarray:
        """Sum over blocks of rows what `add(distances, rows, sums)` adds; sums are (n_sums, columns)."""
        block = block_of_rows(self._space.n_rows)
        n_blocks = -(-len(rows) // block)
        sums = np.zeros((n_blocks, n_sums, self._space.n_columns))

        def run(start: int, stop: int) -> None:
            for b in range(start, stop):
                chosen = rows[b * block : (b + 1) * block]
                add(pair_distances(self._space, chosen), chosen, sums[b])

        seconds = block * self._space.n_rows * (self._space.n_columns * 1e-10 + 2e-9)
        self._threads.run(run, n_blocks, seconds)
        return np.asarray(sums.sum(axis=0))

    def _weights(self, rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
        priors = np.bincount(labels) / len(labels)
        others = np.ones(len(priors)) if self._bare_priors else 1.0 - priors
        shares = priors / np.where(others > 0, others, 1.0)[:, None]  # of a single class there are no misses
        np.fill_diagonal(shares, -1.0)
        relief = _core.Relief(self._points, labels, shares, self._k, self._squared)

        def add(distances: np.ndarray, chosen: np.ndarray, sums: np.ndarray) -> None:
            relief.add(distances, chosen, sums[0])

        return np.asarray(self._by_blocks(rows, 1, add)[0] / len(rows))

    def _real_weights(self, rows: np.ndarray, target: np.ndarray) -> np.ndarray:
        target = tamed(target[:, None])[:, 0]
        spread = np.ptp(target)
        scaled = (target - target.min()) / spread if spread > 0 else np.zeros_like(target)

        relief = _core.RealRelief(self._points, scaled, self._k)
        of_target, of_columns, of_both = self._by_blocks(rows, 3, relief.add)
        n, in_y = len(rows), of_target[0]
        differing = of_both / in_y if in_y > 0 else np.zeros_like(of_both)
        same = (of_columns - of_both) / (n - in_y) if n > in_y else np.zeros_like(of_both)
        return np.asarray(differing - same)

"""Bayesian entropy: how well a subset determines y, and how reliable that is, as two objectives."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.logarithms import log2
from entropick._base.threads import Threads
from entropick.contracts import COUNTED
from entropick.counting.posterior import DOMAINS, Posterior, domain_share, log2_between
from entropick.measures.base import PlainState, SetMeasure
from entropick.table.table import Table

__all__ = ["Bayesian"]

BLOCK_BYTES = 1 << 22  # size of a block of subsets of one column


class Bayesian(SetMeasure):
    """H_B(y|S) and H_B(S), both minimised, with probabilities (α + count) / (α|Ω| + n).

    The first says how well the columns S determine y, the second how rare their values are: an
    identifier determines y and has the largest entropy there is. H_B(y|S) = H_B(S,y) − H_B(S), each with its
    own domain Ω.

    Parameters
    ----------
    alpha : float, default=1.0
        Prior count of each value; 0 gives plain frequencies. In the independent domain larger values give
        smaller subsets. The paper recommends 0.1 to 1.
    domain : {"dependent", "independent"} or float in [0, 1], default="dependent"
        Which joint values are possible: those that occur (for many rows), or all combinations (for few). A
        number w in between takes |Ω| = occurring^(1−w) · combinations^w; 0 and 1 are the two names.

    References
    ----------
    Mei, Xue and Zhang (2016), Fast bi-objective feature selection using entropy measures and Bayesian
    inference.
    """

    needs = COUNTED
    default_search = "nsga2"
    default_cut = "front"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, None, closed="left")],
        "domain": [StrOptions(set(DOMAINS)), Interval(Real, 0, 1, closed="both")],
    }

    def __init__(self, alpha: float = 1.0, domain: str | float = "dependent") -> None:
        self.alpha = alpha
        self.domain = domain

    def begin_sets(self, table: Table, threads: Threads) -> "BayesianState":
        return BayesianState(self, table)


class BayesianState(PlainState):
    """Both entropies of any subset, and their range over all subsets."""

    objectives = ("H_B(y|S)", "H_B(S)")

    def __init__(self, measure: Bayesian, table: Table) -> None:
        self._counts = table.counts
        self._posterior = Posterior(table.n_rows, measure.alpha)
        self._log2_levels = log2(np.maximum(self._counts.n_levels, 1))
        self._log2_classes = float(log2(max(len(self._counts.class_sizes), 1)))
        self._share = domain_share(measure.domain)
        self._find_range(table.n_columns)

    def _find_range(self, n_columns: int) -> None:
        """Find the smallest and largest values of eqs. 8 and 9 of the paper."""
        of_none, of_all = self.values(np.array([[False], [True]]).repeat(n_columns, axis=1))
        step = max(1, BLOCK_BYTES // n_columns)
        least = min(
            self.values(np.eye(min(step, n_columns - start), n_columns, start, dtype=bool))[:, 1].min()
            for start in range(0, n_columns, step)
        )
        self._low = np.array([of_all[0], least])
        spread = np.abs(np.array([of_none[0], of_all[1]]) - self._low)
        self._spread = np.where(spread > 0, spread, 1.0)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """H_B(y|S) and H_B(S) of whole subsets, (subsets, 2)."""
        phi = self._posterior.phi
        sums = self._counts.subset_sums(subsets, phi, phi)
        domain = with_y = None
        if self._share:
            every = np.where(subsets, self._log2_levels, 0.0).sum(axis=1)
            domain = log2_between(sums.n_groups, every, self._share)
            with_y = log2_between(sums.n_cells, every + self._log2_classes, self._share)
        of_columns = self._posterior.entropy(sums.over_groups, sums.n_groups, domain)
        of_both = self._posterior.entropy(sums.over_cells, sums.n_cells, with_y)
        return np.stack([of_both - of_columns, of_columns], axis=1)

    def normalized(self, values: np.ndarray) -> np.ndarray:
        """Rescale values: H_B(y|S) is 0 for all columns and 1 for none, H_B(S) 0 for one and 1 for all."""
        return np.asarray((values - self._low) / self._spread)

"""Rényi's conditional entropy of the target given all picked columns jointly."""

import math
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._compat import Interval
from entropick.counting.partition import Partition
from entropick.counting.subsets import SubsetCounter
from entropick.counting.surprisal import Surprisal
from entropick.exceptions import CombinationError
from entropick.measures.base import Measure, PlainState
from entropick.measures.relevance import CORRECTION, RelevanceState
from entropick.records import Step
from entropick.table import Table
from entropick.workers import Workers


class Renyi(Measure):
    """What a column takes off the uncertainty about y: H_α(y|S) − H_α(y|S,f), on the full joint of S.

    - α = ∞, min-entropy: H(y|S) = −log2 Σ_g max_c p(g,c), the negative log of the Bayes classifier's
      accuracy on the joint levels g of S (Palamidessi and Romanelli 2018);
    - α = 1, Shannon: the gain is I(f;y|S);
    - any other α > 0, Arimoto: H(y|S) = α/(1−α) · log2 Σ_g p(g) (Σ_c p(c|g)^α)^(1/α).

    Once y is determined by S every gain is 0; further columns come by I(f;y).

    Parameters
    ----------
    alpha : float in (0, inf], the order
    correction : None or "miller_madow", for Shannon entropy only

    References
    ----------
    Palamidessi and Romanelli (2018), Feature selection with Rényi min-entropy.
    """

    kinds = frozenset({"step", "set"})
    default_cut = "residual"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, None, closed="right")],
        **CORRECTION,
    }

    def __init__(self, alpha: float = math.inf, correction: str | None = None) -> None:
        self.alpha = alpha
        self.correction = correction

    def begin(self, table: Table, workers: Workers) -> "RenyiState":
        if self.correction is not None and self.alpha != 1:
            raise CombinationError(
                f"The Miller–Madow correction is one of Shannon entropy (alpha=1), got alpha={self.alpha}. "
                "Hint: use correction=None, or alpha=1."
            )
        return RenyiState(self, table, workers)


class RenyiState(PlainState):
    """The partition of the rows by the picked columns."""

    objectives = ("H(y|S)",)

    def __init__(self, measure: Renyi, table: Table, workers: Workers) -> None:
        self._alpha = measure.alpha
        self._table = table
        self._workers = workers
        self._correction = measure.correction
        surprisal = Surprisal(table.n_rows, measure.correction)
        self._partition = Partition(table, surprisal, workers)
        self._residual = self._partition.entropy(self._alpha)
        self._surprisal = surprisal
        self._relevance: RelevanceState | None = None
        self._counter: SubsetCounter | None = None

    def include(self, column: int) -> None:
        self._partition.refine(column)
        self._residual = self._partition.entropy(self._alpha)

    def compete(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self._partition.is_settled:
            return candidates, np.zeros(len(candidates))
        entropies = self._partition.entropies(candidates, self._alpha)
        return candidates, self._residual - entropies

    def annotate(self, step: Step) -> Step:
        return step.annotated(residual=max(0.0, self._residual - step.score))

    def tie_scores(self, candidates: np.ndarray) -> np.ndarray | None:
        """I(f;y) once nothing is left to explain."""
        if not self._partition.is_settled:
            return None
        if self._relevance is None:
            self._relevance = RelevanceState(self._correction, self._table, self._workers)
        return self._relevance.compete(candidates)[1]

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """H_α(y|S) of whole subsets, bool (subsets, columns), as one column of values."""
        if self._counter is None:
            self._counter = SubsetCounter(self._table, self._workers)
        counter, n_rows = self._counter, self._table.n_rows
        if self._alpha == 1:
            phi = self._surprisal.phi
            sums = counter.entropy_sums(subsets, phi, phi)
            bits = self._surprisal.to_bits(sums.over_groups - sums.over_cells)
        elif self._alpha == math.inf:
            bits = np.log2(n_rows) - np.log2(counter.peak_sums(subsets))
        else:
            norms = counter.norm_sums(subsets, self._alpha)
            # what rounding leaves below 0, and the 0 with a minus sign of orders above 1, are nothing but 0
            bits = np.fmax(self._alpha / (1 - self._alpha) * (np.log2(norms) - np.log2(n_rows)), 0.0) + 0.0
        return bits[:, None]

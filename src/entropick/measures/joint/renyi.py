"""Rényi's conditional entropy of the target given all selected columns jointly."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.logarithms import log2
from entropick._base.threads import Threads
from entropick._base.ties import TOLERANCE
from entropick.contracts import COUNTED, Counts, Scores
from entropick.counting.surprisal import ColumnSums, Surprisal, order_of
from entropick.exceptions import CombinationError
from entropick.measures.base import OneObjective, SetMeasure, StepMeasure
from entropick.table.table import Table

__all__ = ["Renyi"]


class Renyi(StepMeasure, SetMeasure):
    """Rényi's conditional entropy: greedily the smallest H_α(y | S, f), on the full joint of the selected S.

    With α = ∞, min-entropy, each step lowers the Bayes risk most: 2^(−H) is the accuracy of
    the best classifier on the joint levels of S. With α = 1 it is Shannon's entropy, and the score is
    I(f;y|S). Any other α > 0 is Arimoto's, H(y|S) = α/(1−α) · log2 Σ_g p(g) (Σ_c p(c|g)^α)^(1/α) over the
    joint levels g.

    Once S determines y, or no column adds anything, further columns are ordered by their smallest I(f;y|s)
    over the selected columns s, as in CMIM, and by I(f;y) if that is 0 for all.

    Parameters
    ----------
    alpha : float in (0, inf], default=inf
        Order of the entropy; 1 is Shannon's, inf min-entropy, others are Arimoto's.
    ties : {"shannon", "index"}, default="shannon"
        What decides between columns of equal gain: I(f;y|S), or the lowest column index. Ties are common with
        min-entropy, and impossible to tell apart for alpha=1, where the gain is I(f;y|S).
    correction : None or "miller_madow", default=None
        Bias correction, for alpha=1 only.

    References
    ----------
    Palamidessi and Romanelli (2018), Feature selection with Rényi min-entropy.
    """

    needs = COUNTED
    kinds = frozenset({"step", "set"})
    learns = MappingProxyType(
        {
            "class_entropy": "float: H_α(y), in bits.",
            "residual_entropy": "float: H_α(y | selected columns), in bits.",
            "bayes_risk": "float: Share of rows that the best rule on the joint levels of the selected "
            "columns gets wrong.",
        }
    )
    default_cut = "residual"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "alpha": [Interval(Real, 0, None, closed="right")],
        "ties": [StrOptions({"shannon", "index"})],
        "correction": [StrOptions({"miller_madow"}), None],
    }

    def __init__(self, alpha: float = math.inf, ties: str = "shannon", correction: str | None = None) -> None:
        self.alpha = alpha
        self.ties = ties
        self.correction = correction

    def begin_sets(self, table: Table, threads: Threads) -> "RenyiState":
        return self.begin_steps(table, threads)

    def begin_steps(self, table: Table, threads: Threads) -> "RenyiState":
        if self.correction is not None and self.alpha != 1:
            raise CombinationError(
                "The Miller–Madow correction applies only to Shannon entropy (alpha=1), got "
                f"alpha={self.alpha}. Hint: use correction=None, or alpha=1."
            )
        return RenyiState(self, table)


class RenyiState(OneObjective):
    """The rows grouped by the selected columns."""

    objectives = ("H(y|S)",)

    def __init__(self, measure: Renyi, table: Table) -> None:
        self._alpha = self.entropy_order = order_of(measure.alpha)
        self._goes_by_index = measure.ties == "index"
        self._counts = table.counts
        self.is_monotone = measure.correction is None
        self._surprisal = Surprisal.of(table.counts, measure.correction)
        self._groups = self._counts.groups(self._surprisal)
        self._residual = self._groups.entropy(self._alpha)
        self._picked: list[int] = []
        self._rest: LeastGivenOne | None = None

    def include(self, column: int) -> None:
        self._groups.refine(column)
        self._residual = self._groups.entropy(self._alpha)
        self._picked.append(column)

    def compete(self, candidates: np.ndarray) -> Scores:
        if self._groups.is_settled:
            gains = np.zeros(len(candidates))
        else:
            gains = self._residual - self._groups.entropies(candidates, self._alpha)
        has_more = self._alpha == 1 and gains.max(initial=0.0) > TOLERANCE
        return Scores(
            candidates,
            gains,
            None if has_more else lambda tied: self._break_ties(candidates[tied]),
            self._residual,
        )

    def _break_ties(self, columns: np.ndarray) -> np.ndarray:
        """Secondary scores of tied columns: by I(f;y|S), or by pairs if that is 0 for all of them."""
        if not self._groups.is_settled:
            entropies = self._groups.entropies(columns, 1)
            if self._groups.entropy(1) - entropies.min() > TOLERANCE:
                return np.zeros(len(columns)) if self._goes_by_index else -entropies
        if self._rest is None:
            self._rest = LeastGivenOne(self._counts, self._surprisal)
        return self._rest.scores(columns, self._picked)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """H_α(y|S) of whole subsets, bool (subsets, columns), as one column of values."""
        n_rows = self._counts.n_rows
        if self._alpha == 1:
            phi = self._surprisal.phi
            sums = self._counts.subset_sums(subsets, phi, phi)
            bits = self._surprisal.to_bits(sums.over_groups - sums.over_cells)
        elif self._alpha == math.inf:
            bits = log2(n_rows) - log2(self._counts.subset_peaks(subsets))
        else:
            norms = self._counts.subset_norms(subsets, self._alpha)
            # no values below 0 by rounding, and no -0.0 of orders above 1
            bits = np.fmax(self._alpha / (1 - self._alpha) * (log2(norms) - log2(n_rows)), 0.0) + 0.0
        return bits[:, None]

    def conclude(self, columns: Sequence[int]) -> Mapping[str, Any]:
        groups = self._counts.groups(Surprisal(self._counts.n_rows))
        class_entropy = groups.entropy(self._alpha)
        for column in columns:
            groups.refine(column)
        return {
            "class_entropy": class_entropy,
            "residual_entropy": max(0.0, groups.entropy(self._alpha)),
            "bayes_risk": max(0.0, 1.0 - 2.0 ** -groups.entropy(math.inf)),
        }


class LeastGivenOne:
    """The smallest I(f;y|s) of each column f over the selected columns s: what is left of it next to each.

    Parameters
    ----------
    counts : of all columns
    surprisal : of Shannon's entropy
    """

    def __init__(self, counts: Counts, surprisal: Surprisal) -> None:
        self._counts, self._surprisal = counts, surprisal
        self._columns = ColumnSums(counts, surprisal)
        self._least = self._columns.relevance
        self._n_given = 0

    def scores(self, columns: np.ndarray, picked: Sequence[int]) -> np.ndarray:
        """In bits; I(f;y) if the minima of all these columns are 0."""
        every = np.arange(len(self._least))
        for s in picked[self._n_given :]:
            given, with_y, expected = self._counts.pair_sums(s, every, self._surprisal)
            left = with_y - given - expected + self._columns.f[s] - self._columns.fy[s]
            self._least = np.minimum(self._least, left)
        self._n_given = len(picked)
        least: np.ndarray = self._surprisal.to_bits(self._least[columns])
        if least.max(initial=0.0) > TOLERANCE:
            return least
        return np.asarray(self._surprisal.to_bits(self._columns.relevance[columns]))

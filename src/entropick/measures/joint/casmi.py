"""Coverage-adjusted standardised mutual information of all selected columns jointly."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy.special import gammaincc

from entropick._base.compat import Interval
from entropick._base.subsets import changed
from entropick._base.threads import Threads
from entropick.contracts import COUNTED, Scores
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.exceptions import CombinationError
from entropick.measures.base import PlainState, StepMeasure
from entropick.measures.pairs.pairwise import Bits
from entropick.table.table import Table

__all__ = ["CASMI"]


class CASMI(StepMeasure):
    """Coverage-adjusted standardised mutual information: greedily the largest κ = C(S,f) I(S,f;y) / H(y).

    The selected columns S are used jointly. Entropies are Zhang's estimates, which are less biased than those
    of observed frequencies. The coverage C is Turing's estimate, the share of rows whose joint level occurs
    more than once: where the joint levels of many columns hardly recur, what they tell counts less. A column
    scores what it adds to κ(S), so scores fall below 0 where coverage is lost, and "auto" keeps the columns
    before that.

    Columns that look independent of y by themselves come last: 1 is subtracted from their scores. The test is
    the paper's, 2 n I + d against χ² with d = (levels − 1)(classes − 1) degrees of freedom.

    Parameters
    ----------
    level : float in (0, 1], default=0.05
        Significance level of that test; 1 tests nothing.

    References
    ----------
    Shi, Zhang and Ge (2019), CASMI: an entropic feature selection method in Turing's perspective.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CASMI
    >>> X, y = load_wine(return_X_y=True)
    >>> CASMI().fit(X, y).order_
    array([ 6,  0, 11])
    """

    needs = COUNTED
    default_cut = "threshold"
    keeps_by_rule = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {"level": [Interval(Real, 0, 1, closed="right")]}

    def __init__(self, level: float = 0.05) -> None:
        self.level = level

    def begin_steps(self, table: Table, threads: Threads) -> "CoverageState":
        if table.counts.copies != 1:
            raise CombinationError(
                "CASMI counts joint levels that occur once, so a row cannot have a fraction as weight. Hint: "
                "pass whole numbers as sample_weight, or use another measure, such as JMI."
            )
        return CoverageState(self, table)


class CoverageState(PlainState):
    """The selected columns, and which columns passed the test."""

    def __init__(self, measure: CASMI, table: Table) -> None:
        self._counts = counts = table.counts
        self._surprisal = Surprisal(counts.n_rows, "zhang")
        columns = ColumnSums(counts, self._surprisal)
        self._of_classes = columns.whole - columns.y  # n·H(y)
        self._passes = self._tails(columns) <= measure.level
        self._is_single = np.zeros(counts.n_rows + 1, np.int64)
        self._is_single[1] = 1
        self._selected = np.zeros(table.n_columns, bool)
        self._reached = 0.0

    def _tails(self, columns: ColumnSums) -> np.ndarray:
        """p-values of the columns by themselves; 1 of those that cannot tell anything."""
        n_levels = np.add.reduceat(self._counts.level_sizes()[0] > 0, self._counts.level_sizes()[1])
        freedom = (n_levels - 1.0) * (np.count_nonzero(self._counts.class_sizes) - 1)
        to_chi2 = 2 * np.log(2) * self._counts.n_rows * self._surprisal.unit
        found = np.maximum(columns.relevance * to_chi2 + freedom, 0.0)
        return np.where(freedom > 0, gammaincc(np.maximum(freedom, 1) / 2, found / 2), 1.0)

    def include(self, column: int) -> None:
        self._reached = float(self._values(np.array([column]))[0])
        self._selected[column] = True

    def compete(self, candidates: np.ndarray) -> Scores:
        gains = self._values(candidates) - self._reached
        return Scores(candidates, gains - ~self._passes[candidates])

    def _values(self, columns: np.ndarray) -> Bits:
        """κ of the selected columns and each of these."""
        subsets = changed(self._selected, columns, True)
        phi = self._surprisal.phi
        sums = self._counts.subset_sums(subsets, phi, phi)
        singles = self._counts.subset_sums(subsets, self._is_single, self._is_single).over_groups
        information = self._of_classes - sums.over_groups + sums.over_cells
        coverage = 1 - singles / self._counts.n_rows
        return np.asarray(coverage * information / max(self._of_classes, 1))

"""Scores by Pearson's correlation: CFS without a target, RRPC with some labels."""

from typing import Any, ClassVar

import numpy as np
import scipy.sparse

from entropick._base.compat import StrOptions
from entropick._base.threads import Threads
from entropick.contracts import Need, Scores
from entropick.measures._shared.moments import bounds_of
from entropick.measures._shared.values import BLOCK_VALUES, is_narrow, scaled, unit_scores, values_of
from entropick.measures.base import FixedScores, PlainState, StepMeasure, UnsupervisedRanking
from entropick.table.codes import Target
from entropick.table.magnitude import tamed
from entropick.table.numbers import Numbers
from entropick.table.table import Table

__all__ = ["CFS", "RRPC"]


class Correlations:
    """Pearson's correlation of columns, 0 where one of them is constant.

    Parameters
    ----------
    values : the columns; a sparse matrix stays one
    signed : whether correlations keep their sign, or absolute values are taken
    """

    def __init__(self, values: Numbers, signed: bool = False) -> None:
        self._signed = signed
        self._columns = scaled(values, "std")
        self._n_rows = values.shape[0]
        self._means = self._columns.mean(axis=0)  # dense columns have mean 0 already

    def between(self, first: slice | list[int], second: slice | list[int]) -> np.ndarray:
        """r or |r| of some columns with some others, (first, second)."""
        a, b = self._columns[:, first], self._columns[:, second]
        products = a.T @ b
        if isinstance(products, np.ndarray):
            products /= self._n_rows
        else:
            products = products.toarray() / self._n_rows
            products -= np.outer(self._means[first], self._means[second])
        return _correlation(products, self._signed)


class TabledCorrelations:
    """The same, of all pairs of columns, where they are known.

    Parameters
    ----------
    pairs : r, (columns, columns)
    signed : as in `Correlations`
    """

    def __init__(self, pairs: np.ndarray, signed: bool = False) -> None:
        self._pairs = pairs if signed else np.abs(pairs)

    def between(self, first: slice | list[int], second: slice | list[int]) -> np.ndarray:
        return self._pairs[first][:, second]


def correlations_of(
    table: Table, signed: bool = False, columns: np.ndarray | None = None
) -> Correlations | TabledCorrelations:
    """Correlations of the columns of the data, or of some of them."""
    if table.has_sums:
        pairs = table.sums.correlations()
        return TabledCorrelations(pairs if columns is None else pairs[np.ix_(columns, columns)], signed)
    values = values_of(table)
    return Correlations(values if columns is None else values[:, columns], signed)


def _correlation(products: np.ndarray, signed: bool) -> np.ndarray:
    """Mean products of standardised columns as correlations: rounding left out, and maybe the sign."""
    return np.clip(products if signed else np.abs(products, out=products), -1.0, 1.0, out=products)


class CFS(UnsupervisedRanking):
    """Correlation-based selection without a target: columns uncorrelated with the others.

    The score is 1 − mean |r| (or 1 − smallest |r|) with the other columns. Constant columns score 0 and are
    ignored otherwise. This is the comparator of the papers on Inf-FS; Hall's CFS, which needs a target and
    scores subsets, shares only its name.

    Parameters
    ----------
    summary : {"mean", "minimum"}, default="mean"
        What counts of the absolute correlations with the other columns; "minimum" is what the
        Feature Selection Library of the authors of Inf-FS computes.

    References
    ----------
    Roffo, Melzi, Castellani, Vinciarelli and Cristani (2020), Infinite feature selection: a graph-based
    feature filtering approach.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> CFS(n_features=3).fit(X).order_
    array([2, 4, 9])
    """

    sums_suffice = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {"summary": [StrOptions({"mean", "minimum"})]}

    def __init__(self, summary: str = "mean") -> None:
        self.summary = summary

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        low, high = bounds_of(table)
        useful = np.flatnonzero(~is_narrow(low, high))
        scores = np.zeros(len(low))
        scores[useful] = 1 - self._redundancy(correlations_of(table, columns=useful), len(useful))
        return FixedScores(unit_scores(scores, table))

    def _redundancy(self, correlations: Correlations | TabledCorrelations, n: int) -> np.ndarray:
        """Summary of |r| of each of n columns with the others; a column alone repeats nothing.

        Blocks of pairs, each pair once, so that the table of all pairs is never held.
        """
        if n == 1:
            return np.zeros(1)
        combine, neutral = (np.add, 0.0) if self.summary == "mean" else (np.minimum, 1.0)
        combined = np.full(n, neutral)
        width = int(np.sqrt(BLOCK_VALUES))
        for i in range(0, n, width):
            down = slice(i, i + width)
            for j in range(i, n, width):
                across = slice(j, j + width)
                block = correlations.between(down, across)
                if i == j:
                    np.fill_diagonal(block, neutral)
                else:
                    combined[across] = combine(combined[across], combine.reduce(block, axis=0))
                combined[down] = combine(combined[down], combine.reduce(block, axis=1))
        return combined / (n - 1) if self.summary == "mean" else combined


class RRPC(StepMeasure):
    """Relevance and redundancy by Pearson's correlation, with all labels or only some.

    Greedily the column of the largest |r(f,y)| − mean |r(f,s)| over the columns s selected before. Relevance
    is taken on the rows with a label, redundancy on all rows. For classes r(f,y) is the multiple correlation
    of f with the indicators of the classes, which for two classes is Pearson's. Rows without a label have a
    missing value, or −1 with `unlabelled=-1`. Constant columns correlate with nothing. A group is as relevant
    as its best column, and as redundant as its most correlated pair.

    Parameters
    ----------
    signed : bool, default=False
        Whether correlations keep their sign, as the formula of the paper on NEFS is printed: a column that
        falls as y grows is then worse than one that has nothing to do with y.
    classes : {"multiple", "number"}, default="multiple"
        How a column correlates with classes: by the multiple correlation with their indicators, which has no
        sign, or with the number of the class in sorted order, as in that paper.

    References
    ----------
    Xu, Tang, He and Man (2017), Semisupervised feature selection based on relevance and redundancy criteria.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from entropick import RRPC
    >>> X, y = load_wine(return_X_y=True)
    >>> RRPC(n_features=3).fit(X, y).order_
    array([ 6,  9, 12])
    >>> some = np.where(np.arange(len(y)) % 5 == 0, y, -1)  # one label in five
    >>> RRPC(n_features=3, unlabelled=-1).fit(X, some).order_
    array([6, 9, 0])
    """

    needs = frozenset({Need.NUMBERS})
    semi_supervised = True
    sums_suffice = True
    needs_classes = False
    default_cut = "threshold"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "signed": ["boolean"],
        "classes": [StrOptions({"multiple", "number"})],
    }

    def __init__(self, signed: bool = False, classes: str = "multiple") -> None:
        self.signed = signed
        self.classes = classes

    def begin_steps(self, table: Table, threads: Threads) -> "RRPCState":
        return RRPCState(self, table)


class RRPCState(PlainState):
    """Running sums of redundancy: each pick costs one pass over the columns."""

    def __init__(self, measure: RRPC, table: Table) -> None:
        self._table = table
        self._correlations = correlations_of(table, measure.signed)
        relevance = relevance_by_correlation(table, measure.signed, measure.classes)
        self._relevance = unit_scores(relevance, table)
        self._totals = np.zeros(table.n_columns)
        self._n_picked = 0

    def include(self, column: int) -> None:
        members = (column,) if self._table.members is None else self._table.members[column]
        with_pick = self._correlations.between(list(members), slice(None)).max(axis=0)
        self._totals += unit_scores(with_pick, self._table)
        self._n_picked += 1

    def compete(self, candidates: np.ndarray) -> Scores:
        redundancy = self._totals[candidates] / max(1, self._n_picked)
        return Scores(candidates, self._relevance[candidates] - redundancy)


def relevance_by_correlation(table: Table, signed: bool = False, classes: str = "multiple") -> np.ndarray:
    """Correlation of each column with the target on labelled rows; see `RRPC` for the options."""
    if not table.has_sums:
        return _relevance_on_rows(values_of(table), table.target, signed, classes)
    if table.target.encoding.edges is not None or classes == "number":
        found = table.sums.target_correlations()
        return found if signed else np.abs(found)
    moments = table.sums.moments()
    shares = moments.class_counts / moments.class_counts.sum()
    between = (moments.class_means - moments.mean[:, None]) ** 2 @ shares
    is_varying = ~is_narrow(*bounds_of(table)) & (moments.variance > 0)
    share = np.divide(between, moments.variance, out=np.zeros_like(between), where=is_varying)
    return np.asarray(np.sqrt(np.minimum(share, 1.0)))


def _relevance_on_rows(values: Numbers, target: Target, signed: bool, classes: str) -> np.ndarray:
    labelled = np.flatnonzero(target.is_labelled)
    columns = scaled(values[labelled] if len(labelled) < values.shape[0] else values, "std")
    n = len(labelled)
    codes = target.codes[labelled]
    if target.values is not None or classes == "number":
        numbers = codes.astype(np.float64) if target.values is None else target.values[labelled]
        wanted = scaled(tamed(numbers[:, None]), "std")
        return _correlation((columns.T @ wanted).ravel() / n, signed)
    sizes = np.bincount(codes, minlength=target.n_classes)
    indicators = scipy.sparse.csr_array((np.ones(n), (codes, np.arange(n))), (target.n_classes, n))
    means = indicators @ columns
    means = (means.toarray() if not isinstance(means, np.ndarray) else means) / np.maximum(sizes, 1)[:, None]
    overall = columns.mean(axis=0)
    between = sizes / n @ (means - overall) ** 2  # of the whole variance, which is 1
    return np.asarray(np.sqrt(np.minimum(between, 1.0)))

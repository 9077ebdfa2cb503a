"""Scores by symmetrical uncertainty, SU(a,b) = 2 I(a;b) / (H(a) + H(b)): FCBF and Hall's CFS."""

from collections.abc import Iterator
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.logarithms import power_of_two_above
from entropick._base.threads import Threads
from entropick._base.ties import TOLERANCE
from entropick.contracts import Counts, Scores
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.measures.base import OneObjective, PlainState, SetMeasure, StepMeasure
from entropick.measures.pairs.pairwise import Redundancies
from entropick.table.table import Table

__all__ = ["FCBF", "CFSSubset"]


class Uncertainties:
    """Symmetrical uncertainties of columns: 1 where one tells all of the other, 0 where it tells nothing.

    Two variables of one level each have SU = 0. With the correction "adjusted", what columns share by chance
    is taken from I and from its maximum, so that SU of independent columns is 0 on average.
    """

    def __init__(self, counts: Counts, correction: str | None = None) -> None:
        self._counts = counts
        self._surprisal = Surprisal.of(counts, correction)
        self._columns = ColumnSums(counts, self._surprisal)
        self._redundancies = Redundancies(counts, self._columns)

    @property
    def with_target(self) -> np.ndarray:
        """SU(f,y) of every column f."""
        columns = self._columns
        both = self._entropies + columns.whole - columns.y
        return share_of(2 * columns.relevance, both - 2 * columns.expected)

    def with_column(self, s: int, candidates: np.ndarray) -> np.ndarray:
        """SU(f,s) of each candidate f."""
        shared, by_chance = self._shared(s, candidates)
        both = self._entropies[candidates] + self._entropies[s]
        return share_of(2 * shared, both - 2 * by_chance)

    def with_smaller(self, s: int, candidates: np.ndarray) -> np.ndarray:
        """I(f;s) of each candidate f, relative to its maximum: the smaller of H(f) and H(s)."""
        shared, by_chance = self._shared(s, candidates)
        return share_of(shared, np.minimum(self._entropies[candidates], self._entropies[s]) - by_chance)

    @property
    def _entropies(self) -> np.ndarray:
        return np.asarray(self._columns.whole - self._columns.f)

    def _shared(self, s: int, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """I(f;s) of each candidate f less what it is by chance, and the latter."""
        sums = self._counts.pair_sums(s, candidates, self._surprisal, by_class=False)[0]
        shared = self._redundancies.with_column(s, sums)[candidates]
        joint = self._columns.whole - sums[candidates]
        return shared, self._entropies[candidates] + self._entropies[s] - joint - shared


def share_of(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Ratios of integers in units of φ; 0 of nothing."""
    return np.asarray(np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0))


class FCBF(StepMeasure):
    """Fast correlation-based filter: columns more correlated with y than with any better column.

    Columns are tried from the largest SU(f,y) down, SU being symmetrical uncertainty,
    2 I(a;b) / (H(a) + H(b)). A column is predominant, and selected, unless an earlier column s has
    SU(f,s) ≥ SU(f,y) and makes it redundant. "auto" keeps the predominant columns with SU(f,y) above `delta`.
    If more are requested, others follow with the negative score SU(f,y) − SU(f,s), s being the column that
    first made f redundant.

    Parameters
    ----------
    delta : float in [0, 1), default=0.0
        Columns with SU(f,y) of at most delta are irrelevant.

    References
    ----------
    Yu and Liu (2003), Feature selection for high-dimensional data: a fast correlation-based filter solution.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FCBF
    >>> X, y = load_wine(return_X_y=True)
    >>> FCBF(binning="mdlp").fit(X, y).order_
    array([ 6, 11,  9, 12,  0, 10,  1,  3,  4,  2])
    """

    default_cut = "threshold"
    keeps_by_rule = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {"delta": [Interval(Real, 0, 1, closed="left")]}

    def __init__(self, delta: float = 0.0) -> None:
        self.delta = delta

    def begin_steps(self, table: Table, threads: Threads) -> "PredominanceState":
        return PredominanceState(self, table)


class PredominanceState(PlainState):
    """SU(f,y) of every column, and what a column must exceed to be picked."""

    def __init__(self, measure: FCBF, table: Table) -> None:
        self._uncertainties = Uncertainties(table.counts)
        self._relevance = self._uncertainties.with_target
        self._bar = np.full(table.n_columns, float(measure.delta))
        self._pending: list[int] = []

    def include(self, column: int) -> None:
        self._pending.append(column)

    def compete(self, candidates: np.ndarray) -> Scores:
        for s in self._pending:
            in_running = candidates[self._is_predominant(candidates)]
            shared = self._uncertainties.with_column(s, in_running)
            is_redundant = shared >= self._relevance[in_running] - TOLERANCE
            self._bar[in_running[is_redundant]] = shared[is_redundant]
        self._pending.clear()
        short_of = np.where(self._is_predominant(candidates), 0.0, self._bar[candidates])
        return Scores(candidates, self._relevance[candidates] - short_of)

    def _is_predominant(self, columns: np.ndarray) -> np.ndarray:
        """Whether no picked column has made these redundant, and they are relevant at all."""
        return np.asarray(self._relevance[columns] > self._bar[columns] + TOLERANCE)


class CFSSubset(SetMeasure):
    """Hall's correlation-based merit of a subset: columns correlated with y and not with each other.

    The merit is Σ SU(f,y) / √(k + 2 Σ SU(f,g)) over the k columns f and pairs f, g of the subset, SU being
    symmetrical uncertainty, 2 I(a;b) / (H(a) + H(b)). Its negative is minimised.

    References
    ----------
    Hall (1999), Correlation-based feature selection for machine learning.
    """

    default_search = "best_first"

    def begin_sets(self, table: Table, threads: Threads) -> "MeritState":
        return MeritState(table)


class MeritState(OneObjective):
    """SU(f,y) of every column, and SU(f,g) of pairs as far as subsets asked for them.

    They are kept as whole numbers in units of 1 / scale, so that the sums of a subset do not depend on the
    order in which its pairs become known.
    """

    objectives = ("− merit",)

    def __init__(self, table: Table) -> None:
        n_columns = table.n_columns
        self._uncertainties = Uncertainties(table.counts)
        self._scale = 2.0 ** min(52, 62 - power_of_two_above(max(n_columns, 2) ** 2))
        self._relevance = self._whole(self._uncertainties.with_target)
        self._every = np.arange(n_columns)
        self._place = np.full(n_columns, -1)  # of each column in the table of pairs
        self._pairs = np.empty((0, n_columns), np.int64)
        self._n_known = 0

    def _whole(self, uncertainties: np.ndarray) -> np.ndarray:
        return np.rint(uncertainties * self._scale).astype(np.int64)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Negative merits of whole subsets, as one column; 0 of no columns."""
        owner, member = np.divmod(
            np.flatnonzero(subsets), subsets.shape[1]
        )  # faster than with two dimensions
        self._learn_pairs(owner, member)
        relevance, redundancy = np.zeros((2, len(subsets)), np.int64)
        np.add.at(relevance, owner, self._relevance[member])
        is_known = self._place[member] >= 0
        other = np.full(len(subsets), -1)  # the member whose pairs are not known; there is one at most
        other[owner[~is_known]] = member[~is_known]
        for same, members in _by_members(owner[is_known], member[is_known], len(subsets)):
            among = self._pairs[self._place[members]]
            with_other = same[other[same] >= 0]
            redundancy[same] = among[:, members].sum() // 2
            redundancy[with_other] += among[:, other[with_other]].sum(axis=0)
        sizes = np.bincount(owner, minlength=len(subsets))
        merits = relevance / self._scale / np.sqrt(np.maximum(sizes + 2 * redundancy / self._scale, 1.0))
        return 0.0 - merits[:, None]

    def _learn_pairs(self, owner: np.ndarray, member: np.ndarray) -> None:
        """Learn the pairs of all members of each subset but one, whose pairs are theirs.

        The one left out is that of the fewest subsets: a search often asks for one subset and each of many
        columns.
        """
        n_subsets_of = np.bincount(member, minlength=len(self._place))
        starts = np.searchsorted(owner, np.arange(owner.max(initial=-1) + 2))
        n_unknown = np.bincount(owner[self._place[member] < 0])
        for i in np.flatnonzero(n_unknown > 1).tolist():
            members = member[starts[i] : starts[i + 1]]
            unknown = members[self._place[members] < 0]
            for column in unknown[np.argsort(-n_subsets_of[unknown], kind="stable")][:-1].tolist():
                self._learn(column)

    def _learn(self, column: int) -> None:
        if self._n_known == len(self._pairs):
            more = np.empty((max(8, self._n_known), len(self._every)), np.int64)
            self._pairs = np.concatenate([self._pairs, more])[: len(self._every)]
        row = self._whole(self._uncertainties.with_column(column, self._every))
        row[column] = 0
        self._pairs[self._n_known], self._place[column] = row, self._n_known
        self._n_known += 1


def _by_members(
    owner: np.ndarray, member: np.ndarray, n_subsets: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Subsets of the same members, and these; owner and member list all members, subset by subset."""
    starts = np.searchsorted(owner, np.arange(n_subsets + 1)).tolist()
    names = [member[starts[i] : starts[i + 1]].tobytes() for i in range(n_subsets)]
    alike: dict[bytes, list[int]] = {}
    for i, name in enumerate(names):
        alike.setdefault(name, []).append(i)
    for name, subsets in alike.items():
        yield np.array(subsets), np.frombuffer(name, member.dtype)

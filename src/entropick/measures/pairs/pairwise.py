"""Criteria made of pairs: relevance to y, less redundancy with each selected column.

All terms are estimated from counts, in bits; sums run over the selected columns s. The first pick is
always the column f of the largest I(f;y). Ties go to the lowest column index; where chance is taken off
terms by class, to the largest I(f;y) first.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from entropick._base.compat import Interval
from entropick._base.race import FallingScore
from entropick._base.threads import Threads
from entropick.contracts import Counts, Scores
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.measures.base import PlainState, RemovalMeasure, StepMeasure
from entropick.measures.pairs.gains import Gains, explained_shares
from entropick.measures.pairs.relevance import CORRECTION
from entropick.table.table import Table

__all__ = ["JMI", "MIFS", "MRMR"]

Bits = npt.NDArray[np.float64]  # one number per column
MAX_WEIGHT = 1000.0  # of a sum in a race: more would magnify rounding


def share_of(part: np.ndarray, whole: np.ndarray) -> Bits:
    """Ratios; 0 of nothing."""
    return np.asarray(np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0))


class Pair:
    """What each column f and one picked column s tell together, in bits.

    Parameters
    ----------
    sums : Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what I(f;y|s) is by chance, of every column
    columns : sums of the columns themselves
    s : the picked column
    redundancy : I(f;s) as a multiple of the unit of φ, computed when asked for

    Attributes
    ----------
    given_pick : I(f;y|s) as a multiple of the unit of φ
    """

    def __init__(
        self, sums: np.ndarray, columns: ColumnSums, s: int, redundancy: Callable[[], np.ndarray]
    ) -> None:
        self._fs, self._fsy, expected = sums
        self.given_pick = self._fsy - self._fs + columns.f[s] - columns.fy[s] - expected
        self._relevance = columns.relevance
        self._of_pick = self._relevance[s]
        self._all, self._columns, self._s = columns.whole, columns, s
        self._unit = columns.surprisal.unit
        self._find_redundancy = redundancy

    @cached_property
    def _redundancy(self) -> np.ndarray:
        return self._find_redundancy()

    def _in_bits(self, units: np.ndarray) -> Bits:
        return np.asarray(units * self._unit)

    @property
    def redundancy(self) -> Bits:
        """I(f;s)"""
        return self._in_bits(self._redundancy)

    @property
    def relevance(self) -> Bits:
        """I(f;y)"""
        return self._in_bits(self._relevance)

    @property
    def redundancy_within_classes(self) -> Bits:
        """I(f;s|y) = I(f;s) + I(f;y|s) − I(f;y)"""
        return self._in_bits(self._redundancy + self.given_pick - self._relevance)

    @property
    def joint_relevance(self) -> Bits:
        """I(f,s;y) = I(s;y) + I(f;y|s)"""
        return self._in_bits(self._of_pick + self.given_pick)

    @property
    def relevance_given_pick(self) -> Bits:
        """I(f;y|s)"""
        return self._in_bits(self.given_pick)

    @property
    def relevance_of_pick(self) -> Bits:
        """I(s;y|f) = I(f,s;y) − I(f;y)"""
        return self._in_bits(self._of_pick + self.given_pick - self._relevance)

    @property
    def joint_entropy(self) -> Bits:
        """H(f,s,y)"""
        return self._in_bits(self._all - self._fsy)

    @property
    def entropies(self) -> Bits:
        """H(f)"""
        return self._in_bits(self._all - self._columns.f)

    @property
    def entropy_of_pick(self) -> float:
        """H(s)"""
        return float(self._in_bits(self._all - self._columns.f[self._s]))

    @property
    def relative_joint_relevance(self) -> Bits:
        """I(f,s;y) / H(f,s,y), 0 where H = 0"""
        return share_of(self.joint_relevance, self.joint_entropy)


class PairTerms(StepMeasure):
    """A criterion made of I(f;y) and one term per selected column.

    Parameters
    ----------
    correction : None, "miller_madow" or "adjusted", default=None
        Estimate entropies by the observed frequencies, correct their first-order bias, or take away the
        information expected by chance: without a correction a column of many levels looks better than it is.
    """

    by_class: ClassVar[bool] = True  # whether the term looks at the classes
    combine: ClassVar[np.ufunc] = np.add  # how the terms of the selected columns become one
    falling: FallingScore | None = None  # the score, if it falls with shared information: see `Counts.race`

    _parameter_constraints: ClassVar[dict[str, Any]] = CORRECTION

    def __init__(self, correction: str | None = None) -> None:
        self.correction = correction

    def begin_steps(self, table: Table, threads: Threads) -> "PairwiseState":
        return PairwiseState(self, table)

    def alone(self, columns: ColumnSums) -> Bits:
        """The score of each column before any pick: I(f;y), unless a measure says otherwise."""
        return columns.surprisal.to_bits(columns.relevance)

    @abstractmethod
    def term(self, pair: Pair) -> Bits:
        """What picked column s adds to the total."""

    @abstractmethod
    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        """The criterion from what f scores alone and the total of the terms of at least one picked column."""


class PairwiseMeasure(PairTerms, RemovalMeasure):
    """A criterion made of I(f;y) and a sum of terms, so that selected columns can be removed again."""

    def begin_removals(self, table: Table, threads: Threads) -> "PairwiseState":
        return PairwiseState(self, table)


class RunningTotals(PlainState, ABC):
    """Running totals per candidate: each pick costs one pass against the newest column only.

    Parameters
    ----------
    alone : what each column scores before any pick
    score : the criterion, from what columns score alone, their totals and the number of picks
    combine : how the terms of picked columns become a total
    """

    adds_up = True

    def __init__(
        self, alone: Bits, score: Callable[[Bits, Bits, int], Bits], combine: np.ufunc = np.add
    ) -> None:
        self._alone, self._score, self._combine = alone, score, combine
        self._totals = np.zeros(len(alone))  # of no column yet
        self._n_picked = 0
        self._pending, self._included = list[int](), list[int]()
        self._terms: np.ndarray | None = None  # (columns, columns), once columns are taken out again

    @abstractmethod
    def term(self, s: int, candidates: np.ndarray) -> Bits:
        """What column s adds to the totals of all columns; only those of candidates mean something."""

    def include(self, column: int) -> None:
        self._included.append(column)
        if self._terms is None:
            self._pending.append(column)
        else:
            self._fill_terms(column)
            self._sum_terms()

    def compete(self, candidates: np.ndarray) -> Scores:
        for s in self._pending:
            # For all columns, though the terms of others are not used: faster than to pick candidates.
            term = self.term(s, candidates)
            self._totals = self._combine(self._totals, term) if self._n_picked else term
            self._n_picked += 1
        self._pending.clear()
        scores = (
            self._alone if self._n_picked == 0 else self._score(self._alone, self._totals, self._n_picked)
        )
        return Scores(candidates, scores[candidates])

    # -- taking columns out again ------------------------------------------------------------

    @property
    def has_removed(self) -> bool:
        """Whether columns were taken out again."""
        return self._terms is not None

    def exclude(self, column: int) -> None:
        self._terms_of_pairs()
        self._included.remove(column)
        self._sum_terms()

    def merit(self) -> float:
        """The mean score of the included columns, each given the others; 0 of no columns."""
        return float(self._merits(np.array([-1]))[0]) if self._included else 0.0

    def merits_without(self, columns: np.ndarray) -> np.ndarray:
        return self._merits(columns)

    def _merits(self, left_out: np.ndarray) -> np.ndarray:
        """The merit without each of these columns; -1 leaves none out."""
        terms, members = self._terms_of_pairs(), np.array(self._included)
        among = terms[np.ix_(members, members)]
        np.fill_diagonal(among, 0.0)
        alone, totals = self._alone[members], among.sum(axis=0)
        found = np.empty(len(left_out))
        for i, column in enumerate(left_out.tolist()):
            stays = members != column
            n_others = int(stays.sum()) - 1
            if n_others < 1:
                found[i] = alone[stays].sum()
                continue
            without = totals - among[~stays].sum(axis=0)
            found[i] = self._score(alone, without, n_others)[stays].mean()
        return found

    def _terms_of_pairs(self) -> np.ndarray:
        """The terms of every included column with all columns, by included column."""
        if self._terms is None:
            self._terms = np.zeros((len(self._totals), len(self._totals)))
            for s in self._included:
                self._fill_terms(s)
            self._pending.clear()
            self._sum_terms()
        return self._terms

    def _sum_terms(self) -> None:
        """Sum over the included columns again: rounding errors must not pile up as columns come and go."""
        assert self._terms is not None
        self._totals = self._terms[self._included].sum(axis=0)
        self._n_picked = len(self._included)

    def _fill_terms(self, s: int) -> None:
        assert self._terms is not None
        self._terms[s] = self.term(s, np.arange(len(self._totals)))


class PairwiseState(RunningTotals):
    """Terms from sums of φ."""

    def __init__(self, measure: PairTerms, table: Table) -> None:
        self._counts, self._measure = table.counts, measure
        surprisal = Surprisal.of(self._counts, measure.correction)
        self._columns = ColumnSums(self._counts, surprisal)
        self._redundancies = Redundancies(self._counts, self._columns)
        super().__init__(measure.alone(self._columns), measure.score, measure.combine)
        # without a correction what columns seem to add is largely chance
        self._gains = Gains(self._columns) if measure.by_class and surprisal.is_adjusted else None
        self._unit = surprisal.unit
        falling = measure.falling if measure.correction is None else None
        self._race = falling and self._counts.race(self._columns, falling, capped=measure.by_class)

    def compete(self, candidates: np.ndarray) -> Scores:
        if self._race is not None and self._included and not self.has_removed:
            while self._pending:
                self._race.include(self._pending.pop(0))
            return Scores(*self._race.finalists(candidates))
        found = super().compete(candidates)
        if self._gains is None or self.has_removed:
            return found
        # Once the picked columns determine y, all others tie: the ones that tell most alone come first.
        relevance = self._columns.relevance
        return found._replace(
            added=self._gains, tie_break=lambda tied: relevance[candidates[tied]] * self._unit
        )

    def term(self, s: int, candidates: np.ndarray) -> Bits:
        sums = self._counts.pair_sums(s, candidates, self._columns.surprisal, by_class=self._measure.by_class)
        redundancy = partial(self._redundancies.with_column, s, sums[0])
        pair = Pair(sums, self._columns, s, redundancy)
        if self._gains is not None:
            self._gains.add(s, sums, pair.given_pick)
        return self._measure.term(pair)

    def explained(self, columns: Sequence[int]) -> Sequence[float] | None:
        if self._gains is None:
            return None
        return explained_shares(self._counts, columns, self._columns.surprisal.uncorrected())


class PathGains(NamedTuple):
    """What each column of a path adds to those before it.

    Attributes
    ----------
    gains : bits, less chance
    p_values : how often a column that tells nothing would add as much
    explained : the share of H(y) that the first, the first two, ... of the kept columns explain together
    """

    gains: list[float]
    p_values: list[float]
    explained: list[float]


def gains_along(counts: Counts, path: Sequence[int], n_kept: int) -> PathGains:
    """What each column of a path adds to those before it, and the first ones explain, for any criterion."""
    surprisal = Surprisal.of(counts, "adjusted")
    columns = ColumnSums(counts, surprisal)
    found, gains, p_values = Gains(columns), list[float](), list[float]()
    redundancies = Redundancies(counts, columns)
    for i, column in enumerate(path):
        added, p_value = found.tested(np.array([column]))
        gains += added.tolist()
        p_values += p_value.tolist()
        rest = np.array(path[i + 1 :], np.int64)
        if len(rest):
            sums = counts.pair_sums(column, rest, surprisal)
            pair = Pair(sums, columns, column, partial(redundancies.with_column, column, sums[0]))
            found.add(column, sums, pair.given_pick)
    return PathGains(gains, p_values, explained_shares(counts, path[:n_kept], surprisal.uncorrected()))


class Redundancies:
    """I(f;s) of all columns and a picked one, as multiples of the unit of φ."""

    def __init__(self, counts: Counts, columns: ColumnSums) -> None:
        self._counts, self._columns = counts, columns

    def with_column(self, s: int, sums: np.ndarray) -> np.ndarray:
        """I(f;s), given Σ φ(N(f,s))."""
        columns = self._columns
        found: np.ndarray = columns.whole - columns.f - columns.f[s] + sums
        if columns.surprisal.is_adjusted:
            found -= self._by_chance(s)
        return found

    def _by_chance(self, s: int) -> np.ndarray:
        """E[I(f;s)] where the rows of s are dealt out at random; of every column f."""
        sizes, starts = self._counts.level_sizes()
        of_s = sizes[starts[s] : starts[s] + self._counts.n_levels[s]]
        expected = self._columns.surprisal.expected(of_s[None], np.zeros_like(sizes), sizes)
        return np.add.reduceat(expected, starts)


class MIFS(PairwiseMeasure):
    """Mutual information feature selection: greedily the largest I(f;y) − β Σ I(f;s) over the selected s.

    Parameters
    ----------
    beta : float, default=1.0
        Weight of the redundancy.
    correction : None, "miller_madow" or "adjusted", default=None
        Estimate entropies by the observed frequencies, correct their first-order bias, or take away the
        information expected by chance.

    References
    ----------
    Battiti (1994), Using mutual information for selecting features in supervised neural net learning.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MIFS
    >>> X, y = load_wine(return_X_y=True)
    >>> MIFS(n_features=3).fit(X, y).order_
    array([ 6,  0, 10])
    """

    by_class = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CORRECTION,
        "beta": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, beta: float = 1.0, correction: str | None = None) -> None:
        self.beta = beta
        self.correction = correction

    @property
    def falling(self) -> FallingScore | None:  # type: ignore[override]
        return FallingScore(self.beta) if self.beta <= MAX_WEIGHT else None

    def term(self, pair: Pair) -> Bits:
        return pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone - self.beta * total


class MRMR(PairwiseMeasure):
    """Maximum relevance, minimum redundancy: greedily the largest I(f;y) − mean I(f;s) over the selected s.

    References
    ----------
    Peng, Long and Ding (2005), Feature selection based on mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MRMR
    >>> X, y = load_wine(return_X_y=True)
    >>> MRMR(n_features=3).fit(X, y).order_
    array([ 6,  0, 12])
    """

    by_class = False
    falling = FallingScore(is_mean=True)

    def term(self, pair: Pair) -> Bits:
        return pair.redundancy

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return alone - total / n_picked


class JMI(PairwiseMeasure):
    """Joint mutual information: greedily the largest Σ I(f,s;y) over the selected s.

    Parameters
    ----------
    correction : None, "miller_madow" or "adjusted", default="adjusted"
        Estimate entropies by the observed frequencies, as published, correct their first-order bias, or take
        away the information expected by chance. With the last, a column that adds no more than chance is
        passed over as long as another adds more.

    References
    ----------
    Yang and Moody (1999), Feature selection based on joint mutual information.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import JMI
    >>> X, y = load_wine(return_X_y=True)
    >>> JMI(n_features=3).fit(X, y).order_
    array([ 6,  0, 12])
    """

    def __init__(self, correction: str | None = "adjusted") -> None:
        self.correction = correction

    def term(self, pair: Pair) -> Bits:
        return pair.joint_relevance

    def score(self, alone: Bits, total: Bits, n_picked: int) -> Bits:
        return total

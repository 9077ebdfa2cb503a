"""The Markov blanket of the target: the columns that make all others superfluous."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.threads import Threads
from entropick.inference.dependent_rows import check_independent
from entropick.inference.independence import TARGET, IndependenceTests, Test
from entropick.inference.multiplicity import q_values
from entropick.inference.relevance import Relevances
from entropick.measures.base import FixedScores, RankingMeasure
from entropick.table.table import Table

__all__ = ["MarkovBlanket"]

SMALLEST_SCORE = 1e-12  # of a column of the blanket, so that it is above that of the others


@dataclass(eq=False, repr=False)
class MarkovBlanket(RankingMeasure):
    """Markov blanket of y by tests of conditional independence: its causes, its effects, and their causes.

    Given its blanket, y is independent of every other column. "hiton" finds parents and children: columns
    that depend on y given every set of at most `max_given` of the others found so far. Spouses, the other
    parents of children, are then columns that depend on y given a child. "iamb" repeatedly adds the column
    with the most information given all columns found, and then removes those that add nothing.
    "koller_sahami" begins with all columns and repeatedly removes the one that says least about y given the
    `max_given` remaining columns it shares most information with, until all are significant.

    All tests are G-tests. A test with fewer than five rows per cell is not made, and the column stays. Where
    all columns are tested at once, `level` is the false discovery rate.

    The score of a column is the least information that it has about y in any of the tests, less what is
    expected by chance; columns outside the blanket score 0. With "koller_sahami" these score below 0, the
    earlier they were removed the less, so that a number of columns can be kept.

    Parameters
    ----------
    level : float in (0, 1), default=0.01
        Significance level of the tests.
    method : {"hiton", "iamb", "koller_sahami"}, default="hiton"
        How the blanket is found.
    max_given : int, default=3
        Most columns given at once, for "hiton" and "koller_sahami".
    symmetry : {"and", "or", None}, default="and"
        Whether column and y must find each other as parent or child ("and"), one of them must find the other
        ("or"), or only y is asked (None), for method="hiton".
    spouses : bool, default=True
        Whether to look for the other parents of children, for method="hiton".

    References
    ----------
    Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), Local causal and Markov blanket induction
    for causal discovery and feature selection. Tsamardinos, Aliferis and Statnikov (2003), Algorithms for
    large scale Markov blanket discovery. Koller and Sahami (1996), Toward optimal feature selection.

    Examples
    --------
    >>> from entropick import MarkovBlanket
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> MarkovBlanket().fit(X, y).order_
    array([0, 1, 2, 3, 5])
    """

    keeps_by_rule = True
    default_cut = "threshold"
    learns = MappingProxyType(
        {
            "parents_children": "list of int: Columns that depend on y given any others.",
            "spouses": "list of int: Columns that depend on y given a child only.",
        }
    )

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "level": [Interval(Real, 0, 1, closed="neither")],
        "method": [StrOptions({"hiton", "iamb", "koller_sahami"})],
        "max_given": [Interval(Integral, 0, None, closed="left")],
        "symmetry": [StrOptions({"and", "or"}), None],
        "spouses": ["boolean"],
    }

    level: float = 0.01
    method: str = "hiton"
    max_given: int = 3
    symmetry: str | None = "and"
    spouses: bool = True

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        check_independent(table, "MarkovBlanket")
        relevances = Relevances.of(table.column_counts, np.arange(table.n_columns))
        tests = IndependenceTests(table.counts)
        search = LocalSearch(self, tests, relevances)
        scores = np.zeros(table.n_columns)
        if self.method == "koller_sahami":
            found, removed = search.by_eliminating()
            scores[removed] = np.arange(-len(removed), 0)
        else:
            found = search.by_adding() if self.method == "iamb" else search.by_neighbours()
        for column, gain in chain(found.near.items(), found.spouses.items()):
            scores[column] = max(gain, SMALLEST_SCORE)
        learned = {"parents_children": sorted(found.near), "spouses": sorted(found.spouses)}
        return FixedScores(scores, learned)


class Blanket:
    """Columns of a blanket with the least gain of each: parents and children, and spouses."""

    def __init__(self, near: dict[int, float], spouses: dict[int, float] | None = None) -> None:
        self.near, self.spouses = near, spouses or {}


class LocalSearch:
    """The search for the blanket of the target, with what it remembers.

    Parameters
    ----------
    measure : its parameters
    tests : tests of any columns
    relevances : tests of every column with the target
    """

    def __init__(self, measure: MarkovBlanket, tests: IndependenceTests, relevances: Relevances) -> None:
        self._level, self._max_given = measure.level, measure.max_given
        self._symmetry, self._with_spouses = measure.symmetry, measure.spouses
        self._tests, self._relevances = tests, relevances
        self._separators: dict[frozenset[int], tuple[int, ...]] = {}  # what makes two of them independent
        self._known: dict[int, dict[int, float]] = {}  # neighbours of each column asked for

    # -- adding and removing ---------------------------------------------------------------------

    def by_adding(self) -> Blanket:
        """IAMB: add the column that says most given all others found, then remove what adds nothing."""
        found: list[int] = []
        others = list(range(len(self._relevances.information)))
        while others:
            tested = [self._tests.test(j, TARGET, found, all_levels=True) for j in others]
            q_of = q_values(np.array([test.p_value if test.has_power else 1.0 for test in tested]))
            best = max(range(len(others)), key=lambda i: (tested[i].has_power, tested[i].gain))
            if q_of[best] > self._level:
                break
            found.append(others.pop(best))
        return Blanket(self._pruned(found))

    def _pruned(self, found: Iterable[int]) -> dict[int, float]:
        """Columns that still say something given all others, those that say least removed first."""
        kept = list(found)
        while kept:
            rest = {j: [k for k in kept if k != j] for j in kept}
            tested = [(j, self._tests.test(j, TARGET, rest[j], all_levels=True)) for j in kept]
            weak = [one for one in tested if one[1].p_value > self._level and one[1].has_power]
            if not weak:
                return {j: test.gain for j, test in tested}
            kept.remove(min(weak, key=lambda one: one[1].gain)[0])
        return {}

    # -- eliminating ---------------------------------------------------------------------------

    def by_eliminating(self) -> tuple[Blanket, list[int]]:
        """Koller and Sahami: remove the column that says least given those it is most related to.

        Returns what is left, and the columns in the order of their removal.
        """
        shared = self._tests.shared_information()
        kept = list(range(len(shared)))
        tested: dict[int, tuple[Test, tuple[int, ...]]] = {}
        removed: list[int] = []
        while kept:
            for j in kept:
                if j not in tested:
                    tested[j] = self._test_given_nearest(j, [k for k in kept if k != j], shared[j])
            weak = [j for j in kept if tested[j][0].p_value > self._level]
            if not weak:
                break
            worst = min(weak, key=lambda j: (tested[j][0].gain, j))
            kept.remove(worst)
            removed.append(worst)
            tested = {j: found for j, found in tested.items() if worst not in found[1] and j != worst}
        return Blanket({j: tested[j][0].gain for j in kept}), removed

    def _test_given_nearest(
        self, j: int, others: list[int], shared: np.ndarray
    ) -> tuple[Test, tuple[int, ...]]:
        """Test a column given those it shares most with, as many as there are rows for."""
        nearest = sorted(others, key=lambda k: (-shared[k], k))[: self._max_given]
        test = self._tests.test(j, TARGET)
        given: tuple[int, ...] = ()
        for n in range(1, len(nearest) + 1):
            more = self._tests.test(j, TARGET, nearest[:n])
            if not more.has_power:
                break
            test, given = more, tuple(nearest[:n])
        return test, given

    # -- parents, children and spouses -----------------------------------------------------------

    def by_neighbours(self) -> Blanket:
        """HITON: neighbours by tests given few columns, then the other parents of children."""
        near = dict(self._neighbours(TARGET))
        if self._symmetry == "and":
            near = {j: gain for j, gain in near.items() if TARGET in self._neighbours(j)}
        if self._symmetry == "or":
            found_by = {j: self._neighbours(j) for j in self._candidates(TARGET) if j not in near}
            near |= {j: others[TARGET] for j, others in found_by.items() if TARGET in others}
        spouses = self._spouses(near) if self._with_spouses else {}
        return Blanket(near, spouses)

    def _neighbours(self, x: int) -> dict[int, float]:
        """Columns that depend on x given any few of the others, with their least gain."""
        if x in self._known:
            return self._known[x]
        found: dict[int, float] = {}
        for j in self._candidates(x):
            gain = self._least_gain(x, j, list(found), newest=None)
            if gain is None:
                continue
            found[j] = gain
            for k in [k for k in found if k != j]:
                least = self._least_gain(x, k, [m for m in found if m != k], newest=j)
                if least is None:
                    del found[k]
                else:
                    found[k] = min(found[k], least)
        self._known[x] = found
        return found

    def _least_gain(self, x: int, j: int, others: list[int], newest: int | None) -> float | None:
        """The least gain of j given subsets of others, with the newest among them; None if independent."""
        rest = [k for k in others if k != newest]
        last = () if newest is None else (newest,)
        least, can_grow = np.inf, {last}
        for size in range(self._max_given + 1 - len(last)):
            if not can_grow:
                break
            givens = [
                (*given, *last)
                for given in combinations(rest, size)
                if not size or all((*some, *last) in can_grow for some in combinations(given, size - 1))
            ]
            if not givens:
                break
            found = self._tests.tests(x, j, givens)
            is_first = np.array([not given for given in givens])
            is_valid = is_first | (found.have_power & ~(found.determine_x & (x != TARGET)))
            separates = np.flatnonzero(is_valid & (found.p_values > self._level))
            if len(separates):
                self._separators[frozenset({x, j})] = givens[separates[0]]
                return None
            least = min(least, float(found.gains[is_valid].min(initial=np.inf)))
            can_grow = {given for given, grows in zip(givens, found.may_have_more, strict=True) if grows}
            if size:
                rest = [k for k in rest if any(k in given for given in can_grow)]
        return least

    def _candidates(self, x: int) -> list[int]:
        """Columns that depend on x by themselves, the strongest first."""
        if x == TARGET:
            known = self._relevances
            gains = known.information - known.freedom / (2 * known.n_effective * np.log(2))
            p_values = known.p_values
        else:
            of_target = self._relevances
            with_target = Test(float(of_target.information[x]), float(of_target.p_values[x]), True)
            gains, p_values = self._tests.tests_of_column(x, with_target)
        passed = np.flatnonzero(q_values(p_values) <= self._level)
        ordered = passed[np.argsort(-gains[passed], kind="stable")].tolist()
        return [TARGET if j == len(self._relevances.information) else j for j in ordered]

    def _spouses(self, near: dict[int, float]) -> dict[int, float]:
        """Columns that depend on the target given what separates them from it, and a child."""
        found: dict[int, float] = {}
        for child in near:
            for j in self._neighbours(child):
                if j == TARGET or j in near:
                    continue
                separator = self._separators.get(frozenset({TARGET, j}), ())
                test = self._tests.test(j, TARGET, {*separator, child})
                if test.has_power and test.p_value <= self._level:
                    found[j] = max(test.gain, found.get(j, 0.0))
        return found

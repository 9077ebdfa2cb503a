"""Columns until the next one adds no more than chance."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, drawn_seed
from entropick._base.ties import TOLERANCE
from entropick.contracts import Groups, Judge, JudgedState, Need
from entropick.counting.surprisal import Surprisal
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.evaluation.dependence import BY_ORDER, warn_of_dependence
from entropick.evaluation.null import EXCESS_OF_SHIFTS
from entropick.exceptions import CombinationError
from entropick.inference.given import GivenColumns
from entropick.records.selection import Step
from entropick.table.row_groups import BOTH
from entropick.table.table import Table


class Permutation(Cut):
    """Keep columns until the next conditional gain I(f;y|S) is no better than chance.

    The labels are shuffled among the rows that agree on all selected columns S, which preserves what S
    says about y and destroys what any other column adds. If there are fewer than five rows for each joint
    level of S, level of the new column and class, only those columns of S are given that say most about the
    new column, as many as there are rows for: others can hardly explain it, and strata of few rows would hide
    what it adds. Each shuffle uses the best of all remaining columns, because the new column is itself the
    best of them: its gain must beat those. Gains are compared in standard deviations of each column over the
    shuffles, so that columns of many levels, which gain more by chance, do not hide others. The p-value is
    (1 + shuffles at least as good) / (1 + shuffles).

    Each step records H(y | columns so far), and the range that holds it in 90 % of the shuffles.

    Measures of near rows, such as those of `SNEFS` and `NEFS`, are tested by their own score: labels are
    shuffled among the ten rows nearest on S (all rows for the first step), and the new column must add more
    to the score of S than the best column does there. That is exact for the first step, and approximate for
    later ones.

    The first step is tested exactly if rows are independent and levels were chosen without y (MDLP binning
    is rejected). Later steps are tested given the *levels* of S: with few levels, a noisy copy of a column
    can still tell what its levels hide. As S grows, fewer rows agree on S: with
    fewer than five rows per cell, only those columns of S that say most about the new one are given. With few
    rows use few levels (`n_bins`).

    Rows that belong together (`groups` of `fit`) get the labels of another group as a whole. Rows in the
    order of time (`time_order`) get those of other times: labels are shifted, not shuffled, among the rows
    that agree on S, and p-values are doubled, because a shift breaks the series in one place.

    Parameters
    ----------
    level : float in (0, 1), a step with a p-value above it ends the selection
    n_permutations : int, shuffles per step; at least 1/level − 1, or no step can pass
    random_state : int, RandomState or None; None takes the selector's
    time_order : bool, whether rows are in the order of time, so that neighbouring rows are alike
    """

    rule = "stops when the next gain is no better than chance"
    uses_target = True

    needs = frozenset({Need.COUNTS, Need.LABELS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "level": [Interval(Real, 0, 1, closed="neither")],
        "n_permutations": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "time_order": ["boolean"],
    }

    def __init__(
        self,
        level: float = 0.05,
        n_permutations: int = 100,
        random_state: Any = None,
        time_order: bool = False,
    ) -> None:
        self.level = level
        self.n_permutations = n_permutations
        self.random_state = random_state
        self.time_order = time_order

    def check(self, table: Table) -> None:
        smallest = EXCESS_OF_SHIFTS if self.time_order else 1  # p-value, times the number of shuffles and 1
        if self.level * (self.n_permutations + 1) < smallest:
            raise ValueError(
                f"With n_permutations={self.n_permutations} no p-value is below "
                f"{smallest / (self.n_permutations + 1):.3g}, so level={self.level} rejects every column. "
                f"Hint: use n_permutations of at least {int(np.ceil(smallest / self.level)) - 1}."
            )
        if self.time_order and table.row_groups is not None:
            raise CombinationError(BOTH)
        self._require_target(table)
        self._require_levels_without_target(table)

    def begin(self, run: Run) -> Judge:
        if not self.time_order:
            warn_of_dependence(None, run.table.target, run.table.row_groups, BY_ORDER)
        testable = run.state.testable()
        if testable is None:
            return _BetterThanChance(self, run.table)
        if self.time_order or run.table.row_groups is not None:
            raise CombinationError(
                "The permutation cut shuffles labels among near rows here, which keeps neither groups of "
                "rows together nor the order of time. Hint: use a method that counts, such as JMI, or leave "
                f"{'time_order' if self.time_order else 'groups'} out."
            )
        return _BetterScore(self, run.table.n_columns, testable)


class _Significant(PlainJudge):
    """Stops at the first step with a p-value above the level."""

    def __init__(self, cut: Permutation, n_columns: int) -> None:
        self._level = cut.level
        self._n_permutations = cut.n_permutations
        seed = drawn_seed(cut.random_state)
        self._rng = np.random.default_rng(seed)
        self._open = np.ones(n_columns, dtype=bool)

    def is_done(self, path: Sequence[Step]) -> bool:
        p_value = path[-1].p_value if path else None
        return p_value is not None and p_value > self._level

    def keep(self, path: Sequence[Step]) -> int:
        return len(path) - self.is_done(path)


class _BetterScore(_Significant):
    """Tests the measure's own score, on a state of its own: searches may use theirs in other ways."""

    def __init__(self, cut: Permutation, n_columns: int, state: JudgedState) -> None:
        super().__init__(cut, n_columns)
        self._fresh, self._state = state.fork(), state.fork()

    def forget(self, path: list[Step]) -> list[Step]:
        self._state = self._fresh.fork()
        self._open[:] = True
        for step in path:
            self._take_in(step)
        return path

    def look(self, step: Step) -> Step:
        if not step.fixed:
            step = step.annotated(p_value=self._p_value(step.column))
        self._take_in(step)
        return step

    def _take_in(self, step: Step) -> None:
        self._open[step.column] = False
        self._state.include(step.column)

    def _p_value(self, column: int) -> float:
        """How often the best column adds as much to the score on shuffled labels.

        Compare gains, not totals: local shuffling weakens the selected columns as well.
        """
        added = _most_added(self._state, np.array([column]))
        candidates = np.flatnonzero(self._open)
        by_chance = [
            _most_added(self._state.permuted(self._rng), candidates) for _ in range(self._n_permutations)
        ]
        as_good = sum(gain >= added - TOLERANCE for gain in by_chance)
        return (1 + as_good) / (1 + self._n_permutations)


def _most_added(state: JudgedState, candidates: np.ndarray) -> float:
    """What the best of some columns adds to the score of the included ones."""
    return float(state.compete(candidates).scores.max()) - state.reached()


def share_as_good(left_open: np.ndarray, chosen: int) -> float:
    """p-value of a column: the share of the rows in which the best column is as good as it is in the first.

    Each column is compared with itself in the other rows, in standard deviations: a column of many levels
    leaves less open by chance, and would hide what others tell.

    Parameters
    ----------
    left_open : what each column leaves open, (labels, columns); the first row is that of the true labels
    """
    spread = left_open.std(axis=0)
    better = (left_open.mean(axis=0) - left_open) / np.where(spread > TOLERANCE, spread, np.inf)
    return float((better.max(axis=1) >= better[0, chosen] - TOLERANCE).mean())


class _BetterThanChance(_Significant):
    def __init__(self, cut: Permutation, table: Table) -> None:
        super().__init__(cut, table.n_columns)
        self._counts, self._surprisal = table.counts, Surprisal(table.n_rows)
        self._row_groups, self._time_order = table.row_groups, cut.time_order
        self._groups = self._counts.groups(self._surprisal)
        self._given = GivenColumns(table.counts)

    def forget(self, path: list[Step]) -> list[Step]:
        self._groups = self._counts.groups(self._surprisal)
        self._open[:] = True
        return [self._taken_in(step) for step in path]

    def look(self, step: Step) -> Step:
        if not step.fixed:
            step = self._tested(step)
        return self._taken_in(step)

    def _taken_in(self, step: Step) -> Step:
        self._open[step.column] = False
        self._groups.refine(step.column)
        return step.annotated(residual=max(0.0, self._groups.entropy(1)))

    def _tested(self, step: Step) -> Step:
        """How often the best column explains shuffled labels as well as the pick explains y."""
        groups, are_all = self._groups_given(step.column)
        if groups.is_settled:
            return step.annotated(p_value=1.0)
        candidates = np.flatnonzero(self._open)
        n_twins = self._n_permutations
        by_chance = np.array([
            groups.permuted(self._rng, self._row_groups, shift).entropies(candidates, 1)
            for shift in (np.arange(1, n_twins + 1) / (n_twins + 1) if self._time_order else [None] * n_twins)
        ])  # fmt: skip
        left_open = np.vstack([groups.entropies(candidates, 1), by_chance])
        p_value = share_as_good(left_open, int(np.searchsorted(candidates, step.column)))
        step = step.annotated(p_value=min(1.0, EXCESS_OF_SHIFTS * p_value) if self._time_order else p_value)
        if not are_all:  # the residual given some columns does not compare with that given all
            return step
        low, high = np.quantile(by_chance.min(axis=1), [0.05, 0.95]).tolist()
        return step.annotated(chance=(max(0.0, low), max(0.0, high)))

    def _groups_given(self, column: int) -> tuple[Groups, bool]:
        """Rows alike on the selected columns, or if rows are few on those that say most about a column."""
        selected = np.flatnonzero(~self._open).tolist()
        n_cells = int(self._counts.n_levels[column]) * len(self._counts.class_sizes)
        relatives = self._given.relatives(column, selected, n_cells)
        if len(relatives) == len(selected):
            return self._groups, True
        groups = self._counts.groups(self._surprisal)
        for j in relatives:
            groups.refine(j)
        return groups, False

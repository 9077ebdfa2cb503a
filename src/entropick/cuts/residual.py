"""Keep columns until the remaining entropy of the target is as low as with all columns."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

from entropick._base.compat import Interval
from entropick._base.ties import TOLERANCE
from entropick.contracts import COUNTED, Judge
from entropick.counting.surprisal import Surprisal
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.records.selection import Step
from entropick.table.table import Table


class Residual(Cut):
    """Stop when H(y|S) is no more than `excess` bits above H(y|all columns).

    Without excess the kept columns are, on these rows, as informative about y as all columns: a Markov
    blanket of y. If all columns determine y, that means H(y|S) = 0. The entropy has the order of the
    measure if it has one, else it is Shannon's. It is computed from the joint levels of the selected columns,
    so it falls quickly with few rows or many levels.

    With `max_risk` it also stops as soon as the Bayes risk, the share of rows that the best rule on the joint
    levels gets wrong, is at most that. This risk is in-sample; on other rows it is higher, see
    `held_out_risk` of the selectors.

    Parameters
    ----------
    excess : float, default=0.0
        Bits of remaining uncertainty to accept.
    max_risk : float in [0, 1) or None, default=None
        Share of wrong classes to accept.
    """

    rule = "stops when the selected columns leave no more uncertainty about y than all columns\n    together"
    uses_target = True

    needs = COUNTED

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "excess": [Interval(Real, 0, None, closed="left")],
        "max_risk": [Interval(Real, 0, 1, closed="left"), None],
    }

    def __init__(self, excess: float = 0.0, max_risk: float | None = None) -> None:
        self.excess = excess
        self.max_risk = max_risk

    def check(self, table: Table) -> None:
        self._require_target(table)

    def begin(self, run: Run) -> Judge:
        return _UntilExplained(self, run.table, run.state.entropy_order)


class _UntilExplained(PlainJudge):
    def __init__(self, cut: Residual, table: Table, entropy_order: float) -> None:
        self._alpha, self._max_risk = entropy_order, cut.max_risk
        self._counts, self._surprisal = table.counts, Surprisal(table.n_rows)
        self._begin()
        self._goal = self._groups.entropy_given_all(self._alpha) + cut.excess + TOLERANCE

    def _begin(self) -> None:
        self._groups = self._counts.groups(self._surprisal)
        self._residual = self._groups.entropy(self._alpha)

    def look(self, step: Step) -> Step:
        self._groups.refine(step.column)
        self._residual = self._groups.entropy(self._alpha)
        return step.annotated(residual=max(0.0, self._residual))

    def forget(self, path: list[Step]) -> list[Step]:
        self._begin()
        return [self.look(step) for step in path]

    def is_done(self, path: Sequence[Step]) -> bool:
        return self._residual <= self._goal or self._is_risk_low()

    def _is_risk_low(self) -> bool:
        if self._max_risk is None:
            return False
        return 1 - math.pow(2, -self._groups.entropy(math.inf)) <= self._max_risk + TOLERANCE

    def keep(self, path: Sequence[Step]) -> int:
        return len(path)

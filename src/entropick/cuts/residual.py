"""Until the target's remaining uncertainty is as low as all columns together make it."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

from entropick._compat import Interval
from entropick.contracts import Judge, Need, State
from entropick.cuts.base import Cut, PlainJudge
from entropick.data import Data
from entropick.records import Step
from entropick.surprisal import Surprisal
from entropick.threads import Threads
from entropick.ties import TOLERANCE


class Residual(Cut):
    """Stop when H(y|S) is no more than `excess` bits above H(y|all columns).

    With no excess the kept columns tell about y, on these rows, all that all columns tell: a Markov
    blanket of y. Where all columns determine y, that means H(y|S) = 0. The entropy is that of the
    measure's order where it has one, else Shannon's. It is computed from the joint levels of
    the picked columns, so few rows or many levels make it small soon.

    Parameters
    ----------
    excess : float, bits of uncertainty to put up with
    """

    rule = "stops when the selected columns leave no more uncertainty about y than all columns\n    together"
    uses_target = True

    needs = frozenset({Need.COUNTS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "excess": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, excess: float = 0.0) -> None:
        self.excess = excess

    def check(self, data: Data) -> None:
        self._require_target(data)

    def begin(self, data: Data, state: State, threads: Threads) -> Judge:
        return _UntilExplained(self.excess, data, state.entropy_order)


class _UntilExplained(PlainJudge):
    def __init__(self, excess: float, data: Data, entropy_order: float) -> None:
        self._alpha = entropy_order
        self._counts, self._surprisal = data.counts, Surprisal(data.n_rows)
        self._begin()
        self._goal = self._groups.entropy_given_all(self._alpha) + excess + TOLERANCE

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
        return self._residual <= self._goal

    def keep(self, path: Sequence[Step]) -> int:
        return len(path)

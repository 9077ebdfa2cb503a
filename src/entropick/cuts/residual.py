"""Until the target's remaining uncertainty is as low as all columns together make it."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

from entropick._compat import Interval
from entropick.counting.partition import Partition
from entropick.counting.surprisal import Surprisal
from entropick.cuts.base import Cut, Judge, require_target
from entropick.records import Step
from entropick.table import Table
from entropick.ties import TOLERANCE
from entropick.workers import Workers


class Residual(Cut):
    """Stop when H(y|S) is no more than `excess` bits above H(y|all columns).

    With no excess the kept columns tell about y, on these rows, all that all columns tell: a Markov
    blanket of y. Where all columns determine y, that means H(y|S) = 0. The entropy is that of the
    measure's order where it has one (`alpha`), else Shannon's. It is computed from the joint levels of
    the picked columns, so few rows or many levels make it small soon.

    Parameters
    ----------
    excess : float, bits of uncertainty to put up with
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "excess": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, excess: float = 0.0) -> None:
        self.excess = excess

    def begin(self, table: Table, measure: Any, workers: Workers) -> Judge:
        require_target(self, table)
        return _UntilExplained(self.excess, table, getattr(measure, "alpha", 1), workers)


class _UntilExplained(Judge):
    def __init__(self, excess: float, table: Table, alpha: float, workers: Workers) -> None:
        self._alpha = alpha
        self._partition = Partition(table, Surprisal(table.n_rows), workers)
        self._residual = self._partition.entropy(alpha)
        self._goal = self._partition.entropy_given_all(alpha) + excess + TOLERANCE

    def look(self, step: Step) -> Step:
        self._partition.refine(step.column)
        self._residual = self._partition.entropy(self._alpha)
        return step.annotated(residual=max(0.0, self._residual))

    def is_done(self, path: Sequence[Step]) -> bool:
        return self._residual <= self._goal

    def keep(self, path: Sequence[Step]) -> int:
        return len(path)

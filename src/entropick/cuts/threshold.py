"""Keep columns until the score falls below a threshold."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

from entropick._base.compat import Interval
from entropick.contracts import Judge
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.records.selection import Step


class Threshold(Cut):
    """Keep columns while their score is above a value.

    Parameters
    ----------
    value : float, in the units of the measure
    """

    rule = "selects columns while their score is above 0"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "value": [Interval(Real, None, None, closed="neither")],
    }

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def begin(self, run: Run) -> Judge:
        return _Above(self.value)


class _Above(PlainJudge):
    def __init__(self, value: float) -> None:
        self._value = value

    def _passes(self, step: Step) -> bool:
        return step.fixed or step.score > self._value

    def is_done(self, path: Sequence[Step]) -> bool:
        return bool(path) and not self._passes(path[-1])

    def keep(self, path: Sequence[Step]) -> int:
        return next((i for i, step in enumerate(path) if not self._passes(step)), len(path))

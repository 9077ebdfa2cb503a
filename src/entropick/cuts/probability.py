"""Keep the columns that a search over subsets almost always includes."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.ties import TOLERANCE
from entropick.contracts import Judge, SetState
from entropick.cuts.base import Cut, Run
from entropick.cuts.front import ChosenSubset
from entropick.exceptions import warn_user
from entropick.records.exploration import Exploration

WORSE = 0.01  # a subset is worse if its value is higher by more than this share


class Probability(Cut):
    """Keep the columns with a probability of at least ζ.

    If there are none, if they are worse than the best subset found, or if the search was stopped early,
    that subset is kept instead; so is a subset that was polished or has a budget.

    Parameters
    ----------
    zeta : float in (0, 1), default=0.9
        Probability a column must reach.
    strict : bool, default=False
        Whether the columns that reach it are kept whatever the best subset is, even if there are none.
    """

    rule = "selects by `zeta`, or by `estimator` if one is given"

    needs_exploration = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "zeta": [Interval(Real, 0, 1, closed="neither")],
        "strict": ["boolean"],
    }

    def __init__(self, zeta: float = 0.9, strict: bool = False) -> None:
        self.zeta = zeta
        self.strict = strict

    def begin(self, run: Run) -> Judge:
        return _Probable(self.zeta, self.strict, run.table.names)


class _Probable(ChosenSubset):
    def __init__(self, zeta: float, strict: bool, names: Sequence[str]) -> None:
        super().__init__()
        self._zeta = zeta
        self._strict = strict
        self._names = names

    def choose(self, exploration: Exploration, state: SetState) -> np.ndarray:
        probable, best = exploration.scores >= self._zeta, exploration.front.subsets[0]
        if self._strict:
            return self.keep_subset(probable)
        if exploration.is_final or not exploration.complete:
            return self.keep_subset(best)
        if not probable.any():
            highest = int(exploration.scores.argmax())
            self._warn(
                f"No column is drawn with a probability of at least {self._zeta} (the highest is "
                f"{exploration.scores[highest]:.2f}, {self._names[highest]!r})"
            )
            return self.keep_subset(best)
        if self._is_worse(probable, best, state):
            self._warn(
                f"The columns with a probability of at least {self._zeta} are together worse than the best "
                "subset drawn"
            )
            return self.keep_subset(best)
        return self.keep_subset(probable)

    def _is_worse(self, subset: np.ndarray, best: np.ndarray, state: SetState) -> bool:
        """Whether a subset is more than a little worse than the best one."""
        values = state.values(np.stack([subset, best]))
        value, least = state.normalized(values).sum(axis=1)
        return bool(value > least + WORSE * abs(least) + TOLERANCE)

    def _warn(self, what: str) -> None:
        warn_user(
            f"{what}; the best subset is kept instead. Hint: several subsets may be equally good, "
            "so the probabilities do not settle; inspect them before relying on this choice."
        )

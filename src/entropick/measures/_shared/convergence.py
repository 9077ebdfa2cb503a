"""Warn if an iterative measure stopped before it converged."""

from types import MappingProxyType

from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from entropick.exceptions import warn_user

#: What a measure learns that may not converge.
CONVERGED = MappingProxyType(
    {"converged": "bool: Whether the rounds ended because nothing changed any more, not at their maximum."}
)

#: Scores of iterative measures are equal if they differ by a smaller share of the largest: other processors
#: reproduce no more digits.
DIGITS = 1e-8


def noted(measure: BaseEstimator, has_converged: bool) -> dict[str, bool]:
    """What the measure learned for the record; warn if it stopped after `measure.max_rounds`."""
    if not has_converged:
        warn_user(
            f"{type(measure).__name__} did not converge in max_rounds={measure.max_rounds}: more rounds "
            "would change the scores, and the order of columns whose scores are close. Hint: increase "
            "max_rounds; where that does not help, trust only columns that stand apart.",
            ConvergenceWarning,
        )
    return {"converged": has_converged} if measure.learns else {}

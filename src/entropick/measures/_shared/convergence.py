"""What an iterative measure says where it was stopped before it converged."""

from types import MappingProxyType

from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from entropick.exceptions import warn_user

#: What a measure learns that may stop too early.
CONVERGED = MappingProxyType(
    {"converged": "bool: Whether the rounds ended because nothing changed any more, not at their maximum."}
)

#: Scores of iterative measures that differ by a smaller share of the largest are equal: they have no more
#: digits than that in common on different processors.
DIGITS = 1e-8


def noted(measure: BaseEstimator, has_converged: bool) -> dict[str, bool]:
    """The note for the record; warns where rounds ended at their maximum, `measure.max_rounds`."""
    if not has_converged:
        warn_user(
            f"{type(measure).__name__} did not converge in max_rounds={measure.max_rounds}: more rounds "
            "would change the scores, and the order of columns whose scores are close. Hint: increase "
            "max_rounds; where that does not help, trust only columns that stand apart.",
            ConvergenceWarning,
        )
    return {"converged": has_converged}

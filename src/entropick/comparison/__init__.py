"""Several methods on one table: what their columns are worth, how stable they are, which to take."""

from typing import TYPE_CHECKING

from entropick._base.lazy import attach
from entropick.evaluation.stability import Stability, stability_of

HOMES = {"record": ["Comparison", "MethodResult", "Recommendation"], "run": ["compare"]}

if TYPE_CHECKING:
    from entropick.comparison.record import (
        Comparison as Comparison,
        MethodResult as MethodResult,
        Recommendation as Recommendation,
    )
    from entropick.comparison.run import compare as compare
else:  # comparing needs many estimators of scikit-learn, and those who read a comparison none
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)
    __all__ += ["Stability", "stability_of"]

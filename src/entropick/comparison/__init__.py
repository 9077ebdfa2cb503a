"""Compare methods on one table: scores, stability, and a recommendation."""

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
else:  # only `compare` needs the estimators of scikit-learn, which take long to import
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)
    __all__ += ["Stability", "stability_of"]

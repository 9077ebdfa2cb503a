"""Several methods on one table: what their columns are worth, how stable they are, which to take."""

from entropick.comparison.record import Comparison, MethodResult, Recommendation, Stability
from entropick.comparison.run import compare
from entropick.comparison.stability import stability_of

__all__ = ["Comparison", "MethodResult", "Recommendation", "Stability", "compare", "stability_of"]

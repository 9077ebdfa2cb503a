"""Several methods on one table: what their columns are worth, how stable they are, which to take."""

from entropick.comparison.record import Comparison, MethodResult, Recommendation
from entropick.comparison.run import compare
from entropick.stability import Stability, stability_of

__all__ = ["Comparison", "MethodResult", "Recommendation", "Stability", "compare", "stability_of"]

"""Cuts: how many columns to keep; a cut watches a search and decides when to stop and what to keep."""

from entropick._base.lazy import attach as _attach

_HOMES = {
    "base": ["Cut", "PlainJudge"],
    "best_size": ["BestSize"],
    "count": ["Count", "Share"],
    "fdr": ["Fdr"],
    "front": ["BestSubset", "Front"],
    "gain": ["Gain"],
    "held_out": ["HeldOut"],
    "histogram": ["Histogram"],
    "knockoffs": ["Knockoffs"],
    "mean_shift": ["MeanShift"],
    "permutation": ["Permutation"],
    "probability": ["Probability"],
    "residual": ["Residual"],
    "threshold": ["Threshold"],
}

__getattr__, __dir__, __all__ = _attach(__name__, _HOMES)

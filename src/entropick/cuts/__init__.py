"""Cuts: how many columns to keep; a cut watches a search and decides when to stop and what to keep."""

from typing import TYPE_CHECKING

from entropick._base.lazy import attach

HOMES = {
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

if TYPE_CHECKING:
    from entropick.cuts.base import Cut as Cut, PlainJudge as PlainJudge
    from entropick.cuts.best_size import BestSize as BestSize
    from entropick.cuts.count import Count as Count, Share as Share
    from entropick.cuts.fdr import Fdr as Fdr
    from entropick.cuts.front import BestSubset as BestSubset, Front as Front
    from entropick.cuts.gain import Gain as Gain
    from entropick.cuts.held_out import HeldOut as HeldOut
    from entropick.cuts.histogram import Histogram as Histogram
    from entropick.cuts.knockoffs import Knockoffs as Knockoffs
    from entropick.cuts.mean_shift import MeanShift as MeanShift
    from entropick.cuts.permutation import Permutation as Permutation
    from entropick.cuts.probability import Probability as Probability
    from entropick.cuts.residual import Residual as Residual
    from entropick.cuts.threshold import Threshold as Threshold
else:  # type checkers see the names themselves
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)

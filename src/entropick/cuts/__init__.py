"""How many to keep: a cut watches the steps of a search and says when to stop and what stays."""

from entropick.cuts.base import Cut
from entropick.cuts.best_size import BestSize
from entropick.cuts.count import Count, Share
from entropick.cuts.front import BestSubset, Front
from entropick.cuts.held_out import HeldOut
from entropick.cuts.histogram import Histogram
from entropick.cuts.mean_shift import MeanShift
from entropick.cuts.permutation import Permutation
from entropick.cuts.probability import Probability
from entropick.cuts.residual import Residual
from entropick.cuts.threshold import Threshold

__all__ = [
    "BestSize",
    "BestSubset",
    "Count",
    "Cut",
    "Front",
    "HeldOut",
    "Histogram",
    "MeanShift",
    "Permutation",
    "Probability",
    "Residual",
    "Share",
    "Threshold",
]

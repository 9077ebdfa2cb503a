"""How to walk the subsets: step by step from column to column, or over whole subsets at once."""

from entropick.searches.backward import Backward
from entropick.searches.base import PathSearch, Search
from entropick.searches.best_first import BestFirst
from entropick.searches.cross_entropy import CrossEntropy
from entropick.searches.exhaustive import Exhaustive
from entropick.searches.floating import Floating
from entropick.searches.forward import Forward
from entropick.searches.nsga2 import NSGA2
from entropick.searches.ranking import Ranking
from entropick.searches.sets import SetSearch
from entropick.searches.swarm import Swarm

__all__ = [
    "NSGA2",
    "Backward",
    "BestFirst",
    "CrossEntropy",
    "Exhaustive",
    "Floating",
    "Forward",
    "PathSearch",
    "Ranking",
    "Search",
    "SetSearch",
    "Swarm",
]

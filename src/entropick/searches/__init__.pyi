"""The public names, for type checkers and editors. Written by `make derived`."""

from entropick.searches.base import Search as Search
from entropick.searches.paths import (
    Backward as Backward,
    Floating as Floating,
    Forward as Forward,
    PathSearch as PathSearch,
    Ranking as Ranking,
    RemovalSearch as RemovalSearch,
    best_step as best_step,
    fixed_step as fixed_step,
    open_columns as open_columns,
)
from entropick.searches.subsets.best_first import BestFirst as BestFirst
from entropick.searches.subsets.cross_entropy import CrossEntropy as CrossEntropy
from entropick.searches.subsets.exhaustive import Exhaustive as Exhaustive
from entropick.searches.subsets.nsga2 import NSGA2 as NSGA2
from entropick.searches.subsets.sets import SetSearch as SetSearch
from entropick.searches.subsets.swarm import Swarm as Swarm

_HOMES: dict[str, list[str]]

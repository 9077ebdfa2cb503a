"""How to walk the subsets: step by step from column to column, or over whole subsets at once."""

from typing import TYPE_CHECKING

from entropick.lazy import attach

HOMES = {
    "backward": ["Backward"],
    "base": ["PathSearch", "Search"],
    "best_first": ["BestFirst"],
    "cross_entropy": ["CrossEntropy"],
    "exhaustive": ["Exhaustive"],
    "floating": ["Floating"],
    "forward": ["Forward"],
    "nsga2": ["NSGA2"],
    "ranking": ["Ranking"],
    "sets": ["SetSearch"],
    "swarm": ["Swarm"],
}

if TYPE_CHECKING:
    from entropick.searches.backward import Backward as Backward
    from entropick.searches.base import PathSearch as PathSearch, Search as Search
    from entropick.searches.best_first import BestFirst as BestFirst
    from entropick.searches.cross_entropy import CrossEntropy as CrossEntropy
    from entropick.searches.exhaustive import Exhaustive as Exhaustive
    from entropick.searches.floating import Floating as Floating
    from entropick.searches.forward import Forward as Forward
    from entropick.searches.nsga2 import NSGA2 as NSGA2
    from entropick.searches.ranking import Ranking as Ranking
    from entropick.searches.sets import SetSearch as SetSearch
    from entropick.searches.swarm import Swarm as Swarm
else:  # type checkers see the names themselves
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)

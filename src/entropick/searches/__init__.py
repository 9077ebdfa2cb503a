"""Searches: step by step from column to column, or over whole subsets."""

from typing import TYPE_CHECKING

from entropick._base.lazy import attach

HOMES = {
    "base": ["PathSearch", "RemovalSearch", "Search", "best_step", "fixed_step", "open_columns"],
    "paths.backward": ["Backward"],
    "paths.floating": ["Floating"],
    "paths.forward": ["Forward"],
    "paths.ranking": ["Ranking"],
    "subsets.best_first": ["BestFirst"],
    "subsets.cross_entropy": ["CrossEntropy"],
    "subsets.exhaustive": ["Exhaustive"],
    "subsets.nsga2": ["NSGA2"],
    "subsets.sets": ["SetSearch"],
    "subsets.swarm": ["Swarm"],
}

if TYPE_CHECKING:
    from entropick.searches.base import (
        PathSearch as PathSearch,
        RemovalSearch as RemovalSearch,
        Search as Search,
        best_step as best_step,
        fixed_step as fixed_step,
        open_columns as open_columns,
    )
    from entropick.searches.paths.backward import Backward as Backward
    from entropick.searches.paths.floating import Floating as Floating
    from entropick.searches.paths.forward import Forward as Forward
    from entropick.searches.paths.ranking import Ranking as Ranking
    from entropick.searches.subsets.best_first import BestFirst as BestFirst
    from entropick.searches.subsets.cross_entropy import CrossEntropy as CrossEntropy
    from entropick.searches.subsets.exhaustive import Exhaustive as Exhaustive
    from entropick.searches.subsets.nsga2 import NSGA2 as NSGA2
    from entropick.searches.subsets.sets import SetSearch as SetSearch
    from entropick.searches.subsets.swarm import Swarm as Swarm
else:  # type checkers use the imports above
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)

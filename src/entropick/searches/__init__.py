"""Searches: step by step from column to column, or over whole subsets."""

from entropick._base.lazy import attach as _attach

_HOMES = {
    "base": ["Search"],
    "paths": [
        *("Backward", "Floating", "Forward", "Ranking"),
        *("PathSearch", "RemovalSearch", "best_step", "fixed_step", "open_columns"),
    ],
    "subsets.best_first": ["BestFirst"],
    "subsets.cross_entropy": ["CrossEntropy"],
    "subsets.exhaustive": ["Exhaustive"],
    "subsets.nsga2": ["NSGA2"],
    "subsets.sets": ["SetSearch"],
    "subsets.swarm": ["Swarm"],
}

__getattr__, __dir__, __all__ = _attach(__name__, _HOMES)

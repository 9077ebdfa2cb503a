"""Entropy-based feature selection: which columns matter, in what order, and how many are enough.

Every selector is a measure × a search × a cut; see `FeatureSelector` for free combinations. Names
are loaded when they are first used, so that importing the package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "entropick.selectors": [
        "CFS", "CIFE", "CMIM", "DISR", "ECFS", "ICAP", "ILFS", "JMI", "JMIM", "LLCFS", "MCFS", "MIFS", "MIM",
        "MRMR", "NEFS", "RRPC", "SNEFS", "UDFS", "XMIFS", "BayesianEntropyFS", "CrossEntropyFS",
        "FeatureSelector", "FisherScore", "InfFS", "LaplacianScore", "ReliefF", "RenyiFS", "SwarmFS",
        "select",
    ],
    "entropick.information": [
        "bayesian_conditional_entropy", "bayesian_entropy", "conditional_entropy", "entropy",
        "mutual_information", "neighborhood_entropy",
    ],
    "entropick.records": ["Selection", "Step"],
    "entropick.exploration": ["Exploration", "Front", "plot_history"],
    "entropick.comparison": ["Comparison", "compare"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_SUBMODULES = ["cuts", "datasets", "exceptions", "measures", "registry", "searches"]

__all__ = [
    "CFS",
    "CIFE",
    "CMIM",
    "DISR",
    "ECFS",
    "ICAP",
    "ILFS",
    "JMI",
    "JMIM",
    "LLCFS",
    "MCFS",
    "MIFS",
    "MIM",
    "MRMR",
    "NEFS",
    "RRPC",
    "SNEFS",
    "UDFS",
    "XMIFS",
    "BayesianEntropyFS",
    "Comparison",
    "CrossEntropyFS",
    "Exploration",
    "FeatureSelector",
    "FisherScore",
    "Front",
    "InfFS",
    "LaplacianScore",
    "ReliefF",
    "RenyiFS",
    "Selection",
    "Step",
    "SwarmFS",
    "bayesian_conditional_entropy",
    "bayesian_entropy",
    "compare",
    "conditional_entropy",
    "cuts",
    "datasets",
    "entropy",
    "exceptions",
    "measures",
    "mutual_information",
    "neighborhood_entropy",
    "plot_history",
    "registry",
    "searches",
    "select",
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"entropick.{name}")
    if name in _MODULE_OF:
        value = getattr(importlib.import_module(_MODULE_OF[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'entropick' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


if TYPE_CHECKING:
    from entropick import cuts, datasets, exceptions, measures, registry, searches
    from entropick.comparison import Comparison, compare
    from entropick.exploration import Exploration, Front, plot_history
    from entropick.information import (
        bayesian_conditional_entropy,
        bayesian_entropy,
        conditional_entropy,
        entropy,
        mutual_information,
        neighborhood_entropy,
    )
    from entropick.records import Selection, Step
    from entropick.selectors import (
        CFS,
        CIFE,
        CMIM,
        DISR,
        ECFS,
        ICAP,
        ILFS,
        JMI,
        JMIM,
        LLCFS,
        MCFS,
        MIFS,
        MIM,
        MRMR,
        NEFS,
        RRPC,
        SNEFS,
        UDFS,
        XMIFS,
        BayesianEntropyFS,
        CrossEntropyFS,
        FeatureSelector,
        FisherScore,
        InfFS,
        LaplacianScore,
        ReliefF,
        RenyiFS,
        SwarmFS,
        select,
    )

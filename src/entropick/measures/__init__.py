"""How good is a column, given the ones already picked: one file per family of measures.

A measure that stands in the table below is in the registry, gets a selector and is under all laws. It is
loaded when it is first used.
"""

from typing import TYPE_CHECKING

from entropick.lazy import attach

HOMES = {
    "balance": ["JointBalance", "PairwiseBalance"],
    "base": ["Measure"],
    "bayesian": ["Bayesian"],
    "continuous": ["KSG", "Gaussian"],
    "correlation": ["CFS", "RRPC"],
    "dependence": ["DGUFS"],
    "ecfs": ["ECFS"],
    "elimination": ["SVMRFE"],
    "fisher": ["FisherScore"],
    "ilfs": ["ILFS"],
    "inffs": ["InfFS"],
    "laplacian": ["MCFS", "LaplacianScore"],
    "local": ["LLCFS", "UDFS"],
    "margin": ["FSV", "L1SVM"],
    "minimum": ["CMIM", "JMIM"],
    "neighborhood": ["NeighborhoodEntropy"],
    "nhtp": ["NHTP"],
    "pairwise": ["CFR", "CIFE", "DCSF", "DISR", "ICAP", "JMI", "MIFS", "MIQ", "MRI", "MRMR", "NJMIM"],
    "relevance": ["MIM"],
    "relief": ["ReliefF"],
    "renyi": ["Renyi"],
    "rough": ["RoughSet"],
    "structure": ["FSASL", "UFSOL"],
    "surf": ["MultiSURF"],
    "triples": ["JMI3"],
    "uncertainty": ["FCBF", "CFSSubset"],
    "wrapper": ["CrossValidated"],
}

if TYPE_CHECKING:
    from entropick.measures.balance import *  # noqa: F403
    from entropick.measures.base import Measure as Measure
    from entropick.measures.bayesian import *  # noqa: F403
    from entropick.measures.continuous import *  # noqa: F403
    from entropick.measures.correlation import *  # noqa: F403
    from entropick.measures.dependence import *  # noqa: F403
    from entropick.measures.ecfs import *  # noqa: F403
    from entropick.measures.elimination import *  # noqa: F403
    from entropick.measures.fisher import *  # noqa: F403
    from entropick.measures.ilfs import *  # noqa: F403
    from entropick.measures.inffs import *  # noqa: F403
    from entropick.measures.laplacian import *  # noqa: F403
    from entropick.measures.local import *  # noqa: F403
    from entropick.measures.margin import *  # noqa: F403
    from entropick.measures.minimum import *  # noqa: F403
    from entropick.measures.neighborhood import *  # noqa: F403
    from entropick.measures.nhtp import *  # noqa: F403
    from entropick.measures.pairwise import *  # noqa: F403
    from entropick.measures.relevance import *  # noqa: F403
    from entropick.measures.relief import *  # noqa: F403
    from entropick.measures.renyi import *  # noqa: F403
    from entropick.measures.rough import *  # noqa: F403
    from entropick.measures.structure import *  # noqa: F403
    from entropick.measures.surf import *  # noqa: F403
    from entropick.measures.triples import *  # noqa: F403
    from entropick.measures.uncertainty import *  # noqa: F403
    from entropick.measures.wrapper import *  # noqa: F403
else:  # type checkers see the names themselves
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)

"""Measures: how good a column is, given the ones already selected; one file per family.

A measure listed below is in the registry, gets a selector and is covered by the tests of all measures. Its
module is imported on first use.
"""

from typing import TYPE_CHECKING

from entropick._base.lazy import attach

HOMES = {
    "base": [
        "Measure",
        "RankingMeasure",
        "RemovalMeasure",
        "SetMeasure",
        "StepMeasure",
        "FixedScores",
        "OneObjective",
        "PlainState",
    ],
    "graphs.ecfs": ["ECFS"],
    "graphs.ilfs": ["ILFS"],
    "graphs.inffs": ["InfFS"],
    "joint.bayesian": ["Bayesian"],
    "joint.blanket": ["MarkovBlanket"],
    "joint.casmi": ["CASMI"],
    "joint.renyi": ["Renyi"],
    "joint.rough": ["RoughSet"],
    "linear.correlation": ["CFS", "RRPC"],
    "linear.elimination": ["SVMRFE"],
    "linear.fisher": ["FisherScore"],
    "linear.gaussian": ["Gaussian"],
    "linear.margin": ["FSV", "L1SVM"],
    "linear.nhtp": ["NHTP"],
    "neighbors.ksg": ["KSG"],
    "neighbors.neighborhood": ["NeighborhoodEntropy"],
    "neighbors.relief": ["ReliefF"],
    "neighbors.surf": ["MultiSURF"],
    "pairs.impurity": ["JIM"],
    "pairs.interactions": ["CFR", "CIFE", "DCSF", "ICAP", "MRI"],
    "pairs.minimum": ["CMIM", "JMIM"],
    "pairs.pairwise": ["JMI", "MIFS", "MRMR"],
    "pairs.quotients": ["DISR", "IWFS", "MIQ", "NJMIM", "NMIFS"],
    "pairs.relevance": ["MIM"],
    "pairs.triples": ["JMI3"],
    "pairs.uncertainty": ["FCBF", "CFSSubset"],
    "spectral.dependence": ["DGUFS"],
    "spectral.laplacian": ["MCFS", "LaplacianScore"],
    "spectral.local": ["LLCFS", "UDFS"],
    "spectral.structure": ["FSASL", "UFSOL"],
    "subsets.balance": ["JointBalance", "PairwiseBalance"],
    "subsets.wrapper": ["CrossValidated"],
}

if TYPE_CHECKING:
    from entropick.measures.base import (
        FixedScores as FixedScores,
        Measure as Measure,
        OneObjective as OneObjective,
        PlainState as PlainState,
        RankingMeasure as RankingMeasure,
        RemovalMeasure as RemovalMeasure,
        SetMeasure as SetMeasure,
        StepMeasure as StepMeasure,
    )
    from entropick.measures.graphs.ecfs import *  # noqa: F403
    from entropick.measures.graphs.ilfs import *  # noqa: F403
    from entropick.measures.graphs.inffs import *  # noqa: F403
    from entropick.measures.joint.bayesian import *  # noqa: F403
    from entropick.measures.joint.blanket import *  # noqa: F403
    from entropick.measures.joint.casmi import *  # noqa: F403
    from entropick.measures.joint.renyi import *  # noqa: F403
    from entropick.measures.joint.rough import *  # noqa: F403
    from entropick.measures.linear.correlation import *  # noqa: F403
    from entropick.measures.linear.elimination import *  # noqa: F403
    from entropick.measures.linear.fisher import *  # noqa: F403
    from entropick.measures.linear.gaussian import *  # noqa: F403
    from entropick.measures.linear.margin import *  # noqa: F403
    from entropick.measures.linear.nhtp import *  # noqa: F403
    from entropick.measures.neighbors.ksg import *  # noqa: F403
    from entropick.measures.neighbors.neighborhood import *  # noqa: F403
    from entropick.measures.neighbors.relief import *  # noqa: F403
    from entropick.measures.neighbors.surf import *  # noqa: F403
    from entropick.measures.pairs.impurity import *  # noqa: F403
    from entropick.measures.pairs.interactions import *  # noqa: F403
    from entropick.measures.pairs.minimum import *  # noqa: F403
    from entropick.measures.pairs.pairwise import *  # noqa: F403
    from entropick.measures.pairs.quotients import *  # noqa: F403
    from entropick.measures.pairs.relevance import *  # noqa: F403
    from entropick.measures.pairs.triples import *  # noqa: F403
    from entropick.measures.pairs.uncertainty import *  # noqa: F403
    from entropick.measures.spectral.dependence import *  # noqa: F403
    from entropick.measures.spectral.laplacian import *  # noqa: F403
    from entropick.measures.spectral.local import *  # noqa: F403
    from entropick.measures.spectral.structure import *  # noqa: F403
    from entropick.measures.subsets.balance import *  # noqa: F403
    from entropick.measures.subsets.wrapper import *  # noqa: F403
else:  # type checkers see the names themselves
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)

"""Measures: how good a column is, given the ones already selected; one file per family.

A measure listed below is in the registry, gets a selector and is covered by the tests of all measures. Its
module is imported on first use.
"""

from entropick._base.lazy import attach as _attach

_HOMES = {
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

__getattr__, __dir__, __all__ = _attach(__name__, _HOMES)

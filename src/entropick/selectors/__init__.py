"""The scikit-learn face: one selector for any combination of parts, and one class per known method."""

from entropick.selectors.base import BaseSelector, FeatureSelector, select
from entropick.selectors.correlation import RRPC
from entropick.selectors.graph import ECFS, ILFS, FisherScore, InfFS
from entropick.selectors.neighborhood import NEFS, SNEFS, ReliefF
from entropick.selectors.pairwise import CIFE, CMIM, DISR, ICAP, JMI, JMIM, MIFS, MIM, MRMR
from entropick.selectors.renyi import XMIFS, RenyiFS
from entropick.selectors.subsets import BayesianEntropyFS, CrossEntropyFS, SwarmFS
from entropick.selectors.unsupervised import CFS, LLCFS, MCFS, UDFS, LaplacianScore

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
    "BaseSelector",
    "BayesianEntropyFS",
    "CrossEntropyFS",
    "FeatureSelector",
    "FisherScore",
    "InfFS",
    "LaplacianScore",
    "ReliefF",
    "RenyiFS",
    "SwarmFS",
    "select",
]

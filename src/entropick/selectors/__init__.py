"""The scikit-learn face: one selector for any combination of parts, and one class per known method."""

from entropick.selectors.base import BaseSelector, FeatureSelector, select
from entropick.selectors.graph import ECFS, ILFS, FisherScore, InfFS
from entropick.selectors.neighborhood import NEFS, SNEFS, ReliefF
from entropick.selectors.pairwise import CIFE, CMIM, DISR, ICAP, JMI, JMIM, MIFS, MIM, MRMR
from entropick.selectors.renyi import XMIFS, RenyiFS

__all__ = [
    "CIFE",
    "CMIM",
    "DISR",
    "ECFS",
    "ICAP",
    "ILFS",
    "JMI",
    "JMIM",
    "MIFS",
    "MIM",
    "MRMR",
    "NEFS",
    "SNEFS",
    "XMIFS",
    "BaseSelector",
    "FeatureSelector",
    "FisherScore",
    "InfFS",
    "ReliefF",
    "RenyiFS",
    "select",
]

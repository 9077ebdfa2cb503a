"""How good is a column, given the ones already picked: one file per family of measures."""

from entropick.measures.base import Measure
from entropick.measures.ecfs import ECFS
from entropick.measures.fisher import FisherScore
from entropick.measures.ilfs import ILFS
from entropick.measures.inffs import InfFS
from entropick.measures.minimum import CMIM, JMIM
from entropick.measures.neighborhood import NeighborhoodEntropy
from entropick.measures.pairwise import CIFE, DISR, ICAP, JMI, MIFS, MRMR
from entropick.measures.relevance import MIM
from entropick.measures.relief import ReliefF
from entropick.measures.renyi import Renyi

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
    "FisherScore",
    "InfFS",
    "Measure",
    "NeighborhoodEntropy",
    "ReliefF",
    "Renyi",
]

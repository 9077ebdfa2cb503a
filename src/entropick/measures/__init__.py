"""How good is a column, given the ones already picked: one file per family of measures."""

from entropick.measures.balance import JointBalance, PairwiseBalance
from entropick.measures.base import Measure
from entropick.measures.bayesian import Bayesian
from entropick.measures.correlation import CFS, RRPC
from entropick.measures.ecfs import ECFS
from entropick.measures.fisher import FisherScore
from entropick.measures.ilfs import ILFS
from entropick.measures.inffs import InfFS
from entropick.measures.laplacian import MCFS, LaplacianScore
from entropick.measures.local import LLCFS, UDFS
from entropick.measures.minimum import CMIM, JMIM
from entropick.measures.neighborhood import NeighborhoodEntropy
from entropick.measures.pairwise import CIFE, DISR, ICAP, JMI, MIFS, MRMR
from entropick.measures.relevance import MIM
from entropick.measures.relief import ReliefF
from entropick.measures.renyi import Renyi
from entropick.measures.wrapper import CrossValidated

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
    "RRPC",
    "UDFS",
    "Bayesian",
    "CrossValidated",
    "FisherScore",
    "InfFS",
    "JointBalance",
    "LaplacianScore",
    "Measure",
    "NeighborhoodEntropy",
    "PairwiseBalance",
    "ReliefF",
    "Renyi",
]

"""The public names, for type checkers and editors. Written by `make derived`."""

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
from entropick.measures.graphs.ecfs import ECFS as ECFS
from entropick.measures.graphs.ilfs import ILFS as ILFS
from entropick.measures.graphs.inffs import InfFS as InfFS
from entropick.measures.joint.bayesian import Bayesian as Bayesian
from entropick.measures.joint.blanket import MarkovBlanket as MarkovBlanket
from entropick.measures.joint.casmi import CASMI as CASMI
from entropick.measures.joint.renyi import Renyi as Renyi
from entropick.measures.joint.rough import RoughSet as RoughSet
from entropick.measures.linear.correlation import CFS as CFS, RRPC as RRPC
from entropick.measures.linear.elimination import SVMRFE as SVMRFE
from entropick.measures.linear.fisher import FisherScore as FisherScore
from entropick.measures.linear.gaussian import Gaussian as Gaussian
from entropick.measures.linear.margin import FSV as FSV, L1SVM as L1SVM
from entropick.measures.linear.nhtp import NHTP as NHTP
from entropick.measures.neighbors.ksg import KSG as KSG
from entropick.measures.neighbors.neighborhood import NeighborhoodEntropy as NeighborhoodEntropy
from entropick.measures.neighbors.relief import ReliefF as ReliefF
from entropick.measures.neighbors.surf import MultiSURF as MultiSURF
from entropick.measures.pairs.impurity import JIM as JIM
from entropick.measures.pairs.interactions import (
    CFR as CFR,
    CIFE as CIFE,
    DCSF as DCSF,
    ICAP as ICAP,
    MRI as MRI,
)
from entropick.measures.pairs.minimum import CMIM as CMIM, JMIM as JMIM
from entropick.measures.pairs.pairwise import JMI as JMI, MIFS as MIFS, MRMR as MRMR
from entropick.measures.pairs.quotients import (
    DISR as DISR,
    IWFS as IWFS,
    MIQ as MIQ,
    NJMIM as NJMIM,
    NMIFS as NMIFS,
)
from entropick.measures.pairs.relevance import MIM as MIM
from entropick.measures.pairs.triples import JMI3 as JMI3
from entropick.measures.pairs.uncertainty import FCBF as FCBF, CFSSubset as CFSSubset
from entropick.measures.spectral.dependence import DGUFS as DGUFS
from entropick.measures.spectral.laplacian import MCFS as MCFS, LaplacianScore as LaplacianScore
from entropick.measures.spectral.local import LLCFS as LLCFS, UDFS as UDFS
from entropick.measures.spectral.structure import FSASL as FSASL, UFSOL as UFSOL
from entropick.measures.subsets.balance import (
    JointBalance as JointBalance,
    PairwiseBalance as PairwiseBalance,
)
from entropick.measures.subsets.wrapper import CrossValidated as CrossValidated

_HOMES: dict[str, list[str]]

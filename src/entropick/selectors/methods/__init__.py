"""One selector per method, each loaded when it is first used. Written by `make derived`."""

from typing import TYPE_CHECKING

from entropick._base.lazy import LazyClasses, attach

if TYPE_CHECKING:
    from entropick.selectors.method import MethodSelector
    from entropick.selectors.methods.bayesian_entropy_fs import BayesianEntropyFS as BayesianEntropyFS
    from entropick.selectors.methods.casmi import CASMI as CASMI
    from entropick.selectors.methods.cfr import CFR as CFR
    from entropick.selectors.methods.cfs import CFS as CFS
    from entropick.selectors.methods.cfs_subset import CFSSubset as CFSSubset
    from entropick.selectors.methods.cife import CIFE as CIFE
    from entropick.selectors.methods.cmim import CMIM as CMIM
    from entropick.selectors.methods.cross_entropy_fs import CrossEntropyFS as CrossEntropyFS
    from entropick.selectors.methods.dcsf import DCSF as DCSF
    from entropick.selectors.methods.dgufs import DGUFS as DGUFS
    from entropick.selectors.methods.disr import DISR as DISR
    from entropick.selectors.methods.ecfs import ECFS as ECFS
    from entropick.selectors.methods.fcbf import FCBF as FCBF
    from entropick.selectors.methods.fisher_score import FisherScore as FisherScore
    from entropick.selectors.methods.fsasl import FSASL as FSASL
    from entropick.selectors.methods.fsv import FSV as FSV
    from entropick.selectors.methods.gaussian import Gaussian as Gaussian
    from entropick.selectors.methods.icap import ICAP as ICAP
    from entropick.selectors.methods.ilfs import ILFS as ILFS
    from entropick.selectors.methods.inf_fs import InfFS as InfFS
    from entropick.selectors.methods.iwfs import IWFS as IWFS
    from entropick.selectors.methods.jim import JIM as JIM
    from entropick.selectors.methods.jmi import JMI as JMI
    from entropick.selectors.methods.jmi3 import JMI3 as JMI3
    from entropick.selectors.methods.jmim import JMIM as JMIM
    from entropick.selectors.methods.ksg import KSG as KSG
    from entropick.selectors.methods.l1_svm import L1SVM as L1SVM
    from entropick.selectors.methods.laplacian_score import LaplacianScore as LaplacianScore
    from entropick.selectors.methods.llcfs import LLCFS as LLCFS
    from entropick.selectors.methods.markov_blanket import MarkovBlanket as MarkovBlanket
    from entropick.selectors.methods.mcfs import MCFS as MCFS
    from entropick.selectors.methods.mifs import MIFS as MIFS
    from entropick.selectors.methods.mim import MIM as MIM
    from entropick.selectors.methods.miq import MIQ as MIQ
    from entropick.selectors.methods.mri import MRI as MRI
    from entropick.selectors.methods.mrmr import MRMR as MRMR
    from entropick.selectors.methods.multi_surf import MultiSURF as MultiSURF
    from entropick.selectors.methods.nefs import NEFS as NEFS
    from entropick.selectors.methods.nhtp import NHTP as NHTP
    from entropick.selectors.methods.njmim import NJMIM as NJMIM
    from entropick.selectors.methods.nmifs import NMIFS as NMIFS
    from entropick.selectors.methods.relief_f import ReliefF as ReliefF
    from entropick.selectors.methods.renyi_fs import RenyiFS as RenyiFS
    from entropick.selectors.methods.rrpc import RRPC as RRPC
    from entropick.selectors.methods.snefs import SNEFS as SNEFS
    from entropick.selectors.methods.svmrfe import SVMRFE as SVMRFE
    from entropick.selectors.methods.swarm_fs import SwarmFS as SwarmFS
    from entropick.selectors.methods.udfs import UDFS as UDFS
    from entropick.selectors.methods.ufsol import UFSOL as UFSOL
    from entropick.selectors.methods.xmifs import XMIFS as XMIFS

HOMES = {
    "ecfs": ["ECFS"],
    "ilfs": ["ILFS"],
    "cfs": ["CFS"],
    "rrpc": ["RRPC"],
    "svmrfe": ["SVMRFE"],
    "fisher_score": ["FisherScore"],
    "gaussian": ["Gaussian"],
    "fsv": ["FSV"],
    "l1_svm": ["L1SVM"],
    "ksg": ["KSG"],
    "relief_f": ["ReliefF"],
    "multi_surf": ["MultiSURF"],
    "jim": ["JIM"],
    "cfr": ["CFR"],
    "cife": ["CIFE"],
    "dcsf": ["DCSF"],
    "icap": ["ICAP"],
    "mri": ["MRI"],
    "cmim": ["CMIM"],
    "jmim": ["JMIM"],
    "jmi": ["JMI"],
    "mifs": ["MIFS"],
    "mrmr": ["MRMR"],
    "disr": ["DISR"],
    "iwfs": ["IWFS"],
    "miq": ["MIQ"],
    "njmim": ["NJMIM"],
    "nmifs": ["NMIFS"],
    "mim": ["MIM"],
    "jmi3": ["JMI3"],
    "laplacian_score": ["LaplacianScore"],
    "llcfs": ["LLCFS"],
    "udfs": ["UDFS"],
    "fsasl": ["FSASL"],
    "ufsol": ["UFSOL"],
    "renyi_fs": ["RenyiFS"],
    "xmifs": ["XMIFS"],
    "snefs": ["SNEFS"],
    "nefs": ["NEFS"],
    "inf_fs": ["InfFS"],
    "mcfs": ["MCFS"],
    "dgufs": ["DGUFS"],
    "fcbf": ["FCBF"],
    "casmi": ["CASMI"],
    "markov_blanket": ["MarkovBlanket"],
    "nhtp": ["NHTP"],
    "bayesian_entropy_fs": ["BayesianEntropyFS"],
    "cfs_subset": ["CFSSubset"],
    "cross_entropy_fs": ["CrossEntropyFS"],
    "swarm_fs": ["SwarmFS"],
}

if not TYPE_CHECKING:  # type checkers see the names above
    __getattr__, __dir__, __all__ = attach(__name__, HOMES)

#: Every method by the name of its class.
METHODS: "LazyClasses[MethodSelector]" = LazyClasses(
    __name__, {name: name for names in HOMES.values() for name in names}
)

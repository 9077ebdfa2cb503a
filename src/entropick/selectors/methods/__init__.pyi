"""The public names, for type checkers and editors. Written by `make derived`."""

from entropick._base.lazy import LazyClasses
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

METHODS: LazyClasses[MethodSelector]

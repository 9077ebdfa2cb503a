"""One selector per method, each loaded when it is first used. Written by `make derived`."""

from entropick._base.lazy import LazyClasses as _LazyClasses, attach as _attach

_HOMES = {
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
    "cmim": ["CMIM"],
    "jmim": ["JMIM"],
    "cfr": ["CFR"],
    "cife": ["CIFE"],
    "dcsf": ["DCSF"],
    "icap": ["ICAP"],
    "jmi": ["JMI"],
    "mifs": ["MIFS"],
    "mri": ["MRI"],
    "mrmr": ["MRMR"],
    "disr": ["DISR"],
    "miq": ["MIQ"],
    "njmim": ["NJMIM"],
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
    "markov_blanket": ["MarkovBlanket"],
    "nhtp": ["NHTP"],
    "bayesian_entropy_fs": ["BayesianEntropyFS"],
    "cfs_subset": ["CFSSubset"],
    "cross_entropy_fs": ["CrossEntropyFS"],
    "swarm_fs": ["SwarmFS"],
}

__getattr__, __dir__, __all__ = _attach(__name__, _HOMES)

#: Every method by the name of its class.
METHODS = _LazyClasses(__name__, {name: name for names in _HOMES.values() for name in names})

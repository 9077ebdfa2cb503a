"""The public names, for type checkers and editors. Written by `make derived`."""

from entropick import (
    cuts as cuts,
    datasets as datasets,
    exceptions as exceptions,
    measures as measures,
    registry as registry,
    searches as searches,
)
from entropick.comparison import Comparison as Comparison, compare as compare
from entropick.inference.multiplicity import q_values as q_values
from entropick.measures.entropies import (
    bayes_risk as bayes_risk,
    bayesian_conditional_entropy as bayesian_conditional_entropy,
    bayesian_entropy as bayesian_entropy,
    conditional_entropy as conditional_entropy,
    entropy as entropy,
    fano_bound as fano_bound,
    mutual_information as mutual_information,
    neighborhood_entropy as neighborhood_entropy,
)
from entropick.records.exploration import (
    Exploration as Exploration,
    ParetoFront as ParetoFront,
    plot_history as plot_history,
)
from entropick.records.selection import Selection as Selection, Step as Step
from entropick.selectors import (
    FeatureSelector as FeatureSelector,
    StabilitySelector as StabilitySelector,
    select as select,
)
from entropick.selectors.methods import (
    CASMI as CASMI,
    CFR as CFR,
    CFS as CFS,
    CIFE as CIFE,
    CMIM as CMIM,
    DCSF as DCSF,
    DGUFS as DGUFS,
    DISR as DISR,
    ECFS as ECFS,
    FCBF as FCBF,
    FSASL as FSASL,
    FSV as FSV,
    ICAP as ICAP,
    ILFS as ILFS,
    IWFS as IWFS,
    JIM as JIM,
    JMI as JMI,
    JMI3 as JMI3,
    JMIM as JMIM,
    KSG as KSG,
    L1SVM as L1SVM,
    LLCFS as LLCFS,
    MCFS as MCFS,
    MIFS as MIFS,
    MIM as MIM,
    MIQ as MIQ,
    MRI as MRI,
    MRMR as MRMR,
    NEFS as NEFS,
    NHTP as NHTP,
    NJMIM as NJMIM,
    NMIFS as NMIFS,
    RRPC as RRPC,
    SNEFS as SNEFS,
    SVMRFE as SVMRFE,
    UDFS as UDFS,
    UFSOL as UFSOL,
    XMIFS as XMIFS,
    BayesianEntropyFS as BayesianEntropyFS,
    CFSSubset as CFSSubset,
    CrossEntropyFS as CrossEntropyFS,
    FisherScore as FisherScore,
    Gaussian as Gaussian,
    InfFS as InfFS,
    LaplacianScore as LaplacianScore,
    MarkovBlanket as MarkovBlanket,
    MultiSURF as MultiSURF,
    ReliefF as ReliefF,
    RenyiFS as RenyiFS,
    SwarmFS as SwarmFS,
)
from entropick.table.cube import Cube as Cube
from entropick.table.executors.database import database as database
from entropick.table.executors.partitioned import partitioned as partitioned
from entropick.table.readers.scan import scan as scan
from entropick.table.sketches import Sketches as Sketches

__version__: str

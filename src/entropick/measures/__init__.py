"""How good is a column, given the ones already picked: one file per family of measures.

A measure that its module lists in `__all__` is found by the registry, gets a selector and is under all laws.
"""

from entropick.measures.balance import *  # noqa: F403
from entropick.measures.base import Measure as Measure
from entropick.measures.bayesian import *  # noqa: F403
from entropick.measures.continuous import *  # noqa: F403
from entropick.measures.correlation import *  # noqa: F403
from entropick.measures.dependence import *  # noqa: F403
from entropick.measures.ecfs import *  # noqa: F403
from entropick.measures.elimination import *  # noqa: F403
from entropick.measures.fisher import *  # noqa: F403
from entropick.measures.ilfs import *  # noqa: F403
from entropick.measures.inffs import *  # noqa: F403
from entropick.measures.laplacian import *  # noqa: F403
from entropick.measures.local import *  # noqa: F403
from entropick.measures.margin import *  # noqa: F403
from entropick.measures.minimum import *  # noqa: F403
from entropick.measures.neighborhood import *  # noqa: F403
from entropick.measures.nhtp import *  # noqa: F403
from entropick.measures.pairwise import *  # noqa: F403
from entropick.measures.relevance import *  # noqa: F403
from entropick.measures.relief import *  # noqa: F403
from entropick.measures.renyi import *  # noqa: F403
from entropick.measures.rough import *  # noqa: F403
from entropick.measures.structure import *  # noqa: F403
from entropick.measures.surf import *  # noqa: F403
from entropick.measures.triples import *  # noqa: F403
from entropick.measures.uncertainty import *  # noqa: F403
from entropick.measures.wrapper import *  # noqa: F403

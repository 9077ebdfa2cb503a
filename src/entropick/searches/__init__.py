"""How to walk the subsets: a search asks a measure for scores and yields one step after the other."""

from entropick.searches.base import Search
from entropick.searches.forward import Forward
from entropick.searches.ranking import Ranking

__all__ = ["Forward", "Ranking", "Search"]

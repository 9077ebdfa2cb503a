"""Counts of columns, pairs of columns and joints of columns, and the entropies that follow.

Between the encoded table and the measures: whoever needs a count asks here.
"""

from entropick.counting.pairs import PairCounter
from entropick.counting.partition import Partition
from entropick.counting.surprisal import Surprisal

__all__ = ["PairCounter", "Partition", "Surprisal"]

"""Nearest rows: exact, or among candidates from locality-sensitive hashing.

All methods follow one rule for ties: two distances are equal if they differ only by rounding (a share of
10⁻⁹; 10⁻⁶ for sums in single precision), and the order of rows never decides. If a method averages over the k
nearest rows, all rows as near as the k-th share the remaining weight (ReliefF). If it needs exactly k rows,
as graphs do, ties are ordered by the values of the rows (`content_order`). If ties are left to chance (NEFS,
SNEFS), the rows are shuffled first.
"""

from entropick.measures.neighbors.exact import exact_neighbors
from entropick.measures.neighbors.lsh import lsh_neighbors

__all__ = ["exact_neighbors", "lsh_neighbors"]

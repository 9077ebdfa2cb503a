"""Rows near each other: exactly, or among candidates from locality-sensitive hashing.

One rule for ties, kept by all that looks at near rows: two distances that differ by no more than rounding
makes of equal ones (10⁻⁹ of them; 10⁻⁶ where they are sums in single precision) are equal, and the order of
rows decides nothing. Where a method takes means over the k nearest rows, those as near as the k-th share the
places that are left ("auto", ReliefF). Where it needs k rows, as graphs do, tied ones come in an order that
follows from their values (`content_order`). Where the method leaves ties to chance (NEFS, SNEFS), the rows
have been given a random order before.
"""

from entropick.measures.neighbors.exact import exact_neighbors
from entropick.measures.neighbors.lsh import lsh_neighbors

__all__ = ["exact_neighbors", "lsh_neighbors"]

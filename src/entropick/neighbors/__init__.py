"""Rows near each other: exactly, or among candidates from locality-sensitive hashing."""

from entropick.neighbors.exact import exact_neighbors
from entropick.neighbors.lsh import lsh_neighbors

__all__ = ["exact_neighbors", "lsh_neighbors"]

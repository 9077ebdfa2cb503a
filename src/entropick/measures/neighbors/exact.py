"""Exact nearest neighbours from all pairs of rows."""

import numpy as np

from entropick import _core
from entropick._base.threads import Threads
from entropick.table.numeric.coordinates import Coordinates

BLOCK_VALUES = 1 << 20  # distances held at once by each thread (4 MB)
SAME = 1e-6  # relative difference of equal distances, sums in single precision; as in the core
MAX_ROWS = 64  # more rows would push the distances out of the cache


def pair_distances(space: Coordinates, rows: np.ndarray, metric: str = "l1") -> np.ndarray:
    """Distances (rows, all rows) on all columns; squared for "l2"."""
    distances = np.empty((len(rows), space.n_rows), np.float32)
    _core.Space(space.values, space.kinds, space.expected).distances_from(rows, metric == "l2", distances)
    return distances


def block_of_rows(n_rows: int) -> int:
    """Number of rows of distances that a thread holds at once."""
    return max(1, min(MAX_ROWS, BLOCK_VALUES // n_rows))


def exact_neighbors(space: Coordinates, n_neighbors: int, threads: Threads, metric: str = "l1") -> np.ndarray:
    """The nearest other rows of each row, int32 (rows, n_neighbors), nearest first.

    Rows at the same distance keep their order; shuffle the rows to break ties at random.
    """
    n = space.n_rows
    found = np.empty((n, n_neighbors), np.int32)
    block = block_of_rows(n)

    def search(start: int, stop: int) -> None:
        for first in range(start * block, min(stop * block, n), block):
            rows = np.arange(first, min(first + block, n))
            distances = pair_distances(space, rows, metric)
            _core.nearest_by_distance(distances, rows, found[first : first + len(rows)])

    seconds = block * n * (space.n_columns * 1e-10 + 5e-8)
    threads.run(search, -(-n // block), seconds)
    return found

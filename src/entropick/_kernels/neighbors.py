"""Distances between rows, and the classes found among nearest rows.

Columns have three kinds: 0 numeric, 1 numeric with missing values, 2 category. A distance is a sum over
columns, so a new column only adds its own differences to distances already known.
"""

import numpy as np

from entropick import _core
from entropick._core import (
    candidate_distances as candidate_distances,
    distances_from as distances_from,
    nearest_by_distance as nearest_by_distance,
    nearest_dense_rows as nearest_dense_rows,
    nearest_means as nearest_means,
    nearest_sparse_rows as nearest_sparse_rows,
    relief_weights as relief_weights,
    rrelief_sums as rrelief_sums,
    weighted_differences as weighted_differences,
)


def neighborhood_entropies(
    space: tuple[np.ndarray, np.ndarray, np.ndarray],
    units: tuple[np.ndarray, np.ndarray],
    chosen: np.ndarray,
    neighbors: np.ndarray,
    known: np.ndarray,
    classes: tuple[np.ndarray, int],
    k: int,
    phi: np.ndarray,
    every_row: bool,
    sums: np.ndarray,
) -> None:
    """Neighborhood entropy of y on the selected columns and each candidate unit, among listed neighbours.

    Parameters
    ----------
    space : values (columns, rows), kinds, expected
    units : starts, members: columns of unit u are ``members[starts[u]:starts[u + 1]]``
    chosen : int64 (q,), the candidate units
    neighbors : int32 (n, m), candidate neighbours of each row, in random order
    known : float32 (n, m), their distances on the selected columns
    classes : labels, n_classes
    k : neighbours to look at; phi : float64 (k + 2,), c log2 c
    every_row : whether every row counts, or only rows not seen as a neighbour before
    sums : float64 (q, 2), filled with the summed entropies and the number of neighbourhoods
    """
    _core.neighborhood_entropies(
        *space, *units, chosen, neighbors, known, *classes, k, phi, bool(every_row), sums
    )


def exact_neighborhood_entropies(
    space: tuple[np.ndarray, np.ndarray, np.ndarray],
    units: tuple[np.ndarray, np.ndarray],
    chosen: np.ndarray,
    selected: np.ndarray,
    classes: tuple[np.ndarray, int],
    k: int,
    phi: np.ndarray,
    every_row: bool,
    sums: np.ndarray,
) -> None:
    """As `neighborhood_entropies` with all rows as candidates and nothing remembered.

    Row by row: the distances on the selected columns are computed once for all candidates. Each row
    looks at the others from a place of its own on, so that ties fall on other rows each time.
    """
    _core.exact_neighborhood_entropies(
        *space, *units, chosen, selected, *classes, k, phi, bool(every_row), sums
    )


def nearest_in_windows(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    tables: tuple[np.ndarray, np.ndarray, np.ndarray],
    first_row: int,
    squared: bool,
    filler: np.ndarray,
    neighbors: np.ndarray,
) -> None:
    """The nearest of the rows that share a window of some hash table with each row.

    Parameters
    ----------
    points : float32 (n, columns); kinds, expected : as in the space
    tables : ordered (L, n) rows in the order of their projections; low, high (L, n) the window of each
        row in that order
    first_row : number of the first queried row
    filler : int64, random rows, taken in turn where the windows hold too few
    neighbors : int32 (rows, m), filled in the order of distance
    """
    _core.nearest_in_windows(points, kinds, expected, *tables, first_row, squared, filler, neighbors)

"""Distances between rows, and the classes found among nearest rows.

Columns have three kinds: 0 numeric, 1 numeric with missing values, 2 category. A distance is a sum over
columns, so a new column only adds its own differences to distances already known.
"""

import numpy as np

from entropick import _core


def distances_from(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    rows: np.ndarray,
    squared: bool,
    distances: np.ndarray,
) -> None:
    """Fill ``distances[r, j]`` with the distance of rows[r] and row j on all columns (L1, or squared L2).

    A tile of a column serves all rows before the next one is fetched.
    """
    _core.distances_from(values, kinds, expected, rows, squared, distances)


def candidate_distances(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    columns: np.ndarray,
    first_row: int,
    neighbors: np.ndarray,
    squared: bool,
    distances: np.ndarray,
) -> None:
    """Add to ``distances[r, c]`` the distance of row first_row + r and its candidate c on some columns."""
    _core.candidate_distances(values, kinds, expected, columns, first_row, neighbors, squared, distances)


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
    first_row : number of the first row looked at
    filler : int64, random rows, taken in turn where the windows hold too few
    neighbors : int32 (rows, m), filled in the order of distance
    """
    _core.nearest_in_windows(points, kinds, expected, *tables, first_row, squared, filler, neighbors)


def relief_weights(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    distances: np.ndarray,
    rows: np.ndarray,
    labels: np.ndarray,
    priors: np.ndarray,
    k: int,
    weights: np.ndarray,
) -> None:
    """Add what some rows tell to the ReliefF weight of each column (Kononenko 1994).

    Parameters
    ----------
    points : float32 (n, columns); kinds, expected : as in the space
    distances : float32 (rows looked at, n)
    rows : int64, the rows looked at
    labels : int32 (n,); priors : float64 (classes,), shares of the classes
    k : hits, and misses of each class
    weights : float64 (columns,), updated
    """
    _core.relief_weights(points, kinds, expected, distances, rows, labels, priors, k, weights)


def rrelief_sums(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    distances: np.ndarray,
    rows: np.ndarray,
    target: np.ndarray,
    k: int,
    of_target: np.ndarray,
    of_columns: np.ndarray,
    of_both: np.ndarray,
) -> None:
    """RReliefF's sums for a real target: differences in y, in each column, and in both at once.

    `target` is scaled to a range of 1; of_target (1,), of_columns and of_both (columns,) are updated.
    Rows as near as the k-th share its places and those of their kind.
    """
    _core.rrelief_sums(points, kinds, expected, distances, rows, target, k, of_target, of_columns, of_both)


def nearest_by_products(products: np.ndarray, squares: np.ndarray, first_row: int, found: np.ndarray) -> None:
    """Of each row the rows of the smallest squared distances, itself left out, as far as products tell.

    Parameters
    ----------
    products : float32 (block, rows), of the rows first_row, first_row + 1, ... with all rows
    squares : float32 (rows,), products of rows with themselves
    found : int64 (block, m), filled; m is at most the number of rows less one
    """
    _core.nearest_by_products(products, squares, first_row, found)

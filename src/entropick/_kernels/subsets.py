"""Joint levels of many subsets of columns at once.

Each level of each column has a random 64-bit key. The joint level of a row on a subset is the sum of
its keys, modulo 2^64: rows that agree on all columns of the subset have equal sums, all others
differ but for one chance in 2^64 per pair. Columns that mostly have one level are lists of the other
rows with the difference of keys to the usual level, which takes a constant off every sum.

Counts come from grouping equal sums in a hash table. Where rows are many they are first dealt by the high
bits of their sums into parts that fit the fastest memory.
"""

import numpy as np

from entropick import _core

ENTROPY, PEAK, NORM = 0, 1, 2  # what is summed over the groups


def expand_keys(
    codes: np.ndarray,
    columns: np.ndarray,
    first_key: np.ndarray,
    keys: np.ndarray,
    start: int,
    width: int,
    out: np.ndarray,
    line: int,
) -> None:
    """Keys of the rows start..start+width of some columns: ``out[line + k]`` for column ``columns[k]``."""
    _core.expand_keys(codes, columns, first_key, keys, start, width, out, line)


def add_keys(expanded: np.ndarray, members: np.ndarray, start: int, width: int, sums: np.ndarray) -> None:
    """Row sums of each subset over the columns in `expanded` (columns, width).

    A subset that differs from the one before in few columns starts from the sums of that one.

    Parameters
    ----------
    members : bool (subsets, columns)
    sums : uint64 (subsets, rows), of which the rows start..start+width are set
    """
    _core.add_keys(expanded, members, start, width, sums)


def add_listed(
    starts: np.ndarray,
    rows: np.ndarray,
    differences: np.ndarray,
    members: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Add the columns listed by their unusual rows to the row sums of each subset."""
    _core.add_listed(starts, rows, differences, members, sums)


def group_sums(
    row_keys: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    kind: int,
    of_group: np.ndarray,
    of_cell: np.ndarray,
    order: float,
    sums: np.ndarray,
) -> None:
    """What the groups of rows with equal keys contribute, for each subset.

    Parameters
    ----------
    row_keys : uint64 (subsets, rows)
    labels : int32 (rows,), classes
    kind : ENTROPY sums ``of_group[size]`` over groups, PEAK the largest class count, NORM the norm of
        the class counts of the given order, as integers in units of 1 / ``of_group[0]``
    of_group, of_cell : int64 (rows + 1,), looked up by size of a group and count of a (group, class) cell
    sums : int64 (subsets, 4): groups, cells, sum over groups, sum of `of_cell` over cells
    """
    _core.group_sums(row_keys, labels, n_classes, kind, of_group, of_cell, order, sums)

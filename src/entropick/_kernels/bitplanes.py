"""Bit planes: for each level above 0 of a column one bit per row, 64 rows in a word.

Level 0 needs no plane: its counts are what the others leave over.
"""

import numpy as np

from entropick import _core


def pack(
    codes: np.ndarray,
    columns: np.ndarray,
    n_levels: np.ndarray,
    first: np.ndarray,
    planes: np.ndarray,
) -> None:
    """Fill the planes of some columns.

    Parameters
    ----------
    codes : uint8 (d, n), rows padded to whole words with level 0
    columns : int64 (k,), which columns to pack
    n_levels : int64 (d,), levels per column
    first : int64 (d,), index in `planes` of each column's plane of level 1
    planes : uint64 (planes, words), filled
    """
    _core.pack(codes, columns, n_levels, first, planes)

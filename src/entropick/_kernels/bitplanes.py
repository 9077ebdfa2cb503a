"""Bit planes: for each level above 0 of a column one bit per row, 64 rows in a word.

Level 0 needs no plane: its counts are what the others leave over.
"""

import numpy as np

from entropick._kernels.jit import kernel
from entropick._kernels.primitives import WORD, equal_mask


@kernel
def pack(codes, columns, n_levels, first, planes):
    """Fill the planes of some columns.

    Parameters
    ----------
    codes : uint8 (d, n), rows padded to whole words with level 0
    columns : int64 (k,), which columns to pack
    n_levels : int64 (d,), levels per column
    first : int64 (d,), index in `planes` of each column's plane of level 1
    planes : uint64 (planes, words), filled
    """
    n = codes.shape[1]
    flat = codes.reshape(-1)
    for j in columns:
        for level in range(1, n_levels[j]):
            plane = first[j] + level - 1
            for word in range(n // WORD):
                planes[plane, word] = equal_mask(flat, j * n + word * WORD, np.uint8(level))

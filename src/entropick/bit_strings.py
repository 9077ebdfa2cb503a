"""Subsets of columns as strings of bits, to sort and to look up."""

import numpy as np


def as_bit_strings(subsets: np.ndarray) -> np.ndarray:
    """One value per subset, bool (subsets, columns), that can be compared, sorted and hashed (`tobytes`)."""
    packed = np.packbits(subsets, axis=1)
    return packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]

"""Subsets of columns as strings of bits, to sort and to look up."""

import numpy as np


def as_bit_strings(subsets: np.ndarray) -> np.ndarray:
    """One value per subset, bool (subsets, columns), that can be compared, sorted and hashed (`tobytes`)."""
    packed = np.packbits(subsets, axis=1)
    return packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]


def sizes_of(strings: np.ndarray) -> np.ndarray:
    """How many columns each subset has, from its string of bits."""
    return np.asarray(np.bitwise_count(strings.view(np.uint8).reshape(len(strings), -1)).sum(axis=1))

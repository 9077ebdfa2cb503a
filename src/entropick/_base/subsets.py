"""Subsets of columns, as rows of booleans and as bit strings."""

import numpy as np


def changed(subset: np.ndarray, columns: np.ndarray, to: bool) -> np.ndarray:
    """Copies of a subset, bool (columns, all columns), each with (True) or without one of the columns."""
    subsets = np.repeat(subset[None, :], len(columns), axis=0)
    subsets[np.arange(len(columns)), columns] = to
    return subsets


def as_bit_strings(subsets: np.ndarray) -> np.ndarray:
    """Pack each row of a boolean array (subsets, columns) into one value that can be sorted and hashed."""
    packed = np.packbits(subsets, axis=1)
    return packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]


def sizes_of(strings: np.ndarray) -> np.ndarray:
    """Number of columns in each subset."""
    return np.asarray(np.bitwise_count(strings.view(np.uint8).reshape(len(strings), -1)).sum(axis=1))

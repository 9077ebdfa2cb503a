"""Small rules of storage."""

import numpy as np

ROW_PADDING = 64  # rows are padded with level 0 to whole machine words


def smallest_dtype(n_levels: int) -> np.dtype:
    """The smallest unsigned type whose values count `n_levels` levels."""
    return np.min_scalar_type(max(n_levels - 1, 0))


def padded(n_rows: int) -> int:
    """Number of stored codes per column: the rows filled up to whole machine words."""
    return -(-n_rows // ROW_PADDING) * ROW_PADDING


def freeze(*arrays: np.ndarray) -> None:
    """Make arrays read-only."""
    for array in arrays:
        array.setflags(write=False)

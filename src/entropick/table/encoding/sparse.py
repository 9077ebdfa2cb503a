"""Codes of sparse matrices: only rows that differ from the most common level are stored."""

import numpy as np

from entropick.table.codes import DensePart, SparsePart, freeze, padded

ROW_BYTES = 4  # a stored row number


def sparse_parts(
    rows: np.ndarray, codes: np.ndarray, starts: np.ndarray, usual: np.ndarray, n_rows: int
) -> tuple[DensePart | SparsePart, ...]:
    """Drop codes that equal the usual level, and store each column sparse or dense, whichever is smaller."""
    column = np.repeat(np.arange(len(usual)), np.diff(starts))
    unusual = codes != usual[column]
    rows, codes, column = rows[unusual].astype(np.int32), codes[unusual], column[unusual]
    lengths = np.bincount(column, minlength=len(usual))
    is_sparse = lengths * (ROW_BYTES + codes.itemsize) <= n_rows * codes.itemsize
    parts: list[DensePart | SparsePart] = []
    chosen = np.flatnonzero(is_sparse)
    if len(chosen):
        stored = is_sparse[column]
        new_starts = np.concatenate([[0], np.cumsum(lengths[chosen])]).astype(np.int64)
        part = SparsePart(chosen, new_starts, rows[stored], codes[stored], usual[chosen])
        freeze(part.columns, part.starts, part.rows, part.codes, part.usual)
        parts.append(part)
    chosen = np.flatnonzero(~is_sparse)
    if len(chosen):
        dense = np.zeros((len(chosen), padded(n_rows)), codes.dtype)
        dense[:, :n_rows] = usual[chosen, None]
        stored = ~is_sparse[column]
        place = np.cumsum(~is_sparse) - 1
        dense[place[column[stored]], rows[stored]] = codes[stored]
        freeze(chosen, dense)
        parts.append(DensePart(chosen, dense))
    return tuple(parts)

"""Bit planes of a table, made when they are needed."""

import numpy as np

from entropick._kernels import bitplanes
from entropick._kernels import pairs as kernels
from entropick.table import DensePart, SparsePart, Table
from entropick.table.memory import ROW_PADDING, padded
from entropick.workers import Workers

# Candidates keep bit planes up to so many levels: half of the memory of their one-byte codes.
PLANE_LEVELS = 5
# The target gets bit planes up to so many classes.
PLANE_CLASSES = 64
# A selected column joined with the classes gets bit planes up to so many levels; it is one column only.
SELECTED_PLANE_LEVELS = 256


class BitPlanes:
    """The dense columns of a table with bit planes for those of few levels, packed when first asked for.

    Parameters
    ----------
    table : with a target
    n_classes : classes to count by; 1 leaves them out
    workers : threads
    """

    def __init__(self, table: Table, n_classes: int, workers: Workers) -> None:
        assert table.target is not None
        self._workers = workers
        self.rows = kernels.Rows(table.n_rows, padded(table.n_rows) // ROW_PADDING, n_classes)
        self._classes = np.empty(0, np.uint64)
        if 1 < n_classes <= PLANE_CLASSES:
            self._classes = planes_of_column(table.target.codes, n_classes)
        self._columns: dict[int, kernels.Columns] = {}
        self._is_missing: dict[int, np.ndarray] = {}
        for p, part in enumerate(table.parts):
            if isinstance(part, DensePart):
                n_levels = table.n_levels[part.columns]
                gets_planes = has_few_levels(part, n_levels) & (n_classes <= PLANE_CLASSES)
                self._is_missing[p] = gets_planes
                self._columns[p] = self._with_room(part.codes, n_levels, gets_planes)

    def _with_room(self, codes: np.ndarray, n_levels: np.ndarray, gets_planes: np.ndarray) -> kernels.Columns:
        """A part as the kernels see it; its planes are not filled in yet."""
        n_planes = np.where(gets_planes, np.maximum(n_levels - 1, 0), 0)
        first = np.where(gets_planes, np.cumsum(n_planes) - n_planes, -1)
        # Memory that is never written to is not taken, so columns that are never asked for cost nothing.
        planes = np.empty(n_planes.sum() * self.rows.n_words, np.uint64)
        counts = np.empty((n_planes.sum(), self.rows.n_classes), np.uint32)
        return kernels.Columns(codes, n_levels, planes, first, counts)

    def columns(self, p: int, needed: np.ndarray) -> kernels.Columns:
        """Dense part p, with the planes of the needed ones of its columns."""
        columns, is_missing = self._columns[p], self._is_missing[p]
        missing = needed[is_missing[needed]] if is_missing.any() else needed[:0]
        if len(missing):
            n_words = self.rows.n_words
            planes = columns.planes.reshape(-1, n_words)

            def pack(start: int, stop: int) -> None:
                block = missing[start:stop]
                bitplanes.pack(columns.codes, block, columns.n_levels, columns.first_plane, planes)
                kernels.class_counts(columns, block, self._classes, n_words)

            self._workers.run(pack, len(missing), seconds_per_item=1e-7 + self.rows.n_rows * 2e-10)
            is_missing[missing] = False
        return columns


def has_few_levels(part: DensePart | SparsePart, n_levels: np.ndarray) -> np.ndarray:
    """Which columns of a part are worth being seen as bit planes."""
    if isinstance(part, DensePart) and part.codes.dtype == np.uint8:
        return n_levels <= PLANE_LEVELS
    return np.zeros(len(n_levels), bool)


def planes_of_column(codes: np.ndarray, n_levels: int) -> np.ndarray:
    """The planes of one column given by its codes, one after the other."""
    row = np.zeros((1, padded(len(codes))), np.uint8)
    row[0, : len(codes)] = codes
    planes = np.empty((max(n_levels - 1, 0), row.shape[1] // ROW_PADDING), np.uint64)
    zero = np.zeros(1, np.int64)
    bitplanes.pack(row, zero, np.array([n_levels]), zero, planes)
    return planes.reshape(-1)

"""Information that columns have about classes by chance."""

import numpy as np

from entropick import _core


class Chance:
    """Information that cells have by chance, see `entropick._core.Chance`."""

    def __init__(self, class_sizes: np.ndarray) -> None:
        self._of_sizes = _core.Chance(class_sizes.astype(np.int64))
        self._n_rows = int(class_sizes.sum())

    def expected(self, sizes: np.ndarray) -> np.ndarray:
        """Bits times rows expected of a cell of each of these sizes."""
        if np.size(sizes) > self._n_rows + 1:  # more than there are different ones
            return np.asarray(self.expected(np.arange(self._n_rows + 1))[sizes])
        flat = np.ascontiguousarray(sizes, np.int64).reshape(-1)
        found = np.empty(len(flat))
        self._of_sizes.fill(flat, found)
        return found.reshape(np.shape(sizes))


def expected_within(counts: np.ndarray, levels: np.ndarray, sizes: np.ndarray, scale: float) -> np.ndarray:
    """What cells of given sizes within levels of given numbers tell by chance, as integers.

    Parameters
    ----------
    counts : (levels, classes), rows of each level and class
    levels, sizes : (cells,)
    scale : what bits times rows are multiplied by
    """
    if len(counts) == 1:
        return np.rint(Chance(counts[0]).expected(sizes) * scale).astype(np.int64)
    found = np.zeros(len(levels))
    order = np.argsort(levels, kind="stable")
    ends = np.cumsum(np.bincount(levels, minlength=len(counts)))
    for level, (start, end) in enumerate(zip(np.append(0, ends[:-1]), ends, strict=True)):
        if start < end:
            cells = order[start:end]
            found[cells] = Chance(counts[level]).expected(sizes[cells])
    return np.rint(found * scale).astype(np.int64)

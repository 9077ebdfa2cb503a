"""Information that columns have about classes by chance."""

import numpy as np

from entropick import _core


class Chance:
    """Information that cells have by chance, see `entropick._core.Chance`."""

    def __init__(self, class_sizes: np.ndarray) -> None:
        self._of_sizes = _core.Chance(class_sizes.astype(np.int64))

    def expected(self, sizes: np.ndarray) -> np.ndarray:
        """Bits times rows expected of a cell of each of these sizes."""
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
    found = np.zeros(len(levels))
    order = np.argsort(levels, kind="stable")
    ends = np.cumsum(np.bincount(levels, minlength=len(counts)))
    for level, (start, end) in enumerate(zip(np.append(0, ends[:-1]), ends, strict=True)):
        if start < end:
            cells = order[start:end]
            found[cells] = Chance(counts[level]).expected(sizes[cells])
    return np.rint(found * scale).astype(np.int64)


def room_of_tables(counts: np.ndarray, n_classes: int) -> np.ndarray:
    """Values of the table of each level: of cells of every size, see `entropick._core.chance_tables`."""
    return counts.reshape(-1, n_classes).sum(axis=1).astype(np.int64) + 1

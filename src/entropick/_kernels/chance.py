"""Information that columns have about classes by chance."""

import numpy as np

from entropick import _core


class Chance:
    """Information that cells have by chance, see `entropick._core.Chance`."""

    def __init__(self, class_sizes: np.ndarray) -> None:
        self._class_sizes = class_sizes.astype(np.int64)
        self._of_sizes = _core.Chance(self._class_sizes)

    def __reduce__(self) -> tuple[type["Chance"], tuple[np.ndarray]]:
        return Chance, (self._class_sizes,)

    def expected(self, sizes: np.ndarray) -> np.ndarray:
        """Bits times rows expected of a cell of each of these sizes."""
        flat = np.ascontiguousarray(sizes, np.int64).reshape(-1)
        found = np.empty(len(flat))
        self._of_sizes.fill(flat, found)
        return found.reshape(np.shape(sizes))

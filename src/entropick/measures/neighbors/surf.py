"""MultiSURF, SURF and SURF*: ReliefF with all rows within a distance as neighbours."""

from typing import Any, ClassVar

import numpy as np

from entropick import _core
from entropick._base.compat import StrOptions
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.contracts import Need
from entropick.exceptions import DataError
from entropick.measures.base import FixedScores, RankingMeasure
from entropick.measures.neighbors.exact import SAME, block_of_rows, pair_distances
from entropick.table.numeric.coordinates import Coordinates
from entropick.table.table import Table

__all__ = ["MultiSURF"]


class MultiSURF(RankingMeasure):
    """MultiSURF: columns that differ between near rows of different classes more than within a class.

    Like ReliefF, but a row is compared with all rows within a distance, so there is no number of neighbours
    to choose (L1 distance on all columns scaled to a range of 1). The score is the mean over rows of the mean
    difference to near rows of other classes, minus that to near rows of its own class. Rows just at the
    distance, up to rounding, are neither near nor far. A real target is binned into classes.

    Parameters
    ----------
    variant : {"multisurf", "surf", "surf_star"}, default="multisurf"
        Which rows are near. "multisurf": those nearer than the mean distance from the row minus half its
        standard deviation; "surf": nearer than the mean distance of all pairs; "surf_star": the same, and
        rows farther than that count too, with the opposite sign.

    References
    ----------
    Urbanowicz, Olson, Schmitt, Meeker and Moore (2018), Benchmarking Relief-based feature selection methods
    for bioinformatics data mining.
    Greene, Penrod, Kiralis and Moore (2009), Spatially uniform ReliefF (SURF) for computationally-efficient
    filtering of gene-gene interactions.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import MultiSURF
    >>> X, y = load_wine(return_X_y=True)
    >>> MultiSURF(n_features=3).fit(X, y).order_
    array([12,  0,  9])
    """

    needs = frozenset({Need.DISTANCES})
    default_cut = "threshold"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "variant": [StrOptions({"multisurf", "surf", "surf_star"})],
    }

    def __init__(self, variant: str = "multisurf") -> None:
        self.variant = variant

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        if table.n_rows < 2:
            raise DataError(f"Neighbours need at least two rows, got {counted(table.n_rows, 'sample')}.")
        neighbourhoods = Neighbourhoods(table.coordinates, table.target.codes, threads)
        weights = neighbourhoods.mean_differences(self.variant)
        return FixedScores(table.units.sum_of(weights))


class Neighbourhoods:
    """All rows within a distance of each row, a block of rows at a time."""

    def __init__(self, space: Coordinates, labels: np.ndarray, threads: Threads) -> None:
        self._space, self._labels, self._threads = space, labels, threads
        self._points = _core.Points(np.ascontiguousarray(space.values.T), space.kinds, space.expected)
        self._block = block_of_rows(space.n_rows)

    def mean_differences(self, variant: str) -> np.ndarray:
        """The score of every column."""
        n_rows = self._space.n_rows
        common = None if variant == "multisurf" else self._mean_distance()
        sums = np.zeros((self._n_blocks, self._space.n_columns))

        def add(b: int, rows: np.ndarray, distances: np.ndarray) -> None:
            limits = _own_limits(distances) if common is None else np.full(len(rows), common)
            near, far = distances < limits[:, None] * (1 - SAME), distances > limits[:, None] * (1 + SAME)
            is_own_class = self._labels[rows][:, None] == self._labels
            weights = _shares(near & ~is_own_class) - _shares(near & is_own_class)
            if variant == "surf_star":
                weights -= _shares(far & ~is_own_class) - _shares(far & is_own_class)
            self._points.add_differences(rows, weights, sums[b])

        self._each_block(add, n_rows * self._space.n_columns * 3e-10)
        return np.asarray(sums.sum(axis=0) / n_rows)

    def _mean_distance(self) -> float:
        """Mean distance of all pairs of rows."""
        totals = np.zeros(self._n_blocks)

        def add(b: int, rows: np.ndarray, distances: np.ndarray) -> None:
            totals[b] = np.nansum(distances, dtype=np.float64)

        self._each_block(add, 0.0)
        return float(totals.sum()) / (self._space.n_rows * (self._space.n_rows - 1))

    @property
    def _n_blocks(self) -> int:
        return -(-self._space.n_rows // self._block)

    def _each_block(self, add: Any, seconds_per_row: float) -> None:
        """Call `add(block, rows, distances)`; the distance of a row from itself is NaN, not near nor far."""
        n_rows = self._space.n_rows

        def run(start: int, stop: int) -> None:
            for b in range(start, stop):
                rows = np.arange(b * self._block, min((b + 1) * self._block, n_rows))
                distances = pair_distances(self._space, rows).astype(np.float64)
                distances[np.arange(len(rows)), rows] = np.nan
                add(b, rows, distances)

        of_distances = n_rows * (self._space.n_columns * 1e-10 + 2e-9)
        self._threads.run(run, self._n_blocks, self._block * (of_distances + seconds_per_row))


def _own_limits(distances: np.ndarray) -> np.ndarray:
    """Mean distance from each row, less half the standard deviation."""
    limits: np.ndarray = np.nanmean(distances, axis=1) - np.nanstd(distances, axis=1) / 2
    return limits


def _shares(is_in: np.ndarray) -> np.ndarray:
    """Divide True entries by their number in each row."""
    return np.asarray(is_in / np.maximum(is_in.sum(axis=1), 1)[:, None])

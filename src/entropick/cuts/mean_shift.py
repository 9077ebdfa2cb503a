"""The cluster of the first column's score."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._compat import Interval
from entropick.cuts.base import Cut, Judge
from entropick.records import Step
from entropick.table import Table
from entropick.ties import TOLERANCE
from entropick.workers import Workers

SETTLED = 1e-3  # a shift below this part of the bandwidth ends the search for a mode
MAX_SHIFTS = 300


class MeanShift(Cut):
    """Keep the columns whose scores are in the same cluster as that of the first one.

    Scores are clustered by mean shift: from every score one goes to the mean of all scores within the
    bandwidth, until nothing moves; scores that arrive at the same place are a cluster. It is what
    `sklearn.cluster.MeanShift` does, made for one dimension. All columns are scored first, so it belongs to
    rankings; after another search the steps are kept up to the first outside of the cluster.

    Parameters
    ----------
    quantile : float in (0, 1], the bandwidth is the mean distance of a score to its farthest among so large a
        share of all scores nearest to it
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "quantile": [Interval(Real, 0, 1, closed="right")],
    }

    def __init__(self, quantile: float = 0.3) -> None:
        self.quantile = quantile

    def begin(self, table: Table, measure: Any, workers: Workers) -> Judge:
        return _SameCluster(self.quantile, table.n_columns)


class _SameCluster(Judge):
    def __init__(self, quantile: float, n_columns: int) -> None:
        self._quantile = quantile
        self._n_columns = n_columns

    def is_done(self, path: Sequence[Step]) -> bool:
        return False

    def keep(self, path: Sequence[Step]) -> int:
        n_fixed = sum(step.fixed for step in path)
        scores = np.array([step.score for step in path[n_fixed:]])
        if not len(scores):
            return n_fixed
        low, high = cluster_of_first(scores, self._quantile)
        outside = np.flatnonzero((scores < low) | (scores > high))
        return n_fixed + int(outside[0]) if len(outside) else len(path)

    def expected_steps(self) -> int:
        return self._n_columns


def cluster_of_first(scores: np.ndarray, quantile: float) -> tuple[float, float]:
    """The bounds between which scores belong to the cluster of the first score."""
    first = float(scores[0])
    ascending = np.sort(scores)
    bandwidth = estimate_bandwidth(ascending, quantile)
    rounding = TOLERANCE * max(1.0, abs(first))
    if bandwidth <= rounding:  # equal scores alone are near each other
        return first - rounding, first + rounding
    modes = find_modes(ascending, bandwidth)
    nearest = int(np.argmin(np.abs(modes - first)))
    low = (modes[nearest - 1] + modes[nearest]) / 2 if nearest > 0 else -np.inf
    high = (modes[nearest] + modes[nearest + 1]) / 2 if nearest + 1 < len(modes) else np.inf
    return low, high


def estimate_bandwidth(ascending: np.ndarray, quantile: float) -> float:
    """Mean distance of a score to the farthest of the share of all scores that is nearest to it (with it).

    The k nearest to a sorted value stand side by side. As such a window moves up, its lower end comes nearer
    and its upper end goes away, so the best window is found by halving.
    """
    n = len(ascending)
    k = max(1, int(n * quantile))
    at = np.arange(n)
    low, high = np.maximum(at - k + 1, 0), np.minimum(at, n - k)
    while (low < high).any():
        middle = (low + high) // 2
        is_past_middle = ascending - ascending[middle] <= ascending[middle + k - 1] - ascending
        low = np.where(is_past_middle | (low == high), low, middle + 1)
        high = np.where(is_past_middle, middle, high)
    windows = np.stack([low, np.maximum(low - 1, 0)])
    farthest = np.maximum(ascending - ascending[windows], ascending[windows + k - 1] - ascending)
    return float(farthest.min(axis=0).mean())


def find_modes(ascending: np.ndarray, bandwidth: float) -> np.ndarray:
    """Where mean shift arrives, in order; of two places within a bandwidth the one among more scores."""
    sums = np.concatenate([[0.0], np.cumsum(ascending - ascending[0])])
    moving = np.unique(ascending)
    places, strengths = [], []
    for shift in range(MAX_SHIFTS):
        begin = np.searchsorted(ascending, moving - bandwidth, side="left")
        end = np.searchsorted(ascending, moving + bandwidth, side="right")
        means = ascending[0] + (sums[end] - sums[begin]) / (end - begin)
        stays = (np.abs(means - moving) <= SETTLED * bandwidth) | (shift + 1 == MAX_SHIFTS)
        places.append(means[stays])
        strengths.append((end - begin)[stays])
        moving = np.unique(means[~stays])
        if not len(moving):
            break
    modes, at = np.unique(np.concatenate(places), return_index=True)
    return _strongest(modes, np.concatenate(strengths)[at], bandwidth)


def _strongest(places: np.ndarray, strength: np.ndarray, bandwidth: float) -> np.ndarray:
    """Places in descending order of strength, without those within a bandwidth of a stronger one; sorted."""
    is_open = np.ones(len(places), dtype=bool)
    kept = []
    for i in np.lexsort((-places, -strength)):
        if is_open[i]:
            kept.append(places[i])
            near = slice(
                np.searchsorted(places, places[i] - bandwidth, side="left"),
                np.searchsorted(places, places[i] + bandwidth, side="right"),
            )
            is_open[near] = False
    return np.sort(kept)

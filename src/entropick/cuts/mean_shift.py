"""Keep the columns whose scores cluster with the top one."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.ties import tolerance
from entropick.contracts import Judge
from entropick.cuts.base import AllScores, Cut, Run

SETTLED = 1e-9  # a shift below this share of the bandwidth ends the search for a mode
MAX_SHIFTS = 1000
MIN_BANDWIDTH = 1e-3  # of equal scores, as a share of the mean bandwidth


class MeanShift(Cut):
    """Keep the columns whose scores cluster with the top one.

    Scores are clustered by mean shift: each score moves repeatedly to the mean of the scores around it;
    scores that arrive at the same point form a cluster. A score reaches others within its bandwidth, and has
    the weight bandwidth⁻³ (flat kernel in one dimension).

    All columns are scored first, so it is meant for rankings; after another search the steps are kept up to
    the first outside the cluster.

    Parameters
    ----------
    bandwidth : "variable" gives each score its own bandwidth, the distance to its n_neighbors-th nearest
        score; "fixed" gives all the mean of these distances, as `sklearn.cluster.MeanShift` does by default
    n_neighbors : int, with the score itself; None for 2√n ("variable") or 0.3 n ("fixed") of n scores

    References
    ----------
    Comaniciu, Ramesh and Meer (2001), The variable bandwidth mean shift and data-driven scale selection.
    """

    rule = "keeps the columns whose scores cluster with the top one"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "bandwidth": [StrOptions({"variable", "fixed"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, bandwidth: str = "variable", n_neighbors: int | None = None) -> None:
        self.bandwidth = bandwidth
        self.n_neighbors = n_neighbors

    def begin(self, run: Run) -> Judge:
        return AllScores(run.table.n_columns, self._size_of_cluster)

    def _size_of_cluster(self, scores: np.ndarray) -> int:
        """Number of first scores in the cluster of the first."""
        modes = find_modes(scores, self.bandwidths(scores))
        others = np.flatnonzero(modes != modes[0])
        return int(others[0]) if len(others) else len(scores)

    def bandwidths(self, scores: np.ndarray) -> np.ndarray:
        """The bandwidth of every score."""
        share = 0.3 * len(scores) if self.bandwidth == "fixed" else 2 * np.sqrt(len(scores))
        k = max(1, min(int(share) if self.n_neighbors is None else self.n_neighbors, len(scores)))
        distances = nearest_distances(scores, k)
        if self.bandwidth == "fixed":
            return np.full(len(scores), distances.mean())
        return np.asarray(np.maximum(distances, MIN_BANDWIDTH * distances.mean()))


def nearest_distances(scores: np.ndarray, k: int) -> np.ndarray:
    """The distance of each score to its k-th nearest, counting itself.

    The k nearest of a sorted value form a window. As the window moves up, its lower end comes nearer and its
    upper end moves away, so bisection finds the best window.
    """
    order = np.argsort(scores, kind="stable")
    ascending, at = scores[order], np.arange(len(scores))
    low, high = np.maximum(at - k + 1, 0), np.minimum(at, len(scores) - k)
    while (low < high).any():
        middle = (low + high) // 2
        is_past_middle = ascending - ascending[middle] <= ascending[middle + k - 1] - ascending
        low = np.where(is_past_middle | (low == high), low, middle + 1)
        high = np.where(is_past_middle, middle, high)
    windows = np.stack([low, np.maximum(low - 1, 0)])
    farthest = np.maximum(ascending - ascending[windows], ascending[windows + k - 1] - ascending)
    distances = np.empty(len(scores))
    distances[order] = farthest.min(axis=0)
    return distances


def find_modes(scores: np.ndarray, bandwidths: np.ndarray) -> np.ndarray:
    """The mode of each score: the point where mean shift takes it, or a stronger mode near that."""
    depths = scores.max() - scores
    if depths.max() <= tolerance(float(scores.max())):
        return np.zeros(len(scores))
    if bandwidths.max() == 0:
        return np.asarray(depths)  # only equal scores are near each other
    surroundings = _Surroundings(depths, bandwidths)
    points, strengths = depths.copy(), np.zeros(len(depths))
    moving = np.arange(len(depths))
    for _ in range(MAX_SHIFTS):
        means, strengths[moving] = surroundings.mean(points[moving])
        shifts = np.abs(means - points[moving])
        points[moving] = means
        moving = moving[shifts > SETTLED * bandwidths[moving]]
        if not len(moving):
            break
    modes = _strongest(points, strengths, bandwidths)
    nearest = np.searchsorted((modes[1:] + modes[:-1]) / 2, points)
    return np.asarray(modes[nearest])


class _Surroundings:
    """Weighted means of the scores that reach a point, from cumulative sums over the bounds of their reach.

    Points are depths below the highest score, where the sums start: the few high scores, with wide bandwidths
    and small weights, would be lost in rounding if the many low ones were summed before them. For the same
    reason sums have more digits than the scores, if the processor supports it.
    """

    def __init__(self, depths: np.ndarray, bandwidths: np.ndarray) -> None:
        weights = (bandwidths.min() / bandwidths) ** 3
        self._begins, self._begun = self._cumulated(depths - bandwidths, weights, depths)
        self._ends, self._ended = self._cumulated(depths + bandwidths, weights, depths)

    def _cumulated(
        self, bounds: np.ndarray, weights: np.ndarray, depths: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(bounds, kind="stable")
        sums = np.zeros((2, len(bounds) + 1), np.longdouble)
        np.cumsum([weights[order], (weights * depths)[order]], axis=1, out=sums[:, 1:])
        return bounds[order], sums

    def mean(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean at each point, and the weight of the scores that reach it."""
        begun = self._begun[:, np.searchsorted(self._begins, points, side="right")]
        ended = self._ended[:, np.searchsorted(self._ends, points, side="left")]
        weight, total = begun - ended
        is_certain = weight > 1e-12 * begun[0]  # points whose weight is lost in rounding do not move
        means = np.where(is_certain, total / np.where(is_certain, weight, 1), points)
        return means.astype(np.float64), weight.astype(np.float64)


def _strongest(points: np.ndarray, strengths: np.ndarray, bandwidths: np.ndarray) -> np.ndarray:
    """The points in order, without those within the bandwidth of a stronger one."""
    points, first = np.unique(points, return_index=True)
    strengths, bandwidths = strengths[first], bandwidths[first]
    begins = np.searchsorted(points, points - bandwidths, side="left")
    ends = np.searchsorted(points, points + bandwidths, side="right")
    is_open = np.ones(len(points), dtype=bool)
    kept = []
    for i in np.lexsort((points, -strengths)):
        if is_open[i]:
            kept.append(i)
            is_open[begins[i] : ends[i]] = False
    return np.asarray(points[np.sort(kept)])

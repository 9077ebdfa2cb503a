"""Columns whose scores cluster with the first one's."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.ties import tolerance
from entropick.contracts import Judge
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.records.selection import Step

SETTLED = 1e-9  # a shift below this part of the bandwidth ends the search for a mode
MAX_SHIFTS = 1000
LEAST = 1e-3  # part of the mean bandwidth that equal scores have at least


class MeanShift(Cut):
    """Keep the columns whose scores cluster with the top one.

    Scores are clustered by mean shift: each score moves repeatedly to the mean of the scores around it;
    scores that arrive at the same place form a cluster. A score reaches others within its bandwidth, and has
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
        return _SameCluster(self, run.table.n_columns)

    def bandwidths(self, scores: np.ndarray) -> np.ndarray:
        """The bandwidth of every score."""
        share = 0.3 * len(scores) if self.bandwidth == "fixed" else 2 * np.sqrt(len(scores))
        k = max(1, min(int(share) if self.n_neighbors is None else self.n_neighbors, len(scores)))
        distances = nearest_distances(scores, k)
        if self.bandwidth == "fixed":
            return np.full(len(scores), distances.mean())
        return np.asarray(np.maximum(distances, LEAST * distances.mean()))


class _SameCluster(PlainJudge):
    def __init__(self, cut: MeanShift, n_columns: int) -> None:
        self._cut = cut
        self._n_columns = n_columns

    def is_done(self, path: Sequence[Step]) -> bool:
        return False

    def keep(self, path: Sequence[Step]) -> int:
        n_fixed = sum(step.fixed for step in path)
        scores = np.array([step.score for step in path[n_fixed:]])
        if not len(scores):
            return n_fixed
        modes = find_modes(scores, self._cut.bandwidths(scores))
        elsewhere = np.flatnonzero(modes != modes[0])
        return n_fixed + int(elsewhere[0]) if len(elsewhere) else len(path)

    def expected_steps(self) -> int:
        return self._n_columns


def nearest_distances(scores: np.ndarray, k: int) -> np.ndarray:
    """The distance of each score to its k-th nearest, itself being the first.

    The k nearest to a sorted value stand side by side. As such a window moves up, its lower end comes nearer
    and its upper end goes away, so the best window is found by halving.
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
    """The mode each score belongs to: where mean shift takes it, or the stronger mode near there."""
    depths = scores.max() - scores
    if depths.max() <= tolerance(float(scores.max())):
        return np.zeros(len(scores))
    if bandwidths.max() == 0:
        return np.asarray(depths)  # equal scores alone are near each other
    surroundings = _Surroundings(depths, bandwidths)
    places, strengths = depths.copy(), np.zeros(len(depths))
    moving = np.arange(len(depths))
    for _ in range(MAX_SHIFTS):
        means, strengths[moving] = surroundings.mean(places[moving])
        shifts = np.abs(means - places[moving])
        places[moving] = means
        moving = moving[shifts > SETTLED * bandwidths[moving]]
        if not len(moving):
            break
    modes = _strongest(places, strengths, bandwidths)
    return np.asarray(modes[_nearest(modes, places)])


class _Surroundings:
    """Weighted means of the scores that reach a place, by cumulated sums over where a reach begins and ends.

    Places are depths below the highest score and sums start there. Few high scores with wide bandwidths and
    small weights would be lost in rounding if the many low ones were summed before them; for the same reason
    sums have more digits than the scores, where the processor has them.
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

    def mean(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean at each place, and the weight of the scores that reach it."""
        begun = self._begun[:, np.searchsorted(self._begins, places, side="right")]
        ended = self._ended[:, np.searchsorted(self._ends, places, side="left")]
        weight, total = begun - ended
        is_certain = weight > 1e-12 * begun[0]  # the lowest scores may be lost in rounding; they stay
        means = np.where(is_certain, total / np.where(is_certain, weight, 1), places)
        return means.astype(np.float64), weight.astype(np.float64)


def _strongest(places: np.ndarray, strengths: np.ndarray, bandwidths: np.ndarray) -> np.ndarray:
    """The places in order, without those within the bandwidth of a stronger one."""
    places, first = np.unique(places, return_index=True)
    strengths, bandwidths = strengths[first], bandwidths[first]
    begins = np.searchsorted(places, places - bandwidths, side="left")
    ends = np.searchsorted(places, places + bandwidths, side="right")
    is_open = np.ones(len(places), dtype=bool)
    kept = []
    for i in np.lexsort((places, -strengths)):
        if is_open[i]:
            kept.append(i)
            is_open[begins[i] : ends[i]] = False
    return np.asarray(places[np.sort(kept)])


def _nearest(modes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Which of the sorted modes is nearest to each place."""
    return np.searchsorted((modes[1:] + modes[:-1]) / 2, places)

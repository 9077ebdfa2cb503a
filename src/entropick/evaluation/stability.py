"""Stability of selections, and error bounds of stability selection.

Shah and Samworth (2013), Variable selection with error control: another look at stability selection. The
rows are split at random into two halves B times, and columns are selected on each half. Π(f) is the share of
these 2B selections, of q of the p columns on average, that contain f. Columns with Π ≥ τ are kept. The bounds
below are on the expected number of kept columns whose probability of being selected on a random half is at
most θ = q / p, that of a column drawn at random.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

QUANTILE = NormalDist().inv_cdf(0.975)  # for 95 % intervals
ASSUMPTIONS = ("none", "unimodal", "r-concave")
# Shah and Samworth's orders of concavity: of the pairs that agree, and of the single selections.
PAIR_CONCAVITY, SINGLE_CONCAVITY = -1 / 2, -1 / 4
SMALLEST, LARGEST = 1e-9, 1e5  # range of the shape of the extreme distribution


@dataclass(frozen=True)
class Stability:
    """Similarity of several selections, with a 95 % interval; 1 if identical, 0 by chance."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def stability_of(selected: np.ndarray | Sequence[np.ndarray]) -> Stability:
    """Nogueira's index of several selections, with its 95 % confidence interval.

    1 if all are the same, 0 on average if they are random, for any sizes.

    Parameters
    ----------
    selected : bool (selections, columns)

    References
    ----------
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms. JMLR 18(174).
    """
    chosen = np.asarray(selected, dtype=np.float64)
    n_selections, n_columns = chosen.shape
    sizes = chosen.sum(axis=1)
    share = sizes.mean() / n_columns
    if n_selections < 2 or share in (0.0, 1.0):  # always all or nothing: there is nothing to vary
        return Stability(1.0, 1.0, 1.0)
    frequency = chosen.mean(axis=0)
    variance = n_selections / (n_selections - 1) * frequency * (1 - frequency)
    scale = share * (1 - share)
    value = 1 - variance.mean() / scale
    terms = (
        chosen @ frequency / n_columns
        - sizes * share / n_columns
        + value / 2 * (2 * share * sizes / n_columns - sizes / n_columns - share + 1)
    ) / scale
    error = 2 * np.sqrt(((terms - terms.mean()) ** 2).sum()) / n_selections
    reach = float(QUANTILE * error)
    return Stability(float(value), float(value) - reach, min(float(value) + reach, 1.0))


def mean_overlap(one: Sequence[int], other: Sequence[int]) -> float:
    """Share of common columns among the first k of two rankings, averaged over k."""
    depth = min(len(one), len(other))
    shares = [len(set(one[:k]) & set(other[:k])) / k for k in range(1, depth + 1)]
    return float(np.mean(shares)) if shares else 1.0


def mean_ranks(orders: Sequence[Sequence[int]], n_columns: int) -> np.ndarray:
    """Mean rank per column; columns missing from a ranking share the mean of the remaining ranks."""
    ranks = np.empty((len(orders), n_columns))
    for row, order in zip(ranks, orders, strict=True):
        row[:] = (len(order) + 1 + n_columns) / 2
        row[list(order)] = np.arange(1, len(order) + 1)
    return np.asarray(ranks.mean(axis=0))


# -- error bounds --------------------------------------------------------------------------------


class FalseSelections:
    """Expected number of false selections, by the number of fits that must keep a column.

    Parameters
    ----------
    assumption : what noise is compared with
    n_copies : copies of each column that the fits could keep
    p : number of columns
    supports : bool (fits, columns and their copies)
    """

    def __init__(self, assumption: str, n_copies: int, p: int, supports: np.ndarray) -> None:
        self._assumption, self._n_copies, self._p = assumption, n_copies, p
        self.supports = supports[:, :p]
        self.mean_size = float(self.supports.sum(axis=1).mean())
        self._of_copies = np.sort(supports[:, p:].sum(axis=0))[::-1]

    def of(self, least: int) -> float:
        """The bound if this many fits must keep a column."""
        n_fits = len(self.supports)
        if not self._n_copies:
            return false_bound(least / n_fits, self.mean_size, self._p, n_fits // 2, self._assumption)
        n_as_frequent = np.count_nonzero(self._of_copies >= least)
        return min(float(self._p), (1 + int(n_as_frequent)) / self._n_copies)

    def least_count(self, max_false: float) -> int | None:
        """The smallest number above half of the fits with a bound of at most `max_false`, if any."""
        n_fits = len(self.supports)
        counts = range(n_fits // 2 + 1, n_fits + 1)
        at = bisect_left(counts, True, key=lambda least: self.of(least) <= max_false)  # bounds decrease
        return counts[at] if at < len(counts) else None

    @property
    def reason(self) -> str:
        """Why no threshold has a small bound."""
        if self._n_copies:
            return "every fit keeps a column that was shuffled"
        return f"fits keep {self.mean_size:.1f} of {self._p} columns"


def false_bound(threshold: float, q: float, p: int, n_pairs: int, assumption: str) -> float:
    """Bound on the expected number of columns selected by mistake.

    Parameters
    ----------
    threshold : τ in (1/2, 1], a multiple of 1 / (2 n_pairs)
    q : mean number of columns of a selection
    p : number of columns
    n_pairs : B
    assumption : on the distribution of Π(f) of those columns. "none": any, θ q / (2τ − 1). "unimodal": it and
        that of the share of agreeing pairs have one peak (Theorem 2). "r-concave": their tails fall as fast
        as r-concave ones, with r = −1/4 and −1/2 (Theorem 3)
    """
    theta = q / p
    bounds = [float(p), theta * q / (2 * threshold - 1)]
    if assumption == "unimodal":
        bounds.append(_unimodal_bound(threshold, theta, n_pairs) * theta * q)
    elif assumption == "r-concave":
        k = round(2 * n_pairs * threshold)
        bounds.append(p * _concave_tail(theta**2, k - n_pairs, n_pairs, PAIR_CONCAVITY))
        bounds.append(p * _concave_tail(theta, k, 2 * n_pairs, SINGLE_CONCAVITY))
    return min(bounds)


def _unimodal_bound(threshold: float, theta: float, n_pairs: int) -> float:
    """C(τ, B) of Theorem 2; infinite if the theorem does not apply."""
    least = 0.5 + min(theta**2, 1 / (2 * n_pairs) + 0.75 * theta**2)
    if theta > 1 / math.sqrt(3) or threshold <= least or threshold < 0.5 + 1 / n_pairs:
        return math.inf
    if threshold <= 0.75:
        return 1 / (2 * (2 * threshold - 1 - 1 / (2 * n_pairs)))
    return 4 * (1 - threshold + 1 / (2 * n_pairs)) / (1 + 1 / n_pairs)


@lru_cache(maxsize=1024)
def _concave_tail(mean: float, t: int, n: int, r: float) -> float:
    """D of Theorem 3: the largest P(X ≥ t) of an r-concave X on 0..n with expectation n·mean.

    The extreme distributions are proportional to (a + i)^(1/r) on 0..k, with the remaining mass, given by the
    expectation, at k + 1. For each k the shape a lies between the values at which 0..k and 0..k+1 alone have
    the expectation.
    """
    from scipy.optimize import brentq, minimize_scalar  # slow to import, rarely needed

    expected = mean * n
    if expected == 0:
        return 0.0 if t > 0 else 1.0
    first = math.ceil(2 * expected) + 1
    if t < first or first > n:
        return 1.0
    support = np.arange(n + 1)

    def excess(a: float, k: int) -> float:
        weights = (a + support[: k + 1]) ** (1 / r)
        return float(support[: k + 1] @ weights / weights.sum() - expected)

    def below(a: float, k: int) -> float:
        """P(X < t)."""
        weights = (a + support[: k + 1]) ** (1 / r)
        return float((k + 1 - expected) * weights[:t].sum() / ((k + 1 - support[: k + 1]) @ weights))

    shapes = [LARGEST]  # for k = first, first + 1, ...; decreasing
    for k in range(first, n + 1):
        shapes.append(brentq(excess, SMALLEST, shapes[-1], args=(k,), xtol=1e-12))
    least = below(shapes[-1], n)
    for k in range(max(first, t - 1), n):
        between = (shapes[k - first + 2], shapes[k - first + 1])
        least = min(least, float(minimize_scalar(below, bounds=between, args=(k,), method="bounded").fun))
    return 1 - least

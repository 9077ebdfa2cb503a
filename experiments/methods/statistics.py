"""Tests for several methods on several data sets (Demšar 2006, JMLR 7)."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

SIGNIFICANCE = 0.05
DIGITS = 10  # scores that agree so far are ties: the rest is rounding of means


@dataclass(frozen=True)
class Ranking:
    """Methods by their mean rank, best first.

    Attributes
    ----------
    names, mean_ranks : of the methods
    p_value : of Friedman's test that all are alike
    critical_difference : of two mean ranks, by Nemenyi's test at 0.05
    n_datasets : how many were ranked over
    """

    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    p_value: float
    critical_difference: float
    n_datasets: int

    def rank_of(self, name: str) -> float:
        """Mean rank of a method."""
        return self.mean_ranks[self.names.index(name)]

    def place_of(self, name: str) -> int:
        """Place of a method, 1 for the best."""
        return self.names.index(name) + 1

    def best_group(self) -> tuple[str, ...]:
        """Methods that are not significantly worse than the best."""
        bar = self.mean_ranks[0] + self.critical_difference
        return tuple(name for name, rank in zip(self.names, self.mean_ranks, strict=True) if rank <= bar)

    def alike(self) -> list[tuple[int, int]]:
        """Longest runs of places (first, last) whose mean ranks do not differ significantly."""
        ranks = np.array(self.mean_ranks)
        ends = [int(np.searchsorted(ranks, rank + self.critical_difference, "right")) - 1 for rank in ranks]
        runs = [(start, end) for start, end in enumerate(ends) if end > start]
        return [(start, end) for start, end in runs if start == 0 or end > ends[start - 1]]


def rank_methods(names: Sequence[str], scores: np.ndarray) -> Ranking:
    """Rank methods by scores, (data sets, methods), larger is better; ties share their mean rank."""
    n_datasets, n_methods = scores.shape
    ranks = stats.rankdata(-np.round(scores, DIGITS), axis=1).mean(axis=0)
    order = sorted(range(n_methods), key=lambda i: (ranks[i], names[i]))
    p_value = 1.0
    if n_methods > 2 and n_datasets > 1:
        p_value = float(np.nan_to_num(stats.friedmanchisquare(*np.round(scores.T, DIGITS)).pvalue, nan=1.0))
    return Ranking(
        tuple(names[i] for i in order),
        tuple(float(ranks[i]) for i in order),
        p_value,
        critical_difference(n_methods, n_datasets),
        n_datasets,
    )


def critical_difference(n_methods: int, n_datasets: int) -> float:
    """Nemenyi's: two mean ranks further apart than this differ significantly."""
    quantile = stats.studentized_range.isf(SIGNIFICANCE, n_methods, np.inf)
    return float(quantile * np.sqrt(n_methods * (n_methods + 1) / (12 * n_datasets)))


@dataclass(frozen=True)
class Difference:
    """How much better one thing is than another, over data sets.

    Attributes
    ----------
    mean, error : of the differences, and the standard error of their mean
    p_value : of Wilcoxon's signed-rank test that they are centred at 0, two-sided
    wins, losses : data sets where it is better, and worse
    """

    mean: float
    error: float
    p_value: float
    wins: int
    losses: int

    @property
    def n_datasets(self) -> int:
        return self.wins + self.losses

    def __str__(self) -> str:
        return (
            f"{self.mean:+.3f} ± {self.error:.3f}, better on {self.wins} data sets and worse on "
            f"{self.losses}, p = {self.p_value:.2g}"
        )


def difference(one: np.ndarray, other: np.ndarray) -> Difference:
    """Compare two scores per data set; NaN where one was not run."""
    known = ~(np.isnan(one) | np.isnan(other))
    differences = np.round(one[known] - other[known], DIGITS)
    n = len(differences)
    if n < 2:
        return Difference(float(differences.mean()) if n else float("nan"), float("nan"), 1.0, 0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # older versions of scipy warn of few data sets
        p_value = float(stats.wilcoxon(differences).pvalue) if differences.any() else 1.0
    return Difference(
        float(differences.mean()),
        float(differences.std(ddof=1) / np.sqrt(n)),
        p_value,
        int(np.count_nonzero(differences > 0)),
        int(np.count_nonzero(differences < 0)),
    )

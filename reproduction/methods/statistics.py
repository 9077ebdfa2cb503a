"""Tests for several methods on several data sets (Demšar 2006, JMLR 7)."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import stats

from reproduction.verdicts import OPEN, Finding, exact

SIGNIFICANCE = 0.05
DIGITS = 10  # scores that agree so far are ties: the rest is rounding of means


@dataclass(frozen=True)
class Ranking:
    """Methods by their mean rank, best first.

    `p_value` is that of Friedman's test that all are alike, `critical_difference` that of two mean ranks by
    Nemenyi's test at 0.05.
    """

    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    p_value: float
    critical_difference: float
    n_datasets: int

    def rank_of(self, name) -> float:
        return self.mean_ranks[self.names.index(name)]

    def place_of(self, name) -> int:
        return self.names.index(name) + 1

    def best_group(self) -> list[str]:
        """Methods that are not significantly worse than the best."""
        bar = self.mean_ranks[0] + self.critical_difference
        return [name for name, rank in zip(self.names, self.mean_ranks, strict=True) if rank <= bar]

    def alike(self) -> list[tuple[int, int]]:
        """Longest runs of places (first, last) whose mean ranks do not differ significantly."""
        ranks = np.array(self.mean_ranks)
        ends = [int(np.searchsorted(ranks, rank + self.critical_difference, "right")) - 1 for rank in ranks]
        runs = [(start, end) for start, end in enumerate(ends) if end > start]
        return [(start, end) for start, end in runs if start == 0 or end > ends[start - 1]]


def rank_methods(names, scores) -> Ranking:
    """Rank methods by scores, (data sets, methods), larger is better; ties share their mean rank."""
    n_datasets, n_methods = scores.shape
    ranks = stats.rankdata(-np.round(scores, DIGITS), axis=1).mean(axis=0)
    order = sorted(range(n_methods), key=lambda i: (ranks[i], names[i]))
    p_value = 1.0
    if n_methods > 2 and n_datasets > 1:
        p_value = float(np.nan_to_num(stats.friedmanchisquare(*np.round(scores.T, DIGITS)).pvalue, nan=1.0))
    ranked = tuple(names[i] for i in order), tuple(float(ranks[i]) for i in order)
    return Ranking(*ranked, p_value, critical_difference(n_methods, n_datasets), n_datasets)


def critical_difference(n_methods, n_datasets) -> float:
    """Nemenyi's: two mean ranks further apart than this differ significantly."""
    quantile = stats.studentized_range.isf(SIGNIFICANCE, n_methods, np.inf)
    return float(quantile * np.sqrt(n_methods * (n_methods + 1) / (12 * n_datasets)))


@dataclass(frozen=True)
class Difference:
    """How much better one thing is than another over data sets; the p-value is Wilcoxon's, two-sided."""

    mean: float
    error: float
    p_value: float
    wins: int
    losses: int
    n_all: int = 2

    @property
    def n_datasets(self) -> int:
        return self.wins + self.losses

    @property
    def is_ahead(self) -> bool:
        return self.mean > 0 and self.p_value < SIGNIFICANCE

    def above(self, boundary: float = 0.0) -> Finding:
        """That the true mean is above a number, by a t-test: data sets of a kind are too few for ranks."""
        if np.isnan(self.error):
            return OPEN
        if self.error == 0:  # the t-test divides by the spread
            return exact(self.mean > boundary)
        t = (self.mean - boundary) / self.error
        return Finding(float(stats.t.sf(t, self.n_all - 1)), float(stats.t.cdf(t, self.n_all - 1)))

    @property
    def short(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"

    @property
    def with_interval(self) -> str:
        """The mean with its 95 % interval."""
        if np.isnan(self.error):
            return f"{self.mean:+.3f}"
        half = float(stats.t.ppf(0.975, self.n_all - 1)) * self.error
        return f"{self.mean:+.3f} ({self.mean - half:+.3f} to {self.mean + half:+.3f})"

    def __str__(self) -> str:
        counts = f"better on {self.wins} data sets and worse on {self.losses}"
        return f"{self.with_interval}, {counts}, p = {self.p_value:.2g}"


def difference(one, other) -> Difference:
    """Compare two scores per data set; NaN where one was not run."""
    known = ~(np.isnan(one) | np.isnan(other))
    differences = np.round(one[known] - other[known], DIGITS)
    n = len(differences)
    if n < 2:
        return Difference(float(differences.mean()) if n else float("nan"), float("nan"), 1.0, 0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # older versions of scipy warn of few data sets
        p_value = float(stats.wilcoxon(differences).pvalue) if differences.any() else 1.0
    mean, error = float(differences.mean()), float(differences.std(ddof=1) / np.sqrt(n))
    return Difference(mean, error, p_value, int((differences > 0).sum()), int((differences < 0).sum()), n)

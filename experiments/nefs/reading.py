"""What the claims and the tables read from the results: accuracies, orders, tests, fits."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.stats

from experiments.nefs.design import CURVES_OF, N_FOLDS, RELEVANT_IN_HYPERSPHERES
from experiments.protocol import Results, mean_and_error

LEVEL = 0.05  # of the paired t-tests between two methods
FRIEDMAN_LEVEL = 0.01  # the paper's


@dataclass(frozen=True)
class Difference:
    """Paired differences between two methods, in the same folds."""

    values: Sequence[float]

    @property
    def p_value(self) -> float:
        """Of a two-sided t-test; 1 where nothing differs."""
        if len(self.values) < 2 or np.ptp(self.values) == 0:
            return 1.0
        return float(scipy.stats.ttest_1samp(self.values, 0).pvalue)

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def is_ahead(self) -> bool:
        """The first is better, and not by chance."""
        return self.mean > 0 and self.p_value < LEVEL

    @property
    def verdict(self) -> bool | None:
        """Whether the first is ahead; None where it may be, and more folds could tell."""
        if self.mean > 0 and not self.is_ahead and len(self.values) < N_FOLDS:
            return None
        return self.is_ahead

    def __str__(self) -> str:
        sign = "+" if self.mean >= 0 else ""
        return f"{sign}{mean_and_error(self.values)} (p = {self.p_value:.2g})"


def accuracies(results: Results, data: str, classifier: str, method: str, size: int) -> list[float]:
    """One accuracy for each fold that was run."""
    found = []
    for record in results.where(part="curves", data=data):
        scores = record.result["accuracy"].get(classifier, {}).get(method)
        if scores is not None and size in record.settings["sizes"]:
            found.append(scores[record.settings["sizes"].index(size)])
    return found


def means_over_sizes(
    results: Results, data: str, classifier: str, method: str, sizes: Sequence[int]
) -> list[float]:
    """The mean accuracy over some sizes, one for each fold that was run."""
    columns = [accuracies(results, data, classifier, method, size) for size in sizes]
    return [float(np.mean(values)) for values in zip(*columns, strict=True)]


def mean_accuracies(
    results: Results, data: str, classifier: str, methods: Sequence[str], size: int
) -> dict[str, float]:
    """Mean accuracy of each method that was run."""
    found = {method: accuracies(results, data, classifier, method, size) for method in methods}
    return {method: float(np.mean(values)) for method, values in found.items() if values}


def difference(
    results: Results, data: str, classifier: str, first: str, second: str, sizes: Sequence[int]
) -> Difference | None:
    """First less second, at one size or on average over some; None with fewer than two folds."""
    parts = [means_over_sizes(results, data, classifier, method, sizes) for method in (first, second)]
    if min(map(len, parts)) < 2 or len(parts[0]) != len(parts[1]):
        return None
    return Difference([a - b for a, b in zip(*parts, strict=True)])


def gain(
    results: Results, data: str, classifier: str, first: str, second: str, size: int
) -> list[float] | None:
    """By how many per cent the first is above the second, fold by fold."""
    parts = [accuracies(results, data, classifier, method, size) for method in (first, second)]
    if min(map(len, parts)) < 2:
        return None
    return [100 * (a / b - 1) for a, b in zip(*parts, strict=True)]


def friedman(results: Results, data: str, classifier: str, methods: Sequence[str], size: int) -> float | None:
    """The p-value of Friedman's test over the folds; 1 where all are the same, None with too few folds."""
    columns = [accuracies(results, data, classifier, method, size) for method in methods]
    columns = [column for column in columns if column]
    if len(columns) < 3 or len(columns[0]) < 2:
        return None
    if all(column == columns[0] for column in columns):
        return 1.0
    return float(scipy.stats.friedmanchisquare(*columns).pvalue)


def orders(results: Results, data: str, method: str) -> list[list[int]]:
    """The picks of a method in each fold."""
    found = [record.result["orders"].get(method) for record in results.where(part="curves", data=data)]
    return [order for order in found if order]


def corral_runs(results: Results, method: str) -> list[list[int]]:
    """The picks of a method in each run on CORRAL."""
    return [order for record in results.where(part="orders") for order in record.result.get(method, [])]


def most_frequent(items: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], int]:
    """The most frequent item, the smallest of them, and how often it came."""
    counts = Counter(items)
    best = min(counts, key=lambda item: (-counts[item], item))
    return best, counts[best]


def relevant_found(results: Results, method: str) -> list[int]:
    """How many of the 7 relevant columns of HYPERSPHERES are among the first 7 picks, table by table."""
    return [
        len(RELEVANT_IN_HYPERSPHERES & set(order[:7])) for order in orders(results, "HYPERSPHERES", method)
    ]


def small_accuracies(results: Results, method: str, size: int) -> list[float]:
    """Accuracies on SPAMBASE_N after selection and training on as many rows as columns, draw by draw."""
    return [
        draw[record.settings["sizes"].index(size)]
        for record in results.where(part="small")
        for draw in record.result.get(method, [])
    ]


@dataclass(frozen=True)
class TimeModel:
    """Seconds = coefficient · rows · columns + intercept."""

    coefficient: float
    intercept: float
    r_squared: float
    seconds: dict[tuple[int, int], float]


def time_model(results: Results, method: str) -> TimeModel | None:
    """The least-squares line through the times of a method; None with fewer than three tables."""
    seconds = {
        (record.settings["rows"], record.settings["columns"]): record.result[method]
        for record in results.where(part="time")
        if method in record.result
    }
    if len(seconds) < 3:
        return None
    fit = scipy.stats.linregress([n * d for n, d in seconds], list(seconds.values()))
    return TimeModel(float(fit.slope), float(fit.intercept), float(fit.rvalue) ** 2, seconds)


def why_missing(results: Results, data: str) -> str:
    """Why there is nothing of a data set."""
    source = CURVES_OF[data].source
    if source is not None and source in results.missing:
        return f"The data set is missing: {results.missing[source]}"
    return "Too few of its cells have been run (two folds at least)."

"""Accuracies, leads and ranks, taken from the results."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.stats

from experiments.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, SUPERVISED, UNSUPERVISED
from experiments.inffs.protocol import DATASETS, TEST_SHARE
from experiments.paired import Paired
from experiments.protocol import Results

NAMES = {
    "colon": "COLON",
    "leukemia": "LEUKEMIA",
    "lung_gordon": "LUNG",
    "lymphoma_96": "LYMPHOMA (96)",
    "prostate": "PROSTATE",
    "madelon": "MADELON",
    "dexter": "DEXTER",
    "gisette": "GISETTE",
    "gina": "GINA",
}
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)
# as the paper compares them: Inf-FS once, beside the others
COMPARED_SUPERVISED = tuple(method for method in SUPERVISED if method != FIXED_S)
COMPARED_UNSUPERVISED = tuple(method for method in UNSUPERVISED if method != FIXED_U)


@dataclass(frozen=True)
class Kept:
    """What a method keeps by itself: one number of columns and one accuracy for each split."""

    counts: list[int]
    accuracies: list[float]


@dataclass(frozen=True)
class Scores:
    """The accuracies among the results of the experiment.

    Attributes
    ----------
    results : of the experiment
    least : splits a method must have been run on to count as run on a data set
    """

    results: Results
    least: int = 1

    @functools.cached_property
    def sizes(self) -> list[int]:
        """The numbers of columns tested."""
        records = self.results.where(part="accuracy")
        return list(records[0].settings["sizes"]) if records else []

    @functools.cached_property
    def _tables(self) -> dict[tuple[str, str], dict[int, np.ndarray]]:
        """Accuracies by data set and method, then by split."""
        tables: dict[tuple[str, str], dict[int, np.ndarray]] = {}
        for record in self.results.where(part="accuracy"):
            for method, found in record.result.items():
                of_method = tables.setdefault((record.settings["data"], method), {})
                of_method[record.settings["repeat"]] = np.array(found["accuracy"])
        return tables

    def by_split(self, data: str, method: str) -> dict[int, np.ndarray]:
        """Accuracies at the sizes, by the number of the split; empty where the method was not run."""
        found = self._tables.get((data, method), {})
        return found if len(found) >= self.least else {}

    def kept(self, data: str, method: str) -> Kept:
        """What the method keeps by itself."""
        found = [
            record.result[method]
            for record in self.results.where(part="accuracy", data=data)
            if method in record.result
        ]
        return Kept([one["kept"] for one in found], [one["kept_accuracy"] for one in found])

    def datasets(self, methods: Sequence[str], among: Sequence[str] = DATASETS) -> list[str]:
        """Data sets on which all these methods were run."""
        return [data for data in among if all(self.by_split(data, method) for method in methods)]

    def mean(self, data: str, method: str) -> np.ndarray:
        """Mean over the splits, for each size."""
        return np.mean(list(self.by_split(data, method).values()), axis=0)

    def mean_curves(self, methods: Sequence[str], among: Sequence[str]) -> dict[str, np.ndarray]:
        """Mean over data sets for each size, of the methods that were run on as many as the first one."""
        there = [data for data in among if self.by_split(data, methods[0])]
        return {
            method: np.mean([self.mean(data, method) for data in there], axis=0)
            for method in methods
            if there and all(self.by_split(data, method) for data in there)
        }

    def lead_on(self, data: str, first: str, second: str, size: int | None = None) -> Paired:
        """How far the first is ahead on the splits both were run on; mean over sizes, or at one size."""
        a, b = self.by_split(data, first), self.by_split(data, second)
        picked = slice(None) if size is None else slice(self.sizes.index(size), self.sizes.index(size) + 1)
        both = sorted(a.keys() & b.keys())
        gaps = [float((a[split] - b[split])[picked].mean()) for split in both]
        return Paired(gaps, overlap=OVERLAP)

    def lead(self, first: str, second: str, among: Sequence[str] = DATASETS) -> Paired:
        """How far the first is ahead: mean over splits and sizes, for each data set."""
        there = self.datasets([first, second], among)
        return Paired([self.lead_on(data, first, second).mean for data in there], "data sets")

    def ranks(self, methods: Sequence[str], among: Sequence[str] = DATASETS) -> dict[str, np.ndarray]:
        """Rank of each method on each data set at each size (data sets, sizes), 1 the best.

        Methods that were not run on all data sets are left out.
        """
        curves = self.mean_curves(methods, among)
        there = [data for data in among if self.by_split(data, methods[0])]
        if not curves:
            return {}
        accuracies = np.array([[self.mean(data, method) for data in there] for method in curves])
        ranks = scipy.stats.rankdata(-np.round(accuracies, 6), axis=0)
        return dict(zip(curves, ranks, strict=True))


def largest_naive_difference(results: Results) -> float | None:
    """The largest relative difference of a score to the one by the whole matrix and its inverse."""
    found = [
        record.result[name]["difference"]
        for record in results.where(part="naive")
        for name in (INFFS_S, INFFS_U)
    ]
    return max(found) if found else None

"""Numbers the claims and the tables of the cross-entropy paper are made of."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from experiments.ce.protocol import TASKS
from experiments.ce.published import SIX
from experiments.protocol import Record, Results


class Splits:
    """All splits of all tables."""

    def __init__(self, results: Results) -> None:
        self.results = results

    @cached_property
    def tables(self) -> dict[str, list[Record]]:
        """The splits of each table that was run."""
        found = {label: self.results.where(kind="table", data=label) for label in TASKS}
        return {label: records for label, records in found.items() if records}

    @property
    def six(self) -> list[str]:
        """Those of them the paper has, by its reading of the target as far as it can be told."""
        return [label for label in SIX if label in self.tables]

    @cached_property
    def printed(self) -> dict[str, Any]:
        """What the algorithm as printed gave, by table."""
        return {record.settings["data"]: record.result for record in self.results.where(kind="printed rule")}

    def values(self, label: str, method: str, name: str, at: str = "own") -> list[float]:
        """A score of a method on each split, at the size found here ("own") or the paper's ("paper_size")."""
        return [
            record.result[at][method][name]
            for record in self.tables[label]
            if record.result[at][method][name] is not None
        ]

    def mean(self, label: str, method: str, name: str, at: str = "own") -> float:
        found = self.values(label, method, name, at)
        return float(np.mean(found)) if found else float("inf")

    def of_all(self, label: str, name: str) -> list[float]:
        """A score with all columns, on each split."""
        return [record.result["all"][name] for record in self.tables[label]]

    def plain(self, label: str, name: str) -> list[float]:
        """A number of each split, such as its size."""
        return [float(record.result[name]) for record in self.tables[label]]

    def seconds(self, label: str, method: str) -> float:
        return float(np.mean([record.result["seconds"][method] for record in self.tables[label]]))

    def curve(self, label: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sizes all splits have, with the mean error of naive Bayes and the mean gap."""
        points = [{n: (error, gap) for n, error, gap in r.result["curve"]} for r in self.tables[label]]
        sizes = sorted(set.intersection(*(set(found) for found in points)))
        both = np.array(
            [[[np.nan if v is None else v for v in found[n]] for n in sizes] for found in points], float
        )
        mean = both.mean(axis=0)
        return np.array(sizes), mean[:, 0], mean[:, 1]


def difference(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Mean and standard error of paired differences."""
    values = np.subtract(first, second)
    error = float(np.std(values, ddof=1) / len(values) ** 0.5) if len(values) > 1 else 0.0
    return float(np.mean(values)), error

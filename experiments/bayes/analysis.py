"""Numbers the claims and the tables of the Bayesian-entropy paper are made of."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.stats

from experiments.bayes.classifiers import CLASSIFIERS
from experiments.bayes.protocol import ALPHAS, DATASETS, DOMAINS
from experiments.protocol import Record, Results

SIGNIFICANT = 0.05
EIGHT = tuple(label for label in DATASETS.values() if "noise" not in label)  # those of the paper
Key = tuple[str, str, float, str]


@dataclass(frozen=True)
class Chosen:
    """What a classifier took of one front: test accuracy, columns, accuracy on held-out training rows."""

    accuracy: float
    size: int
    held_out: float


class Tables:
    """All fronts by data set, domain, alpha and classifier; alpha = 0 is in both domains."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self._records = results.where(kind="tables")

    @cached_property
    def by_run(self) -> dict[tuple[str, int, int], Record]:
        """Records by data set, split and seed."""
        return {
            (DATASETS[r.settings["data"]], r.settings["split"], r.settings["seed"]): r for r in self._records
        }

    @cached_property
    def labels(self) -> list[str]:
        """Data sets that were run."""
        seen = {label for label, _, _ in self.by_run}
        return [label for label in DATASETS.values() if label in seen]

    @property
    def eight(self) -> list[str]:
        """Those of them that the paper has."""
        return [label for label in self.labels if label in EIGHT]

    @cached_property
    def sizes(self) -> dict[Key, list[float]]:
        """Numbers of columns, one for each run of any split and seed."""
        return self._collect(lambda chosen: chosen.size)

    @cached_property
    def accuracies(self) -> dict[Key, list[float]]:
        """Test accuracies, one for each run."""
        return self._collect(lambda chosen: chosen.accuracy)

    @cached_property
    def seconds(self) -> dict[tuple[str, float], list[float]]:
        """Seconds of the search in the dependent domain, by data set and alpha."""
        found: dict[tuple[str, float], list[float]] = defaultdict(list)
        for (label, _, _), record in self.by_run.items():
            for row in record.result["rows"]:
                if row["domain"] == "dependent":
                    found[label, row["alpha"]].append(row["seconds"])
        return dict(found)

    def all_columns(self, label: str, classifier: str) -> list[float]:
        """Test accuracies with all columns, one for each split."""
        return [record.result["all"][classifier] for record in self.splits(label)]

    def splits(self, label: str) -> list[Record]:
        """One search on each split: our own protocol."""
        return [r for (name, split, seed), r in self.by_run.items() if name == label and split == seed]

    def seeds(self, label: str) -> list[Record]:
        """Searches on the first split: the paper's protocol."""
        return [r for (name, split, _), r in self.by_run.items() if name == label and split == 0]

    def gains_their_way(self, label: str, domain: str, classifier: str) -> list[float]:
        """Selected minus all columns on one split, with the alpha that is best on the test rows."""
        records = self.seeds(label)
        per_alpha = [[_chosen(r, domain, alpha, classifier).accuracy for r in records] for alpha in ALPHAS]
        best = max(per_alpha, key=np.mean)
        return [a - r.result["all"][classifier] for a, r in zip(best, records, strict=True)]

    def gains_own_way(self, label: str, domain: str, classifier: str) -> list[float]:
        """Selected minus all columns on each split, with the alpha that is best on held-out training rows."""
        gains = []
        for record in self.splits(label):
            options = [_chosen(record, domain, alpha, classifier) for alpha in ALPHAS]
            best = max(options, key=lambda chosen: (chosen.held_out, -chosen.size))
            gains.append(best.accuracy - record.result["all"][classifier])
        return gains

    def _collect(self, value: Callable[[Chosen], float]) -> dict[Key, list[float]]:
        found: dict[Key, list[float]] = defaultdict(list)
        for (label, _, _), record in self.by_run.items():
            for domain in DOMAINS:
                for alpha in ALPHAS:
                    for classifier in CLASSIFIERS:
                        chosen = _chosen(record, domain, alpha, classifier)
                        found[label, domain, alpha, classifier].append(value(chosen))
        return dict(found)


def _chosen(record: Record, domain: str, alpha: float, classifier: str) -> Chosen:
    wanted = domain if alpha else "dependent"
    for row in record.result["rows"]:
        if row["alpha"] == alpha and row["domain"] == wanted:
            accuracy, size, _, held_out = row["chosen"][classifier]
            return Chosen(accuracy, int(size), held_out)
    raise KeyError(f"{record.key}: no {domain} front for alpha = {alpha}")


def significance(gains: Sequence[float]) -> int:
    """1 where the mean gain is significantly above 0, -1 where below, else 0 (t-test, 0.05).

    Gains that are all the same and not 0 count as significant, as in the paper (45.45 ± 0.00 against 63.64).
    """
    if len(gains) < 2 or not any(gains):
        return 0
    if np.ptp(gains) < 1e-9:
        return int(np.sign(gains[0]))
    p_value = scipy.stats.ttest_1samp(gains, 0.0).pvalue
    return int(np.sign(np.mean(gains))) if p_value < SIGNIFICANT else 0

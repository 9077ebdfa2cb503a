"""The results of the benchmark as scores per data set and method."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from entropick.comparison.stability import stability_of
from experiments.methods.protocol import (
    ALL_COLUMNS,
    CLASSIFIERS,
    FAMILIES,
    HALF_OF,
    KIND_OF,
    LIMITS,
    METHOD_NAMES,
    RANDOM,
    STABILITY_SIZE,
    sizes_below,
)
from experiments.methods.statistics import Ranking, rank_methods
from experiments.protocol import Record, Results

COMPARED = tuple(name for name in METHOD_NAMES if name not in (RANDOM, ALL_COLUMNS))
EVERYWHERE = tuple(name for name in COMPARED if name not in LIMITS)
MOST_COLUMNS_OF_ALL = min(limit.columns for limit in LIMITS.values())


@dataclass(frozen=True)
class Shape:
    """Size of a data set as it was used: training rows, test rows, columns, classes."""

    rows: int
    tests: int
    columns: int
    classes: int


@dataclass(frozen=True)
class Trial:
    """A method on one split of a data set.

    Attributes
    ----------
    seconds : processor time of one fit
    first : its first columns
    accuracy : (classifiers, sizes)
    own_size, own_accuracy : of its own rule, where it has one; the accuracy per classifier, where scored
    """

    seconds: float
    first: tuple[int, ...]
    accuracy: np.ndarray
    own_size: int | None
    own_accuracy: np.ndarray | None


class Evidence:
    """All trials, of the splits of which every family of methods is there: a part run is balanced too."""

    def __init__(self, results: Results) -> None:
        self.shapes: dict[str, Shape] = {}
        self.guesses: dict[str, list[float]] = defaultdict(list)
        self._trials: dict[tuple[str, str], list[Trial]] = defaultdict(list)
        for records in _whole_splits(results):
            self._add_split(records)
        self.datasets = tuple(name for name in KIND_OF if name in self.shapes)

    def _add_split(self, records: Sequence[Record]) -> None:
        dataset, result = records[0].settings["dataset"], records[0].result
        self.shapes[dataset] = Shape(result["rows"], result["tests"], result["columns"], result["classes"])
        self.guesses[dataset].append(result["guess"] / result["tests"])
        for record in records:
            for place, method in enumerate(record.settings["methods"]):
                if record.result["seconds"][place] is not None:
                    self._trials[dataset, method].append(_trial(record.result, place))

    # -- choices of data sets ------------------------------------------------------------------------

    def of_kind(self, kind: str) -> tuple[str, ...]:
        return tuple(name for name in self.datasets if KIND_OF[name] == kind)

    def of_half(self, half: str) -> tuple[str, ...]:
        return tuple(name for name in self.datasets if HALF_OF[name] == half)

    def with_method(self, method: str) -> tuple[str, ...]:
        """Data sets on which a method was run on all splits."""
        return tuple(
            name
            for name in self.datasets
            if len(self.trials(name, method)) == len(self.trials(name, ALL_COLUMNS))
        )

    def with_all_methods(self) -> tuple[str, ...]:
        """Data sets of so few columns that every method was run."""
        return tuple(name for name in self.datasets if self.shapes[name].columns <= MOST_COLUMNS_OF_ALL)

    # -- scores --------------------------------------------------------------------------------------

    def trials(self, dataset: str, method: str) -> list[Trial]:
        return self._trials.get((dataset, method), [])

    def accuracy(
        self, dataset: str, method: str, size: int | None = None, classifier: str | None = None
    ) -> float:
        """Mean over splits, classifiers and sizes, or for one of these; NaN where it was not run."""
        sizes = sizes_below(self.shapes[dataset].columns)
        trials = self.trials(dataset, method)
        if not trials or (size is not None and size not in sizes):
            return float("nan")
        rows = slice(None) if classifier is None else [list(CLASSIFIERS).index(classifier)]
        columns = slice(None) if size is None else [sizes.index(size)]
        return float(np.mean([trial.accuracy[rows][:, columns] for trial in trials]))

    def accuracies(self, method: str, datasets: Iterable[str] | None = None, **which: object) -> np.ndarray:
        """Accuracy on each data set; `which` is a size or a classifier."""
        chosen = self.datasets if datasets is None else datasets
        return np.array([self.accuracy(dataset, method, **which) for dataset in chosen])  # type: ignore[arg-type]

    def group_accuracies(self, methods: Sequence[str], datasets: Iterable[str] | None = None) -> np.ndarray:
        """Mean accuracy of several methods on each data set."""
        chosen = self.datasets if datasets is None else tuple(datasets)
        return np.mean([self.accuracies(method, chosen) for method in methods], axis=0)

    def at_largest_size(self, method: str) -> np.ndarray:
        """Accuracy on each data set with the most columns that were scored."""
        return np.array(
            [
                self.accuracy(dataset, method, size=sizes_below(self.shapes[dataset].columns)[-1])
                for dataset in self.datasets
            ]
        )

    def with_all_columns(self, dataset: str) -> float:
        """Mean accuracy of the classifiers without any selection."""
        return float(np.mean([trial.accuracy for trial in self.trials(dataset, ALL_COLUMNS)]))

    def ranking(
        self, methods: Sequence[str], datasets: Sequence[str], classifier: str | None = None
    ) -> Ranking | None:
        """Methods ranked over data sets; None where there are fewer than two."""
        if len(datasets) < 2:
            return None
        scores = [self.accuracies(method, datasets, classifier=classifier) for method in methods]
        return rank_methods(methods, np.stack(scores, axis=1))

    def seconds(self, dataset: str, method: str) -> float:
        """Processor time of a fit: the shortest of the splits, since the first fit of a process compiles "
        "loops."""
        return min((trial.seconds for trial in self.trials(dataset, method)), default=float("nan"))

    def stability(self, dataset: str, method: str) -> float:
        """Nogueira's index of the first columns over the splits; NaN for fewer than two splits."""
        trials, n_columns = self.trials(dataset, method), self.shapes[dataset].columns
        if len(trials) < 2:
            return float("nan")
        size = min(STABILITY_SIZE, n_columns // 2)
        selected = np.zeros((len(trials), n_columns), bool)
        for row, trial in zip(selected, trials, strict=True):
            row[list(trial.first[:size])] = True
        return stability_of(selected).value

    def own_rule(self, dataset: str, method: str) -> tuple[float, float]:
        """Mean number of columns of a method's own rule, and its accuracy; NaN where there is none."""
        trials = [trial for trial in self.trials(dataset, method) if trial.own_size is not None]
        scored = [trial.own_accuracy for trial in trials if trial.own_accuracy is not None]
        n_columns = float(np.mean([trial.own_size for trial in trials])) if trials else float("nan")
        return n_columns, float(np.mean(scored)) if trials and len(scored) == len(trials) else float("nan")


def _whole_splits(results: Results) -> list[list[Record]]:
    by_split: dict[tuple[str, int], list[Record]] = defaultdict(list)
    for record in results:
        by_split[record.settings["dataset"], record.settings["split"]].append(record)
    return [
        records
        for records in by_split.values()
        if {record.settings["family"] for record in records} >= set(FAMILIES)
    ]


def _trial(result: dict, place: int) -> Trial:
    own = result["own"][place]
    return Trial(
        result["seconds"][place],
        tuple(result["first"][place]),
        np.array(result["correct"][place], np.float64) / result["tests"],
        None if own is None else own[0],
        None if own is None or len(own) == 1 else np.array(own[1:]) / result["tests"],
    )

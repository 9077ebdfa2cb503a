"""The results of the benchmark as scores per data set and method."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from reproduction.methods.protocol import (
    ALL_COLUMNS,
    CHOOSE,
    CLASSIFIERS,
    CONFIRM,
    DEFAULT,
    FAMILIES,
    HALF_OF,
    KIND_OF,
    LIMITS,
    METHOD_NAMES,
    RANDOM,
    STABILITY_SIZE,
    TELL_ALONE,
    sizes_below,
)
from reproduction.methods.statistics import Difference, Ranking, difference, rank_methods

FEW_DATASETS = 6  # with fewer no difference is significant by Wilcoxon's test
COMPARED = tuple(name for name in METHOD_NAMES if name not in (RANDOM, ALL_COLUMNS))
EVERYWHERE = tuple(name for name in COMPARED if name not in LIMITS)
NAN = float("nan")


@dataclass(frozen=True)
class Shape:
    """Size of a data set as it was used: training rows, test rows, columns, classes."""

    rows: int
    tests: int
    columns: int
    classes: int


@dataclass(frozen=True)
class Trial:
    """A method on one split of a data set: time of a fit, first columns, accuracy (classifiers, sizes).

    `own_size` and `own_accuracy` are of its own rule, where it has one; the accuracy only where scored.
    """

    seconds: float
    first: list[int]
    accuracy: np.ndarray
    own_size: int | None
    own_accuracy: np.ndarray | None


def _trial(result, place) -> Trial:
    own, tests = result["own"][place], result["tests"]
    seconds, first, correct = (result[key][place] for key in ("seconds", "first", "correct"))
    scored = np.array(own[1:]) / tests if own is not None and len(own) > 1 else None
    return Trial(seconds, first, np.array(correct, np.float64) / tests, own and own[0], scored)


class Evidence:
    """All trials, of the splits of which every family of methods is there: a part run is balanced too."""

    def __init__(self, results):
        self.shapes, self.guesses, self._trials = {}, defaultdict(list), defaultdict(list)
        by_split = defaultdict(list)
        for record in results:
            by_split[record.settings["dataset"], record.settings["split"]].append(record)
        for records in by_split.values():
            if {record.settings["family"] for record in records} >= set(FAMILIES):
                self._add_split(records)
        self.datasets = tuple(name for name in KIND_OF if name in self.shapes)
        self.enough = len(self.datasets) >= FEW_DATASETS

    def _add_split(self, records) -> None:
        dataset, result = records[0].settings["dataset"], records[0].result
        self.shapes[dataset] = Shape(*(result[key] for key in ("rows", "tests", "columns", "classes")))
        self.guesses[dataset].append(result["guess"] / result["tests"])
        for record in records:
            for place, method in enumerate(record.settings["methods"]):
                if record.result["seconds"][place] is not None:
                    self._trials[dataset, method].append(_trial(record.result, place))

    # -- choices of data sets ----------------------------------------------------------------

    def of_kind(self, kind) -> list[str]:
        return [name for name in self.datasets if KIND_OF[name] == kind and name not in TELL_ALONE]

    def halves(self, among) -> list[list[str]]:
        """Those to choose by, and those to confirm by."""
        return [[name for name in among if HALF_OF[name] == half] for half in (CHOOSE, CONFIRM)]

    def with_method(self, method) -> list[str]:
        """Data sets on which a method was run on all splits."""
        n_splits = {name: len(self.trials(name, ALL_COLUMNS)) for name in self.datasets}
        return [name for name in self.datasets if len(self.trials(name, method)) == n_splits[name]]

    def with_all_methods(self) -> list[str]:
        """Data sets so small that every method was run."""
        return [name for name in self.datasets if all(self.trials(name, method) for method in COMPARED)]

    def with_more_than_ten(self) -> list[str]:
        return [name for name in self.datasets if self.shapes[name].columns > 10]

    # -- scores ------------------------------------------------------------------------------

    def trials(self, dataset, method):
        return self._trials.get((dataset, method), [])

    def accuracy(self, dataset, method, size=None, classifier=None) -> float:
        """Mean over splits, classifiers and sizes, or for one of these; NaN where it was not run."""
        sizes, trials = sizes_below(self.shapes[dataset].columns), self.trials(dataset, method)
        if not trials or (size is not None and size not in sizes):
            return NAN
        rows = slice(None) if classifier is None else [list(CLASSIFIERS).index(classifier)]
        columns = slice(None) if size is None else [sizes.index(size)]
        return float(np.mean([trial.accuracy[rows][:, columns] for trial in trials]))

    def accuracies(self, methods, datasets=None, **which):
        """Accuracy on each data set, of a method or the mean of several; `which`: a size, a classifier."""
        chosen = self.datasets if datasets is None else datasets
        names = [methods] if isinstance(methods, str) else methods
        return np.mean(
            [[self.accuracy(dataset, name, **which) for dataset in chosen] for name in names], axis=0
        )

    def gain(self, one, other, datasets=None, **which) -> Difference:
        """How much better one method, or group of methods, is than another."""
        return difference(self.accuracies(one, datasets, **which), self.accuracies(other, datasets, **which))

    def with_all_columns(self, dataset) -> float:
        """Mean accuracy of the classifiers without any selection."""
        return float(np.mean([trial.accuracy for trial in self.trials(dataset, ALL_COLUMNS)]))

    def ranking(self, methods, datasets, classifier=None) -> Ranking:
        """Methods ranked over data sets."""
        scores = [self.accuracies(method, datasets, classifier=classifier) for method in methods]
        return rank_methods(methods, np.stack(scores, axis=1))

    def seconds(self, dataset, method) -> float:
        """Processor time of a fit: the shortest of the splits, since the first fit of a process compiles."""
        return min((trial.seconds for trial in self.trials(dataset, method)), default=NAN)

    def stability(self, dataset, method) -> float:
        """Nogueira's index of the first columns over the splits (JMLR 18, 2018); NaN for one split."""
        trials, n_columns = self.trials(dataset, method), self.shapes[dataset].columns
        n, size = len(trials), min(STABILITY_SIZE, n_columns // 2)
        if n < 2:
            return NAN
        frequency = np.zeros(n_columns)
        for trial in trials:
            frequency[trial.first[:size]] += 1 / n
        variance, share = n / (n - 1) * frequency * (1 - frequency), frequency.sum() / n_columns
        return float(1 - variance.mean() / (share * (1 - share))) if 0 < share < 1 else 1.0

    def mean_stability(self, method, datasets=None) -> float:
        """Mean over the data sets where it was run and has a choice; NaN where no data set has two splits."""
        return mean_of(self.stability(name, method) for name in datasets or self.datasets)

    def own_rule(self, dataset, method):
        """Mean number of columns of a method's own rule, and its accuracy; NaN where there is none."""
        trials = [trial for trial in self.trials(dataset, method) if trial.own_size is not None]
        scored = [trial.own_accuracy for trial in trials if trial.own_accuracy is not None]
        accuracy = float(np.mean(scored)) if trials and len(scored) == len(trials) else NAN
        return (float(np.mean([trial.own_size for trial in trials])) if trials else NAN), accuracy


def mean_of(values) -> float:
    """Mean of the numbers that are known; NaN where none is."""
    known = [value for value in values if np.isfinite(value)]
    return float(np.mean(known)) if known else NAN


@dataclass(frozen=True)
class Choice:
    """The default chosen on one half of the data sets, and looked at on the other.

    The rule, written down before the whole version was run: on the choosing half the method with the best
    mean rank is the candidate, among those that can be run on any table. The present default gives way only
    if the candidate is significantly better on the confirming half (its `gain` there); without such evidence
    nothing is changed.
    """

    candidate: str
    choosing: Ranking
    confirming: Ranking
    gain: Difference

    @property
    def default(self) -> str:
        return self.candidate if self.gain.is_ahead else DEFAULT


def choose_default(evidence) -> Choice | None:
    """Apply the rule; None where a half has too few data sets."""
    halves = evidence.halves(evidence.datasets)
    if min(map(len, halves)) < FEW_DATASETS:
        return None
    choosing, confirming = (evidence.ranking(EVERYWHERE, half) for half in halves)
    candidate = choosing.names[0]
    return Choice(candidate, choosing, confirming, evidence.gain(candidate, DEFAULT, halves[1]))

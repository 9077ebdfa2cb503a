"""What a cell of the benchmark does: select in the training rows, classify the test rows."""

import time
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from entropick.comparison.estimators import Features, with_preparation
from entropick.selectors.methods import METHODS, describe
from experiments.data import Data, Dataset
from experiments.methods.protocol import (
    ALL_CATEGORIES,
    ALL_COLUMNS,
    CLASSIFIERS,
    GENERATED,
    LIMITS,
    MOST_COLUMNS_OF_OWN_RULE,
    MOST_SCORED,
    RANDOM,
    SIZES,
    STABILITY_SIZE,
    SUBSET_METHODS,
    TEST_SHARE,
    VARIANTS,
    sizes_below,
)
from experiments.protocol import Cell

SHORT = 0.5  # seconds; a shorter fit is timed twice, since the first one of a process loads compiled loops


def run(cell: Cell, data: Data) -> dict[str, Any]:
    """Selections of the methods of a family, and how many test rows classifiers get right with them.

    Lists have one entry per method (None where it was not run for its cost), `correct` one list per
    classifier, with one number per size.
    """
    dataset = load(cell.settings["dataset"], data)
    task = make_task(dataset, cell.settings["split"], cell.settings["most_rows"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rare classes, constant columns, iterations of the solver
        found = [_run_method(name, task) for name in cell.settings["methods"]]
    return {
        "rows": len(task.train),
        "columns": task.n_columns,
        "classes": len(np.unique(task.y)),
        "tests": len(task.test),
        "guess": task.correct((), "neighbors"),
        **{
            key: [method and method[key] for method in found]
            for key in ("seconds", "first", "correct", "own")
        },
    }


def load(name: str, data: Data) -> Dataset:
    """A data set from a file or a generator, with classes as its target."""
    if name not in GENERATED:
        dataset = data.load(name)
        classes = dataset.extra.get("y_class", dataset.y).astype(np.int64)
        return Dataset(name, dataset.X, classes, dataset.categorical, dataset.names, {}, dataset.origin)
    X, y = GENERATED[name]()
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    categorical = np.full(X.shape[1], name in ALL_CATEGORIES)
    return Dataset(name, X.astype(np.float64), y.astype(np.int64), categorical, names, {}, "generated")


@dataclass(frozen=True)
class Task:
    """A data set with its training and test rows.

    Attributes
    ----------
    X, y : all rows, as the methods see them
    features : the columns as classifiers see them
    train, test : rows
    seed : of methods and classifiers
    """

    X: Any
    y: np.ndarray
    features: Features
    train: np.ndarray
    test: np.ndarray
    seed: int
    _known: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)

    @property
    def n_columns(self) -> int:
        return self.X.shape[1]

    def correct(self, columns: np.ndarray | tuple[int, ...], classifier: str) -> int:
        """Number of test rows a classifier gets right with some columns; the largest class without any."""
        key = classifier, tuple(sorted(int(j) for j in columns))
        if key not in self._known:  # methods often agree: each set once
            predicted = self._predict(np.array(key[1], np.int64), classifier)
            self._known[key] = int(np.count_nonzero(predicted == self.y[self.test]))
        return self._known[key]

    def _predict(self, columns: np.ndarray, classifier: str) -> np.ndarray:
        y = self.y[self.train]
        if not len(columns):
            return np.full(len(self.test), np.bincount(y).argmax())
        model = with_preparation(CLASSIFIERS[classifier](self.seed), self.features.is_category[columns])
        model.fit(self.features.take(self.train, columns), y)
        predicted: np.ndarray = model.predict(self.features.take(self.test, columns))
        return predicted


def make_task(dataset: Dataset, split: int, most_rows: int) -> Task:
    """Rows of a split: at most so many, drawn at random, shared out by class."""
    rows = np.random.default_rng(split).permutation(len(dataset.y))[:most_rows]
    train, test = train_test_split(
        rows, test_size=TEST_SHARE, random_state=split, stratify=_strata(dataset.y[rows])
    )
    return Task(dataset.X, dataset.y, Features(dataset.X, _more_than_two(dataset)), train, test, split)


def _strata(y: np.ndarray) -> np.ndarray:
    """Classes, where those of one row, which cannot be shared out, join the largest."""
    counts = np.bincount(y)
    return np.where(counts[y] < 2, counts.argmax(), y)


def _more_than_two(dataset: Dataset) -> np.ndarray:
    """Categorical columns that classifiers need one column per level for; of two levels, one will do."""
    chosen = dataset.categorical.copy()
    for j in np.flatnonzero(chosen):
        chosen[j] = len(np.unique(dataset.X[:, j])) > 2
    return chosen


@dataclass(frozen=True)
class _Selected:
    """Columns, best first, what the method's own rule keeps, and the time of one fit."""

    order: np.ndarray
    own: np.ndarray | None
    seconds: float


def _run_method(name: str, task: Task) -> dict[str, Any] | None:
    if name in LIMITS and task.n_columns > LIMITS[name].columns:
        return None
    chosen = _select(name, task)
    sizes = (task.n_columns,) if name == ALL_COLUMNS else sizes_below(task.n_columns)
    return {
        "seconds": float(f"{chosen.seconds:.3g}"),
        "first": chosen.order[:STABILITY_SIZE].tolist(),
        "correct": [[task.correct(chosen.order[:size], c) for size in sizes] for c in CLASSIFIERS],
        "own": None if chosen.own is None else _score_own_rule(chosen.own, task),
    }


def _score_own_rule(columns: np.ndarray, task: Task) -> list[int]:
    """The number of columns of the method's own rule and, if not too many, what classifiers get right."""
    scored = [task.correct(columns, c) for c in CLASSIFIERS] if len(columns) <= MOST_SCORED else []
    return [len(columns), *scored]


def _select(name: str, task: Task) -> _Selected:
    if name in (RANDOM, ALL_COLUMNS):
        return _Selected(np.random.default_rng(task.seed).permutation(task.n_columns), None, 0.0)
    if name in SUBSET_METHODS:
        return _select_subset(name, task)
    selector, seconds = _timed_fit(name, task, n_features=min(max(SIZES), task.n_columns))
    return _Selected(selector.order_, _own_columns(name, task), seconds)


def _select_subset(name: str, task: Task) -> _Selected:
    """One fit gives both: the subset it chooses, and scores that rank all columns as `n_features` does."""
    selector, seconds = _timed_fit(name, task, n_features="auto")
    return _Selected(np.argsort(-selector.scores_, kind="stable"), selector.order_, seconds)


def _own_columns(name: str, task: Task) -> np.ndarray | None:
    if name in VARIANTS or describe(METHODS[name]()).own_rule is None:
        return None
    if task.n_columns > MOST_COLUMNS_OF_OWN_RULE.get(name, task.n_columns):
        return None
    columns: np.ndarray = _timed_fit(name, task, short=0.0, n_features="auto")[0].order_
    return columns


def _timed_fit(name: str, task: Task, *, short: float = SHORT, **parameters: Any) -> tuple[Any, float]:
    """The method fitted to the training rows, and how much processor time that takes (of one thread).

    Processor time, since cells run side by side and other programs with them.
    """
    method, changed = VARIANTS.get(name, (name, {}))
    X, y = task.X[task.train], task.y[task.train]
    seconds: list[float] = []
    while not seconds or (len(seconds) == 1 and seconds[0] < short):
        selector = METHODS[method](random_state=task.seed, n_jobs=1, target="class", **changed, **parameters)
        start = time.process_time()
        selector.fit(X, y)
        seconds.append(time.process_time() - start)
    return selector, min(seconds)

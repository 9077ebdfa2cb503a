"""The benchmark of all methods: select in the training rows, classify the test rows."""

import time
import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

from entropick.datasets import make_corral, make_hyperspheres, make_led24, make_madelon
from reproduction.data import Dataset
from reproduction.protocol import Cell
from reproduction.scores import make_selector
from reproduction.texts import Texts

TEXTS = Texts("methods")
SETTINGS = TEXTS.read("settings.toml")
KINDS, FAMILIES, VARIANTS, LIMITS = (SETTINGS[key] for key in ("kinds", "families", "variants", "limits"))
QUICK_DATASETS, TELL_ALONE = SETTINGS["quick_datasets"], SETTINGS["tell_alone"]
WIDE, INTERACTIONS = "few rows, many columns", "noise and interactions"
CHOOSE, CONFIRM = "choose", "confirm"
KIND_OF = {dataset: kind for kind, members in KINDS.items() for dataset in members}
HALF_OF = {
    dataset: (CHOOSE, CONFIRM)[i % 2] for members in KINDS.values() for i, dataset in enumerate(members)
}
GENERATED = {
    "corral": lambda: make_corral(random_state=0),
    "hyperspheres": lambda: make_hyperspheres(2000, random_state=0),
    "led24": lambda: make_led24(random_state=0),
    "made_madelon": lambda: make_madelon(random_state=0),
    "parity": lambda: make_parity(np.random.default_rng(0)),
    "xor": lambda: make_xor(np.random.default_rng(0)),
}
ALL_CATEGORIES = {"corral", "led24", "parity"}  # generated ones whose columns are codes
DATASETS = tuple(name for name in KIND_OF if name not in GENERATED)

DEFAULT = "JMI"  # of `entropick select`
RANDOM, ALL_COLUMNS = FAMILIES["references"]
METHOD_NAMES = tuple(name for family in FAMILIES.values() for name in family)
UNSUPERVISED = (*FAMILIES["unsupervised"], *FAMILIES["further_unsupervised"])
SUBSET_METHODS = FAMILIES["subsets"]

CLASSIFIERS = {
    "neighbors": lambda seed: KNeighborsClassifier(5),
    "forest": lambda seed: RandomForestClassifier(50, random_state=seed),
    "linear": lambda seed: LinearSVC(max_iter=300, random_state=seed),
}
N_BINS, LEVELS_OF = 10, {"XMIFS": 2}  # of numeric columns
SIZES = (5, 10, 20, 50)
STABILITY_SIZE = 10
MAX_SCORED = 500  # columns of an own rule that classifiers are still fitted to
MAX_LEVELS = 30  # of a category that get a column of their own; the rarer ones share one
TEST_SHARE = 0.3
N_SPLITS, MAX_ROWS = 8, 1500
QUICK_SPLITS, QUICK_ROWS = 1, 500
SHORT = 0.5  # seconds; a shorter fit is timed twice, since the first one of a process loads compiled loops

# for protocol.md
N_METHODS, N_DATASETS, N_QUICK = len(METHOD_NAMES) - 2, len(KIND_OF), len(QUICK_DATASETS)
KINDS_LISTED = "\n".join(f"- {kind}: {', '.join(members)}" for kind, members in KINDS.items())
LIMIT_OF = {
    name: " or ".join(f"{limit[of]} {of}" for of in ("columns", "rows") if of in limit)
    for name, limit in LIMITS.items()
}
LIMITS_LISTED = [f"{name} (above {limit})" for name, limit in LIMIT_OF.items()]
GENERATED_NAMES = list(GENERATED)


def cells(quick):
    """One cell per split, data set and family of methods; all data sets before the next split."""
    for families in (FAMILIES, {"variants": VARIANTS}):
        for split in range(QUICK_SPLITS if quick else N_SPLITS):
            for dataset in QUICK_DATASETS if quick else KIND_OF:
                for family, methods in families.items():
                    settings = {
                        "dataset": dataset,
                        "split": split,
                        "family": family,
                        "methods": list(methods),
                    }
                    settings["most_rows"] = QUICK_ROWS if quick else MAX_ROWS
                    needed = None if dataset in GENERATED else dataset
                    yield Cell(f"{dataset}/{split}/{family}{'/quick' * quick}", settings, needed)


def sizes_below(n_columns):
    """The sizes that are scored: with all columns there is nothing to choose."""
    return tuple(size for size in SIZES if size < n_columns)


def run(cell, data):
    """Selections of the methods of a family, and how many test rows classifiers get right with them.

    Lists have one entry per method (None where it was not run for its cost), `correct` one list per
    classifier, with one number per size.
    """
    dataset = load(cell.settings["dataset"], data)
    task = make_task(dataset, cell.settings["split"], cell.settings["most_rows"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rare classes, constant columns, iterations of the solver
        found = [_run_method(name, task) for name in cell.settings["methods"]]
    shape = {"rows": len(task.train), "columns": task.n_columns, "classes": len(np.unique(task.y))}
    shape |= {"tests": len(task.test), "guess": task.correct((), "neighbors")}
    return shape | {
        key: [one and one[key] for one in found] for key in ("seconds", "first", "correct", "own")
    }


def make_parity(rng, n_rows=1000, n_columns=30, n_causes=3, flipped=0.05):
    """Bits: whether the number of ones among a few columns is odd, with some labels wrong."""
    X = rng.integers(0, 2, (n_rows, n_columns))
    return X, X[:, _places(rng, n_columns, n_causes)].sum(axis=1) % 2 ^ (rng.random(n_rows) < flipped)


def make_xor(rng, n_rows=1000, n_columns=30, flipped=0.05):
    """Normal numbers: whether two columns have the same sign, with some labels wrong."""
    X = rng.standard_normal((n_rows, n_columns))
    return X, (X[:, _places(rng, n_columns, 2)].prod(axis=1) > 0) ^ (rng.random(n_rows) < flipped)


def _places(rng, n_columns, n_causes):
    """Random positions of the causes, because methods that find nothing take the first columns."""
    return rng.permutation(n_columns)[:n_causes]


def load(name, data) -> Dataset:
    """A data set from a file or a generator, with classes as its target."""
    if name not in GENERATED:
        dataset = data.load(name)
        return replace(dataset, y=dataset.extra.get("y_class", dataset.y).astype(np.int64), extra={})
    X, y = GENERATED[name]()
    categorical = np.full(X.shape[1], name in ALL_CATEGORIES)
    return Dataset(name, X.astype(np.float64), y.astype(np.int64), categorical)


@dataclass(frozen=True)
class Task:
    """A data set with its training and test rows; classifiers get one column per level of `is_category`."""

    X: Any
    y: np.ndarray
    is_category: np.ndarray
    train: np.ndarray
    test: np.ndarray
    seed: int
    _known: dict = field(default_factory=dict)

    @property
    def n_columns(self) -> int:
        return self.X.shape[1]

    def correct(self, columns, classifier) -> int:
        """Number of test rows a classifier gets right with some columns; the largest class without any."""
        key = classifier, tuple(sorted(int(j) for j in columns))
        if key not in self._known:  # methods often agree: each set once
            predicted = self._predict(np.array(key[1], np.int64), classifier)
            self._known[key] = int(np.count_nonzero(predicted == self.y[self.test]))
        return self._known[key]

    def _predict(self, columns, classifier):
        y = self.y[self.train]
        if not len(columns):
            return np.full(len(self.test), np.bincount(y).argmax())
        model = with_preparation(CLASSIFIERS[classifier](self.seed), self.is_category[columns])
        return model.fit(self._take(self.train, columns), y).predict(self._take(self.test, columns))

    def _take(self, rows, columns):
        if scipy.sparse.issparse(self.X):
            return self.X[:, columns].tocsr()[rows].toarray()
        return self.X[np.ix_(rows, columns)]


def with_preparation(estimator, is_category):
    """The estimator behind what makes its columns complete, of one scale, and numbers."""
    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    if not is_category.any():
        return make_pipeline(numbers, estimator)
    rare = {"handle_unknown": "infrequent_if_exist", "max_categories": MAX_LEVELS}
    levels = OneHotEncoder(**rare, sparse_output=False)
    by_kind = [("numbers", numbers, ~is_category), ("categories", levels, is_category)]
    return make_pipeline(ColumnTransformer(by_kind), estimator)


def make_task(dataset, split, most_rows) -> Task:
    """The rows of a split: a stratified sample of limited size."""
    rows = np.random.default_rng(split).permutation(len(dataset.y))[:most_rows]
    strata = _strata(dataset.y[rows])
    train, test = train_test_split(rows, test_size=TEST_SHARE, random_state=split, stratify=strata)
    is_category = dataset.categorical.copy()
    for j in np.flatnonzero(is_category):  # of two levels, one column will do
        is_category[j] = len(np.unique(dataset.X[:, j])) > 2
    return Task(dataset.X, dataset.y, is_category, train, test, split)


def _strata(y):
    """Classes for stratification; those of a single row are merged into the largest."""
    counts = np.bincount(y)
    return np.where(counts[y] < 2, counts.argmax(), y)


def _run_method(name, task):
    if _is_too_large(task, **LIMITS.get(name, {})):
        return None
    order, own, seconds = _select(name, task)
    sizes = (task.n_columns,) if name == ALL_COLUMNS else sizes_below(task.n_columns)
    return {
        "seconds": float(f"{seconds:.3g}"),
        "first": order[:STABILITY_SIZE].tolist(),
        "correct": [[task.correct(order[:size], c) for size in sizes] for c in CLASSIFIERS],
        "own": None if own is None else _score_own_rule(own, task),
    }


def _is_too_large(task, columns=np.inf, rows=np.inf, reason=None) -> bool:
    return task.n_columns > columns or len(task.train) > rows


def _score_own_rule(columns, task) -> list[int]:
    """The number of columns of the method's own rule and, if not too many, what classifiers get right."""
    scored = [task.correct(columns, c) for c in CLASSIFIERS] if len(columns) <= MAX_SCORED else []
    return [len(columns), *scored]


def _select(name, task):
    """Columns, best first, what the method's own rule keeps, and the time of one fit."""
    if name in (RANDOM, ALL_COLUMNS):
        return np.random.default_rng(task.seed).permutation(task.n_columns), None, 0.0
    if name in SUBSET_METHODS:  # one fit gives both: the subset it chooses, and scores that rank all columns
        selector, seconds = _timed_fit(name, task, n_features="auto")
        return np.argsort(-selector.scores_, kind="stable"), selector.order_, seconds
    selector, seconds = _timed_fit(name, task, n_features=min(max(SIZES), task.n_columns))
    most = SETTINGS["own_rule_limits"].get(name, task.n_columns)
    if name in VARIANTS or name in SETTINGS["without_own_rule"] or task.n_columns > most:
        return selector.order_, None, seconds
    rule = SETTINGS["own_rules"].get(name, "permutation")
    return selector.order_, _timed_fit(name, task, short=0.0, n_features=rule)[0].order_, seconds


def _timed_fit(name, task, *, short=SHORT, **parameters):
    """The method fitted to the training rows, and how much processor time that takes (of one thread).

    Processor time, because cells run concurrently with each other and with other programs.
    """
    method = DEFAULT if name in VARIANTS else name
    parameters |= {"n_bins": LEVELS_OF.get(method, N_BINS), "random_state": task.seed, "n_jobs": 1}
    parameters |= {"target": "class", **VARIANTS.get(name, {})}
    X, y = task.X[task.train], task.y[task.train]
    seconds = []
    while not seconds or (len(seconds) == 1 and seconds[0] < short):
        selector = make_selector(method, **parameters)
        start = time.process_time()
        selector.fit(X, y)
        seconds.append(time.process_time() - start)
    return selector, min(seconds)

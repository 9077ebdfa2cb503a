"""How many columns: rules that see the training rows only, judged on test rows by three estimators."""

import itertools
import time
import warnings
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectKBest, f_classif, f_regression
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from reproduction.protocol import Cell
from reproduction.scores import make_selector
from reproduction.texts import Texts

TEXTS = Texts("stopping")
DATASETS = (
    "abalone", "ads_998", "arrhythmia", "basehock", "blogfeedback", "chess_krvskp", "colon", "connect4",
    "dexter", "forestfires", "gas_partial", "gesture_c3", "ionosphere", "led24", "leukemia", "lung_gordon",
    "lungcancer_uci", "lymphography", "lymphoma_96", "madelon", "mushroom", "mushroom_5644", "prostate",
    "segment", "semeion", "spambase", "spambase_keel", "spect", "splice", "usps", "wdbc",
)  # fmt: skip
COPIES = {"mushroom": "mushroom_5644", "spambase_keel": "spambase"}  # nearly the same rows: of one half
REAL = {"blogfeedback", "forestfires"}  # targets, taken as log(1 + y)
CHOOSE, CONFIRM = "choose", "confirm"
_DISTINCT = [name for name in DATASETS if name not in COPIES]
HALF_OF = {name: (CHOOSE, CONFIRM)[i % 2] for i, name in enumerate(_DISTINCT)}
HALF_OF |= {copy: HALF_OF[name] for copy, name in COPIES.items()}

METHODS = ("JMI", "MRMR", "CMIM", "MIM", "RenyiFS", "SNEFS", "ReliefF", "InfFS")
OWN_RULES = {"JMI": "permutation", "MRMR": "permutation", "CMIM": "permutation", "MIM": "permutation"}
OWN_RULES |= {"RenyiFS": "residual", "ReliefF": "threshold", "InfFS": "mean_shift"}
RFECV_NAME, KBEST, BORUTA, ALL, GUESS = "RFECV", "SelectKBest + CV", "Boruta", "all columns", "guessing"
SIZES = (1, 2, 3, 5, 8, 12, 20, 32, 50)
FAR = 150  # one size more, of the methods that are fast
SLOW = {"SNEFS"}
MORE_SIZES = (*SIZES, 100, 200)  # of SelectKBest
TEN = 10
LEADER = "JMI"  # the method that is compared with rivals
DEFAULT_ERRORS = 1  # of the rule that is stored
N_ERRORS = (0, 0.5, 1.5, 2)  # other settings of the rule that it is run with
TIMED_SIZE = 50
N_SPLITS, QUICK_SPLITS = 8, 1
MAX_TRAIN, MAX_TEST, MAX_COLUMNS = 300, 400, 300
TRAIN_SHARE = 0.7
N_TREES, N_BORUTA_TREES, N_BORUTA_ROUNDS = 12, 50, 100
N_BINS = "auto"
NOISE_SHAPES = ((50, 2000), (500, 50), (5000, 200))
N_NOISE, QUICK_NOISE, NOISE_PER_CELL = 200, 24, 10

CLASSIFIERS = {
    "logistic": lambda seed: LogisticRegression(max_iter=100, tol=1e-2),
    "neighbors": lambda seed: KNeighborsClassifier(5),
    "forest": lambda seed: RandomForestClassifier(N_TREES, random_state=seed),
}
REGRESSORS = {
    "ridge": lambda seed: Ridge(),
    "neighbors": lambda seed: KNeighborsRegressor(5),
    "forest": lambda seed: RandomForestRegressor(
        N_TREES, min_samples_leaf=3, max_features=0.4, random_state=seed
    ),
}


def cells(quick):
    """One cell per data set and split, all data sets before the next split; the noise after the first.

    Boruta, which takes longer than all else and knows nothing of the library, has cells of its own.
    """
    splits = range(QUICK_SPLITS if quick else N_SPLITS)
    for split in splits:
        for dataset in DATASETS:
            yield _cell("paths", dataset, split, f"{dataset}/{split}")
        if split == 0:
            yield from _noise_cells(QUICK_NOISE if quick else N_NOISE)
    for split, dataset in itertools.product(splits, DATASETS):
        yield _cell(BORUTA, dataset, split, f"{dataset}/{split}/{BORUTA}")


def _cell(part, dataset, split, key):
    return Cell(key, {"part": part, "dataset": dataset, "split": split}, dataset)


def _noise_cells(n_tables):
    """Tables of all shapes and both kinds of targets in turn."""
    for start in range(0, n_tables, NOISE_PER_CELL):
        seeds = [start, min(start + NOISE_PER_CELL, n_tables)]
        yield Cell(f"noise/{start}", {"part": "noise", "seeds": seeds})


def run(cell, data):
    """What the rules keep, and what it is worth."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing found, rare classes, constant columns
        if cell.settings["part"] == "noise":
            return [noise_table(seed) for seed in range(*cell.settings["seeds"])]
        task = make_task(data.load(cell.settings["dataset"]), cell.settings["split"])
        return run_rival(BORUTA, task) if cell.settings["part"] == BORUTA else run_paths(task)


def noise_table(seed) -> dict:
    """How many columns JMI keeps of a table that tells nothing."""
    shape = NOISE_SHAPES[seed % len(NOISE_SHAPES)]
    is_class = seed // len(NOISE_SHAPES) % 2 == 0
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)
    y = rng.integers(0, 2, shape[0]) if is_class else rng.normal(size=shape[0])
    kept = ep.JMI("auto", correction=None, target="class" if is_class else "real").fit(X, y).n_features_
    return {"shape": list(shape), "is_class": is_class, "kept": int(kept)}


# -- rows and scores -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """A data set with its training and test rows."""

    X: np.ndarray
    y: np.ndarray
    is_class: bool
    train: np.ndarray
    test: np.ndarray
    seed: int
    _known: dict = field(default_factory=dict)

    def scores(self, columns) -> list[float]:
        """Accuracy or R² of each estimator on the test rows; that of guessing without columns."""
        key = tuple(sorted(int(j) for j in columns))
        if key not in self._known:  # methods often agree: each set once
            self._known[key] = self._scores(np.array(key, np.int64))
        return self._known[key]

    def _scores(self, columns):
        makers = CLASSIFIERS if self.is_class else REGRESSORS
        truth, known = self.y[self.test], self.y[self.train]
        if not len(columns):
            guess = np.bincount(known).argmax() if self.is_class else known.mean()
            return [self._score(np.full(len(truth), guess), truth)] * len(makers)
        X = StandardScaler().fit(self.X[np.ix_(self.train, columns)])
        train, test = (X.transform(self.X[np.ix_(rows, columns)]) for rows in (self.train, self.test))
        fitted = (make(self.seed).fit(train, known) for make in makers.values())
        return [self._score(model.predict(test), truth) for model in fitted]

    def _score(self, predicted, truth) -> float:
        if self.is_class:
            return round(float(np.mean(predicted == truth)), 4)
        return round(float(1 - ((predicted - truth) ** 2).sum() / ((truth - truth.mean()) ** 2).sum()), 4)


def make_task(dataset, split, most_train=MAX_TRAIN) -> Task:
    """Rows of a split, shared out by class, and the columns that vary most where there are many."""
    is_class = dataset.name not in REAL
    y = dataset.y.astype(np.int64) if is_class else np.log1p(dataset.y.astype(np.float64))
    rows = np.random.default_rng(split).permutation(len(y))[: 2 * (max(most_train, MAX_TRAIN) + MAX_TEST)]
    strata = _strata(y[rows]) if is_class else None
    n_train = min(most_train, int(TRAIN_SHARE * len(rows)))
    train, test = train_test_split(rows, train_size=n_train, random_state=split, stratify=strata)
    X = dataset.X.toarray() if scipy.sparse.issparse(dataset.X) else dataset.X
    X = (
        SimpleImputer(strategy="median", keep_empty_features=True)
        .fit(X[train])
        .transform(X.astype(np.float64))
    )
    if X.shape[1] > MAX_COLUMNS:  # by what the training rows say, whatever the target
        spread = X[train].std(axis=0) / (np.abs(X[train]).mean(axis=0) + X[train].std(axis=0).mean() + 1e-12)
        X = X[:, np.sort(np.argsort(-spread, kind="stable")[:MAX_COLUMNS])]
    return Task(X, y, is_class, train, test[:MAX_TEST], split)


def _strata(y):
    """Classes for stratification; those of a single row are merged into the largest."""
    counts = np.bincount(y)
    return np.where(counts[y] < 2, counts.argmax(), y)


# -- methods and rivals --------------------------------------------------------------------------


def run_paths(task) -> dict:
    """The path of every method with its scores, what rules keep of it, and what the faster rivals keep."""
    found = {name: _run_method(name, task) for name in METHODS}
    everything = range(task.X.shape[1])
    rivals = {ALL: _kept(everything, task, 0.0), GUESS: _kept((), task, 0.0)}
    rivals |= {name: run_rival(name, task) for name in RIVALS if name != BORUTA}
    shape = {"rows": len(task.train), "columns": task.X.shape[1], "tests": len(task.test)}
    return shape | {"methods": found, "rivals": rivals}


def run_rival(name, task) -> dict:
    """What a rival keeps, and the scores of as many first columns of the leading method."""
    start = time.process_time()
    columns = RIVALS[name](task)
    seconds = time.process_time() - start
    return _kept(columns, task, seconds) | {"same_number": task.scores(_first(LEADER, task, len(columns)))}


def _kept(columns, task, seconds) -> dict:
    return {"n": len(columns), "scores": task.scores(columns), "seconds": round(seconds, 3)}


def _first(name, task, n) -> np.ndarray:
    """The first columns of a method, as many as it has on its path."""
    return _timed_fit(name, task, min(FAR, n))[0].order_ if n else np.empty(0, np.int64)


def _run_method(name, task) -> dict:
    n_columns = task.X.shape[1]
    fitted, seconds = _timed_fit(name, task, min(TIMED_SIZE, n_columns))
    longest = min(TIMED_SIZE if name in SLOW else FAR, n_columns)
    if longest > TIMED_SIZE:
        fitted = _timed_fit(name, task, longest)[0]
    order = fitted.order_
    sizes = [size for size in SIZES if size < longest] + [longest]
    rule, rule_seconds = _timed_fit(name, task, "auto")
    result = {
        "sizes": sizes,
        "scores": [task.scores(order[:size]) for size in sizes],
        "seconds": round(seconds, 3),
        "auto": _kept(rule.order_, task, rule_seconds),
        "ten": _kept(order[:TEN], task, seconds),
    }
    if name in OWN_RULES:
        own, own_seconds = _timed_fit(name, task, OWN_RULES[name])
        result["own"] = _kept(own.order_, task, own_seconds)
    if name == LEADER:
        result["by_errors"] = {str(n): _kept_within(n, name, task) for n in N_ERRORS}
    return result


def _timed_fit(name, task, n_features):
    """The method fitted to the training rows, and the processor time of one thread."""
    return _timed(make_selector(name, n_features=n_features, **_given(task)), task)


def _kept_within(n_errors, name, task) -> dict:
    """What the rule keeps with other standard errors."""
    cut = ep.cuts.HeldOut(n_errors=n_errors)
    fitted, seconds = _timed(ep.FeatureSelector(name.lower(), cut=cut, **_given(task)), task)
    return _kept(fitted.order_, task, seconds)


def _given(task) -> dict:
    target = "class" if task.is_class else "real"
    return {"n_bins": N_BINS, "random_state": task.seed, "n_jobs": 1, "target": target}


def _timed(selector, task):
    start = time.process_time()
    selector.fit(task.X[task.train], task.y[task.train])
    return selector, time.process_time() - start


def _linear(task):
    return CLASSIFIERS["logistic"](task.seed) if task.is_class else REGRESSORS["ridge"](task.seed)


def _rfecv(task) -> np.ndarray:
    """Recursive elimination with cross-validation, by a linear model, a fifth of the columns at a time."""
    X = StandardScaler().fit_transform(task.X[task.train])
    return np.flatnonzero(RFECV(_linear(task), step=0.2, cv=3).fit(X, task.y[task.train]).support_)


def _k_best(task) -> np.ndarray:
    """The best columns by the F-test, as many as give a linear model its best score."""
    score = f_classif if task.is_class else f_regression
    model = make_pipeline(StandardScaler(), SelectKBest(score), _linear(task))
    sizes = [size for size in MORE_SIZES if size < task.X.shape[1]] + ["all"]
    grid = GridSearchCV(model, {"selectkbest__k": sizes}, cv=3).fit(task.X[task.train], task.y[task.train])
    return np.flatnonzero(grid.best_estimator_[1].get_support())


def _boruta(task) -> np.ndarray:
    """What BorutaPy confirms: columns that beat the best shuffled copy in most rounds of a forest."""
    maker = RandomForestClassifier if task.is_class else RandomForestRegressor
    forest = maker(max_depth=7, max_features="sqrt", n_jobs=1)
    boruta = BorutaPy(forest, n_estimators=N_BORUTA_TREES, max_iter=N_BORUTA_ROUNDS, random_state=task.seed)
    return np.flatnonzero(boruta.fit(task.X[task.train], task.y[task.train]).support_)


RIVALS = {RFECV_NAME: _rfecv, KBEST: _k_best, BORUTA: _boruta}
N_DATASETS, N_DISTINCT = len(DATASETS), len(_DISTINCT)
RIVAL_NAMES = list(RIVALS)
METHODS_LISTED = list(METHODS)

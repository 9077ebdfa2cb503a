"""Mixed tables: columns selected by every setting and by scikit-learn's filters, judged on held-out rows."""

import functools
import hashlib
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, train_test_split

import entropick as ep
from reproduction.mixed.planted import plant
from reproduction.protocol import Cell
from reproduction.scores import make_selector
from reproduction.tables import TABLES
from reproduction.texts import Texts

TEXTS = Texts("mixed")
CHOOSE, JUDGE, KNOWN = "choose", "judge", "known"
METHODS = ("JMI", "MRMR", "CMIM", "MIM", "JMIM")
CORRECTIONS = (None, "miller_madow", "adjusted")
LEVELS: dict[str, dict[str, Any]] = {
    "auto": {"n_bins": "auto"},
    "5": {"n_bins": 5},
    "MDLP": {"binning": "mdlp"},
    "4": {"n_bins": 4},
    "10": {"n_bins": 10},
}
BASELINE = "mutual_info_classif"  # scikit-learn's own filter, which everything is compared with
F_TEST, ALL = "f_classif", "all columns"
RIVALS = (BASELINE, F_TEST, ALL)
SIZES = (3, 5, 8, 10)
SIZE = 8  # of the comparison
N_FIRST = 10  # columns looked at for noise
N_FOLDS, QUICK_FOLDS = 4, 1
MAX_ROWS, MAX_TRAIN = 8000, 1500  # 2,000 test rows in each fold of 8,000
MIN_IN_CLASS = 20
FEW_VALUES = 10  # numbers with at most this many values are marked as discrete for scikit-learn
N_TREES = 50
MIN_IN_LEVEL, MAX_LEVELS = 10, 30  # rarer levels are pooled


def half_of(name: str) -> str:
    """Chosen on, judged on, or neither: drawn by the name, so that nobody chooses."""
    if TABLES[name].known:
        return KNOWN
    return (CHOOSE, JUDGE)[hashlib.sha256(name.encode()).digest()[-1] % 2]


HALF_OF = {name: half_of(name) for name in TABLES}


@dataclass(frozen=True)
class Setting:
    """A method of the library with its correction and its levels."""

    method: str
    correction: str | None
    levels: str

    def __str__(self) -> str:
        return f"{self.method}/{self.correction or 'plug-in'}/{self.levels}"


SETTINGS = [
    Setting(method, correction, levels)
    for levels in LEVELS
    for method in METHODS
    for correction in CORRECTIONS
]
PLAIN = Setting("JMI", None, "auto")


def default_setting() -> Setting:
    """What a user of JMI gets."""
    given = ep.JMI().get_params()
    levels = next(
        name
        for name, options in LEVELS.items()
        if all(given[key] == value for key, value in ({"binning": "quantile"} | options).items())
    )
    return Setting("JMI", given["correction"], levels)


# -- cells ---------------------------------------------------------------------------------------


def cells(quick):
    """The rivals and each setting on the tables to choose on and those known before, fold by fold."""
    return _cells((CHOOSE, KNOWN), (*RIVALS, *SETTINGS), quick)


def kept_back(quick):
    """The rivals, the default and plain JMI on the tables to judge on: to be run when all is chosen."""
    return _cells((JUDGE,), (*RIVALS, *dict.fromkeys([default_setting(), PLAIN])), quick)


def _cells(halves, selectors, quick):
    names = [name for name, half in HALF_OF.items() if half in halves]
    for fold in range(QUICK_FOLDS if quick else N_FOLDS):
        for selector in selectors:
            options = vars(selector) if isinstance(selector, Setting) else {"rival": selector}
            for name in names:
                settings = {"table": name, **options, "fold": fold}
                yield Cell(f"{name}/{selector}/{fold}", settings, f"tables/{name}")


def run(cell, data):
    """The columns that come first, scores by number of columns, and the noise among the first ten."""
    table, fold = _table(data, cell.settings["table"]), cell.settings["fold"]
    n_columns = table.X.shape[1]
    if cell.settings.get("rival") == ALL:
        everything = table.scores(fold, range(n_columns))
        return {"columns": n_columns, "scores": dict.fromkeys(SIZES, everything)}
    order_of = _rival(cell.settings["rival"]) if "rival" in cell.settings else _setting(cell.settings)
    start = time.process_time()
    order = order_of(table.X, table, fold)[:N_FIRST]
    seconds = time.process_time() - start
    first = list(table.X.columns[order])
    planted, noise = plant(table.X, seed=fold)
    before = planted.columns[order_of(planted, table, fold)[: len(first)]]
    return {
        "columns": n_columns,
        "scores": {size: table.scores(fold, order[:size]) for size in SIZES},
        "first": first,
        "identifiers": [name for name in first if name in TABLES[table.name].identifiers],
        "noise": [name for name in noise if name in before],
        "seconds": round(seconds, 3),
    }


# -- selectors: the order of the columns of X, by the training rows of a fold ------------------------


def _setting(settings):
    method, correction, levels = (settings[key] for key in ("method", "correction", "levels"))

    def order_of(X, table, fold):
        train = table.folds[fold][0]
        n_features = min(N_FIRST, X.shape[1])
        options = {"n_features": n_features, "target": "class", "random_state": fold, "n_jobs": 1}
        selector = make_selector(method, correction=correction, **options, **LEVELS[levels])
        return selector.fit(X.iloc[train], table.y[train]).order_

    return order_of


def _rival(name):
    return {BASELINE: _by_information, F_TEST: _by_variance}[name]


def _by_information(X, table, fold):
    codes = _as_codes(X.iloc[table.folds[fold][0]])
    discrete = np.array([_is_category(X[name]) or X[name].nunique() <= FEW_VALUES for name in X])
    y = table.y[table.folds[fold][0]]
    return _best_first(mutual_info_classif(codes, y, discrete_features=discrete, random_state=fold))


def _by_variance(X, table, fold):
    train = table.folds[fold][0]
    return _best_first(np.nan_to_num(f_classif(_as_codes(X.iloc[train]), table.y[train])[0]))


def _best_first(scores):
    return np.argsort(-scores, kind="stable")


def _as_codes(X) -> np.ndarray:
    """Categories as whole numbers, missing ones with a number of their own; missing numbers as the median."""
    columns = []
    for name in X:
        if _is_category(X[name]):
            columns.append(X[name].astype("category").cat.codes.to_numpy())
        else:
            numbers = X[name].astype(np.float64)
            columns.append(numbers.fillna(numbers.median()).fillna(0.0).to_numpy())
    return np.column_stack(columns)


def _is_category(column) -> bool:
    return not pd.api.types.is_numeric_dtype(column)


# -- rows and scores -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A table with the rows of its folds; scores are cached."""

    name: str
    X: pd.DataFrame
    y: np.ndarray
    folds: list
    _known: dict = field(default_factory=dict)

    def scores(self, fold, columns) -> dict:
        """Balanced accuracy of each estimator on the test rows; of two classes the area under the curve."""
        key = fold, tuple(sorted(int(j) for j in columns))
        if key not in self._known:
            self._known[key] = self._scores(*key)
        return self._known[key]

    def _scores(self, fold, columns):
        train, test = self.folds[fold]
        blocks = [encode(self.X.iloc[:, j], train, test) for j in columns]
        known, asked = (np.hstack(side) for side in zip(*blocks, strict=True))
        models = [make(fold).fit(known, self.y[train]) for make in ESTIMATORS.values()]
        truth = self.y[test]
        found = {"balanced": [balanced_accuracy_score(truth, model.predict(asked)) for model in models]}
        if self.y.max() == 1:
            found["area"] = [roc_auc_score(truth, model.predict_proba(asked)[:, 1]) for model in models]
        return {name: [round(float(value), 4) for value in values] for name, values in found.items()}


ESTIMATORS = {
    "logistic": lambda seed: LogisticRegression(max_iter=300, tol=1e-3, class_weight="balanced"),
    "forest": lambda seed: RandomForestClassifier(
        N_TREES, min_samples_leaf=5, class_weight="balanced_subsample", random_state=seed
    ),
}


@functools.cache
def _table(data, name) -> Table:
    dataset = data.load(f"tables/{name}")
    return make_table(name, dataset.X, dataset.y)


def make_table(name, X, y) -> Table:
    """Drop rare classes, sample the table down to at most `MAX_ROWS` rows, and split it into folds."""
    rows = np.flatnonzero(np.bincount(y)[y] >= MIN_IN_CLASS)
    if len(rows) > MAX_ROWS:
        rows = _share(rows, y, MAX_ROWS)
    y = np.unique(y[rows], return_inverse=True)[1]
    split = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(y, y)
    folds = [(_share(train, y, MAX_TRAIN), test) for train, test in split]
    return Table(name, X.iloc[rows].reset_index(drop=True), y, folds)


def _share(rows, y, n_rows):
    """A stratified sample of the rows, in their order."""
    if len(rows) <= n_rows:
        return rows
    return np.sort(train_test_split(rows, train_size=n_rows, stratify=y[rows], random_state=0)[0])


def encode(column, train, test):
    """A column for estimators, by its training rows: numbers standardised, categories one column a level."""
    blocks = _levels(column, train) if _is_category(column) else _numbers(column, train)
    return blocks[train], blocks[test]


def _numbers(column, train):
    """Standardised, with the median where they are missing, and whether they are."""
    values = column.astype(np.float64).to_numpy()
    is_missing = np.isnan(values)
    known = values[train][~is_missing[train]]
    values = np.where(is_missing, np.median(known) if len(known) else 0.0, values)
    values = (values - values[train].mean()) / (values[train].std() or 1.0)
    parts = [values, is_missing] if is_missing[train].any() else [values]
    return np.column_stack(parts).astype(np.float64)


def _levels(column, train):
    """A column of 0 and 1 for each frequent level (a missing value is one), and one for all the others."""
    codes = column.astype("category").cat.codes.to_numpy()
    levels, counts = np.unique(codes[train], return_counts=True)
    frequent = levels[np.argsort(-counts, kind="stable")][: (counts >= MIN_IN_LEVEL).sum()][:MAX_LEVELS]
    indicators = codes[:, None] == frequent
    return np.column_stack([indicators, ~indicators.any(axis=1)]).astype(np.float64)


N_CHOOSE, N_JUDGE = (list(HALF_OF.values()).count(half) for half in (CHOOSE, JUDGE))
KNOWN_LISTED = [name for name, half in HALF_OF.items() if half == KNOWN]
METHODS_LISTED, SIZES_LISTED = list(METHODS), list(SIZES)
LEVELS_LISTED = list(LEVELS)
CORRECTIONS_LISTED = [correction or "none" for correction in CORRECTIONS]

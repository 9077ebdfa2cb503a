"""What rules keep of tables they were not made with, judged on test rows by three estimators."""

import time
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectFdr, f_classif, f_regression
from sklearn.linear_model import LassoCV, LogisticRegression, LogisticRegressionCV, Ridge
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

import entropick as ep
from reproduction.protocol import Cell
from reproduction.texts import Texts
from reproduction.unseen_tables import JUDGE, TABLES, half_of

TEXTS = Texts("unseen")
NAMES = [name for name in TABLES if half_of(name) == JUDGE]
N_TABLES = len(NAMES)
N_SPLITS, QUICK_SPLITS = 2, 1
MAX_ROWS, MAX_TRAIN, MAX_TEST, TRAIN_SHARE = 4000, 400, 800, 0.7
MIN_IN_CLASS = 4
SIZES = (1, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 45, 64, 91)
N_TREES, N_BORUTA_TREES, N_BORUTA_ROUNDS = 50, 50, 40
IMBALANCED = 0.9  # share of the entropy of equal classes, below which balanced accuracy is the score
AUTO, TEN = "auto", "ten"
RIVALS = ("all columns", "RFECV", "L1", "SelectFdr", "Boruta")


def cells(quick):
    """One cell per table and split, all tables before the next split."""
    for split in range(QUICK_SPLITS if quick else N_SPLITS):
        for name in NAMES:
            yield Cell(f"{name}/{split}", {"table": name, "split": split}, f"unseen/{name}")


def run(cell, data):
    """Scores along the path of JMI, and what rules keep."""
    name, split = cell.settings["table"], cell.settings["split"]
    dataset = data.load(f"unseen/{name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nothing found, rare classes, constant columns
        return run_task(make_task(dataset.X, dataset.y, TABLES[name].real, split))


@dataclass(frozen=True)
class Task:
    """A table with its training and test rows; selectors of the library see the frame, others codes."""

    frame: pd.DataFrame
    codes: np.ndarray
    y: np.ndarray
    is_class: bool
    is_balanced: bool
    train: np.ndarray
    test: np.ndarray
    seed: int

    def scores(self, columns) -> list[float]:
        """Accuracy, balanced accuracy, or R² (at least 0) of each estimator; of guessing without columns."""
        known, truth = self.y[self.train], self.y[self.test]
        if not len(columns):
            return [self._guess(known, truth)] * 3
        scaler = StandardScaler().fit(self.codes[np.ix_(self.train, columns)])
        both = (self.codes[np.ix_(rows, columns)] for rows in (self.train, self.test))
        train, test = map(scaler.transform, both)
        return [self._score(truth, model.fit(train, known).predict(test)) for model in self.estimators()]

    def estimators(self):
        if not self.is_class:
            forest = RandomForestRegressor(N_TREES, random_state=self.seed)
            return [Ridge(), KNeighborsRegressor(), forest]
        weights = "balanced" if self.is_balanced else None
        return [
            LogisticRegression(max_iter=300, tol=1e-3, class_weight=weights),
            KNeighborsClassifier(),
            RandomForestClassifier(N_TREES, class_weight=weights, random_state=self.seed),
        ]

    def _guess(self, known, truth) -> float:
        guess = np.bincount(known).argmax() if self.is_class else known.mean()
        return self._score(truth, np.full(len(truth), guess))

    def _score(self, truth, predicted) -> float:
        if not self.is_class:
            return round(max(0.0, float(r2_score(truth, predicted))), 4)
        score = balanced_accuracy_score if self.is_balanced else accuracy_score
        return round(float(score(truth, predicted)), 4)


def make_task(X, y, real, split) -> Task:
    """Rows of a split, stratified by class; categories as codes, missing numbers as medians."""
    rows = np.random.default_rng(split).permutation(len(y))[:MAX_ROWS]
    if not real:
        rows = rows[np.bincount(y[rows], minlength=y.max() + 1)[y[rows]] >= MIN_IN_CLASS]
    frame, y = X.iloc[rows].reset_index(drop=True), y[rows]
    is_balanced = False
    if not real:
        y = np.unique(y, return_inverse=True)[1]
        shares = np.bincount(y) / len(y)
        is_balanced = bool(-(shares * np.log(shares)).sum() < IMBALANCED * np.log(len(shares)))
    n_train = min(MAX_TRAIN, int(TRAIN_SHARE * len(y)))
    train, test = train_test_split(
        np.arange(len(y)), train_size=n_train, random_state=split, stratify=None if real else y
    )
    codes = np.column_stack([_codes(frame[name], train) for name in frame])
    return Task(frame, codes, y, not real, is_balanced, train, test[:MAX_TEST], split)


def _codes(column, train) -> np.ndarray:
    if not pd.api.types.is_numeric_dtype(column):
        return column.astype("category").cat.codes.to_numpy().astype(np.float64)
    values = column.to_numpy(np.float64)
    return np.where(np.isnan(values), np.nan_to_num(np.nanmedian(values[train])), values)


def run_task(task) -> dict:
    """The path of JMI with its scores, what the rule keeps and says, and what the rivals keep."""
    n_columns = task.codes.shape[1]
    frame, y = task.frame.iloc[task.train], task.y[task.train]
    given = {"target": "class" if task.is_class else "real", "n_jobs": 1, "random_state": task.seed}
    start = time.process_time()
    rule = ep.JMI("auto", **given).fit(frame, y)
    seconds = time.process_time() - start
    evidence = rule.selection_.evidence
    assert evidence is not None
    kept_anyway = ep.JMI(ep.cuts.HeldOut(if_unsure="keep"), **given).fit(frame, y)
    order = ep.JMI(min(SIZES[-1], n_columns), **given).fit(frame, y).order_
    sizes = [size for size in SIZES if size < len(order)] + [len(order)]
    told = np.mean(list(evidence.by_model.values()), axis=0)
    found = {
        "rows": len(task.train), "tests": len(task.test), "columns": n_columns,
        "is_class": task.is_class, "is_balanced": task.is_balanced,
        "sizes": sizes, "path": [task.scores(order[:size]) for size in sizes],
        "interval": evidence.interval, "p_value": evidence.p_value,
        "told": float(told[evidence.sizes.index(rule.n_features_)]),
        "kept": {
            AUTO: _kept(rule.order_, task, seconds),
            "unsure kept": _kept(kept_anyway.order_, task, 0.0),
            TEN: _kept(order[:10], task, 0.0),
            "guessing": _kept([], task, 0.0),
        },
    }  # fmt: skip
    for rival in RIVALS:
        start = time.process_time()
        columns = _rival(rival, task)
        found["kept"][rival] = _kept(columns, task, time.process_time() - start)
    return found


def _kept(columns, task, seconds) -> dict:
    return {
        "n": len(columns),
        "scores": task.scores(np.asarray(columns, np.int64)),
        "seconds": round(seconds, 3),
    }


def _rival(name, task) -> np.ndarray:
    X, y = StandardScaler().fit_transform(task.codes[task.train]), task.y[task.train]
    if name == "all columns":
        return np.arange(X.shape[1])
    if name == "RFECV":
        return np.flatnonzero(RFECV(task.estimators()[0], step=0.2, cv=3).fit(X, y).support_)
    if name == "SelectFdr":
        return np.flatnonzero(SelectFdr(f_classif if task.is_class else f_regression).fit(X, y).get_support())
    if name == "L1":
        if not task.is_class:
            return np.flatnonzero(LassoCV(cv=3, random_state=0).fit(X, y).coef_)
        model = LogisticRegressionCV(
            Cs=5, cv=3, penalty="l1", solver="liblinear" if y.max() == 1 else "saga", max_iter=100, tol=1e-2,
            random_state=0,
        )  # fmt: skip
        return np.flatnonzero(np.abs(model.fit(X, y).coef_).max(axis=0) > 1e-6)
    forest = RandomForestClassifier if task.is_class else RandomForestRegressor
    model = forest(N_BORUTA_TREES, max_depth=7, random_state=task.seed)
    boruta = BorutaPy(model, n_estimators=N_BORUTA_TREES, max_iter=N_BORUTA_ROUNDS, random_state=task.seed)
    return np.flatnonzero(boruta.fit(X, y).support_)

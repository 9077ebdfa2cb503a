"""What the cells of the paper on NEFS compute."""

import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import entropick
from entropick.datasets import make_corral, make_hyperspheres
from experiments.data import Data, with_attribute_noise
from experiments.nefs.design import (
    CLASSIFIERS,
    CURVES_OF,
    HASHED,
    HIDDEN_LABELS,
    IN_ROW_ORDER,
    METHODS,
    N_FOLDS,
    NOISE_SEED,
    OUR_VARIANTS,
    PAPER_METHODS,
    SIGNED,
    TIME_LIMITS,
    K,
)
from experiments.protocol import Cell
from experiments.scores import accuracy_at_sizes

Table = tuple[np.ndarray, np.ndarray]


def run(cell: Cell, data: Data) -> Any:
    """The result of a cell."""
    parts: dict[str, Callable[[Any, Data], Any]] = {
        "orders": corral_orders,
        "curves": curves_of_fold,
        "small": curves_of_few_rows,
        "whole": curves_after_selection_on_all_rows,
        "time": cpu_times,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper stops the perceptron early on purpose
        return parts[cell.settings["part"]](cell.settings, data)


# --- the parts ---


def corral_orders(settings: Any, data: Data) -> Any:
    """The first four picks of every method, one run after the other, each with its own order of rows."""
    first = settings["block"] * settings["runs"]
    runs = range(first, first + settings["runs"])
    tables = [make_corral(random_state=seed) for seed in runs]
    return {
        method: [pick(method, table, 4, seed) for seed, table in zip(runs, tables, strict=True)]
        for method in (*PAPER_METHODS, HASHED)
    } | {IN_ROW_ORDER: [nefs_in_row_order(*make_corral(), 4, seed) for seed in runs]}


def curves_of_fold(settings: Any, data: Data) -> Any:
    """Orders of all methods on the training part of a fold, and the accuracy on its test part."""
    repeat = settings["repeat"]
    X, y = load(settings["data"], data, settings["rows"], repeat)
    train, test = list(_folds(settings["data"], X, y))[repeat]
    n_picks = min(max(settings["sizes"]), X.shape[1])
    orders = {
        method: pick(method, _rows_for(method, settings, (X[train], y[train]), repeat), n_picks, repeat)
        for method in settings["methods"]
    }
    parts = (X[train], y[train]), (X[test], y[test])
    accuracy = {
        name: scores_of(orders, classifier(name, repeat), settings["sizes"], *parts)
        for name in settings["classifiers"]
    }
    return {"orders": orders, "accuracy": accuracy}


def curves_of_few_rows(settings: Any, data: Data) -> Any:
    """Selection and training on a few rows drawn at random, the accuracy on all others; draw by draw."""
    X, y = load(settings["data"], data)
    results: dict[str, list[list[float]]] = {method: [] for method in PAPER_METHODS + OUR_VARIANTS}
    first = settings["block"] * settings["draws"]
    for seed in range(first, first + settings["draws"]):
        order = np.random.default_rng(seed).permutation(len(y))
        few, others = order[: settings["rows"]], order[settings["rows"] :]
        train = X[few], y[few]
        orders = {method: pick(method, train, max(settings["sizes"]), seed) for method in results}
        scores = scores_of(orders, classifier("RF", seed), settings["sizes"], train, (X[others], y[others]))
        for method, values in scores.items():
            results[method].append(values)
    return results


def curves_after_selection_on_all_rows(settings: Any, data: Data) -> Any:
    """Selection sees the test rows too, then the folds are made: too good to be true."""
    X, y = load(settings["data"], data, settings["rows"])
    methods = PAPER_METHODS + OUR_VARIANTS
    orders = {method: pick(method, (X, y), max(settings["sizes"]), 0) for method in methods}
    results: dict[str, list[list[float]]] = {method: [] for method in methods}
    for fold, (train, test) in enumerate(_folds(settings["data"], X, y)):
        parts = (X[train], y[train]), (X[test], y[test])
        for method, values in scores_of(orders, classifier("RF", fold), settings["sizes"], *parts).items():
            results[method].append(values)
    return {"orders": orders, "accuracy": results}


def cpu_times(settings: Any, data: Data) -> Any:
    """Seconds of processor time of one thread for some picks."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(settings["rows"], settings["columns"]))
    y = (X[:, 0] + X[:, 1] > 1).astype(np.int64)
    methods = [m for m in (*PAPER_METHODS, HASHED) if X.size <= TIME_LIMITS.get(m, X.size)]
    return {method: _seconds(method, (X, y), settings["picks"]) for method in methods}


# --- what they share ---


def load(name: str, data: Data, n_rows: int | None = None, repeat: int = 0) -> Table:
    """A data set by its name in the paper; some rows of it, drawn at random, where that is asked for."""
    curves = CURVES_OF[name]
    if curves.source is None:
        X, y = make_corral(random_state=0) if name == "CORRAL" else make_hyperspheres(random_state=repeat)
    else:
        dataset = data.load(curves.source)
        X, y = dataset.X, dataset.y
    X, y = X.astype(np.float64), y.astype(np.int64)
    if curves.noise:
        X = with_attribute_noise(X, curves.noise, NOISE_SEED)
    if n_rows is None or n_rows >= len(y):
        return X, y
    chosen = np.random.default_rng(0).permutation(len(y))[:n_rows]
    return X[chosen], y[chosen]


def pick(method: str, table: Table, n_picks: int, seed: int) -> list[int]:
    """The picks of a method, in order."""
    X, y = table
    if method == SIGNED:
        return signed_rrpc(X, -y, n_picks)
    if method == "RRPC_SS":
        hidden = np.random.default_rng(seed).random(len(y)) < HIDDEN_LABELS
        y = np.where(hidden, -1, y)
    chosen: list[int] = _selector(method, n_picks, len(y), seed).fit(X, y).order_.tolist()
    return chosen


def _selector(method: str, n_picks: int, n_rows: int, seed: int) -> Any:
    name, parameters = METHODS[method]
    more = {"n_iterations": max(1, n_rows // K)} if method == "RELIEFF" else {}
    return getattr(entropick, name)(n_features=n_picks, random_state=seed, n_jobs=1, **parameters, **more)


def signed_rrpc(X: np.ndarray, y: np.ndarray, n_picks: int) -> list[int]:
    """RRPC by eq. 7 as printed: correlations with their signs, the class taken as a number."""
    correlation = np.nan_to_num(np.corrcoef(np.column_stack([X, y]), rowvar=False))
    relevance, redundancy = correlation[:-1, -1], correlation[:-1, :-1]
    picks = [int(relevance.argmax())]
    while len(picks) < n_picks:
        score = relevance - redundancy[:, picks].mean(axis=1)
        score[picks] = -np.inf
        picks.append(int(score.argmax()))
    return picks


def nefs_in_row_order(X: np.ndarray, y: np.ndarray, n_picks: int, seed: int) -> list[int]:
    """NEFS by plain code where rows at the same distance are taken in their order, not at random."""
    walk = np.random.default_rng(seed).permutation(len(y))
    picks: list[int] = []
    for _ in range(n_picks):
        candidates = [j for j in range(X.shape[1]) if j not in picks]
        picks.append(min(candidates, key=lambda j: _entropy_in_row_order(X[:, [*picks, j]], y, walk)))
    return picks


def _entropy_in_row_order(X: np.ndarray, y: np.ndarray, walk: np.ndarray) -> float:
    points = X.astype(np.float64)
    is_seen = np.zeros(len(y), bool)
    entropies = []
    for i in walk:
        if is_seen[i]:
            continue
        distances = np.abs(points - points[i]).sum(axis=1)
        distances[i] = -1  # a row is the first in its own neighbourhood
        near = np.argsort(distances, kind="stable")[: K + 1]
        is_seen[near] = True
        shares = np.bincount(y[near]) / (K + 1)
        shares = shares[shares > 0]
        entropies.append(-float(shares @ np.log2(shares)))
    return float(np.mean(entropies))


def classifier(name: str, seed: int) -> Any:
    """A classifier of the paper."""
    parameters = CLASSIFIERS[name]
    if name == "RF":
        return RandomForestClassifier(**parameters, random_state=seed, n_jobs=1)
    if name == "MLP":
        model: Any = MLPClassifier(**parameters, random_state=seed)
    else:
        model = {"SVM": SVC, "kNN": KNeighborsClassifier}[name](**parameters)
    return make_pipeline(StandardScaler(), model)


def scores_of(
    orders: dict[str, list[int]], model: Any, sizes: Sequence[int], train: Table, test: Table
) -> dict[str, list[float]]:
    """Accuracy of every method at every size; the same columns in the same order are fitted once."""
    known: dict[tuple[int, ...], float] = {}

    def score(columns: tuple[int, ...]) -> float:
        if columns not in known:
            [known[columns]] = accuracy_at_sizes(model, columns, [len(columns)], train, test)
        return round(known[columns], 5)

    return {method: [score(tuple(order[:size])) for size in sizes] for method, order in orders.items()}


def _folds(name: str, X: np.ndarray, y: np.ndarray) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    folds = StratifiedKFold if CURVES_OF[name].stratified else KFold
    found: Iterable[tuple[np.ndarray, np.ndarray]] = folds(N_FOLDS, shuffle=True, random_state=0).split(X, y)
    return found


def _rows_for(method: str, settings: Any, train: Table, seed: int) -> Table:
    """All rows, but for NEFS on large data sets."""
    limit = settings["nefs_rows"]
    if method != "NEFS" or limit is None or limit >= len(train[1]):
        return train
    chosen = np.random.default_rng(seed).permutation(len(train[1]))[:limit]
    return train[0][chosen], train[1][chosen]


def _seconds(method: str, table: Table, n_picks: int) -> float:
    """The least of three runs, of one where it is long; loops are compiled before the clock starts."""
    pick(method, (table[0][:200], table[1][:200]), 2, 0)
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < 1:
        start = time.process_time()
        pick(method, table, n_picks, 0)
        seconds.append(time.process_time() - start)
    return round(min(seconds), 5)

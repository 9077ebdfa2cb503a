"""The protocol of the cross-entropy paper, and how one of its cells is run."""

import math
import warnings
from collections import Counter
from dataclasses import replace
from time import process_time  # other work on the machine does not count

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick.exceptions import SelectionWarning
from reproduction.ce import authors
from reproduction.ce.authors import RIVALS
from reproduction.ce.scoring import (
    Parts,
    error_of,
    information_gap,
    neighbour_error,
    own_rows_error,
    ranking_of,
    rounded,
)
from reproduction.protocol import Cell
from reproduction.scores import make_selector
from reproduction.texts import Texts

TEXTS = Texts("ce")
SETTINGS = TEXTS.read("settings.toml")
TASKS, CROSS_ENTROPY, SWARM = SETTINGS["task"], SETTINGS["cross_entropy"], SETTINGS["swarm"]
FLOORED = {label: task for label, task in TASKS.items() if "floor" in task}
REPEATS = {label: task["repeats"] for label, task in TASKS.items()}
METHODS = ("CE", *RIVALS, "PSO")
ALL_ROWS = 100_000
N_BINS = 10  # of equal counts, for real columns; the paper does not say how it counts them
TEST_SHARE = 0.1
CHECKED_ROWS, CHECKED_SUBSETS, MAX_CHECKED = 2000, 40, 40
STANDARDISED_SPLITS = 3
AS_WRAPPER, WRAPPER_SPLITS = ("Cancer Breast", "Forest Fires", "Gesture Phase"), 10
COMPILED_ON = 60  # rows of a first fit
CURVE = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 150, 200, 280)


def cells(quick):
    """Repeat by repeat; the printed rule on the first splits of each table; what takes long comes last."""
    n_repeats = {label: task.get("quick_repeats", 1) for label, task in TASKS.items()} if quick else REPEATS
    yield from (_checks_cell(label) for label in FLOORED)
    yield from (_standardised_cell(label) for label in TASKS)
    yield from _floored_cells(quick, last=False)
    for repeat in range(max(n_repeats.values())):
        for label in TASKS:
            if repeat < n_repeats[label]:
                yield _cell("table", label, repeat, quick)
            if repeat < TASKS[label].get("quick_repeats", 1):
                yield _cell("printed rule", label, repeat, quick)
            if repeat == 0 and "swarm_rounds" in TASKS[label]:
                yield _cell("longer swarm", label, repeat, quick)
    if not quick:
        for repeat in range(WRAPPER_SPLITS):
            yield from (_cell("wrapper", label, repeat, quick) for label in AS_WRAPPER)
        yield from _floored_cells(quick, last=True)


def _checks_cell(label):
    settings = {"data": label, "repeat": 0, "rows": CHECKED_ROWS, "subsets": CHECKED_SUBSETS}
    return Cell(f"{label}/checks", {"kind": "checks", **settings}, TASKS[label]["file"])


def _standardised_cell(label):
    """3-NN on standardised columns: whether their scale explains its errors."""
    settings = {"data": label, "rows": TASKS[label].get("rows", ALL_ROWS), "splits": STANDARDISED_SPLITS}
    return Cell(f"{label}/standardised", {"kind": "standardised", **settings}, TASKS[label]["file"])


def _floored_cells(quick, *, last):
    """The authors' way of counting; in the end methods that take long, in cells of their own."""
    for repeat in range(max(task["floor_repeats"] for task in FLOORED.values())):
        for label, task in FLOORED.items():
            if repeat >= (task.get("quick_repeats", 1) if quick else task["floor_repeats"]):
                continue
            if last:
                for name in task.get("floor_last", []):
                    yield _floored_cell(f"{label}/floored, {name}/{repeat}", label, repeat, [name])
            else:
                methods = task.get("floor_methods", ["CE", "CE as printed", *RIVALS, "PSO"])
                yield _floored_cell(f"{label}/floored/{repeat}", label, repeat, methods)


def _floored_cell(key, label, repeat, methods):
    task = TASKS[label]
    rules = {"cross_entropy": CROSS_ENTROPY} if {"CE", "CE as printed"} & {*methods} else {}
    rules |= {"swarm": swarm_of(label)} if "PSO" in methods else {}
    of_split = {"kind": "floored", "data": label, "repeat": repeat, "floor": task["floor"]}
    return Cell(key, {**of_split, "methods": methods, **rules}, task["file"])


def swarm_of(label):
    """The settings of the swarm on a data set."""
    return {**SWARM, "n_rounds": TASKS[label].get("swarm_rounds", SWARM["n_rounds"])}


def _cell(kind, label, repeat, quick):
    task = TASKS[label]
    rows = task.get("rows", ALL_ROWS)
    rows = task.get("quick_rows", rows) if quick else rows
    swarm = SWARM if kind == "longer swarm" else swarm_of(label)
    fixed = {"bins": N_BINS, "cross_entropy": CROSS_ENTROPY, "swarm": swarm}
    settings = {"kind": kind, "data": label, "repeat": repeat, "rows": rows, **fixed}
    of_rows = f", {rows} rows" if rows < ALL_ROWS else ""
    return Cell(f"{label}/{kind}/{repeat}{of_rows}", settings, task["file"])


def run(cell, data):
    """Run a cell and return its result."""
    task = TASKS[cell.settings["data"]]
    dataset = data.load(task["file"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)  # where no probability reaches zeta
        if cell.settings["kind"] == "floored":
            y = classes_of(dataset, task.get("floor_target", task["target"]))
            of_split = authors.parts_of(dataset, y, task, cell.settings["repeat"])
            return authors.table(of_split, task["columns"], cell.settings)
        if cell.settings["kind"] == "standardised":
            return standardised_errors(dataset, classes_of(dataset, task["target"]), cell.settings)
        parts = split_rows(dataset, classes_of(dataset, task["target"]), cell.settings)
        if cell.settings["kind"] == "checks":
            return checks(parts, authors.floored(parts.X, task["floor"]), cell.settings["subsets"])
        if cell.settings["kind"] == "longer swarm":
            return longer_swarm(parts, cell.settings)
        if cell.settings["kind"] == "wrapper":
            return wrapper(parts, cell.settings["repeat"])
        if cell.settings["kind"] == "printed rule":
            return printed_rule(parts, cell.settings["repeat"])
        return table(parts, task["columns"], cell.settings["repeat"], cell.settings["swarm"])


def classes_of(dataset, target):
    """The target as classes."""
    y = dataset.extra["y_class"] if target == "y_class" else dataset.y
    if target == "bins":
        y = np.searchsorted(np.linspace(y.min(), y.max(), 21)[1:-1], y)
    elif target == "counts":
        y = np.minimum(y, 21)
    return np.asarray(y).astype(np.int64)


def split_rows(dataset, y, settings) -> Parts:
    """Some rows of a data set, a tenth of them to test on."""
    chosen = np.random.default_rng(0).permutation(len(y))[: settings["rows"]]
    X, y = dataset.X[chosen], y[chosen]
    train, test = train_test_split(np.arange(len(y)), test_size=TEST_SHARE, random_state=settings["repeat"])
    codes = np.column_stack([codes_of(X[train, j], dataset.categorical[j]) for j in range(X.shape[1])])
    filled = np.where(np.isnan(X), np.nanmedian(X[train], axis=0), X)
    return Parts(filled[train], y[train], codes, filled[test], y[test])


def codes_of(column, categorical):
    """A column as codes: its values where they are few or names, else bins of equal counts; NaN is a code."""
    known = column[~np.isnan(column)]
    if not categorical and len(np.unique(known)) > N_BINS:
        edges = np.unique(np.quantile(known, np.linspace(0, 1, N_BINS + 1)[1:-1]))
        codes = np.searchsorted(edges, column, side="right")
        return np.where(np.isnan(column), len(edges) + 1, codes)
    return np.unique(column, return_inverse=True)[1]


def table(parts, cardinality, seed, swarm_settings):
    """All methods at the size the cross-entropy method chose and at the paper's, and its curve over sizes."""
    common = {"n_bins": 65535, "n_jobs": 1}  # every code is a level of its own
    found, seconds = _timed(ep.CrossEntropyFS(**CROSS_ENTROPY, **common, random_state=seed), parts)
    size, ranking = int(found.n_features_), ranking_of(found)
    n_columns = parts.X.shape[1]
    own, at_paper_size, times = {"CE": found.order_}, {"CE": ranking[:cardinality]}, {"CE": seconds}
    for name, method in RIVALS.items():
        selector = make_selector(method, n_features=min(n_columns, max(size, cardinality)), **common)
        rival, times[name] = _timed(selector, parts)
        own[name], at_paper_size[name] = rival.order_[:size], rival.order_[:cardinality]
    swarm, times["PSO"] = _timed(ep.SwarmFS(**swarm_settings, **common, random_state=seed), parts)
    own["PSO"] = swarm.order_
    return {
        "size": size,
        "rounds": len(found.history_),
        "asked": int(found.history_[-1].n_evaluated),
        "settled": bool((found.probabilities_ >= CROSS_ENTROPY["zeta"]).any()),
        "seconds": {name: round(value, 3) for name, value in times.items()},
        "own": {name: scores(parts, columns) for name, columns in own.items()},
        "paper_size": {name: scores(parts, columns) for name, columns in at_paper_size.items()},
        "all": scores(parts, np.arange(n_columns)),
        "curve": curve(parts, ranking, size),
        "largest_class": rounded(np.bincount(parts.y_test).max() / len(parts.y_test)),
    }


def printed_rule(parts, seed):
    """The algorithm as printed, without the rule that of equally good subsets the smaller is better."""
    common = {"n_bins": 65535, "random_state": seed, "n_jobs": 1}
    selector, seconds = _timed(ep.CrossEntropyFS(**CROSS_ENTROPY, parsimony=False, **common), parts)
    reached = np.flatnonzero(selector.probabilities_ >= CROSS_ENTROPY["zeta"])
    return {
        "rounds": len(selector.history_),
        "seconds": round(seconds, 3),
        "reached": len(reached),
        "gap": information_gap(parts.codes[:, reached], parts.y) if len(reached) else None,
        "highest": rounded(selector.probabilities_.max()),
        "first_elite": rounded(selector.history_[0].elite_share),
    }


def wrapper(parts, seed):
    """Number of columns and error of naive Bayes: columns by ζ, as many as are best for it, and all."""
    common = {**CROSS_ENTROPY, "n_bins": N_BINS, "random_state": seed, "n_jobs": 1}
    by_zeta, by_error = (
        ep.CrossEntropyFS(**common, estimator=model).fit(parts.X, parts.y).order_
        for model in (None, GaussianNB())
    )
    chosen = {"zeta": by_zeta, "wrapper": by_error, "all": np.arange(parts.X.shape[1])}
    return {
        way: [len(columns), error_of(GaussianNB(), parts, columns, parts.X_test, parts.y_test)]
        for way, columns in chosen.items()
    }


def longer_swarm(parts, settings):
    """The swarm with as many rounds as on short tables."""
    common = {"n_bins": 65535, "random_state": settings["repeat"], "n_jobs": 1}
    swarm, seconds = _timed(ep.SwarmFS(**settings["swarm"], **common), parts)
    gap = information_gap(parts.codes[:, swarm.order_], parts.y)
    return {"n": len(swarm.order_), "gap": gap, "seconds": round(seconds, 3)}


def checks(parts, whole_parts, n_subsets):
    """The largest difference between the library, the gaps here and plain loops, over random subsets."""
    rng = np.random.default_rng(0)
    whole, information, gaps = plain_entropy(parts.y.tolist()), [], []
    for codes in (parts.codes, whole_parts):
        for _ in range(n_subsets):
            size = rng.integers(1, min(MAX_CHECKED, codes.shape[1]) + 1)
            chosen = codes[:, rng.choice(codes.shape[1], size, replace=False)]
            rows = list(map(tuple, chosen.tolist()))
            left = plain_entropy(list(zip(rows, parts.y.tolist(), strict=True))) - plain_entropy(rows)
            information.append(abs(ep.mutual_information(chosen, parts.y) - (whole - left)))
            if (gap := information_gap(chosen, parts.y)) is not None:
                gaps.append(abs(gap - left / (whole - left)))
    return {"n": len(information), "information": max(information), "gap": max(gaps)}


def standardised_errors(dataset, y, settings):
    """Errors of 3-NN on the test rows of some splits, on all columns scaled by the training rows."""
    errors = []
    for repeat in range(settings["splits"]):
        parts = split_rows(dataset, y, {**settings, "repeat": repeat})
        scaler = StandardScaler().fit(parts.X)
        scaled = replace(parts, X=scaler.transform(parts.X), X_test=scaler.transform(parts.X_test))
        columns = np.arange(parts.X.shape[1])
        errors.append(neighbour_error(scaled, columns, scaled.X_test, scaled.y_test))
    return {"knn": errors}


def plain_entropy(labels) -> float:
    """Shannon's entropy in bits, by a loop."""
    shares = [n / len(labels) for n in Counter(labels).values()]
    return -sum(share * math.log2(share) for share in shares)


def _timed(selector, parts):
    """The fitted selector, and how long that took, without what is compiled before."""
    clone(selector).fit(parts.codes[:COMPILED_ON], parts.y[:COMPILED_ON])
    start = process_time()
    selector.fit(parts.codes, parts.y)
    return selector, process_time() - start


def scores(parts, columns):
    """Errors (MCE) of naive Bayes and 3-NN on test rows, of 3-NN and 1-NN on training rows, and the gap."""
    columns = np.asarray(columns)
    return {
        "n": len(columns),
        "nb": error_of(GaussianNB(), parts, columns, parts.X_test, parts.y_test),
        "knn": neighbour_error(parts, columns, parts.X_test, parts.y_test),
        "knn_train": neighbour_error(parts, columns, parts.X, parts.y),
        "own_rows": own_rows_error(parts.X[:, columns], parts.y),
        "gap": information_gap(parts.codes[:, columns], parts.y),
    }


def curve(parts, ranking, size):
    """For growing numbers of the most probable columns: number, error of naive Bayes, gap."""
    points = []
    for n in sorted({n for n in (*CURVE, size) if n <= len(ranking)}):
        error = error_of(GaussianNB(), parts, ranking[:n], parts.X_test, parts.y_test)
        points.append([n, error, information_gap(parts.codes[:, ranking[:n]], parts.y)])
    return points

"""What is run for the paper on NEFS, and what its cells compute."""

import time
import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, StratifiedKFold

from entropick import neighborhood_entropy
from entropick.datasets import make_corral, make_hyperspheres, make_nefs_figure1
from reproduction.data import with_attribute_noise
from reproduction.nefs.methods import (
    CLASSIFIERS,
    METHODS,
    SETTINGS,
    K,
    classifier,
    nefs_in_row_order,
    pick,
    scores_of,
)
from reproduction.nefs.wide import wide_cells, wide_fold
from reproduction.protocol import Cell

TIME, AUTHORS, FOUND, BINNINGS, FURTHER, GROWTH = (
    SETTINGS[name] for name in ("time", "authors", "found", "binnings", "further", "growth")
)
PAPER_METHODS = ("NEFS", "SNEFS", "RELIEFF", "X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")
OUR_VARIANTS = ("X-MIFS, quantiles", "mRMR, quantiles")
HASHED = "NEFS, hashed"
IN_ROW_ORDER = "NEFS, ties by row order"  # on CORRAL alone, by plain code
NOISE_SEED = 0
N_FOLDS, QUICK_PAIRS = 10, 1
PARTS_OF_AUTHORS = ("authors", "authors pairs")
PLAIN_TABLES = 20
CORRAL_NAMES = ("A0", "A1", "B0", "B1", "I", "C")
RELEVANT_IN_HYPERSPHERES = frozenset({5, 9, 19, 21, 43, 52, 86})  # numbered from 0


@dataclass(frozen=True)
class Curves:
    """Accuracy against the number of columns on one data set; settings.toml says what the fields mean."""

    name: str
    classifiers: list[str]
    sizes: list[int]
    quick_repeats: int
    shown: str | None = None
    source: str | None = None
    quick_rows: int | None = None
    noise: float = 0.0
    stratified: bool = True
    nefs_rows: int | None = None
    more_methods: tuple[str, ...] = ()

    @property
    def methods(self) -> list[str]:
        """What selects."""
        methods = [*PAPER_METHODS, *OUR_VARIANTS, *self.more_methods]
        return [method for method in methods if method != "NEFS" or self.nefs_rows != 0]


CURVES_OF = {name: Curves(name, **given) for name, given in SETTINGS["curves"].items()}
CURVES = tuple(CURVES_OF.values())
# where the paper shows one classifier in a figure it is used, otherwise the first
CLASSIFIER_OF = {curves.name: curves.shown or curves.classifiers[0] for curves in CURVES}


def cells(quick):
    """All cells, the first repeat of everything before the second."""
    corral, small = SETTINGS["corral"], SETTINGS["small"]
    n_runs, n_draws = (
        (corral["quick_runs"], small["quick_draws"]) if quick else (corral["runs"], small["draws"])
    )
    yield Cell("checks", {"part": "checks", "version": SETTINGS["version"]})
    yield Cell("plain", {"part": "plain", "version": SETTINGS["version"], "tables": PLAIN_TABLES})
    for repeat in range(N_FOLDS):
        for name in AUTHORS["data"]:
            if repeat < (CURVES_OF[name].quick_repeats if quick else AUTHORS["repeats"]):
                yield _authors_cell(CURVES_OF[name], repeat, quick)
            if repeat < (QUICK_PAIRS if quick else AUTHORS["repeats"]):
                yield _authors_pairs_cell(CURVES_OF[name], repeat, quick)
        if repeat * corral["per_cell"] < n_runs:
            settings = {"block": repeat, "runs": corral["per_cell"], "authors": AUTHORS["methods"]}
            yield _cell(f"orders/CORRAL/{repeat}", "orders", **settings)
        for curves in CURVES:
            if repeat < (curves.quick_repeats if quick else N_FOLDS):
                yield _curves_cell(curves, repeat, quick)
            if repeat < (QUICK_PAIRS if quick else N_FOLDS):
                yield _pairs_cell(curves, repeat, quick)
        if repeat * small["per_cell"] < n_draws:
            settings = {
                "block": repeat,
                "draws": small["per_cell"],
                "rows": small["rows"],
                "sizes": small["sizes"],
                "authors": AUTHORS["methods"],
            }
            yield _cell(f"small/SPAMBASE_N/{repeat}", "small", "SPAMBASE_N", **settings)
        if repeat < FOUND["quick_blocks" if quick else "blocks"]:
            chosen = {
                "methods": FOUND["methods"],
                "authors": {m: AUTHORS["methods"][m] for m in FOUND["authors"]},
            }
            yield _cell(
                f"found/HYPERSPHERES/{repeat}", "found", block=repeat, tables=FOUND["per_block"], **chosen
            )
        if repeat == 0:
            yield from _single_cells(quick)
    yield from wide_cells(quick)
    yield from _further_cells(quick)


def _further_cells(quick):
    """More folds and runs, with as many methods and columns as what ten folds leave open needs."""
    for name, chosen in FURTHER.items():
        own = {key: value for key, value in chosen.items() if key not in ("data", "last")}
        data = chosen.get("data", name)
        own["authors"] = {method: AUTHORS["methods"][method] for method in chosen["authors"]}
        rows = CURVES_OF[data].quick_rows if quick else None
        for repeat in range(N_FOLDS, N_FOLDS + QUICK_PAIRS if quick else chosen["last"]):
            key = f"further/{name}/{repeat}{_rows_in_key(rows)}"
            if name == "CORRAL":
                yield _cell(key, "further orders", block=repeat, **own)
            else:
                noise = CURVES_OF[data].noise
                yield _cell(key, "further", data, rows, repeat=repeat, noise=noise, **own)


def _cell(key, part, data=None, rows=None, **settings):
    of_data = {} if data is None else {"data": data}
    own = {"version": SETTINGS["version"], "part": part, **of_data, **settings}
    if data is not None or rows is not None:
        own["rows"] = rows
    return Cell(key, own, CURVES_OF[data].source if data else None)


def _curves_cell(curves, repeat, quick):
    rows = curves.quick_rows if quick else None
    chosen = {"classifiers": curves.classifiers, "sizes": curves.sizes, "methods": curves.methods}
    settings = {"repeat": repeat, **chosen, "nefs_rows": curves.nefs_rows or None, "noise": curves.noise}
    return _cell(
        f"curves/{curves.name}/{repeat}{_rows_in_key(rows)}", "curves", curves.name, rows, **settings
    )


def _pairs_cell(curves, repeat, quick):
    """The same folds with the classifiers that have no curve: all pairs of a data set and a classifier."""
    rows = curves.quick_rows if quick else None
    others = [name for name in CLASSIFIERS if name not in curves.classifiers]
    methods = [name for name in curves.methods if name in PAPER_METHODS]
    settings = {"repeat": repeat, "classifiers": others, "sizes": [curves.sizes[-1]], "methods": methods}
    settings |= {"nefs_rows": curves.nefs_rows or None, "noise": curves.noise}
    return _cell(f"pairs/{curves.name}/{repeat}{_rows_in_key(rows)}", "pairs", curves.name, rows, **settings)


def _authors_cell(curves, repeat, quick):
    """The methods that the authors ran otherwise than this library does by default, in the same folds."""
    return _as_authors("authors", curves, repeat, quick, [CLASSIFIER_OF[curves.name]], curves.sizes)


def _authors_pairs_cell(curves, repeat, quick):
    """The same methods with the other classifiers."""
    others = [name for name in CLASSIFIERS if name != CLASSIFIER_OF[curves.name]]
    return _as_authors("authors pairs", curves, repeat, quick, others, [curves.sizes[-1]])


def _as_authors(part, curves, repeat, quick, classifiers, sizes):
    rows = curves.quick_rows if quick else None
    settings = {"repeat": repeat, "classifiers": classifiers, "sizes": sizes, "noise": curves.noise}
    settings |= {"methods": AUTHORS["methods"], "nefs_rows": curves.nefs_rows or None}
    return _cell(f"{part}/{curves.name}/{repeat}{_rows_in_key(rows)}", part, curves.name, rows, **settings)


def _single_cells(quick):
    """What is run once: binnings, selection on all rows before the folds are made, and the times."""
    rows = CURVES_OF[BINNINGS["data"]].quick_rows if quick else None
    chosen = {name: BINNINGS[name] for name in ("methods", "tried", "size")}
    yield _cell(
        f"binnings/{BINNINGS['data']}{_rows_in_key(rows)}", "binnings", BINNINGS["data"], rows, **chosen
    )
    for name in SETTINGS["whole"]["names"]:
        rows = CURVES_OF[name].quick_rows if quick else None
        yield _cell(
            f"whole/{name}{_rows_in_key(rows)}", "whole", name, rows, sizes=SETTINGS["whole"]["sizes"]
        )
    yield _cell("growth", "growth", **{name: GROWTH[name] for name in ("base", "factor")})
    for n, d in TIME["tables"][: TIME["quick_tables"] if quick else None]:
        yield _cell(f"time/{n}x{d}", "time", rows=n, columns=d, picks=TIME["picks"])


def _rows_in_key(rows) -> str:
    """The short version has keys of its own, so that both can stand in one file."""
    return "" if rows is None else f"/{rows} rows"


def run(cell, data):
    """The result of a cell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper stops the perceptron early on purpose
        return PARTS[cell.settings["part"]](cell.settings, data)


def corral_orders(settings, data):
    """The first four picks of every method, one run after the other, each with its own order of rows."""
    first = settings["block"] * settings["runs"]
    runs = range(first, first + settings["runs"])
    tables = {seed: make_corral(random_state=seed) for seed in runs}
    orders = _picks_in_both_readings(tables, 4, PAPER_METHODS, settings["authors"])
    orders["curves"][IN_ROW_ORDER] = [nefs_in_row_order(*make_corral(), 4, seed) for seed in runs]
    return orders


def further_orders(settings, data):
    """First picks on CORRAL in further runs, in both readings."""
    first = settings["block"] * settings["runs"]
    tables = {seed: make_corral(random_state=seed) for seed in range(first, first + settings["runs"])}
    return _picks_in_both_readings(tables, settings["picks"], settings["methods"], settings["authors"])


def columns_found(settings, data):
    """Picks on further tables of HYPERSPHERES, in both readings."""
    first = N_FOLDS + settings["block"] * settings["tables"]  # the folds have tables of their own
    seeds = range(first, first + settings["tables"])
    tables = {seed: make_hyperspheres(random_state=seed) for seed in seeds}
    return _picks_in_both_readings(tables, 7, settings["methods"], settings["authors"])


def _picks_in_both_readings(tables, n_picks, methods, authors):
    def picks(method, known):
        return [pick(method, table, n_picks, seed, known) for seed, table in tables.items()]

    return _in_both_readings(picks, methods, authors)


def _in_both_readings(find, methods, authors):
    """What is found of each method as this library runs it, and of some as the authors ran them."""
    return {
        "curves": {m: find(m, METHODS) for m in methods},
        "authors": {m: find(m, authors) for m in authors},
    }


def curves_of_fold(settings, data):
    """Orders of all methods on the training part of a fold, and the accuracy on its test part."""
    repeat = settings["repeat"]
    X, y = load(settings["data"], data, settings["rows"], repeat)
    train, test = list(_folds(settings["data"], X, y))[repeat]
    n_picks = min(max(settings["sizes"]), X.shape[1])
    parts = (X[train], y[train]), (X[test], y[test])
    few = parts[0] if settings["nefs_rows"] is None else _some_rows(*parts[0], settings["nefs_rows"], repeat)
    by_authors = settings["methods"] if settings["part"] in PARTS_OF_AUTHORS else METHODS
    orders = {
        method: pick(method, few if method == "NEFS" else parts[0], n_picks, repeat, by_authors)
        for method in settings["methods"]
    }
    accuracy = {
        name: scores_of(orders, classifier(name, repeat), settings["sizes"], *parts)
        for name in settings["classifiers"]
    }
    return {"orders": orders, "accuracy": accuracy}


def further_fold(settings, data):
    """Accuracies on a fold of another split into folds, or on another table, in both readings."""
    name, repeat = settings["data"], settings["repeat"]
    X, y = load(name, data, settings["rows"], repeat)
    train, test = list(_folds(name, X, y, repeat // N_FOLDS))[repeat % N_FOLDS]
    parts = (X[train], y[train]), (X[test], y[test])
    sizes, model = settings["sizes"], classifier(CLASSIFIER_OF[name], repeat)

    def accuracies(method, known):
        few = _some_rows(*parts[0], settings.get("nefs_rows", len(y)), repeat)
        orders = {method: pick(method, few if method == "NEFS" else parts[0], max(sizes), repeat, known)}
        return scores_of(orders, model, sizes, *parts)[method]

    return _in_both_readings(accuracies, settings["methods"], settings["authors"])


def curves_of_few_rows(settings, data):
    """Selection and training on a few rows drawn at random, the accuracy on all others; draw by draw."""
    X, y = load(settings["data"], data)
    first, sizes = settings["block"] * settings["draws"], settings["sizes"]

    def accuracies(method, known):
        found = []
        for seed in range(first, first + settings["draws"]):
            few, others = np.split(np.random.default_rng(seed).permutation(len(y)), [settings["rows"]])
            train, test = (X[few], y[few]), (X[others], y[others])
            orders = {method: pick(method, train, max(sizes), seed, known)}
            found.append(scores_of(orders, classifier("RF", seed), sizes, train, test)[method])
        return found

    return _in_both_readings(accuracies, PAPER_METHODS + OUR_VARIANTS, settings["authors"])


def accuracy_by_binning(settings, data):
    """The accuracy of RF in the first fold, with columns cut in several ways."""
    X, y = load(settings["data"], data, settings["rows"])
    train, test = next(_folds(settings["data"], X, y))
    parts, size = ((X[train], y[train]), (X[test], y[test])), settings["size"]
    found = []
    for binning, n_bins in settings["tried"]:
        cut = {m: {**METHODS[m], "binning": binning, "n_bins": n_bins} for m in settings["methods"]}
        orders = {method: pick(method, parts[0], size, 0, cut) for method in cut}
        scores = scores_of(orders, classifier("RF", 0), [size], *parts)
        found.append({method: accuracy for method, [accuracy] in scores.items()})
    return found


def curves_after_selection_on_all_rows(settings, data):
    """Selection sees the test rows too, then the folds are made: too good to be true."""
    X, y = load(settings["data"], data, settings["rows"])
    methods = PAPER_METHODS + OUR_VARIANTS
    orders = {method: pick(method, (X, y), max(settings["sizes"]), 0) for method in methods}
    results = {method: [] for method in methods}
    for fold, (train, test) in enumerate(_folds(settings["data"], X, y)):
        parts = (X[train], y[train]), (X[test], y[test])
        for method, values in scores_of(orders, classifier("RF", fold), settings["sizes"], *parts).items():
            results[method].append(values)
    return {"orders": orders, "accuracy": results}


def cpu_times(settings, data):
    """Seconds of processor time of one thread for some picks."""
    X = np.random.default_rng(0).uniform(size=(settings["rows"], settings["columns"]))
    y = (X[:, 0] + X[:, 1] > 1).astype(np.int64)
    methods = [m for m in (*PAPER_METHODS, HASHED) if X.size <= TIME["limits"].get(m, X.size)]
    return {method: _seconds(method, (X, y), settings["picks"]) for method in methods}


def growing_times(settings, data):
    """Seconds of each method on a small table, and with more rows, more columns and more picks of it."""
    base, factor = settings["base"], settings["factor"]
    sizes = {"base": base, **{name: {**base, name: factor * base[name]} for name in base}}
    found: dict[str, dict[str, float]] = {method: {} for method in GROWTH["printed"]}
    for name, size in sizes.items():
        X = np.random.default_rng(0).uniform(size=(size["rows"], size["columns"]))
        y = (X[:, 0] + X[:, 1] > 1).astype(np.int64)
        for method in found:
            found[method][name] = _seconds(method, (X, y), size["picks"])
    return found


def checks(settings, data):
    """Neighborhood entropies beside plain code, Fig. 1, and the share of rows that are visited."""
    compared, visits = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.uniform(size=(400, 2)), rng.integers(0, 3, 400)
        near = plain_neighborhoods(X / np.ptp(X, axis=0))
        plain = np.mean([_entropy_of(y[rows]) for rows in near])
        compared.append(abs(neighborhood_entropy(y, X, n_neighbors=K, every_row=True) - plain))
        seen = np.zeros(len(y), bool)
        visits.append(sum(_visit(rows, seen) for rows in near[rng.permutation(len(y))]) / len(y))
    figure = {
        labels: [neighborhood_entropy(y, X, n_neighbors=K, random_state=0) for X, y in tables]
        for labels in ("random", "corner")
        if (tables := [make_nefs_figure1(labels, random_state=seed) for seed in range(20)])
    }
    return {"largest_difference": float(max(compared)), "visited": visits, "figure_1": figure}


def plain_picks(settings, data):
    """On how many tables X-MIFS, mRMR and RRPC pick the columns that plain code picks."""
    same = dict.fromkeys(("X-MIFS", "mRMR", "RRPC_S"), 0)
    for seed in range(settings["tables"]):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(400, 8)) + rng.normal(size=(400, 1))
        y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=400) > 0).astype(np.int64)
        codes = (X > (X.max(axis=0) + X.min(axis=0)) / 2).astype(np.int64)
        correlation = np.abs(np.corrcoef(np.column_stack([X, y]), rowvar=False))
        scores = {
            "X-MIFS": lambda j, picks, c=codes, y=y: _shared(_joint(c[:, [*picks, j]]), y),
            "mRMR": lambda j, picks, c=codes, y=y: (
                _shared(c[:, j], y) - np.mean([_shared(c[:, j], c[:, i]) for i in picks] or [0])
            ),
            "RRPC_S": lambda j, picks, r=correlation: r[j, -1] - np.mean([r[j, i] for i in picks] or [0]),
        }
        for method, score in scores.items():
            picks: list[int] = []
            while len(picks) < 4:
                left = [j for j in range(X.shape[1]) if j not in picks]
                picks.append(max(left, key=lambda j: score(j, picks)))
            same[method] += picks == pick(method, (X, y), 4, seed)
    return same


def _joint(codes):
    return np.unique(codes, axis=0, return_inverse=True)[1].ravel()


def _shared(one, other) -> float:
    """Mutual information."""
    return _entropy_of(one) + _entropy_of(other) - _entropy_of(_joint(np.column_stack([one, other])))


def plain_neighborhoods(X):
    """Each row with its nearest rows by L1 distance, itself first; sorted anew for each row."""
    near = [np.argsort(np.abs(X - row).sum(axis=1), kind="stable")[: K + 1] for row in X]
    return np.array(near)


def _entropy_of(labels) -> float:
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return -float(shares @ np.log2(shares))


def _visit(rows, seen) -> bool:
    """Whether a row is visited; all rows of its neighbourhood are seen then."""
    if seen[rows[0]]:
        return False
    seen[rows] = True
    return True


PARTS = {
    "orders": corral_orders,
    "authors": curves_of_fold,
    "authors pairs": curves_of_fold,
    "binnings": accuracy_by_binning,
    "checks": checks,
    "curves": curves_of_fold,
    "found": columns_found,
    "further": further_fold,
    "further orders": further_orders,
    "growth": growing_times,
    "plain": plain_picks,
    "pairs": curves_of_fold,
    "small": curves_of_few_rows,
    "whole": curves_after_selection_on_all_rows,
    "wide": wide_fold,
    "time": cpu_times,
}


def load(name, data, n_rows=None, repeat=0):
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
    return (X, y) if n_rows is None else _some_rows(X, y, n_rows, 0)


def _some_rows(X, y, n_rows, seed):
    if n_rows >= len(y):
        return X, y
    chosen = np.random.default_rng(seed).permutation(len(y))[:n_rows]
    return X[chosen], y[chosen]


def _folds(name, X, y, seed=0):
    folds = StratifiedKFold if CURVES_OF[name].stratified else KFold
    return folds(N_FOLDS, shuffle=True, random_state=seed).split(X, y)


def _seconds(method, table, n_picks) -> float:
    """The least of three runs, of one where it is long; loops are compiled before the clock starts."""
    pick(method, (table[0][:200], table[1][:200]), 2, 0)
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < 1:
        start = time.process_time()
        pick(method, table, n_picks, 0)
        seconds.append(time.process_time() - start)
    return round(min(seconds), 5)

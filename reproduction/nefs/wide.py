"""Tables with far more columns than rows, where SMK is missing: cells, and whether its claims hold there."""

import numpy as np
from scipy.stats import friedmanchisquare
from sklearn.model_selection import StratifiedKFold

from reproduction.nefs.methods import SETTINGS, classifier, pick, scores_of
from reproduction.protocol import Cell
from reproduction.texts import need
from reproduction.verdicts import Finding, Mean, all_of

WIDE = SETTINGS["wide"]
OVERLAP = 1 / (WIDE["folds"] - 1)
BEST = ("X-MIFS", "SNEFS")


def wide_cells(quick):
    """Fold by fold."""
    chosen = {name: WIDE[name] for name in ("folds", "classifier", "size", "methods")}
    for fold in range(2 if quick else WIDE["folds"]):
        for name, source in WIDE["data"].items():
            settings = {"version": SETTINGS["version"], "part": "wide", "table": name, "source": source}
            yield Cell(f"wide/{name}/{fold}", {**settings, "fold": fold, **chosen}, source)


def wide_fold(settings, data):
    """The accuracy of each method on one fold."""
    dataset, fold, size = data.load(settings["source"]), settings["fold"], settings["size"]
    X, y = dataset.X.astype(np.float64), dataset.y.astype(np.int64)
    folds = StratifiedKFold(settings["folds"], shuffle=True, random_state=0)
    train, test = list(folds.split(X, y))[fold]
    orders = {method: pick(method, (X[train], y[train]), size, fold) for method in settings["methods"]}
    model, parts = classifier(settings["classifier"], fold), ((X[train], y[train]), (X[test], y[test]))
    return {method: found[0] for method, found in scores_of(orders, model, [size], *parts).items()}


def _tables(readings):
    """Accuracies by table and method, (folds)."""
    found: dict = {}
    for record in readings.results.where(part="wide"):
        of_table = found.setdefault(record.settings["table"], {})
        for method, accuracy in record.result.items():
            of_table.setdefault(method, []).append(accuracy)
    need(found, all(len(values) > 1 for of_table in found.values() for values in of_table.values()))
    return found


def best_on_wide(readings):
    """Each of the two ahead of each other method, on every table."""
    tables, leads = _tables(readings), []
    for of_table in tables.values():
        others = [method for method in of_table if method not in BEST]
        pairs = [np.subtract(of_table[one], of_table[other]) for one in BEST for other in others]
        leads += [Mean(gap.tolist(), "folds", OVERLAP).above(0) for gap in pairs]
    means = {name: {m: np.mean(values) for m, values in found.items()} for name, found in tables.items()}
    ranked = {name: sorted(found.items(), key=lambda item: -item[1]) for name, found in means.items()}
    shown = [
        f"{name}: " + ", ".join(f"{method} {mean:.3f}" for method, mean in found)
        for name, found in ranked.items()
    ]
    return {"finding": all_of(leads), "means": "; ".join(shown)}


def no_difference_on_wide(readings):
    """Friedman's test on each table: it can show a difference, never that there is none."""
    p = {name: float(friedmanchisquare(*found.values()).pvalue) for name, found in _tables(readings).items()}
    return {"finding": Finding(1.0, min(1.0, min(p.values()) * len(p))), "p": p}

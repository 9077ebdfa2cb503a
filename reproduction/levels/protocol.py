"""How many levels a numeric column should have: every number tried, judged on test rows."""

import warnings

import numpy as np

from reproduction.protocol import Cell
from reproduction.scores import make_selector
from reproduction.stopping.protocol import TRAIN_SHARE, make_task
from reproduction.texts import Texts

TEXTS = Texts("levels")
DATASETS = (
    "abalone", "arrhythmia", "blogfeedback", "colon", "dexter", "forestfires", "gas_partial", "gesture_c3",
    "ionosphere", "leukemia", "lung_gordon", "madelon", "prostate", "segment", "spambase", "usps", "wdbc",
)  # with columns of more than ten values  # fmt: skip
CHOOSE, CONFIRM = "choose", "confirm"
HALF_OF = {name: (CHOOSE, CONFIRM)[i % 2] for i, name in enumerate(DATASETS)}
METHODS = ("JMI", "MRMR", "CMIM", "MIM")
LEVELS = (2, 3, 4, 5, 6, 8, 10, 14)
USUAL = 10
ROWS = (40, 80, 160, 320, 1000)  # to learn from
N_KEPT = 10
N_SPLITS, QUICK_SPLITS = 4, 1


def cells(quick):
    """One cell per data set, number of rows and split, all data sets before the next split."""
    for split in range(QUICK_SPLITS if quick else N_SPLITS):
        for dataset in DATASETS:
            for n_rows in ROWS:
                settings = {"dataset": dataset, "rows": n_rows, "split": split}
                yield Cell(f"{dataset}/{n_rows}/{split}", settings, dataset)


def run(cell, data):
    """The score of ten columns, by method and number of levels; None where rows are too few."""
    dataset, n_rows = data.load(cell.settings["dataset"]), cell.settings["rows"]
    if n_rows > TRAIN_SHARE * len(dataset.y):
        return None
    task = make_task(dataset, cell.settings["split"], n_rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rare classes, constant columns
        scores = {method: [_score(task, method, n_bins) for n_bins in LEVELS] for method in METHODS}
    n_classes = len(np.unique(task.y[task.train])) if task.is_class else None
    return {"scores": scores, "classes": n_classes, "tests": len(task.test)}


def _score(task, method, n_bins) -> float:
    """The mean of three estimators on the test rows."""
    given = {"n_bins": n_bins, "random_state": task.seed, "n_jobs": 1}
    target = "class" if task.is_class else "real"
    n_features = min(N_KEPT, task.X.shape[1])
    selector = make_selector(method, n_features=n_features, target=target, **given)
    selector.fit(task.X[task.train], task.y[task.train])
    return round(float(np.mean(task.scores(selector.order_))), 4)


N_DATASETS, METHODS_LISTED, LEVELS_LISTED, ROWS_LISTED = (
    len(DATASETS),
    list(METHODS),
    list(LEVELS),
    list(ROWS),
)

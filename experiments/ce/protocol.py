"""The protocol of the cross-entropy paper as data, and what one cell of it does."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time  # other work on the machine does not count
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from entropick.exceptions import SelectionWarning
from entropick.selectors.pairwise import CMIM, DISR, MRMR
from entropick.selectors.subsets import CrossEntropyFS, SwarmFS
from experiments.data import Data, Dataset
from experiments.protocol import Cell

RIVALS = {"DISR": DISR, "CMIM": CMIM, "mRMR": MRMR}
METHODS = ("CE", *RIVALS, "PSO")
CROSS_ENTROPY: dict[str, Any] = {"n_samples": 5000, "quantile": 0.25, "end_share": 0.95, "zeta": 0.9}
SWARM: dict[str, Any] = {"n_particles": 30, "n_rounds": 300}  # the paper gives none
N_BINS = 10  # of equal counts, for real columns; the paper does not say how it counts them
TEST_SHARE = 0.1
NEIGHBOURS = 3
COMPILED_ON = 60  # rows of a first fit
MOST_TESTED = 1000  # rows that 3-NN classifies, of the test and of the training part
CURVE = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 150, 200, 280)


@dataclass(frozen=True)
class Task:
    """A data set with its target made into classes.

    Attributes
    ----------
    label : its name in the tables
    file : its name in the folder
    target : "class" for the classes of the file, "y_class" for its yes/no version of a number, "bins" for 20
        bins of equal width, "counts" for counts with all above 20 in one class
    cardinality : how many columns the paper's method chose
    repeats : splits
    most_rows : a random part of so many rows is used
    """

    label: str
    file: str
    target: str
    cardinality: int
    repeats: int
    most_rows: int = 100_000


TASKS = {
    task.label: task
    for task in (
        Task("Cancer Breast", "wdbc", "class", 20, 20),
        Task("Forest Fires", "forestfires", "bins", 5, 20),
        Task("Forest Fires, fire or none", "forestfires", "y_class", 5, 20),
        Task("Gesture Phase", "gesture_c3", "class", 29, 10),
        Task("Advertisements", "ads_998", "class", 39, 3),
        Task("Blog Feedback", "blogfeedback", "counts", 93, 3, 5000),
        Task("Blog Feedback, comments or none", "blogfeedback", "y_class", 93, 3, 5000),
        Task("Connect-4", "connect4", "class", 32, 4),
    )
}
QUICK_ROWS = {"Blog Feedback": 2500, "Blog Feedback, comments or none": 2500, "Connect-4": 4000}
QUICK_REPEATS = {"Cancer Breast": 3, "Forest Fires": 3, "Forest Fires, fire or none": 3, "Gesture Phase": 2}


def cells(quick: bool) -> Iterator[Cell]:
    """Repeat by repeat; the printed rule of the algorithm on the first split of each table."""
    n_repeats = {name: QUICK_REPEATS.get(name, 1) if quick else task.repeats for name, task in TASKS.items()}
    for repeat in range(max(n_repeats.values())):
        for name, task in TASKS.items():
            if repeat < n_repeats[name]:
                yield _cell("table", task, repeat, quick)
            if repeat == 0:
                yield _cell("printed rule", task, repeat, quick)


def _cell(kind: str, task: Task, repeat: int, quick: bool) -> Cell:
    rows = QUICK_ROWS.get(task.label, task.most_rows) if quick else task.most_rows
    settings = {
        "kind": kind,
        "data": task.label,
        "repeat": repeat,
        "rows": rows,
        "bins": N_BINS,
        "cross_entropy": CROSS_ENTROPY,
        "swarm": SWARM,
    }
    of_rows = f", {rows} rows" if rows < 60_000 else ""
    return Cell(f"{task.label}/{kind}/{repeat}{of_rows}", settings, task.file)


def run(cell: Cell, data: Data) -> Any:
    """What a cell gives."""
    task = TASKS[cell.settings["data"]]
    dataset = data.load(task.file)
    parts = split_rows(dataset, classes_of(dataset, task), cell.settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)  # where no probability reaches zeta
        if cell.settings["kind"] == "printed rule":
            return printed_rule(parts, cell.settings["repeat"])
        return table(parts, task.cardinality, cell.settings["repeat"])


# -- data ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parts:
    """Training and test rows: numbers for the classifiers, codes for the selectors.

    Attributes
    ----------
    X, y, codes : training rows
    X_test, y_test : test rows
    """

    X: np.ndarray
    y: np.ndarray
    codes: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def classes_of(dataset: Dataset, task: Task) -> np.ndarray:
    """The target as classes."""
    y = dataset.extra["y_class"] if task.target == "y_class" else dataset.y
    if task.target == "bins":
        y = np.searchsorted(np.linspace(y.min(), y.max(), 21)[1:-1], y)
    elif task.target == "counts":
        y = np.minimum(y, 21)
    return np.asarray(y).astype(np.int64)


def split_rows(dataset: Dataset, y: np.ndarray, settings: Any) -> Parts:
    """Some rows of a data set, a tenth of them to test on."""
    chosen = np.random.default_rng(0).permutation(len(y))[: settings["rows"]]
    X, y = dataset.X[chosen], y[chosen]
    train, test = train_test_split(np.arange(len(y)), test_size=TEST_SHARE, random_state=settings["repeat"])
    codes = np.column_stack([codes_of(X[train, j], dataset.categorical[j]) for j in range(X.shape[1])])
    middle = np.nanmedian(X[train], axis=0)
    filled = np.where(np.isnan(X), middle, X)
    return Parts(filled[train], y[train], codes, filled[test], y[test])


def codes_of(column: np.ndarray, categorical: bool) -> np.ndarray:
    """A column as codes: its values where they are few or names, else bins of equal counts; NaN is a code."""
    known = column[~np.isnan(column)]
    if not categorical and len(np.unique(known)) > N_BINS:
        edges = np.unique(np.quantile(known, np.linspace(0, 1, N_BINS + 1)[1:-1]))
        codes = np.searchsorted(edges, column, side="right")
        return np.where(np.isnan(column), len(edges) + 1, codes)
    return np.unique(column, return_inverse=True)[1]


# -- one split -------------------------------------------------------------------------------


def table(parts: Parts, cardinality: int, seed: int) -> dict[str, Any]:
    """All methods at the size the cross-entropy method chose and at the paper's, and its curve over sizes."""
    found, seconds = _timed(CrossEntropyFS(**CROSS_ENTROPY, **_common(seed)), parts)
    size = int(found.n_features_)
    ranking = ranking_of(found)
    n_columns = parts.X.shape[1]
    own = {"CE": np.asarray(found.order_)}
    at_paper_size = {"CE": ranking[:cardinality]}
    times = {"CE": seconds}
    for name, method in RIVALS.items():
        selector = method(min(n_columns, max(size, cardinality)), n_bins=65535, n_jobs=1)
        rival, times[name] = _timed(selector, parts)
        own[name], at_paper_size[name] = rival.order_[:size], rival.order_[:cardinality]
    swarm, times["PSO"] = _timed(SwarmFS(**SWARM, **_common(seed)), parts)
    own["PSO"] = np.asarray(swarm.order_)
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
        "largest_class": _rounded(np.bincount(parts.y_test).max() / len(parts.y_test)),
    }


def _common(seed: int) -> dict[str, Any]:
    """Every code is a level of its own; one thread."""
    return {"n_bins": 65535, "random_state": seed, "n_jobs": 1}


def ranking_of(selector: Any) -> np.ndarray:
    """All columns by their probability, of equal ones by its mean over the rounds."""
    mean = np.mean([draw.probabilities for draw in selector.history_], axis=0)
    order: np.ndarray = np.lexsort((-mean, -selector.probabilities_))
    return order


def printed_rule(parts: Parts, seed: int) -> dict[str, Any]:
    """The algorithm as printed, without the rule that of equally good subsets the smaller is better."""
    selector, seconds = _timed(CrossEntropyFS(**CROSS_ENTROPY, parsimony=False, **_common(seed)), parts)
    reached = np.flatnonzero(selector.probabilities_ >= CROSS_ENTROPY["zeta"])
    return {
        "rounds": len(selector.history_),
        "seconds": round(seconds, 3),
        "reached": len(reached),
        "gap": information_gap(parts.codes[:, reached], parts.y) if len(reached) else None,
        "highest": _rounded(float(selector.probabilities_.max())),
        "first_elite": _rounded(float(selector.history_[0].elite_share)),
    }


def _timed(selector: Any, parts: Parts) -> tuple[Any, float]:
    """The fitted selector, and how long that took, without what is compiled before."""
    clone(selector).fit(parts.codes[:COMPILED_ON], parts.y[:COMPILED_ON])
    start = process_time()
    selector.fit(parts.codes, parts.y)
    return selector, process_time() - start


# -- scores ----------------------------------------------------------------------------------


def scores(parts: Parts, columns: np.ndarray) -> dict[str, Any]:
    """Errors (MCE) of naive Bayes and 3-NN on test rows, of 3-NN and 1-NN on training rows, and the gap."""
    columns = np.asarray(columns)
    return {
        "n": len(columns),
        "nb": naive_bayes_error(parts, columns),
        "knn": neighbour_error(parts, columns, parts.X_test, parts.y_test),
        "knn_train": neighbour_error(parts, columns, parts.X, parts.y),
        "own_rows": own_rows_error(parts.X[:, columns], parts.y),
        "gap": information_gap(parts.codes[:, columns], parts.y),
    }


def naive_bayes_error(parts: Parts, columns: np.ndarray) -> float:
    """Share of wrong test rows, with a normal density for each class and column."""
    fitted = GaussianNB().fit(parts.X[:, columns], parts.y)
    return _rounded(np.mean(fitted.predict(parts.X_test[:, columns]) != parts.y_test))


def neighbour_error(parts: Parts, columns: np.ndarray, X: np.ndarray, y: np.ndarray) -> float:
    """Share of wrong rows of X with 3-NN on the training rows."""
    fitted = KNeighborsClassifier(NEIGHBOURS, n_jobs=1).fit(parts.X[:, columns], parts.y)
    some = slice(MOST_TESTED)
    return _rounded(np.mean(fitted.predict(X[some][:, columns]) != y[some]))


def information_gap(codes: np.ndarray, y: np.ndarray) -> float | None:
    """ΔI_r = (H(y) − I(S;y)) / I(S;y) on the training rows; None where the columns tell nothing."""
    rows = equal_rows(codes)
    left = entropy_of(rows * (y.max() + 1) + y) - entropy_of(rows)
    gain = entropy_of(y) - left
    return _rounded(max(0.0, left) / gain) if gain > 1e-12 else None


def own_rows_error(X: np.ndarray, y: np.ndarray) -> float:
    """Share of rows outside the largest class among the rows equal to them: the error of 1-NN on its rows."""
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
    n_classes = int(y.max()) + 1
    counts = np.bincount(equal_rows(codes) * n_classes + y)
    counts = np.append(counts, np.zeros(-len(counts) % n_classes, dtype=np.int64)).reshape(-1, n_classes)
    return _rounded(1 - counts.max(axis=1).sum() / len(y))


def equal_rows(codes: np.ndarray) -> np.ndarray:
    """A number for each row, the same for equal rows."""
    weights = np.random.default_rng(0).integers(1, 2**62, size=(codes.shape[1],))
    numbers: np.ndarray = np.unique(codes @ weights, return_inverse=True)[1]  # sums wrap around
    return numbers


def entropy_of(labels: np.ndarray) -> float:
    """Shannon's entropy in bits."""
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log2(shares)).sum())


def curve(parts: Parts, ranking: np.ndarray, size: int) -> list[list[Any]]:
    """For growing numbers of the most probable columns: number, error of naive Bayes, gap."""
    sizes = sorted({n for n in (*CURVE, size) if n <= len(ranking)})
    return [
        [n, naive_bayes_error(parts, ranking[:n]), information_gap(parts.codes[:, ranking[:n]], parts.y)]
        for n in sizes
    ]


def _rounded(value: float) -> float:
    return round(float(value), 5)

"""What is run for the Inf-FS paper: data, splits, sizes, classifier; and one cell of it."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy.sparse
import scipy.stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

import entropick as ep
from experiments.data import Data, Dataset
from experiments.inffs.methods import (
    FIXED_S,
    FIXED_U,
    INFFS_S,
    INFFS_U,
    NOT_HERE,
    SUPERVISED,
    UNSUPERVISED,
    Ranking,
    rank,
    tuned_linear_svm,
)
from experiments.protocol import Cell
from experiments.scores import accuracy_at_sizes

MICROARRAYS = ("colon", "leukemia", "lung_gordon", "lymphoma_96", "prostate")
CHALLENGE = ("madelon", "dexter", "gisette", "gina")
DATASETS = MICROARRAYS + CHALLENGE
SIZES = (10, 50, 100, 150, 200)
QUICK_SIZES = (10, 50, 200)
TEST_SHARE = 0.3
REPEATS = {"supervised": 8, "unsupervised": 4}
QUICK_REPEATS = {"supervised": 3, "unsupervised": 2}
METHODS = {"supervised": SUPERVISED, "unsupervised": UNSUPERVISED}
MOST_COLUMNS = {"UDFS": 2000}  # it works on a matrix of columns by columns, again and again
QUICK_MOST_COLUMNS = {"UDFS": 1000, "LLCFS": 5000}
SVM: dict[str, Any] = {"solver": "libsvm", "C": [0.001, 0.01, 0.1, 1, 10], "folds": 5}
SVM_OF_MANY_ROWS: dict[str, Any] = {**SVM, "solver": "liblinear"}  # libsvm takes minutes on MADELON
COMPARED_REGULARIZATION = ("colon", "leukemia", "madelon", "prostate")
COMPARED_NAIVE = ("colon", "madelon")

PROTOCOL = f"""
- Data: COLON, LEUKEMIA, LUNG, PROSTATE as in the paper, values as they are. LYMPHOMA is another version:
  96 samples, and the largest class (46) against the others, since the two subtypes of the paper are not
  labelled. MADELON: the 2000 rows of the paper. DEXTER: the 600 rows that have labels. GISETTE and GINA
  are taken where there is a file; VOC 2007 and Caltech 101 (outputs of a neural network) are not at hand.
- Splits: {TEST_SHARE:.0%} of the rows for the test, classes in proportion; {REPEATS["supervised"]} splits
  for the supervised methods, the first {REPEATS["unsupervised"]} of them for the unsupervised ones (the
  paper: 20). Columns that are constant in the training rows are left out. Ranking, weights and C see the
  training rows alone; as the paper describes its protocol, it does not leak either.
- Sizes: the first {", ".join(map(str, SIZES))} columns, and for Inf-FS and LASSO those that the method
  itself keeps (mean shift; weights other than 0).
- Classifier: linear SVM on standardised columns, C in {SVM["C"]} by 5-fold cross-validation on the
  training rows. On MADELON and DEXTER (more than 400 training rows) the squared hinge loss takes the
  place of the hinge loss, for its speed.
- Inf-FS: weights by cross-validation on the training rows (`alpha="cv"`) as in the paper, and the default
  weights beside it.
- The others with the defaults of this library: {", ".join(SUPERVISED[2:])} (supervised);
  {", ".join(UNSUPERVISED[2:])} (unsupervised; UDFS up to {MOST_COLUMNS["UDFS"]} columns, its cost grows with
  their cube). MI is that of 10 levels of equal frequency. RFE drops a fifth of the columns in each round.
  LASSO is a linear SVM with the L1 norm and the squared hinge loss. Not at hand: {", ".join(NOT_HERE)}.
- The short version: {QUICK_REPEATS["supervised"]} and {QUICK_REPEATS["unsupervised"]} splits, sizes
  {", ".join(map(str, QUICK_SIZES))}, default weights alone, LLCFS up to {QUICK_MOST_COLUMNS["LLCFS"]}
  columns.
"""


def cells(quick: bool) -> Iterable[Cell]:
    """Split after split; what is exact comes first."""
    for name in COMPARED_NAIVE:
        yield Cell(f"naive/{name}", {"part": "naive", "data": name}, name)
    for name in COMPARED_REGULARIZATION:
        yield Cell(f"regularization/{name}", {"part": "regularization", "data": name}, name)
    repeats = QUICK_REPEATS if quick else REPEATS
    for repeat in range(max(repeats.values())):
        for group in METHODS:
            if repeat < repeats[group]:
                for name in DATASETS:
                    yield _accuracy_cell(name, group, repeat, quick)


def _accuracy_cell(name: str, group: str, repeat: int, quick: bool) -> Cell:
    """The accuracies of all methods of a group on one split."""
    methods = [method for method in METHODS[group] if not (quick and method in (FIXED_S, FIXED_U))]
    settings = {
        "part": "accuracy",
        "data": name,
        "group": group,
        "methods": methods,
        "alpha": None if quick else "cv",
        "most_columns": QUICK_MOST_COLUMNS if quick else MOST_COLUMNS,
        "repeat": repeat,
        "test_share": TEST_SHARE,
        "sizes": list(QUICK_SIZES if quick else SIZES),
        "svm": SVM if name in MICROARRAYS else SVM_OF_MANY_ROWS,
    }
    return Cell(f"{name}/{group}/{repeat}{'/quick' if quick else ''}", settings, name)


def run(cell: Cell, data: Data) -> Any:
    """What a cell gives."""
    dataset = prepared(data.load(cell.settings["data"]))
    part = cell.settings["part"]
    if part == "naive":
        return compared_with_naive(dataset.X, dataset.y)
    if part == "regularization":
        return compared_regularizations(dataset.X, dataset.y)
    return accuracies(dataset, cell.settings)


def prepared(dataset: Dataset) -> Dataset:
    """The rows and classes of the paper, as far as they can be had."""
    if dataset.name == "madelon" and "split" in dataset.extra:
        dataset = dataset.rows(np.flatnonzero(dataset.extra["split"] == "train"))
    if dataset.name == "lymphoma_96":
        largest = np.bincount(dataset.y).argmax()
        dataset = Dataset(**{**vars(dataset), "y": (dataset.y == largest).astype(np.int64)})
    return dataset


def accuracies(dataset: Dataset, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Rank on the training rows of one split with each method, and test the first columns.

    Returns
    -------
    dict from method to its `accuracy` at the sizes; where the method chooses a number of columns itself also
    `kept`, the number, and `kept_accuracy`; `weights` of Inf-FS
    """
    repeat = settings["repeat"]
    train, test = train_test_split(
        np.arange(len(dataset.y)), test_size=settings["test_share"], stratify=dataset.y, random_state=repeat
    )
    X = dataset.X.toarray() if scipy.sparse.issparse(dataset.X) else dataset.X
    varying = np.ptp(X[train], axis=0) > 0
    X = np.ascontiguousarray(X[:, varying])
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of the largest C, which is hardly ever chosen
        for method in settings["methods"]:
            if X.shape[1] <= settings["most_columns"].get(method, np.inf):
                y = dataset.y
                ranking = rank(method, X[train], y[train], settings["sizes"][-1], repeat, settings["alpha"])
                found[method] = _tested(ranking, (X[train], y[train]), (X[test], y[test]), settings)
    return found


def _tested(
    ranking: Ranking, rows: tuple[Any, Any], held_out: tuple[Any, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    model = tuned_linear_svm(settings["svm"], settings["repeat"])
    sizes = list(settings["sizes"]) + ([] if ranking.kept is None else [ranking.kept])
    scores = [round(score, 5) for score in accuracy_at_sizes(model, ranking.columns, sizes, rows, held_out)]
    found: dict[str, Any] = {"accuracy": scores[: len(settings["sizes"])]}
    if ranking.kept is not None:
        found.update(kept=ranking.kept, kept_accuracy=scores[-1])
    if ranking.weights is not None:
        found["weights"] = ranking.weights
    return found


# -- exact statements ------------------------------------------------------------------------


def compared_with_naive(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """The scores of the library beside those of the whole matrix and its inverse, as in the paper."""
    X = X[:, np.ptp(X, axis=0) > 0]
    spread = X.std(axis=0) / X.std(axis=0).max()
    correlation = np.abs(scipy.stats.spearmanr(X).statistic)
    without_y = 0.5 * np.maximum.outer(spread, spread) + 0.5 * (1 - correlation)
    relevance = 0.3 * _stretched(_fisher(X, y)) + 0.3 * _stretched(_information(X, y)) + 0.4 * spread
    with_y = np.outer(relevance, relevance)
    ours = {
        INFFS_U: ep.InfFS(X.shape[1], supervised=False, alpha=0.5, n_jobs=1).fit(X).scores_,
        INFFS_S: ep.InfFS(X.shape[1], alpha=(0.3, 0.3, 0.4), n_jobs=1).fit(X, y).scores_,
    }
    naive = {INFFS_U: _scores_by_inverse(without_y), INFFS_S: _scores_by_inverse(with_y)}
    return {
        name: {
            "columns": X.shape[1],
            "difference": float(f"{np.max(np.abs(ours[name] / naive[name] - 1)):.2g}"),
        }
        for name in ours
    }


def _scores_by_inverse(graph: np.ndarray) -> np.ndarray:
    r = 0.9 / np.linalg.eigvalsh(graph)[-1]
    inverse = np.linalg.inv(np.eye(len(graph)) - r * graph)
    scores: np.ndarray = (inverse - np.eye(len(graph))).sum(axis=1)
    return scores


def _fisher(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Eq. 4 of the paper for two classes."""
    first, second = X[y == 0], X[y == 1]
    scores: np.ndarray = (first.mean(0) - second.mean(0)) ** 2 / (first.var(0) + second.var(0))
    return scores


def _information(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    scores: np.ndarray = ep.MIM(X.shape[1], n_jobs=1).fit(X, y).scores_
    return scores


def _stretched(values: np.ndarray) -> np.ndarray:
    stretched: np.ndarray = (values - values.min()) / np.ptp(values)
    return stretched


def compared_regularizations(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """How alike the rankings by r = 0.9 / spectral radius and by r = 0.9 / largest row sum are."""
    found = {}
    for name, supervised in ((INFFS_S, True), (INFFS_U, False)):
        spectral, markov = (
            ep.InfFS(X.shape[1], supervised=supervised, regularization=r, n_jobs=1).fit(X, y)
            for r in ("spectral", "markov")
        )
        orders = [np.argsort(-fitted.scores_, kind="stable") for fitted in (spectral, markov)]
        found[name] = {
            "tau": round(float(scipy.stats.kendalltau(spectral.scores_, markov.scores_).statistic), 5),
            "shared": [len(set(orders[0][:size]) & set(orders[1][:size])) for size in SIZES],
        }
    return found

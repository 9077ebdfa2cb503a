"""What is run for the Inf-FS paper: data, splits, sizes, classifier; and one cell of it."""

import warnings
from dataclasses import replace

import numpy as np
import scipy.sparse
import scipy.stats
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

import entropick as ep
from reproduction.inffs import authors
from reproduction.inffs.growth import growing_times
from reproduction.inffs.methods import (  # noqa: F401 (named in protocol.md)
    FIXED_S,
    FIXED_U,
    INFFS_S,
    INFFS_U,
    N_BINS,
    OTHER_SUPERVISED,
    OTHER_UNSUPERVISED,
    SUPERVISED,
    UNSUPERVISED,
    rank,
    tuned_linear_svm,
)
from reproduction.protocol import Cell
from reproduction.scores import accuracy_at_sizes
from reproduction.texts import Texts

TEXTS = Texts("inffs")
MICROARRAYS = ("colon", "leukemia", "lung_gordon", "lymphoma_96", "prostate")
CHALLENGE = ("madelon", "dexter", "gisette", "gina")
DATASETS = MICROARRAYS + CHALLENGE
SIZES, QUICK_SIZES = [10, 50, 100, 150, 200], [10, 50, 200]
TEST_SHARE = 0.3
METHODS = {"supervised": SUPERVISED, "unsupervised": UNSUPERVISED}
REPEATS = {"supervised": 20, "unsupervised": 20}  # splits; the paper has 20
QUICK_REPEATS = {"supervised": 3, "unsupervised": 2}
MAX_COLUMNS = {"UDFS": 2000}  # it works on a matrix of columns by columns, again and again
QUICK_MAX_COLUMNS = {"UDFS": 1000, "LLCFS": 5000}
SVM = {"solver": "libsvm", "C": [0.001, 0.01, 0.1, 1, 10], "folds": 5}
SVM_OF_MANY_ROWS = {**SVM, "solver": "liblinear"}  # libsvm takes minutes on MADELON
COMPARED_REGULARIZATION = ("colon", "leukemia", "madelon", "prostate")
COMPARED_NAIVE = ("colon", "madelon")
REGULARIZATIONS = ("spectral", "markov")  # r = 0.9 / spectral radius, and 0.9 / largest row sum
AUTHORS_REPEATS, QUICK_AUTHORS_REPEATS = 20, 2  # splits with the authors' settings
MORE_SPLITS = {"leukemia": 40}  # in all, for numbers of Table 3 that 20 leave open
GROWTH = {"base": {"rows": 300, "columns": 150}, "factor": 4}
SLOWEST = "dexter"  # with the authors' graph and weights by cross-validation, so it comes last
SIZES_OF = ("colon", "leukemia", "lung_gordon", "lymphoma_96", "prostate", "madelon", "dexter")
QUICK_AUTHORS = [name for name in SIZES_OF if name not in ("lung_gordon", SLOWEST)]


def cells(quick):
    """Split after split; what is exact comes first."""
    for name in COMPARED_NAIVE:
        yield Cell(f"naive/{name}", {"part": "naive", "data": name, "r": list(REGULARIZATIONS)}, name)
    for name in COMPARED_REGULARIZATION:
        yield Cell(f"regularization/{name}", {"part": "regularization", "data": name}, name)
    for name in [name for name in COMPARED_REGULARIZATION if name in authors.INTENSITIES]:
        settings = {"part": "regularization", "data": name, "values": "logarithms"}
        yield Cell(f"regularization/{name}, logarithms", settings, name)
    yield from (Cell(f"sizes/{name}", {"part": "sizes", "data": name}, name) for name in SIZES_OF)
    for name in authors.INTENSITIES:  # the paper does not say whether it took logarithms
        settings = {"part": "sizes", "data": name, "values": "as they are"}
        yield Cell(f"sizes/{name}, as they are", settings, name)
    if not quick:
        yield Cell("growth", {"part": "growth", **GROWTH})
    yield from _authors_cells(quick)
    repeats = QUICK_REPEATS if quick else REPEATS
    for repeat in range(max(repeats.values())):
        for group in [group for group in METHODS if repeat < repeats[group]]:
            yield from (_accuracy_cell(name, group, repeat, quick) for name in DATASETS)
    for repeat in range(0 if quick else AUTHORS_REPEATS):
        yield _authors_cell(SLOWEST, [INFFS_U, INFFS_S], repeat, "cv")


def _authors_cells(quick):
    """Inf-FS as released, then the other methods as their library calls them."""
    own = [INFFS_U, INFFS_S]
    if quick:
        for repeat in range(QUICK_AUTHORS_REPEATS):
            yield from (_authors_cell(name, own, repeat, "cv") for name in QUICK_AUTHORS)
        return
    for repeat in range(AUTHORS_REPEATS):
        yield from (_authors_cell(name, own, repeat, "cv") for name in SIZES_OF if name != SLOWEST)
    for repeat in range(AUTHORS_REPEATS):
        for name in SIZES_OF:
            yield _authors_cell(name, [FIXED_U, FIXED_S], repeat)
            yield _authors_cell(name, [authors.LAPLACIAN], repeat)
        for name in MICROARRAYS:
            yield _authors_cell(name, list(authors.COMPARATORS), repeat)
            yield _authors_cell(name, [authors.MUTUAL_INFORMATION], repeat)
            yield _authors_cell(name, list(authors.MORE_COMPARATORS), repeat)
    for name, most in MORE_SPLITS.items():
        for repeat in range(AUTHORS_REPEATS, most):
            cell = _authors_cell(name, own, repeat, "cv")
            yield Cell(cell.key, {**cell.settings, "part": "more splits"}, name)


def _authors_cell(name, methods, repeat, alpha=None):
    svm = SVM if name in MICROARRAYS else SVM_OF_MANY_ROWS
    settings = {"part": "authors", "data": name, "repeat": repeat, "methods": methods, "alpha": alpha}
    most = {method: n for method, n in authors.MAX_COLUMNS.items() if method in methods}
    settings |= {"most_columns": most, "sizes": SIZES, "test_share": TEST_SHARE, "svm": svm}
    return Cell(f"authors/{name}/{methods[0]}/{repeat}", settings, name)


def _accuracy_cell(name, group, repeat, quick):
    """The accuracies of all methods of a group on one split."""
    methods = [method for method in METHODS[group] if not (quick and method in (FIXED_S, FIXED_U))]
    svm = SVM if name in MICROARRAYS else SVM_OF_MANY_ROWS
    of_cell = {"part": "accuracy", "data": name, "group": group, "repeat": repeat, "methods": methods}
    of_all = {"alpha": "cv", "most_columns": MAX_COLUMNS, "sizes": SIZES}
    of_quick = {"alpha": None, "most_columns": QUICK_MAX_COLUMNS, "sizes": QUICK_SIZES}
    settings = {**of_cell, **(of_quick if quick else of_all), "test_share": TEST_SHARE, "svm": svm}
    return Cell(f"{name}/{group}/{repeat}{'/quick' * quick}", settings, name)


def run(cell, data):
    """Run a cell and return its result."""
    if cell.settings["part"] == "growth":
        return growing_times(cell.settings)
    dataset = prepared(data.load(cell.settings["data"]))
    if cell.settings["part"] == "accuracy":
        return accuracies(dataset, cell.settings, rank)
    part, values = cell.settings["part"], cell.settings.get("values")
    if part in ("authors", "more splits", "sizes") or values == "logarithms":
        X = dataset.X.toarray() if scipy.sparse.issparse(dataset.X) else dataset.X
        dataset = replace(dataset, X=X if values == "as they are" else authors.prepared(dataset.name, X))
    if part in ("authors", "more splits"):
        return accuracies(dataset, cell.settings, authors.rank)
    compare = {
        "sizes": authors.sizes,
        "naive": compared_with_naive,
        "regularization": compared_regularizations,
    }
    return compare[part](dataset.X, dataset.y)


def prepared(dataset):
    """The rows and classes of the paper, as far as they are available."""
    if dataset.name == "madelon" and "split" in dataset.extra:
        dataset = dataset.rows(np.flatnonzero(dataset.extra["split"] == "train"))
    if dataset.name == "lymphoma_96":
        dataset = replace(dataset, y=(dataset.y == np.bincount(dataset.y).argmax()).astype(np.int64))
    return dataset


def accuracies(dataset, settings, ranked_by):
    """Rank on the training rows of one split with each method, and test the first columns.

    By method its `accuracy` at the sizes, the number of columns it chooses itself (`kept`, `kept_accuracy`),
    and the `weights` of Inf-FS.
    """
    y, seed, found = dataset.y, settings["repeat"], {}
    train, test = train_test_split(
        np.arange(len(y)), test_size=settings["test_share"], stratify=y, random_state=seed
    )
    X = dataset.X.toarray() if scipy.sparse.issparse(dataset.X) else dataset.X
    X = np.ascontiguousarray(X[:, np.ptp(X[train], axis=0) > 0])
    rows, held_out = (X[train], y[train]), (X[test], y[test])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of the largest C, which is hardly ever chosen
        for method in settings["methods"]:
            if X.shape[1] <= settings["most_columns"].get(method, np.inf):
                ranking = ranked_by(method, *rows, settings["sizes"][-1], seed, settings["alpha"])
                found[method] = _tested(ranking, rows, held_out, settings)
    return found


def _tested(ranking, rows, held_out, settings):
    model = tuned_linear_svm(settings["svm"], settings["repeat"])
    sizes = list(settings["sizes"]) + ([] if ranking.kept is None else [ranking.kept])
    scores = [round(score, 5) for score in accuracy_at_sizes(model, ranking.columns, sizes, rows, held_out)]
    found = {"accuracy": scores[: len(settings["sizes"])]}
    if ranking.kept is not None:
        found.update(kept=ranking.kept, kept_accuracy=scores[-1])
    return found if ranking.weights is None else {**found, "weights": ranking.weights}


def compared_with_naive(X, y):
    """Compare the scores of the library with those of the whole matrix and its inverse, as in the paper."""
    X = X[:, np.ptp(X, axis=0) > 0]
    n_columns, spread = X.shape[1], X.std(axis=0) / X.std(axis=0).max()
    correlation = np.abs(scipy.stats.spearmanr(X).statistic)
    information = ep.MIM(n_columns, n_bins=N_BINS, n_jobs=1).fit(X, y).scores_
    relevance = 0.3 * _stretched(authors.fisher_ratio(X, y)) + 0.3 * _stretched(information) + 0.4 * spread
    graphs = {
        INFFS_U: 0.5 * np.maximum.outer(spread, spread) + 0.5 * (1 - correlation),
        INFFS_S: np.outer(relevance, relevance),
    }
    weights = {INFFS_U: 0.5, INFFS_S: (0.3, 0.3, 0.4)}
    fixed = {"scaling": None, "n_bins": N_BINS, "n_jobs": 1}
    found = {}
    for name, graph in graphs.items():
        differences = []
        for r in REGULARIZATIONS:
            graph_of = {"supervised": name == INFFS_S, "alpha": weights[name], "regularization": r}
            ours = ep.InfFS(n_columns, **graph_of, **fixed).fit(X, y).scores_
            differences.append(np.max(np.abs(ours / _scores_by_inverse(graph, r) - 1)))
        found[name] = {"columns": n_columns, "difference": float(f"{max(differences):.2g}")}
    return found


def _scores_by_inverse(graph, regularization):
    largest = np.linalg.eigvalsh(graph)[-1] if regularization == "spectral" else graph.sum(axis=1).max()
    r = 0.9 / largest
    return (np.linalg.inv(np.eye(len(graph)) - r * graph) - np.eye(len(graph))).sum(axis=1)


def _stretched(values):
    return (values - values.min()) / np.ptp(values)


def compared_regularizations(X, y):
    """How alike the rankings by r = 0.9 / spectral radius and by r = 0.9 / largest row sum are."""
    fixed = {"scaling": None, "n_bins": N_BINS, "n_jobs": 1}
    found = {}
    for name, supervised in ((INFFS_S, True), (INFFS_U, False)):
        spectral, markov = (
            ep.InfFS(X.shape[1], supervised=supervised, regularization=r, **fixed).fit(X, y).scores_
            for r in REGULARIZATIONS
        )
        one, other = (np.argsort(-scores, kind="stable") for scores in (spectral, markov))
        tau = round(float(scipy.stats.kendalltau(spectral, markov).statistic), 5)
        found[name] = {"tau": tau, "shared": [len(set(one[:size]) & set(other[:size])) for size in SIZES]}
    return found

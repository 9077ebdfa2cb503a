"""What the authors of Inf-FS ran: their released graph and cut, on logarithms of intensities."""

import numpy as np
import scipy.spatial

import entropick as ep
from experiments.inffs.methods import INFFS_S, INFFS_U, N_BINS, Ranking
from experiments.scores import make_selector

INTENSITIES = (
    "colon",
    "leukemia",
    "lung_gordon",
)  # raw ones; the other sets hold logarithms or no intensities
FLOOR, CEILING = 100, 16_000  # of the scanner, as is usual for these arrays
ALPHAS_U = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
ALPHAS_S = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5), (0.3, 0.3, 0.4))
LAPLACIAN = "LS"
# as the demonstration of the authors' library calls them; LS is below
COMPARATORS: dict[str, dict] = {
    "MI": {"selector": "MIM", "n_bins": 10, "binning": "uniform"},
    "Fisher": {"selector": "FisherScore"},
    "Relief-F": {"selector": "ReliefF", "n_neighbors": 20},
    "RFE": {"selector": "SVMRFE", "C": 100.0, "step": 0.5},
    "LASSO": {"selector": "L1SVM", "loss": "hinge"},
    "LASSO, unhinged": {"selector": "L1SVM", "loss": "unhinged"},
    "NHTP": {"selector": "NHTP"},
    "MCFS": {"selector": "MCFS", "n_clusters": 4, "n_neighbors": 5, "scaling": None},
    "LLCFS": {"selector": "LLCFS", "n_clusters": 2, "n_neighbors": 5, "beta": 0.1, "scaling": None},
    "CFS": {"selector": "CFS", "summary": "minimum"},
}
UNSUPERVISED = (INFFS_U, LAPLACIAN, "MCFS", "LLCFS", "CFS")
SUPERVISED = (INFFS_S, *(name for name in COMPARATORS if name not in UNSUPERVISED))


def prepared(name, X):
    """Logarithms of raw intensities, other values as they are."""
    return np.log2(np.clip(X, FLOOR, CEILING)) if name in INTENSITIES else X


def released(supervised, alpha, seed=0):
    """The graph and the cut of the authors' program."""
    fixed = {"variant": "released", "cut": "histogram", "scaling": None, "n_bins": N_BINS, "n_jobs": 1}
    return ep.InfFS("auto", supervised=supervised, alpha=alpha, random_state=seed, **fixed)


def sizes(X, y):
    """How many columns the histogram of the scores keeps, for each of the weights the authors try."""
    X = X[:, np.ptp(X, axis=0) > 0]
    return {
        INFFS_U: [int(released(False, alpha).fit(X).n_features_) for alpha in ALPHAS_U],
        INFFS_S: [int(released(True, alpha).fit(X, y).n_features_) for alpha in ALPHAS_S],
    }


def rank(method, X, y, n_columns, seed, alpha) -> Ranking:
    """Columns from the best on, by a method with the authors' settings."""
    if method in (INFFS_S, INFFS_U):
        selector = released(method == INFFS_S, alpha, seed).fit(X, y)
        columns = np.argsort(-selector.scores_, kind="stable").tolist()
        weights = np.round(np.atleast_1d(selector.alpha_), 2).tolist()
        return Ranking(columns, int(selector.n_features_), weights)
    if method == LAPLACIAN:
        return Ranking(np.argsort(-laplacian_scores(X), kind="stable")[:n_columns].tolist())
    settings = dict(COMPARATORS[method])
    name = settings.pop("selector")
    selector = make_selector(name, n_features=n_columns, random_state=seed, n_jobs=1, **settings)
    selector.fit(X, y) if method in SUPERVISED else selector.fit(X)
    return Ranking(selector.order_.tolist())


def laplacian_scores(X):
    """The Laplacian score as the demonstration calls it, with weights −distance, the largest first.

    Such weights make the divisor negative, which the program replaces by a constant: what is left is the
    numerator, nearly a ranking by variance.
    """
    weights = -scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(X))
    weights /= -weights.min()
    degrees = weights.sum(axis=1)
    return np.einsum("ij,ij->j", X, weights @ X) - (degrees @ X) ** 2 / degrees.sum()

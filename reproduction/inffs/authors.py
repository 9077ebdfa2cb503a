"""What the authors of Inf-FS ran: their released graph and cut, on logarithms of intensities."""

import numpy as np
import scipy.spatial

import entropick as ep
from reproduction.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, N_BINS, Ranking
from reproduction.scores import make_selector

INTENSITIES = (
    "colon",
    "leukemia",
    "lung_gordon",
)  # raw ones; the other sets hold logarithms or no intensities
FLOOR, CEILING = 100, 16_000  # of the scanner, as is usual for these arrays
ALPHAS_U = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
ALPHAS_S = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5), (0.3, 0.3, 0.4))
LAPLACIAN = "LS"
MUTUAL_INFORMATION = "MI"
# as the demonstration of the authors' library calls them; LS, MI, ECFS and DGUFS are below
COMPARATORS: dict[str, dict] = {
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
# in cells of their own; the small weight of sparsity makes FSV forbid errors where classes can be separated,
# and the demonstration asks for all columns, which ends FSV after its first linear program
MORE_COMPARATORS: dict[str, dict] = {
    "ECFS": {},
    "ILFS": {"selector": "ILFS", "n_tokens": 6, "n_iterations": 1000},
    "FSV": {"selector": "FSV", "weight": 0.001, "max_rounds": 1},
    "UDFS": {
        "selector": "UDFS",
        "n_clusters": 2,
        "n_neighbors": 1,
        "gamma": 1e-5,
        "ridge": 1e-5,
        "scaling": None,
    },
    "DGUFS": {},
    "FSASL": {"selector": "FSASL", "n_clusters": 2, "scaling": None},
    "UFSOL": {
        "selector": "UFSOL",
        "n_clusters": 2,
        "alpha": 1e6,
        "beta": 100.0,
        "tol": 5e-7,
        "scaling": None,
    },
}
MAX_COLUMNS = {"UDFS": 2000, "UFSOL": 2000}  # they work on a matrix of columns by columns, again and again
UNSUPERVISED = (INFFS_U, LAPLACIAN, "MCFS", "LLCFS", "CFS", "UDFS", "DGUFS", "FSASL", "UFSOL")
SUPERVISED = (
    INFFS_S,
    MUTUAL_INFORMATION,
    *(name for name in COMPARATORS | MORE_COMPARATORS if name not in UNSUPERVISED),
)


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
    """Columns from the best on, by a method with the authors' settings; `alpha` are the weights of Inf-FS."""
    if method in (INFFS_S, INFFS_U, FIXED_S, FIXED_U):
        weights = alpha if method in (INFFS_S, INFFS_U) else None
        selector = released(method in (INFFS_S, FIXED_S), weights, seed).fit(X, y)
        columns = np.argsort(-selector.scores_, kind="stable").tolist()
        weights = np.round(np.atleast_1d(selector.alpha_), 2).tolist()
        return Ranking(columns, int(selector.n_features_), weights)
    if method in SCORES:
        return Ranking(np.argsort(-SCORES[method](X, y), kind="stable")[:n_columns].tolist())
    settings = dict((COMPARATORS | MORE_COMPARATORS)[method])
    name = settings.pop("selector")
    selector = make_selector(name, n_features=n_columns, random_state=seed, n_jobs=1, **settings)
    selector.fit(X, y) if method in SUPERVISED else selector.fit(X)
    return Ranking(selector.order_.tolist())


def laplacian_scores(X, _):
    """The Laplacian score as the demonstration calls it, with weights −distance, the largest first.

    Such weights make the divisor negative, which the program replaces by a constant: what is left is the
    numerator, nearly a ranking by variance.
    """
    weights = -scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(X))
    weights /= -weights.min()
    degrees = weights.sum(axis=1)
    return np.einsum("ij,ij->j", X, weights @ X) - (degrees @ X) ** 2 / degrees.sum()


def eigenvector_scores(X, y, weight=0.5, n_rounds=100):
    """ECFS of two classes: the first eigenvector of a graph of products and of larger spreads."""
    relevance = (fisher_ratio(X, y, ddof=1) + symmetric_uncertainty(X, y)) / 2
    spread = X.std(axis=0, ddof=1)
    rising = np.argsort(spread, kind="stable")

    def times_larger_spread(v):
        """The matrix of max(σᵢ, σⱼ) times a vector, without the matrix."""
        ordered, sigma = v[rising], spread[rising]
        found = np.empty_like(v)
        found[rising] = sigma * np.cumsum(ordered) + (sigma * ordered)[::-1].cumsum()[::-1] - sigma * ordered
        return found

    lowest, highest = relevance.min(), relevance.max()
    vector = np.ones(X.shape[1])
    for _ in range(n_rounds):  # all weights are positive: the power method converges
        products = (relevance * (relevance @ vector) - lowest**2 * vector.sum()) / (highest**2 - lowest**2)
        larger = (times_larger_spread(vector) - spread.min() * vector.sum()) / np.ptp(spread)
        vector = weight * products + (1 - weight) * larger
        vector /= np.linalg.norm(vector)
    return vector


def fisher_ratio(X, y, ddof=0):
    """Fisher's score of two classes, eq. 4 of the paper; MATLAB's variances have `ddof` 1."""
    one, other = (X[y == label] for label in np.unique(y))
    scatter = one.var(axis=0, ddof=ddof) + other.var(axis=0, ddof=ddof)
    return (one.mean(axis=0) - other.mean(axis=0)) ** 2 / scatter


def symmetric_uncertainty(X, y, n_bins=10):
    """2 I(f; y) / (H(f) + H(y)) of ten bins of equal width."""
    information = ep.MIM(X.shape[1], n_bins=n_bins, binning="uniform", n_jobs=1).fit(X, y).scores_
    levels = np.minimum((X - X.min(axis=0)) / np.ptp(X, axis=0) * n_bins, n_bins - 1).astype(np.int64)
    entropies = np.array([ep.entropy(column) for column in levels.T])
    return 2 * information / (entropies + ep.entropy(y))


def smallest_norm_scores(X, _):
    """What DGUFS gives as the demonstration calls it: the sum of the first two rows, in two columns.

    With so few rounds nothing moves from the start, which keeps the two columns of smallest norm; all others
    are 0 and stay in their order.
    """
    kept = np.argsort(np.linalg.norm(X, axis=0), kind="stable")[:2]
    scores = np.zeros(X.shape[1])
    scores[kept] = X[:2, kept].sum(axis=0)
    return scores


SCORES = {
    LAPLACIAN: laplacian_scores,
    MUTUAL_INFORMATION: symmetric_uncertainty,
    "ECFS": eigenvector_scores,
    "DGUFS": smallest_norm_scores,
}

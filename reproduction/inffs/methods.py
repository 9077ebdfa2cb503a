"""The methods compared in the Inf-FS paper, each as a function from training rows to a ranking."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import entropick as ep
from reproduction.scores import make_selector

INFFS_S, INFFS_U = "Inf-FS_S", "Inf-FS_U"  # weights as the paper chooses them, on the training rows
FIXED_S, FIXED_U = "Inf-FS_S, default weights", "Inf-FS_U, default weights"
OTHER_SUPERVISED = ("Fisher", "MI", "Relief-F", "ECFS", "ILFS", "RFE", "LASSO")
OTHER_UNSUPERVISED = ("LS", "MCFS", "LLCFS", "CFS", "UDFS")
SUPERVISED = (INFFS_S, FIXED_S, *OTHER_SUPERVISED)
UNSUPERVISED = (INFFS_U, FIXED_U, *OTHER_UNSUPERVISED)
SELECTORS = {
    "Fisher": "FisherScore",
    "MI": "MIM",
    "Relief-F": "ReliefF",
    "LS": "LaplacianScore",
}  # others by name
N_BINS = 10  # of equal frequency, for mutual information
RFE_SHARE = 0.2  # of the columns left, dropped in each round
RFE_C = 0.1
LASSO_C = [0.01, 0.1, 1.0]
LASSO_FOLDS = 5


@dataclass(frozen=True)
class Ranking:
    """Columns from the best on, and how many of them the method itself would keep (None: it does not say)."""

    columns: list[int]
    kept: int | None = None
    weights: Any = None


def rank(method, X, y, n_columns, seed, alpha) -> Ranking:
    """Rank columns on training rows; unsupervised methods get y for nothing but the choice of alpha.

    `alpha` is "cv" where Inf-FS chooses its weights, None for the default ones. A ranking is longer than
    `n_columns` where the method keeps more.
    """
    if method in (INFFS_S, FIXED_S, INFFS_U, FIXED_U):
        return _rank_by_inffs(
            X, y, method in SUPERVISED, None if method in (FIXED_S, FIXED_U) else alpha, seed
        )
    if method == "RFE":
        return Ranking(recursive_elimination(X, y)[:n_columns])
    if method == "LASSO":
        return _rank_by_lasso(X, y, n_columns, seed)
    units = {"scaling": None} if method == "ECFS" else {}  # as in the paper
    name = SELECTORS.get(method, method)
    selector = make_selector(name, n_features=n_columns, n_bins=N_BINS, random_state=seed, n_jobs=1, **units)
    selector.fit(X, y) if method in SUPERVISED else selector.fit(X)
    return Ranking(selector.order_.tolist())


def _rank_by_inffs(X, y, supervised, alpha, seed) -> Ranking:
    fixed = {"scaling": None, "n_bins": N_BINS, "random_state": seed, "n_jobs": 1}
    selector = ep.InfFS("mean_shift", supervised=supervised, alpha=alpha, **fixed).fit(X, y)
    columns = [int(step.column) for step in selector.selection_.steps]
    weights = np.round(np.atleast_1d(selector.alpha_), 2).tolist()
    return Ranking(columns, int(selector.n_features_), weights)


def recursive_elimination(X, y) -> list[int]:
    """Guyon's recursive elimination: drop those of smallest weight in a linear SVM, train again."""
    scaled = StandardScaler().fit_transform(X)
    left = np.arange(X.shape[1])
    dropped: list[int] = []  # the worst first
    while len(left):
        weights = np.abs(_linear_svm(RFE_C).fit(scaled[:, left], y).coef_).max(axis=0)
        worst_first = np.argsort(weights, kind="stable")
        n_dropped = max(1, int(RFE_SHARE * len(left)))
        dropped.extend(left[worst_first[:n_dropped]].tolist())
        left = np.sort(left[worst_first[n_dropped:]])
    return dropped[::-1]


def _rank_by_lasso(X, y, n_columns, seed) -> Ranking:
    """A linear SVM with the L1 norm, its C by cross-validation; columns by the size of their weights."""
    scaled = StandardScaler().fit_transform(X)
    model = LinearSVC(penalty="l1", dual=False, max_iter=300, random_state=seed)
    folds = StratifiedKFold(LASSO_FOLDS, shuffle=True, random_state=seed)
    best = GridSearchCV(model, {"C": LASSO_C}, cv=folds).fit(scaled, y).best_estimator_
    weights = np.abs(best.coef_).max(axis=0)
    kept = max(1, int((weights > 0).sum()))
    return Ranking(np.argsort(-weights, kind="stable")[: max(kept, n_columns)].tolist(), kept)


def tuned_linear_svm(settings, seed):
    """A linear SVM on standardised columns, C by cross-validation on the rows it is given."""
    folds = StratifiedKFold(settings["folds"], shuffle=True, random_state=seed)
    model = _linear_svm(1.0) if settings["solver"] == "liblinear" else SVC(kernel="linear")
    pipeline = make_pipeline(StandardScaler(), model)
    return GridSearchCV(pipeline, {f"{type(model).__name__.lower()}__C": settings["C"]}, cv=folds)


def _linear_svm(C):
    return LinearSVC(C=C, dual="auto", max_iter=2000, random_state=0)

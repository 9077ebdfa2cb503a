"""The methods compared in the Inf-FS paper, each as a function from training rows to a ranking."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import entropick as ep

INFFS_S, INFFS_U = "Inf-FS_S", "Inf-FS_U"  # weights as the paper chooses them, on the training rows
FIXED_S, FIXED_U = "Inf-FS_S, default weights", "Inf-FS_U, default weights"
SUPERVISED = (INFFS_S, FIXED_S, "Fisher", "MI", "Relief-F", "ECFS", "ILFS", "RFE", "LASSO")
UNSUPERVISED = (INFFS_U, FIXED_U, "LS", "MCFS", "LLCFS", "CFS", "UDFS")
NOT_HERE = ("DGUFS", "FSASL", "UFSOL", "FSV", "NHTP", "LASSO with the unhinged loss")

SELECTORS: dict[str, Any] = {
    "Fisher": ep.FisherScore,
    "MI": ep.MIM,
    "Relief-F": ep.ReliefF,
    "ECFS": ep.ECFS,
    "ILFS": ep.ILFS,
    "LS": ep.LaplacianScore,
    "MCFS": ep.MCFS,
    "LLCFS": ep.LLCFS,
    "CFS": ep.CFS,
    "UDFS": ep.UDFS,
}
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


def rank(method: str, X: np.ndarray, y: np.ndarray, n_columns: int, seed: int, alpha: str | None) -> Ranking:
    """Rank columns on these rows; unsupervised methods get y for nothing but the choice of alpha.

    Parameters
    ----------
    method : one of SUPERVISED or UNSUPERVISED
    X, y : training rows
    n_columns : length of the ranking; longer where the method keeps more
    seed : of what is random
    alpha : "cv" where Inf-FS chooses its weights, None for the default ones
    """
    if method in (INFFS_S, FIXED_S, INFFS_U, FIXED_U):
        chosen = None if method in (FIXED_S, FIXED_U) else alpha
        return _rank_by_inffs(X, y, method in (INFFS_S, FIXED_S), chosen, seed)
    if method == "RFE":
        return Ranking(recursive_elimination(X, y)[:n_columns])
    if method == "LASSO":
        return _rank_by_lasso(X, y, n_columns, seed)
    selector = SELECTORS[method](n_columns, random_state=seed, n_jobs=1)
    selector.fit(X, y) if method in SUPERVISED else selector.fit(X)
    return Ranking([int(column) for column in selector.order_])


def _rank_by_inffs(X: np.ndarray, y: np.ndarray, supervised: bool, alpha: Any, seed: int) -> Ranking:
    selector = ep.InfFS("auto", supervised=supervised, alpha=alpha, random_state=seed, n_jobs=1).fit(X, y)
    columns = [int(step.column) for step in selector.selection_.steps]
    weights = np.round(np.atleast_1d(selector.alpha_), 2).tolist()
    return Ranking(columns, int(selector.n_features_), weights)


def recursive_elimination(X: np.ndarray, y: np.ndarray) -> list[int]:
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


def _rank_by_lasso(X: np.ndarray, y: np.ndarray, n_columns: int, seed: int) -> Ranking:
    """A linear SVM with the L1 norm, its C by cross-validation; columns by the size of their weights."""
    scaled = StandardScaler().fit_transform(X)
    model = LinearSVC(penalty="l1", dual=False, max_iter=300, random_state=seed)
    folds = StratifiedKFold(LASSO_FOLDS, shuffle=True, random_state=seed)
    best = GridSearchCV(model, {"C": LASSO_C}, cv=folds).fit(scaled, y).best_estimator_
    weights = np.abs(best.coef_).max(axis=0)
    kept = max(1, int((weights > 0).sum()))
    columns = np.argsort(-weights, kind="stable")[: max(kept, n_columns)]
    return Ranking(columns.tolist(), kept)


# -- the classifier --------------------------------------------------------------------------


def tuned_linear_svm(settings: Mapping[str, Any], seed: int) -> GridSearchCV:
    """A linear SVM on standardised columns, C by cross-validation on the rows it is given."""
    folds = StratifiedKFold(settings["folds"], shuffle=True, random_state=seed)
    if settings["solver"] == "liblinear":
        model = make_pipeline(StandardScaler(), _linear_svm(1.0))
        return GridSearchCV(model, {"linearsvc__C": settings["C"]}, cv=folds)
    return GridSearchCV(
        make_pipeline(StandardScaler(), SVC(kernel="linear")), {"svc__C": settings["C"]}, cv=folds
    )


def _linear_svm(C: float) -> LinearSVC:
    return LinearSVC(C=C, dual="auto", max_iter=2000, random_state=0)

"""Other libraries, each behind a function that prepares it.

A peer gets its data in its preferred form before the clock starts, and returns the picked columns in order.
Preparing a peer that is not installed raises ImportError.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Picks = np.ndarray
Ready = Callable[[], Picks]


@dataclass(frozen=True)
class Peer:
    """A selection method of another library.

    Attributes
    ----------
    name : library and version-independent name, for the tables
    package : what to install
    prepare : (X, y, picks, jobs) -> a call without arguments that selects
    same_criterion : whether it maximises the same criterion as entropick's measure of the task
    remark : what a reader must know to compare
    """

    name: str
    package: str
    prepare: Callable[[np.ndarray, np.ndarray, int, int], Ready]
    same_criterion: bool = True
    remark: str = ""

    def warm_up(self, X: np.ndarray, y: np.ndarray, picks: int, jobs: int) -> None:
        """Run on a small part of the data, so that imports, compilation and pools are not timed."""
        rows, columns = slice(0, 200), slice(0, 2 * picks)
        self.prepare(np.ascontiguousarray(X[rows, columns]), y[rows], picks, jobs)()


def _fast_select_mrmr(X: np.ndarray, y: np.ndarray, picks: int, jobs: int) -> Ready:
    import numba
    from fast_select.mRMR import mRMR

    numba.set_num_threads(min(jobs, numba.config.NUMBA_NUM_THREADS))
    selector = mRMR(picks, method="MID", backend="cpu")
    return lambda: selector.fit(X, y).top_features_


def _sklearn_mim(X: np.ndarray, y: np.ndarray, picks: int, jobs: int) -> Ready:
    from sklearn.feature_selection import mutual_info_classif

    def select() -> Picks:
        # one job: processes cost more than they save on these tables
        scores = mutual_info_classif(X, y, discrete_features=True, n_jobs=1)
        return np.argsort(-scores, kind="stable")[:picks]

    return select


def _skfeature_cmim(X: np.ndarray, y: np.ndarray, picks: int, jobs: int) -> Ready:
    from skfeature.function.information_theoretical_based.CMIM import cmim

    return lambda: cmim(X, y, mode="index", n_selected_features=picks)


def _skfeature_disr(X: np.ndarray, y: np.ndarray, picks: int, jobs: int) -> Ready:
    from skfeature.function.information_theoretical_based.DISR import disr

    return lambda: disr(X, y, mode="index", n_selected_features=picks)


def _mrmr_selection(X: np.ndarray, y: np.ndarray, picks: int, jobs: int) -> Ready:
    import pandas as pd
    from mrmr import mrmr_classif

    frame = pd.DataFrame(X, columns=[str(j) for j in range(X.shape[1])])
    labels = pd.Series(y)

    def select() -> Picks:
        # one job: with more it starts new processes for every pick, which takes longer
        names = mrmr_classif(X=frame, y=labels, K=picks, n_jobs=1, show_progress=False)
        return np.array([int(name) for name in names])

    return select


FAST_SELECT_MRMR = Peer(
    "fast-select",
    "fast-select",
    _fast_select_mrmr,
    remark="counts all pairs of columns, its encoding included",
)
SKLEARN_MIM = Peer("scikit-learn", "scikit-learn", _sklearn_mim, remark="mutual_info_classif")
SKFEATURE_CMIM = Peer(
    "scikit-feature (chappers)",
    "skfeature-chappers",
    _skfeature_cmim,
    same_criterion=False,
    remark="another criterion: CMIM without the bound I(f;y)",
)
SKFEATURE_DISR = Peer(
    "scikit-feature (chappers)",
    "skfeature-chappers",
    _skfeature_disr,
    same_criterion=False,
    remark="another criterion: DISR divided by the sum of 1 + I(f;s)",
)
MRMR_SELECTION = Peer(
    "mrmr_selection",
    "mrmr_selection",
    _mrmr_selection,
    same_criterion=False,
    remark="another criterion: F over Pearson",
)

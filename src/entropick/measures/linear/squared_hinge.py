"""Linear support vector machines with the squared hinge loss, solved to full precision."""

import numpy as np
import scipy.linalg
from sklearn.exceptions import ConvergenceWarning

from entropick.exceptions import warn_user

MAX_STEPS = 200
SETTLED = 1e-12  # converged if a step is smaller relative to the weights
MAX_HALVINGS = 40
ARMIJO = 1e-4


def squared_hinge_weights(
    columns: np.ndarray, signs: np.ndarray, C: float, start: np.ndarray | None = None
) -> np.ndarray:
    """Minimise ½ (‖w‖² + b²) + C Σ max(0, 1 − y (x·w + b))², the problem of LIBLINEAR, and return w.

    The loss is quadratic as long as the same rows are within the margin, so Newton's method ends after
    finitely many steps (Keerthi and DeCoste 2005). With more columns than rows it works on an orthonormal
    basis of the rows. `signs` are y, −1 or 1; the weights start at `start`, by default 0.
    """
    start = np.zeros(columns.shape[1]) if start is None else start
    if columns.shape[1] <= len(columns):
        return _newton(columns, signs, C, start)
    basis, rows = scipy.linalg.qr(columns.T, mode="economic")
    return np.asarray(basis @ _newton(rows.T, signs, C, basis.T @ start))


def _newton(columns: np.ndarray, signs: np.ndarray, C: float, start: np.ndarray) -> np.ndarray:
    rows = np.column_stack([columns, np.ones(len(columns))]) * signs[:, None]
    w = np.append(start, 0.0)
    for _ in range(MAX_STEPS):
        gaps = np.maximum(1 - rows @ w, 0.0)
        inside = rows[gaps > 0]
        slope = w - 2 * C * (rows.T @ gaps)
        curvature = 2 * C * (inside.T @ inside) + np.eye(len(w))
        step = scipy.linalg.solve(curvature, -slope, assume_a="pos")
        if np.abs(step).max() <= SETTLED * np.abs(w).max():
            return w[:-1]
        w = w + _share(rows, w, C, step, slope) * step
    warn_user(
        f"The support vector machine did not converge in {MAX_STEPS} steps. Hint: use a smaller C.",
        ConvergenceWarning,
    )
    return w[:-1]


def _share(rows: np.ndarray, w: np.ndarray, C: float, step: np.ndarray, slope: np.ndarray) -> float:
    """The share of a step to take, so that the loss falls."""
    before, decline = _loss(rows, w, C), ARMIJO * float(slope @ step)
    share = 1.0
    for _ in range(MAX_HALVINGS):
        if _loss(rows, w + share * step, C) <= before + share * decline:
            break
        share /= 2
    return share


def _loss(rows: np.ndarray, w: np.ndarray, C: float) -> float:
    gaps = np.maximum(1 - rows @ w, 0.0)
    return float(w @ w) / 2 + C * float(gaps @ gaps)

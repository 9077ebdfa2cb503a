"""NHTP: the best logistic model of a given number of columns, by Newton steps on the columns that matter."""

import math
from typing import Any, ClassVar

import numpy as np
import scipy.linalg
from scipy.special import expit

from entropick._base.ties import merged
from entropick.measures._shared.convergence import CONVERGED
from entropick.measures._shared.values import COUNT, COUNT_OR_SHARE, count_of
from entropick.measures.linear.weights import LinearRanking

__all__ = ["NHTP"]

DEFAULT_SHARE = 0.2  # columns with a weight, per row
TOL = 1e-6
RIDGE = 1e-6  # divided by the number of rows, as in the authors' program, but at least MIN_RIDGE
# The ridge alone decides how columns that depend on each other, such as x and 1 - x, share a weight. The
# smaller it is, the fewer digits are right: with 1e-10 (10,000 rows) five, too few to see that they tie.
MIN_RIDGE = 1e-9
ARMIJO, MAX_HALVINGS = 5e-5, 6
MANY_WEIGHTS = 2000  # from here on Newton's equations are solved by conjugate gradients
MAX_CG_STEPS = 50


class NHTP(LinearRanking):
    """Newton hard thresholding pursuit: the best-fitting logistic model of a given number of columns.

    Minimises the logistic loss on standardised columns with at most s weights that are not 0. Each round
    takes the s columns with the largest |w − η ∇f(w)| and makes a Newton step on them. The score is
    |w_f|. More than two classes are handled one-vs-rest, and a column scores its largest weight.
    Constant columns and copies of earlier ones score 0.

    Parameters
    ----------
    n_nonzero : int, float or None, default=None
        s, the number of columns with a weight, or their share in (0, 1]; None for a fifth of the rows.
    max_rounds : int, default=2000
        Maximum number of rounds.

    References
    ----------
    Zhou, Xiu and Qi (2021), Global and quadratic convergence of Newton hard-thresholding pursuit.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import NHTP
    >>> X, y = load_wine(return_X_y=True)
    >>> NHTP(n_features=3).fit(X, y).order_
    array([12,  6,  9])
    """

    learns = CONVERGED
    digits = 1e-6  # precision of the weights of a column and its mirror image, which the tiny ridge decides

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_nonzero": COUNT_OR_SHARE,
        "max_rounds": COUNT,
    }

    def __init__(self, n_nonzero: float | None = None, max_rounds: int = 2000) -> None:
        self.n_nonzero = n_nonzero
        self.max_rounds = max_rounds

    def _weights(self, columns: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, bool]:
        n_rows, n_columns = columns.shape
        n_nonzero = count_of(self.n_nonzero, n_columns, default=math.ceil(DEFAULT_SHARE * n_rows))
        return hard_thresholding_pursuit(LogisticLoss(columns, signs > 0), n_nonzero, self.max_rounds)


class LogisticLoss:
    """f(w) = mean of log(1 + exp(x·w)) − b x·w, plus (μ/2) ‖w‖² that keeps its curvature above 0.

    b is the class of each row, `is_positive`.
    """

    def __init__(self, columns: np.ndarray, is_positive: np.ndarray) -> None:
        self.n_columns = columns.shape[1]
        self._columns, self._wanted = columns, is_positive.astype(np.float64)
        self._n_rows = len(columns)
        self._ridge = max(RIDGE / len(columns), MIN_RIDGE)

    def value(self, w: np.ndarray) -> float:
        at = self._margins(w)
        return float((np.logaddexp(0.0, at) - self._wanted * at).mean() + self._ridge / 2 * (w @ w))

    def gradient(self, w: np.ndarray) -> np.ndarray:
        excess = expit(self._margins(w)) - self._wanted
        return np.asarray(self._columns.T @ excess / self._n_rows + self._ridge * w)

    def newton_step(
        self, w: np.ndarray, inside: np.ndarray, leaving: np.ndarray, slope: np.ndarray
    ) -> np.ndarray:
        """d with H d = H(inside, leaving) w(leaving) − slope, for the second derivatives H at w."""
        share = expit(self._margins(w))
        curvature = share * (1 - share) / self._n_rows
        own = self._columns[:, inside]
        known = -slope
        if len(leaving):
            known = known + own.T @ (curvature * (self._columns[:, leaving] @ w[leaving]))
        if len(inside) >= MANY_WEIGHTS:
            return self._by_conjugate_gradients(own, curvature, known)
        hessian = own.T @ (curvature[:, None] * own)
        hessian[np.diag_indices_from(hessian)] += self._ridge
        return np.asarray(scipy.linalg.solve(hessian, known, assume_a="pos"))

    def _by_conjugate_gradients(
        self, own: np.ndarray, curvature: np.ndarray, known: np.ndarray
    ) -> np.ndarray:
        from scipy.sparse.linalg import LinearOperator, cg

        def multiply(v: np.ndarray) -> np.ndarray:
            return np.asarray(own.T @ (curvature * (own @ v)) + self._ridge * v)

        size = len(known)
        operator = LinearOperator((size, size), multiply, dtype=np.float64)
        return np.asarray(cg(operator, known, rtol=1e-10, maxiter=MAX_CG_STEPS)[0])

    def _margins(self, w: np.ndarray) -> np.ndarray:
        some = np.flatnonzero(w)
        return np.asarray(self._columns[:, some] @ w[some])


def hard_thresholding_pursuit(loss: LogisticLoss, n_nonzero: int, max_rounds: int) -> tuple[np.ndarray, bool]:
    """Minimise a loss with at most n_nonzero weights; return the weights and whether they converged."""
    w = np.zeros(loss.n_columns)
    chosen = np.arange(0)
    slope, value = loss.gradient(w), loss.value(w)
    rate = _first_rate(loss, n_nonzero)
    for n_rounds in range(max_rounds):
        moved = w - rate * slope
        before, chosen = chosen, _largest(np.abs(moved), n_nonzero)
        leaving = np.setdiff1d(before, chosen)
        error = _error(w, slope, chosen, leaving, rate)
        if error < TOL:
            return w, True
        previous, (w, value) = value, _step(loss, w, value, slope, moved, chosen, leaving, rate)
        slope = loss.gradient(w)
        if n_rounds > 10 and abs(previous - value) < 1e-10 * (1 + abs(value)) and error < 1e-2:
            return w, True
        if n_rounds > 0 and n_rounds % 50 == 0:
            shrink = 1.5 if n_rounds >= 1500 else 1.05
            rate = rate / shrink if error > n_rounds**-2 else 1.25 * rate
    return w, False


def _first_rate(loss: LogisticLoss, n_nonzero: int) -> float:
    """η, from the slopes at w = 1, as in the authors' program."""
    slopes = np.abs(loss.gradient(np.ones(loss.n_columns)))
    slopes = slopes[slopes > 1e-8]
    size = float((1 / slopes).mean()) if len(slopes) else 1.0
    share = n_nonzero / loss.n_columns
    if size < 1:
        return float(math.log2(1 + size) * share**-0.5)
    rate = math.log2(1 + size) * math.exp(share ** (1 / 3))
    return rate / math.log2(size) if size > 2 else rate


def _largest(sizes: np.ndarray, n: int) -> np.ndarray:
    """Sorted indices of the n largest; the first of equal ones."""
    return np.sort(np.argsort(-merged(sizes, NHTP.digits), kind="stable")[:n])


def _error(w: np.ndarray, slope: np.ndarray, chosen: np.ndarray, leaving: np.ndarray, rate: float) -> float:
    """How far w is from a stationary point with these columns."""
    outside = max(0.0, float(np.abs(slope).max() - np.abs(w[chosen]).min() / rate))
    return outside + math.sqrt(float(slope[chosen] @ slope[chosen] + w[leaving] @ w[leaving]))


def _step(
    loss: LogisticLoss, w: np.ndarray, value: float, slope: np.ndarray, moved: np.ndarray,
    chosen: np.ndarray, leaving: np.ndarray, rate: float,
) -> tuple[np.ndarray, float]:  # fmt: skip
    """The next weights and their loss: a Newton step on the chosen columns, or one down the slope."""
    own = slope[chosen]
    direction = loss.newton_step(w, chosen, leaving, own)
    lost = float(w[leaving] @ w[leaving]) / (4 * rate)
    delta = 1e-4 if lost > 1e-4 else 1e-10
    length = float(direction @ direction) + float(w[leaving] @ w[leaving])
    if direction @ own > max(-delta * length + lost, -float(own @ own)):
        direction = -own
    decline = ARMIJO * float(direction @ own)
    share = 1.0
    for _ in range(MAX_HALVINGS):
        following = np.zeros_like(w)
        following[chosen] = w[chosen] + share * direction
        reached = loss.value(following)
        if reached < value + share * decline:
            return following, reached
        share /= 2
    if reached > value:
        following = np.zeros_like(w)
        following[chosen] = moved[chosen]
        reached = loss.value(following)
    return following, reached

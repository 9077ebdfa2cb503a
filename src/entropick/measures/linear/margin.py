"""Sparse linear classifiers, L1SVM and FSV, with exact solutions of their linear programs."""

import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from entropick._base.compat import Interval, StrOptions
from entropick.exceptions import DataError, warn_user
from entropick.measures._shared.convergence import CONVERGED
from entropick.measures.linear.weights import LinearRanking, standardised

__all__ = ["FSV", "L1SVM"]

TOL = 1e-9  # a column is added if it violates the conditions of optimality by more
SLACK = 1e-7  # tolerance of the solver for margins
NEW_COLUMNS = 50  # maximal number of columns added at a time
MAX_ITER = 100_000  # of the solver of the squared hinge loss
PRECISE = 1e-9  # its tolerance for the relative slope; with a smaller one it may diverge
OFFSET_SCALE = 10.0  # LIBLINEAR penalises the offset like a weight; on this scale hardly at all
MIN_SLOPE = 1e-3  # of the concave penalty, relative to that at 0: free weights would not be unique
N_FOLDS = 5
GRID = 10.0 ** -np.arange(0.25, 3.01, 0.25)  # shares of the penalty that leaves no column


class HingeProgram:
    """min over w, b:  Σ_i r_i max(0, 1 − y_i (x_i·w + b)) + Σ_j c_j |w_j|, as a linear program.

    An optimum has no more weights than there are rows. So the program is solved on few columns; its dual
    solution shows which others would lower the value, and these are added until there are none: the result
    is an optimum over all columns. `signs` are y, −1 or 1; `row_costs` are r, above 0.
    """

    def __init__(self, columns: np.ndarray, signs: np.ndarray, row_costs: np.ndarray) -> None:
        self._signed = columns * signs[:, None]
        self._signs, self._row_costs = signs, row_costs
        self._pull = np.abs(self._signed.T @ self._idle_duals())
        self._used = np.zeros(columns.shape[1], dtype=bool)  # columns added so far; kept for other costs
        self._used[np.argsort(-self._pull, kind="stable")[:NEW_COLUMNS]] = True

    @property
    def idle_cost(self) -> float:
        """A common cost of all columns that leaves all weights 0; the smallest one for balanced classes."""
        return float(self._pull.max())

    def _idle_duals(self) -> np.ndarray:
        """Duals of the program without columns: both classes have the same total weight."""
        costs, positive = self._row_costs, self._signs > 0
        of_class = np.where(positive, costs[positive].sum(), costs[~positive].sum())
        return np.asarray(costs * of_class.min() / of_class)

    def solve(self, column_costs: np.ndarray) -> tuple[np.ndarray, float]:
        """The weights w and the offset b."""
        while True:
            weights, offset, duals = self._solve_used(column_costs)
            gain = np.abs(self._signed.T @ duals) - column_costs
            gain[self._used] = -np.inf
            useful = np.flatnonzero(gain > TOL * np.maximum(1.0, column_costs))
            if not len(useful):
                return weights, offset
            self._used[useful[np.argsort(-gain[useful], kind="stable")[:NEW_COLUMNS]]] = True

    def solutions(self, shares: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
        """Weights and offset if all columns cost a share of the idle cost, for decreasing shares.

        Once all rows are on the right side of their margins, lower costs change nothing: better weights
        would have been better before.
        """
        found: tuple[np.ndarray, float] | None = None
        for share in shares:
            if found is None or not self._has_no_loss(*found):
                found = self.solve(np.full(len(self._used), share * self.idle_cost))
            yield found

    def _has_no_loss(self, weights: np.ndarray, offset: float) -> bool:
        used = np.flatnonzero(weights)
        margins = self._signed[:, used] @ weights[used] + self._signs * offset
        return bool((margins >= 1 - SLACK).all())

    def _solve_used(self, column_costs: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Weights, offset and duals with the columns added so far; w = u − v with u, v ≥ 0."""
        from scipy.optimize import linprog

        used = np.flatnonzero(self._used)
        n_rows, k = len(self._signs), len(used)
        signed = self._signed[:, used]
        blocks = [signed, -signed, self._signs[:, None], scipy.sparse.eye_array(n_rows)]
        costs = np.concatenate([column_costs[used], column_costs[used], [0.0], self._row_costs])
        bounds = np.column_stack([np.zeros(len(costs)), np.full(len(costs), np.inf)])
        bounds[2 * k, 0] = -np.inf
        found = linprog(
            costs, -scipy.sparse.hstack(blocks, format="csc"), -np.ones(n_rows), bounds=bounds, method="highs"
        )
        if found.x is None:
            raise DataError(
                f"The linear program of {k} columns and {n_rows} rows could not be solved: {found.message} "
                "Hint: use another penalty."
            )
        weights = np.zeros(len(self._used))
        weights[used] = found.x[:k] - found.x[k : 2 * k]
        return weights, float(found.x[2 * k]), -found.ineqlin.marginals


class L1SVM(LinearRanking):
    """Linear SVM with an L1 penalty: columns by the size of their weights, most of which are 0.

    Minimises (1/n) Σ loss(y (x·w + b)) + λ Σ |w_f| on standardised columns. The score is |w_f|. More than
    two classes are handled one-vs-rest, and a column scores its largest weight. Constant columns
    and copies of earlier ones score 0.

    Parameters
    ----------
    loss : {"hinge", "squared_hinge", "unhinged"}, default="hinge"
        "hinge" is max(0, 1 − z), the exact solution of a linear program, of at most as many columns as rows;
        "squared_hinge" its square, by LIBLINEAR; "unhinged" 1 − z with λ on |w| and a quadratic term, which
        has a closed form: half the difference of the class means, less λ.
    penalty : float in (0, 1] or "cv", default=0.1
        λ as a share of the smallest λ that leaves no column; "cv" chooses it by 5-fold cross-validated
        accuracy, the largest of equally good ones.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds of "cv" and of LIBLINEAR; None takes the selector's, or 0 if it has none.

    References
    ----------
    van de Geer (2008), High-dimensional generalized linear models and the lasso.
    van Rooyen, Menon and Williamson (2015), Learning with symmetric label noise: the importance of being
    unhinged.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import L1SVM
    >>> X, y = load_wine(return_X_y=True)
    >>> L1SVM(n_features=3).fit(X, y).order_
    array([12,  6,  9])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "loss": [StrOptions({"hinge", "squared_hinge", "unhinged"})],
        "penalty": [Interval(Real, 0, 1, closed="right"), StrOptions({"cv"})],
        "random_state": ["random_state"],
    }

    def __init__(self, loss: str = "hinge", penalty: float | str = 0.1, random_state: Any = None) -> None:
        self.loss = loss
        self.penalty = penalty
        self.random_state = random_state

    def _weights(self, columns: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, bool]:
        seed = 0 if self.random_state is None else check_random_state(self.random_state).randint(2**31 - 1)
        share = self._best_share(columns, signs, seed) if isinstance(self.penalty, str) else self.penalty
        ((weights, _),) = self._solutions(columns, signs, np.array([share]), seed)
        return weights, True  # the solvers warn themselves

    def _solutions(
        self, columns: np.ndarray, signs: np.ndarray, shares: np.ndarray, seed: int
    ) -> Iterator[tuple[np.ndarray, float]]:
        """Weights and offset for each penalty, the largest first."""
        if self.loss == "hinge":
            program = HingeProgram(columns, signs, np.full(len(signs), 1 / len(signs)))
            yield from program.solutions(shares)
        else:
            solve = _unhinged if self.loss == "unhinged" else _squared_hinge
            yield from (solve(columns, signs, share, seed) for share in shares)

    def _best_share(self, columns: np.ndarray, signs: np.ndarray, seed: int) -> float:
        """The largest of the penalties with the fewest errors on held-out rows."""
        from sklearn.model_selection import StratifiedKFold

        rarest = int(min((signs > 0).sum(), (signs < 0).sum()))
        if rarest < 2:
            raise DataError(
                'penalty="cv" needs at least two rows of each class, but the smallest has one. Hint: give '
                "the penalty as a number, such as 0.1."
            )
        folds = StratifiedKFold(min(N_FOLDS, rarest), shuffle=True, random_state=seed)
        n_errors = np.zeros(len(GRID))
        for training, held_out in folds.split(columns, signs):
            centre, width = columns[training].mean(axis=0), columns[training].std(axis=0)
            unit = np.where(width > 0, width, 1.0)
            found = self._solutions(standardised(columns[training]), signs[training], GRID, seed)
            for k, (weights, offset) in enumerate(found):
                margins = (columns[held_out] - centre) / unit @ weights + offset
                n_errors[k] += np.count_nonzero(margins * signs[held_out] <= 0)
        return float(GRID[np.argmin(n_errors)])


def _squared_hinge(
    columns: np.ndarray, signs: np.ndarray, share: float, seed: int
) -> tuple[np.ndarray, float]:
    """(1/n) Σ max(0, 1 − z)² + λ Σ |w|, by coordinate descent."""
    from sklearn.svm import LinearSVC

    residual = signs - signs.mean()  # of the best offset alone
    idle = 2 / len(signs) * np.abs(columns.T @ residual).max()
    model = LinearSVC(
        penalty="l1", dual=False, C=1 / (len(signs) * share * idle), intercept_scaling=OFFSET_SCALE,
        tol=PRECISE, max_iter=MAX_ITER, random_state=seed,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # replaced by one with a hint
        model.fit(columns, signs)
    if model.n_iter_ >= MAX_ITER:
        warn_user(
            f"The support vector machine of L1SVM did not converge in {MAX_ITER:,} iterations. Hint: use a "
            'larger penalty, or loss="hinge", which is solved exactly.',
            ConvergenceWarning,
        )
    return model.coef_[0], float(model.intercept_[0])


def _unhinged(columns: np.ndarray, signs: np.ndarray, share: float, seed: int) -> tuple[np.ndarray, float]:
    """Half the differences of the class means, shrunk towards 0 by λ, and an offset between the classes."""
    positive, negative = columns[signs > 0].mean(axis=0), columns[signs < 0].mean(axis=0)
    means = (positive - negative) / 2
    weights = np.sign(means) * np.maximum(np.abs(means) - share * np.abs(means).max(), 0.0)
    return weights, -float(weights @ (positive + negative)) / 2


class FSV(LinearRanking):
    """Feature selection via concave minimisation: a separating plane that uses as few columns as possible.

    Minimises (1 − λ) (mean slack of each class) + λ Σ (1 − exp(−α |w_f|)) on standardised columns: the second
    term counts the columns used. It is linearised at the current weights, and the linear program is solved
    exactly, until nothing changes. The score is |w_f|; at most as many columns as rows have one
    above 0. More than two classes are handled one-vs-rest, and a column scores its largest weight.
    Constant columns and copies of earlier ones score 0.

    Parameters
    ----------
    weight : float in (0, 1), default=0.05
        λ, weight of sparsity relative to the errors.
    steepness : float, default=5.0
        α, how sharply the count of columns rises at 0.
    max_rounds : int, default=20
        Maximum number of linear programs.

    References
    ----------
    Bradley and Mangasarian (1998), Feature selection via concave minimization and support vector machines.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FSV
    >>> X, y = load_wine(return_X_y=True)
    >>> FSV(n_features="threshold").fit(X, y).order_
    array([ 6,  9, 12, 10,  0])
    """

    learns = CONVERGED

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "weight": [Interval(Real, 0, 1, closed="neither")],
        "steepness": [Interval(Real, 0, None, closed="neither")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, weight: float = 0.05, steepness: float = 5.0, max_rounds: int = 20) -> None:
        self.weight = weight
        self.steepness = steepness
        self.max_rounds = max_rounds

    def _weights(self, columns: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, bool]:
        sizes = np.where(signs > 0, (signs > 0).sum(), (signs < 0).sum())
        program = HingeProgram(columns, signs, (1 - self.weight) / sizes)
        weights = np.zeros(columns.shape[1])
        for _ in range(self.max_rounds):
            slope = np.maximum(np.exp(-self.steepness * np.abs(weights)), MIN_SLOPE)
            before, (weights, _) = weights, program.solve(self.weight * self.steepness * slope)
            if np.abs(weights - before).sum() <= 1e-5 * np.abs(before).sum():
                return weights, True
        return weights, False

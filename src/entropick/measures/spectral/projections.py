"""Projections of rows that UFSOL asks for: eigenvectors of βR + Xᵀ (I − V Vᵀ + αL) X."""

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from entropick.measures.spectral.eigen import ROUNDING, TIED, trailing_eigenvectors

MANY_COLUMNS = 500  # with fewer, eigenvectors of a matrix of all columns are found as fast
BELOW = 1e-2  # how far, relative to the smallest entry of the diagonal, the shift is below the spectrum
N_BASIS = 60  # vectors of the iteration
PRECISE = 1e-12  # its tolerance


def is_wide(rows: np.ndarray) -> bool:
    """Whether there are so many more columns than rows that a matrix of all columns is not worth making."""
    return bool(rows.shape[1] > max(MANY_COLUMNS, 2 * len(rows)))


class Projections:
    """W, the eigenvectors of the smallest eigenvalues of a diagonal plus Xᵀ (I − V Vᵀ + L) X.

    All vectors of the last of these eigenvalues belong to W if it is multiple. A call returns the squared
    lengths of the rows of W, one per column, and X W, or a rotation of it.
    """

    def __init__(self, rows: np.ndarray, laplacian: np.ndarray) -> None:
        self._rows, self._fixed = rows, rows.T @ rows + rows.T @ (laplacian @ rows)

    def __call__(
        self, memberships: np.ndarray, diagonal: np.ndarray, n_vectors: int
    ) -> tuple[np.ndarray, np.ndarray]:
        between = memberships.T @ self._rows
        matrix = self._fixed - between.T @ between + np.diag(diagonal)
        projection = trailing_eigenvectors((matrix + matrix.T) / 2, n_vectors)
        return (projection**2).sum(axis=1), self._rows @ projection


class WideProjections:
    """The same for many more columns than rows, without a matrix of all columns."""

    def __init__(self, rows: np.ndarray, laplacian: np.ndarray) -> None:
        self._rows, self._laplacian = rows, laplacian

    def __call__(
        self, memberships: np.ndarray, diagonal: np.ndarray, n_vectors: int
    ) -> tuple[np.ndarray, np.ndarray]:
        middle = np.eye(len(self._rows)) - memberships @ memberships.T + self._laplacian
        if np.ptp(diagonal) == 0:
            return _beside_the_rows(middle, self._rows)
        found = _inverse_iteration(diagonal, middle, self._rows, n_vectors)
        if found is None:
            return Projections(self._rows, self._laplacian)(memberships, diagonal, n_vectors)
        return (found**2).sum(axis=1), self._rows @ found


def _beside_the_rows(middle: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For equal diagonal entries: W is all that Xᵀ P X takes to 0, as there are more columns than rows."""
    values, vectors = scipy.linalg.eigh(middle)
    seen = (np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T) @ rows
    values, vectors = scipy.linalg.eigh(seen @ seen.T)
    is_seen = values > ROUNDING * len(rows) * values[-1]
    basis = scipy.linalg.qr(seen.T @ vectors[:, is_seen], mode="economic")[0]
    return np.maximum(1.0 - (basis**2).sum(axis=1), 0.0), rows - (rows @ basis) @ basis.T


def _inverse_iteration(
    diagonal: np.ndarray, middle: np.ndarray, rows: np.ndarray, n_vectors: int
) -> np.ndarray | None:
    """The vectors by products with the inverse of the matrix; None if they are not found or not unique.

    The matrix is shifted by what leaves it positive. By Woodbury's formula its inverse needs that of a
    matrix of as many rows as X.
    """
    shift = (1 - BELOW) * float(diagonal.min())
    shares = 1 / (diagonal - shift)
    factors = scipy.linalg.lu_factor(np.eye(len(rows)) + middle @ ((rows * shares) @ rows.T))

    def solve(vector: np.ndarray) -> np.ndarray:
        direct = shares * vector.ravel()
        among_rows = scipy.linalg.lu_solve(factors, middle @ (rows @ direct))
        return np.asarray(direct - shares * (among_rows @ rows))

    n = len(diagonal)
    inverse = LinearOperator((n, n), solve, dtype=np.float64)
    start = np.cos(np.arange(1, n + 1, dtype=np.float64))
    n_basis = min(n, max(N_BASIS, 4 * n_vectors))
    try:
        values, vectors = eigsh(inverse, n_vectors + 1, which="LA", v0=start, ncv=n_basis, tol=PRECISE)
    except ArpackError:
        return None
    order = np.argsort(-values, kind="stable")
    values, vectors = shift + 1 / values[order], vectors[:, order]
    if values[n_vectors] - values[n_vectors - 1] <= TIED * abs(values[n_vectors]):
        return None
    return np.asarray(vectors[:, :n_vectors])

"""Reproducible eigenvectors for the spectral measures.

For large sparse matrices there are two ways. Products with the matrix are fast if eigenvalues are well
separated, as in graphs of scattered rows; otherwise, as in graphs of rows along a line or sheet, factors of
the matrix are sparse, and fast. So the first way is tried for some restarts, then the second is used.
"""

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from entropick._base.threads import one_blas_thread

DENSE_ROWS = 1000  # matrices of at most this many rows are made dense, which is faster
TRIES = 20  # restarts of the first way
SHIFT = 1e-6  # distance of the factored matrix from the end of the spectrum, to keep it regular
TIED = 1e-9  # smaller relative differences of eigenvalues are ties,
ROUNDING = 1e-13  # and smaller differences relative to the norm of the matrix
NEAREST = 1e-6  # smaller relative differences of the distances of axes from a space are ties


def leading_eigenvectors(
    matrix: scipy.sparse.csr_array, known: scipy.sparse.csr_array, n_vectors: int
) -> np.ndarray:
    """Eigenvectors of the largest eigenvalues of a symmetric matrix, except known ones.

    If the last of these eigenvalues is multiple, all its vectors are returned, as in
    `trailing_eigenvectors`. The vectors of a multiple eigenvalue are those of `fixed_basis`.

    Parameters
    ----------
    matrix : has eigenvalues between −1 and 1
    known : (rows, known), orthonormal eigenvectors of eigenvalue 1 to leave out
    n_vectors : number of vectors; there may be fewer
    """
    n_vectors = min(n_vectors, matrix.shape[0] - known.shape[1])
    if n_vectors <= 0:
        return np.empty((matrix.shape[0], 0))
    with one_blas_thread():
        find = _leading_of_dense if matrix.shape[0] <= DENSE_ROWS else _leading_of_sparse
        values, vectors = find(matrix, known, n_vectors)
    order = np.argsort(-values, kind="stable")
    return _with_fixed_bases(values[order], vectors[:, order], n_vectors)


def _leading_of_dense(
    matrix: scipy.sparse.csr_array, known: scipy.sparse.csr_array, n_vectors: int
) -> tuple[np.ndarray, np.ndarray]:
    n = matrix.shape[0]
    without = (matrix - 3 * known @ known.T).toarray()  # moves known ones below all others
    n_found = min(n_vectors + 1, n - known.shape[1])
    while True:  # until a smaller eigenvalue than those wanted is found
        values, vectors = scipy.linalg.eigh(without, subset_by_index=[n - n_found, n - 1])
        if n_found == n - known.shape[1] or values[0] < values[-n_vectors] - TIED:
            return values, vectors
        n_found = min(2 * n_found, n - known.shape[1])


def _leading_of_sparse(
    matrix: scipy.sparse.csr_array, known: scipy.sparse.csr_array, n_vectors: int
) -> tuple[np.ndarray, np.ndarray]:
    n = matrix.shape[0]
    without = LinearOperator((n, n), lambda v: matrix @ v - 3 * (known @ (known.T @ v)), dtype=np.float64)
    settings = _settings(n, n_vectors)
    try:
        values, vectors = eigsh(without, n_vectors, which="LA", maxiter=TRIES, **settings)
        return values, vectors
    except ArpackNoConvergence:
        n_known = known.shape[1]
        found = eigsh(matrix.tocsc(), n_vectors + n_known, sigma=1 + SHIFT, **settings)[1]
        basis = scipy.linalg.qr(np.column_stack([known.toarray(), found]), mode="economic")[0][:, n_known:]
        values, turned = scipy.linalg.eigh(basis.T @ (matrix @ basis))
        return values[-n_vectors:], basis @ turned[:, -n_vectors:]


def _with_fixed_bases(values: np.ndarray, vectors: np.ndarray, n_vectors: int) -> np.ndarray:
    """The first vectors, and those tied with the last; `fixed_basis` for equal eigenvalues."""
    ends = np.append(np.flatnonzero(values[:-1] - values[1:] > TIED) + 1, len(values))
    found, start = [], 0
    for end in ends[: np.searchsorted(ends, n_vectors) + 1].tolist():
        found.append(fixed_basis(vectors[:, start:end]))
        start = end
    return np.column_stack(found)


def fixed_basis(vectors: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the span of orthonormal vectors that does not depend on their rotation.

    Each direction is the projection of the axis (a row) nearest to what is left of the span, the first of
    equally near ones. This fixes the sign of a single vector; for the eigenvectors of a graph with several
    components it takes them one by one.
    """
    left, found = vectors, []
    for _ in range(vectors.shape[1]):
        lengths = np.linalg.norm(left, axis=1)
        nearest = np.flatnonzero(lengths >= (1 - NEAREST) * lengths.max())[0]
        direction = left[nearest] / lengths[nearest]
        found.append(vectors @ direction)
        left = left - np.outer(left @ direction, direction)
    return np.column_stack(found)


def trailing_eigenvectors(matrix: np.ndarray | scipy.sparse.csr_array, n_vectors: int) -> np.ndarray:
    """Eigenvectors of the smallest eigenvalues of a symmetric, positive semidefinite matrix.

    If the last of these eigenvalues is multiple, all its vectors are returned: rounding would decide which of
    them come first. (Not for sparse matrices of more than `DENSE_ROWS` rows.)
    """
    n = matrix.shape[0]
    if n_vectors >= n:
        return np.eye(n)
    with one_blas_thread():
        if isinstance(matrix, np.ndarray):
            return _trailing_of_dense(matrix, n_vectors)
        if n <= DENSE_ROWS:
            return _trailing_of_dense(matrix.toarray(), n_vectors)
        return _trailing_of_sparse(matrix, n_vectors)


def _trailing_of_dense(matrix: np.ndarray, n_vectors: int) -> np.ndarray:
    values, vectors = scipy.linalg.eigh(matrix, subset_by_index=[0, n_vectors])
    tolerance = TIED * abs(values[n_vectors]) + ROUNDING * np.abs(matrix).sum(axis=0).max()
    if values[n_vectors] - values[n_vectors - 1] > tolerance:
        return np.asarray(vectors[:, :n_vectors])
    values, vectors = scipy.linalg.eigh(matrix)
    return np.asarray(vectors[:, values <= values[n_vectors - 1] + tolerance])


def _trailing_of_sparse(matrix: scipy.sparse.csr_array, n_vectors: int) -> np.ndarray:
    n = matrix.shape[0]
    settings = _settings(n, n_vectors)
    top = abs(matrix).sum(axis=0).max()  # no eigenvalue is larger
    try:
        reversed_ = top * scipy.sparse.eye_array(n) - matrix
        return np.asarray(eigsh(reversed_, n_vectors, which="LA", maxiter=TRIES, **settings)[1])
    except ArpackNoConvergence:
        return np.asarray(eigsh(matrix.tocsc(), n_vectors, sigma=-SHIFT * top, **settings)[1])


def _settings(n: int, n_vectors: int) -> dict[str, Any]:
    """Start, number of basis vectors and tolerance of the iteration.

    The start is fixed, and no special direction of any graph. With fewer basis vectors or a smaller tolerance
    it may not converge for multiple eigenvalues, which graphs with several components have.
    """
    start = np.cos(np.arange(1, n + 1, dtype=np.float64))
    return {"v0": start, "ncv": min(n, max(60, 4 * n_vectors)), "tol": 1e-8}

"""Graphs of columns that are never stored as a matrix, and scores of columns by paths in them.

A graph is anything with `n_columns` and `dot`, the product of its adjacency matrix A with a vector. A is
symmetric and has no negative entry, so its largest eigenvalue is its spectral radius and has an eigenvector
that is not orthogonal to ones: one Krylov space, started at ones, contains all that is needed here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import connected_components

from entropick._base.threads import Threads
from entropick.exceptions import DataError, warn_user
from entropick.measures._shared.moments import centred_ranks
from entropick.table.numeric.numbers import Numbers

FACTOR = 0.9  # share of the largest factor for which the sum over all paths is finite
PANEL = 512  # rows of the correlation matrix computed at a time
WIDTH = 4096  # columns of the correlation matrix computed at a time
WAVE = 16  # panels multiplied before their products are added
KEPT_BYTES = 1 << 30  # of the correlation matrix; the rest is recomputed for each product
EXACT_IN_SINGLE = 1 << 24  # whole numbers up to this are exact in single precision
PRECISE = 1e-13  # relative residual at which the iteration over Krylov spaces ends
LONGEST = 500  # maximal number of its steps
ROUNDING = 1e-15  # smaller relative sums of correlations count as 0


class Graph(Protocol):
    """Columns and the weights between them."""

    n_columns: int

    def dot(self, vector: np.ndarray) -> np.ndarray:
        """A times a vector."""

    def rows(self, columns: np.ndarray) -> np.ndarray:
        """Some rows of A, (columns, all columns)."""


class MatrixGraph:
    """A as an array or sparse matrix."""

    def __init__(self, matrix: np.ndarray) -> None:
        self._matrix = matrix
        self.n_columns = matrix.shape[0]

    def dot(self, vector: np.ndarray) -> np.ndarray:
        return np.asarray(self._matrix @ vector)

    def rows(self, columns: np.ndarray) -> np.ndarray:
        chosen = self._matrix[columns]
        return chosen if isinstance(chosen, np.ndarray) else chosen.toarray()


class LargerOf:
    """A(i, j) = max(x_i, x_j), multiplied by sums of sorted values."""

    def __init__(self, values: np.ndarray) -> None:
        self.n_columns = len(values)
        self._values = values
        self._order = np.argsort(values, kind="stable")
        self._sorted = values[self._order]
        self._n_up_to = np.searchsorted(self._sorted, values, side="right")  # the same for equal values

    def dot(self, vector: np.ndarray) -> np.ndarray:
        ordered = vector[self._order]
        up_to = np.concatenate([[0.0], np.cumsum(ordered)])
        above = np.concatenate([np.cumsum((self._sorted * ordered)[::-1])[::-1], [0.0]])
        return np.asarray(self._values * up_to[self._n_up_to] + above[self._n_up_to])

    def rows(self, columns: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum.outer(self._values[columns], self._values))


class Dissimilarity:
    """A(i, j) = 1 − |Spearman(i, j)|, without storing the whole matrix if it is large.

    Sums of products of ranks are whole numbers. Their absolute values are computed in blocks of the lower
    triangle, in single precision if that is exact. Blocks are kept up to `KEPT_BYTES`; others are recomputed
    for each product, with the same bits. The scaling to correlations is applied to the vectors. Threads
    compute and multiply panels of blocks. If i or j is constant, A(i, j) is `of_constants`: 0 as if any
    column determined it, or 1.
    """

    def __init__(self, values: Numbers, threads: Threads, of_constants: float = 0.0) -> None:
        ranks = centred_ranks(values, threads)
        self.n_columns = len(ranks)
        squares = np.einsum("ji,ji->j", ranks, ranks)
        self._varies = (squares > 0).astype(float)
        self._scale = self._varies / np.sqrt(np.maximum(squares, 1.0))
        self._of_constants = of_constants
        # no sum of products exceeds the largest sum of squares
        is_single = squares.max(initial=0.0) <= EXACT_IN_SINGLE
        self._ranks = ranks.astype(np.float32) if is_single else ranks
        self._threads = threads
        sizes = PANEL * self._ranks.itemsize * PANEL * np.arange(1, self._n_panels + 1)
        n_kept = int(np.searchsorted(np.cumsum(sizes), KEPT_BYTES, side="right"))
        self._kept: list[list[np.ndarray]] = [[] for _ in range(n_kept)]

        def run(first: int, last: int) -> None:
            for p in range(first, last):
                self._kept[p] = list(self._make_blocks(p))

        self._threads.run(run, n_kept, self._panel_seconds)

    @property
    def _n_panels(self) -> int:
        return -(-self.n_columns // PANEL)

    @property
    def _panel_seconds(self) -> float:
        """Approximate time to compute a panel."""
        return float(PANEL * self.n_columns * self._ranks.shape[1] * 4e-11)

    def _make_blocks(self, p: int) -> Iterator[np.ndarray]:
        """|Products| of the ranks of panel p with those up to its end, `WIDTH` columns at a time."""
        panel, end = self._ranks[p * PANEL : (p + 1) * PANEL], min((p + 1) * PANEL, self.n_columns)
        for start in range(0, end, WIDTH):
            block = panel @ self._ranks[start : min(start + WIDTH, end)].T
            yield np.abs(block, out=block)

    def dot(self, vector: np.ndarray) -> np.ndarray:
        scaled = self._scale * vector
        correlated = np.zeros(self.n_columns)
        for start in range(0, self._n_panels, WAVE):
            parts = np.zeros((min(WAVE, self._n_panels - start), self.n_columns))

            def run(first: int, last: int, start: int = start, parts: np.ndarray = parts) -> None:
                for p in range(first, last):
                    self._multiply(start + p, scaled, parts[p])

            seconds = PANEL * self.n_columns * 1e-9
            is_kept = start + len(parts) <= len(self._kept)
            self._threads.run(run, len(parts), seconds if is_kept else seconds + self._panel_seconds)
            correlated += parts.sum(axis=0)  # in a fixed order, whichever thread finishes first
        varying, constant = self._varies, 1 - self._varies
        result = varying * (varying @ vector) - self._scale * correlated
        result[np.abs(result) <= ROUNDING * np.abs(vector).sum()] = 0.0  # 1 − 1 if all are correlated
        if self._of_constants:
            result += self._of_constants * (varying * (constant @ vector) + constant * vector.sum())
        return np.asarray(result)

    def _multiply(self, p: int, scaled: np.ndarray, part: np.ndarray) -> None:
        """Add the products of panel p with a vector, from both sides of the diagonal."""
        first = p * PANEL
        own = slice(first, first + PANEL)
        start = 0
        for block in self._kept[p] if p < len(self._kept) else self._make_blocks(p):
            wide = block.astype(np.float64, copy=False)
            stop = start + wide.shape[1]
            part[own] += wide @ scaled[start:stop]
            before = min(stop, first)  # blocks on the diagonal already contain both sides
            if start < before:
                part[start:before] += scaled[own] @ wide[:, : before - start]
            start = stop

    def rows(self, columns: np.ndarray) -> np.ndarray:
        products = np.abs(self._ranks[columns] @ self._ranks.T).astype(np.float64)
        correlation = products * self._scale * self._scale[columns, None]
        both = np.outer(self._varies[columns], self._varies)
        return np.where(both > 0, np.maximum(1 - correlation, 0.0), self._of_constants)


@dataclass
class OuterProduct:
    """A = x yᵀ."""

    x: np.ndarray
    y: np.ndarray

    def __post_init__(self) -> None:
        self.n_columns = len(self.x)

    def dot(self, vector: np.ndarray) -> np.ndarray:
        return np.asarray(self.x * (self.y @ vector))

    def rows(self, columns: np.ndarray) -> np.ndarray:
        return np.outer(self.x[columns], self.y)


@dataclass
class SumGraph:
    """A = Σ weight · term, each term with its name."""

    terms: Mapping[str, tuple[float, Graph]]

    def __post_init__(self) -> None:
        self.terms = {name: term for name, term in self.terms.items() if term[0] > 0}
        self.n_columns = next(graph.n_columns for _, graph in self.terms.values())

    def dot(self, vector: np.ndarray) -> np.ndarray:
        total = np.zeros(self.n_columns)
        for weight, graph in self.terms.values():
            total += weight * graph.dot(vector)
        return total

    def rows(self, columns: np.ndarray) -> np.ndarray:
        total = np.zeros((len(columns), self.n_columns))
        for weight, graph in self.terms.values():
            total += weight * graph.rows(columns)
        return total


@dataclass(frozen=True)
class Krylov:
    """A basis V of span(e, A e, A² e, ...) with A V = V T + (remainder in the last direction only)."""

    basis: np.ndarray  # (steps, columns), orthonormal
    diagonal: np.ndarray  # of T
    beside: np.ndarray  # off-diagonal of T, followed by the length of the remainder

    def leading(self) -> tuple[float, np.ndarray, float]:
        """The largest eigenvalue of T, its vector, and their residual as those of A."""
        last = len(self.diagonal) - 1
        values, vectors = scipy.linalg.eigh_tridiagonal(
            self.diagonal, self.beside[:-1], select="i", select_range=(last, last)
        )
        return values[0], vectors[:, 0], self.beside[-1] * abs(vectors[last, 0])

    def solve(self, factor: float) -> tuple[np.ndarray, float]:
        """x with (I − factor T) x = first direction, and the length of the residual with A instead of T."""
        system = np.zeros((2, len(self.diagonal)))
        system[0, 1:] = -factor * self.beside[:-1]
        system[1] = 1 - factor * self.diagonal
        first = np.zeros(len(self.diagonal))
        first[0] = 1.0
        # scipy's banded solver rejects a system of one equation
        solution = first / system[1] if len(first) == 1 else scipy.linalg.solveh_banded(system, first)
        return solution, factor * self.beside[-1] * abs(solution[-1])


def krylov_spaces(graph: Graph) -> Iterator[Krylov]:
    """Krylov spaces of growing size, started at ones (Lanczos with full reorthogonalisation)."""
    n_steps = min(graph.n_columns, LONGEST)
    basis = np.empty((n_steps + 1, graph.n_columns))
    basis[0] = 1 / np.sqrt(graph.n_columns)
    diagonal, beside = np.empty((2, n_steps))
    for k in range(n_steps):
        image = graph.dot(basis[k])
        diagonal[k] = basis[k] @ image
        size = np.linalg.norm(image)
        for _ in range(2):  # once leaves rounding errors of the size of what is subtracted
            image = image - (basis[: k + 1] @ image) @ basis[: k + 1]
        rest = float(np.linalg.norm(image))
        is_complete = rest <= 1e-14 * size or k + 1 == graph.n_columns
        beside[k] = 0.0 if is_complete else rest
        yield Krylov(basis[: k + 1], diagonal[: k + 1], beside[: k + 1])
        if is_complete:
            return
        basis[k + 1] = image / rest
    warn_user(
        f"The scores of the graph did not converge to {PRECISE} within {LONGEST} steps and are less precise."
    )


def path_scores(graph: Graph, regularization: str, factor: float = FACTOR) -> np.ndarray:
    """Σ_l r^l A^l e over all l ≥ 1: the value of all paths that start at each column.

    r is `factor` divided by the spectral radius of A ("spectral") or by its largest row sum ("markov").
    """
    ones = np.ones(graph.n_columns)
    row_sums = graph.dot(ones)
    if not row_sums.any():
        return np.zeros(graph.n_columns)
    for space in krylov_spaces(graph):
        if regularization == "markov":
            radius, is_settled = row_sums.max(), True
        else:
            radius, _, remainder = space.leading()
            is_settled = remainder <= PRECISE * radius
        solution, remainder = space.solve(factor / radius)
        if is_settled and remainder <= PRECISE:
            break
    solution[0] -= 1.0
    return np.asarray(np.sqrt(graph.n_columns) * (solution @ space.basis))


def released_path_scores(graph: Graph) -> np.ndarray:
    """Scores of the authors' program: ((I − r B)⁻¹ − I) e with B = A / (m + ε) and r = (1 − ε) / m.

    m is the largest row sum of A, ε is 5e-6 for each column. Because A is divided twice, paths of two steps
    and more hardly count. A need not be symmetric.
    """
    row_sums = graph.dot(np.ones(graph.n_columns))
    largest, excess = row_sums.max(), 5e-6 * graph.n_columns
    if excess >= 1:
        raise DataError(
            f'variant="released" takes fewer than 200,000 columns, got {graph.n_columns}: beyond, its factor '
            '1 − 5e-6 · columns is not positive. Hint: use variant="paper".'
        )
    if not largest > 0:
        return np.zeros(graph.n_columns)
    factor = (1 - excess) / largest / (largest + excess)
    # with few light edges the sum over paths may diverge, but the formula does not
    if factor * largest > FACTOR:
        matrix = graph.rows(np.arange(graph.n_columns))
        return np.linalg.solve(np.eye(graph.n_columns) - factor * matrix, factor * row_sums)
    scores = term = factor * row_sums
    while np.abs(term).max() > ROUNDING * np.abs(scores).max():
        term = factor * graph.dot(term)
        scores = scores + term
    return np.asarray(scores)


def product_path_scores(weights: np.ndarray, regularization: str, factor: float = FACTOR) -> np.ndarray:
    """`path_scores` of A = s sᵀ in closed form: A has rank one, so the scores are s times a number."""
    total, square = weights.sum(), weights @ weights
    if square == 0:
        return np.zeros_like(weights)
    radius = square if regularization == "spectral" else weights.max() * total
    r = factor / radius
    return np.asarray(weights * (r * total / (1 - r * square)))


def scores_of_length(graph: Graph, length: int) -> np.ndarray:
    """A^l e: for every column the value of all paths of one length that start at it."""
    scores = np.ones(graph.n_columns)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(length):
            scores = graph.dot(scores)
    if not np.isfinite(scores).all():
        raise DataError(f"The values of paths of length {length} are too large. Hint: a smaller path_length.")
    return scores


def directed_path_scores(graph: Graph, regularization: str, factor: float) -> np.ndarray:
    """`path_scores` of a graph that need not be symmetric, by one linear system."""
    matrix = graph.rows(np.arange(graph.n_columns))
    row_sums = matrix.sum(axis=1)
    if not row_sums.any():
        return np.zeros(graph.n_columns)
    r = factor / _bound(matrix, regularization)
    return np.linalg.solve(np.eye(graph.n_columns) - r * matrix, r * row_sums)


def expected_visits(graph: Graph, regularization: str, factor: float) -> np.ndarray:
    """(I − r A)⁻¹: how often a random walk with the transitions r A that starts at i visits j."""
    matrix = graph.rows(np.arange(graph.n_columns))
    if not matrix.any():
        return np.eye(graph.n_columns)
    r = factor / _bound(matrix, regularization)
    return np.asarray(np.linalg.inv(np.eye(graph.n_columns) - r * matrix))


def _bound(matrix: np.ndarray, regularization: str) -> float:
    """The spectral radius of a matrix without negative entries, or its largest row sum."""
    if regularization == "markov":
        return float(matrix.sum(axis=1).max())
    if np.array_equal(matrix, matrix.T):
        return float(scipy.linalg.eigvalsh(matrix, subset_by_index=[len(matrix) - 1] * 2)[0])
    n_strong, _ = connected_components(matrix, connection="strong")
    if n_strong == len(matrix) and not matrix.diagonal().any():
        raise DataError(
            "The graph has no way back to any column, so its spectral radius is 0 and divides nothing. "
            "Hint: use regularization='markov'."
        )
    return float(np.abs(scipy.linalg.eigvals(matrix)).max())


def centrality(graph: Graph) -> np.ndarray:
    """The eigenvector of the largest eigenvalue, without negative entries, scaled to a maximum of 1."""
    if not graph.dot(np.ones(graph.n_columns)).any():
        return np.zeros(graph.n_columns)
    for space in krylov_spaces(graph):
        radius, vector, remainder = space.leading()
        if remainder <= PRECISE * radius:
            break
    scores = np.abs(vector @ space.basis)
    return np.asarray(scores / scores.max())

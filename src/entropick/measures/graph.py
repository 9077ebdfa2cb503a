"""Graphs of columns that are never held as a plain matrix, and the scores that paths in them give.

A graph is anything with `n_columns` and `dot`, the product of its adjacency matrix A with a vector. A is
symmetric and has no negative entry, so its largest eigenvalue is its spectral radius and has an eigenvector
that is not orthogonal to ones: one Krylov space, started at ones, holds all that is asked for here.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import scipy.linalg

from entropick.exceptions import DataError, warn_user
from entropick.measures.moments import centred_ranks
from entropick.table.numbers import Numbers
from entropick.threads import Threads

SHARE = 0.9  # of the largest factor that keeps the sum over all paths finite
PANEL = 512  # rows of the correlation matrix made at a time
PRECISE = 1e-13  # residual, relative to what it is a residual of, at which the search in Krylov spaces ends
LONGEST = 500  # steps of that search
ROUNDING = 1e-15  # relative error of a sum of correlations that is taken for 0


class Graph(Protocol):
    """Columns and the weights between them."""

    n_columns: int

    def dot(self, vector: np.ndarray) -> np.ndarray:
        """A times a vector."""


class MatrixGraph:
    """A as an array or sparse matrix."""

    def __init__(self, matrix: np.ndarray) -> None:
        self._matrix = matrix
        self.n_columns = matrix.shape[0]

    def dot(self, vector: np.ndarray) -> np.ndarray:
        return self._matrix @ vector


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
        return self._values * up_to[self._n_up_to] + above[self._n_up_to]


class Dissimilarity:
    """A(i, j) = 1 − |Spearman(i, j)|; 0 for constant columns, which any other column determines.

    Sums of products of ranks are whole numbers. Their absolute values are kept, lower triangle in panels of
    rows; the scaling to correlations is applied to the vectors. Panels are made and multiplied in threads.
    """

    def __init__(self, values: Numbers, threads: Threads) -> None:
        _require_memory(values.shape[1])
        ranks = centred_ranks(values, threads)
        self.n_columns = len(ranks)
        squares = np.einsum("ji,ji->j", ranks, ranks)
        self._varies = (squares > 0).astype(float)
        self._scale = self._varies / np.sqrt(np.maximum(squares, 1.0))
        self._threads = threads
        self._panels = [np.empty((0, 0))] * -(-self.n_columns // PANEL)

        def run(first: int, last: int) -> None:
            for p in range(first, last):
                stop = (p + 1) * PANEL
                panel = ranks[p * PANEL : stop] @ ranks[:stop].T
                self._panels[p] = np.abs(panel, out=panel)

        self._threads.run(run, len(self._panels), PANEL * self.n_columns * ranks.shape[1] * 4e-11)

    def dot(self, vector: np.ndarray) -> np.ndarray:
        scaled = self._scale * vector
        parts = np.zeros((len(self._panels), self.n_columns))  # added in order, whoever is done first

        def run(first: int, last: int) -> None:
            for p in range(first, last):
                start, panel = p * PANEL, self._panels[p]
                stop = start + len(panel)
                parts[p, start:stop] = panel @ scaled[:stop]
                parts[p, :start] = scaled[start:stop] @ panel[:, :start]

        self._threads.run(run, len(self._panels), PANEL * self.n_columns * 1e-9)
        result = self._varies * (self._varies @ vector) - self._scale * parts.sum(axis=0)
        result[np.abs(result) <= ROUNDING * np.abs(vector).sum()] = 0.0  # 1 − 1 where all are correlated
        return result


def _require_memory(n_columns: int) -> None:
    """Refuse a matrix of all pairs that would not fit, before anything is computed."""
    needed, free = 4 * n_columns**2, memory_at_hand()
    if needed > free:
        raise DataError(
            f"The unsupervised graph of {n_columns} columns needs {needed / 1e9:.1f} GB of memory, but only "
            f"{free / 1e9:.1f} GB are free. Hint: pass y for the supervised graph, which needs no matrix, or "
            "leave out columns first, for instance those of little variance."
        )


def memory_at_hand() -> float:
    """Bytes that are free or can be made free; where the system does not say, all its memory."""
    try:
        lines = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        return 1024.0 * int(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return np.inf


@dataclass
class MixedGraph:
    """α A + (1 − α) B."""

    alpha: float
    first: Graph
    second: Graph

    def __post_init__(self) -> None:
        self.n_columns = self.first.n_columns

    def dot(self, vector: np.ndarray) -> np.ndarray:
        total = np.zeros(self.n_columns)
        if self.alpha > 0:
            total += self.alpha * self.first.dot(vector)
        if self.alpha < 1:
            total += (1 - self.alpha) * self.second.dot(vector)
        return total


@dataclass
class SymmetricProduct:
    """A = (x yᵀ + y xᵀ) / 2."""

    x: np.ndarray
    y: np.ndarray

    def __post_init__(self) -> None:
        self.n_columns = len(self.x)

    def dot(self, vector: np.ndarray) -> np.ndarray:
        return (self.x * (self.y @ vector) + self.y * (self.x @ vector)) / 2


@dataclass(frozen=True)
class Krylov:
    """A basis V of span(e, A e, A² e, ...) with A V = V T + (remainder in the last direction only)."""

    basis: np.ndarray  # (steps, columns), orthonormal
    diagonal: np.ndarray  # of T
    beside: np.ndarray  # next to the diagonal; the last one is the length of the remainder

    def leading(self) -> tuple[float, np.ndarray, float]:
        """The largest eigenvalue of T with its vector, and how far they are from being A's."""
        last = len(self.diagonal) - 1
        values, vectors = scipy.linalg.eigh_tridiagonal(
            self.diagonal, self.beside[:-1], select="i", select_range=(last, last)
        )
        return values[0], vectors[:, 0], self.beside[-1] * abs(vectors[last, 0])

    def solve(self, factor: float) -> tuple[np.ndarray, float]:
        """x with (I − factor T) x = first direction, and the length of the residual with A in place of T."""
        system = np.zeros((2, len(self.diagonal)))
        system[0, 1:] = -factor * self.beside[:-1]
        system[1] = 1 - factor * self.diagonal
        first = np.zeros(len(self.diagonal))
        first[0] = 1.0
        # scipy's banded solver refuses a system of one equation
        solution = first / system[1] if len(first) == 1 else scipy.linalg.solveh_banded(system, first)
        return solution, factor * self.beside[-1] * abs(solution[-1])


def krylov_spaces(graph: Graph) -> Iterator[Krylov]:
    """Krylov spaces of growing size, started at the vector of ones (Lanczos, kept orthogonal)."""
    n_steps = min(graph.n_columns, LONGEST)
    basis = np.empty((n_steps + 1, graph.n_columns))
    basis[0] = 1 / np.sqrt(graph.n_columns)
    diagonal, beside = np.empty((2, n_steps))
    for k in range(n_steps):
        image = graph.dot(basis[k])
        diagonal[k] = basis[k] @ image
        size = np.linalg.norm(image)
        for _ in range(2):  # once leaves rounding errors of the size of what is taken away
            image = image - (basis[: k + 1] @ image) @ basis[: k + 1]
        rest = float(np.linalg.norm(image))
        is_complete = rest <= 1e-14 * size or k + 1 == graph.n_columns
        beside[k] = 0.0 if is_complete else rest
        yield Krylov(basis[: k + 1], diagonal[: k + 1], beside[: k + 1])
        if is_complete:
            return
        basis[k + 1] = image / rest
    warn_user(
        f"The scores of the graph did not settle to {PRECISE} within {LONGEST} steps; they are less precise."
    )


def path_scores(graph: Graph, regularization: str) -> np.ndarray:
    """Σ_l r^l A^l e over all l ≥ 1: for every column the value of all paths that start at it.

    r is 0.9 divided by the spectral radius of A ("spectral") or by its largest row sum ("markov").
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
        solution, remainder = space.solve(SHARE / radius)
        if is_settled and remainder <= PRECISE:
            break
    solution[0] -= 1.0
    return np.sqrt(graph.n_columns) * (solution @ space.basis)


def product_path_scores(weights: np.ndarray, regularization: str) -> np.ndarray:
    """`path_scores` of A = s sᵀ in closed form: A has rank one, so the scores are s times a number."""
    total, square = weights.sum(), weights @ weights
    if square == 0:
        return np.zeros_like(weights)
    radius = square if regularization == "spectral" else weights.max() * total
    factor = SHARE / radius
    return weights * (factor * total / (1 - factor * square))


def centrality(graph: Graph) -> np.ndarray:
    """The eigenvector of the largest eigenvalue, which has no negative entry, scaled to a maximum of 1."""
    if not graph.dot(np.ones(graph.n_columns)).any():
        return np.zeros(graph.n_columns)
    for space in krylov_spaces(graph):
        radius, vector, remainder = space.leading()
        if remainder <= PRECISE * radius:
            break
    scores = np.abs(vector @ space.basis)
    return scores / scores.max()

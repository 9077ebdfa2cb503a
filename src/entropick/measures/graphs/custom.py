"""Graphs of columns that the user gives, as a matrix or as a function of two columns."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from entropick.exceptions import DataError
from entropick.measures.graphs.graph import MatrixGraph
from entropick.table.numeric.numbers import dense_columns
from entropick.table.table import Table


def custom_graph(graph: Any, table: Table, directed: bool) -> MatrixGraph:
    """The user's graph, checked.

    Parameters
    ----------
    graph : matrix, dense or sparse, or a function of two columns, or of two columns and the target
    table : the columns, and the target for functions that take it
    directed : whether the weight of i and j may differ from that of j and i
    """
    n_columns = table.numbers.shape[1]
    if callable(graph):
        columns = dense_columns(table.numbers, 0, n_columns)
        graph = _evaluate(_with_target(graph, table), columns, directed)
    matrix = scipy.sparse.csr_array(graph) if scipy.sparse.issparse(graph) else np.asarray(graph, float)
    if matrix.shape != (n_columns, n_columns):
        raise DataError(
            f"The graph must have a row and a column for each of the {n_columns} columns of X, "
            f"got the shape {matrix.shape}."
        )
    i, j, weights = scipy.sparse.find(matrix)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        at = wrong[0]
        raise DataError(
            f"The weights of a graph must be finite and not negative, got {weights[at]} for the columns "
            f"{table.names[i[at]]} and {table.names[j[at]]}. Hint: shift or clip them."
        )
    if not directed and abs(matrix - matrix.T).max() > 1e-10 * max(1.0, abs(matrix).max()):
        raise DataError(
            "The graph must be symmetric: the weight of columns i and j is that of j and i. "
            "Hint: use (graph + graph.T) / 2, or directed=True."
        )
    return MatrixGraph(matrix)


def _with_target(function: Callable[..., float], table: Table) -> Callable[..., float]:
    """The function of two columns, with the target as its third argument if it takes one."""
    if not _takes_target(function):
        return function
    if not table.has_target:
        raise DataError(
            "This graph is a function of two columns and the target, but y is None. Hint: pass y, or a "
            "function of two columns."
        )
    target = table.target
    y = target.truth
    return lambda a, b: function(a, b, y)


def _takes_target(function: Callable[..., float]) -> bool:
    """Whether a function has three arguments without a default, or one that is called y."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some compiled functions do not tell
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    placed = [parameter for parameter in parameters if parameter.kind in by_place]
    n_needed = sum(parameter.default is inspect.Parameter.empty for parameter in placed)
    return n_needed == 3 or (len(placed) > 2 and placed[2].name == "y")


def _evaluate(function: Callable[..., float], columns: np.ndarray, directed: bool) -> np.ndarray:
    """A pairwise function on all pairs of columns; on each pair once if the order does not matter."""
    matrix = np.empty((len(columns), len(columns)))
    for i, first in enumerate(columns):
        for j, second in enumerate(columns if directed else columns[: i + 1]):
            matrix[i, j] = function(first, second) if directed else function(second, first)
            if not directed:
                matrix[j, i] = matrix[i, j]
    return matrix

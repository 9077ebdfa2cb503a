"""Explain the scores of a graph of columns.

Scores of paths satisfy č = r A (e + č): the score of a column is a sum over its partners j of r A(i, j)
(1 + č_j), and A is a sum of terms. So a score splits into shares of the terms, and into shares of partners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from entropick.measures.graphs.graph import SumGraph

N_PARTNERS = 10  # partners kept for a column
MAX_EXPLAINED = 1000  # selected columns whose partners are kept
BLOCK_VALUES = 1 << 22  # weights held at once


@dataclass(frozen=True)
class ColumnExplanation:
    """The explanation of the score of one column.

    Attributes
    ----------
    name, score : name and score of the column
    shares : share of each term of the graph in the score; they add up to 1, or are all 0 for a score of 0
    partners : the columns that contribute most as the next step of a path, with their shares, largest
        first; empty for columns that were not selected
    """

    name: str
    score: float
    shares: Mapping[str, float]
    partners: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        width = max(map(len, [*self.shares, *(name for name, _ in self.partners)]))
        lines = [f"{self.name}  {self.score:.4f}", "terms"]
        lines += [f"   {term:<{width}}  {share:.3f}" for term, share in self.shares.items()]
        lines += ["partners"] if self.partners else []
        lines += [f"   {name:<{width}}  {share:.3f}" for name, share in self.partners]
        return "\n".join(lines)


class Explanation:
    """Shares of the terms in the score of every column, and the partners of the selected ones.

    Attributes
    ----------
    shares : share of each term in the scores of all columns
    partners : partners of selected columns, as columns and shares; for the first 1,000 selected columns
    """

    def __init__(
        self,
        shares: Mapping[str, np.ndarray],
        partners: Mapping[int, tuple[np.ndarray, np.ndarray]],
        selected: Sequence[int],
    ) -> None:
        self.shares = dict(shares)
        self.partners = dict(partners)
        self._selected = list(selected)

    @classmethod
    def of_paths(cls, graph: SumGraph, values: np.ndarray, selected: Sequence[int]) -> "Explanation":
        """Explain the path scores of a graph.

        Parameters
        ----------
        graph : the graph
        values : of the paths that may follow the first step, by the column where that step ends
        selected : columns whose partners are kept
        """
        parts = {name: weight * term.dot(values) for name, (weight, term) in graph.terms.items()}
        total = np.sum(list(parts.values()), axis=0)
        divisor = np.where(total > 0, total, 1.0)
        partners: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        explained = np.asarray(selected[:MAX_EXPLAINED], np.int64)
        step = max(1, BLOCK_VALUES // graph.n_columns)
        for start in range(0, len(explained), step):
            some = explained[start : start + step]
            weights = graph.rows(some) * values / divisor[some, None]
            weights[np.arange(len(some)), some] = 0.0  # a column is not its own partner
            for j, row in zip(some.tolist(), weights, strict=True):
                partners[j] = _largest(row)
        return cls({name: part / divisor for name, part in parts.items()}, partners, selected)

    def of_column(self, column: int, names: Sequence[str], score: float) -> ColumnExplanation:
        """Explain the score of one column."""
        found = self.partners.get(column, (np.empty(0, np.int64), np.empty(0)))
        return ColumnExplanation(
            names[column],
            float(score),
            {term: float(shares[column]) for term, shares in self.shares.items()},
            tuple((names[j], float(share)) for j, share in zip(*found, strict=True)),
        )

    def __str__(self) -> str:
        """The mean shares of the terms over the selected columns."""
        means = {term: shares[self._selected].mean() for term, shares in self.shares.items()}
        return ", ".join(f"{term} {mean:.2f}" for term, mean in means.items())


def _largest(row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices and values of the largest positive entries, largest first; ties in order of the index."""
    n = min(N_PARTNERS, len(row))
    least = np.partition(row, len(row) - n)[len(row) - n]
    near = np.flatnonzero((row >= least) & (row > 0))
    columns = near[np.argsort(-row[near], kind="stable")][:n]
    return columns, row[columns]

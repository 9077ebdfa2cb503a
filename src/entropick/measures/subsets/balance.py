"""Relevance against redundancy of a whole subset, as in the papers on particle swarms."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.threads import Threads
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.measures.base import OneObjective, SetMeasure
from entropick.measures.pairs.pairwise import Redundancies
from entropick.table.table import Table

__all__ = ["JointBalance", "PairwiseBalance"]

BATCH_SUBSETS = 4096  # smaller subsets counted at once


class Balance(SetMeasure):
    """Base of the weighted differences (1 − w)·redundancy − w·relevance, which are minimised.

    Parameters
    ----------
    weight : float in [0, 1], default=0.9
        w, the weight of the relevance.
    """

    default_search = "swarm"
    default_cut = "front"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "weight": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(self, weight: float = 0.9) -> None:
        self.weight = weight


class PairwiseBalance(Balance):
    """Relevance Σ I(f;y) against redundancy Σ I(f;g) over the pairs f, g of the subset (F-MI).

    References
    ----------
    Cervante, Xue, Zhang and Shang (2012), Binary particle swarm optimisation for feature selection: a filter
    based approach.
    """

    def begin_sets(self, table: Table, threads: Threads) -> "PairwiseBalanceState":
        return PairwiseBalanceState(self.weight, table)


class PairwiseBalanceState(OneObjective):
    """I(f;y) of every column and I(f;g) of every pair."""

    objectives = ("(1 − w)·redundancy − w·relevance",)

    def __init__(self, weight: float, table: Table) -> None:
        counts, surprisal = table.counts, Surprisal(table.n_rows)
        columns = ColumnSums(counts, surprisal)
        redundancies = Redundancies(counts, columns)
        every = np.arange(table.n_columns)
        redundancy = np.empty((table.n_columns, table.n_columns))
        for s in every.tolist():
            sums = counts.pair_sums(s, every, surprisal, by_class=False)
            redundancy[s] = surprisal.to_bits(redundancies.with_column(s, sums[0]))
        np.fill_diagonal(redundancy, 0.0)
        self._weight = weight
        self._relevance = surprisal.to_bits(columns.relevance)
        self._redundancy = redundancy

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Values of whole subsets, as one column."""
        members = subsets.astype(np.float64)
        redundancy = ((members @ self._redundancy) * members).sum(axis=1) / 2
        return np.asarray(
            ((1 - self._weight) * redundancy - self._weight * (members @ self._relevance))[:, None]
        )


class JointBalance(Balance):
    """Relevance I(S;y) against redundancy, the mean of I(f; S without f) over the columns f of S (F-E).

    References
    ----------
    Cervante, Xue, Zhang and Shang (2012), Binary particle swarm optimisation for feature selection: a filter
    based approach.
    """

    def begin_sets(self, table: Table, threads: Threads) -> "JointBalanceState":
        return JointBalanceState(self.weight, table)


class JointBalanceState(OneObjective):
    """Entropies of subsets, and of subsets with one column less."""

    objectives = ("(1 − w)·redundancy − w·relevance",)

    def __init__(self, weight: float, table: Table) -> None:
        self._weight = weight
        self._counts = table.counts
        self._surprisal = Surprisal(table.n_rows)
        self._alone, _ = self._entropies(np.eye(table.n_columns, dtype=bool))
        nothing = np.zeros((1, table.n_columns), bool)
        self._class_entropy = float(self._entropies(nothing)[1][0])

    def _entropies(self, subsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """H(S) and H(S, y) of subsets."""
        phi, whole = self._surprisal.phi, self._surprisal.whole
        sums = self._counts.subset_sums(subsets, phi, phi)
        to_bits = self._surprisal.to_bits
        return to_bits(whole - sums.over_groups), to_bits(whole - sums.over_cells)

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Values of whole subsets, as one column."""
        of_columns, with_y = self._entropies(subsets)
        relevance = of_columns + self._class_entropy - with_y
        redundancy = np.zeros(len(subsets))
        owner, left_out = np.nonzero(subsets)
        for start in range(0, len(owner), BATCH_SUBSETS):
            batch = slice(start, start + BATCH_SUBSETS)
            smaller = subsets[owner[batch]]
            smaller[np.arange(len(smaller)), left_out[batch]] = False
            shared = self._alone[left_out[batch]] + self._entropies(smaller)[0] - of_columns[owner[batch]]
            np.add.at(redundancy, owner[batch], shared)
        redundancy /= np.maximum(subsets.sum(axis=1), 1)
        return np.asarray(((1 - self._weight) * redundancy - self._weight * relevance)[:, None])

"""Counts of rows that are all in this process."""

from functools import cached_property

import numpy as np

from entropick.contracts import GroupSums
from entropick.counting.groups import LocalGroups, UnusualRows
from entropick.counting.pairs import PairCounter
from entropick.counting.race import MinimumRace
from entropick.counting.subsets import SubsetCounter
from entropick.surprisal import Surprisal
from entropick.table.codes import Codes
from entropick.workers import Workers


class LocalCounts:
    """`entropick.contracts.Counts` of one table: counting and φ go on in the same compiled loops.

    Parameters
    ----------
    codes : the table; without a target all rows are one class
    workers : threads
    """

    def __init__(self, codes: Codes, workers: Workers) -> None:
        self._codes = codes
        self._workers = workers
        self.n_rows, self.n_levels = codes.n_rows, codes.n_levels

    @cached_property
    def class_sizes(self) -> np.ndarray:
        return np.bincount(self._codes.labels, minlength=self._codes.n_classes)

    @cached_property
    def _pairs(self) -> PairCounter:
        return PairCounter(self._codes, self._workers)

    @cached_property
    def _pairs_without_classes(self) -> PairCounter:
        return PairCounter(self._codes, self._workers, by_class=False)

    @cached_property
    def _unusual(self) -> UnusualRows:
        return UnusualRows(self._codes, self._workers)

    @cached_property
    def _subsets(self) -> SubsetCounter:
        return SubsetCounter(self._codes, self._unusual, self._workers)

    def take_rows(self, rows: np.ndarray) -> "LocalCounts":
        return LocalCounts(self._codes.take_rows(rows), self._workers)

    def column_sums(self, phi: np.ndarray) -> np.ndarray:
        return self._pairs.column_sums(phi)

    def pair_sums(
        self, s: int, candidates: np.ndarray, phi: np.ndarray, *, by_class: bool = True
    ) -> np.ndarray:
        counter = self._pairs if by_class else self._pairs_without_classes
        return counter.pair_sums(s, candidates, phi)

    def minima(self, start: np.ndarray, phi: np.ndarray, slack: int) -> MinimumRace:
        return MinimumRace(self._pairs, start, phi, slack)

    def groups(self, surprisal: Surprisal) -> LocalGroups:
        return LocalGroups(self._codes, surprisal, self._unusual, self._workers)

    def subset_sums(self, subsets: np.ndarray, of_group: np.ndarray, of_cell: np.ndarray) -> GroupSums:
        return self._subsets.entropy_sums(subsets, of_group, of_cell)

    def subset_peaks(self, subsets: np.ndarray) -> np.ndarray:
        return self._subsets.peak_sums(subsets)

    def subset_norms(self, subsets: np.ndarray, order: float) -> np.ndarray:
        return self._subsets.norm_sums(subsets, order)

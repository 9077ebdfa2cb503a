"""Tests of columns for independence of the target given other columns, from counts alone."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy.special import gammaincc

from entropick.counting.surprisal import ColumnCounts, ColumnSums, Surprisal
from entropick.inference.additive import AdditiveTests
from entropick.inference.stratified import MAX_FREEDOM, pooled_tails

# The variance of G is at most this often that of χ² with the same mean (measured on tables of many margins).
MAX_SPREAD = 1.25
# Columns are given as long as there are as many rows for each of their joint levels, or of all their levels.
MIN_ROWS_PER_STRATUM = MIN_ROWS_PER_TERM = 5
MAX_CELLS = 1 << 21  # cells that are counted at once


class PairCounts(ColumnCounts, Protocol):
    """Counts of columns, alone and given another one."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray: ...


class GivenColumns:
    """Tests of I(f;y|s) = 0, for columns f and one or more given columns s.

    Two tests are made, and the smaller p-value is doubled: one that pools the strata, which has the power to
    see what a column adds in the same way everywhere, and a G-test, which also sees what it adds in
    different ways. G is compared with a gamma distribution of its mean where labels are shuffled within
    strata.
    """

    def __init__(self, counts: PairCounts) -> None:
        self._counts = counts
        self._columns = ColumnSums(counts, Surprisal.of(counts, "adjusted"))
        self._plain = self._columns.surprisal.uncorrected()
        self._additive = AdditiveTests(counts, self._columns.surprisal.n_effective)

    def p_values(self, s: int, candidates: np.ndarray) -> np.ndarray:
        """p-value of each candidate given column s."""
        unpooled = self._g_tails(s, candidates)
        return np.asarray(np.minimum(1.0, 2 * np.minimum(self._pooled(candidates, (s,)), unpooled)))

    def p_value(self, column: int, others: Sequence[int]) -> float:
        """p-value of a column given others at once, the larger of two; 0 if there is a single other one.

        One test pools strata of those that say most about the column, unless it has very many levels. The
        other one takes effects to add up, and gives all others, or as many as there are rows for.
        """
        if len(others) < 2:
            return 0.0
        relatives, pooled = self.relatives(column, others), 0.0
        if len(relatives) > 1 and self._freedom(int(self._counts.n_levels[column])) <= MAX_FREEDOM:
            pooled = float(self._pooled(np.array([column]), relatives)[0])
        return max(pooled, self._additive.p_value(column, self._many_relatives(column, others)))

    def relatives(self, column: int, others: Sequence[int], n_cells: int = 1) -> tuple[int, ...]:
        """Those of some columns that say most about a column, as many as there are rows for.

        That is five for each of the cells into which their joint levels are split; it is one at least.
        """
        closest = self._closest(column, others)
        n_strata = n_cells * np.cumprod(self._counts.n_levels[closest], dtype=np.float64)
        return self._affordable(closest, n_strata * MIN_ROWS_PER_STRATUM)

    def _many_relatives(self, column: int, others: Sequence[int]) -> tuple[int, ...]:
        """The same if their effects add up: five rows for each of their levels."""
        closest = self._closest(column, others)
        return self._affordable(closest, np.cumsum(self._counts.n_levels[closest] - 1) * MIN_ROWS_PER_TERM)

    def _affordable(self, closest: np.ndarray, n_needed: np.ndarray) -> tuple[int, ...]:
        n_given = int(np.searchsorted(n_needed, self._columns.surprisal.n_effective, side="right"))
        return tuple(closest[: max(1, n_given)].tolist())

    def _closest(self, column: int, others: Sequence[int]) -> np.ndarray:
        """Columns in the order of what they say about a column."""
        candidates = np.array(others, np.int64)
        sums = self._counts.pair_sums(column, candidates, self._plain, by_class=False)[0, candidates]
        shared = sums - self._columns.f[candidates]  # n · I(f;s) up to what is the same for all
        return np.asarray(candidates[np.argsort(-shared, kind="stable")])

    def _g_tails(self, s: int, candidates: np.ndarray) -> np.ndarray:
        columns = self._columns
        surprisal = columns.surprisal
        alone, by_class, expected = self._counts.pair_sums(s, candidates, surprisal)[:, candidates]
        found = columns.f[s] - columns.fy[s] - alone + by_class
        to_gamma = math.log(2) * surprisal.n_effective * surprisal.unit / MAX_SPREAD
        tails = np.ones(len(candidates))
        is_open = expected > 0
        statistic = np.maximum(found[is_open] * to_gamma, 0.0)
        tails[is_open] = gammaincc(expected[is_open] * to_gamma, statistic)
        return tails

    def _freedom(self, n_levels: int) -> int:
        return (n_levels - 1) * (len(self._counts.class_sizes) - 1)

    def _pooled(self, candidates: np.ndarray, given: tuple[int, ...]) -> np.ndarray:
        """p-values of the test that pools strata; 1 for columns of very many levels."""
        counts = self._counts
        n_classes = len(counts.class_sizes)
        n_strata = math.prod(counts.n_levels[list(given)].tolist())
        tails = np.ones(len(candidates))
        for n_levels in np.unique(counts.n_levels[candidates]).tolist():
            if not 0 < self._freedom(n_levels) <= MAX_FREEDOM:
                continue
            alike = np.flatnonzero(counts.n_levels[candidates] == n_levels)
            at_once = max(1, MAX_CELLS // (n_levels * n_strata * n_classes))
            for start in range(0, len(alike), at_once):
                block = alike[start : start + at_once]
                tables = counts.class_tables(candidates[block], given) / counts.copies
                tails[block] = pooled_tails(tables.reshape(len(block), n_levels, n_strata, n_classes))
        return tails

"""Tests of columns for independence of the target given other columns, from counts alone."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy.special import gammaincc

from entropick.counting.surprisal import ColumnCounts, ColumnSums, Surprisal
from entropick.inference.stratified import MAX_FREEDOM, pooled_tails

# The variance of G is at most this often that of χ² with the same mean (measured on tables of many margins).
MAX_SPREAD = 1.25
# Columns are given jointly as long as there are as many rows for each of their joint levels.
MIN_ROWS_PER_STRATUM = 5
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

    def p_values(self, s: int, candidates: np.ndarray) -> np.ndarray:
        """p-value of each candidate given column s."""
        unpooled = self._g_tails(s, candidates)
        return np.asarray(np.minimum(1.0, 2 * np.minimum(self._pooled(candidates, (s,)), unpooled)))

    def p_value(self, column: int, given: Sequence[int]) -> float:
        """p-value of a column given several columns jointly, by the test that pools strata."""
        return float(self._pooled(np.array([column]), tuple(given))[0])

    def relatives(self, column: int, others: Sequence[int], n_cells: int = 1) -> tuple[int, ...]:
        """Those of some columns that say most about a column, as many as there are rows for.

        That is five for each of the cells into which their joint levels are split; it is one at least.
        """
        if not others:
            return ()
        candidates = np.array(others)
        sums = self._counts.pair_sums(column, candidates, self._plain, by_class=False)[0, candidates]
        shared = sums - self._columns.f[candidates]  # n · I(f;s) up to what is the same for all
        max_strata = self._columns.surprisal.n_effective / (n_cells * MIN_ROWS_PER_STRATUM)
        n_strata = 1.0
        chosen: list[int] = []
        for j in candidates[np.argsort(-shared, kind="stable")].tolist():
            n_strata *= float(self._counts.n_levels[j])
            if chosen and n_strata > max_strata:
                break
            chosen.append(j)
        return tuple(chosen)

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

    def _pooled(self, candidates: np.ndarray, given: tuple[int, ...]) -> np.ndarray:
        """p-values of the test that pools strata; 1 for columns of very many levels."""
        counts = self._counts
        n_classes = len(counts.class_sizes)
        n_strata = math.prod(counts.n_levels[list(given)].tolist())
        tails = np.ones(len(candidates))
        for n_levels in np.unique(counts.n_levels[candidates]).tolist():
            if not 0 < (n_levels - 1) * (n_classes - 1) <= MAX_FREEDOM:
                continue
            alike = np.flatnonzero(counts.n_levels[candidates] == n_levels)
            at_once = max(1, MAX_CELLS // (n_levels * n_strata * n_classes))
            for start in range(0, len(alike), at_once):
                block = alike[start : start + at_once]
                tables = counts.class_tables(candidates[block], given) / counts.copies
                tails[block] = pooled_tails(tables.reshape(len(block), n_levels, n_strata, n_classes))
        return tails

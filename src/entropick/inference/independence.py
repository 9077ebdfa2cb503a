"""Tests of any two columns, or a column and the target, for independence given other columns."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import gammaincc

from entropick.counting.surprisal import ColumnCounts, Phi, Surprisal

TARGET = -1  # stands for the target where columns are named by index
MIN_ROWS_PER_CELL = 5  # of a test that is taken to have power
AT_ONCE = 256  # subsets that are counted together


class SubsetCounts(ColumnCounts, Protocol):
    """Counts of columns, alone and in subsets."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray: ...

    def subset_sums(self, subsets: np.ndarray, of_group: Phi, of_cell: Phi) -> tuple[np.ndarray, ...]: ...


class Tests(NamedTuple):
    """Results of tests of x and z given different columns, as `Test`.

    Attributes
    ----------
    determine_x : whether x follows from the given columns
    may_have_more : whether a test may have power with more columns given
    """

    gains: np.ndarray
    p_values: np.ndarray
    have_power: np.ndarray
    determine_x: np.ndarray
    may_have_more: np.ndarray


class Test(NamedTuple):
    """Result of a test: bits beyond those expected by chance, p-value, and whether there were enough rows."""

    gain: float
    p_value: float
    has_power: bool


class IndependenceTests:
    """G-tests of x and z given columns Z, where x, z and Z are columns or the target.

    Degrees of freedom are counted from levels that occur: with S strata of Z in which x and z have a and b
    levels on average, S (a − 1) (b − 1).
    """

    def __init__(self, counts: SubsetCounts) -> None:
        self._counts = counts
        self._surprisal = Surprisal(counts.n_rows, None, counts.copies)
        self._to_chi2 = 2 * math.log(2) * self._surprisal.n_effective
        self._n_levels = np.append(counts.n_levels, np.count_nonzero(counts.class_sizes))  # target is last
        self._bit_of = {TARGET: 1}  # a subset is a number with the bits of its columns
        # Groups of equal rows of each subset, and Σ φ of their sizes; with the target, (group, class) cells.
        self._known: dict[int, tuple[int, int]] = {}

    def test(self, x: int, z: int, given: Iterable[int] = (), *, all_levels: bool = False) -> Test:
        """Test x and z given some columns.

        With `all_levels` each stratum is taken to have all levels of x and z: safer if strata are many.
        """
        found = self.tests(x, z, [tuple(given)], all_levels=all_levels)
        return Test(float(found.gains[0]), float(found.p_values[0]), bool(found.have_power[0]))

    def tests(self, x: int, z: int, givens: Sequence[Sequence[int]], *, all_levels: bool = False) -> Tests:
        """Test x and z given each of some sets of columns."""
        sums = np.array(self._sums(x, z, givens), np.int64).reshape(len(givens), 4, 2)
        n_strata, n_x, n_z, _ = sums[:, :, 0].T.astype(np.float64)
        alone, of_x, of_z, both = sums[:, :, 1].T
        information = np.maximum(self._surprisal.to_bits(both - of_x - of_z + alone), 0.0)
        levels_x, levels_z = n_x / n_strata, n_z / n_strata
        if all_levels:
            levels_x, levels_z = (np.full(len(givens), float(self._n_levels[column])) for column in (x, z))
        freedom = n_strata * (levels_x - 1) * (levels_z - 1)
        is_open = freedom > 0
        p_values = np.ones(len(givens))
        statistic = information[is_open] * self._to_chi2
        p_values[is_open] = gammaincc(freedom[is_open] / 2, statistic / 2)
        gains = np.where(is_open, information - freedom / self._to_chi2, 0.0)
        n_needed = MIN_ROWS_PER_CELL * n_strata * levels_x * levels_z
        has_power = ~is_open | (self._surprisal.n_effective >= n_needed)
        # More columns make more strata of x and of z, and a test needs as many rows at least.
        may_have_more = self._surprisal.n_effective >= MIN_ROWS_PER_CELL * np.maximum(n_x, n_z)
        return Tests(gains, p_values, has_power, n_x == n_strata, may_have_more)

    def shared_information(self) -> np.ndarray:
        """I(f;s) of all columns in bits, less what is expected by chance; (columns, columns)."""
        nothing = Test(0.0, 1.0, True)
        return np.stack([self.tests_of_column(x, nothing)[0][:-1] for x in range(len(self._counts.n_levels))])

    def tests_of_column(self, x: int, with_target: Test) -> tuple[np.ndarray, np.ndarray]:
        """Gains and p-values of a column with every column, the target behind them; 1 for itself."""
        counts, surprisal = self._counts, self._surprisal
        every = np.arange(len(counts.n_levels))
        alone = counts.column_sums(surprisal)[0]
        joint = counts.pair_sums(x, every, surprisal, by_class=False)[0]
        information = surprisal.to_bits(surprisal.whole - alone - alone[x] + joint)
        freedom = (counts.n_levels - 1.0) * (counts.n_levels[x] - 1.0)
        p_values = np.ones(len(every) + 1)
        is_open = np.flatnonzero((freedom > 0) & (every != x))
        statistic = np.maximum(information[is_open], 0.0) * self._to_chi2
        p_values[is_open] = gammaincc(freedom[is_open] / 2, statistic / 2)
        p_values[-1] = with_target.p_value
        return np.append(information - freedom / self._to_chi2, with_target.gain), p_values

    def _sums(self, x: int, z: int, givens: Sequence[Sequence[int]]) -> list[tuple[tuple[int, int], ...]]:
        """Number of groups and Σ φ of each given subset, and of it with x, with z, and with both."""
        of_x, of_z = self._bits(x), self._bits(z)
        bases = [self._bits(*given) for given in givens]
        keys = [(base, base | of_x, base | of_z, base | of_x | of_z) for base in bases]
        known = self._known
        missing: dict[int, tuple[int, ...]] = {}
        for given, subsets in zip(givens, keys, strict=True):
            for subset, added in zip(subsets, ((), (x,), (z,), (x, z)), strict=True):
                if subset not in known and subset & ~1 not in missing:
                    missing[subset & ~1] = (*given, *added)
        if missing:
            self._count(missing)
        return [(known[a], known[b], known[c], known[d]) for a, b, c, d in keys]

    def _bits(self, *columns: int) -> int:
        found = 0
        for column in columns:
            found |= self._bit_of.setdefault(column, 1 << len(self._bit_of))
        return found

    def _count(self, subsets: dict[int, tuple[int, ...]]) -> None:
        """Count subsets without the target, given with their columns, alone and by class."""
        phi = self._surprisal.phi
        names = list(subsets)
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            masks = np.zeros((len(some), len(self._counts.n_levels)), bool)
            for i, name in enumerate(some):
                masks[i, [column for column in subsets[name] if column != TARGET]] = True
            sums = np.stack(self._counts.subset_sums(masks, phi, phi), axis=1).tolist()
            for name, (n_groups, n_cells, over_groups, over_cells) in zip(some, sums, strict=True):
                self._known[name] = (n_groups, over_groups)
                self._known[name | 1] = (n_cells, over_cells)

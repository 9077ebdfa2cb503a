"""Tests of any two columns, or a column and the target, for independence given other columns."""

import math
from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import gammaincc

from entropick.counting.surprisal import ColumnCounts, Phi, Surprisal

TARGET = -1  # stands for the target where columns are named by index
MIN_ROWS_PER_CELL = 5  # of a test that is taken to have power


class Sums(NamedTuple):
    """Groups of equal rows of a subset, (group, class) cells, and Σ φ over both."""

    n_groups: int
    n_cells: int
    over_groups: int
    over_cells: int


class SubsetCounts(ColumnCounts, Protocol):
    """Counts of columns, alone and in subsets."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray: ...

    def subset_sums(self, subsets: np.ndarray, of_group: Phi, of_cell: Phi) -> tuple[np.ndarray, ...]: ...


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
        self._known: dict[frozenset[int], Sums] = {}

    def test(self, x: int, z: int, given: Iterable[int] = (), *, all_levels: bool = False) -> Test:
        """Test x and z given some columns.

        With `all_levels` each stratum is taken to have all levels of x and z: safer if strata are many.
        """
        base = frozenset(given)
        subsets = base, base | {x}, base | {z}, base | {x, z}
        (n_strata, alone), (n_x, of_x), (n_z, of_z), (_, both) = self._sums(subsets)
        information = max(0.0, float(self._surprisal.to_bits(both - of_x - of_z + alone)))
        levels_x, levels_z = n_x / n_strata, n_z / n_strata
        if all_levels:
            levels_x, levels_z = float(self._n_levels[x]), float(self._n_levels[z])
        freedom = n_strata * (levels_x - 1) * (levels_z - 1)
        if freedom <= 0:
            return Test(0.0, 1.0, True)
        p_value = float(gammaincc(freedom / 2, information * self._to_chi2 / 2))
        n_needed = MIN_ROWS_PER_CELL * n_strata * levels_x * levels_z
        gain = information - freedom / self._to_chi2
        return Test(gain, p_value, self._surprisal.n_effective >= n_needed)

    def determine(self, given: Iterable[int], x: int) -> bool:
        """Whether x follows from some columns, as it does from a copy: all else is independent of it then."""
        base = frozenset(given)
        (n_strata, _), (n_x, _) = self._sums((base, base | {x}))
        return n_strata == n_x

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

    def _sums(self, subsets: Iterable[frozenset[int]]) -> list[tuple[int, int]]:
        """Number of groups and Σ φ of each subset; with the target among them, of its cells."""
        wanted = list(subsets)
        missing = list(dict.fromkeys(s - {TARGET} for s in wanted if s - {TARGET} not in self._known))
        if missing:
            masks = np.zeros((len(missing), len(self._counts.n_levels)), bool)
            for i, subset in enumerate(missing):
                masks[i, list(subset)] = True
            phi = self._surprisal.phi
            found = np.stack(self._counts.subset_sums(masks, phi, phi), axis=1).tolist()
            self._known.update((subset, Sums(*sums)) for subset, sums in zip(missing, found, strict=True))
        return [self._of(subset) for subset in wanted]

    def _of(self, subset: frozenset[int]) -> tuple[int, int]:
        sums = self._known[subset - {TARGET}]
        return (sums.n_cells, sums.over_cells) if TARGET in subset else (sums.n_groups, sums.over_groups)

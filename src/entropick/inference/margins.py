"""The distribution of G of tables of counts, given the sums of their rows and columns.

G = 2 Σ N ln(N n / (row sum · column sum)) is about χ² distributed if at least `MIN_EXPECTED` rows are
expected in each cell, and if there are more than 2 × 2 cells, of which G has too few values. Otherwise all
tables with the same margins are listed if they are few, where those that differ only in the order of levels
of the same size count as one. If they are many, random ones are drawn (`drawn.py`).
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from scipy.special import gammaincc, gammaln, xlogy

from entropick.inference.drawn import RandomTables, same_rows

MIN_EXPECTED = 10.0  # rows in each cell, for χ²; with 5 the tail is up to a third too small at 0.001
MAX_FOURFOLD = 4096  # tables of 2 × 2 cells, to list
MAX_TABLES = 512  # others
MAX_MERGED = 1 << 20  # ways to go on from tables that were begun, where many of them are the same
MAX_UNLIKE = 2  # sizes of levels, to count on that
TOLERANCE = 1e-9  # tables whose G differs by less have the same

Margin = tuple[int, ...]


def tail_by_chi2(statistic: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    """P(G ≥ statistic) by the χ² distribution; 1 without degrees of freedom."""
    tails = np.ones(len(statistic))
    has_any = freedom > 0
    tails[has_any] = gammaincc(freedom[has_any] / 2, np.maximum(statistic[has_any], 0.0) / 2)
    return tails


@dataclass(frozen=True)
class TablesOfMargins:
    """The distributions of G of tables with the same classes, and any sizes of levels.

    Attributes
    ----------
    classes : rows of each class in ascending order; none of them 0
    """

    classes: np.ndarray

    @cached_property
    def random(self) -> RandomTables:
        return RandomTables(self.classes)

    def tails(self, statistics: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """P(G ≥ statistic) of columns with the same number of levels, each given the sizes of its own levels.

        Parameters
        ----------
        statistics : G of each column
        sizes : rows of each level, (columns, levels); none of them 0
        """
        tails = np.ones(len(statistics))
        if min(sizes.shape[1], len(self.classes)) < 2:
            return tails
        limits = statistics - TOLERANCE * np.maximum(1.0, np.abs(statistics))
        sizes, is_drawn = np.sort(sizes, axis=1), np.zeros(len(statistics), bool)
        margins, columns_of = same_rows(sizes)
        classes = tuple(self.classes.tolist())
        for margin, columns in zip(margins.tolist(), columns_of, strict=True):
            listed = _all_tables(tuple(margin), classes)
            if listed is None:
                is_drawn[columns] = True
            else:
                values, above = listed
                tails[columns] = np.minimum(1.0, above[np.searchsorted(values, limits[columns])])
        if is_drawn.any():
            tails[is_drawn] = self.random.tails(limits[is_drawn], sizes[is_drawn])
        return tails


@lru_cache(maxsize=128)
def _all_tables(sizes: Margin, classes: Margin) -> tuple[np.ndarray, np.ndarray] | None:
    """G of all tables with these margins in ascending order, and P(G ≥ that), 0 behind; None if many."""
    ways = [
        (found, a, b) for a, b in ((sizes, classes), (classes, sizes)) if (found := _n_ways(a, b)) is not None
    ]
    if not ways:
        return None
    _, rows, columns = min(ways)
    n = sum(rows)
    alone = xlogy(rows, rows).sum() + xlogy(columns, columns).sum() - xlogy(n, n)
    left, sums, logs = np.array([columns], np.int64), np.zeros(1), np.zeros(1)
    for size in rows[:-1]:
        added = _compositions(size, columns)
        after = left[:, None, :] - added[None, :, :]
        begun, new = np.nonzero((after >= 0).all(axis=2))
        left = after[begun, new]
        sums = sums[begun] + xlogy(added, added).sum(axis=1)[new]
        logs = logs[begun] - gammaln(added + 1).sum(axis=1)[new]
        if len(left) > MAX_TABLES:
            left, sums, logs = _merged(left, sums, logs)
    logs = logs - gammaln(left + 1).sum(axis=1)
    logs += gammaln(np.array([*rows, *columns]) + 1).sum() - gammaln(n + 1)
    values = 2 * (sums + xlogy(left, left).sum(axis=1) - alone)
    order = np.argsort(values, kind="stable")
    return values[order], np.append(np.cumsum(np.exp(logs[order])[::-1])[::-1], 0.0)


def _merged(
    left: np.ndarray, sums: np.ndarray, logs: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables that were begun; those with the same rows left and the same G so far as one."""
    same = np.round(sums / (TOLERANCE * max(1.0, float(sums.max()))) / 4)
    order = np.lexsort((same, *left.T))
    left, sums, logs, same = left[order], sums[order], logs[order], same[order]
    is_new = np.append(True, (np.diff(same) != 0) | (np.diff(left, axis=0) != 0).any(axis=1))
    starts = np.flatnonzero(is_new)
    return left[starts], sums[starts], np.logaddexp.reduceat(logs, starts)


def _n_ways(rows: Margin, columns: Margin) -> float | None:
    """Upper bound on the ways to go on from tables that were begun row by row; None if these are too many."""
    n_tables = math.prod(math.comb(size + len(columns) - 1, len(columns) - 1) for size in rows[:-1])
    if n_tables <= (MAX_FOURFOLD if len(rows) == len(columns) == 2 else MAX_TABLES):
        return n_tables
    if len(columns) > 2 or len(set(rows)) > MAX_UNLIKE:
        return None
    n_merged = _n_patterns(rows, columns[0]) * (min(rows[-1], columns[0]) + 1)
    return n_merged if n_merged <= MAX_MERGED else None


def _n_patterns(rows: Margin, n_rare: int) -> float:
    """Ways to spread at most some rows over levels, those of the same size in any order.

    With r levels of s rows these are a Gaussian binomial coefficient, Π (1 − z^(s + i)) / (1 − z^i), i ≤ r.
    """
    ways = np.zeros(n_rare + 1)
    ways[0] = 1.0
    for size in set(rows):
        for i in range(1, rows.count(size) + 1):
            if size + i <= n_rare:
                ways[size + i :] -= ways[: -size - i].copy()
            for first in range(min(i, n_rare + 1)):
                ways[first::i] = np.cumsum(ways[first::i])
    return float(ways.sum())


def _compositions(total: int, most: Margin) -> np.ndarray:
    """Ways to write a number as an ordered sum of parts, (ways, parts); of two parts, each up to `most`."""
    n_parts = len(most)
    if n_parts == 2:
        first = np.arange(max(0, total - most[1]), min(total, most[0]) + 1)
        return np.stack([first, total - first], axis=1)
    bars = np.array(list(combinations(range(total + n_parts - 1), n_parts - 1)), np.int64)
    ends = np.full((len(bars), 1), total + n_parts - 1)
    return np.diff(np.concatenate([np.full_like(ends, -1), bars, ends], axis=1), axis=1) - 1

"""The distribution of G of tables with given margins, estimated from random ones.

Tables are drawn in rounds, each of which is for columns that the one before says too little about. Beyond all
drawn tables a shifted gamma distribution with their mean, variance and skewness continues the tail (Pearson's
type III). Where a class or a level is rare, G is far more skewed than a χ².

The tables of a column depend on its margins alone, so its p-value does not depend on other columns. With up
to `MAX_SHUFFLED` rows the labels are shuffled, once for all columns: a table is what each level gets of them.
Margins are dealt out to several sets of shuffles, so that few columns share the errors of one of them.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import gammaincc, xlogy
from scipy.stats import random_table

# Cells of the random tables of each round, and the tail below which no further round is needed.
ROUNDS = ((5_000, 0.0), (50_000, 0.0), (300_000, 1e-8), (2_000_000, 1.0))
N_SETS = (13, 13, 5, 1)  # of shuffles in each round, at most
MIN_DRAWN, MAX_DRAWN = 199, 49_999  # random tables
MIN_EXCEEDING = 20  # fewer random tables than this beyond G say little: the gamma distribution is asked
MAX_SHUFFLED = 1_000  # rows whose labels are shuffled; of more rows, tables are drawn for each margin
MAX_LABELS = 1 << 24  # counts of shuffled labels that are kept of each round
AT_ONCE = 1 << 20  # cells in memory
SMALLEST = 1e-9


@dataclass(frozen=True)
class RandomTables:
    """Random tables of columns with classes of these sizes; shuffled labels are kept for further columns."""

    classes: np.ndarray
    shuffled: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return int(self.classes.sum())

    def tails(self, limits: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """P(G ≥ limit) of columns given the sizes of their levels, (columns, levels) in ascending order."""
        tails, is_open = np.ones(len(limits)), np.ones(len(limits), bool)
        for k, (n_cells, is_small) in enumerate(ROUNDS):
            n_drawn = min(max(n_cells // (sizes.shape[1] * len(self.classes)), MIN_DRAWN), MAX_DRAWN)
            asked = limits[is_open]
            n_as_large, moments = self._compared(asked, sizes[is_open], k, n_drawn)
            by_share = n_as_large >= MIN_EXCEEDING
            found = _gamma_tails(asked, moments, n_drawn)
            found[by_share] = (1 + n_as_large[by_share]) / (1 + n_drawn)
            tails[is_open] = found
            is_open[is_open] = ~by_share & (found >= is_small)
            if not is_open.any():
                break
        return tails

    def _compared(
        self, limits: np.ndarray, sizes: np.ndarray, k: int, n_drawn: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """How many tables of round k reach the limit of each column; mean, deviation, skewness of G."""
        margins, columns_of = same_rows(sizes)
        n_as_large, moments = np.empty(len(limits), np.int64), np.empty((3, len(limits)))
        n_at_once = max(1, AT_ONCE // (margins.shape[1] * n_drawn))
        n_sets = min(N_SETS[k], max(1, MAX_LABELS // (self.n_rows * len(self.classes) * n_drawn)))
        in_set = margins @ np.arange(1, margins.shape[1] + 1) ** 2 % n_sets
        for number in np.unique(in_set).tolist():
            of_set = np.flatnonzero(in_set == number)
            for some in np.split(of_set, range(n_at_once, len(of_set), n_at_once)):
                drawn = self._statistics(margins[some], (k, number), n_drawn)
                mean, deviation = drawn.mean(axis=1), drawn.std(axis=1, ddof=1)
                scaled = (drawn - mean[:, None]) / np.maximum(deviation, SMALLEST)[:, None]
                found = np.stack([mean, deviation, (scaled * scaled * scaled).mean(axis=1)])
                for i, values, of_margin in zip(some.tolist(), drawn, found.T, strict=True):
                    columns = columns_of[i]
                    n_as_large[columns] = n_drawn - np.searchsorted(np.sort(values), limits[columns])
                    moments[:, columns] = of_margin[:, None]
        return n_as_large, moments

    def _statistics(self, margins: np.ndarray, k: tuple[int, int], n_drawn: int) -> np.ndarray:
        """G of the random tables of a round and set, (margins, tables)."""
        if self.n_rows <= MAX_SHUFFLED and self.n_rows * len(self.classes) * n_drawn <= MAX_LABELS:
            phi = xlogy(np.arange(self.n_rows + 1.0), np.arange(self.n_rows + 1.0))
            ends = np.pad(np.cumsum(margins, axis=1), ((0, 0), (1, 0)))
            cells = np.zeros((len(margins), n_drawn))
            for of_class in self._first_labels(k, n_drawn):
                cells += phi[np.diff(of_class[ends, :n_drawn], axis=1)].sum(axis=1)
        else:
            cells = np.stack([_sums_of_cells(sizes, self.classes, k, n_drawn) for sizes in margins])
        of_classes = xlogy(self.classes, self.classes).sum() - xlogy(self.n_rows, self.n_rows)
        return np.asarray(2 * (cells - (xlogy(margins, margins).sum(axis=1) + of_classes)[:, None]))

    def _first_labels(self, k: tuple[int, int], n_drawn: int) -> np.ndarray:
        """Of each class, how many of the first shuffled labels are of it: (classes, labels + 1, shuffles)."""
        kept = self.shuffled.get(k)
        if kept is None or kept.shape[2] < n_drawn:
            kept = self.shuffled[k] = _shuffled(self.classes, k, n_drawn)
        return kept


def _shuffled(classes: np.ndarray, k: tuple[int, int], n: int) -> np.ndarray:
    """Labels are drawn from an urn: how many of the first ones are of each class, for n shuffles."""
    n_rows = int(classes.sum())
    draws = np.ascontiguousarray(
        np.random.default_rng([*k, *classes]).random((n, n_rows), dtype=np.float32).T
    )
    found = np.zeros((len(classes), n_rows + 1, n), np.int16)
    ends = np.tile(np.cumsum(classes)[:-1, None].astype(np.int16), (1, n))  # of the classes in the urn
    for i in range(n_rows):
        is_before = draws[i] * np.float32(n_rows - i) < ends
        ends -= is_before
        found[:-1, i + 1] = is_before
    found[1:-1] -= found[:-2]
    np.cumsum(found, axis=1, out=found)
    found[-1] = np.arange(n_rows + 1, dtype=np.int16)[:, None] - found[:-1].sum(axis=0, dtype=np.int16)
    return found


def same_rows(rows: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Different rows of an array, and where each of them occurs."""
    is_new = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))  # sorting whole rows takes long
    found, of_new = np.unique(rows[is_new], axis=0, return_inverse=True)
    which = of_new[np.cumsum(is_new) - 1]
    return found, np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])


def _gamma_tails(limits: np.ndarray, moments: np.ndarray, n_drawn: int) -> np.ndarray:
    """P(G ≥ limit) by shifted gamma distributions, at least as skewed as one that begins at 0."""
    mean, deviation, skewness = moments
    is_fixed = deviation <= SMALLEST
    deviation = np.where(is_fixed, 1.0, deviation)
    shape = np.minimum(mean / deviation, 2 / np.maximum(skewness, SMALLEST)) ** 2
    at = shape + (limits - mean) / deviation * np.sqrt(shape)
    alone = np.where(limits <= mean + SMALLEST, 1.0, 1 / (1 + n_drawn))
    return np.where(is_fixed, alone, gammaincc(np.where(is_fixed, 1.0, shape), np.maximum(at, 0.0)))


def _sums_of_cells(sizes: np.ndarray, classes: np.ndarray, k: tuple[int, int], n_drawn: int) -> np.ndarray:
    """Σ N ln N over the cells of each of some random tables."""
    seed = np.random.default_rng([*k, len(sizes), *sizes, *classes])
    law, n_at_once = random_table(sizes, classes), max(1, AT_ONCE // (len(sizes) * len(classes)))
    sums = []
    for start in range(0, n_drawn, n_at_once):
        tables = law.rvs(min(n_drawn - start, n_at_once), random_state=seed)
        sums.append(xlogy(tables, tables).sum(axis=(1, 2)))
    return np.concatenate(sums)

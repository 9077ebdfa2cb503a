"""Knockoffs: stand-ins of columns that relate to the others as these do, but know nothing of the target.

Everything here returns *rows*: a knockoff of a column holds, in each row, the value that the column has in
some other row. So columns of any kind have knockoffs, and these have only values that occur.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import gammaincc, ndtr, ndtri
from scipy.stats import poisson
from sklearn.covariance import ledoit_wolf_shrinkage

from entropick._core import Encoder
from entropick.counting.surprisal import Surprisal
from entropick.inference.given import MAX_SPREAD, PairCounts

LEVEL = 0.05  # probability that any two unrelated columns are joined
MAX_LEVELS = 256  # of a category that is related to others
PSEUDO_ROWS = 1.0  # rows of the marginal distribution that are added to each conditional one
N_SWEEPS = 50  # at most, over all columns
CONVERGED = 1e-4  # relative change of a scale
MAX_CUTS = 255  # of a number, for one category
ROWS_PER_TERM = 5  # rows for each term of a regression of numbers on categories


class SizedCounts(PairCounts, Protocol):
    """Counts of columns, alone and in pairs, with the sizes of their levels."""

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]: ...


# -- how columns are related -----------------------------------------------------------------------


class Relations:
    """What columns tell about each other beyond chance.

    G of two unrelated columns is compared with a gamma distribution of its mean, which is summed over
    cells with Poisson distributed counts. So columns of many levels are not related by chance, and copies of
    them are found.
    """

    def __init__(self, counts: SizedCounts) -> None:
        self._counts = counts
        self._surprisal = Surprisal(counts.n_rows, None)
        self._alone = counts.column_sums(self._surprisal)[0]
        self._sizes, self._starts = counts.level_sizes()
        self._n_used = np.add.reduceat((self._sizes > 0).astype(np.int64), self._starts)
        n_columns = len(self._alone)
        self._level = LEVEL / max(1.0, n_columns * (n_columns - 1) / 2)

    def of(self, x: int) -> np.ndarray:
        """Bits that column x shares with every column beyond chance; 0 if that may be chance."""
        every = np.arange(len(self._alone))
        surprisal, n = self._surprisal, self._counts.n_rows
        joint = self._counts.pair_sums(x, every, surprisal, by_class=False)[0]
        bits = surprisal.to_bits(surprisal.whole - self._alone - self._alone[x] + joint)
        statistic = np.maximum(2 * n * math.log(2) * bits, 0.0)
        end = self._starts[x + 1] if x + 1 < len(self._starts) else len(self._sizes)
        expected = np.zeros(len(self._sizes))
        sizes, n_alike = np.unique(self._sizes[self._starts[x] : end], return_counts=True)
        for size, times in zip(sizes.tolist(), n_alike.tolist(), strict=True):
            expected += times * expected_g(self._sizes * (size / n))
        n_cells = np.maximum(self._n_used * self._n_used[x], 1)
        freedom = (self._n_used - 1.0) * (self._n_used[x] - 1.0)
        mean = np.add.reduceat(expected, self._starts) * (freedom / n_cells)
        is_open = np.flatnonzero((freedom > 0) & (every != x))
        tails = np.ones(len(every))
        tails[is_open] = gammaincc(mean[is_open] / (2 * MAX_SPREAD), statistic[is_open] / (2 * MAX_SPREAD))
        shared = (statistic - mean) / (2 * n * math.log(2))
        return np.where((tails <= self._level) & (shared > 0), shared, 0.0)


MAX_TABLED = 30.0  # larger cells contribute 1, as with χ²


@cache
def _tabled() -> tuple[np.ndarray, np.ndarray]:
    """Sizes expected of cells, and what 2 N ln(N / size) is on average for Poisson distributed counts N."""
    sizes = np.geomspace(1e-6, MAX_TABLED, 400)
    n = np.arange(1, 121)[:, None]
    averages = 2 * (poisson.pmf(n, sizes) * (n * np.log(n / sizes))).sum(axis=0)
    return np.append(0.0, sizes), np.append(0.0, averages)


def expected_g(sizes: np.ndarray) -> np.ndarray:
    """What cells that are expected to have these sizes contribute to G, on average."""
    return np.where(sizes > MAX_TABLED, 1.0, np.interp(sizes, *_tabled()))


class Forest(NamedTuple):
    """Trees of related columns.

    Attributes
    ----------
    order : all columns, each after its children
    parents : of each column; -1 for roots
    related : bits that columns share beyond chance, (columns, columns)
    """

    order: list[int]
    parents: np.ndarray
    related: np.ndarray


def grow_forest(counts: SizedCounts, can_relate: np.ndarray) -> Forest:
    """Trees in which columns share most with those they are joined to (Chow and Liu)."""
    relations = Relations(counts)
    n_columns = len(can_relate)
    parents, best = np.full(n_columns, -1), np.zeros(n_columns)
    is_open = np.ones(n_columns, bool)
    related = np.zeros((n_columns, n_columns))
    order = []
    for _ in range(n_columns):
        places = np.flatnonzero(is_open)
        x = int(places[np.argmax(best[places])])
        is_open[x] = False
        order.append(x)
        if not can_relate[x]:
            continue
        related[x] = np.where(can_relate, relations.of(x), 0.0)
        is_closer = is_open & (related[x] > best)
        parents[is_closer], best[is_closer] = x, related[x, is_closer]
    return Forest(order[::-1], parents, related)


# -- categories ------------------------------------------------------------------------------------


def tree_knockoffs(
    levels: Sequence[np.ndarray],
    n_levels: np.ndarray,
    forest: Forest,
    is_given: np.ndarray,
    n_copies: int,
    rng: np.random.Generator,
    finer: Mapping[tuple[int, int], np.ndarray] = MappingProxyType({}),
) -> dict[int, np.ndarray]:
    """Levels of knockoffs of categories that follow a tree, (copies, rows) for each column not given.

    Levels of a given column that serve for a single other one only are in `finer`, by given and other column.

    Columns are drawn one after the other, children before parents, from their distribution given all other
    columns and the knockoffs drawn so far. That is exact for the tree with the conditional distributions
    counted in the table.

    The distribution of a column depends on its parent and on what was drawn for its children: `weights` are
    those of its levels by all that was drawn below it, for each row.
    """
    weights: dict[int, np.ndarray] = {}
    drawn = {}
    for x in forest.order:
        parent = int(forest.parents[x])
        own, size = levels[x], (1 if parent < 0 else int(n_levels[parent]), int(n_levels[x]))
        of_parent = np.zeros(len(own), np.int64) if parent < 0 else levels[parent]
        if (x, parent) in finer:
            own = finer[x, parent]
            given_parent = _conditional(of_parent, own, (size[0], int(own.max()) + 1), 0.0)
        elif (parent, x) in finer:
            of_parent = finer[parent, x]
            given_parent = _conditional(of_parent, own, (int(of_parent.max()) + 1, size[1]), 0.0)
        else:
            given_parent = _conditional(of_parent, own, size)
        below = weights.pop(x, None)
        seen = [own]
        if not is_given[x]:
            drawn[x] = _draw(given_parent, of_parent, below, n_copies, rng)
            seen.extend(drawn[x])
        if parent < 0 or is_given[parent]:
            continue
        found = weights.get(parent, 1.0) * np.prod([given_parent[:, each].T for each in seen], axis=0)
        if below is not None and not is_given[x]:
            found = found / _summed(given_parent, below) ** n_copies
        weights[parent] = found / found.max(axis=1, keepdims=True)
    return drawn


def levels_by_category(levels: np.ndarray, values: np.ndarray, category: np.ndarray) -> np.ndarray:
    """Levels of a number, cut further where a category changes (Fayyad and Irani), and without gaps.

    What a rounded number says within the bins of that number would otherwise tell it from its knockoffs.
    """
    order = np.argsort(values, kind="stable")
    encoder = Encoder(1, 1, 0, MAX_CUTS)
    ordered, classes = values[None, order], category[None, order].astype(np.int32)
    edges, n_edges, _ = encoder.find_class_edges(
        ordered, classes, np.array([len(values)]), int(category.max()) + 1
    )
    cuts = np.searchsorted(edges[0, : n_edges[0]], values)
    return np.asarray(np.unique(levels.astype(np.int64) * (MAX_CUTS + 1) + cuts, return_inverse=True)[1])


def follows_from(category: np.ndarray, levels: np.ndarray) -> bool:
    """Whether rows of the same level are of the same category."""
    one = np.zeros(int(levels.max()) + 1, category.dtype)
    one[levels] = category
    return bool((one[levels] == category).all())


def _conditional(
    given: np.ndarray, levels: np.ndarray, size: tuple[int, int], pseudo_rows: float = PSEUDO_ROWS
) -> np.ndarray:
    """Distribution of levels given those of another column, (given, levels)."""
    counts = np.bincount(given.astype(np.int64) * size[1] + levels, minlength=size[0] * size[1]).reshape(size)
    marginal = counts.sum(axis=0) / len(levels)
    return np.asarray((counts + pseudo_rows * marginal) / (counts.sum(axis=1, keepdims=True) + pseudo_rows))


def _summed(given_parent: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Σ over levels of their probability given each level of the parent times their weight, (rows, given)."""
    total = np.zeros((len(below), len(given_parent)))
    for level in range(below.shape[1]):  # not a matrix product: the same sums on every processor
        total += below[:, level, None] * given_parent[None, :, level]
    return total


def _draw(
    given_parent: np.ndarray,
    of_parent: np.ndarray,
    below: np.ndarray | None,
    n_copies: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw a level for each copy and row."""
    uniform = rng.random((n_copies, len(of_parent)))
    if len(given_parent) == 1 and below is None:
        ends = np.cumsum(given_parent[0])
        found = np.searchsorted(ends, uniform * ends[-1], side="right")
    else:
        ends = np.cumsum(given_parent[of_parent] * (1.0 if below is None else below), axis=1)
        found = (uniform[:, :, None] * ends[:, -1:] >= ends).sum(axis=2)
    return np.asarray(np.minimum(found, given_parent.shape[1] - 1))


def rows_of_levels(
    levels: np.ndarray, n_levels: int, drawn: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """A random row of each drawn level."""
    sizes = np.bincount(levels, minlength=n_levels)
    starts = np.cumsum(sizes) - sizes
    place = starts[drawn] + (rng.random(drawn.shape) * sizes[drawn]).astype(np.int64)
    return np.asarray(np.argsort(levels, kind="stable")[place])


# -- numbers ---------------------------------------------------------------------------------------


def gaussian_knockoffs(
    values: np.ndarray,
    terms: Sequence[np.ndarray],
    cells: Sequence[np.ndarray],
    is_given: np.ndarray,
    n_copies: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Rows of knockoffs of numbers, (copies, columns, rows).

    Values are replaced by normal scores of their ranks, which are taken to be normal given the categories:
    their means are linear in what the categories and their knockoffs say (`terms`), and they covary as in
    the table. Copies are as different from the columns as the largest entropy allows. Ranks are those among
    the rows of a cell, in which copies remain.

    Parameters
    ----------
    values : (columns, rows)
    terms : for each column, numbers (terms, rows) on which it depends
    cells : for each column, the cell of each row, numbered without gaps
    is_given : columns of which no knockoffs are needed
    """
    n_columns, n_rows = values.shape
    order = np.stack([
        np.lexsort(np.stack([rng.random(n_rows), column, cell]))
        for column, cell in zip(values, cells, strict=True)
    ])  # fmt: skip
    sizes = np.stack([np.bincount(cell)[cell] for cell in cells])  # rows of the cell of each row
    starts = np.stack([(np.cumsum(np.bincount(cell)) - np.bincount(cell))[cell] for cell in cells])
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, np.arange(n_rows)[None, :], axis=1)
    scores = ndtri((ranks - starts + 0.5) / sizes)
    means = np.stack([_regression(column, term) for column, term in zip(scores, terms, strict=True)])
    rest = (scores - means).T
    spread = np.maximum(rest.std(axis=0), 1e-6)
    rest = (rest - rest.mean(axis=0)) / spread
    covariance = _covariance(rest)
    scales = entropy_scales(covariance, is_given, n_copies)
    towards = np.linalg.solve(covariance, np.diag(scales))  # Σ⁻¹ S
    center = rest - rest @ towards
    common = np.diag(scales) * (1 + 1 / n_copies) - scales[:, None] * towards
    values_of, vectors = np.linalg.eigh((common + common.T) / 2)
    root = (vectors * np.sqrt(np.maximum(values_of, 0.0))) @ vectors.T
    center += rng.standard_normal((n_rows, n_columns)) @ root
    own = rng.standard_normal((n_copies, n_rows, n_columns)) * np.sqrt(scales)
    drawn = (center + own - own.mean(axis=0)) * spread + means.T
    places = starts.T + np.minimum(np.floor(ndtr(drawn) * sizes.T).astype(np.int64), sizes.T - 1)
    return np.stack([order[j][places[:, :, j]] for j in range(n_columns)], axis=1)


def _covariance(values: np.ndarray) -> np.ndarray:
    """Covariances of columns of variance 1, shrunk as by Ledoit and Wolf, but not beyond columns / rows.

    Among many independent columns they would shrink a single pair of correlated ones, whose knockoffs then
    show that they are not the columns.
    """
    n_rows, n_columns = values.shape
    shrinkage = min(float(ledoit_wolf_shrinkage(values, assume_centered=True)), n_columns / n_rows)
    return np.asarray((1 - shrinkage) * (values.T @ values) / n_rows + shrinkage * np.eye(n_columns))


def _regression(scores: np.ndarray, terms: np.ndarray) -> np.ndarray:
    """What is expected of a column by linear regression on terms."""
    if not len(terms):
        return np.zeros(len(scores))
    design = (terms - terms.mean(axis=1, keepdims=True)).T
    return np.asarray(design @ np.linalg.lstsq(design, scores, rcond=1e-8)[0])


def entropy_scales(covariance: np.ndarray, is_given: np.ndarray, n_copies: int) -> np.ndarray:
    """Variance s of what sets each column apart from its copies, such that all have the largest entropy.

    Columns and copies have covariances Σ − diag(s) with each other, and Σ among themselves. Their entropy is
    log det((k + 1) Σ − k diag(s)) + k Σ log s, up to constants, for k copies; it is largest in s_j, the
    others held fixed, where 1 / s_j is the j-th entry on the diagonal of the inverse.

    References
    ----------
    Gimenez and Zou (2019), Improving the stability of the knockoff procedure: multiple simultaneous knockoffs
    and entropy maximization.
    """
    scales = np.where(is_given, 0.0, np.linalg.eigvalsh(covariance)[0] / 2)
    inverse = np.linalg.inv((n_copies + 1) * covariance - n_copies * np.diag(scales))
    for _ in range(N_SWEEPS):
        before = scales.copy()
        for j in np.flatnonzero(~is_given).tolist():
            at = inverse[j, j]
            change = (1 / at - scales[j]) / (1 + n_copies)
            scales[j] += change
            row = inverse[j].copy()
            inverse += (n_copies * change / (1 - n_copies * change * at)) * row[:, None] * row
        if (np.abs(scales - before) <= CONVERGED * np.maximum(scales, 1e-12)).all():
            break
    return scales


# -- which columns win -----------------------------------------------------------------------------


def knockoff_q_values(margins: np.ndarray, is_won: np.ndarray, n_copies: int) -> np.ndarray:
    """Smallest false discovery rate at which each column is kept, by the knockoff+ threshold; 1 for losers.

    Parameters
    ----------
    margins : by how much each column, or a copy of it, beats the others of them; 0 for ties
    is_won : whether the column itself is the best
    """
    q_values = np.ones(len(margins))
    order = np.argsort(-margins, kind="stable")
    won, sizes = is_won[order], margins[order]
    lost = (1 + np.cumsum(~won & (sizes > 0))) / n_copies
    ratios = np.minimum(lost / np.maximum(np.cumsum(won & (sizes > 0)), 1), 1.0)
    is_last = np.append(sizes[1:] < sizes[:-1], True)  # columns with the same margin are kept together
    ratios = np.where(is_last, ratios, 1.0)
    least = np.minimum.accumulate(ratios[::-1])[::-1]
    is_kept = won & (sizes > 0)
    q_values[order[is_kept]] = least[is_kept]
    return q_values

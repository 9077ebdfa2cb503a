"""The distribution of G of a table of counts, given the sums of its rows and columns.

G = 2 Σ N ln(N n / (row sum · column sum)) is about χ² distributed if at least `MIN_EXPECTED` rows are
expected in each cell, and if there are more than 2 × 2 cells, of which G has too few values. Otherwise all
tables with the same margins are enumerated if they are few. If they are many, random ones are drawn, and a
shifted gamma distribution with their mean, variance and skewness continues the tail (Pearson's type III).
Where a class or a level is rare, G is far more skewed than a χ².
"""

import math
from functools import lru_cache
from itertools import combinations

import numpy as np
from scipy.special import gammaincc, gammaln, xlogy
from scipy.stats import random_table

MIN_EXPECTED = 10.0  # rows in each cell, for χ²; with 5 the tail is up to a third too small at 0.001
MAX_TABLES = 4096  # to enumerate
# Cells of the random tables of each round, and the tail below which no further round is needed.
ROUNDS = ((5_000, 0.0), (50_000, 0.0), (300_000, 1e-8), (2_000_000, 1.0))
MIN_DRAWN, MAX_DRAWN = 199, 49_999  # random tables
MIN_EXCEEDING = 20  # fewer random tables than this beyond G say little: the gamma distribution is asked
TOLERANCE = 1e-9  # tables whose G differs by less have the same


def tail_by_chi2(statistic: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    """P(G ≥ statistic) by the χ² distribution; 1 without degrees of freedom."""
    tails = np.ones(len(statistic))
    has_any = freedom > 0
    tails[has_any] = gammaincc(freedom[has_any] / 2, np.maximum(statistic[has_any], 0.0) / 2)
    return tails


def tails_given_margins(statistics: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """P(G ≥ statistic) of tables with these row and column sums, which are positive, for some statistics."""
    few, many = sorted((tuple(sorted(rows.tolist())), tuple(sorted(columns.tolist()))), key=len)
    tails = np.ones(len(statistics))
    if len(few) < 2:
        return tails
    limits = statistics - TOLERANCE * np.maximum(1.0, np.abs(statistics))
    listed = _all_tables(few, many)
    if listed is not None:
        values, above = listed
        return np.asarray(np.minimum(1.0, above[np.searchsorted(values, limits)]))
    is_open = np.ones(len(statistics), bool)
    for n_cells, is_small in ROUNDS:
        n_drawn = min(max(n_cells // (len(few) * len(many)), MIN_DRAWN), MAX_DRAWN)
        drawn = _drawn(few, many, n_drawn)
        n_as_large = n_drawn - np.searchsorted(drawn, limits)
        by_share = is_open & (n_as_large >= MIN_EXCEEDING)
        tails[by_share] = (1 + n_as_large[by_share]) / (1 + n_drawn)
        is_open &= ~by_share
        tails[is_open] = _gamma_tails(statistics[is_open], drawn)
        is_open &= tails >= is_small
        if not is_open.any():
            break
    return tails


def _gamma_tails(statistics: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """P(G ≥ statistic) by a shifted gamma distribution, at least as skewed as one that begins at 0."""
    mean, deviation = float(drawn.mean()), float(drawn.std(ddof=1))
    if deviation <= TOLERANCE:
        return np.where(statistics <= mean + TOLERANCE, 1.0, 1 / (1 + len(drawn)))
    skewness = float((((drawn - mean) / deviation) ** 3).mean())
    shape = min(mean / deviation, 2 / max(skewness, TOLERANCE)) ** 2
    at = shape + (statistics - mean) / deviation * math.sqrt(shape)
    return np.asarray(gammaincc(shape, np.maximum(at, 0.0)))


@lru_cache(maxsize=128)
def _drawn(few: tuple[int, ...], many: tuple[int, ...], n: int) -> np.ndarray:
    """G of random tables in ascending order, the same ones for the same margins."""
    seed = np.random.default_rng([n, len(few), *few, len(many), *many])
    found = [
        _statistics(random_table(few, many).rvs(min(n - start, at_once), random_state=seed), few, many)
        for at_once in [max(1, (1 << 20) // (len(few) * len(many)))]
        for start in range(0, n, at_once)
    ]
    return np.sort(np.concatenate(found))


@lru_cache(maxsize=128)
def _all_tables(few: tuple[int, ...], many: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """G of all tables with these margins in ascending order, and P(G ≥ that), 0 behind; None if many."""
    best = min(((_n_tables(a, b), a, b) for a, b in ((few, many), (many, few))), key=lambda found: found[0])
    n_tables, rows, columns = best
    if n_tables > MAX_TABLES:
        return None
    remaining = np.array([columns], np.int64)  # one line per table that was begun
    tables = np.empty((1, 0, len(columns)), np.int64)
    for size in rows[:-1]:
        added = _compositions(size, len(columns))
        left = remaining[:, None, :] - added[None, :, :]
        begun, line = np.nonzero((left >= 0).all(axis=2))
        tables = np.concatenate([tables[begun], added[line][:, None, :]], axis=1)
        remaining = left[begun, line]
    tables = np.concatenate([tables, remaining[:, None, :]], axis=1)
    n = sum(rows)
    log_weights = gammaln(np.array([*rows, *columns]) + 1).sum() - gammaln(n + 1)
    weights = np.exp(log_weights - gammaln(tables + 1).sum(axis=(1, 2)))
    values = _statistics(tables, rows, columns)
    order = np.argsort(values, kind="stable")
    return values[order], np.append(np.cumsum(weights[order][::-1])[::-1], 0.0)


def _n_tables(rows: tuple[int, ...], columns: tuple[int, ...]) -> float:
    """Upper bound on the number of tables, which follow from all rows but the largest."""
    return math.prod(math.comb(size + len(columns) - 1, len(columns) - 1) for size in rows[:-1])


def _compositions(total: int, n_parts: int) -> np.ndarray:
    """All ways to write a number as an ordered sum of parts from 0 on, (ways, parts)."""
    if n_parts == 2:
        first = np.arange(total + 1)
        return np.stack([first, total - first], axis=1)
    bars = np.array(list(combinations(range(total + n_parts - 1), n_parts - 1)), np.int64)
    ends = np.full((len(bars), 1), total + n_parts - 1)
    return np.diff(np.concatenate([np.full_like(ends, -1), bars, ends], axis=1), axis=1) - 1


def _statistics(tables: np.ndarray, rows: tuple[int, ...], columns: tuple[int, ...]) -> np.ndarray:
    """G of each of some tables with the same margins."""
    n = sum(rows)
    alone = xlogy(rows, rows).sum() + xlogy(columns, columns).sum() - xlogy(n, n)
    return np.asarray(2 * (xlogy(tables, tables).sum(axis=(1, 2)) - alone))

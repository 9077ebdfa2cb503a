"""Tests of columns for independence of the classes given strata, which add up what all strata say.

The generalised Cochran–Mantel–Haenszel test sums observed less expected counts over the strata, so its
degrees of freedom are those of a single stratum: it keeps its power with many strata of few rows, where a
G-test within each of them has none. In return it does not see an association that changes sign from stratum
to stratum.
"""

import numpy as np
from scipy.special import gammaincc

MAX_FREEDOM = 128  # degrees of freedom; more take long
RANK_TOLERANCE = 1e-9  # eigenvalues of a covariance below this share of the largest are 0


def pooled_tails(tables: np.ndarray) -> np.ndarray:
    """p-value of each of some columns by the generalised Cochran–Mantel–Haenszel test; 1 if nothing is left.

    Parameters
    ----------
    tables : counts, (columns, levels, strata, classes)

    References
    ----------
    Landis, Heyman and Koch (1978), Average partial association in three-way contingency tables.
    """
    counts = tables.astype(np.float64)
    of_level, of_class = counts.sum(axis=3), counts.sum(axis=1)
    sizes = of_class.sum(axis=2)  # (columns, strata)
    safe = np.maximum(sizes, 1.0)
    expected = of_level[..., None] * of_class[:, None] / safe[:, None, :, None]
    difference = (counts - expected)[:, :-1, :, :-1].sum(axis=2)
    levels = _within(of_level.transpose(0, 2, 1)[..., :-1], sizes)
    classes = _within(of_class[..., :-1], sizes)
    weights = 1 / (safe**2 * np.maximum(sizes - 1, 1.0))
    covariance = np.einsum("ms,msij,mskl->mikjl", weights, levels, classes, optimize=True)
    freedom = difference[0].size
    return _tails(difference.reshape(-1, freedom), covariance.reshape(-1, freedom, freedom))


def _within(parts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """n diag(r) − r r' of the counts r of each stratum of n rows, (columns, strata, parts, parts)."""
    made: np.ndarray = -parts[..., :, None] * parts[..., None, :]
    diagonal = np.arange(parts.shape[-1])
    made[..., diagonal, diagonal] += sizes[..., None] * parts
    return made


def _tails(difference: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(covariance)
    is_real = values > RANK_TOLERANCE * np.maximum(values[:, -1:], 1e-300)
    along = np.einsum("mij,mi->mj", vectors, difference)
    statistic = np.where(is_real, along**2 / np.where(is_real, values, 1.0), 0.0).sum(axis=1)
    freedom = is_real.sum(axis=1)
    tails = np.ones(len(statistic))
    has_any = freedom > 0
    tails[has_any] = gammaincc(freedom[has_any] / 2, statistic[has_any] / 2)
    return tails

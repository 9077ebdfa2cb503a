"""Generators of data with known relevant columns."""

from itertools import product
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

# Segments of the digits 0..9: top, upper left, upper right, middle, lower left, lower right, bottom.
_LED_SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=np.uint8,
)


def make_corral(random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """CORRAL: y = (A0 and A1) or (B0 and B1), with a noise column I and a correlated column C.

    All 16 values of the four causes × two of I × 4 copies; C equals y except in one copy of four.
    A greedy method that scores one column at a time selects C first.

    Parameters
    ----------
    random_state : int, RandomState instance or None, default=None
        Seed of the order of the rows; None leaves them in order.

    Returns
    -------
    X : ndarray of shape (128, 6), columns A0, A1, B0, B1, I, C
    y : ndarray of shape (128,)
    """
    causes = np.array(list(product([0, 1], repeat=5)), dtype=np.uint8)
    rows = np.repeat(causes, 4, axis=0)
    y = (rows[:, 0] & rows[:, 1]) | (rows[:, 2] & rows[:, 3])
    is_wrong = np.tile(np.array([0, 0, 0, 1], dtype=np.uint8), len(causes))
    X = np.column_stack([rows, y ^ is_wrong])
    if random_state is not None:
        order = check_random_state(random_state).permutation(len(y))
        X, y = X[order], y[order]
    return X, y


def make_hyperspheres(
    n_samples: int = 5000, n_features: int = 100, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """HYPERSPHERES: class 1 inside a ball in 5 of the columns or in 3, which have one in common.

    Columns are uniform on [−10, 10], which gives about one row in five class 1, as in the paper; with
    the normal distribution that the paper names there would be only one class. The 7 relevant columns
    are 5, 9, 19, 21, 43, 52 and 86 (numbered from 0; the paper's X_i is column i−1).

    Parameters
    ----------
    n_samples : int, default=5000
    n_features : int, default=100
        At least 87.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
    """
    if n_features < 87:
        raise ValueError(f"n_features must be at least 87, the last relevant column; got {n_features}.")
    X = check_random_state(random_state).uniform(-10, 10, size=(n_samples, n_features))
    in_large = (X[:, [5, 19, 52, 21, 86]] ** 2).sum(axis=1) <= 100
    in_small = (X[:, 9] - 8) ** 2 + (X[:, 43] + 3) ** 2 + (X[:, 52] - 5) ** 2 <= 25
    return X, (in_large | in_small).astype(np.int64)


def make_led24(
    n_samples: int = 1000, noise: float = 0.1, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """LED display: 7 segments of a digit, each flipped with probability `noise`, and 17 random bits.

    Parameters
    ----------
    n_samples : int, default=1000
    noise : float, default=0.1
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 24), the segments first
    y : ndarray of shape (n_samples,), digits 0..9
    """
    rng = check_random_state(random_state)
    y = rng.randint(0, 10, size=n_samples)
    flipped = (rng.uniform(size=(n_samples, 7)) < noise).astype(np.uint8)
    bits = rng.randint(0, 2, size=(n_samples, 17)).astype(np.uint8)
    return np.column_stack([_LED_SEGMENTS[y] ^ flipped, bits]), y


def make_madelon(
    n_samples: int = 2000,
    n_informative: int = 5,
    n_redundant: int = 15,
    n_probes: int = 480,
    random_state: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Data like MADELON: clusters on the corners of a hypercube, combinations of them, and probes.

    Each corner of the cube is a cluster with one of two labels at random, so no column is informative
    alone. Redundant columns are random linear combinations of the informative ones, probes are noise.

    Parameters
    ----------
    n_samples : int, default=2000
    n_informative, n_redundant, n_probes : int, default=5, 15, 480
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, columns), informative columns first, then redundant ones, then probes
    y : ndarray of shape (n_samples,)
    """
    rng = check_random_state(random_state)
    corners = np.array(list(product([-1.0, 1.0], repeat=n_informative)))
    labels = rng.permutation(np.arange(len(corners)) % 2)
    corner = rng.permutation(np.arange(n_samples) % len(corners))
    informative = corners[corner] + 0.5 * rng.standard_normal((n_samples, n_informative))
    mixing = rng.uniform(-1, 1, size=(n_informative, n_redundant))
    probes = rng.standard_normal((n_samples, n_probes)) * 1.1
    return np.column_stack([informative, informative @ mixing, probes]), labels[corner]

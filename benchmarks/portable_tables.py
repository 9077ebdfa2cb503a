"""Ten small tables with many ties, copies and dependent columns, to compare results of processors."""

import zlib
from collections.abc import Callable

import numpy as np

N_ROWS = 200
NOISE = 1e-13  # relative change of values

Table = tuple[np.ndarray, np.ndarray]


def bundled(name: str) -> Table:
    """Evenly spaced rows of a table that comes with scikit-learn."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    rows = np.linspace(0, len(X) - 1, min(len(X), N_ROWS)).astype(int)
    return X[rows], y[rows]


def binary(n_columns: int, share: float, seed: int) -> Table:
    """Columns of 0 and 1, some of which determine the class; most rows have many equally distant others."""
    rng = np.random.default_rng(seed)
    shares = rng.uniform(share / 2, share * 1.5, n_columns).clip(0, 1)
    X = (rng.random((N_ROWS, n_columns)) < shares).astype(float)
    X[:, 1] = np.where(rng.random(N_ROWS) < 0.8, X[:, 0], X[:, 1])  # nearly a copy
    votes = X[:, :7].sum(axis=1) + (rng.random(N_ROWS) < 0.2)
    return X, (votes > np.median(votes)).astype(int)


def one_hot() -> Table:
    """Three one-hot encoded categories, and numbers that depend on them."""
    rng = np.random.default_rng(2)
    categories = [rng.integers(0, k, N_ROWS) for k in (3, 4, 5)]
    indicators = [np.eye(k)[codes] for k, codes in zip((3, 4, 5), categories, strict=True)]
    sizes = np.abs(rng.normal(size=(N_ROWS, 5)) + categories[0][:, None])
    X = np.column_stack([*indicators, sizes, sizes[:, :2].sum(axis=1)])
    return X.round(3), (sizes[:, 0] + categories[1] > 2).astype(int)


def wide() -> Table:
    """More columns than rows, a few of them related to the class."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 300))
    X[:, :10] += y[:, None]
    X[:, 10:20] += X[:, :10]
    return X, y


def mixed() -> Table:
    """Copies, constants, multiples, few and many values, very different units."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, N_ROWS)
    numbers = rng.normal(size=(N_ROWS, 6)) + y[:, None] * np.arange(6) / 4
    levels = rng.integers(0, 4, (N_ROWS, 5)) + (y[:, None] > 1)
    skewed = np.exp(3 * rng.normal(size=(N_ROWS, 2)))
    constant = np.full((N_ROWS, 2), 7.0)
    return np.column_stack([numbers, numbers[:, :2], 1e6 * numbers[:, 2], levels, skewed, constant]), y


def seven_segments() -> Table:
    """Seven noisy segments of a digit and seventeen random bits, as in the data set LED24."""
    rng = np.random.default_rng(5)
    lit = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111",
           "1111011"]  # fmt: skip
    y = rng.integers(0, 10, N_ROWS)
    segments = np.array([[int(bit) for bit in lit[digit]] for digit in y])
    segments ^= rng.random(segments.shape) < 0.1
    return np.column_stack([segments, rng.integers(0, 2, (N_ROWS, 17))]).astype(float), y


TABLES: dict[str, Callable[[], Table]] = {
    "wine": lambda: bundled("wine"),
    "breast_cancer": lambda: bundled("breast_cancer"),
    "digits": lambda: bundled("digits"),
    "diabetes": lambda: bundled("diabetes"),
    "binary": lambda: binary(36, 0.5, 0),
    "sparse_binary": lambda: binary(22, 0.2, 1),
    "one_hot": one_hot,
    "wide": wide,
    "mixed": mixed,
    "seven_segments": seven_segments,
}


def moved_values(X: np.ndarray) -> np.ndarray:
    """Change every value by a share of about 1e-13; equal values of a column, and copies, change alike.

    So equal rows and columns stay equal; other equalities may be lost.
    """
    moved = np.array(X, float)
    for j in range(X.shape[1]):
        column = np.ascontiguousarray(X[:, j], float)
        rng = np.random.default_rng(zlib.crc32(column.tobytes()))
        levels, places = np.unique(column, return_inverse=True)
        moved[:, j] = (levels * (1 + NOISE * rng.uniform(-1, 1, len(levels))))[places]
    return moved

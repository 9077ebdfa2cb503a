"""The timed tables, generated from fixed seeds, so that every run and every machine uses the same numbers.

In the generated discrete tables a few columns are informative, with decreasing strength, as many are noisy
copies of these and the rest is noise, all shuffled: greedy criteria find a real path with few accidental
ties.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SEED = 0
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"  # of the papers; may be absent
BASEHOCK = DATA / "basehock.npz"
BASEHOCK_SHAPE = (1_993, 4_862)
BASEHOCK_DENSITY = 0.014


@dataclass(frozen=True)
class Workload:
    """A table and its target.

    Attributes
    ----------
    name : short name, such as "W1"
    title : what it is, for people
    X : (rows, columns)
    y : (rows,), or None
    """

    name: str
    title: str
    X: np.ndarray
    y: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        return self.X.shape[0]

    @property
    def n_columns(self) -> int:
        return self.X.shape[1]


def discrete(
    n_rows: int, n_columns: int, n_levels: int, n_classes: int, n_telling: int
) -> tuple[np.ndarray, np.ndarray]:
    """Random levels; `n_telling` columns are informative about the classes (half of them as copies).

    The random numbers are drawn in a fixed order; changing that order changes every table.
    """
    rng = np.random.default_rng(SEED)
    y = rng.integers(0, n_classes, n_rows).astype(np.uint8)
    X = rng.integers(0, n_levels, (n_rows, n_columns), dtype=np.uint8)
    n_sources = n_telling // 2
    for j in range(n_sources):
        strength = 0.6 * (1.0 - j / n_sources) + 0.03
        rows = rng.random(n_rows) < strength
        shift = rng.integers(0, n_levels)
        X[rows, j] = ((y[rows] + shift) % n_levels).astype(np.uint8)
    for j in range(n_sources, n_telling):
        source = rng.integers(0, n_sources)
        rows = rng.random(n_rows) < 0.8
        X[rows, j] = X[rows, source]
    shuffled = rng.permutation(n_columns)
    return np.ascontiguousarray(X[:, shuffled]), y


def sparse_words(n_rows: int, n_columns: int, density: float) -> tuple[np.ndarray, np.ndarray]:
    """Which words occur in which texts: few common words, many rare ones, each more frequent in one class.

    A substitute for a text collection.
    """
    rng = np.random.default_rng(SEED)
    y = rng.integers(0, 2, n_rows).astype(np.uint8)
    commonness = rng.lognormal(sigma=1.0, size=n_columns)
    leaning = rng.uniform(-0.8, 0.8, n_columns)
    occurs = np.empty((n_rows, n_columns), np.uint8)
    for label, sign in ((0, 1.0), (1, -1.0)):
        chance = commonness * (1.0 + sign * leaning)
        rows = y == label
        chance = np.minimum(chance * density / chance.mean(), 1.0)
        occurs[rows] = rng.random((int(rows.sum()), n_columns)) < chance
    return occurs, y


def w1() -> Workload:
    return Workload("W1", "10,000 x 1,000, 5 levels, 3 classes", *discrete(10_000, 1_000, 5, 3, 100))


def w2() -> Workload:
    return Workload("W2", "100,000 x 200, binary, 2 classes", *discrete(100_000, 200, 2, 2, 60))


def w3() -> Workload:
    return Workload("W3", "100 x 20,000, 3 levels, 2 classes", *discrete(100, 20_000, 3, 2, 200))


def w4() -> Workload:
    """BASEHOCK as "does the word occur", or a stand-in of its size and density."""
    if BASEHOCK.exists():
        with np.load(BASEHOCK) as data:
            X, y = (data["X"] > 0).astype(np.uint8), data["y"]
        return Workload("W4", f"BASEHOCK as X > 0, {len(X):,} x {X.shape[1]:,}, {X.mean():.1%} ones", X, y)
    X, y = sparse_words(*BASEHOCK_SHAPE, BASEHOCK_DENSITY)
    title = f"generated stand-in for BASEHOCK (its file is absent), {len(X):,} x {X.shape[1]:,}"
    return Workload("W4", f"{title}, {X.mean():.1%} ones", X, y)


def enc() -> Workload:
    X = np.random.default_rng(SEED).standard_normal((10_000, 1_000))
    return Workload("ENC", "10,000 x 1,000 normal float64, into 5 levels of equal frequency", X)


WORKLOADS: dict[str, Callable[[], Workload]] = {"W1": w1, "W2": w2, "W3": w3, "W4": w4, "ENC": enc}

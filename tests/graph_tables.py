"""Tables for tests of graphs of columns."""

import numpy as np

from helpers import run


def numbers(seed, n_rows=60, n_columns=12):
    """Columns of numbers with ties, copies, a constant one and classes that some of them tell about."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, n_columns)) * rng.uniform(0.1, 3, n_columns)
    X[:, 0] += y
    X[:, 1] = X[:, 0] + rng.normal(size=n_rows) * 0.1
    X[:, 2] = np.round(X[:, 2])
    X[:, 3] = X[:, 4]
    X[:, 5] = 0.1
    X[:, 6] = np.where(rng.random(n_rows) < 0.8, 0.0, X[:, 6])
    return X, y


def scores(table, measure, **options):
    return run(table, measure, **options).scores

"""Data and selectors for tests of searches over subsets."""

import numpy as np


def make_data(n_rows=400, n_columns=12):
    """Two columns decide by exclusive or, one more shifts the classes, the rest is noise."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (n_rows, 12))
    y = ((X[:, 2] > 0) ^ (X[:, 5] > 1)) + (X[:, 7] == 2)
    return X[:, 12 - n_columns :], y


class Counting:
    objectives = ("size",)

    def __init__(self):
        self.n_computed = 0

    def values(self, subsets):
        self.n_computed += len(subsets)
        return subsets.sum(axis=1)[:, None].astype(float)

"""Data and selectors for tests of searches over subsets."""

import numpy as np

from entropick import measures
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.table.encoding.target import encode_target
from entropick.table.memory import make_table as make_views


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


def assert_keeps_information(X, y, found):
    """H(y|S) of the selected columns, on the levels the selector made, is that of all columns or 1 % more."""
    rules = found._rules(lambda: len(y))
    table = make_views(X, encode_target(y, rules=rules), frozenset({Need.COUNTS}), rules=rules)
    state = measures.Renyi(1).begin_sets(table, Threads(1))
    subsets = np.ones((2, table.n_columns), bool)
    subsets[0] = np.isin(np.arange(table.n_columns), found.order_)
    with_selected, with_all = state.values(subsets)[:, 0]
    assert with_selected <= with_all * 1.01 + 1e-9

"""Small things several tests need."""

import numpy as np
import scipy.sparse

from entropick import engine, registry
from entropick.table import encode
from entropick.table.encode import Rules
from entropick.table.target import encode_target
from entropick.table.values import make_values
from entropick.workers import Workers

KEEP_ALL_LEVELS = Rules(n_bins=65535)


def make_table(X, y, rules=KEEP_ALL_LEVELS):
    """An encoded table that keeps every value as a level, with its columns as numbers beside it."""
    target = None if y is None else encode_target(y, kind="class")
    return encode(X, target, rules=rules).with_values(make_values(X))


def run(table, measure, cut=None, search=None, workers=None, **options):
    """Select with parts by name or object; all columns by default."""
    measure = registry.resolve_measure(measure)
    search = registry.resolve_search(search, measure)
    cut = registry.resolve_cut(table.n_columns if cut is None else cut, measure, search)
    return engine.select(table, measure, search, cut, workers=workers or Workers(1), **options)


def columns_of(X):
    return [list(column) for column in np.asarray(X).T]


def as_sparse(X):
    return scipy.sparse.csr_array(X.astype(np.float64))

"""Helpers shared by several tests."""

from types import ModuleType

import numpy as np
import scipy.sparse

import entropick as ep
from entropick import engine, registry
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.table import Rules, encode
from entropick.table.encoding.target import encode_target
from entropick.table.memory import make_table as make_data

KEEP_ALL_LEVELS = Rules(n_bins=65535)
VIEWS = frozenset({Need.COUNTS, Need.NUMBERS, Need.SOURCE})


def make_table(X, y, rules=KEEP_ALL_LEVELS, needs=VIEWS, groups=None, threads=None):
    """Data that keep every value as a level, with the columns as numbers beside them."""
    target = None if y is None else encode_target(y, kind="class")
    return make_data(X, target, needs, rules=rules, groups=groups, threads=threads)


def make_codes(X, y=None, rules=KEEP_ALL_LEVELS):
    """Codes that keep every value as a level."""
    return encode(X, None if y is None else encode_target(y, kind="class"), rules=rules)[0]


def run(data, measure, cut=None, search=None, threads=None, **options):
    """Select with parts by name or object; all columns by default."""
    measure = registry.resolve_measure(measure)
    search = registry.resolve_search(search, measure)
    cut = registry.resolve_cut(data.n_columns if cut is None else cut, measure, search)
    return engine.select(data, measure, search, cut, threads=threads or Threads(1), **options)


def columns_of(X):
    return [list(column) for column in np.asarray(X).T]


def as_sparse(X):
    return scipy.sparse.csr_array(X.astype(np.float64))


def make_numbers(X):
    """The columns of a table as numbers."""
    return make_data(X, None, frozenset({Need.NUMBERS})).numbers


def make_coordinates(X, scaling="range"):
    """The columns of a table as coordinates."""
    return make_data(X, None, frozenset({Need.DISTANCES}), scaling=scaling).coordinates


def public_names():
    """Full names of all that the package exports, and of what its public modules export."""
    for name in ep.__all__:
        thing = getattr(ep, name)
        if isinstance(thing, ModuleType):
            yield from (f"{thing.__name__}.{part}" for part in thing.__all__)
        else:
            yield f"entropick.{name}"
    yield "entropick.report.render"

"""Selections from a table that is already encoded, which most benchmarks time."""

import numpy as np

from entropick import cuts, engine, registry
from entropick._base.threads import Threads
from entropick.counting.local import LocalCounts
from entropick.measures import Measure
from entropick.records.selection import Selection
from entropick.table import Codes, encode
from entropick.table.encoding.target import encode_target
from entropick.table.memory import MemoryTable
from entropick.table.table import Units


def encoded(X: np.ndarray, y: np.ndarray) -> Codes:
    """A table with its target, as levels."""
    with Threads(2) as threads:
        return encode(X, encode_target(y), threads=threads)[0]


def uncounted(codes: Codes, threads: Threads) -> MemoryTable:
    """An encoded table without any cached counts.

    Counts cache what they derive from the codes, such as bit planes; each timed selection must compute it.
    """
    units = Units([f"x{j}" for j in range(codes.n_columns)])
    counts = LocalCounts(codes, threads)
    return MemoryTable(
        units=units, n_rows=codes.n_rows, _target=codes.target, _counts=counts, _codes=codes, _threads=threads
    )


def select(codes: Codes, measure: Measure, picks: int, jobs: int) -> Selection:
    """A whole selection from an encoded table, including the pool of threads."""
    search = registry.resolve_search(None, measure)
    with Threads(jobs) as threads:
        return engine.select(uncounted(codes, threads), measure, search, cuts.Count(picks), threads=threads)


def follow(codes: Codes, measure: Measure, picks: np.ndarray, jobs: int) -> None:
    """All the work of a selection, but with the given picks."""
    is_open = np.ones(codes.n_columns, bool)
    with Threads(jobs) as threads:
        state = measure.begin_steps(uncounted(codes, threads), threads)
        for column in picks.tolist():
            state.compete(np.flatnonzero(is_open))
            state.include(column)
            is_open[column] = False

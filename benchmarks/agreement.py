"""Check whether another library picked the best columns by the criterion.

Comparing orders is not enough: each library breaks exact ties by its own rule (or by rounding), and all later
picks may differ. So the peer's own path is followed, and at each of its picks the score of that column is
compared with the best score at that point.
"""

import numpy as np

from benchmarks.encoded import uncounted
from entropick._base.threads import Threads
from entropick._base.ties import tolerance
from entropick.measures import Measure
from entropick.table import Codes


def shortfalls(codes: Codes, measure: Measure, picks: np.ndarray) -> list[float]:
    """By how many bits each pick misses the best score, given the picks before it; 0 for ties.

    The measure must score every candidate; a lazy one, such as CMIM, skips those that cannot win.
    """
    threads = Threads(1)
    state = measure.begin_steps(uncounted(codes, threads), threads)
    is_open = np.ones(codes.n_columns, bool)
    missed = []
    for column in picks.tolist():
        found = state.compete(np.flatnonzero(is_open))
        best = float(found.scores.max())
        gap = best - found.scores[found.columns == column].item()
        missed.append(gap if gap > tolerance(best) else 0.0)
        state.include(column)
        is_open[column] = False
    return missed


def compare_orders(codes: Codes, measure: Measure, ours: np.ndarray, theirs: np.ndarray) -> str:
    """One phrase on how the picks of a peer with the same criterion agree."""
    if np.array_equal(ours, theirs):
        return "same order"
    missed = shortfalls(codes, measure, theirs)
    rank = int(np.flatnonzero(ours != theirs)[0]) + 1
    if not any(missed):
        return f"same but for exact ties (first at rank {rank})"
    worst = int(np.argmax(missed))
    return f"other picks from rank {rank}; at rank {worst + 1} {missed[worst]:.1e} bit below the best"


def common_picks(ours: np.ndarray, theirs: np.ndarray) -> str:
    """One phrase on how the picks of another criterion overlap."""
    return f"{len(np.intersect1d(ours, theirs))} of {len(ours)} picks in common"

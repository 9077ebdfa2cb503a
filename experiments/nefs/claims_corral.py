"""Claims on CORRAL."""

import numpy as np

from experiments.nefs import explanations as because
from experiments.nefs import reading
from experiments.nefs.design import CORRAL_NAMES, PAPER_METHODS
from experiments.nefs.judging import Found, judge
from experiments.protocol import Claim, Results

CAUSES, CORRELATED = {0, 1, 2, 3}, 5  # columns of CORRAL


def on_corral(results: Results) -> list[Claim]:
    """Table II, and the accuracy with four columns."""
    missing = "No run on CORRAL is stored."
    rule = "Rule: the first four picks are A0, A1, B0, B1 in more than half of the runs, in any order."
    rows = {"SNEFS": "B0 B1 A1 A0", "RELIEFF": "B0 B1 A1 A0", "NEFS": "B0 A1 B1 A0"}
    explained = {"NEFS": because.nefs_on_corral(results)}
    found = [
        judge(
            "Table II",
            f"{method} selects the four relevant columns of CORRAL most of the times.",
            f"most frequent order {order}",
            _causes_first(results, method),
            rule,
            missing,
            explained.get(method, ""),
        )
        for method, order in rows.items()
    ]
    misled = judge(
        "Table II",
        "X-MIFS, RRPC_S, RRPC_SS and mRMR tend to select the correlated column C first.",
        "C first with all four",
        _correlated_first(results),
        "Rule: for each of the four C is the most frequent first pick.",
        missing,
        because.RRPC_SS_ON_CORRAL,
    )
    p = reading.friedman(results, "CORRAL", "RF", PAPER_METHODS, 4)
    equal = judge(
        "Section V",
        "On CORRAL the methods do not differ significantly in accuracy (4 columns, RF).",
        "not significant",
        None if p is None else Found(f"Friedman p = {p:.2g}", p >= reading.FRIEDMAN_LEVEL),
        "Rule: Friedman's test over the folds gives p ≥ 0.01.",
        reading.why_missing(results, "CORRAL"),
        because.ACCURACY_ON_CORRAL,
    )
    return [*found, misled, equal]


def _causes_first(results: Results, method: str) -> Found | None:
    runs = reading.corral_runs(results, method)
    if not runs:
        return None
    share = float(np.mean([set(order) == CAUSES for order in runs]))
    order, count = reading.most_frequent([tuple(order) for order in runs])
    names = " ".join(CORRAL_NAMES[j] for j in order)
    return Found(f"{share:.2f} of {len(runs)} runs; most frequent {names} ({count} times)", share > 0.5)


def _correlated_first(results: Results) -> Found | None:
    runs = {m: reading.corral_runs(results, m) for m in ("X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")}
    if not all(runs.values()):
        return None
    firsts = {m: [order[0] for order in found] for m, found in runs.items()}
    shares = ", ".join(f"{np.mean(np.equal(first, CORRELATED)):.2f} ({m})" for m, first in firsts.items())
    most = {reading.most_frequent([(j,) for j in first])[0] for first in firsts.values()}
    return Found(f"C first in {shares} of the runs", most == {(CORRELATED,)})

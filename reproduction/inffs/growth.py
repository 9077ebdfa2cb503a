"""How the times of the methods grow with rows and columns, beside the costs of Table 1."""

import math
import time

import numpy as np

from reproduction.inffs import authors
from reproduction.inffs.methods import FIXED_S, FIXED_U, rank
from reproduction.texts import need

ABOVE = 0.25  # how far a measured exponent may be above the printed one
# Exponents of rows and columns in Table 1; Relief-F with an iteration for each row, RFE without its logarithm
PRINTED = {
    FIXED_U: (1, 3),
    FIXED_S: (2, 3),
    "Fisher": (1, 1),
    "MI": (2, 2),
    "Relief-F": (2, 1),
    "ECFS": (1, 2),
    "ILFS": (1, 2.37),
    "CFS": (1, 2),
    "FSASL": (1, 3),
    "RFE": (2, 1),
    "FSV": (2, 2),
    "LASSO": (2, 2),
    "UFSOL": (1, 4),
}
OF_AUTHORS = ("FSASL", "FSV", "LASSO", "UFSOL")  # with the settings of their library
PICKS = 10


def growing_times(settings):
    """Seconds of each method on a small table, and with more rows or more columns."""
    base, factor = settings["base"], settings["factor"]
    sizes = {"base": base, **{axis: {**base, axis: factor * base[axis]} for axis in base}}
    found: dict[str, dict[str, float]] = {method: {} for method in PRINTED}
    for name, size in sizes.items():
        rng = np.random.default_rng(0)
        y = rng.permutation(size["rows"]) % 2
        X = rng.normal(size=(size["rows"], size["columns"])) + 0.3 * y[:, None]
        for method in found:
            found[method][name] = _seconds(method, X, y)
    return found


def _seconds(method, X, y) -> float:
    """The least of three runs, of one where it is long; the first one may compile and load."""
    rank_by = authors.rank if method in OF_AUTHORS else rank
    rank_by(method, X[:50], y[:50], PICKS, 0, None)
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < 1:
        start = time.process_time()
        rank_by(method, X, y, PICKS, 0, None)
        seconds.append(time.process_time() - start)
    return round(min(seconds), 6)


def growth(readings):
    """Exponents of rows and columns, each multiplied while the other stays."""
    records = readings.results.where(part="growth")
    need(records)
    seconds, factor = records[0].result, records[0].settings["factor"]
    found, faster = {}, []
    for method, printed in PRINTED.items():
        powers = [
            math.log(seconds[method][axis] / seconds[method]["base"], factor) for axis in ("rows", "columns")
        ]
        name = method.removesuffix(", default weights")
        found[name] = "/".join(f"{power:.1f}" for power in powers)
        if any(power > most + ABOVE for power, most in zip(powers, printed, strict=True)):
            faster.append(name)
    return {"holds": not faster, "powers": found, "factor": factor, "faster": faster}

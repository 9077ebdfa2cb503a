"""Whether times of the paper on NEFS are in the order, and grow in the way, the paper says."""

import math

import numpy as np

from reproduction.nefs.protocol import GROWTH, HASHED
from reproduction.texts import need

OTHERS = ("RELIEFF", "X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")
ABOVE = 0.25  # how far a measured exponent may be above the printed one


def growth(readings):
    """Exponents of rows, columns and picks, each multiplied while the others stay."""
    records = readings.results.where(part="growth")
    need(records)
    seconds, factor = records[0].result, records[0].settings["factor"]
    found, within = {}, []
    for method, printed in GROWTH["printed"].items():
        base = seconds[method]["base"]
        powers = [math.log(seconds[method][axis] / base, factor) for axis in ("rows", "columns", "picks")]
        found[method] = "/".join(f"{power:.1f}" for power in powers)
        within += [power <= most + ABOVE for power, most in zip(powers, printed, strict=True)]
    return {"holds": all(within), "powers": found, "factor": factor}


def slowest(readings):
    slopes = readings.ours.slopes()
    words = {"exact": slopes["NEFS"], "hashed": slopes[HASHED], "snefs": slopes["SNEFS"]}
    others = max(slopes[method] for method in (*OTHERS, "SNEFS"))
    ways = {"exact neighbours": slopes["NEFS"], "hashed": slopes[HASHED]}
    return {"readings": {name: {"holds": slope > others} for name, slope in ways.items()}, **words}


def time_of_snefs(readings):
    slopes = readings.ours.slopes()
    own, others = slopes["SNEFS"], float(np.median([slopes[method] for method in OTHERS]))
    found = {}
    for name, method in {"NEFS with exact neighbours": "NEFS", "NEFS hashed": HASHED}.items():
        timed = [r.result for r in readings.results.where(part="time") if method in r.result]
        ratios = [seconds[method] / seconds["SNEFS"] for seconds in timed]
        words = {"times": slopes[method] / own, "least": min(ratios), "most": max(ratios)}
        found[name] = {"holds": 2 * own < slopes[method] and own > others, **words}
    return {"readings": found}

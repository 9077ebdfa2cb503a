"""What numbers of levels gain over ten, by data set and number of rows."""

import numpy as np

from reproduction.levels.protocol import DATASETS, HALF_OF, LEVELS, ROWS, TEXTS, USUAL
from reproduction.texts import need
from reproduction.verdicts import Mean

AUTO, BOTH = "auto", "both"


def claims(results):
    """One verdict for each goal."""
    return TEXTS.claims(globals(), results, results)


def usual_bins(n_rows) -> int:
    """The rule of n_bins="auto"."""
    return min(max(round(n_rows**0.5 / 3), 5), 10)


def nearest(n_bins) -> int:
    """The number of levels tried that comes nearest to one that was not."""
    return min(LEVELS, key=lambda tried: abs(tried - n_bins))


def gains(results, n_bins, n_rows=None, half=None) -> dict[str, float]:
    """By data set: what a number of levels, or the rule, gains over ten; R² below 0 counts as 0."""
    found: dict[str, list[float]] = {}
    for record in results.where():
        dataset, rows = record.settings["dataset"], record.settings["rows"]
        if record.result is None or n_rows not in (None, rows) or half not in (None, HALF_OF[dataset]):
            continue
        tried = nearest(usual_bins(rows)) if n_bins == AUTO else n_bins
        scores = np.maximum(list(record.result["scores"].values()), 0).mean(axis=0)
        found.setdefault(dataset, []).append(scores[LEVELS.index(tried)] - scores[LEVELS.index(USUAL)])
    return {name: float(np.mean(found[name])) for name in DATASETS if name in found}


def better_than_ten(results, half):
    half = None if half == BOTH else half
    found = gains(results, AUTO, half=half)
    need(len(found) > 3)
    gain = Mean(list(found.values()), "data sets", digits=4)
    worst = min(found, key=lambda name: found[name])
    return {
        "finding": gain.above(),
        "gain": gain,
        "worst": {worst: found[worst]},
        "few_rows": Mean(list(gains(results, AUTO, ROWS[0], half).values()), "data sets"),
    }

"""Tables of settings and of data, for the halves that were run."""

import numpy as np

from reproduction.mixed.findings import FAR, WIDE, intruders, leads, of_wide, scores, worst_of
from reproduction.mixed.protocol import (
    ALL,
    BASELINE,
    CHOOSE,
    HALF_OF,
    JUDGE,
    KNOWN,
    PLAIN,
    RIVALS,
    SETTINGS,
    SIZE,
    SIZES,
    TEXTS,
    default_setting,
)
from reproduction.texts import mean_and_error

LED = SIZES[: SIZES.index(SIZE) + 1]  # with more columns most tables are used up


def sections(results):
    """Settings and tables by half; what was not run is left out."""
    found = []
    for half in (CHOOSE, JUDGE, KNOWN):
        if scores(results, BASELINE, half):
            found += [_settings(results, half), _tables(results, half)]
    return found


def _settings(results, half):
    """A row for each rival and setting, the highest lead first."""
    rivals = [_row(results, rival, half) for rival in RIVALS if scores(results, rival, half)]
    run = [setting for setting in SETTINGS if leads(results, setting, half)]
    run.sort(key=lambda setting: -np.mean(list(leads(results, setting, half).values())))
    rows = rivals + [_row(results, setting, half) for setting in run]
    header = ["selector", "tables", *(f"{size} columns" for size in SIZES), f"area, {SIZE}"]
    header += [
        *(f"lead, {size}" for size in LED),
        f"lead, {SIZE}, wide",
        "worst",
        "far behind",
        "noise",
        "identifiers",
    ]
    return TEXTS.section("settings", rows, header=header, half=half, size=SIZE, wide=WIDE, far=FAR)


def _row(results, selector, half):
    by_size = [f"{_mean(scores(results, selector, half, size)):.3f}" for size in SIZES]
    area = f"{_mean(scores(results, selector, half, measure='area')):.3f}"
    lead = {size: leads(results, selector, half, size) for size in LED}
    gains = [*lead.values(), of_wide(results, half, lead[SIZE])]
    behind = [str(sum(value < -FAR for value in found.values())) for found in lead.values()]
    worst = worst_of(lead[SIZE])
    seen = [intruders(results, selector, half, kind) for kind in ("noise", "identifiers")]
    return [
        str(selector), len(lead[SIZE]), *by_size, area,
        *(mean_and_error(list(found.values()), 4) for found in gains),
        f"{worst} {lead[SIZE][worst]:+.3f}", " / ".join(behind),
        *(f"{_mean(kind):.2f}" if kind else "-" for kind in seen),
    ]  # fmt: skip


def _mean(found) -> float:
    return float(np.mean(list(found.values()))) if found else float("nan")


def _tables(results, half):
    """Each table with plain JMI, the default and the rivals."""
    shown = [ALL, BASELINE, *dict.fromkeys([PLAIN, default_setting()])]
    by_selector = {str(selector): scores(results, selector, half) for selector in shown}
    rows = [
        [name, *(f"{found[name]:.3f}" if name in found else "-" for found in by_selector.values())]
        for name in HALF_OF
        if any(name in found for found in by_selector.values())
    ]
    return TEXTS.section("tables", rows, header=["table", *by_selector], half=half, size=SIZE)

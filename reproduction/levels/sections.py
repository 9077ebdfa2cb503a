"""Tables and a figure on numbers of levels."""

import functools

import numpy as np

from reproduction.levels.findings import AUTO, gains, nearest, usual_bins
from reproduction.levels.protocol import CHOOSE, CONFIRM, LEVELS, ROWS, TEXTS
from reproduction.texts import mean_and_error

HALVES = {CHOOSE: "choose", CONFIRM: "confirm", None: "both"}


def sections(results):
    """What the page shows; nothing if too few cells were run."""
    if len(gains(results, AUTO)) < 4:
        return []
    return [_by_rows(results), _by_half(results)]


def _by_rows(results):
    rows = []
    for n_rows in ROWS:
        n_sets = len(gains(results, AUTO, n_rows))
        tried = [mean_and_error(list(gains(results, n_bins, n_rows).values())) for n_bins in (*LEVELS, AUTO)]
        rows.append([n_rows, n_sets, *tried])
    figure = TEXTS.figure("gains", functools.partial(_draw, results=results))
    return TEXTS.section("rows", rows, [figure], header=["rows", "data sets", *map(str, LEVELS), "auto"])


def _draw(page, results) -> None:
    """A line for each number of rows, a ring where the rule is."""
    axes = page.subplots()
    for n_rows in ROWS:
        mean = {n_bins: np.mean(list(gains(results, n_bins, n_rows).values())) for n_bins in LEVELS}
        (line,) = axes.plot(mean.keys(), mean.values(), marker="o", markersize=3, label=f"{n_rows} rows")
        chosen = nearest(usual_bins(n_rows))
        axes.plot(chosen, mean[chosen], "o", markersize=9, fillstyle="none", color=line.get_color())
    axes.axhline(0, color="#222222", linewidth=0.7)
    axes.set_xlabel("levels")
    axes.set_ylabel("gain over ten levels")
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.3)


def _by_half(results):
    rows = []
    for half, name in HALVES.items():
        tried = [
            mean_and_error(list(gains(results, n_bins, half=half).values()), 4) for n_bins in (*LEVELS, AUTO)
        ]
        rows.append([name, *tried])
    return TEXTS.section("halves", rows, header=["half", *map(str, LEVELS), "auto"])

"""Tables on numbers of levels."""

from experiments.levels.findings import AUTO, gains
from experiments.levels.protocol import CHOOSE, CONFIRM, LEVELS, ROWS, TEXTS
from experiments.texts import mean_and_error

HALVES = {CHOOSE: "choose", CONFIRM: "confirm", None: "both"}


def sections(results):
    """What the page shows; nothing where too few cells were run."""
    if len(gains(results, AUTO)) < 4:
        return []
    return [_by_rows(results), _by_half(results)]


def _by_rows(results):
    rows = []
    for n_rows in ROWS:
        n_sets = len(gains(results, AUTO, n_rows))
        tried = [mean_and_error(list(gains(results, n_bins, n_rows).values())) for n_bins in (*LEVELS, AUTO)]
        rows.append([n_rows, n_sets, *tried])
    return TEXTS.section("rows", rows, header=["rows", "data sets", *map(str, LEVELS), "auto"])


def _by_half(results):
    rows = []
    for half, name in HALVES.items():
        tried = [
            mean_and_error(list(gains(results, n_bins, half=half).values()), 4) for n_bins in (*LEVELS, AUTO)
        ]
        rows.append([name, *tried])
    return TEXTS.section("halves", rows, header=["half", *map(str, LEVELS), "auto"])

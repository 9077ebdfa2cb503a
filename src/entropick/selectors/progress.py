"""Show progress as one line on stderr per step."""

import sys

from entropick.records.exploration import Generation
from entropick.records.selection import Resample, Step


def show_line(event: Step | Generation | Resample, n_done: int, n_expected: int | None) -> None:
    """Print how far the selection is."""
    of_all = "" if n_expected is None else f" of {n_expected}"
    if isinstance(event, Step):
        text = f"step {n_done}{of_all}, column {event.column}, score {event.score:.4g}"
    else:
        text = f"{event}{of_all and f' ({n_done / (n_expected or 1):.0%})'}"
    print(f"entropick: {text}", file=sys.stderr, flush=True)

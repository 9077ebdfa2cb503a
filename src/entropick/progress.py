"""A plain progress line on stderr, for those who ask for one."""

import sys

from entropick.records import Progress, Step


def resolve_progress(progress: "bool | Progress | None") -> Progress | None:
    """None or False show nothing, True a line on stderr, a function is called at each step."""
    if progress is None or progress is False:
        return None
    return show_line if progress is True else progress


def show_line(step: Step, n_done: int, n_expected: int | None) -> None:
    """Say how far the selection is, on one line that overwrites itself."""
    of_all = "" if n_expected is None else f" of {n_expected}"
    end = "\n" if n_done == n_expected else ""
    text = f"\rentropick: step {n_done}{of_all}, column {step.column}, score {step.score:.4g}   "
    print(text, end=end, file=sys.stderr, flush=True)

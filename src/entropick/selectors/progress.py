"""Show the progress of a fit in one line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from entropick._base.progress import progress_line
from entropick.records.exploration import Generation
from entropick.records.selection import Progress, Resample, Step


@contextmanager
def listener(names: Sequence[str]) -> Iterator[Progress]:
    """A function that shows each step in a line, by the names of the columns."""
    with progress_line() as line:
        yield lambda event, n_done, n_expected: line.show(_in_words(event, n_done, n_expected, names))


def _in_words(
    event: Step | Generation | Resample, n_done: int, n_expected: int | None, names: Sequence[str]
) -> str:
    of_all = "" if n_expected is None else f" of {n_expected}"
    if isinstance(event, Step):
        return f"step {n_done}{of_all}: {names[event.column]}"
    return f"{event}{of_all and f' ({n_done / (n_expected or 1):.0%})'}"

"""Show the progress of a fit in one line."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from entropick._base.progress import progress_line
from entropick.records.exploration import Generation
from entropick.records.selection import Progress, Resample, Step


@contextmanager
def listener(
    progress: bool | Callable[..., None] | None, names: Sequence[str] = ()
) -> Iterator[Progress | None]:
    """What is called after each step: the user's function, one that updates a line, or None."""
    if progress is not True:
        yield progress or None
        return
    with progress_line() as line:

        def show(event: Any, n_done: int, n_expected: int | None) -> None:
            line.show(_in_words(event, n_done, n_expected, names))

        yield show


def _in_words(
    event: Step | Generation | Resample, n_done: int, n_expected: int | None, names: Sequence[str]
) -> str:
    of_all = "" if n_expected is None else f" of {n_expected}"
    if isinstance(event, Step):
        return f"step {n_done}{of_all}: {names[event.column]}"
    return f"{event}{of_all and f' ({n_done / (n_expected or 1):.0%})'}"

"""One line on the screen that says how far something is."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

SECONDS = 0.1  # between two texts


class ProgressLine:
    """A line that is written over: on stderr, or as an output of a notebook, which keeps its last text."""

    def __init__(self) -> None:
        self._text, self._width, self._next = "", 0, 0.0
        self._output: Any = None

    def show(self, text: str) -> None:
        """Show a text, unless another was shown a moment ago."""
        self._text = f"entropick: {text}"
        if monotonic() >= self._next:
            self._draw()
            self._next = monotonic() + SECONDS

    def _draw(self) -> None:
        if "ipykernel" in sys.modules:
            self._draw_in_notebook()
            return
        _write(f"\r{self._text:<{self._width}}")
        self._width = len(self._text)

    def _draw_in_notebook(self) -> None:
        data = {"text/plain": self._text}
        if self._output is None:
            display = importlib.import_module("IPython.display").display
            self._output = display(data, raw=True, display_id=True)
        else:
            self._output.update(data, raw=True)

    def end(self) -> None:
        """Show the last text, and end the line."""
        if self._text:
            self._draw()
            if self._output is None:
                _write("\n")


def _write(text: str) -> None:
    """Write to stderr, and ignore a stream that is closed or full."""
    with suppress(OSError, ValueError):
        print(text, end="", file=sys.stderr, flush=True)


@contextmanager
def progress_line() -> Iterator[ProgressLine]:
    """A line that ends with the work."""
    line = ProgressLine()
    try:
        yield line
    finally:
        line.end()

"""Output for people: tables on stdout, messages and progress on stderr."""

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from entropick.cli.messages import in_options
from entropick.exceptions import ColumnWarning, NothingFoundWarning, message_of

SCHEMA_VERSION = 1  # of all printed JSON
LONGEST_NAME = 60  # characters of a name in a table
LONGEST_MESSAGE = 1000


def one_line(text: Any, longest: int | None = LONGEST_MESSAGE) -> str:
    """Make a text safe for a terminal: one line, no control or direction characters, limited length."""
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(text))
    return line if longest is None or len(line) <= longest else line[: longest - 1] + "…"


class Screen:
    """Output to the terminal.

    Parameters
    ----------
    quiet : whether to suppress messages and progress; warnings and results are always shown
    """

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet

    def say(self, text: str) -> None:
        """Print a message to stderr."""
        if not self._quiet:
            click.echo(one_line(text), err=True)

    def warn(self, text: str) -> None:
        """Print a warning to stderr."""
        click.echo(f"Warning: {one_line(text)}", err=True)

    @contextmanager
    def collecting_warnings(self) -> Iterator[list[str]]:
        """Show warnings at the end, with options instead of Python parameters, and put them into the list."""
        shown: list[str] = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            yield shown
        found = [w for w in caught if issubclass(w.category, UserWarning)]
        # "nothing was found" is the answer itself, and notes about columns are shown separately
        others = NothingFoundWarning, ColumnWarning
        messages = [message_of(w.message) for w in found if not issubclass(w.category, others)]
        shown += dict.fromkeys(map(in_options, messages))
        for text in shown:
            self.warn(text)

    def show(self, text: str = "", longest: int | None = LONGEST_MESSAGE) -> None:
        """Print a line of the result to stdout."""
        click.echo(one_line(text, longest))

    def show_json(self, document: dict[str, Any]) -> None:
        """Print the result as JSON to stdout."""
        click.echo(json.dumps(document, allow_nan=False))

    def table(
        self,
        headers: Sequence[str],
        rows: Sequence[Sequence[Any]],
        *,
        numeric: Sequence[int] = (),
        longest: int = LONGEST_NAME,
    ) -> None:
        """Print a table of the result: with rules on a terminal, plain columns elsewhere."""
        texts = [[one_line(value, longest) for value in row] for row in rows]
        if sys.stdout.isatty():
            _draw(headers, texts, numeric)
        else:
            _write_columns(headers, texts, numeric)

    @contextmanager
    def progress(self) -> Iterator[Callable[[str, int, int | None], None] | None]:
        """Yield a function that moves a progress bar, or None if stderr is not a terminal."""
        if self._quiet or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)

            def move(text: str, n_done: int, n_expected: int | None) -> None:
                bar.update(task, description=one_line(text, LONGEST_NAME), completed=n_done, total=n_expected)

            yield move


def _draw(headers: Sequence[str], rows: list[list[str]], numeric: Sequence[int]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD)
    for i, header in enumerate(headers):
        table.add_column(header, justify="right" if i in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(value) for value in row))  # a Text is never interpreted as markup
    Console().print(table)


def _write_columns(headers: Sequence[str], rows: list[list[str]], numeric: Sequence[int]) -> None:
    lines = [list(headers), *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headers))]
    for line in lines:
        cells = (
            value.rjust(width) if i in numeric else value.ljust(width)
            for i, (value, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())

"""What people see: tables on stdout, messages and progress on stderr."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

SCHEMA_VERSION = 1  # of all JSON that is printed
LONGEST_NAME = 60  # signs of a name in a table
LONGEST_MESSAGE = 1000


def one_line(text: Any, longest: int | None = LONGEST_MESSAGE) -> str:
    """A text a terminal can show: no line breaks, no control signs, no change of direction, not too long."""
    signs = (sign if sign.isprintable() else repr(sign)[1:-1] for sign in str(text))
    line = "".join(signs)
    return line if longest is None or len(line) <= longest else line[: longest - 1] + "…"


class Screen:
    """Talks to the user.

    Parameters
    ----------
    quiet : whether to leave out messages and progress; warnings and results are always shown
    """

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet

    def say(self, text: str) -> None:
        """A message, on stderr."""
        if not self._quiet:
            click.echo(one_line(text), err=True)

    def warn(self, text: str) -> None:
        """A warning, on stderr."""
        click.echo(f"Warning: {one_line(text)}", err=True)

    def show(self, text: str = "", longest: int | None = LONGEST_MESSAGE) -> None:
        """A line of the result, on stdout."""
        click.echo(one_line(text, longest))

    def show_json(self, document: dict[str, Any]) -> None:
        """The result for other programs, on stdout."""
        click.echo(json.dumps(document, allow_nan=False))

    def table(
        self,
        headers: Sequence[str],
        rows: Sequence[Sequence[Any]],
        *,
        numeric: Sequence[int] = (),
        longest: int = LONGEST_NAME,
    ) -> None:
        """A table of the result: drawn on a terminal, plain columns elsewhere."""
        texts = [[one_line(value, longest) for value in row] for row in rows]
        if sys.stdout.isatty():
            _draw(headers, texts, numeric)
        else:
            _write_columns(headers, texts, numeric)

    @contextmanager
    def progress(self) -> Iterator[Callable[[str, int, int | None], None] | None]:
        """A function that moves a bar, where someone looks at it; else None."""
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
    for place, header in enumerate(headers):
        table.add_column(header, justify="right" if place in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(value) for value in row))  # a Text is never read as markup
    Console().print(table)


def _write_columns(headers: Sequence[str], rows: list[list[str]], numeric: Sequence[int]) -> None:
    lines = [list(headers), *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(headers))]
    for line in lines:
        cells = (
            value.rjust(width) if place in numeric else value.ljust(width)
            for place, (value, width) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())

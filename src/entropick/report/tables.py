"""Tables of the report: columns of cells, each number with all its digits beside the ones shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from entropick.report import words

MOST_ROWS = 200


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes
    ----------
    text : what is shown
    value : the exact number, where the text is not exact: to sort by, and shown behind the pointer
    title : what is shown behind the pointer
    note : a few quiet words after the text
    tint : depth of the background from 0 to 10
    """

    text: str | Markup
    value: str | None = None
    title: str | None = None
    note: str = ""
    tint: int | None = None


@dataclass(frozen=True)
class Column:
    """One column: its label, its cells, what it holds and whether it names the rows."""

    label: str
    cells: Sequence[Cell]
    kind: str = "text"
    names_rows: bool = False
    hint: str | None = None


@dataclass(frozen=True)
class Table:
    """A table of columns.

    Attributes
    ----------
    caption : what it holds; read out, and shown where the table is folded
    columns : columns of equal length
    quiet : rows (by number) to be shown pale
    note : a sentence below, such as how many rows are left out
    folded : whether it opens on demand
    sortable : whether its rows may be reordered
    """

    caption: str
    columns: Sequence[Column]
    quiet: frozenset[int] = field(default_factory=frozenset)
    note: str = ""
    folded: bool = False
    sortable: bool = True

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        return list(zip(*(column.cells for column in self.columns), strict=True))


def numbers(
    label: str, values: Iterable[Any], decimals: int | None = None, hint: str | None = None
) -> Column:
    """A column of numbers with decimals in common."""
    values = list(values)
    if decimals is None:
        decimals = words.decimals_for(values)
    return Column(label, [number_cell(value, decimals) for value in values], "number", hint=hint)


def number_cell(value: Any, decimals: int, note: str = "", tint: int | None = None) -> Cell:
    """A number: rounded to read, exact to sort by."""
    text = words.number(value, decimals)
    finite = words.as_number(value)
    exact = None if finite is None else words.exact(finite)
    return Cell(text, None if exact == text else exact, note=note, tint=tint)


def texts(label: str, values: Iterable[Any], hint: str | None = None) -> Column:
    """A column of names or other texts."""
    return Column(label, [text_cell(value) for value in values], hint=hint)


def names(label: str, values: Iterable[str]) -> Column:
    """The column that says what each row is about."""
    return Column(label, [text_cell(value) for value in values], names_rows=True)


def text_cell(value: Any, note: str = "") -> Cell:
    """A text, shortened; with more of it behind the pointer where it is long."""
    text = words.MISSING if value is None else str(value)
    return Cell(words.shorten(text), title=words.full_name(text), note=note)


def left_out(n: int, shown: int, thing: str = "row", things: str | None = None) -> str:
    """A sentence about rows that are not shown; empty where all are."""
    return "" if n <= shown else f"The first {shown:,} of {words.counted(n, thing, things)} are shown."

"""Tables of the report; cells keep the exact value of rounded numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from entropick.report import words

MAX_ROWS = 200


@dataclass(frozen=True)
class Cell:
    """A table cell.

    Attributes
    ----------
    text : text of the cell
    value : the exact number if the text is rounded, for sorting and as a tooltip
    title : tooltip
    note : a few words after the text, in a muted colour
    tint : intensity of the background from 0 to 10
    """

    text: str | Markup
    value: str | None = None
    title: str | None = None
    note: str = ""
    tint: int | None = None


@dataclass(frozen=True)
class Column:
    """A table column: label, cells, kind of content, and whether it names the rows."""

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
    caption : title for screen readers and for folded tables
    columns : columns of equal length
    quiet : indices of rows shown in a muted colour
    note : a sentence below the table, such as how many rows are omitted
    folded : whether the table is folded at first
    sortable : whether users can sort the rows
    """

    caption: str
    columns: Sequence[Column]
    quiet: frozenset[int] = field(default_factory=frozenset)
    note: str = ""
    folded: bool = False
    sortable: bool = True

    @property
    def legend(self) -> list[tuple[str, str]]:
        """What the heads mean that do not say so themselves."""
        return [(column.label, column.hint) for column in self.columns if column.hint]

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        return list(zip(*(column.cells for column in self.columns), strict=True))


def numbers(
    label: str, values: Iterable[Any], decimals: int | None = None, hint: str | None = None
) -> Column:
    """A column of numbers with equal decimals."""
    values = list(values)
    if decimals is None:
        decimals = words.decimals_for(values)
    return Column(label, [number_cell(value, decimals) for value in values], "number", hint=hint)


def number_cell(value: Any, decimals: int, note: str = "", tint: int | None = None) -> Cell:
    """A rounded number that keeps its exact value."""
    text = words.number(value, decimals)
    finite = words.as_number(value)
    exact = None if finite is None else words.exact(finite)
    return Cell(text, None if exact == text else exact, note=note, tint=tint)


def texts(label: str, values: Iterable[Any], hint: str | None = None) -> Column:
    """A column of strings."""
    return Column(label, [text_cell(value) for value in values], hint=hint)


def names(label: str, values: Iterable[str]) -> Column:
    """The column that names the rows."""
    return Column(label, [text_cell(value) for value in values], names_rows=True)


def text_cell(value: Any, note: str = "", link: str | None = None) -> Cell:
    """A shortened text, with the full text as a tooltip; `link` is the id of what it leads to."""
    text = words.MISSING if value is None else str(value)
    shown: str | Markup = words.shorten(text)
    if link is not None:
        shown = Markup('<a href="#{}">{}</a>').format(link, shown)
    return Cell(shown, title=words.full_name(text), note=note)


def left_out(n: int, shown: int, thing: str = "row", things: str | None = None) -> str:
    """A sentence about omitted rows; empty if all are shown."""
    return "" if n <= shown else f"The first {shown:,} of {words.counted(n, thing, things)} are shown."

"""Read the first sheet of an Excel file."""

import re
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import IO, TypeAlias

import polars as pl
import polars.selectors as cs

from entropick._base.wording import first_line
from entropick.exceptions import DataError
from entropick.files.contents import Contents, head_of, read_copy
from entropick.files.frames import collected
from entropick.files.layout import TextFormat, duplicate_note
from entropick.files.room import check_room
from entropick.files.text import read_delimited, start_of

NUMBERED = re.compile(r"_\d+$")  # suffix that fastexcel adds to a repeated name
WORKBOOK = "xl/workbook.xml"
CHUNK = 1 << 20  # bytes of XML searched at once
BYTES_PER_CELL = 48  # of memory, in the reader and in the table
LAST_CELL = "XFD1048576"  # of any sheet
MAX_CELLS = 1 << 31  # of a sheet, wherever the system does not say how much memory there is

# Tags of rows and cells, the reference of a cell if it comes first, and other attributes; nothing is tried
# twice.
_Tag: TypeAlias = tuple[bytes, bytes, bytes, bytes]
_TAG = re.compile(
    rb"""<(?:\w+:)?(c|row)(?=[\s/>])(?:\s++r="([A-Za-z]++)(\d++)")?((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>"""
)
_REFERENCE = re.compile(rb"""(?:^|\s)r\s*=\s*["']([A-Za-z]+)(\d+)["']""")
_ROW_NUMBER = re.compile(rb"""(?:^|\s)r\s*=\s*["'](\d+)["']""")
_FIRST_SHEET = re.compile(rb"""<(?:\w+:)?sheet\s[^>]*?:id="([^"]*)\"""")
_LINK = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_TARGET = re.compile(rb"""\sTarget="([^"]*)\"""")


def read_excel(path: Path, name: str, text: TextFormat) -> Contents:
    """Read the first sheet of an Excel file."""
    with _damage_explained(name):
        n_sheets = _checked_sheets(path, name)
    try:
        frame = pl.read_excel(path)
        duplicated = _duplicates_in_sheet(path, frame.columns)
    except ModuleNotFoundError:
        raise DataError(
            f"{name} is an Excel file; reading it needs fastexcel, which is not installed. Hint: "
            "pip install 'entropick[excel]', or save the table as CSV or Parquet."
        ) from None
    except pl.exceptions.PanicException:
        raise
    except Exception as error:  # fastexcel raises various errors for damaged files
        raise DataError(f"{name} cannot be read: {first_line(error)}.") from None
    read = _with_texts_read(frame, name, text)
    notes = [
        *([f"Only the first of {n_sheets} sheets of {name} is read."] if n_sheets > 1 else []),
        *([duplicate_note(duplicated)] if duplicated else []),
        *read.notes,
    ]
    return replace(read, notes=tuple(notes), duplicates=duplicated)


@contextmanager
def _damage_explained(name: str) -> Iterator[None]:
    """Turn whatever zipfile raises for a damaged archive into one sentence."""
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise DataError(f"{name} is a damaged Excel file: {first_line(error)}.") from None


def _checked_sheets(path: Path, name: str) -> int:
    """Number of sheets of an Excel file, after checking that the first one fits into memory.

    The reader makes room for all cells between the outermost ones, and ends the process if there is none: a
    single far cell is enough.
    """
    archive = zipfile.ZipFile(path) if zipfile.is_zipfile(path) else None
    if archive is None or WORKBOOK not in archive.namelist():
        raise DataError(
            f"{name} is a zip archive, not an Excel file. Hint: unpack it, or save the table as CSV."
        )
    with archive:
        check_room(sum(member.file_size for member in archive.infolist()), name)
        sheets = [member for member in archive.namelist() if member.startswith("xl/worksheets/sheet")]
        for sheet in _first_sheet(archive) or sheets:
            with archive.open(sheet) as file:
                cells = extent(file)
            if cells.n_cells > MAX_CELLS:
                raise DataError(
                    f"{name} is not a table that can be read: its cells reach from {cells.first} to "
                    f"{cells.last}. Hint: delete what is far away from the table, or save it as CSV."
                )
            check_room(
                cells.n_cells * BYTES_PER_CELL, f"{name}, with cells from {cells.first} to {cells.last},"
            )
    return len(sheets)


def _first_sheet(archive: zipfile.ZipFile) -> list[str]:
    """The member that holds the first sheet; none if that is not clear."""
    found = _FIRST_SHEET.search(archive.read(WORKBOOK))
    links = "xl/_rels/workbook.xml.rels"
    if found is None or links not in archive.namelist():
        return []
    for link in _LINK.findall(archive.read(links)):
        target = _TARGET.search(link)
        if target is not None and b'Id="%b"' % found[1] in link:
            member = target[1].decode().removeprefix("/")
            member = member if member.startswith("xl/") else f"xl/{member}"
            return [member] if member in archive.namelist() else []
    return []


@dataclass
class Extent:
    """Rows and columns, from 1, of the outermost cells with a value; 0 to -1 if there are none."""

    top: int = 0
    bottom: int = -1
    left: int = 0
    right: int = -1

    def include(self, rows: Collection[int], columns: Collection[int]) -> None:
        """Extend the range to some rows and columns."""
        if rows and columns:
            is_first = self.bottom < 0
            self.top = min(rows) if is_first else min(self.top, *rows)
            self.left = min(columns) if is_first else min(self.left, *columns)
            self.bottom, self.right = max(self.bottom, *rows), max(self.right, *columns)

    @property
    def n_cells(self) -> int:
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    @property
    def first(self) -> str:
        return f"{_letters(self.left)}{self.top}"

    @property
    def last(self) -> str:
        return f"{_letters(self.right)}{self.bottom}"


def extent(sheet: IO[bytes]) -> Extent:
    """The outermost cells with a value in the XML of a sheet; its <dimension> may say anything."""
    found = Extent()
    row = column = 0  # of the last cell: those without a reference follow each other
    rest = b""
    while chunk := sheet.read(CHUNK):
        text = rest + chunk
        end = max(text.rfind(b"<"), 0)  # of the last tag, which may be incomplete
        rest = text[end:]
        tags = _TAG.findall(text, 0, end)
        if all(letters or kind == b"row" for kind, letters, _, _ in tags):  # as most programs write them
            filled = [tag for tag in tags if tag[1] and not tag[3].endswith(b"/")]
            rows, columns = {tag[2] for tag in filled}, {tag[1] for tag in filled}
            found.include(set(map(_row, rows)), set(map(_column, columns)))
            tags = _from_last_row(tags)
        row, column = _follow(tags, row, column, found)
    return found


def _from_last_row(tags: list[_Tag]) -> list[_Tag]:
    """The last row and its cells."""
    start = next((i for i in range(len(tags) - 1, -1, -1) if tags[i][0] == b"row"), 0)
    return tags[start:]


def _follow(tags: list[_Tag], row: int, column: int, found: Extent) -> tuple[int, int]:
    """Go from cell to cell, as the reader does; returns the row and the column of the last one."""
    for kind, letters, digits, attributes in tags:
        if kind == b"row":
            number = _ROW_NUMBER.search(attributes)
            row, column = (_row(number[1]) if number else row + 1), 0
            continue
        if not letters and (reference := _REFERENCE.search(attributes)):
            letters, digits = reference.groups()
        column = _column(letters) if letters else column + 1
        if not attributes.endswith(b"/"):
            found.include([_row(digits) if digits else max(row, 1)], [column])
    return row, column


@lru_cache(maxsize=1 << 15)
def _column(letters: bytes) -> int:
    """The number of a column, A = 1."""
    number = 0
    for letter in letters[:4].upper():
        number = 26 * number + letter - ord("A") + 1
    return _within_a_sheet(number, 1 << 14)


def _row(digits: bytes) -> int:
    return _within_a_sheet(int(digits.lstrip(b"0")[:8] or b"0"), 1 << 20)


def _within_a_sheet(number: int, last: int) -> int:
    """Reject what no sheet has: the reader makes other cells of it, and may end the process."""
    if number > last:
        raise ValueError(f"it has cells beyond {LAST_CELL}")
    return number


def _letters(column: int) -> str:
    """The name of a column."""
    name = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def _duplicates_in_sheet(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Names in the sheet of columns that were renamed because an earlier column has the same name."""
    known = set(names)
    suspected = {name for name in names if NUMBERED.sub("", name) in known - {name}}
    if not suspected:
        return {}
    header = pl.read_excel(path, has_header=False, read_options={"n_rows": 1}).row(0)
    return {
        name: str(given)
        for name, given in zip(names, header, strict=False)
        if name in suspected and name != given and given is not None
    }


def _with_texts_read(frame: pl.DataFrame, name: str, text: TextFormat) -> Contents:
    """Parse string columns like those of a text file: they may hold numbers, dates or missing values."""
    texts = frame.select(cs.string())
    if not texts.width:
        return Contents(frame)
    rules = TextFormat(separator=",", decimal=text.decimal, missing=text.missing)
    read = read_copy(
        lambda copy: texts.write_csv(copy),
        lambda copy: read_delimited(copy, start_of(head_of(copy, name)), name, rules),
    )
    return replace(read, frame=frame.with_columns(collected(read.frame).get_columns()), lines=None)

"""The layout of a text file: separator, comments, header, and the first malformed line."""

import csv
import io
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from entropick._base.wording import listed, quoted
from entropick.exceptions import DataError

SNIFFED_LINES = 30
SPACES = re.compile(r'("(?:[^"]|"")*")| +')  # those within quotes are part of a value
DUPLICATE = re.compile(r"_duplicated_\d+$")  # suffix that polars adds to a repeated name
DELIMITERS = ",\t;|"
SPELLED_OUT = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
ORANGE_TYPES = {"continuous", "discrete", "string", "time", "c", "d", "s", "t"}
ORANGE_FLAGS = {"class", "meta", "ignore", "c", "m", "i"}


@dataclass(frozen=True)
class TextFormat:
    """The user's settings for a text file; None means detect."""

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    has_header: bool = True
    comment: str | None = None

    def __post_init__(self) -> None:
        separator = SPELLED_OUT.get(self.separator or "", self.separator)
        if separator is not None and (len(separator) != 1 or not separator.isascii()):
            raise DataError(f"--separator must be one character, 'tab' or 'space', got {separator!r}.")
        object.__setattr__(self, "separator", separator)
        for option, given in (("--comment", [self.comment or ""]), ("--missing-values", self.missing)):
            for text in given:
                if any("\ud800" <= char <= "\udfff" for char in text):  # surrogates stand for invalid bytes
                    raise DataError(f"{option} must be valid text, got {text!r}.")


def without_comments(lines: Iterable[str], comment: str | None) -> Iterator[str]:
    """Skip lines that begin with the comment prefix."""
    return (line for line in lines if not (comment and line.startswith(comment)))


def sniff_delimiter(text: str, comment: str | None = None, is_cut: bool = False) -> str:
    """The delimiter that splits the first lines into the most columns, equally many in each line.

    Parameters
    ----------
    text : beginning of a file
    comment : prefix of comment lines
    is_cut : whether the last line may be incomplete
    """
    lines = list(without_comments(text.splitlines(), comment))[:SNIFFED_LINES]
    if is_cut and len(lines) > 1:
        lines = lines[:-1]
    best, most = ",", 1
    for delimiter in DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        if not widths or widths[0] <= most:
            continue
        if widths.count(widths[0]) >= 0.8 * len(widths):  # the reader reports a few ragged lines
            best, most = delimiter, widths[0]
    return best


def merge_spaces(path: Path, copy: Path) -> None:
    """Write a copy in which runs of spaces between values are reduced to one."""
    with (
        path.open(encoding="utf-8-sig", newline="") as file,
        copy.open("w", encoding="utf-8", newline="") as out,
    ):
        for line in file:
            text = line.rstrip("\r\n")
            out.write(SPACES.sub(lambda run: run[1] or " ", text).strip(" ") + line[len(text) :])


def unify_line_ends(path: Path, copy: Path) -> None:
    """Write a copy in which every line ends with a line feed."""
    with (
        path.open(encoding="utf-8", newline=None) as file,
        copy.open("w", encoding="utf-8", newline="") as out,
    ):
        shutil.copyfileobj(file, out)


def broken_line(path: Path, separator: str, comment: str | None) -> str | None:
    """Describe the first line with more values than the header or with unclosed quotes."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file, delimiter=separator, strict=True)
        width = start = 0
        try:
            for row in rows:
                start += 1
                is_comment = comment and row and row[0].startswith(comment)
                if width and len(row) > width and not is_comment:
                    return f"line {start} has {len(row)} values, the header {width}"
                width = width or (0 if is_comment else len(row))
                start = rows.line_num
        except csv.Error as error:
            return f"line {start + 1} cannot be split into values ({error})"
    return None


@dataclass(frozen=True)
class RowLines:
    """Finds rows in a text file, after `n_header` header lines and skipping comments."""

    separator: str
    comment: str | None
    n_header: int

    def find(self, lines: Iterable[str], row: int) -> tuple[int, list[str]] | None:
        """The 1-based line on which a row begins, and its values; None if there is no such row."""
        start, is_first = 0, True

        def numbered() -> Iterator[str]:
            nonlocal start, is_first
            for number, line in enumerate(lines, start=1):
                if self.comment and line.startswith(self.comment):
                    continue
                start, is_first = (number if is_first else start), False
                yield line

        position = -self.n_header  # index of the row; negative in the header
        for values in csv.reader(numbered(), delimiter=self.separator):
            is_first = True  # the next line begins another row
            if position == row:
                return start, values
            is_row = values or position > -self.n_header  # polars skips empty lines at the beginning only
            position += 1 if is_row else 0
        return None


def header_names(text: str, separator: str, comment: str | None) -> list[str]:
    """Column names, as parsed by the csv module."""
    lines = without_comments(io.StringIO(text, newline=""), comment)
    return next(csv.reader(lines, delimiter=separator), [])


def duplicates(path: Path, names: Sequence[str], separator: str, comment: str | None) -> dict[str, str]:
    """Names in the file of columns that polars renamed because an earlier column has the same name."""
    if not any(DUPLICATE.search(name) for name in names):
        return {}
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        header = next(csv.reader(without_comments(file, comment), delimiter=separator), [])
    return {
        name: given
        for name, given in zip(names, header, strict=False)
        if name != given and DUPLICATE.search(name)
    }


def duplicate_note(duplicated: Mapping[str, str]) -> str:
    """Note about the new names of columns with the same name."""
    seen: Counter[str] = Counter()
    items = []
    for name, given in duplicated.items():
        seen[given] += 1
        items.append(f"number {1 + seen[given]} of {quoted(given)} is called {quoted(name)}")
    return f"Columns of the same name: {listed(items)}."


@dataclass(frozen=True)
class OrangeHeader:
    """The three header lines of Orange's .tab files: names, types and roles of the columns."""

    types: dict[str, str]
    flags: dict[str, str]

    @property
    def target(self) -> str | None:
        return next((name for name, flag in self.flags.items() if flag in ("class", "c")), None)

    @property
    def categories(self) -> list[str]:
        """Columns that are categorical even if their values look like numbers."""
        return [name for name, kind in self.types.items() if kind in ("discrete", "d", "string", "s")]

    @property
    def others(self) -> list[str]:
        """Columns that are neither target nor candidates."""
        return [name for name, flag in self.flags.items() if flag in ("meta", "m", "ignore", "i")]


def orange_header(text: str) -> OrangeHeader | None:
    """Parse the header of an Orange table; None if it is not one."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
    first = [row for row, _ in zip(rows, range(3), strict=False)]
    if len(first) < 3 or len(first[0]) < 2:
        return None
    names, types, flags = first[0], _words(first[1]), _words(first[2])
    are_types = set(types) <= ORANGE_TYPES and len(types) == len(names)
    is_sure = any(len(word) > 1 for word in types) or any(flags)
    if not (are_types and set(flags) <= ORANGE_FLAGS | {""} and is_sure):
        return None
    flags += [""] * (len(names) - len(flags))
    return OrangeHeader(dict(zip(names, types, strict=True)), dict(zip(names, flags, strict=False)))


def _words(row: Sequence[str]) -> list[str]:
    """Normalize the cells of a header line: discrete columns may list values, flags may have settings."""
    return [_word(cell.strip().lower()) for cell in row]


def _word(cell: str) -> str:
    words = cell.split()
    known = [word for word in words if word in ORANGE_TYPES | ORANGE_FLAGS]
    if known:
        return known[0]
    return "discrete" if len(words) > 1 and "=" not in cell else cell

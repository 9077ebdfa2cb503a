"""ARFF files, Weka's format: dense or sparse rows, numbers, nominal values, texts and dates."""

import io
import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from entropick._base.wording import quoted
from entropick.exceptions import DataError
from entropick.files.room import check_room

BYTES_PER_VALUE = 24  # of memory: in the list of a row, in that of a column, and in the table

# No nested repetition, so unbalanced quotes cannot cause backtracking.
_QUOTED = re.compile(r"""'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)\"""", re.DOTALL)
_INDEX = re.compile(r"\s*(\d+)\s+")
_NUMBERS = {"numeric": pl.Float64, "real": pl.Float64, "integer": pl.Int64}
_TEXTS = ("string", "date")


class _Column:
    """An attribute of the header; `usual` is the value that sparse rows omit."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        word = kind.split(None, 1)[0].lower() if kind else ""
        if kind.startswith("{"):
            self.dtype: Any = pl.String
            self.usual: Any = next(_fields(kind.strip("{} \t")), None)
        elif word in _NUMBERS:
            self.dtype, self.usual = _NUMBERS[word], 0
        elif word in _TEXTS:
            self.dtype, self.usual = pl.String, ""
        else:
            raise DataError(
                f"The attribute {quoted(name)} is of the type {quoted(kind)}, which cannot be read."
            )

    def value(self, text: str | None) -> Any:
        if text is None or self.dtype == pl.String:
            return text
        try:
            number = float(text)
        except ValueError:
            raise ValueError(f"{quoted(text)} is not a number") from None
        return int(number) if self.dtype == pl.Int64 and number.is_integer() else number


def parse_arff(text: str, name: str = "The ARFF file") -> pl.DataFrame:
    """Parse the text of an ARFF file."""
    columns: list[_Column] = []
    rows: list[list[Any]] = []
    in_data = False
    lines = io.StringIO(text, newline=None).readlines()  # not splitlines, which knows other ends of lines
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append(_row(line, columns, number))
        elif line.lower().startswith("@attribute") and line[10:].strip():
            columns.append(_attribute(line, number))
        elif line.lower().startswith("@data"):
            in_data = True
            _check_names(columns)
            check_room(
                (len(lines) - number) * len(columns) * BYTES_PER_VALUE, name
            )  # sparse rows are filled up
        elif not line.lower().startswith("@relation"):
            raise DataError(f"Line {number} of the header is neither an attribute nor data: {line[:60]!r}.")
    if not in_data:
        raise DataError("The ARFF file ends before its data.")
    data = {column.name: [row[j] for row in rows] for j, column in enumerate(columns)}
    frame = pl.DataFrame(data, strict=False)
    types = {column.name: column.dtype for column in columns}
    return frame.with_columns(pl.col(name).cast(dtype, strict=False) for name, dtype in types.items())


def _attribute(line: str, number: int) -> _Column:
    try:
        return _Column(*_name_and_kind(line[10:].strip()))
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"Line {number} of the header cannot be read: {error}.") from None


def _check_names(columns: list[_Column]) -> None:
    if not columns:
        raise DataError("The ARFF file declares no attributes.")
    if len({column.name for column in columns}) < len(columns):
        raise DataError("Two attributes of the ARFF file have the same name. Hint: rename one.")


def _row(line: str, columns: list[_Column], number: int) -> list[Any]:
    try:
        if line.startswith("{"):
            return _sparse_row(line.strip("{} \t"), columns)
        texts = list(_fields(line))
        if len(texts) != len(columns):
            raise DataError(f"Line {number} has {len(texts)} values instead of {len(columns)}.")
        return [column.value(text) for column, text in zip(columns, texts, strict=True)]
    except (ValueError, IndexError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"Line {number} cannot be read: {error}.") from None


def _sparse_row(line: str, columns: list[_Column]) -> list[Any]:
    """Parse "index value" pairs; columns not listed get their usual value."""
    row = [column.usual for column in columns]
    position = 0
    while position < len(line):
        found = _INDEX.match(line, position)
        if found is None:
            raise ValueError(f"{_shown(line, position)} is not an index and a value")
        text, position = _value(line, found.end())
        row[int(found[1])] = columns[int(found[1])].value(text)
        position += 1  # the comma
    return row


def _fields(line: str) -> Iterator[str | None]:
    """Split a line into values."""
    position = 0
    while position <= len(line):
        text, position = _value(line, position)
        yield text
        position += 1  # the comma


def _value(line: str, start: int) -> tuple[str | None, int]:
    """Return the unquoted value at a position, None for a bare question mark, and the index of its comma."""
    end = line.find(",", start) % (len(line) + 1)  # the end of the line if there is none
    plain = line[start:end].strip()
    if not plain.startswith(("'", '"')):
        if "'" in plain or '"' in plain:
            raise ValueError(f"unexpected quotes at {_shown(line, start)}")
        return (None if plain in ("?", "") else plain), end
    first = line.index(plain[0], start)
    found = _QUOTED.match(line, first)
    if found is None:
        raise ValueError(f"unexpected quotes at {_shown(line, first)}")
    end = line.find(",", found.end()) % (len(line) + 1)
    if line[found.end() : end].strip():
        raise ValueError(f"unexpected text after quotes at {_shown(line, found.end())}")
    return _unescaped(found), end


def _name_and_kind(text: str) -> tuple[str, str]:
    """Split an attribute into its name, which may be quoted, and its type."""
    found = _QUOTED.match(text)
    if found is not None:
        return _unescaped(found), text[found.end() :].strip()
    end = next((i for i, char in enumerate(text) if char.isspace() or char == "{"), len(text))
    return text[:end], text[end:].strip()


def _unescaped(found: re.Match[str]) -> str:
    """The text between quotes, with escapes resolved."""
    return re.sub(r"\\(.)", r"\1", found[1] if found[1] is not None else found[2])


def _shown(line: str, start: int) -> str:
    return repr(line[start : start + 20])

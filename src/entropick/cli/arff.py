"""ARFF files, Weka's format: dense or sparse rows, numbers, nominal values, texts and dates."""

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from entropick.exceptions import DataError

_ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s{]+)\s*(.*)""", re.IGNORECASE | re.DOTALL
)
_FIELD = re.compile(r"""\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|([^,'"]*?))\s*(,|$)""", re.DOTALL)
_SPARSE_FIELD = re.compile(r"^(\d+)\s+(.*)$", re.DOTALL)
_NUMBERS = {"numeric": pl.Float64, "real": pl.Float64, "integer": pl.Int64}
_TEXTS = ("string", "date")


class _Column:
    """One attribute of the header."""

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
            raise DataError(f"The attribute {name!r} is of the type {kind!r}, which cannot be read.")

    def value(self, text: str | None) -> Any:
        if text is None or self.dtype == pl.String:
            return text
        number = float(text)
        return int(number) if self.dtype == pl.Int64 and number.is_integer() else number


def parse_arff(text: str) -> pl.DataFrame:
    """The table of an ARFF file."""
    columns: list[_Column] = []
    rows: list[list[Any]] = []
    in_data = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append(_row(line, columns, number))
        elif found := _ATTRIBUTE.match(line):
            columns.append(_Column(_unquoted(found[1]), found[2].strip()))
        elif line.lower().startswith("@data"):
            in_data = True
            _check_names(columns)
        elif not line.lower().startswith("@relation"):
            raise DataError(f"Line {number} of the header is neither an attribute nor data: {line[:60]!r}.")
    if not in_data:
        raise DataError("The ARFF file ends before its data.")
    data = {column.name: [row[j] for row in rows] for j, column in enumerate(columns)}
    frame = pl.DataFrame(data, strict=False)
    types = {column.name: column.dtype for column in columns}
    return frame.with_columns(pl.col(name).cast(dtype, strict=False) for name, dtype in types.items())


def _check_names(columns: list[_Column]) -> None:
    if not columns:
        raise DataError("The ARFF file names no attributes.")
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
    row = [column.usual for column in columns]
    for raw in re.findall(r"""\d+\s+(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,]+)""", line):
        found = _SPARSE_FIELD.match(raw)
        assert found is not None
        (text,) = _fields(found[2].strip())
        row[int(found[1])] = columns[int(found[1])].value(text)
    return row


def _fields(line: str) -> Iterator[str | None]:
    """The values of a line, unquoted; None for a plain question mark."""
    position = 0
    while position <= len(line):
        found = _FIELD.match(line, position)
        if found is None:
            raise ValueError(f"unexpected quotes at {line[position : position + 20]!r}")
        single, double, plain, comma = found.groups()
        quoted = single if single is not None else double
        if quoted is not None:
            yield _unescaped(quoted)
        else:
            yield None if plain in ("?", "") else plain
        if not comma:
            return
        position = found.end()


def _unquoted(name: str) -> str:
    return _unescaped(name[1:-1]) if name[0] in "'\"" and len(name) > 1 else name


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)

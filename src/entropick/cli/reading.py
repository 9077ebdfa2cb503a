"""Tables from files of many formats, from stdin, and by name."""

import csv
import difflib
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from entropick.cli.arff import parse_arff
from entropick.cli.built_in import BUILT_IN, TARGET
from entropick.exceptions import DataError

STDIN = "-"
HEAD_BYTES = 1 << 16  # what is looked at to find format and delimiter
SNIFFED_LINES = 30
DELIMITERS = ",\t;|"
INFERRED_ROWS = 10_000  # rows that decide the types; all of them where these mislead
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"]
BINARY = {".parquet", ".pq", ".arrow", ".feather", ".ipc"}


@dataclass(frozen=True)
class Loaded:
    """A table, where it came from, and its target where that is known."""

    source: str
    frame: pl.DataFrame
    target: str | None = None


def read_table(source: str, seed: int = 0) -> Loaded:
    """Read a file, stdin (`-`) or a built-in data set.

    Parameters
    ----------
    source : path, "-" or name
    seed : of generated data
    """
    if source == STDIN:
        content = sys.stdin.buffer.read()
        return Loaded("stdin", _read(io.BytesIO(content), content[:HEAD_BYTES], "stdin", ""))
    path = Path(source)
    try:
        if not path.exists():
            return _built_in(source, seed)
        if path.is_dir():
            raise DataError(f"{source!r} is a directory, not a table. Hint: name one of its files.")
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
        return Loaded(source, _read(path, head, repr(source), path.suffix.lower()))
    except OSError as error:
        raise DataError(f"{source!r} cannot be read: {error.strerror or error}.") from error


def _built_in(source: str, seed: int) -> Loaded:
    name = source.lower().replace("-", "_")
    if name not in BUILT_IN:
        parent = Path(source).parent
        files = [str(parent / file.name) for file in parent.iterdir()] if parent.is_dir() else []
        near = difflib.get_close_matches(source, [*(str(Path(file)) for file in files), *BUILT_IN], n=3)
        guess = f"did you mean {' or '.join(map(repr, near))}?" if near else "see `entropick datasets`."
        raise DataError(f"There is no file and no built-in data set {source!r}. Hint: {guess}")
    names, X, y = BUILT_IN[name].load(seed)
    data: dict[str, Any] = {column: X[:, j] for j, column in enumerate(names)}
    return Loaded(name, pl.DataFrame(data | {TARGET: y}), TARGET)


def _read(file: Path | io.BytesIO, head: bytes, name: str, suffix: str) -> pl.DataFrame:
    if not head:
        raise DataError(f"{name} is empty.")
    try:
        read = _reader(head, name, suffix)
        with _without_stack_traces():
            frame = read(file)
    except pl.exceptions.NoDataError:
        raise DataError(f"{name} holds no data.") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name} is not text in UTF-8 (byte {error.start}). Hint: save it as UTF-8."
        ) from None
    except pl.exceptions.PanicException:  # what polars says then is about itself
        raise DataError(f"{name} is damaged.") from None
    except (EOFError, zlib.error, pl.exceptions.PolarsError) as error:
        raise DataError(f"{name} cannot be read: {_first_line(error)}") from None
    if not frame.width or not frame.height:
        raise DataError(f"{name} holds no {'rows' if frame.width else 'columns'}.")
    return frame


@contextmanager
def _without_stack_traces() -> Iterator[None]:
    """Keep stderr clean: polars writes stack traces there when a damaged file makes it panic."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _first_line(error: BaseException) -> str:
    line = str(error).strip().split("\n", 1)[0].rstrip(".:")
    return f"{line}."


def _reader(head: bytes, name: str, suffix: str) -> Callable[[Any], pl.DataFrame]:
    """The function for the format, which the first bytes tell and, where they do not, the file's name."""
    if head.startswith(b"PAR1"):
        return pl.read_parquet
    if head.startswith(b"ARROW1"):
        return pl.read_ipc
    if head.startswith(b"\xff\xff\xff\xff"):
        return pl.read_ipc_stream
    if head.startswith(b"PK"):
        raise DataError(f"{name} is a zip archive or an Excel file. Hint: save the table as CSV or Parquet.")
    if suffix in BINARY:
        raise DataError(f"{name} is not the {suffix} file its name says. Hint: it may be cut off or renamed.")
    if head.startswith(b"\x1f\x8b"):
        return lambda file: _read_text(gzip.decompress(_content(file)))
    if b"\0" in head:
        raise DataError(f"{name} is not a table of text. Hint: CSV, TSV, Parquet, Feather and ARFF are read.")
    if suffix == ".arff" or _looks_like_arff(head):
        return lambda file: parse_arff(_content(file).decode("utf-8-sig"))
    return lambda file: _read_delimited(file, head)


def _content(file: Path | io.BytesIO) -> bytes:
    return file.read_bytes() if isinstance(file, Path) else file.getvalue()


def _read_text(content: bytes) -> pl.DataFrame:
    """A text that was packed."""
    head = content[:HEAD_BYTES]
    if not head:
        raise DataError("The packed file is empty.")
    if _looks_like_arff(head):
        return parse_arff(content.decode("utf-8-sig"))
    return _read_delimited(io.BytesIO(content), head)


def _looks_like_arff(head: bytes) -> bool:
    lines = (line.strip().lower() for line in head.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return first.startswith(b"@relation")


def _read_delimited(file: Path | io.BytesIO, head: bytes) -> pl.DataFrame:
    text = head.decode("utf-8-sig", errors="replace")
    delimiter = sniff_delimiter(text)

    def read(n_inferred: int | None) -> pl.DataFrame:
        if isinstance(file, io.BytesIO):
            file.seek(0)
        return pl.read_csv(
            file,
            separator=delimiter,
            infer_schema_length=n_inferred,
            null_values=MISSING,
            try_parse_dates=True,
            raise_if_empty=True,
        )

    try:
        frame = read(INFERRED_ROWS)
    except pl.exceptions.ComputeError:  # a later row may hold a text in a column of numbers
        frame = read(None)
    return _with_plain_quotes(frame, text, delimiter)


def _with_plain_quotes(frame: pl.DataFrame, text: str, delimiter: str) -> pl.DataFrame:
    """Undo the doubling of quotes in column names, which polars leaves as it is."""
    names = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    doubled = {name.replace('"', '""'): name for name in names if '"' in name}
    return frame.rename({column: doubled[column] for column in frame.columns if column in doubled})


def sniff_delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the most columns, the same number in each line."""
    lines = text.splitlines()[:SNIFFED_LINES]
    if len(text) >= HEAD_BYTES // 2 and len(lines) > 1:
        lines = lines[:-1]  # the last one may be cut off
    best, most = ",", 1
    for delimiter in DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        if not widths or widths[0] <= most:
            continue
        if widths.count(widths[0]) >= 0.8 * len(widths):  # a few ragged lines are told by the reader
            best, most = delimiter, widths[0]
    return best

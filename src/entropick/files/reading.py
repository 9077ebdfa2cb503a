"""Read tables from files of many formats, from stdin, and built-in data sets by name.

Small files are held in memory. Columns of large Parquet and Arrow files are read on demand; large text files
are first converted to Parquet, in batches.
"""

import codecs
import csv
import glob
import gzip
import os
import re
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias

import polars as pl

from entropick._base.wording import did_you_mean, first_line
from entropick.exceptions import DataError
from entropick.files.arrow_sizes import claimed_bytes
from entropick.files.as_written import AsWritten
from entropick.files.built_in import BUILT_IN, TARGET
from entropick.files.contents import HEAD_BYTES, Contents, TemporaryFile, copy_to, head_of, read_copy
from entropick.files.excel import read_excel
from entropick.files.frames import Frame, names_of
from entropick.files.layout import RowLines, TextFormat
from entropick.files.room import BYTES_CODED, BYTES_HELD, check_room, is_large
from entropick.files.system import SYSTEM_FAULTS, is_not_utf8, system_error
from entropick.files.text import INFERRED_ROWS, encoding_of, read_packed, read_text
from entropick.table.readers.inputs import count_rows

STDIN = "-"
NAME_THE_ENCODING = "--encoding names another one, such as latin-1 or cp1252."
MAX_CLAIMED = 1 << 50  # bytes that an Arrow file may declare
BYTES_READ = 8  # of memory per byte of other files
JSON = {".jsonl", ".ndjson", ".json"}
JSON_ARRAY = re.compile(rb'\[\s*\{\s*"')
GZIP = b"\x1f\x8b"
BINARY = {".parquet", ".pq", ".arrow", ".feather", ".ipc"}

RowInFile: TypeAlias = Callable[[int], tuple[int, list[str]] | None]


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table, its source, and its target if the file names one.

    Attributes
    ----------
    source, frame, target : name of the source, the table, and the target if known
    notes : how the file was interpreted
    text : the original text of the values
    temporary : files to delete together with the table, such as the Parquet copy of a large text file
    duplicates : names in the file of columns that were renamed
    row_in_file : finds the line and the values of a row, counted from 0, in a text file
    """

    source: str
    frame: Frame
    target: str | None = None
    notes: tuple[str, ...] = ()
    text: AsWritten | None = None
    temporary: tuple[TemporaryFile, ...] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)
    row_in_file: RowInFile | None = None

    def __post_init__(self) -> None:
        for file in self.temporary:
            weakref.finalize(self, file.remove)

    @property
    def columns(self) -> list[str]:
        return names_of(self.frame)


def read_table(source: str, seed: int = 0, text: TextFormat | None = None) -> Loaded:
    """Read a file, stdin (`-`) or a built-in data set.

    Parameters
    ----------
    source : path, "-" or name
    seed : seed of generated data
    text : settings for text files
    """
    text = text or TextFormat()
    if source == STDIN:
        return _read_stream(sys.stdin.buffer, "stdin", text)
    path = Path(source)
    try:
        if path.is_symlink() and not path.exists():
            raise DataError(f"{source!r} is a link that leads nowhere. Hint: name the file itself.")
        if not path.exists():
            return _built_in(source, seed)
        if path.is_dir():
            raise DataError(f"{source!r} is a directory, not a table. Hint: name one of its files.")
        if path.is_char_device() or path.is_block_device():
            raise DataError(f"{source!r} is a device, not a table. Hint: name a file, or - for stdin.")
        if not path.is_file():  # a pipe, which can be read once
            with path.open("rb") as pipe:
                return _read_stream(pipe, source, text)
        name = repr(source)
        read = _read(path, name, path.suffix.lower(), text)
        lines = read.lines
        row_in_file = None if lines is None else partial(_row_in_file, path, text, lines)
        return _loaded(source, name, read, row_in_file)
    except OSError as error:
        if error.errno in SYSTEM_FAULTS:
            raise
        raise DataError(f"{source!r} cannot be read: {error.strerror or error}.") from error


def _read_stream(stream: IO[bytes], source: str, text: TextFormat) -> Loaded:
    """Read a stream by way of a temporary file, since it may be large."""
    name = source if source == "stdin" else repr(source)

    def read(path: Path) -> Contents:
        found = _read(path, name, "", text)
        if isinstance(found.frame, pl.LazyFrame) and not found.temporary:
            with errors_explained(name):  # its temporary file is deleted
                return Contents(found.frame.collect())
        return found

    return _loaded(source, name, read_copy(lambda path: copy_to(path, stream), read))


def _built_in(source: str, seed: int) -> Loaded:
    name = source.lower().replace("-", "_")
    if name not in BUILT_IN:
        parent = Path(source).parent
        files = [str(parent / file.name) for file in parent.iterdir()] if parent.is_dir() else []
        guess = did_you_mean(source, [*files, *BUILT_IN], "see `entropick datasets`.", cutoff=0.6)
        raise DataError(f"There is no file or built-in data set {source!r}. Hint: {guess}")
    names, X, y = BUILT_IN[name].load(seed)
    data: dict[str, Any] = {column: X[:, j] for j, column in enumerate(names)}
    return Loaded(name, pl.DataFrame(data | {TARGET: y}), TARGET)


def _read(path: Path, name: str, suffix: str, text: TextFormat) -> Contents:
    head = head_of(path, name)
    with errors_explained(name), _without_stack_traces():
        return _reader(head, name, suffix, text)(path)


def _loaded(source: str, name: str, read: Contents, row_in_file: RowInFile | None = None) -> Loaded:
    """Wrap what was read, and check that it has rows and columns."""
    loaded = Loaded(
        source,
        read.frame,
        read.target,
        read.notes,
        read.text,
        read.temporary,
        read.duplicates,
        row_in_file,
    )
    with errors_explained(name), _without_stack_traces():
        n_columns, n_rows = len(loaded.columns), count_rows(loaded.frame)
    if not n_columns or not n_rows:
        raise DataError(f"{name} holds no {'rows' if n_columns else 'columns'}.")
    return loaded


@contextmanager
def errors_explained(name: str) -> Iterator[None]:
    """Turn errors of other libraries into a `DataError` of one sentence."""
    try:
        yield
    except pl.exceptions.NoDataError:
        raise DataError(f"{name} holds no data.") from None
    except UnicodeError as error:
        encoding = error.encoding if isinstance(error, UnicodeDecodeError) else "the given encoding"
        raise DataError(f"{name} is not text in {encoding}. Hint: {NAME_THE_ENCODING}") from None
    except pl.exceptions.PanicException:  # its message is about polars internals
        raise DataError(f"{name} is damaged.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile, pl.exceptions.PolarsError) as error:
        fault = system_error(error, tempfile.gettempdir())
        if fault is not None and fault.errno in SYSTEM_FAULTS:  # while converting a large text file
            raise fault from None
        if is_not_utf8(error):
            raise DataError(f"{name} is not text in utf-8. Hint: {NAME_THE_ENCODING}") from None
        raise DataError(f"{name} cannot be read: {first_line(error)}.") from None
    except OSError as error:
        if error.errno is not None:
            raise
        # raised by polars for a damaged compressed block
        raise DataError(f"{name} cannot be read: {first_line(error)}.") from None


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


def _row_in_file(path: Path, text: TextFormat, lines: RowLines, row: int) -> tuple[int, list[str]] | None:
    """See `Loaded.row_in_file`."""
    opened: Any = gzip.open if head_of(path, str(path)).startswith(GZIP) else open
    with opened(path, "rb") as file:
        encoding = encoding_of(file.read(HEAD_BYTES), text)
    with opened(path, "rt", encoding=encoding, errors="replace", newline="") as file, suppress(csv.Error):
        return lines.find(file, row)
    return None  # values too long for the csv module


def _reader(head: bytes, name: str, suffix: str, text: TextFormat) -> Callable[[Path], Contents]:
    """Choose the reader by the first bytes, or else by the file's suffix."""
    if head.startswith(b"PAR1"):
        return lambda path: _read_columns(path, name, pl.scan_parquet)
    if head.startswith(b"ARROW1"):
        return lambda path: _read_columns(_unpackable(path, name), name, pl.scan_ipc)
    if head.startswith(b"\xff\xff\xff\xff"):
        return lambda path: Contents(pl.read_ipc_stream(_unpackable(_fitting(path, name), name)))
    if head.startswith(b"PK"):
        return lambda path: read_excel(path, name, text)
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if start.startswith(b"[") and (suffix in JSON or JSON_ARRAY.match(start)):
        return lambda path: Contents(_read_json_array(_fitting(path, name)))
    if suffix in JSON or start.startswith(b'{"'):
        return lambda path: Contents(
            pl.scan_ndjson(_no_pattern(path)) if is_large(path) else _read_json_lines(_fitting(path, name))
        )
    if suffix in BINARY:
        raise DataError(f"{name} is not a valid {suffix} file. Hint: it may be truncated or renamed.")
    if head.startswith(GZIP):
        return lambda path: read_packed(path, name, text)
    return lambda path: read_text(path, name, suffix, text)


def _no_pattern(path: Path) -> str:
    """Escape a path for polars, which would treat [1] as a pattern."""
    return glob.escape(str(path))


def _fitting(path: Path, name: str) -> Path:
    """Return the path of a file that is read as a whole, after checking that it fits into memory."""
    check_room(path.stat().st_size * BYTES_READ, name)
    return path


def _unpackable(path: Path, name: str) -> Path:
    """Return the path of an Arrow file after checking declared sizes: too large ones abort the process."""
    n_bytes = claimed_bytes(path)
    if n_bytes > MAX_CLAIMED:
        raise DataError(f"{name} is damaged.")
    check_room(n_bytes, name)
    return path


def _read_columns(path: Path, name: str, scan: Callable[[str], pl.LazyFrame]) -> Contents:
    """Read a columnar file."""
    lazy = scan(_no_pattern(path))  # opened once: the metadata of many columns take long to read
    n_columns = len(lazy.collect_schema())
    is_scanned = is_large(path, lambda: n_columns)
    check_room(n_columns * count_rows(lazy) * (BYTES_CODED if is_scanned else BYTES_HELD), name)
    return Contents(lazy if is_scanned else lazy.collect())


def _read_json_lines(path: Path) -> pl.DataFrame:
    """Read one object per line; types are inferred from all rows if the first ones mislead."""
    try:
        return pl.read_ndjson(_no_pattern(path), infer_schema_length=INFERRED_ROWS)
    except pl.exceptions.PolarsError:
        return pl.read_ndjson(_no_pattern(path), infer_schema_length=None)


def _read_json_array(path: Path) -> pl.DataFrame:
    """Read an array of objects."""
    content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        return pl.read_json(content, infer_schema_length=INFERRED_ROWS)
    except pl.exceptions.PolarsError:
        return pl.read_json(content, infer_schema_length=None)

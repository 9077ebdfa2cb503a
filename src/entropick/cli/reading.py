"""Tables from files of many formats, from stdin, and by name.

Small files are held in memory. Of large Parquet and Arrow files columns are read when they are asked for;
large files of text are turned into a Parquet file first, in batches.
"""

import csv
import difflib
import errno
import gzip
import io
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from entropick.cli.arff import parse_arff
from entropick.cli.built_in import BUILT_IN, TARGET
from entropick.cli.interrupt import unfinished
from entropick.exceptions import DataError
from entropick.table.inputs import count_rows

STDIN = "-"
HEAD_BYTES = 1 << 16  # what is looked at to find format and delimiter
SNIFFED_LINES = 30
DELIMITERS = ",\t;|"
INFERRED_ROWS = 10_000  # rows that decide the types; all of them where these mislead
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"]
LARGE = 32 << 20  # bytes; a larger file is not held in memory
Frame: TypeAlias = pl.DataFrame | pl.LazyFrame
BINARY = {".parquet", ".pq", ".arrow", ".feather", ".ipc"}


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table, where it came from, and its target where that is known.

    `spooled` is the file a large text was turned into; it goes when the table goes. `notes` say how the
    file was understood.
    """

    source: str
    frame: Frame
    target: str | None = None
    spooled: Path | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.spooled is not None:
            weakref.finalize(self, _remove, self.spooled)

    @property
    def columns(self) -> list[str]:
        return self.frame.collect_schema().names()


def height(frame: Frame) -> int:
    """Number of rows."""
    return frame.height if isinstance(frame, pl.DataFrame) else count_rows(frame)


def collected(query: pl.LazyFrame) -> pl.DataFrame:
    """The answer to a query, worked out in batches."""
    return query.collect(engine="streaming")


def read_table(source: str, seed: int = 0) -> Loaded:
    """Read a file, stdin (`-`) or a built-in data set.

    Parameters
    ----------
    source : path, "-" or name
    seed : of generated data
    """
    if source == STDIN:
        return _read_stdin()
    path = Path(source)
    try:
        if not path.exists():
            return _built_in(source, seed)
        if path.is_dir():
            raise DataError(f"{source!r} is a directory, not a table. Hint: name one of its files.")
        return _read(path, source, repr(source), path.suffix.lower())
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise DataError(f"{source!r} cannot be read: {error.strerror or error}.") from error


def _read_stdin() -> Loaded:
    """Read what comes in, which is kept in a file while it is looked at: it may be large."""
    with _temporary(".txt") as path:
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        loaded = _read(path, "stdin", "stdin", "")
        if isinstance(loaded.frame, pl.LazyFrame) and loaded.spooled is None:
            return Loaded("stdin", loaded.frame.collect())  # the file it would be read from goes
        return loaded


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


def _read(path: Path, source: str, name: str, suffix: str) -> Loaded:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise DataError(f"{name} is empty.")
    with errors_explained(name), _without_stack_traces():
        frame, spooled = _reader(head, name, suffix)(path)
        loaded = Loaded(source, frame, spooled=spooled)
        n_columns, n_rows = len(loaded.columns), height(frame)
    if not n_columns or not n_rows:
        raise DataError(f"{name} holds no {'rows' if n_columns else 'columns'}.")
    return loaded


@contextmanager
def errors_explained(name: str) -> Iterator[None]:
    """Say in one sentence what is wrong with a file."""
    try:
        yield
    except pl.exceptions.NoDataError:
        raise DataError(f"{name} holds no data.") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name} is not text in UTF-8 (byte {error.start}). Hint: save it as UTF-8."
        ) from None
    except pl.exceptions.PanicException:  # what polars says then is about itself
        raise DataError(f"{name} is damaged.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile, pl.exceptions.PolarsError) as error:
        if "os error 28" in str(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), tempfile.gettempdir()) from None
        raise DataError(f"{name} cannot be read: {_first_line(error)}") from None


@contextmanager
def _temporary(suffix: str) -> Iterator[Path]:
    """A file that goes at the end, however that comes."""
    path = _new_file(suffix)
    try:
        yield path
    finally:
        _remove(path)


def _new_file(suffix: str) -> Path:
    handle, name = tempfile.mkstemp(prefix="entropick-", suffix=suffix)
    os.close(handle)
    unfinished.add(Path(name))
    return Path(name)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
    unfinished.discard(path)


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


Read: TypeAlias = tuple[Frame, Path | None]  # a table, and the file a large text was turned into


def _reader(head: bytes, name: str, suffix: str) -> Callable[[Path], Read]:
    """The function for the format, which the first bytes tell and, where they do not, the file's name."""
    if head.startswith(b"PAR1"):
        return lambda path: (pl.scan_parquet(path) if _is_large(path) else pl.read_parquet(path), None)
    if head.startswith(b"ARROW1"):
        return lambda path: (pl.scan_ipc(path) if _is_large(path) else pl.read_ipc(path), None)
    if head.startswith(b"\xff\xff\xff\xff"):
        return lambda path: (pl.read_ipc_stream(path), None)
    if head.startswith(b"PK"):
        raise DataError(f"{name} is a zip archive or an Excel file. Hint: save the table as CSV or Parquet.")
    if suffix in BINARY:
        raise DataError(f"{name} is not the {suffix} file its name says. Hint: it may be cut off or renamed.")
    if head.startswith(b"\x1f\x8b"):
        return _read_packed
    if b"\0" in head:
        raise DataError(f"{name} is not a table of text. Hint: CSV, TSV, Parquet, Feather and ARFF are read.")
    if suffix == ".arff" or _looks_like_arff(head):
        return lambda path: (parse_arff(path.read_bytes().decode("utf-8-sig")), None)
    return lambda path: _read_delimited(path, head)


def _is_large(path: Path) -> bool:
    return path.stat().st_size > LARGE


def _read_packed(path: Path) -> Read:
    """A text that was packed; unpacked into a file, since it may be large."""
    with _temporary(".txt") as unpacked:
        with gzip.open(path) as packed, unpacked.open("wb") as file:
            shutil.copyfileobj(packed, file)
        with unpacked.open("rb") as file:
            head = file.read(HEAD_BYTES)
        if not head:
            raise DataError("The packed file is empty.")
        if _looks_like_arff(head):
            return parse_arff(unpacked.read_bytes().decode("utf-8-sig")), None
        return _read_delimited(unpacked, head)


def _looks_like_arff(head: bytes) -> bool:
    lines = (line.strip().lower() for line in head.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return first.startswith(b"@relation")


def _read_delimited(path: Path, head: bytes) -> Read:
    text = head.decode("utf-8-sig", errors="replace")
    delimiter = sniff_delimiter(text)
    try:
        frame, spooled = _parse(path, delimiter, INFERRED_ROWS)
    except pl.exceptions.ComputeError:  # a later row may hold a text in a column of numbers
        frame, spooled = _parse(path, delimiter, None)
    return _with_plain_quotes(frame, text, delimiter), spooled


def _parse(path: Path, delimiter: str, n_inferred: int | None) -> Read:
    """Read a text, the large ones batch by batch into a file whose columns can be read one by one."""
    rules: dict[str, Any] = {
        "separator": delimiter,
        "infer_schema_length": n_inferred,
        "null_values": MISSING,
        "try_parse_dates": True,
        "raise_if_empty": True,
    }
    if not _is_large(path):
        return pl.read_csv(path, **rules), None
    spooled = _new_file(".parquet")
    try:
        pl.scan_csv(path, **rules).sink_parquet(spooled, compression="uncompressed", statistics=False)
    except BaseException:
        _remove(spooled)
        raise
    return pl.scan_parquet(spooled), spooled


def _with_plain_quotes(frame: Frame, text: str, delimiter: str) -> Frame:
    """Undo the doubling of quotes in column names, which polars leaves as it is."""
    names = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    doubled = {name.replace('"', '""'): name for name in names if '"' in name}
    present = [column for column in frame.collect_schema().names() if column in doubled]
    return frame.rename({column: doubled[column] for column in present}) if present else frame


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

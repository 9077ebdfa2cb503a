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
import shutil
import sys
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias

import polars as pl
import polars.selectors as cs

from entropick._base.whole_files import unfinished
from entropick._base.wording import did_you_mean, first_line
from entropick.exceptions import DataError
from entropick.files.arff import parse_arff
from entropick.files.arrow_sizes import claimed_bytes
from entropick.files.as_written import AsWritten
from entropick.files.built_in import BUILT_IN, TARGET
from entropick.files.formats import read_formats, shown_sign, trimmed, without_padded_marks
from entropick.files.frames import Frame, collected, names_of, take
from entropick.files.layout import (
    OrangeHeader,
    RowLines,
    TextFormat,
    broken_line,
    duplicate_note,
    duplicates,
    header_names,
    merge_spaces,
    orange_header,
    sniff_delimiter,
)
from entropick.files.room import check_room
from entropick.files.strays import stray_notes
from entropick.files.system import SYSTEM_FAULTS, is_not_utf8, system_error
from entropick.table.readers.inputs import count_rows, default_names

STDIN = "-"
NAME_THE_ENCODING = "--encoding names another one, such as latin-1 or cp1252."
HEAD_BYTES = 1 << 16  # bytes used to detect format and delimiter
INFERRED_ROWS = 10_000  # rows used to infer types; all rows if these mislead
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"]
LARGE = 128 << 20  # bytes; larger files are not held in memory,
LARGE_WIDE = 1 << 30  # or this for wide tables: lazy frames have an overhead per column at every step
WIDE = 10_000  # columns of a wide table
MAX_CLAIMED = 1 << 50  # bytes that an Arrow file may declare
BYTES_HELD, BYTES_CODED = 16, 2  # of memory per value, or per value encoded as a level
BYTES_READ = 8  # of memory per byte of other files
MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
         codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}  # fmt: skip
NUMBERED = re.compile(r"_\d+$")  # suffix that fastexcel adds to a repeated name
JSON_LINES = {".jsonl", ".ndjson"}
GZIP = b"\x1f\x8b"
REPLACEMENT = "\ufffd"  # replaces invalid bytes
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
    temporary: tuple[Path, ...] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)
    row_in_file: RowInFile | None = None

    def __post_init__(self) -> None:
        for path in self.temporary:
            weakref.finalize(self, _remove, path)

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

    def read(path: Path) -> _Read:
        found = _read(path, name, "", text)
        if isinstance(found.frame, pl.LazyFrame) and not found.temporary:
            with errors_explained(name):  # its temporary file is deleted
                return _Read(found.frame.collect())
        return found

    return _loaded(source, name, _read_copy(lambda path: _copy_to(path, stream), read))


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


def _read(path: Path, name: str, suffix: str, text: TextFormat) -> "_Read":
    head = _head(path, name)
    with errors_explained(name), _without_stack_traces():
        return _reader(head, name, suffix, text)(path)


def _loaded(source: str, name: str, read: "_Read", row_in_file: RowInFile | None = None) -> Loaded:
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


def _head(path: Path, name: str) -> bytes:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise DataError(f"{name} is empty.")
    return head


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
def _temporary(suffix: str) -> Iterator[Path]:
    """Create a file that is deleted at the end, even after an error."""
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


def _row_in_file(path: Path, text: TextFormat, lines: RowLines, row: int) -> tuple[int, list[str]] | None:
    """See `Loaded.row_in_file`."""
    opened: Any = gzip.open if _head(path, str(path)).startswith(GZIP) else open
    with opened(path, "rb") as file:
        encoding = _encoding(file.read(HEAD_BYTES), text)
    with opened(path, "rt", encoding=encoding, errors="replace", newline="") as file, suppress(csv.Error):
        return lines.find(file, row)
    return None  # values too long for the csv module


@dataclass(frozen=True)
class _Read:
    """A table and what else the file says; see `Loaded`."""

    frame: Frame
    target: str | None = None
    notes: tuple[str, ...] = ()
    text: AsWritten | None = None
    temporary: tuple[Path, ...] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)
    lines: RowLines | None = None


def _reader(head: bytes, name: str, suffix: str, text: TextFormat) -> Callable[[Path], _Read]:
    """Choose the reader by the first bytes, or else by the file's suffix."""
    if head.startswith(b"PAR1"):
        return lambda path: _read_columns(path, name, pl.scan_parquet)
    if head.startswith(b"ARROW1"):
        return lambda path: _read_columns(_unpackable(path, name), name, pl.scan_ipc)
    if head.startswith(b"\xff\xff\xff\xff"):
        return lambda path: _Read(pl.read_ipc_stream(_unpackable(_fitting(path, name), name)))
    if head.startswith(b"PK"):
        return lambda path: _read_excel(path, name, text)
    if suffix in JSON_LINES or head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b'{"'):
        return lambda path: _Read(
            pl.scan_ndjson(_no_pattern(path))
            if path.stat().st_size > LARGE
            else _read_json_lines(_fitting(path, name))
        )
    if suffix in BINARY:
        raise DataError(f"{name} is not a valid {suffix} file. Hint: it may be truncated or renamed.")
    if head.startswith(GZIP):
        return lambda path: _read_packed(path, name, text)
    return lambda path: _read_text(path, name, suffix, text)


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


def _read_columns(path: Path, name: str, scan: Callable[[str], pl.LazyFrame]) -> _Read:
    """Read a columnar file."""
    lazy = scan(_no_pattern(path))  # opened once: the metadata of many columns take long to read
    n_columns = len(lazy.collect_schema())
    is_large = _is_large(path, lambda: n_columns)
    check_room(n_columns * count_rows(lazy) * (BYTES_CODED if is_large else BYTES_HELD), name)
    return _Read(lazy if is_large else lazy.collect())


def _read_excel(path: Path, name: str, text: TextFormat) -> _Read:
    """Read the first sheet of an Excel file."""
    members = zipfile.ZipFile(path).namelist() if zipfile.is_zipfile(path) else []
    if "xl/workbook.xml" not in members:
        raise DataError(
            f"{name} is a zip archive, not an Excel file. Hint: unpack it, or save the table as CSV."
        )
    try:
        frame = pl.read_excel(path)
        duplicated = _duplicates_in_sheet(path, frame.columns)
    except ModuleNotFoundError:
        raise DataError(
            f"{name} is an Excel file; reading it needs fastexcel, which is not installed. Hint: "
            "pip install 'entropick[excel]', or save the table as CSV or Parquet."
        ) from None
    except Exception as error:  # fastexcel raises various errors for damaged files
        raise DataError(f"{name} cannot be read: {first_line(error)}.") from None
    n_sheets = sum(member.startswith("xl/worksheets/sheet") for member in members)
    read = _with_texts_read(frame, name, text)
    notes = [
        *([f"Only the first of {n_sheets} sheets of {name} is read."] if n_sheets > 1 else []),
        *([duplicate_note(duplicated)] if duplicated else []),
        *read.notes,
    ]
    return replace(read, notes=tuple(notes), duplicates=duplicated)


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


def _with_texts_read(frame: pl.DataFrame, name: str, text: TextFormat) -> _Read:
    """Parse string columns like those of a text file: they may hold numbers, dates or missing values."""
    texts = frame.select(cs.string())
    if not texts.width:
        return _Read(frame)
    rules = TextFormat(separator=",", decimal=text.decimal, missing=text.missing)
    read = _read_copy(
        lambda copy: texts.write_csv(copy),
        lambda copy: _read_delimited(copy, _start(_head(copy, name)), name, rules),
    )
    return replace(read, frame=frame.with_columns(collected(read.frame).get_columns()), lines=None)


def _read_json_lines(path: Path) -> pl.DataFrame:
    """Read one object per line; types are inferred from all rows if the first ones mislead."""
    try:
        return pl.read_ndjson(_no_pattern(path), infer_schema_length=INFERRED_ROWS)
    except pl.exceptions.PolarsError:
        return pl.read_ndjson(_no_pattern(path), infer_schema_length=None)


def _is_large(path: Path, count_columns: Callable[[], int]) -> bool:
    size = path.stat().st_size
    return size > LARGE and (size > LARGE_WIDE or count_columns() < WIDE)


def _count_columns(start: str, separator: str) -> int:
    """Number of columns of a text file; `WIDE` if its first line is incomplete."""
    line, end, _ = start.partition("\n")
    return line.count(separator) + 1 if end else WIDE


def _read_packed(path: Path, name: str, text: TextFormat) -> _Read:
    """Decompress a text file into a temporary file, since it may be large, and read that."""
    with gzip.open(path) as packed:
        return _read_copy(
            lambda unpacked: _copy_to(unpacked, packed), lambda unpacked: _read_text(unpacked, name, "", text)
        )


def _copy_to(path: Path, content: Any) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)


def _read_copy(write: Callable[[Path], None], read: Callable[[Path], _Read]) -> _Read:
    """Read a copy in a temporary file, which is kept if the original text is needed later."""
    with _temporary(".txt") as path:
        write(path)
        found = read(path)
        if found.text is None or found.text.path != path:
            return found
        kept = _new_file(".txt")
        path.replace(kept)
        return replace(found, text=replace(found.text, path=kept), temporary=(*found.temporary, kept))


def _read_text(path: Path, name: str, suffix: str, text: TextFormat) -> _Read:
    head = _head(path, name)
    encoding = _encoding(head, text)
    if encoding != "utf-8":

        def recode(copy: Path) -> None:
            with (
                path.open(encoding=encoding, newline="") as file,
                copy.open("w", encoding="utf-8", newline="") as out,
            ):
                shutil.copyfileobj(file, out)

        return _read_copy(recode, lambda copy: _read_utf8(copy, _head(copy, name), name, suffix, text))
    if b"\0" in head:
        raise DataError(
            f"{name} is not a text table. Hint: supported formats are CSV, TSV, Excel, JSON lines, Parquet, "
            "Arrow, Feather and ARFF."
        )
    return _read_utf8(path, head, name, suffix, text)


def _encoding(head: bytes, text: TextFormat) -> str:
    """Name of the codec: as set by the user, or by a byte-order mark."""
    if text.encoding is None:
        return next((name for mark, name in MARKS.items() if head.startswith(mark)), "utf-8")
    try:
        codec = codecs.lookup(text.encoding)
        codec.decode(b"")[0].encode("utf-8")  # fails for codecs that do not decode to text
        return codec.name
    except (LookupError, AttributeError, ValueError):
        raise DataError(
            f"--encoding {text.encoding!r} is not a known text encoding. Hint: try utf-8, latin-1 or cp1252."
        ) from None


def _read_utf8(path: Path, head: bytes, name: str, suffix: str, text: TextFormat) -> _Read:
    if suffix == ".arff" or _looks_like_arff(head):
        return _Read(parse_arff(path.read_bytes().decode("utf-8-sig")))
    if text.separator == " ":
        return _read_copy(
            lambda copy: merge_spaces(path, copy),
            lambda copy: _read_delimited(copy, _start(_head(copy, name)), name, text),
        )
    return _read_delimited(path, _start(head), name, text)


def _start(head: bytes) -> str:
    return head.decode("utf-8-sig", errors="replace")


def _looks_like_arff(head: bytes) -> bool:
    lines = (line.strip().lower() for line in head.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return first.startswith(b"@relation")


def _read_delimited(path: Path, start: str, name: str, text: TextFormat) -> _Read:
    """Read a delimited text file, given its first lines."""
    separator = text.separator or sniff_delimiter(start, text.comment, is_cut=len(start) >= HEAD_BYTES // 2)
    orange = orange_header(start) if text.has_header and separator == "\t" else None
    rules: dict[str, Any] = {
        "separator": separator,
        "has_header": text.has_header,
        "comment_prefix": text.comment,
        "decimal_comma": text.decimal == "," != separator,
        "null_values": [*MISSING, *text.missing],
        "skip_rows_after_header": 2 if orange else 0,
        "try_parse_dates": True,
        "raise_if_empty": True,
        "glob": False,
    }
    is_large = _is_large(path, lambda: _count_columns(start, separator))
    if not is_large:
        values_per_char = (start.count(separator) + start.count("\n")) / max(len(start), 1)
        check_room(path.stat().st_size * (1 + BYTES_HELD * values_per_char), name)
    header = header_names(start, separator, text.comment) if text.has_header else None
    file = _TextFile(path, rules, header, _new_file(".parquet") if is_large else None)
    try:
        return _understood(file, text, orange)
    except pl.exceptions.ComputeError as error:
        file.forget()
        broken = broken_line(path, separator, text.comment)
        if broken is None or is_not_utf8(error):
            raise
        hint = "--comment skips comment lines, --separator sets the separator."
        raise DataError(f"{name} cannot be read: {broken}. Hint: {hint}") from None
    except BaseException:
        file.forget()
        raise


def _understood(file: "_TextFile", text: TextFormat, orange: OrangeHeader | None) -> _Read:
    """Parse a text file, correct misread columns, and collect notes about it."""
    frame = file.parse()
    _check_header(frame, file.path)
    as_written = AsWritten(file.path, file.rules, names_of(frame))
    frame, sign = _with_misread_as_text(frame, file, as_written, text.decimal)
    notes = as_written.date_notes(frame)
    usual = sign or ("," if file.rules["separator"] == ";" else ".")
    frame, about_formats = read_formats(frame, usual, text.decimal)
    frame, about_spaces = trimmed(frame)
    notes = [*about_formats, *notes, *about_spaces, *stray_notes(frame)]
    renamed = file.duplicates(text.comment)
    if renamed:
        notes.insert(0, duplicate_note(renamed))
    if orange is not None:
        without = f", without its {', '.join(map(repr, orange.others))}" if orange.others else ""
        notes.insert(0, f"Read as an Orange table{without}.")
        frame = _of_orange(frame, orange)
    spooled = () if file.spooled is None else (file.spooled,)
    target = None if orange is None else orange.target
    lines = RowLines(file.rules["separator"], text.comment, 3 if orange else int(text.has_header))
    return _Read(frame, target, tuple(notes), as_written, spooled, renamed, lines)


def _with_misread_as_text(
    frame: Frame, file: "_TextFile", as_written: AsWritten, decimal: str | None
) -> tuple[Frame, str | None]:
    """Reread columns as strings if polars may have misread them; also return the decimal mark if known."""
    codes = as_written.codes(frame)
    if codes:
        frame = file.parse(codes)
    if decimal is not None:
        return frame, decimal
    sign = shown_sign(frame)
    grouped = as_written.grouped(frame) if sign == "," else []
    return (file.parse([*codes, *grouped]) if grouped else frame), sign


def _of_orange(frame: Frame, header: OrangeHeader) -> Frame:
    """Candidates and target; category codes become strings."""
    names = [name for name in names_of(frame) if name not in header.others]
    categories = [name for name in header.categories if name in names]
    return take(frame, names).with_columns(cs.by_name(*categories).cast(pl.String))


@dataclass(frozen=True)
class _TextFile:
    """A text file: CSV options, header if it has one, and the Parquet copy of a large file."""

    path: Path
    rules: dict[str, Any]
    header: list[str] | None
    spooled: Path | None
    names_of_polars: dict[str, str] = field(default_factory=dict)

    def parse(self, texts: Sequence[str] = ()) -> Frame:
        """Parse the file, with some columns as strings.

        Types are inferred from the first rows, or from all rows if a later one does not fit.
        """
        overrides = {self.names_of_polars[name]: pl.String for name in texts}
        rules = self.rules | {"schema_overrides": overrides}
        try:
            frame = self._parse_typed(rules | {"infer_schema_length": INFERRED_ROWS})
        except pl.exceptions.ComputeError:
            frame = self._parse_typed(rules | {"infer_schema_length": None})
        renamed = _renamed(frame, self.header)
        self.names_of_polars.update(zip(names_of(renamed), names_of(frame), strict=True))
        return without_padded_marks(renamed, self.rules["null_values"])

    def _parse_typed(self, rules: dict[str, Any]) -> Frame:
        """Parse the file; a large one is converted to Parquet in batches and scanned."""
        if self.spooled is None:
            return pl.read_csv(self.path, **rules).rechunk()  # chunks slow down every step
        # An open file, not its name: after an error a thread of polars could create the file again.
        with self.spooled.open("wb") as file:
            pl.scan_csv(self.path, **rules).sink_parquet(file, compression="uncompressed", statistics=False)
        return pl.scan_parquet(self.spooled, glob=False)

    def duplicates(self, comment: str | None) -> dict[str, str]:
        """Names in the file of columns that were renamed."""
        if self.header is None:
            return {}
        return duplicates(self.path, list(self.names_of_polars), self.rules["separator"], comment)

    def forget(self) -> None:
        """Delete the Parquet copy."""
        if self.spooled is not None:
            _remove(self.spooled)


def _check_header(frame: Frame, path: Path) -> None:
    """Reject names that are not UTF-8: polars replaces invalid bytes in the header without an error."""
    if any(REPLACEMENT in name for name in names_of(frame)):
        with path.open(encoding="utf-8") as file:  # the replacement character itself may be in the file
            for _ in file:
                pass


def _renamed(frame: Frame, header: list[str] | None) -> Frame:
    """Undo doubled quotes in names, which polars keeps; without a header name columns x0, x1, ..."""
    columns = names_of(frame)
    if header is None:
        return frame.rename(dict(zip(columns, default_names(len(columns)), strict=True)))
    doubled = {name.replace('"', '""'): name for name in header if '"' in name}
    new_names = {column: doubled[column] for column in columns if column in doubled}
    return frame.rename(new_names) if new_names else frame

"""Read text tables of any encoding: delimited values, packed or not, and ARFF.

Columns that polars may have misread are read again as text, so that codes such as 007 stay what they are.
"""

import codecs
import gzip
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import polars.selectors as cs

from entropick.exceptions import DataError
from entropick.files.arff import parse_arff
from entropick.files.as_written import AsWritten
from entropick.files.contents import HEAD_BYTES, Contents, TemporaryFile, copy_to, head_of, read_copy
from entropick.files.formats import read_formats, shown_sign, trimmed, without_padded_marks
from entropick.files.frames import Frame, names_of, take
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
    unify_line_ends,
)
from entropick.files.room import BYTES_HELD, check_room, is_large
from entropick.files.strays import stray_notes
from entropick.files.system import is_not_utf8
from entropick.table.readers.inputs import default_names

INFERRED_ROWS = 10_000  # rows used to infer types; all rows if these mislead
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"]
MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
         codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}  # fmt: skip
REPLACEMENT = "\ufffd"  # replaces invalid bytes


def read_packed(path: Path, name: str, text: TextFormat) -> Contents:
    """Decompress a text file into a temporary file, since it may be large, and read that."""
    with gzip.open(path) as packed:
        return read_copy(
            lambda unpacked: copy_to(unpacked, packed), lambda unpacked: read_text(unpacked, name, "", text)
        )


def read_text(path: Path, name: str, suffix: str, text: TextFormat) -> Contents:
    """Read a text file, converted to UTF-8 if it has another encoding."""
    head = head_of(path, name)
    encoding = encoding_of(head, text)
    if encoding != "utf-8":

        def recode(copy: Path) -> None:
            with (
                path.open(encoding=encoding, newline="") as file,
                copy.open("w", encoding="utf-8", newline="") as out,
            ):
                shutil.copyfileobj(file, out)

        return read_copy(recode, lambda copy: _read_utf8(copy, head_of(copy, name), name, suffix, text))
    if b"\0" in head:
        raise DataError(
            f"{name} is not a text table. Hint: supported formats are CSV, TSV, Excel, JSON lines, Parquet, "
            "Arrow, Feather and ARFF."
        )
    return _read_utf8(path, head, name, suffix, text)


def encoding_of(head: bytes, text: TextFormat) -> str:
    """Name of the codec: as set by the user, or by a byte-order mark."""
    if text.encoding is None:
        return next((name for mark, name in MARKS.items() if head.startswith(mark)), "utf-8")
    try:
        codec = codecs.lookup(text.encoding)
        b"a".decode(text.encoding, errors="ignore")  # fails for codecs from bytes to bytes, such as zlib
        return codec.name
    except (LookupError, ValueError):
        raise DataError(
            f"--encoding {text.encoding!r} is not a known text encoding. Hint: try utf-8, latin-1 or cp1252."
        ) from None


def _read_utf8(path: Path, head: bytes, name: str, suffix: str, text: TextFormat) -> Contents:
    if suffix == ".arff" or _looks_like_arff(head):
        return Contents(parse_arff(path.read_bytes().decode("utf-8-sig"), name))
    if b"\r" in head and b"\n" not in head:  # lines of old Macs, which polars does not know
        return read_copy(
            lambda copy: unify_line_ends(path, copy),
            lambda copy: _read_utf8(copy, head_of(copy, name), name, suffix, text),
        )
    if text.separator == " ":
        return read_copy(
            lambda copy: merge_spaces(path, copy),
            lambda copy: read_delimited(copy, start_of(head_of(copy, name)), name, text),
        )
    return read_delimited(path, start_of(head), name, text)


def start_of(head: bytes) -> str:
    """The first lines as text."""
    return head.decode("utf-8-sig", errors="replace")


def _looks_like_arff(head: bytes) -> bool:
    lines = (line.strip().lower() for line in head.splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return first.startswith(b"@relation")


@dataclass(frozen=True)
class _TextFile:
    """A text file: CSV options, header if it has one, and the Parquet copy of a large file."""

    path: Path
    rules: dict[str, Any]
    header: list[str] | None
    spooled: TemporaryFile | None
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
        with self.spooled.path.open("wb") as file:
            pl.scan_csv(self.path, **rules).sink_parquet(file, compression="uncompressed", statistics=False)
        return pl.scan_parquet(self.spooled.path, glob=False)

    def duplicates(self, comment: str | None) -> dict[str, str]:
        """Names in the file of columns that were renamed."""
        if self.header is None:
            return {}
        return duplicates(self.path, list(self.names_of_polars), self.rules["separator"], comment)

    def forget(self) -> None:
        """Delete the Parquet copy."""
        if self.spooled is not None:
            self.spooled.remove()


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


def read_delimited(path: Path, start: str, name: str, text: TextFormat) -> Contents:
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
    is_spooled = is_large(path, lambda: _count_columns(start, separator))
    if not is_spooled:
        values_per_char = (start.count(separator) + start.count("\n")) / max(len(start), 1)
        check_room(path.stat().st_size * (1 + BYTES_HELD * values_per_char), name)
    header = header_names(start, separator, text.comment) if text.has_header else None
    file = _TextFile(path, rules, header, TemporaryFile() if is_spooled else None)
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


def _count_columns(start: str, separator: str) -> float:
    """Number of columns of a text file; infinity if its first line is incomplete."""
    line, end, _ = start.partition("\n")
    return line.count(separator) + 1 if end else math.inf


def _understood(file: _TextFile, text: TextFormat, orange: OrangeHeader | None) -> Contents:
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
    return Contents(frame, target, tuple(notes), as_written, spooled, renamed, lines)


def _with_misread_as_text(
    frame: Frame, file: _TextFile, as_written: AsWritten, decimal: str | None
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

"""Output files, written completely or not at all."""

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import polars as pl
import polars.selectors as cs

from entropick._base.wording import first_line
from entropick.exceptions import DataError
from entropick.files.frames import Frame
from entropick.files.system import unfinished, writing_error

# Written in batches, since the table may be large.
TABLE_WRITERS: dict[str, Callable[[pl.LazyFrame, IO[bytes]], object]] = {
    ".csv": lambda frame, file: frame.sink_csv(file),
    ".tsv": lambda frame, file: frame.sink_csv(file, separator="\t"),
    ".parquet": lambda frame, file: frame.sink_parquet(file),
    ".pq": lambda frame, file: frame.sink_parquet(file),
    ".feather": lambda frame, file: frame.sink_ipc(file),
    ".arrow": lambda frame, file: frame.sink_ipc(file),
    ".ipc": lambda frame, file: frame.sink_ipc(file),
}


TEXT_FILES = (".csv", ".tsv")
FORMULA = r"^[=+\-@\t\r\n]"  # prefixes of strings that spreadsheets run as formulas


DIGITS = r"^[+\-]?[\d.,%'’$€£¥₹\s]+(?:[eE][+\-]?\d+)?$"  # a number, which may start with a sign


def check_table_path(path: str | None, source: str, excel_safe: bool = False) -> None:
    """Reject a path that cannot be written, before any work is done."""
    if excel_safe and (path is None or not is_text(path)):
        given = "there is no --out" if path is None else f"--out is {path!r}"
        raise DataError(f"--excel-safe applies to --out of CSV and TSV files, but {given}.")
    if path is None:
        return
    if Path(path).suffix.lower() not in TABLE_WRITERS:
        raise DataError(f"--out {path!r}: the name must end in one of {', '.join(TABLE_WRITERS)}.")
    check_path(path, "--out", source)


def check_path(path: str | None, option: str, source: str) -> None:
    """Reject a path without a directory, or that of the table itself."""
    if path is None:
        return
    target = Path(path)
    if not target.parent.is_dir():
        raise DataError(f"{option} {path!r}: there is no directory {str(target.parent)!r}.")
    if target.is_dir():
        raise DataError(f"{option} {path!r} is a directory. Hint: name a file in it.")
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise DataError(f"{option} {path!r} is the table itself. Hint: choose another name.")


def is_text(path: str) -> bool:
    """Whether the file is CSV or TSV."""
    return Path(path).suffix.lower() in TEXT_FILES


def write_table(frame: Frame, path: str, excel_safe: bool = False, numbers: Sequence[str] = ()) -> None:
    """Write a table in the format of the suffix; `numbers` are numeric columns, even if held as strings."""
    write = TABLE_WRITERS[Path(path).suffix.lower()]
    lazy = without_formulas(frame.lazy(), numbers) if excel_safe else frame.lazy()
    write_whole(path, lambda file: write(lazy, file))


def without_formulas(frame: pl.LazyFrame, numbers: Sequence[str] = ()) -> pl.LazyFrame:
    """Prefix names and strings that a spreadsheet would run as formulas with an apostrophe."""
    texts = cs.string() | cs.categorical() | cs.enum()
    guarded = [_guarded(texts - cs.by_name(*numbers)), _guarded(texts & cs.by_name(*numbers), DIGITS)]
    risky = [name for name in frame.collect_schema().names() if re.match(FORMULA, name)]
    return frame.with_columns(guarded).rename({name: f"'{name}" for name in risky})


def _guarded(texts: cs.Selector, harmless: str | None = None) -> pl.Expr:
    text = texts.as_expr().cast(pl.String)
    is_risky = text.str.contains(FORMULA)
    if harmless is not None:
        is_risky &= ~text.str.contains(harmless)
    return pl.when(is_risky).then(text.str.replace("^", "'")).otherwise(text).name.keep()


def write_text(text: str, path: str) -> None:
    """Write a text."""
    write_whole(path, lambda file: file.write(text.encode("utf-8")))


def write_whole(path: str, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file beside the path and rename it when it is complete.

    `write` gets an open file, not a name: polars may still create the file after raising an error.
    """
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.", suffix=".part")
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error  # name the path the user gave
    temporary = Path(name)
    unfinished.add(temporary)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        temporary.chmod(_usual_mode(target))
        temporary.replace(target)
    except (OSError, pl.exceptions.PolarsError) as error:
        fault = writing_error(error, path)
        if fault is not None:
            raise fault from error
        raise DataError(
            f"{path!r} cannot be written: {first_line(error)}. Hint: Parquet and Feather hold columns of "
            "every type."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()
        unfinished.discard(temporary)


def _usual_mode(target: Path) -> int:
    """Mode of the existing file, or the default mode of new files."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

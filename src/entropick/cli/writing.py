"""Output files, written completely or not at all."""

import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import IO

import polars as pl
import polars.selectors as cs

from entropick._base.whole_files import is_special, whole_file
from entropick._base.wording import first_line
from entropick.exceptions import DataError
from entropick.files.frames import Frame
from entropick.files.reading import STDIN
from entropick.files.system import writing_error

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


@dataclass(frozen=True)
class Outputs:
    """Paths that the user gave by options, checked before any work is done."""

    out: str | None
    columns_file: str | None
    report: str | None
    excel_safe: bool = False
    is_stdout_taken: bool = False  # by --json

    def check(self, sources: Sequence[str]) -> None:
        """Reject paths that cannot be written, that are those of a source, or that are the same."""
        if self.excel_safe and (self.out is None or not is_text(self.out)):
            given = "there is no --out" if self.out is None else f"--out is {self.out!r}"
            raise DataError(f"--excel-safe applies to --out of CSV and TSV files, but {given}.")
        if self.out is not None and _suffix(self.out) not in TABLE_WRITERS:
            raise DataError(f"--out {self.out!r}: the name must end in one of {', '.join(TABLE_WRITERS)}.")
        options = {"--out": self.out, "--columns-file": self.columns_file, "--report": self.report}
        given_paths = {option: path for option, path in options.items() if path is not None}
        for option, path in given_paths.items():
            check_path(path, option, sources)
            if self.is_stdout_taken and _is_stdout(path):
                raise DataError(
                    f"{option} {path!r} and --json both write to stdout. Hint: choose another name."
                )
        for (option, path), (other, second) in combinations(given_paths.items(), 2):
            if _is_same_file(path, second):
                raise DataError(
                    f"{option} {path!r} and {other} {second!r} are the same file. Hint: choose two names."
                )


def check_path(path: str, option: str, sources: Sequence[str]) -> None:
    """Reject a path without a directory, or that of a source."""
    if is_special(path):
        return
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise DataError(f"{option} {path!r}: there is no directory {str(target.parent)!r}.")
    if target.is_dir():
        raise DataError(f"{option} {path!r} is a directory. Hint: name a file in it.")
    if os.path.islink(target):
        raise DataError(f"{option} {path!r} is a link to itself. Hint: choose another name.")
    if any(_is_same_file(path, source) for source in sources):
        raise DataError(f"{option} {path!r} is the table itself. Hint: choose another name.")


def _is_same_file(path: str, other: str) -> bool:
    """Whether two paths, of which "-" is stdin, lead to the same regular file, now or once it is made."""
    try:
        first, second = os.stat(path), os.fstat(0) if other == STDIN else os.stat(other)
    except (OSError, ValueError):  # a file does not exist, or there is no stdin
        return os.path.realpath(path) == os.path.realpath(other)
    return stat.S_ISREG(first.st_mode) and os.path.samestat(first, second)


def _is_stdout(path: str) -> bool:
    """Whether a path leads to stdout, unless that is thrown away."""
    try:
        target, out = os.stat(path), os.fstat(1)
        return os.path.samestat(target, out) and not os.path.samestat(out, os.stat(os.devnull))
    except (OSError, ValueError):  # there is no such file, or no stdout
        return False


def _suffix(path: str) -> str:
    """The suffix that decides the format; devices, pipes and open files without one get CSV."""
    suffix = Path(path).suffix.lower()
    return ".csv" if suffix not in TABLE_WRITERS and is_special(path) else suffix


def is_text(path: str) -> bool:
    """Whether the file is CSV or TSV."""
    return _suffix(path) in TEXT_FILES


def write_table(frame: Frame, path: str, excel_safe: bool = False, numbers: Sequence[str] = ()) -> None:
    """Write a table in the format of the suffix; `numbers` are numeric columns, even if held as strings."""
    write = TABLE_WRITERS[_suffix(path)]
    lazy = without_formulas(frame.lazy(), numbers) if excel_safe else frame.lazy()
    write_whole(path, lambda file: write(lazy, file))


def without_formulas(frame: pl.LazyFrame, numbers: Sequence[str] = ()) -> pl.LazyFrame:
    """Prefix names and strings that a spreadsheet would run as formulas with an apostrophe."""
    texts = cs.string() | cs.categorical() | cs.enum()
    guarded = [_guarded(texts - cs.by_name(*numbers)), _guarded(texts & cs.by_name(*numbers), DIGITS)]
    names = frame.collect_schema().names()
    taken, renamed = set(names), {}
    for name in names:
        if re.match(FORMULA, name):
            renamed[name] = f"'{name}"
            while renamed[name] in taken:
                renamed[name] = f"'{renamed[name]}"
            taken.add(renamed[name])
    return frame.with_columns(guarded).rename(renamed)


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
    """Write a file that takes the place of the old one when it is complete.

    `write` gets an open file, not a name: polars may still create the file after raising an error.
    """
    try:
        with whole_file(path) as file:
            write(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        fault = writing_error(error, path)
        if fault is not None:
            raise fault from error
        raise DataError(
            f"{path!r} cannot be written: {first_line(error)}. Hint: Parquet and Feather hold columns of "
            "every type."
        ) from error

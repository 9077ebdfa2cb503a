"""Read the first sheet of an Excel file."""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import polars.selectors as cs

from entropick._base.wording import first_line
from entropick.exceptions import DataError
from entropick.files.contents import Contents, head_of, read_copy
from entropick.files.frames import collected
from entropick.files.layout import TextFormat, duplicate_note
from entropick.files.text import read_delimited, start_of

NUMBERED = re.compile(r"_\d+$")  # suffix that fastexcel adds to a repeated name


def read_excel(path: Path, name: str, text: TextFormat) -> Contents:
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


def _with_texts_read(frame: pl.DataFrame, name: str, text: TextFormat) -> Contents:
    """Parse string columns like those of a text file: they may hold numbers, dates or missing values."""
    texts = frame.select(cs.string())
    if not texts.width:
        return Contents(frame)
    rules = TextFormat(separator=",", decimal=text.decimal, missing=text.missing)
    read = read_copy(
        lambda copy: texts.write_csv(copy),
        lambda copy: read_delimited(copy, start_of(head_of(copy, name)), name, rules),
    )
    return replace(read, frame=frame.with_columns(collected(read.frame).get_columns()), lines=None)

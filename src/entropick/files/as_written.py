"""The original text of values such as 02267 or 18:34, whatever type they were parsed as."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs

from entropick._base.wording import listed
from entropick.exceptions import DataError
from entropick.files.formats import CODE, GROUPED
from entropick.files.frames import Frame, collected, take

LAYOUT = ("separator", "has_header", "comment_prefix", "skip_rows_after_header")  # rules other than types
SCANNED_BYTES = 1 << 25  # bytes that are searched for leading zeros, about as fast as they are read
CHUNK = 1 << 20
HEAD_ROWS = 1000  # dates that are checked for an ambiguous one
N_MONTHS = 12
AMBIGUOUS = re.compile(r"\s*(\d{1,2})[/-](\d{1,2})[/-](\d{4})")  # 31.12.2026 always has the day first


@dataclass(frozen=True, eq=False)
class AsWritten:
    """A UTF-8 text file whose values can be read as strings.

    Parameters
    ----------
    path : path of the file
    rules : options of polars' CSV reader
    names : names of all columns
    """

    path: Path
    rules: Mapping[str, Any] = field(repr=False)
    names: Sequence[str] = field(repr=False)

    def take(self, names: Sequence[str]) -> pl.LazyFrame:
        """Scan columns as strings."""
        layout = {key: self.rules[key] for key in LAYOUT}
        texts = pl.scan_csv(self.path, infer_schema=False, new_columns=list(self.names), glob=False, **layout)
        return texts.select(cs.by_name(*names))

    def codes(self, frame: Frame) -> list[str]:
        """Columns that were parsed as integers, but have leading zeros in the file."""
        if not self._has_leading_zeros():
            return []
        names = [name for name, dtype in frame.collect_schema().items() if dtype.is_integer()]
        if not names:
            return []
        are_codes = collected(self.take(names).select(cs.string().str.contains(CODE).any())).row(0)
        return [name for name, is_code in zip(names, are_codes, strict=True) if is_code]

    def grouped(self, frame: Frame) -> list[str]:
        """Columns that were parsed as floats, but whose points may be thousands separators, as in 1.067."""
        names = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
        if not names:
            return []
        texts, are_missing = cs.string().as_expr(), cs.string().is_in(self.rules["null_values"])
        fits = (texts.str.contains(GROUPED) | are_missing).all()
        are_grouped = collected(self.take(names).select(fits)).row(0)
        return [name for name, is_grouped in zip(names, are_grouped, strict=True) if is_grouped]

    def date_notes(self, frame: Frame) -> list[str]:
        """Note about columns whose dates could have either the day or the month first."""
        days = collected(frame.select((cs.date() | cs.datetime()).dt.day().max())).to_dict(as_series=False)
        names = [name for name, (day,) in days.items() if day is not None and day <= N_MONTHS]
        if not names:
            return []
        texts = collected(self.take(names).head(HEAD_ROWS)).iter_columns()
        found = [(series.name, date) for series in texts if (date := _ambiguous_date(series)) is not None]
        if not found:
            return []
        items = [f"{name!r} ({date[0]!r} is {date[3]}-{date[2]:0>2}-{date[1]:0>2})" for name, date in found]
        return [
            f"Dates that may begin with day or month are read day first: {listed(items)}. Hint: if that is "
            "wrong, write them as 2026-12-31."
        ]

    def _has_leading_zeros(self) -> bool:
        """Cheap pre-check: whether any value in the first 32 MB starts with a zero and another digit."""
        before = np.frombuffer(f'\n"{self.rules["separator"]}'.encode(), np.uint8)
        with self.path.open("rb") as file:
            end = b"\n"
            for _ in range(SCANNED_BYTES // CHUNK):
                chars = np.frombuffer(end + file.read(CHUNK), np.uint8)
                if len(chars) <= len(end):
                    return False
                zeros = np.flatnonzero(chars[1:-1] == ord("0"))
                digit = chars[zeros + 2] - np.uint8(ord("0"))  # others are beyond 9, or wrap around
                if np.any(np.isin(chars[zeros], before) & (digit <= 9)):
                    return True
                end = chars[-2:].tobytes()
        return False


def _ambiguous_date(texts: pl.Series) -> re.Match[str] | None:
    """The first date that would be a different day if its month came first."""
    dates = (AMBIGUOUS.match(text) for text in texts if text is not None)
    return next((date for date in dates if date and int(date[1]) != int(date[2])), None)


def as_in_file(text: AsWritten, frame: Frame, names: Sequence[str]) -> Frame:
    """Columns with their original text from the file; date parts, which are not in the file, unchanged."""
    known = set(text.names)
    texts: Frame = text.take([name for name in names if name in known])
    others = [name for name in names if name not in known]
    if isinstance(frame, pl.DataFrame):
        texts = collected(texts)
        if texts.height != frame.height:
            raise DataError(f"The file had {frame.height} rows, but now has {texts.height}: it was changed.")
    if others:
        texts = pl.concat([texts.lazy(), take(frame, others).lazy()], how="horizontal")
    return take(texts, names)

"""The values of a text file as they stand in it, such as 02267 and 18:34, whatever they are read as."""

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

LAYOUT = ("separator", "has_header", "comment_prefix", "skip_rows_after_header")  # rules that say no types
LOOKED_AT = 1 << 25  # bytes in which leading zeros are looked for: as fast as it is to read them
CHUNK = 1 << 20
HEAD_ROWS = 1000  # of dates, in which one is looked for that may be read in two ways
N_MONTHS = 12
TWO_WAYS = re.compile(r"\s*(\d{1,2})[/-](\d{1,2})[/-](\d{4})")  # with points the day comes first


@dataclass(frozen=True, eq=False)
class AsWritten:
    """A file of text, in UTF-8.

    Parameters
    ----------
    path : of the file
    rules : how polars reads it
    names : of all columns
    """

    path: Path
    rules: Mapping[str, Any] = field(repr=False)
    names: Sequence[str] = field(repr=False)

    def take(self, names: Sequence[str]) -> pl.LazyFrame:
        """Some columns, as texts."""
        layout = {key: self.rules[key] for key in LAYOUT}
        texts = pl.scan_csv(self.path, infer_schema=False, new_columns=list(self.names), glob=False, **layout)
        return texts.select(cs.by_name(*names))

    def codes(self, frame: Frame) -> list[str]:
        """Columns that were read as whole numbers, but have leading zeros in the file."""
        if not self._has_leading_zeros():
            return []
        names = [name for name, dtype in frame.collect_schema().items() if dtype.is_integer()]
        if not names:
            return []
        are_codes = collected(self.take(names).select(cs.string().str.contains(CODE).any())).row(0)
        return [name for name, is_code in zip(names, are_codes, strict=True) if is_code]

    def grouped(self, frame: Frame) -> list[str]:
        """Columns that were read as fractions, but whose points may all group digits, as in 1.067."""
        names = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
        if not names:
            return []
        texts, are_missing = cs.string().as_expr(), cs.string().is_in(self.rules["null_values"])
        fits = (texts.str.contains(GROUPED) | are_missing).all()
        are_grouped = collected(self.take(names).select(fits)).row(0)
        return [name for name, is_grouped in zip(names, are_grouped, strict=True) if is_grouped]

    def date_notes(self, frame: Frame) -> list[str]:
        """Which dates may begin with the day or the month."""
        days = collected(frame.select((cs.date() | cs.datetime()).dt.day().max())).to_dict(as_series=False)
        names = [name for name, (day,) in days.items() if day is not None and day <= N_MONTHS]
        if not names:
            return []
        texts = collected(self.take(names).head(HEAD_ROWS)).iter_columns()
        found = [(series.name, date) for series in texts if (date := _two_ways(series)) is not None]
        if not found:
            return []
        items = [f"{name!r} ({date[0]!r} is {date[3]}-{date[2]:0>2}-{date[1]:0>2})" for name, date in found]
        return [
            f"Dates that may begin with day or month are read day first: {listed(items)}. Hint: if that is "
            "wrong, write them as 2026-12-31."
        ]

    def _has_leading_zeros(self) -> bool:
        """Whether a value begins so, as far as the file is looked at; asked first, since most have none."""
        before = np.frombuffer(f'\n"{self.rules["separator"]}'.encode(), np.uint8)
        with self.path.open("rb") as file:
            end = b"\n"
            for _ in range(LOOKED_AT // CHUNK):
                signs = np.frombuffer(end + file.read(CHUNK), np.uint8)
                if len(signs) <= len(end):
                    return False
                zeros = np.flatnonzero(signs[1:-1] == ord("0"))
                digit = signs[zeros + 2] - np.uint8(ord("0"))  # others are beyond 9, or wrap around
                if np.any(np.isin(signs[zeros], before) & (digit <= 9)):
                    return True
                end = signs[-2:].tobytes()
        return False


def _two_ways(texts: pl.Series) -> re.Match[str] | None:
    """The first date that is another one if its month comes first."""
    dates = (TWO_WAYS.match(text) for text in texts if text is not None)
    return next((date for date in dates if date and int(date[1]) != int(date[2])), None)


def as_in_file(text: AsWritten, frame: Frame, names: Sequence[str]) -> Frame:
    """Columns of a table as they stand in its file; parts of dates, which are not in it, as they are."""
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

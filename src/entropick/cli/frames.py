"""Tables of polars, in memory or lazy, in the few ways the program uses them."""

from collections.abc import Sequence
from typing import TypeAlias

import polars as pl
import polars.selectors as cs

from entropick.table.inputs import count_rows

Frame: TypeAlias = pl.DataFrame | pl.LazyFrame


def height(frame: Frame) -> int:
    """Number of rows."""
    return frame.height if isinstance(frame, pl.DataFrame) else count_rows(frame)


def collected(frame: Frame) -> pl.DataFrame:
    """A table in memory; a lazy one is worked out in batches."""
    return frame if isinstance(frame, pl.DataFrame) else frame.collect(engine="streaming")


def take(frame: Frame, names: Sequence[str]) -> Frame:
    """Some columns, by their names as they are: polars takes "^...$" for a pattern."""
    return frame.select(cs.by_name(*names))


def column(frame: Frame, name: str) -> pl.Series:
    """One column in memory."""
    return collected(take(frame, [name])).to_series()


def gaps_as_nulls(frame: Frame) -> Frame:
    """The same table, with NaN as what polars calls a missing value."""
    return frame.with_columns(cs.float().fill_nan(None))

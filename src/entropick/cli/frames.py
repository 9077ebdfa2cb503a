"""Tables of polars, in memory or lazy, in the few ways the program uses them."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl
import polars.selectors as cs

Frame: TypeAlias = pl.DataFrame | pl.LazyFrame
BLOCK_VALUES = 1 << 21  # of columns that are looked at, at a time


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
    if isinstance(frame, pl.LazyFrame):
        return frame.with_columns(cs.float().fill_nan(None))
    with_gaps = [
        name
        for block in column_blocks(frame.select(cs.float()))
        for name, has_gaps in zip(block.columns, np.isnan(block.to_numpy()).any(axis=0), strict=True)
        if has_gaps
    ]
    return frame.with_columns(cs.by_name(*with_gaps).fill_nan(None)) if with_gaps else frame


def column_blocks(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The columns of a table, many at a time: polars takes some time for each one that it is asked for."""
    size = max(1, BLOCK_VALUES // max(frame.height, 1))
    for first in range(0, frame.width, size):
        # a slice would give a column without a name another one
        yield frame.select(cs.by_index(range(first, min(first + size, frame.width))))

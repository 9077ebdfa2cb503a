"""Helpers for polars frames, in memory or lazy."""

from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import TypeAlias, overload

import numpy as np
import polars as pl
import polars.selectors as cs

Frame: TypeAlias = pl.DataFrame | pl.LazyFrame
BLOCK_VALUES = 1 << 21  # values per block of columns

# Polars looks for numpy when it first makes an array, by calling Python, and panics if a signal raises
# KeyboardInterrupt there. It does so now, in a thread, which signals do not reach.
Thread(target=pl.Series([0.0]).to_numpy).start()


def collected(frame: Frame) -> pl.DataFrame:
    """Collect a lazy frame in batches; a frame in memory is returned as is."""
    return frame if isinstance(frame, pl.DataFrame) else frame.collect(engine="streaming")


def names_of(frame: Frame) -> list[str]:
    """Column names."""
    return frame.columns if isinstance(frame, pl.DataFrame) else frame.collect_schema().names()


@overload
def take(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame: ...
@overload
def take(frame: Frame, names: Sequence[str]) -> Frame: ...
def take(frame: Frame, names: Sequence[str]) -> Frame:
    """Select columns by exact name; `select` would treat "^...$" as a pattern, and is much slower."""
    return frame[:, list(names)] if isinstance(frame, pl.DataFrame) else frame.select(cs.by_name(*names))


def column(frame: Frame, name: str) -> pl.Series:
    """One column in memory, without its name: methods of a series called "^...$" fail."""
    return collected(take(frame, [name])).to_series().alias("")


def gaps_as_nulls(frame: Frame) -> Frame:
    """Replace NaN by null, the missing value of polars."""
    if isinstance(frame, pl.LazyFrame):
        return frame.with_columns(cs.float().fill_nan(None))
    with_gaps = [
        name
        for block in column_blocks(take(frame, names_of_type(frame, lambda dtype: dtype.is_float())))
        for name, has_gaps in zip(block.columns, np.isnan(block.to_numpy()).any(axis=0), strict=True)
        if has_gaps
    ]
    return frame.with_columns(cs.by_name(*with_gaps).fill_nan(None)) if with_gaps else frame


def names_of_type(frame: pl.DataFrame, is_wanted: Callable[[type[pl.DataType]], bool]) -> list[str]:
    """Columns of the wanted types; checks each type once, while a selector checks every column."""
    kinds = list(map(type, frame.dtypes))
    wanted = {kind for kind in set(kinds) if is_wanted(kind)}
    return [name for name, kind in zip(frame.columns, kinds, strict=True) if kind in wanted]


def column_blocks(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield blocks of columns: polars has an overhead for each column selected on its own."""
    size = max(1, BLOCK_VALUES // max(frame.height, 1))
    names = frame.columns
    for first in range(0, len(names), size):
        yield take(frame, names[first : first + size])

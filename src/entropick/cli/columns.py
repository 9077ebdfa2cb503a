"""Date parts and missing values."""

from collections.abc import Sequence

import polars as pl
import polars.selectors as cs

from entropick._base.wording import quoted
from entropick.exceptions import DataError
from entropick.files.frames import Frame, collected


def missing_values(frame: Frame) -> dict[str, int]:
    """Number of nulls per column."""
    return collected(frame.null_count()).row(0, named=True)


def with_date_parts(frame: Frame, skipped: Sequence[str]) -> Frame:
    """Replace dates and times by year, month, day, weekday, hour and minute, unless constant."""
    schema = frame.collect_schema()
    made: dict[str, list[pl.Expr]] = {}
    for name, dtype in schema.items():
        if name in skipped or dtype not in (pl.Date, pl.Datetime):
            continue
        parts = [getattr(cs.by_name(name).dt, part)().alias(f"{name}.{part}") for part in _parts_of(dtype)]
        n_values = collected(frame.select(part.drop_nulls().n_unique() for part in parts)).row(0)
        made[name] = [part for part, n in zip(parts, n_values, strict=True) if n > 1]
    columns = [expression for name in schema for expression in made.get(name) or [cs.by_name(name)]]
    kept = {name for name in schema if not made.get(name)}
    for name in (part.meta.output_name() for parts in made.values() for part in parts):
        if name in kept:
            raise DataError(
                f"--date-parts would make a second column {quoted(name)}. Hint: rename the first."
            )
    return frame.select(columns)


def _parts_of(dtype: pl.DataType) -> tuple[str, ...]:
    days = ("year", "month", "day", "weekday")
    return days if dtype == pl.Date else (*days, "hour", "minute")

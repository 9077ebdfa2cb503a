"""What is noticed about columns before anything is selected: identifiers, constants, copies, gaps."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import polars as pl
import polars.selectors as cs

from entropick.cli.frames import BLOCK_VALUES, Frame, collected, column_blocks, names_of_type, take
from entropick.exceptions import DataError
from entropick.wording import quoted

FEWEST_ROWS = 20  # in fewer rows values may all differ, and columns be alike, by chance
HEAD_ROWS = 1000  # looked at first: what does not look like it there is not looked at in full
COPY_ROWS = 100  # likewise, for columns that may be copies
DISTINCT_SHARE = 0.99  # of the values that are there: with that many distinct ones they name rows
CODE_SHARE = 0.5  # the same for digits that are no numbers: codes of many levels fit any target
HEAD_SHARE = 0.9  # the same among the first rows
DIGITS = r"^\d+$"
TEXTS = (pl.String, pl.Categorical, pl.Enum)
ID_WORDS = {"id", "ids", "uid", "uuid", "guid", "key", "index", "idx", "unnamed"}
SAMPLE_ROWS = 16  # rows whose values are compared first


class Survey:
    """What is known of the columns of a table.

    Parameters
    ----------
    frame : the columns to choose from, with nulls for missing values
    n_rows : of it
    """

    def __init__(self, frame: Frame, n_rows: int) -> None:
        self._frame, self._n_rows = frame, n_rows
        self._head = collected(frame.head(HEAD_ROWS))

    def missing(self) -> dict[str, int]:
        """Missing values of each column."""
        return collected(self._frame.null_count()).row(0, named=True)

    def constants(self) -> list[str]:
        """Columns of one value, or of none; a gap is a value of its own here."""
        n_rows = self._head.height
        sample = self._head[list(range(0, n_rows, max(1, n_rows // SAMPLE_ROWS)))]
        numbers, values = _as_numbers(sample)
        is_same = (values == values[:1]) | (np.isnan(values) & np.isnan(values[:1]))
        alike = {numbers[j] for j in np.flatnonzero(is_same.all(axis=0)).tolist()}
        others = take(
            sample, names_of_type(sample, lambda dtype: not (_is_number(dtype) or dtype.is_nested()))
        )
        alike.update(series.name for series in others if _is_constant(series))
        names = [name for name in sample.columns if name in alike]
        return self._those(names, lambda series, _: _is_constant(series))

    def identifiers(self) -> list[str]:
        """Columns that name rows.

        Those are texts with a value of its own in almost every row, or codes with one in most rows. Whole
        numbers may be measurements (a salary, a population) that differ in every row, too, so they must count
        the rows in even steps, or be called an id and differ in almost every row. Times and numbers with a
        fraction measure.
        """
        if self._n_rows < FEWEST_ROWS:
            return []
        names = names_of_type(self._head, lambda dtype: dtype.is_integer() or dtype in TEXTS)
        return self._those(names, _is_identifier)

    def copies(self) -> list[tuple[str, str]]:
        """Columns with the values of an earlier one, numbers maybe in another unit; and the earlier one."""
        if self._n_rows < FEWEST_ROWS:
            return []
        alike = _alike(column_blocks(self._head.head(SAMPLE_ROWS)), with_constants=True)
        if alike:
            some = take(self._head, [name for names in alike for name in names])
            alike = _alike(column_blocks(some.head(COPY_ROWS)))
        if self._n_rows > COPY_ROWS:
            alike = _alike(self._blocks([name for names in alike for name in names]))
        pairs = [(name, names[0]) for names in alike for name in names[1:]]
        place = {name: k for k, name in enumerate(self._head.columns)}
        return sorted(pairs, key=lambda pair: place[pair[0]])

    def _those(self, names: Sequence[str], are_so: Callable[[pl.Series, float], bool]) -> list[str]:
        """Those columns of some of which something is true, first in the head, then in all rows."""
        is_all = self._n_rows <= HEAD_ROWS
        share = DISTINCT_SHARE if is_all else HEAD_SHARE
        names = [name for name in names if are_so(self._head[name], share)]
        if is_all:
            return names
        everything = (series for block in self._blocks(names) for series in block.iter_columns())
        return [series.name for series in everything if are_so(series, DISTINCT_SHARE)]

    def _blocks(self, names: Sequence[str]) -> Iterator[pl.DataFrame]:
        """Some columns in memory, as many at a time as it holds."""
        size = max(1, BLOCK_VALUES // self._n_rows)
        for first in range(0, len(names), size):
            yield collected(take(self._frame, names[first : first + size]))


def _is_identifier(series: pl.Series, share: float) -> bool:
    is_whole = series.dtype.is_integer()
    values = series.alias("")  # polars takes a name "^...$" for a pattern
    present = values.drop_nulls() if values.null_count() else values
    if len(present) < FEWEST_ROWS:
        return False
    if is_whole and not _sounds_like_id(series.name):
        return _counts_rows(present)
    if series.dtype == pl.String and present.str.contains(DIGITS).all():
        share = min(share, CODE_SHARE)
    return present.n_unique() >= share * len(present)


def _counts_rows(values: pl.Series) -> bool:
    step = values[1] - values[0]
    may_be = step != 0 and values[-1] - values[0] == step * (len(values) - 1)  # quick to say no
    return may_be and values.diff(null_behavior="drop").n_unique() == 1


def _sounds_like_id(name: str) -> bool:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
    return not name.strip() or any(word.lower() in ID_WORDS for word in (*words[:1], *words[-1:]))


def _alike(blocks: Iterable[pl.DataFrame], with_constants: bool = False) -> list[list[str]]:
    """Names of columns with the same values, the first one first; constants, if any, are alike."""
    groups: dict[int | None, list[str]] = defaultdict(list)
    for block in blocks:
        for name, fingerprint in _fingerprints(block):
            if with_constants or fingerprint is not None:
                groups[fingerprint].append(name)
    return [names for names in groups.values() if len(names) > 1]


def _fingerprints(block: pl.DataFrame) -> Iterator[tuple[str, int | None]]:
    """The same number for columns of the same values; None for constants."""
    for texts in take(block, names_of_type(block, TEXTS.__contains__)):
        yield texts.name, hash(tuple(texts.to_list())) if texts.n_unique() > 1 else None
    names, values = _as_numbers(block)
    if not names:
        return
    with np.errstate(all="ignore"):  # a range beyond that of floats gives no fingerprint
        low, high = np.fmin.reduce(values), np.fmax.reduce(values)
        scaled = (values - low) / (high - low)
    first = scaled[np.argmax(~np.isnan(values), axis=0), np.arange(len(names))]
    scaled = np.where(first < 0.5, scaled, 1 - scaled).round(9)  # whatever the sign of the unit
    varies = (low < high) & np.isfinite(high - low)
    for name, column, is_varying in zip(names, np.ascontiguousarray(scaled.T), varies.tolist(), strict=True):
        yield name, hash(column.tobytes()) if is_varying else None


def _as_numbers(frame: pl.DataFrame) -> tuple[list[str], np.ndarray]:
    """Names and values of the columns that are numbers, or times, as floats; gaps are NaN."""
    names = names_of_type(frame, _is_number)
    if not names:  # of which older versions of polars make no array
        return [], np.empty((frame.height, 0))
    plain = take(frame, names).with_columns((~cs.by_dtype(pl.Float64)).to_physical().cast(pl.Float64))
    return names, plain.to_numpy()


def _is_number(dtype: type[pl.DataType]) -> bool:
    return dtype.is_numeric() or dtype.is_temporal() or dtype == pl.Boolean


def _is_constant(series: pl.Series) -> bool:
    return series.n_unique() < 2


# -- parts of dates ------------------------------------------------------------------------------


def with_date_parts(frame: Frame, skipped: Sequence[str]) -> Frame:
    """Year, month, day, weekday, hour and minute in place of dates and times, as far as they vary."""
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

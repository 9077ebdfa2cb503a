"""The encoding of a table inside a database: exact levels found by queries, and codes made by expressions.

What comes out is what `Encoding.fit` finds on the whole table. Numbers are grouped into buckets by a function
that never decreases, so the largest value of a bucket has a known rank, whatever rounding the engine does: a
`Sketch`. Questions about brackets narrow these until the edges are known, as for partitions of rows. Only
ranks, bounds and levels leave the database.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, Protocol, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np

from entropick._base.wording import quoted
from entropick.exceptions import Code, DataError
from entropick.table.codes import ColumnEncoding
from entropick.table.encoding.distributed import Answer, Bracket, Inside, Question, Sketch
from entropick.table.encoding.distributed.surveys import Summary
from entropick.table.encoding.known import more_offset

Frame: TypeAlias = nw.LazyFrame[Any]
Rows: TypeAlias = Mapping[str, np.ndarray]  # an answer, by column

MAX_LEVELS = 1 << 16  # of a category
DIRECT_ROWS = 1 << 13  # a column of no more values is asked for its values at once
MAX_INSIDE = 1 << 15  # rows inside of the brackets of a column whose values are asked for
MIN_BUCKETS, MAX_BUCKETS = 1 << 8, 1 << 14
ROWS_PER_BUCKET = 512  # of a column that is evenly spread
BRACKET_BUCKETS = 1 << 8
COLUMNS_AT_ONCE = 64  # of which bounds are asked for in one row
MAX_CODED_LEVELS = 64  # a category with more keeps its texts, which are numbered here
MAX_CODED_LENGTH = 200
LARGEST = 2**53  # up to here every whole number is a float
WHOLE_64 = 2**63 - 1


class Database(Protocol):
    """What answers queries."""

    def values(self, names: Sequence[str], complete: Container[str] = ()) -> "Values":
        """Some columns as values that can be compared; of complete ones none is missing."""

    def ask(self, branches: Sequence[Frame]) -> Rows:
        """The rows of some queries with the same columns, one after the other."""

    def number(self, value: float) -> nw.Expr:
        """A number that the engine reads exactly."""


@dataclass(frozen=True)
class ValueColumn:
    """A column as values that can be compared.

    Attributes
    ----------
    name : of the column in the table
    key : of the column in queries
    kind : see `ColumnEncoding`
    is_whole : whether it holds whole numbers
    fits_64 : whether these have 64 bits
    n_present : values that are not missing
    low, high : the least and the largest of its numbers
    offset : what was subtracted from whole numbers beyond 64 bits
    """

    name: str
    key: str
    kind: str
    is_whole: bool
    fits_64: bool = True
    n_present: int = 0
    low: Any = None
    high: Any = None
    offset: int = 0


@dataclass(frozen=True)
class Values:
    """A table of values, of which bounds are known.

    Attributes
    ----------
    frame : the query for it
    columns : its columns
    n_rows : its rows
    """

    frame: Frame
    columns: tuple[ValueColumn, ...]
    n_rows: int = 0


# -- bounds --------------------------------------------------------------------------------------


def with_bounds(database: Database, names: Sequence[str]) -> Values:
    """Count the rows and values of columns, and find the least and largest of their numbers."""
    values = database.values(names)
    found: list[ValueColumn] = []
    casts: dict[str, nw.Expr] = {}
    frame, n_rows = values.frame, 0
    for first in range(0, len(values.columns), COLUMNS_AT_ONCE):
        block = values.columns[first : first + COLUMNS_AT_ONCE]
        asked = {"n": nw.len()}
        for k, column in enumerate(block):
            x = nw.col(column.key)
            asked[f"n{k}"] = x.count()
            if column.kind != "category":
                asked |= {f"low{k}": x.min(), f"high{k}": x.max()}
        row = {name: rows[0] for name, rows in database.ask([frame.select(**asked)]).items()}
        n_rows = int(row["n"])
        for k, column in enumerate(block):
            column = replace(column, n_present=int(row[f"n{k}"]))
            has_missing = column.n_present < n_rows
            bounded, cast = _bounded(column, row.get(f"low{k}"), row.get(f"high{k}"), has_missing)
            found.append(bounded)
            if cast is not None:
                casts[column.key] = cast
    complete = {column.name for column in found if column.n_present == n_rows}
    frame = database.values(names, complete).frame
    return Values(frame.with_columns(**casts) if casts else frame, tuple(found), n_rows)


def _bounded(
    column: ValueColumn, low: Any, high: Any, has_missing: bool
) -> tuple[ValueColumn, nw.Expr | None]:
    """A column with what is known of it, and how it is cast.

    As in memory (`table/readers/whole.py`), whole numbers beyond 64 bits, or beyond 2^53 beside missing ones,
    become differences from the least or, where these are too large, floats.
    """
    if column.kind == "category" or not column.n_present:
        return column, None
    if not column.is_whole:
        low, high = float(low), float(high)
        if np.isinf([low, high]).any():
            _reject_infinite(column.name, low if np.isinf(low) else high)
        return replace(column, low=low, high=high), None
    low, high, x = int(low), int(high), nw.col(column.key)
    is_huge = column.kind == "numeric" and has_missing and max(abs(low), abs(high)) >= LARGEST
    if -WHOLE_64 <= low and high <= WHOLE_64 and not is_huge:
        cast = None if column.fits_64 else x.cast(nw.Int64)
        return replace(column, low=low, high=high), cast
    if high - low <= (LARGEST if has_missing else WHOLE_64):
        less = (x - nw.lit(low)).cast(nw.Int64)
        return replace(column, low=0, high=high - low, offset=low), less
    return replace(column, is_whole=False, low=float(low), high=float(high)), x.cast(nw.Float64)


def _reject_infinite(name: str, value: float) -> None:
    raise DataError(
        f"Column {quoted(name)} holds an infinite value ({value}); values must be finite or missing. Hint: "
        "clip it, or replace it by NULL to make it a missing value.",
        code=Code.INFINITE_VALUE,
        column=name,
        value=value,
    )


# -- surveys -------------------------------------------------------------------------------------


class Surveyor:
    """Finds what is known of columns: levels of categories, sketches of numbers, what is inside of brackets.

    Parameters
    ----------
    database : answers queries
    values : the table
    n_kept : numbers with no more distinct values keep them
    """

    def __init__(self, database: Database, values: Values, n_kept: int) -> None:
        self._database, self._values, self._n_kept = database, values, n_kept
        self._ranks: dict[int, dict[Any, int]] = {}  # of values whose rank is known, by column

    def summaries(self, columns: Sequence[int], max_levels: int = MAX_LEVELS) -> dict[int, Summary]:
        """What is known of some columns."""
        of = self._values.columns
        found: dict[int, Summary] = {}
        levels = self._levels([j for j in columns if of[j].kind == "category"], max_levels)
        sketches = self._sketches([j for j in columns if of[j].kind != "category"])
        for j in columns:
            n_missing = self._values.n_rows - of[j].n_present
            if j in levels:
                found[j] = Summary(of[j].kind, n_missing, levels=frozenset(levels[j]))
            else:
                found[j] = Summary(of[j].kind, n_missing, sketch=sketches[j])
        return found

    def _levels(self, columns: Sequence[int], max_levels: int) -> dict[int, list[str]]:
        """The levels of categories."""
        found: dict[int, list[str]] = {j: [] for j in columns}
        rows = self._ask({j: self._distinct(j, max_levels) for j in columns})
        for j, (texts, _) in rows.items():
            found[j] = texts.tolist()
            if len(texts) > max_levels:
                raise DataError(
                    f"Column {quoted(self._values.columns[j].name)} has more than {max_levels} different "
                    "texts, too many for levels. Hint: drop it if it is an identifier, or merge rare levels.",
                    column=self._values.columns[j].name,
                )
        return found

    def exact(self, j: int, most: int) -> Sketch | None:
        """All values of a column of numbers, if there are at most this many."""
        values, counts = self._ask({j: self._distinct(j, most)}).get(j, _NO_ROWS)
        return _exact(values, counts, self._values.columns[j]) if len(values) <= most else None

    def has_fractions(self, j: int) -> bool:
        """Whether some numbers of a column are not whole."""
        column, x = self._values.columns[j], nw.col("x")
        if column.is_whole:
            return False
        frame = self._values.frame.select(x=nw.col(column.key)).filter(x != x.floor())
        return bool(self._database.ask([frame.select(n=nw.len())])["n"][0])

    def _sketches(self, columns: Sequence[int]) -> dict[int, Sketch]:
        of = self._values.columns
        direct = [j for j in columns if self._is_small(of[j])]
        found = {j: _exact(*_NO_ROWS, of[j]) for j in columns}
        for j, rows in self._ask({j: self._distinct(j) for j in direct if of[j].n_present}).items():
            found[j] = _exact(*rows, of[j])
        others = {j: [Bracket(of[j].low, of[j].high, ())] for j in set(columns) - set(direct)}
        n_buckets = min(max(self._values.n_rows // ROWS_PER_BUCKET, MIN_BUCKETS), MAX_BUCKETS)
        for j, inside in self._bucketed(others, n_buckets).items():
            sketch = inside[0].sketch
            if not sketch.is_exact and len(sketch.values) <= self._n_kept + 1:  # few, but far apart
                sketch = self.exact(j, max(DIRECT_ROWS, self._n_kept)) or sketch
            found[j] = sketch
        return found

    def _is_small(self, column: ValueColumn) -> bool:
        is_narrow = column.is_whole and column.n_present and column.high - column.low < DIRECT_ROWS
        return bool(column.n_present <= DIRECT_ROWS or is_narrow)

    # -- brackets ------------------------------------------------------------------------------

    def inside(self, question: Question, most: int) -> Answer:
        """What is inside of brackets, see `find_cuts`."""
        few = {j: brackets for j, brackets in question.items() if self._n_inside(j, brackets) <= MAX_INSIDE}
        rows = self._ask({j: self._distinct(j, None, brackets) for j, brackets in few.items()})
        found: dict[int, list[Inside]] = {}
        for j, brackets in few.items():
            values, counts = _in_order(*rows[j], self._values.columns[j])
            found[j] = []
            for bracket in brackets:
                is_in = bracket.holds(values)
                ends = np.cumsum(counts[is_in])
                n_below = self._n_below(j, bracket, int(counts[is_in].sum()))
                found[j].append(Inside(n_below, Sketch(values[is_in], ends, ends)))
        many = {j: brackets for j, brackets in question.items() if j not in few}
        return found | self._bucketed(many, max(BRACKET_BUCKETS, most // 8))

    def _n_inside(self, j: int, brackets: Sequence[Bracket]) -> int:
        """An upper bound on the rows inside brackets, without those equal to the lower end."""
        column = self._values.columns[j]
        if column.is_whole and sum(b.high - b.low + 1 for b in brackets) <= MAX_INSIDE:
            return 0
        ranks = self._ranks.get(j, {})
        n = column.n_present
        return sum(ranks.get(b.high, n) - ranks.get(b.low, 0) for b in brackets)

    def _n_below(self, j: int, bracket: Bracket, n_inside: int) -> int:
        """Values below a bracket; its upper end has a known rank, unless it was cut by width."""
        rank = self._ranks.get(j, {}).get(bracket.high)
        return 0 if rank is None else rank - n_inside

    def _bucketed(self, question: Question, n_buckets: int) -> dict[int, list[Inside]]:
        """Sketches of what is inside of brackets, by buckets."""
        branches = {j: self._buckets(j, brackets, n_buckets) for j, brackets in question.items()}
        found: dict[int, list[Inside]] = {}
        for j, rows in self._ask_of_types(branches, ("b", "n", "low", "high")).items():
            buckets, counts, lows, highs = rows
            order = np.argsort(buckets.astype(np.int64), kind="stable")
            piece, counts = buckets[order].astype(np.int64) // n_buckets, counts[order].astype(np.int64)
            column = self._values.columns[j]
            lows, highs = _typed(lows[order], column), _typed(highs[order], column)
            found[j] = []
            for k, bracket in enumerate(question[j]):
                at = piece == k
                sketch = _of_buckets(counts[at], lows[at], highs[at])
                is_whole_column = bracket.low == column.low and bracket.high == column.high
                n_below = 0 if is_whole_column else self._n_below(j, bracket, sketch.n)
                known = zip(highs[at].tolist(), (n_below + np.cumsum(counts[at])).tolist(), strict=True)
                self._ranks.setdefault(j, {}).update(known)
                found[j].append(Inside(n_below, sketch))
        return found

    # -- queries -------------------------------------------------------------------------------

    def _distinct(self, j: int, most: int | None = None, brackets: Sequence[Bracket] = ()) -> Frame:
        """The distinct values of a column, or of those inside of brackets, and how often they occur."""
        found = self._present(j, brackets).group_by("x").agg(n=nw.len())
        return found if most is None else found.head(most + 1)

    def _present(self, j: int, brackets: Sequence[Bracket]) -> Frame:
        """The values of a column that are not missing, or those of them inside of brackets."""
        column, x, number = self._values.columns[j], nw.col("x"), self._database.number
        frame = self._values.frame.select(x=nw.col(column.key))
        if [(bracket.low, bracket.high) for bracket in brackets] in ([], [(column.low, column.high)]):
            return frame.filter(~x.is_null())  # all of them, which the engine need not compare
        inside = [(x >= number(bracket.low)) & (x <= number(bracket.high)) for bracket in brackets]
        return frame.filter(reduce(or_, inside))

    def _buckets(self, j: int, brackets: Sequence[Bracket], n_buckets: int) -> Frame:
        """Counts, least and largest values of buckets, numbered one bracket after the other."""
        x, column = nw.col("x"), self._values.columns[j]
        frame = self._present(j, brackets)
        bucket = self._bucket(brackets[-1], n_buckets, column.is_whole) + (len(brackets) - 1) * n_buckets
        for k in reversed(range(len(brackets) - 1)):
            own = self._bucket(brackets[k], n_buckets, column.is_whole) + k * n_buckets
            bucket = nw.when(x <= self._database.number(brackets[k].high)).then(own).otherwise(bucket)
        return frame.with_columns(b=bucket).group_by("b").agg(n=nw.len(), low=x.min(), high=x.max())

    def _bucket(self, bracket: Bracket, n_buckets: int, is_whole: bool) -> nw.Expr:
        """The bucket of a value: it never decreases as values increase, however an engine rounds.

        Near the lower end nothing is multiplied: some engines refuse numbers that become too small.
        """
        x, number = nw.col("x"), self._database.number
        low, high = bracket.low, bracket.high
        if is_whole and high - low <= WHOLE_64:
            difference, span = (x - number(low)).cast(nw.Float64), float(high - low)
        else:
            low, high = float(low), float(high)
            half = 0.5 if np.isinf(high - low) else 1.0
            difference = x.cast(nw.Float64) - number(low)
            if half < 1:
                difference = x.cast(nw.Float64) * number(half) - number(low * half)
            span = high * half - low * half
        if 0 < span < 2.0**-900:  # its inverse would be infinite
            difference, span = difference * number(2.0**900), span * 2.0**900
        scale = min((n_buckets - 0.5) / span, 1e300) if span > 0 else 0.0
        place = (difference * number(scale)).floor().cast(nw.Int64)
        return nw.when(x <= number(_near(bracket, n_buckets))).then(nw.lit(0)).otherwise(place)

    def _ask(self, branches: Mapping[int, Frame]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """Values and how often they occur, by column."""
        return {j: (x, n) for j, (x, n) in self._ask_of_types(branches, ("x", "n")).items()}

    def _ask_of_types(self, branches: Mapping[int, Frame], names: Sequence[str]) -> dict[int, Any]:
        """The answers to queries, by column; columns of one type are asked for together."""
        of = self._values.columns
        found: dict[int, Any] = {}
        for is_type in (
            lambda c: c.kind == "category",
            lambda c: c.kind != "category" and c.is_whole,
            lambda c: c.kind != "category" and not c.is_whole,
        ):
            members = [j for j in branches if is_type(of[j])]
            if not members:
                continue
            rows = self._database.ask(
                [branches[j].select(nw.lit(j).cast(nw.Int64).alias("w"), *names) for j in members]
            )
            which = rows["w"].astype(np.int64)
            for j in members:
                at = which == j
                found[j] = tuple(rows[name][at] for name in names)
        return found


_NO_ROWS = (np.empty(0, np.int64), np.empty(0, np.int64))


def _typed(values: np.ndarray, column: ValueColumn) -> np.ndarray:
    return values.astype(np.int64 if column.is_whole else np.float64)


def _in_order(values: np.ndarray, counts: np.ndarray, column: ValueColumn) -> tuple[np.ndarray, np.ndarray]:
    """Distinct numbers in ascending order; zeros of both signs are one."""
    values, place = np.unique(_typed(values, column), return_inverse=True)
    totals = np.zeros(len(values), np.int64)
    np.add.at(totals, place, counts.astype(np.int64))
    return values, totals


def _exact(values: np.ndarray, counts: np.ndarray, column: ValueColumn) -> Sketch:
    values, counts = _in_order(values, counts, column)
    ends = np.cumsum(counts)
    return Sketch(values, ends, ends)


def _of_buckets(counts: np.ndarray, lows: np.ndarray, highs: np.ndarray) -> Sketch:
    """The largest values of buckets have known ranks; the least of all is put before them."""
    ends = np.cumsum(counts)
    if (lows == highs).all():
        return Sketch(highs, ends, ends)
    if lows[0] == highs[0]:
        return Sketch(highs, ends, ends, is_exact=False)
    return Sketch(
        np.append(lows[:1], highs), np.append(1, ends), np.append(ends[0] - 1, ends), is_exact=False
    )


def _near(bracket: Bracket, n_buckets: int) -> Any:
    """A value within the first bucket."""
    low, high = bracket.low, bracket.high
    if isinstance(low, int) and isinstance(high, int):
        return low + (high - low) // (4 * n_buckets)
    return low + (high / 4 - low / 4) / n_buckets


# -- codes ---------------------------------------------------------------------------------------


def finished(encoding: ColumnEncoding, column: ValueColumn) -> ColumnEncoding:
    """The record as it is of a table in memory, where whole numbers beside missing ones are floats."""
    are_floats = encoding.n_missing or column.kind in ("datetime", "duration")
    if column.offset or column.kind == "category" or not (column.is_whole and are_floats):
        return more_offset(encoding, column.offset)

    def own(values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        return values and tuple(float(value) for value in values)

    return replace(encoding, levels=own(encoding.levels), edges=own(encoding.edges))


def code_of(database: Database, encoding: ColumnEncoding, column: ValueColumn) -> nw.Expr | None:
    """The code of each row, given levels or edges of `column`'s values; None if its texts are to be kept."""
    x = nw.col(column.key)
    if encoding.kind == "category":
        if not _can_be_written(encoding.levels or ()):
            return None
        code = _find(x, encoding.levels or (), 0)
    else:
        bounds = encoding.edges if encoding.edges is not None else (encoding.levels or ())[:-1]
        code = _search(database, x, bounds, 0)
    if encoding.n_missing:
        code = nw.when(x.is_null()).then(nw.lit(encoding.n_levels - 1)).otherwise(code)
    return code


def _find(x: nw.Expr, levels: Sequence[str], first: int) -> nw.Expr:
    """The number of the level that a text is, by halves: engines limit how deeply expressions are nested."""
    if not levels:
        return nw.lit(None)
    if len(levels) == 1:
        return nw.when(x == levels[0]).then(nw.lit(first))
    middle = len(levels) // 2
    right = _find(x, levels[middle:], first + middle)
    return nw.when(x.is_in(levels[:middle])).then(_find(x, levels[:middle], first)).otherwise(right)


def _search(database: Database, x: nw.Expr, bounds: Sequence[Any], first: int) -> nw.Expr:
    """The number of bounds below a value, by halves."""
    if not bounds:
        return nw.lit(first)
    middle = len(bounds) // 2
    left = _search(database, x, bounds[:middle], first)
    right = _search(database, x, bounds[middle + 1 :], first + middle + 1)
    return nw.when(x <= database.number(bounds[middle])).then(left).otherwise(right)


def _can_be_written(levels: Sequence[str]) -> bool:
    """Whether levels are few, short and of characters that any engine reads back as they are."""
    is_plain = (
        level.isprintable() and "\\" not in level and len(level) <= MAX_CODED_LENGTH for level in levels
    )
    return len(levels) <= MAX_CODED_LEVELS and all(is_plain)

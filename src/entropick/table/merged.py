"""The encoding of a table that is never in one place: summaries of its parts, merged, then the edges.

What comes out is what `Encoding.fit` finds on the whole table, to the last bit. Levels of categories are
united. Numbers are summarised by a `Sketch`: all distinct values with their counts where these are few, else
some of the values with bounds on their ranks. Such bounds enclose every quantile by two values (a `Bracket`).
Parts are encoded by these brackets at once (`draft`), and keep the few values inside; rounds of questions
about those narrow the brackets until the edges are known, and `finish` puts them in. So each part is read
twice, whatever its size, and what travels has a bound.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.codes import Codes, ColumnEncoding, Target, dense_parts, smallest_dtype
from entropick.table.encoding import Encoding, Rules
from entropick.table.inputs import BLOCK_VALUES, open_input, refuse_infinite, refuse_missing

SKETCH_VALUES = 2048  # values of a sketch: brackets then hold about one row in a hundred of a column
COUNTED_RANGE = 1 << 16  # whole numbers of a smaller range are counted, not sorted


def sketch_values(rules: Rules) -> int:
    """How many values a sketch has: brackets around quantiles must be narrow next to what is between them."""
    return max(SKETCH_VALUES, 16 * rules.n_bins)


# -- sketches ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sketch:
    """Some of the values of a column, in ascending order, and between what their ranks are.

    Attributes
    ----------
    values : distinct values of the column; the least and the largest are among them
    at_least, at_most : bounds on how many values are less than or equal to each
    is_exact : whether these are all distinct values, so that both bounds are the number
    """

    values: np.ndarray
    at_least: np.ndarray
    at_most: np.ndarray
    is_exact: bool = True

    @property
    def n(self) -> int:
        """How many values the column has, missing ones not counted."""
        return int(self.at_least[-1]) if len(self.at_least) else 0

    @property
    def counts(self) -> np.ndarray:
        """How often each value occurs, where the sketch is exact."""
        return np.diff(self.at_least, prepend=0)

    @classmethod
    def of(cls, values: np.ndarray, most: int = SKETCH_VALUES) -> "Sketch":
        """The sketch of values none of which is missing."""
        if values.dtype.kind in "iu" and len(values):
            low, high = int(values.min()), int(values.max())
            if high - low < min(COUNTED_RANGE, 4 * len(values)):
                counts = np.bincount((values - values.dtype.type(low)).astype(np.intp, copy=False))
                present = np.flatnonzero(counts)
                return cls._exact(present + low, np.cumsum(counts[present]), most)
        ordered = np.sort(values)
        thin = cls._of_ordered(ordered, most) if len(ordered) > 4 * most else None
        if thin is not None:
            return thin
        ends = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        ends = np.append(ends, len(ordered)) if len(ordered) else ends
        return cls._exact(ordered[ends - 1], ends.astype(np.int64), most)

    @classmethod
    def _of_ordered(cls, ordered: np.ndarray, most: int) -> "Sketch | None":
        """Values at even distances, if they all differ, so that there are more than a sketch can hold."""
        values = ordered[np.linspace(0, len(ordered) - 1, most).astype(np.int64)]
        if (values[1:] == values[:-1]).any():
            return None
        ends = np.searchsorted(ordered, values, side="right").astype(np.int64)
        return cls(values, ends, ends, is_exact=False)

    @classmethod
    def _exact(cls, values: np.ndarray, ends: np.ndarray, most: int) -> "Sketch":
        if values.dtype.kind in "iu":
            values = values.astype(np.int64, copy=False)
        return cls(values, ends, ends)._thinned(most)

    @classmethod
    def merged(cls, sketches: Sequence["Sketch"], most: int = SKETCH_VALUES) -> "Sketch":
        """The sketch of all columns in a row; whole numbers become floats where others have fractions."""
        sketches = [sketch for sketch in sketches if sketch.n] or [*sketches[:1]]
        dtype = np.result_type(*(sketch.values.dtype for sketch in sketches))
        sketches = [sketch.as_type(dtype) for sketch in sketches]
        values = np.unique(np.concatenate([sketch.values for sketch in sketches]))
        at_least, at_most = np.zeros((2, len(values)), np.int64)
        for sketch in sketches:
            least, most_of_it = sketch._ranks(values)
            at_least += least
            at_most += most_of_it
        is_exact = all(sketch.is_exact for sketch in sketches)
        return cls(values, at_least, at_most, is_exact)._thinned(most)

    def as_type(self, dtype: np.dtype) -> "Sketch":
        """The same in another type, in which some values may be equal that were not."""
        if self.values.dtype == dtype or not self.n:
            return replace(self, values=self.values.astype(dtype))
        values = self.values.astype(dtype)
        last = np.append(np.flatnonzero(values[1:] != values[:-1]), len(values) - 1)
        return Sketch(values[last], self.at_least[last], self.at_most[last], self.is_exact)

    def _ranks(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds on how many are less than or equal to each of some values."""
        after = np.searchsorted(self.values, values, side="right")  # so many of the sketch are
        at_least = np.append(0, self.at_least)[after]
        if self.is_exact:
            return at_least, at_least
        # Below the next value of the sketch there is at least that one less.
        at_most = np.append(self.at_most - 1, self.n)[after]
        known = after > 0
        known[known] = self.values[after[known] - 1] == values[known]
        at_most[known] = self.at_most[after[known] - 1]
        return at_least, at_most

    def _thinned(self, most: int) -> "Sketch":
        """At most so many values, about evenly spaced in rank, the first and the last among them."""
        if len(self.values) <= most:
            return self
        ranks = np.linspace(self.at_least[0], self.n, most).astype(np.int64)
        kept = np.unique(np.minimum(np.searchsorted(self.at_least, ranks), len(self.values) - 1))
        return Sketch(self.values[kept], self.at_least[kept], self.at_most[kept], is_exact=False)

    def around_rank(self, rank: int) -> tuple[Any, Any]:
        """Two values: the one of this rank is above the first, or the least of all, and up to the second."""
        below = int(np.searchsorted(self.at_most, rank)) - 1  # bounds ascend, as ranks do
        above = int(np.searchsorted(self.at_least, rank))
        return self.values[max(below, 0)].item(), self.values[above].item()


# -- summaries of parts --------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """What is known of a column, of one part of the rows or of all.

    `levels` are those of a category; all other kinds have a sketch.
    """

    kind: str
    n_missing: int
    levels: frozenset[str] | None = None
    sketch: Sketch | None = None

    @property
    def has_values(self) -> bool:
        return bool(self.levels) if self.sketch is None else self.sketch.n > 0


@dataclass(frozen=True)
class Survey:
    """What is known of the columns of some rows."""

    names: tuple[str, ...]
    n_rows: int
    columns: tuple[Summary, ...]


def survey(X: Any, names: Sequence[str] | None = None, most: int = SKETCH_VALUES) -> Survey:
    """Look at all columns of a part of the rows, which may have none."""
    source = open_input(X, names)
    found: list[Summary | None] = [None] * len(source.names)
    numeric = []
    for j, kind in enumerate(source.kinds):
        if kind != "category":
            numeric.append(j)
            continue
        codes, levels = source.category(j)
        found[j] = Summary(kind, int(np.count_nonzero(codes < 0)), levels=frozenset(levels))
    block = max(1, BLOCK_VALUES // max(1, source.n_rows))
    for first in range(0, len(numeric), block):
        for columns, values in source.numeric(numeric[first : first + block]):
            refuse_infinite(values, [source.names[j] for j in columns])
            for j, column in zip(columns, values, strict=True):
                found[j] = summary_of_numbers(column, source.kinds[j], most)
    return Survey(tuple(source.names), source.n_rows, tuple(column for column in found if column is not None))


def summary_of_numbers(column: np.ndarray, kind: str, most: int = SKETCH_VALUES) -> Summary:
    """The summary of a column of numbers, NaN where missing."""
    n_missing = 0
    if column.dtype.kind == "f":
        missing = np.isnan(column)
        n_missing = int(np.count_nonzero(missing))
        column = column[~missing] if n_missing else column
    return Summary(kind, n_missing, sketch=Sketch.of(column, most))


def merge_surveys(surveys: Sequence[Survey], most: int = SKETCH_VALUES) -> Survey:
    """The survey of all rows together."""
    first = surveys[0]
    for other in surveys[1:]:
        check_names(first.names, other.names)
    columns = [
        merge_summaries(name, [survey.columns[j] for survey in surveys], most)
        for j, name in enumerate(first.names)
    ]
    return Survey(first.names, sum(survey.n_rows for survey in surveys), tuple(columns))


def check_names(names: Sequence[str], others: Sequence[str]) -> None:
    """Refuse parts whose columns differ."""
    if tuple(names) == tuple(others):
        return
    differing = [name for name in (*names, *others) if (name in names) != (name in others)]
    told = f"{differing[0]!r} is not in all of them" if differing else "their order differs"
    raise DataError(
        f"All partitions must have the same columns in the same order, but {told}. Hint: choose the columns "
        "that all have, in one order."
    )


def merge_summaries(name: str, summaries: Sequence[Summary], most: int = SKETCH_VALUES) -> Summary:
    """The summary of a column from those of its parts; a part without values is of any kind."""
    with_values = [summary for summary in summaries if summary.has_values]
    kinds = list(dict.fromkeys(summary.kind for summary in with_values))
    if len(kinds) > 1:
        raise DataError(
            f"Column {name!r} holds {_IN_WORDS[kinds[0]]} in one partition and {_IN_WORDS[kinds[1]]} in "
            "another. Hint: give the column one type in all partitions."
        )
    # where there are no values at all, the type tells; columns of no type count as numbers
    kind = kinds[0] if kinds else next((s.kind for s in summaries if s.kind != "numeric"), "numeric")
    n_missing = sum(summary.n_missing for summary in summaries)
    if kind == "category":
        return Summary(kind, n_missing, levels=frozenset().union(*(s.levels or () for s in with_values)))
    sketch = Sketch.merged([s.sketch for s in with_values if s.sketch is not None] or [_NOTHING], most)
    if n_missing:
        sketch = sketch.as_type(np.dtype(np.float64))  # as the column would be with its missing values
    return Summary(kind, n_missing, sketch=sketch)


_NOTHING = Sketch(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
_IN_WORDS = {"numeric": "numbers", "boolean": "booleans", "datetime": "times", "duration": "durations",
             "category": "texts or categories"}  # fmt: skip


# -- edges ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bracket:
    """Two values that enclose places where a column may be cut, both inside.

    `wanted` are these places: ranks in the whole column where it is cut at quantiles, limits where it is cut
    into parts of equal width.
    """

    low: Any
    high: Any
    wanted: tuple[float, ...]

    def holds(self, values: np.ndarray) -> np.ndarray:
        return (values >= self.low) & (values <= self.high)


@dataclass(frozen=True)
class Inside:
    """What is inside of a bracket: how many values are below it, and the sketch of those in it."""

    n_below: int
    sketch: Sketch

    @classmethod
    def of(cls, values: np.ndarray, bracket: Bracket, most: int, n_left_out: int = 0) -> "Inside":
        """Of the values of a part; so many more are below the bracket."""
        n_below = n_left_out + int(np.count_nonzero(values < bracket.low))
        return cls(n_below, Sketch.of(values[bracket.holds(values)], most))

    @classmethod
    def merged(cls, parts: Sequence["Inside"], most: int) -> "Inside":
        sketch = Sketch.merged([part.sketch for part in parts], most)
        return cls(sum(part.n_below for part in parts), sketch)


def wanted_places(sketch: Sketch, rules: Rules) -> list[float]:
    """Where a column is to be cut: ranks, or limits computed as the compiled loop does."""
    n_bins = rules.n_bins
    if rules.binning != "uniform":
        return [k * sketch.n // n_bins for k in range(1, n_bins)]
    low, high, bins = float(sketch.values[0]), float(sketch.values[-1]), float(n_bins)
    width = high / bins - low / bins
    limits = [low + float(k) * width for k in range(1, n_bins)]
    return [limit for limit in limits if limit > low]


def brackets_of(inside: Inside, wanted: Sequence[float], rules: Rules) -> list[Bracket]:
    """Brackets around the wanted places, those that touch joined, in ascending order."""
    found: list[Bracket] = []
    for place in wanted:
        low, high = _around(inside, place, rules)
        if found and _next(found[-1].high) >= low:
            last = found.pop()
            found.append(Bracket(last.low, max(last.high, high), (*last.wanted, place)))
        else:
            found.append(Bracket(low, high, (place,)))
    return found


def _around(inside: Inside, place: float, rules: Rules) -> tuple[Any, Any]:
    sketch = inside.sketch
    if rules.binning != "uniform":
        return sketch.around_rank(int(place) - inside.n_below)
    below = int(np.searchsorted(sketch.values.astype(np.float64), place)) - 1
    return sketch.values[below].item(), _last_below(place, is_whole=sketch.values.dtype.kind != "f")


def _next(value: float) -> float:
    return value + 1 if isinstance(value, int) else float(np.nextafter(value, np.inf))


def _previous(value: float) -> float:
    return value - 1 if isinstance(value, int) else float(np.nextafter(value, -np.inf))


def _last_below(limit: float, is_whole: bool) -> Any:
    """The largest number that is below a limit once it is a float."""
    if not is_whole:
        return _previous(limit)
    number = int(np.ceil(limit))
    while float(number) >= limit:
        number -= 1
    while float(number + 1) < limit:
        number += 1
    return number


def _cuts_inside(inside: Inside, wanted: Sequence[float], rules: Rules) -> list[Any]:
    """The largest value of each level, where all values of the bracket are known."""
    values, ends = inside.sketch.values, inside.sketch.at_least + inside.n_below
    if rules.binning == "uniform":
        return [values[place - 1].item() for place in np.searchsorted(values.astype(np.float64), wanted)]
    found = []
    for rank in map(int, wanted):
        run = int(np.searchsorted(ends, rank))
        begin = int(ends[run - 1]) if run else inside.n_below
        run -= 2 * rank <= begin + int(ends[run])  # in a run of equal values, at the nearer end
        if run >= 0:
            found.append(values[run].item())
    return found


def _narrowed(
    brackets: Sequence[Bracket], inside: Sequence[Inside], rules: Rules
) -> tuple[list[Bracket], list[Any]]:
    """Narrower brackets, and the cuts that are known now."""
    left: list[Bracket] = []
    known: list[Any] = []
    for bracket, found in zip(brackets, inside, strict=True):
        if found.sketch.is_exact:
            known += _cuts_inside(found, bracket.wanted, rules)
        else:
            left += brackets_of(found, bracket.wanted, rules)
    return left, known


Question = Mapping[int, Sequence[Bracket]]  # by column
Answer = Mapping[int, list[Inside]]


def find_cuts(
    question: Question, rules: Rules, ask: Callable[[Question, int], Answer]
) -> dict[int, set[Any]]:
    """The cuts of columns, after as many rounds of questions as it takes.

    Parameters
    ----------
    question : brackets of each column
    rules : how values become levels
    ask : what is inside of brackets over all rows, in sketches of at most so many values
    """
    cuts: dict[int, set[Any]] = {j: set() for j in question}
    most = sketch_values(rules)
    while question:
        inside, left = ask(question, most), {}
        for j, brackets in question.items():
            narrower, known = _narrowed(brackets, inside[j], rules)
            cuts[j].update(known)
            if narrower:
                left[j] = narrower
        question = left
        most *= 2  # so that an end is certain, however the values lie
    return cuts


def merge_answers(answers: Sequence[Answer], most: int) -> Answer:
    """The answers of all parts together."""
    return {
        j: [Inside.merged(parts, most) for parts in zip(*(one[j] for one in answers), strict=True)]
        for j in answers[0]
    }


# -- drafts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How parts are encoded while edges are not known yet.

    Attributes
    ----------
    encoding : of all columns: final, or with the ends of brackets as edges
    brackets : of the columns that are not final
    highest : the largest values of these columns
    rules : how values become levels
    n_rows : of the whole table
    """

    encoding: Encoding
    brackets: Mapping[int, tuple[Bracket, ...]]
    highest: Mapping[int, Any]
    rules: Rules
    n_rows: int


def plan_encoding(found: Survey, rules: Rules) -> Plan:
    """The encoding as far as a survey of all rows tells it."""
    if not found.n_rows or not found.names:
        raise DataError(
            f"The table must have rows and columns, got {found.n_rows} rows and {len(found.names)} columns."
        )
    brackets: dict[int, tuple[Bracket, ...]] = {}
    highest: dict[int, Any] = {}
    columns = []
    for j, (name, column) in enumerate(zip(found.names, found.columns, strict=True)):
        refuse_missing(name, column.n_missing, rules.missing)
        sketch = column.sketch
        if sketch is None or sketch.is_exact:
            columns.append(_exact_encoding(name, column, rules))
            continue
        brackets[j] = tuple(brackets_of(Inside(0, sketch), wanted_places(sketch, rules), rules))
        highest[j] = sketch.values[-1].item()
        ends = [_previous(b.low) for b in brackets[j] if b.low > sketch.values[0]]
        ends += [b.high for b in brackets[j]]
        columns.append(_binned(name, column, tuple(sorted(ends))))
    # codes must have room for the intervals between the ends of brackets
    encoding = Encoding(tuple(columns), replace(rules, n_bins=2 * rules.n_bins))
    return Plan(encoding, brackets, highest, rules, found.n_rows)


def _exact_encoding(name: str, column: Summary, rules: Rules) -> ColumnEncoding:
    """The encoding of a column all of whose distinct values are known."""
    sketch = column.sketch
    if sketch is not None and len(sketch.values) > rules.n_kept:
        cuts = _cuts_inside(Inside(0, sketch), wanted_places(sketch, rules), rules)
        return _binned(name, column, _edges(cuts, sketch.values[-1].item()))
    levels = tuple(sorted(column.levels or ()) if sketch is None else sketch.values.tolist())
    n_levels = len(levels) + (column.n_missing > 0)
    return ColumnEncoding(name, column.kind, n_levels, column.n_missing, levels=levels)


def _edges(cuts: Iterable[Any], highest: Any) -> tuple[Any, ...]:
    """Cuts as edges: each once, none at the largest value."""
    return tuple(sorted({cut for cut in cuts if cut < highest}))


def _binned(name: str, column: Summary | ColumnEncoding, edges: tuple[Any, ...]) -> ColumnEncoding:
    n_levels = len(edges) + 1 + (column.n_missing > 0)
    return ColumnEncoding(name, column.kind, n_levels, column.n_missing, edges=edges)


@dataclass(frozen=True)
class Draft:
    """A part of the rows, encoded as far as the edges are known.

    Attributes
    ----------
    codes : levels or, in columns with brackets, the intervals between their ends
    members : of these columns, the rows whose values are inside of a bracket, and these values
    n_outside : of these columns, how many rows each interval has, none where it is a bracket
    """

    codes: Codes
    members: Mapping[int, tuple[np.ndarray, np.ndarray]]
    n_outside: Mapping[int, np.ndarray]


def draft(X: Any, target: Target | None, plan: Plan) -> Draft:
    """Encode a part of the rows as far as the plan tells how."""
    members: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    n_outside: dict[int, np.ndarray] = {}

    def look(j: int, values: np.ndarray, intervals: np.ndarray) -> None:
        """Keep what is inside of brackets, while the column is at hand."""
        if j not in plan.brackets:
            return
        column = plan.encoding.columns[j]
        ends = np.asarray(column.edges)
        is_inside = np.zeros(column.n_levels, np.bool_)
        is_inside[np.searchsorted(ends, [bracket.high for bracket in plan.brackets[j]])] = True
        rows = np.flatnonzero(is_inside[intervals]).astype(np.int32)
        members[j] = rows, values[rows].astype(ends.dtype, copy=False)
        n_outside[j] = np.array(
            [0 if inside else np.count_nonzero(intervals == i) for i, inside in enumerate(is_inside)]
        )

    return Draft(plan.encoding.apply(X, target, look), members, n_outside)


def answer(part: Draft, plan: Plan, question: Question, most: int) -> Answer:
    """What is inside of brackets that lie in those of the plan, of one part of the rows."""
    found: dict[int, list[Inside]] = {}
    for j, brackets in question.items():
        _, values = part.members[j]
        ends = np.asarray(plan.encoding.columns[j].edges)
        n_up_to = np.append(0, np.cumsum(part.n_outside[j]))
        left_out = n_up_to[np.searchsorted(ends, [bracket.high for bracket in brackets])].tolist()
        found[j] = [
            Inside.of(values, bracket, most, n) for bracket, n in zip(brackets, left_out, strict=True)
        ]
    return found


def conclude(plan: Plan, ask: Callable[[Question, int], Answer]) -> Encoding:
    """The final encoding; `ask` as in `find_cuts`."""
    columns = list(plan.encoding.columns)
    for j, cuts in find_cuts(plan.brackets, plan.rules, ask).items():
        columns[j] = _binned(columns[j].name, columns[j], _edges(cuts, plan.highest[j]))
    return Encoding(tuple(columns), plan.rules)


def finish(part: Draft, plan: Plan, encoding: Encoding) -> Codes:
    """The codes of a part, now that the edges are known."""
    codes = part.codes
    if not plan.brackets:
        return codes
    columns = dict(enumerate(codes))
    for j, (rows, values) in part.members.items():
        edges = np.asarray(encoding.columns[j].edges, values.dtype)
        ends = np.asarray(plan.encoding.columns[j].edges)
        # An interval outside of brackets has the level after its lower end; missing values come last.
        levels = np.concatenate([[0], np.searchsorted(edges, ends, side="right"), [len(edges) + 1]])
        column = levels.astype(smallest_dtype(encoding.columns[j].n_levels))[codes.column(j)]
        column[rows] = np.searchsorted(edges, values)
        columns[j] = column
    n_levels = np.array([column.n_levels for column in encoding.columns], np.int64)
    return Codes(codes.n_rows, n_levels, dense_parts(columns, n_levels, codes.n_rows), codes.target)

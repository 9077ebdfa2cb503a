"""Drafts: parts encoded by brackets at once, and finished when the edges are known."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.codes import Codes, ColumnEncoding, Target, dense_parts, smallest_dtype
from entropick.table.encoding.distributed.brackets import (
    Answer,
    Bracket,
    Inside,
    Question,
    brackets_of,
    cuts_inside,
    find_cuts,
    previous,
    wanted_places,
)
from entropick.table.encoding.distributed.surveys import Summary, Survey
from entropick.table.encoding.encoding import Encoding, Rules
from entropick.table.readers.inputs import reject_missing


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
        reject_missing(name, column.n_missing, rules.missing)
        sketch = column.sketch
        if sketch is None or sketch.is_exact:
            columns.append(_exact_encoding(name, column, rules))
            continue
        brackets[j] = tuple(brackets_of(Inside(0, sketch), wanted_places(sketch, rules), rules))
        highest[j] = sketch.values[-1].item()
        ends = [previous(b.low) for b in brackets[j] if b.low > sketch.values[0]]
        ends += [b.high for b in brackets[j]]
        columns.append(_binned(name, column, tuple(sorted(ends))))
    # codes must have room for the intervals between the ends of brackets
    encoding = Encoding(tuple(columns), replace(rules, n_bins=2 * rules.n_bins))
    return Plan(encoding, brackets, highest, rules, found.n_rows)


def _exact_encoding(name: str, column: Summary, rules: Rules) -> ColumnEncoding:
    """The encoding of a column all of whose distinct values are known."""
    sketch = column.sketch
    if sketch is not None and len(sketch.values) > rules.n_kept:
        cuts = cuts_inside(Inside(0, sketch), wanted_places(sketch, rules), rules)
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

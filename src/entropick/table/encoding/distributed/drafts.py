"""Drafts: parts encoded with brackets first, and finished when the edges are known."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

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
from entropick.table.readers.checks import reject_missing
from entropick.table.readers.inputs import check_shape


@dataclass(frozen=True)
class Plan:
    """How parts are encoded before all edges are known.

    Attributes
    ----------
    encoding : encoding of all columns; those with brackets have the ends of brackets as edges
    brackets : brackets of the columns whose edges are not known yet
    highest : largest values of these columns
    rules : how values become levels
    """

    encoding: Encoding
    brackets: Mapping[int, tuple[Bracket, ...]]
    highest: Mapping[int, Any]
    rules: Rules


def plan_encoding(found: Survey, rules: Rules) -> Plan:
    """Plan the encoding from a survey of all rows."""
    check_shape(found.n_rows, found.names)
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
    # the codes must have room for the intervals between the ends of brackets
    encoding = Encoding(tuple(columns), replace(rules, n_bins=2 * rules.n_bins))
    return Plan(encoding, brackets, highest, rules)


def _exact_encoding(name: str, column: Summary, rules: Rules) -> ColumnEncoding:
    """Encode a column all of whose distinct values are known."""
    sketch = column.sketch
    if sketch is not None and len(sketch.values) > rules.n_kept:
        cuts = cuts_inside(Inside(0, sketch), wanted_places(sketch, rules), rules)
        return _binned(name, column, _edges(cuts, sketch.values[-1].item()))
    levels = tuple(sorted(column.levels or ()) if sketch is None else sketch.values.tolist())
    n_levels = len(levels) + (column.n_missing > 0)
    return ColumnEncoding(name, column.kind, n_levels, column.n_missing, levels=levels)


def _edges(cuts: Iterable[Any], highest: Any) -> tuple[Any, ...]:
    """Sort the edges; drop repeated ones and that of the largest value."""
    return tuple(sorted({cut for cut in cuts if cut < highest}))


def _binned(name: str, column: Summary | ColumnEncoding, edges: tuple[Any, ...]) -> ColumnEncoding:
    n_levels = len(edges) + 1 + (column.n_missing > 0)
    return ColumnEncoding(name, column.kind, n_levels, column.n_missing, edges=edges)


@dataclass(frozen=True)
class Draft:
    """A part of the rows, encoded as far as the edges are known.

    Attributes
    ----------
    codes : levels or, in columns with brackets, the intervals between the ends of brackets
    members : for these columns, the rows whose values are inside a bracket, and these values
    n_outside : for these columns, the number of rows of each interval; 0 for a bracket
    """

    codes: Codes
    members: Mapping[int, tuple[np.ndarray, np.ndarray]]
    n_outside: Mapping[int, np.ndarray]


def draft(X: Any, target: Target | None, plan: Plan) -> Draft:
    """Encode a part of the rows according to the plan."""
    members: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    n_outside: dict[int, np.ndarray] = {}

    def keep_inside(j: int, values: np.ndarray, intervals: np.ndarray) -> None:
        """Keep the values inside brackets while the column is in memory."""
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

    return Draft(plan.encoding.apply(X, target, keep_inside), members, n_outside)


def answer(part: Draft, plan: Plan, question: Question, most: int) -> Answer:
    """Summarise what one part of the rows has inside brackets, which lie in those of the plan."""
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
    """Find the final encoding; `ask` as in `find_cuts`."""
    columns = list(plan.encoding.columns)
    for j, cuts in find_cuts(plan.brackets, plan.rules, ask).items():
        columns[j] = _binned(columns[j].name, columns[j], _edges(cuts, plan.highest[j]))
    return Encoding(tuple(columns), plan.rules)


def finish(part: Draft, plan: Plan, encoding: Encoding) -> Codes:
    """Encode a part, now that the edges are known."""
    codes = part.codes
    if not plan.brackets:
        return codes
    columns = dict(enumerate(codes))
    for j, (rows, values) in part.members.items():
        edges = np.asarray(encoding.columns[j].edges, values.dtype)
        ends = np.asarray(plan.encoding.columns[j].edges)
        # An interval outside brackets has the level after its lower end; missing values come last.
        levels = np.concatenate([[0], np.searchsorted(edges, ends, side="right"), [len(edges) + 1]])
        column = levels.astype(smallest_dtype(encoding.columns[j].n_levels))[codes.column(j)]
        column[rows] = np.searchsorted(edges, values)
        columns[j] = column
    n_levels = np.array([column.n_levels for column in encoding.columns], np.int64)
    return Codes(codes.n_rows, n_levels, dense_parts(columns, n_levels, codes.n_rows), codes.target)

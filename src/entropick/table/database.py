"""Tables inside a database: levels are found and rows are counted there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from entropick.contracts import COUNTED, Need
from entropick.counting.cells import CellCounts
from entropick.counting.database import TARGET, DatabaseCells, key_of
from entropick.exceptions import CombinationError, Hint, Message
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.encoding.distributed import Answer, Question, Survey, conclude, plan_encoding
from entropick.table.encoding.distributed.surveys import Summary
from entropick.table.encoding.distributed.target import TARGET_VALUES, TargetSummary, encode_merged_target
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.in_database import (
    Surveyor,
    ValueColumn,
    Values,
    code_of,
    finished,
    with_bounds,
)
from entropick.table.executors.database import DatabaseColumn, DatabaseFrame, DatabaseRun
from entropick.table.table import Table, Units


@dataclass(frozen=True, kw_only=True)
class DatabaseTable(Table):
    """A table inside a database, whose rows can be counted but not read."""

    offers = COUNTED


@contextmanager
def database_table(
    X: DatabaseFrame,
    y: DatabaseColumn,
    needs: frozenset[Need],
    rules: Callable[[Callable[[], int]], Rules],
    kind: str,
) -> Iterator[DatabaseTable]:
    """Find the levels of a table and count its rows where it is; temporary tables are dropped at the end.

    Parameters
    ----------
    X, y : columns to choose from, and the target
    needs : what the parts need
    rules : how values become levels, given what counts the rows
    kind : of the target, see `encode_target`
    """
    run = DatabaseRun(y.frame, X.watch)
    try:
        values = with_bounds(run, [*X.columns, y.name])
        known = rules(partial(int, values.n_rows))
        if known.binning == "mdlp":
            raise CombinationError(
                Message(
                    Hint("binning", "mdlp"),
                    " needs all rows in one place, but they are inside a database. Hint: use ",
                    Hint("binning", "quantile"),
                    " or 'uniform'.",
                )
            )
        surveyor = Surveyor(run, values, known.n_kept)
        encodings = _encode(surveyor, values, known)
        target = _encode_target(surveyor, values, known, kind)
        counts = CellCounts(_cells(run, values, encodings, target))
        own = [
            finished(encoding, column) for encoding, column in zip(encodings, values.columns, strict=False)
        ]
        yield DatabaseTable(
            units=Units(X.columns),
            n_rows=counts.n_rows,
            needs=needs,
            encodings=own,
            _target=Target(np.empty(0, np.int32), finished(target, values.columns[-1])),
            _counts=counts,
        )
    finally:
        run.close()


def _encode(surveyor: Surveyor, values: Values, rules: Rules) -> Sequence[ColumnEncoding]:
    """The encodings of all columns but the target, in terms of values."""
    columns = values.columns[:-1]
    found = surveyor.summaries(range(len(columns)))
    survey = Survey(
        tuple(c.name for c in columns), values.n_rows, tuple(found[j] for j in range(len(columns)))
    )
    return conclude(plan_encoding(survey, rules), surveyor.inside).columns


def _encode_target(surveyor: Surveyor, values: Values, rules: Rules, kind: str) -> ColumnEncoding:
    """The classes of the target, in terms of values."""
    place = len(values.columns) - 1
    column = values.columns[place]
    summary, has_fractions = _summary_of_target(surveyor, values, column, kind)

    def ask(question: Question, most: int) -> Answer:
        """As floats, which a real target is."""
        (asked,) = question.values()
        found = surveyor.inside({place: asked}, most)[place]
        floats = np.dtype(np.float64)
        return {0: [replace(inside, sketch=inside.sketch.as_type(floats)) for inside in found]}

    return encode_merged_target(
        TargetSummary(column.name, values.n_rows, summary, has_fractions), kind, rules, ask
    )


def _summary_of_target(
    surveyor: Surveyor, values: Values, column: ValueColumn, kind: str
) -> tuple[Summary, bool]:
    """What is known of the target: all its values, unless it is cut into classes."""
    place = len(values.columns) - 1
    if column.kind == "category":
        return surveyor.summaries([place], TARGET_VALUES)[place], False
    has_fractions = surveyor.has_fractions(place)
    is_real = kind == "real" or (kind == "auto" and has_fractions)
    sketch = None if is_real else surveyor.exact(place, TARGET_VALUES)
    if sketch is None:
        return surveyor.summaries([place])[place], has_fractions
    return Summary(column.kind, values.n_rows - column.n_present, sketch=sketch), has_fractions


def _cells(
    run: DatabaseRun, values: Values, encodings: Sequence[ColumnEncoding], target: ColumnEncoding
) -> DatabaseCells:
    """The counts of the codes, which the database keeps in a temporary table where it has such."""
    texts: dict[str, Mapping[Any, int]] = {}
    codes: dict[str, nw.Expr] = {}
    keys = [*map(key_of, range(len(encodings))), TARGET]
    for key, encoding, column in zip(keys, [*encodings, target], values.columns, strict=True):
        code = code_of(run, encoding, column)
        if code is None:
            texts[key] = _places(encoding)
        codes[key] = nw.col(column.key) if code is None else code.cast(run.code_type(encoding.n_levels))
    n_levels = np.array([encoding.n_levels for encoding in encodings], np.int64)
    frame = run.stored(values.frame.select(**codes), n_bytes=values.n_rows * len(codes))
    return DatabaseCells(run, frame, n_levels, target.n_levels, texts, values.n_rows)


def _places(encoding: ColumnEncoding) -> dict[Any, int]:
    """The code of each text, and of missing ones."""
    places: dict[Any, int] = {level: code for code, level in enumerate(encoding.levels or ())}
    return places | {None: encoding.n_levels - 1} if encoding.n_missing else places

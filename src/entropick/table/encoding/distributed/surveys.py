"""Surveys: what is known of the columns of a part of the rows, and of all parts together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.encoding.distributed.sketch import SKETCH_VALUES, Sketch
from entropick.table.readers.inputs import BLOCK_VALUES, open_input, reject_infinite


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
            reject_infinite(values, [source.names[j] for j in columns])
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
    difference = f"{differing[0]!r} is not in all of them" if differing else "their order differs"
    raise DataError(
        f"All partitions must have the same columns in the same order, but {difference}. Hint: choose the "
        "columns that all have, in one order."
    )


def merge_summaries(name: str, summaries: Sequence[Summary], most: int = SKETCH_VALUES) -> Summary:
    """The summary of a column from those of its parts; a part without values is of any kind."""
    kind, with_values = common_kind(name, summaries), [part for part in summaries if part.has_values]
    n_missing = sum(summary.n_missing for summary in summaries)
    if kind == "category":
        return Summary(kind, n_missing, levels=frozenset().union(*(s.levels or () for s in with_values)))
    sketch = Sketch.merged([s.sketch for s in with_values if s.sketch is not None] or [_NOTHING], most)
    if n_missing:
        sketch = sketch.as_type(np.dtype(np.float64))  # as the column would be with its missing values
    return Summary(kind, n_missing, sketch=sketch)


def common_kind(name: str, parts: Sequence[Any]) -> str:
    """The kind of a column from those of its parts; one without values is of any kind."""
    kinds = list(dict.fromkeys(part.kind for part in parts if part.has_values))
    if len(kinds) > 1:
        raise DataError(
            f"Column {name!r} holds {_IN_WORDS[kinds[0]]} in one partition and {_IN_WORDS[kinds[1]]} in "
            "another. Hint: give the column one type in all partitions."
        )
    # where there are no values at all, the type tells; columns of no type count as numbers
    return kinds[0] if kinds else next((part.kind for part in parts if part.kind != "numeric"), "numeric")


_NOTHING = Sketch(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
_IN_WORDS = {"numeric": "numbers", "boolean": "booleans", "datetime": "times", "duration": "durations",
             "category": "strings or categories"}  # fmt: skip

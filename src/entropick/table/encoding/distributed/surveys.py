"""Surveys: summaries of the columns of a part of the rows, and of all rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.encoding.distributed.sketch import SKETCH_VALUES, Sketch
from entropick.table.encoding.known import unlike_kinds
from entropick.table.readers.checks import reject_infinite
from entropick.table.readers.inputs import BLOCK_VALUES, ArrayInput, ColumnwiseInput, Input, open_input
from entropick.table.readers.whole import LARGEST, LARGEST_64


@dataclass(frozen=True)
class Summary:
    """Summary of a column: the levels of a category, or a sketch of its numbers."""

    kind: str
    n_missing: int
    levels: frozenset[str] | None = None
    sketch: Sketch | None = None

    @property
    def has_values(self) -> bool:
        return bool(self.levels) if self.sketch is None else self.sketch.n > 0


@dataclass(frozen=True)
class Survey:
    """Summaries of all columns."""

    names: tuple[str, ...]
    n_rows: int
    columns: tuple[Summary, ...]


def survey(
    X: Any, names: Sequence[str] | None = None, most: int = SKETCH_VALUES, exact: bool = False
) -> Survey:
    """Summarise the columns of a part of the rows, which may be empty; `exact` as in `numbers_of`."""
    source = open_input(X, names)
    found: dict[int, Summary] = {}
    for j in (j for j, kind in enumerate(source.kinds) if kind == "category"):
        codes, levels = source.category(j)
        found[j] = Summary("category", int(np.count_nonzero(codes < 0)), levels=frozenset(levels))
    for j, values in numbers_of(source, exact):
        found[j] = Summary(source.kinds[j], source.n_rows - len(values), sketch=Sketch.of(values, most))
    return Survey(tuple(source.names), source.n_rows, tuple(found[j] for j in range(len(source.names))))


def blocks_of_numbers(source: Input) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Read all columns that are not categories, some at a time, as indices and values (columns, rows)."""
    numeric = [j for j, kind in enumerate(source.kinds) if kind != "category"]
    block = max(1, BLOCK_VALUES // max(1, source.n_rows))
    for first in range(0, len(numeric), block):
        yield from source.numeric(numeric[first : first + block])


def numbers_of(source: Input, exact: bool) -> Iterator[tuple[int, np.ndarray]]:
    """Read all such columns one by one, without missing values.

    Whole numbers beside missing ones are read as floats, or as 64-bit integers if they must be exact.
    """
    may_round: set[int] = set()
    if exact and isinstance(source, ArrayInput | ColumnwiseInput):
        may_round = {j for j in source.may_round() if source.kinds[j] == "numeric"}
    for columns, block in blocks_of_numbers(source):
        reject_infinite(block, [source.names[j] for j in columns])
        for j, values in zip(columns.tolist(), block, strict=True):
            whole = _whole(source, j) if j in may_round and values.dtype.kind == "f" else None
            yield j, present(values) if whole is None else whole


def present(values: np.ndarray) -> np.ndarray:
    """The numbers that are not missing."""
    return values[~np.isnan(values)] if values.dtype.kind == "f" else values


def _whole(source: Any, j: int) -> np.ndarray | None:
    """The whole numbers of a column that are not missing; None if some do not have 64 bits."""
    found = source.whole(j)
    if found is None:
        return None
    values = found[0][~found[1]]
    fit = not len(values) or -LARGEST_64 <= int(values.min()) <= int(values.max()) <= LARGEST_64
    return values.astype(np.int64) if fit else None


def less_least(summary: Summary) -> tuple[Summary, int]:
    """Whole numbers beside missing ones as floats, or as differences from the least where floats would round.

    The least is returned, too, or 0. This is how such columns are read in memory.
    """
    sketch = summary.sketch
    if not summary.n_missing or sketch is None or not sketch.n or sketch.values.dtype.kind == "f":
        return summary, 0
    low, high = int(sketch.values[0]), int(sketch.values[-1])
    are_huge = max(abs(low), abs(high)) >= LARGEST
    offset = low if summary.kind == "numeric" and are_huge and high - low <= LARGEST else 0
    less = replace(sketch, values=sketch.values - offset).as_type(np.dtype(np.float64))
    return replace(summary, sketch=less), offset


def merge_surveys(surveys: Sequence[Survey], most: int = SKETCH_VALUES, exact: bool = False) -> Survey:
    """Merge the surveys of all parts; `exact` ones may have whole numbers beside missing ones."""
    first = surveys[0]
    for other in surveys[1:]:
        check_names(first.names, other.names)
    columns = [
        merge_summaries(name, [survey.columns[j] for survey in surveys], most, exact)
        for j, name in enumerate(first.names)
    ]
    return Survey(first.names, sum(survey.n_rows for survey in surveys), tuple(columns))


def check_names(names: Sequence[str], others: Sequence[str]) -> None:
    """Reject parts with different columns."""
    if tuple(names) == tuple(others):
        return
    differing = [name for name in (*names, *others) if (name in names) != (name in others)]
    difference = f"{differing[0]!r} is not in all of them" if differing else "their order differs"
    raise DataError(
        f"All partitions must have the same columns in the same order, but {difference}. Hint: choose the "
        "columns that all have, in one order."
    )


def merge_summaries(
    name: str, summaries: Sequence[Summary], most: int = SKETCH_VALUES, exact: bool = False
) -> Summary:
    """Merge the summaries of a column; a part without values may be of any kind."""
    kind, with_values = common_kind(name, summaries), [part for part in summaries if part.has_values]
    n_missing = sum(summary.n_missing for summary in summaries)
    if kind == "category":
        return Summary(kind, n_missing, levels=frozenset().union(*(s.levels or () for s in with_values)))
    sketch = Sketch.merged([s.sketch for s in with_values if s.sketch is not None] or [_NOTHING], most)
    if n_missing and not exact:
        sketch = sketch.as_type(np.dtype(np.float64))  # the type of a whole column with missing values
    return Summary(kind, n_missing, sketch=sketch)


def common_kind(name: str, parts: Sequence[Any]) -> str:
    """The kind of a column, given its parts; a part without values may be of any kind."""
    kinds = list(dict.fromkeys(part.kind for part in parts if part.has_values))
    if len(kinds) > 1:
        raise unlike_kinds(name, *kinds[:2])
    # without any values the type decides; columns of no type count as numbers
    return kinds[0] if kinds else next((part.kind for part in parts if part.kind != "numeric"), "numeric")


_NOTHING = Sketch(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))

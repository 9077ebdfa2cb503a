"""The classes of a target whose rows are never in one place, equal to those of `encode_target`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from entropick._base.wording import counted
from entropick.exceptions import Code, DataError, Hint, Message, warn_user
from entropick.table.codes import ColumnEncoding
from entropick.table.encoding.distributed.brackets import Answer, Inside, Question
from entropick.table.encoding.distributed.drafts import Plan, conclude, plan_encoding
from entropick.table.encoding.distributed.sketch import Sketch
from entropick.table.encoding.distributed.surveys import Summary, Survey, merge_summaries, present
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import CLASS_OR_REAL, are_labels, has_fractions, read_target

TARGET_VALUES = 1 << 16  # maximal number of distinct values in a summary of the target


@dataclass(frozen=True)
class TargetSummary:
    """Summary of the target in some rows."""

    name: str
    n_rows: int
    column: Summary
    has_fractions: bool = False


def survey_target(y: Any) -> TargetSummary:
    """Summarise the target of a part of the rows."""
    kind, values = read_target(y)
    name = str(getattr(y, "name", None) or "y")
    if kind == "category":
        codes, levels = values
        missing = int(np.count_nonzero(codes < 0))
        return TargetSummary(name, len(codes), Summary(kind, missing, levels=frozenset(levels)))
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise DataError(
            "The target holds an infinite value. Hint: drop its row, or clip the value.",
            code=Code.INFINITE_VALUE,
            column=name,
        )
    known = present(values)
    column = Summary(kind, len(values) - len(known), sketch=Sketch.of(known, TARGET_VALUES))
    return TargetSummary(name, len(values), column, has_fractions(known))


def merge_targets(parts: Sequence[TargetSummary]) -> TargetSummary:
    """Merge the summaries of all parts."""
    column = merge_summaries(parts[0].name, [part.column for part in parts], TARGET_VALUES)
    name = next((part.name for part in parts if part.n_rows), parts[0].name)
    n_rows = sum(part.n_rows for part in parts)
    return TargetSummary(name, n_rows, column, any(part.has_fractions for part in parts))


def answer_target(y: Any, question: Question, most: int) -> Answer:
    """Summarise what the target of one part of the rows has inside brackets."""
    values = read_target(y)[1].astype(np.float64)
    return {j: [Inside.of(values, bracket, most) for bracket in brackets] for j, brackets in question.items()}


def encode_merged_target(
    found: TargetSummary, kind: str, rules: Rules, ask: Callable[[Question, int], Answer]
) -> ColumnEncoding:
    """Find the classes of the target; `kind` and `rules` as in `encode_target`, `ask` as in `find_cuts`."""
    column, name = found.column, found.name
    if column.n_missing:
        raise DataError(
            f"The target has {counted(column.n_missing, 'missing value')}; every row must have a label. "
            "Hint: drop these rows.",
            code=Code.MISSING_VALUE,
            column=name,
        )
    sketch = column.sketch
    if sketch is None:
        if kind == "real":
            raise DataError(
                Message(
                    "A real target (",
                    Hint("target", "real"),
                    ") must hold numbers, got strings or categories.",
                )
            )
        levels = tuple(sorted(column.levels or ()))
        return ColumnEncoding(name, "category", len(levels), levels=levels)
    if kind == "real" or (kind == "auto" and found.has_fractions):
        return _binned(found, rules, ask)
    if not sketch.is_exact:
        raise DataError(
            Message(
                f"The target has more than {TARGET_VALUES} distinct values, too many for classes. Hint: ",
                Hint("target", "real"),
                " takes them as real values.",
            )
        )
    if kind == "auto" and sketch.n and not are_labels(sketch.values, sketch.counts):
        warn_user(
            Message(
                f"The target has {len(sketch.values)} distinct values in {sketch.n} rows, so it is treated "
                "as real values. Hint: ",
                CLASS_OR_REAL,
            )
        )
        return _binned(found, rules, ask)
    return ColumnEncoding(name, column.kind, len(sketch.values), levels=tuple(sketch.values.tolist()))


def _binned(found: TargetSummary, rules: Rules, ask: Callable[[Question, int], Answer]) -> ColumnEncoding:
    """Classes of equal frequency (or width)."""
    assert found.column.sketch is not None
    rules = replace(rules, binning="uniform" if rules.binning == "uniform" else "quantile", missing="level")
    floats = replace(found.column, sketch=found.column.sketch.as_type(np.dtype(np.float64)))
    plan: Plan = plan_encoding(Survey((found.name,), found.n_rows, (floats,)), rules)
    return conclude(plan, ask).columns[0]

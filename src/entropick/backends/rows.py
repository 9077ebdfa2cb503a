"""Tables cut by rows: partitions encoded with the levels of all rows, and counted where they are."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from entropick.backends.numbers import NumbersOfPartitions
from entropick.backends.parts import Partitions, Place, ToRead, here, of_partition
from entropick.contracts import Need
from entropick.counting.rows import RowPartitionedCounts
from entropick.exceptions import CombinationError, DataError, Hint, Message
from entropick.measures import Measure
from entropick.table import merged
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.encoding import Rules
from entropick.table.merged import target as merged_target
from entropick.table.table import Table
from entropick.table.target import apply_target


def make_partitioned_data(
    partitions: Partitions, measure: Measure, rules: Rules, kind: str, place: Place
) -> tuple[Table, Sequence[ColumnEncoding]]:
    """Make what a measure needs of partitions, where they are.

    Parameters
    ----------
    partitions : the table and its target
    measure : what scores columns
    rules : how values become levels
    kind : of the target, see `encode_target`
    place : where the work is done

    Returns
    -------
    table : what was needed
    columns : how columns became levels, where they were counted
    """
    if rules.binning == "mdlp":
        raise CombinationError(
            Message(
                Hint("binning", "mdlp"),
                " needs all rows in one place, but the rows are partitioned. Hint: use ",
                Hint("binning", "quantile"),
                " or 'uniform'.",
            )
        )
    target = of_target = counts = sums = None
    names: tuple[str, ...] = ()
    columns: Sequence[ColumnEncoding] = ()
    n_rows = 0
    if measure.uses_target:
        target, of_target = _encode_target(partitions, rules, kind, place)
    if Need.COUNTS in measure.needs:
        assert target is not None
        counts, names, columns = _count(partitions, target, rules, place)
        n_rows = counts.n_rows
    if Need.NUMBERS in measure.needs:
        sums = NumbersOfPartitions(partitions, rules.missing, target, of_target, place)
        names, n_rows = sums.names, sums.n_rows
    table = Table(
        names=names,
        n_rows=n_rows,
        _target=None if target is None else Target(np.empty(0, np.int32), target),
        _counts=counts,
        _sums=sums,
        is_partitioned=True,
    )
    return table, columns


def _count(
    partitions: Partitions, target: ColumnEncoding, rules: Rules, place: Place
) -> tuple[RowPartitionedCounts, tuple[str, ...], Sequence[ColumnEncoding]]:
    """Find the encoding of all rows, and encode them where they are."""
    most = merged.sketch_values(rules)
    numbered = [(i, part) for i, part in enumerate(partitions.X)]
    found = place.total(_survey, numbered, partial(merged.merge_surveys, most=most), partitions.names, most)
    plan = merged.plan_encoding(found, rules)
    sources = [(i, x, y) for i, (x, y) in enumerate(zip(partitions.X, partitions.y, strict=True))]
    drafts = [(part,) for part in place.run(_draft, sources, plan, target)]

    def ask(question: merged.Question, most: int) -> merged.Answer:
        return place.total(
            merged.answer, drafts, partial(merged.merge_answers, most=most), plan, question, most
        )

    encoding = merged.conclude(plan, ask)
    codes = place.run(merged.finish, drafts, plan, encoding)
    drafts.clear()  # each goes when its codes are there
    n_levels = np.array([column.n_levels for column in encoding.columns], np.int64)
    return RowPartitionedCounts(place.rows(codes, n_levels)), found.names, encoding.columns


def count_rows(partitions: Partitions, place: Place) -> int:
    """Rows of all partitions; files know them without being read."""
    parts = partitions.X if partitions.y[0] is None else partitions.y
    if all(isinstance(part, ToRead) for part in parts):
        return sum(part.piece.n_rows for part in parts)
    return place.total(len, [(part,) for part in parts], _summed)


def _summed(lengths: Sequence[int]) -> int:
    return sum(lengths)


def _encode_target(
    partitions: Partitions, rules: Rules, kind: str, place: Place
) -> tuple[ColumnEncoding, merged_target.TargetSummary]:
    sources = [(part,) for part in partitions.y]
    found = place.total(_survey_target, sources, merged_target.merge_targets)

    def ask(question: merged.Question, most: int) -> merged.Answer:
        add = partial(merged.merge_answers, most=most)
        return place.total(_answer_target, sources, add, question, most)

    return merged_target.encode_merged_target(found, kind, rules, ask), found


def _survey_target(y: Any) -> merged_target.TargetSummary:
    return merged_target.survey_target(here(y))


def _answer_target(y: Any, question: merged.Question, most: int) -> merged.Answer:
    return merged_target.answer_target(here(y), question, most)


def _survey(i: int | None, X: Any, names: list[str] | None, most: int) -> merged.Survey:
    with of_partition(i):
        return merged.survey(here(X), names, most)


def _draft(i: int | None, X: Any, y: Any, plan: merged.Plan, target: ColumnEncoding) -> merged.Draft:
    with of_partition(i):
        X, y = here(X), here(y)
        if len(X) != len(y):
            raise DataError(f"X has {len(X)} rows, but y has {len(y)}.")
        classes = apply_target(y, target)
        return merged.draft(X, Target(classes.codes, target), plan)

"""Tables in partitions of rows, encoded with the levels of all rows, counted and summed where they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from entropick._base.wording import counted
from entropick.contracts import COUNTED, Need, Partitions
from entropick.counting.cells import CellCounts
from entropick.counting.partitions import PartitionedCells, added
from entropick.exceptions import CombinationError, DataError, Hint, Message
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.encoding import distributed
from entropick.table.encoding.distributed import numbers, target as targets
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import apply_target
from entropick.table.executors.parts import Part, Sources, here, of_partition
from entropick.table.numeric.magnitude import exponents_of
from entropick.table.numeric.moments import Moments
from entropick.table.numeric.scaling import is_narrow
from entropick.table.table import Table, Units

MAX_COLUMNS = 10_000  # for correlations of all pairs (800 MB)


@dataclass(frozen=True, kw_only=True)
class PartitionedTable(Table):
    """A table whose rows can be counted and summed, but not read one by one."""

    offers = COUNTED | {Need.SUMS}


def make_partitioned_table(
    sources: Sources,
    needs: frozenset[Need],
    rules: Callable[[Callable[[], int]], Rules],
    kind: str,
    uses_target: bool,
) -> PartitionedTable:
    """Make a table of partitions without moving their rows; see `entropick.table.open.Request`."""
    known = rules(partial(_count_rows, sources))
    if known.binning == "mdlp":
        raise CombinationError(
            Message(
                Hint("binning", "mdlp"),
                " needs all rows in one place, but the rows are partitioned. Hint: use ",
                Hint("binning", "quantile"),
                " or 'uniform'.",
            )
        )
    target = summary = counts = sums = None
    names: Sequence[str] = ()
    encodings: Sequence[ColumnEncoding] = ()
    n_rows = 0
    if uses_target:
        target, summary = _encode_target(sources, known, kind)
    if Need.COUNTS in needs:
        assert target is not None
        counts, encodings = _count(sources, target, known)
        names, n_rows = [column.name for column in encodings], counts.n_rows
    if Need.SUMS in needs:
        sums = SumsOfPartitions(sources, known.missing, target, summary)
        names, n_rows = sums.names, sums.n_rows
    return PartitionedTable(
        units=Units(names),
        n_rows=n_rows,
        needs=needs,
        encodings=encodings,
        _target=None if target is None else Target(np.empty(0, np.int32), target),
        _counts=counts,
        _sums=sums,
    )


def _count_rows(sources: Sources) -> int:
    """Number of rows of all partitions; files are not read for it."""
    if sources.n_rows is not None:
        return sources.n_rows
    return int((sources.y or sources.X).reduce(_n_rows_of, added))


def _encode_target(sources: Sources, rules: Rules, kind: str) -> tuple[ColumnEncoding, targets.TargetSummary]:
    assert sources.y is not None
    y = sources.y
    found = y.reduce(_survey_target, targets.merge_targets)

    def ask(question: distributed.Question, most: int) -> distributed.Answer:
        return y.reduce(_answer_target, partial(distributed.merge_answers, most=most), question, most)

    return targets.encode_merged_target(found, kind, rules, ask), found


def _count(
    sources: Sources, target: ColumnEncoding, rules: Rules
) -> tuple[CellCounts, Sequence[ColumnEncoding]]:
    codes, encodings = _encode(sources, target, rules)
    n_levels = np.array([column.n_levels for column in encodings], np.int64)
    return CellCounts(PartitionedCells(sources.bundled(codes), n_levels)), encodings


def _encode(
    sources: Sources, target: ColumnEncoding, rules: Rules
) -> tuple[Partitions, Sequence[ColumnEncoding]]:
    """Find the encoding of all rows and encode the partitions; their drafts are freed afterwards."""
    most = distributed.sketch_values(rules)
    found = sources.X.reduce(_survey, partial(distributed.merge_surveys, most=most), sources.names, most)
    plan = distributed.plan_encoding(found, rules)
    drafts = sources.both.map(_draft, plan, target)

    def ask(question: distributed.Question, most: int) -> distributed.Answer:
        return drafts.reduce(
            distributed.answer, partial(distributed.merge_answers, most=most), plan, question, most
        )

    encoding = distributed.conclude(plan, ask)
    return drafts.map(distributed.finish, plan, encoding), encoding.columns


class SumsOfPartitions:
    """`entropick.contracts.NumberSums` up to rounding; partitions are read once for each kind of sums."""

    def __init__(
        self,
        sources: Sources,
        missing: str,
        target: ColumnEncoding | None,
        summary: targets.TargetSummary | None,
    ) -> None:
        self._parts, self._target, self._summary = sources.both, target, summary
        found = sources.X.reduce(_extents, numbers.merge_extents, sources.names)
        self._plan = numbers.plan_numbers(found, missing)
        self.names, self.n_rows = found.names, found.n_rows
        if self.n_rows < 2:
            raise DataError(f"At least two rows are needed, got {counted(self.n_rows, 'sample')}.")
        self._sums: numbers.Sums | None = None
        self._table: np.ndarray | None = None

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        return self._plan.low, self._plan.high

    def moments(self) -> Moments:
        if self._sums is None:
            self._sums = self._total(None)
        moments, is_constant = self._sums.moments, self._plan.low == self._plan.high
        variance = np.where(is_constant, 0.0, moments.variance)
        return replace(moments, variance=variance, is_constant=is_constant)

    def correlations(self, columns: np.ndarray | None = None) -> "KnownCorrelations":
        pairs = self._correlations()[:-1, :-1]
        return KnownCorrelations(pairs if columns is None else pairs[np.ix_(columns, columns)])

    def target_correlations(self, by_number: bool) -> np.ndarray:
        assert self._target is not None
        if self._target.edges is not None or by_number:
            return self._correlations()[-1, :-1]
        moments = self.moments()
        shares = moments.class_counts / moments.class_counts.sum()
        between = (moments.class_means - moments.mean[:, None]) ** 2 @ shares
        is_varying = ~is_narrow(*self.bounds()) & (moments.variance > 0)
        share = np.divide(between, moments.variance, out=np.zeros_like(between), where=is_varying)
        return np.sqrt(np.minimum(share, 1.0))

    def _correlations(self) -> np.ndarray:
        """Correlations of all pairs of columns; the last column is the target."""
        if self._table is None:
            n_columns = len(self.names)
            if n_columns > MAX_COLUMNS:
                raise CombinationError(
                    f"Correlations of all pairs are held in memory, for at most {MAX_COLUMNS} columns; got "
                    f"{n_columns}. Hint: select some first by a ranking such as fisher_score or mim."
                )
            self._sums = self._total(self._scale_of_target())
            self._table = numbers.correlations(self._sums, np.append(is_narrow(*self.bounds()), False))
        return self._table

    def _scale_of_target(self) -> numbers.Scale:
        if self._target is None or self._target.edges is None:
            return numbers.Scale(0.0, 0)
        assert self._summary is not None
        assert self._summary.column.sketch is not None
        values = self._summary.column.sketch.values.astype(np.float64)
        exponent = exponents_of(values[:1], values[-1:])[0]
        return numbers.Scale(float(np.ldexp(values[len(values) // 2], -exponent)), int(exponent))

    def _total(self, scale: numbers.Scale | None) -> numbers.Sums:
        return self._parts.reduce(_sums, numbers.merge_sums, self._plan, self._target, scale)

    def count_tokens(self, class_means: np.ndarray, n_tokens: int) -> np.ndarray:
        assert self._target is not None
        return self._parts.reduce(_tokens, numbers.added, self._plan, self._target, class_means, n_tokens)


class KnownCorrelations:
    """`entropick.contracts.Correlations` of a full matrix."""

    def __init__(self, pairs: np.ndarray) -> None:
        self._pairs = pairs

    def between(self, first: slice | list[int], second: slice | list[int]) -> np.ndarray:
        return np.asarray(self._pairs[first][:, second])

    def race(self, relevance: np.ndarray, weight: float, most: float) -> None:
        """None: all correlations are known already."""


# -- called for each partition -------------------------------------------------------------------


def _n_rows_of(part: Part) -> np.ndarray:
    return np.array(len(here(part.X if part.y is None else part.y)))


def _survey_target(part: Part) -> targets.TargetSummary:
    return targets.survey_target(here(part.y))


def _answer_target(part: Part, question: distributed.Question, most: int) -> distributed.Answer:
    return targets.answer_target(here(part.y), question, most)


def _survey(part: Part, names: list[str] | None, most: int) -> distributed.Survey:
    with of_partition(part.number):
        return distributed.survey(here(part.X), names, most)


def _draft(part: Part, plan: distributed.Plan, target: ColumnEncoding) -> distributed.Draft:
    with of_partition(part.number):
        X, labels = _labelled(part, target)
        assert labels is not None
        return distributed.draft(X, Target(labels.codes, target), plan)


def _extents(part: Part, names: list[str] | None) -> numbers.Extents:
    with of_partition(part.number):
        return numbers.extents(here(part.X), names)


def _sums(
    part: Part, plan: numbers.NumbersPlan, target: ColumnEncoding | None, scale: numbers.Scale | None
) -> numbers.Sums:
    with of_partition(part.number):
        X, labels = _labelled(part, target)
        return numbers.sums_of_part(X, labels, plan, scale)


def _tokens(
    part: Part, plan: numbers.NumbersPlan, target: ColumnEncoding, class_means: np.ndarray, n_tokens: int
) -> np.ndarray:
    with of_partition(part.number):
        X, labels = _labelled(part, target)
        assert labels is not None
        return numbers.tokens_of_part(X, labels, plan, class_means, n_tokens)


def _labelled(part: Part, target: ColumnEncoding | None) -> tuple[Any, Target | None]:
    """The table and the target of a partition."""
    X = here(part.X)
    if target is None:
        return X, None
    y = here(part.y)
    if len(X) != len(y):
        raise DataError(f"X has {len(X)} rows, but y has {len(y)}.")
    return X, apply_target(y, target)

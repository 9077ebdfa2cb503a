"""Sketches: what parts of a table send to find its levels and edges together, without sending rows.

The questions and answers are those about partitions of rows (`encoding/distributed/`), stored between rounds.
All answers so far say what is asked next, so nobody has to stay connected.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from entropick._base.wording import counted
from entropick.exceptions import CombinationError, DataError, Hint, Message
from entropick.table.codes import ColumnEncoding
from entropick.table.encoding.distributed import (
    Answer,
    Inside,
    Question,
    Sketch,
    Survey,
    conclude,
    merge_answers,
    merge_surveys,
    plan_encoding,
    sketch_values,
    survey,
)
from entropick.table.encoding.distributed.surveys import Summary, check_names, less_least, numbers_of
from entropick.table.encoding.distributed.target import (
    TargetSummary,
    answer_target,
    encode_merged_target,
    merge_targets,
    survey_target,
)
from entropick.table.encoding.known import are_comparable, more_offset, unlike_kinds
from entropick.table.encoding.options import Options
from entropick.table.encoding.target import one_dimensional
from entropick.table.readers.checks import check_width
from entropick.table.readers.cube_files import SealedFile, read_sealed, write_sealed
from entropick.table.readers.frames import target_taken_out
from entropick.table.readers.inputs import open_input, plain_array

Found = TypeVar("Found")
KIND = "sketches"
VALUES, AT_LEAST, AT_MOST = range(3)  # arrays of a sketch in a file


class Round(NamedTuple):
    """What some rows answered to the questions of one round: about the target, and about columns."""

    n_rows: int
    target: Answer
    columns: Answer
    most: int


class _Unanswered(Exception):  # noqa: N818 (it ends a replay, which is no error)
    def __init__(self, question: Question, most: int) -> None:
        self.question, self.most = question, most


class Sketches:
    """Sketches of the columns of some rows, from which parts of a table find its levels and edges together.

    Each part makes sketches of its rows, and these are merged. If edges are not known exactly then, each part
    answers the next question, ``Sketches.count(X, y, after=merged)``, until ``is_complete``. The levels are
    those of all rows in one place, and ``Cube.count(X, y, edges=merged)`` uses them.

    Attributes
    ----------
    columns : names of the columns
    n_rows : rows seen
    is_complete : whether all levels and edges are known
    encodings, target : the levels of the columns and the classes, if so

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(9_000, 3)), rng.integers(0, 2, 9_000)
    >>> parts = [slice(0, 4_000), slice(4_000, 9_000)]
    >>> merged = None
    >>> while merged is None or not merged.is_complete:
    ...     first, second = (ep.Sketches.count(X[rows], y[rows], after=merged) for rows in parts)
    ...     merged = first.merge(second)
    >>> merged.encodings == ep.Cube.count(X, y).encodings
    True
    """

    def __init__(
        self, options: Options, found: Survey, target: TargetSummary, rounds: Sequence[Round] = ()
    ) -> None:
        self.options, self._survey, self._target, self._rounds = options, found, target, tuple(rounds)

    @classmethod
    def count(
        cls,
        X: Any,
        y: Any,
        *,
        after: "Sketches | None" = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
    ) -> "Sketches":
        """Make sketches of rows.

        Parameters
        ----------
        X, y : a part of the table and its target, in memory
        after : Sketches, default=None
            Merged sketches of all parts, whose next question these rows answer; the other parameters are then
            those of its first round.
        n_bins, binning, missing, target : as in the selectors, without ``binning="mdlp"``

        Returns
        -------
        sketches : Sketches
        """
        X, y = target_taken_out(X, y) if isinstance(y, str) else (X, y)
        y = one_dimensional(y)
        X = plain_array(X) if isinstance(X, list | tuple) else X
        if after is not None:
            check_made("after", after, Sketches)
            return after._answered(X, y)
        if binning == "mdlp":
            raise CombinationError(
                Message(Hint("binning", "mdlp"), " needs all rows in one place. Hint: use 'quantile'.")
            )
        options = Options(n_bins, binning, missing, target).checked("Sketches.count")
        most = sketch_values(options.rules(1))
        of_target = survey_target(y)
        column = of_target.column
        if column.sketch is not None and (target == "real" or (target == "auto" and of_target.has_fractions)):
            of_target = replace(of_target, column=replace(column, sketch=column.sketch.thinned(most)))
        found = survey(X, most=most, exact=True)
        _check_lengths(found.n_rows, of_target.n_rows)
        return cls(options, found, of_target)

    def merge(self, *others: "Sketches") -> "Sketches":
        """The sketches of all rows together, in any order; all must answer the same questions."""
        for other in others:
            check_made("What is merged", other, Sketches)
            check_names(self.columns, other.columns)
            if other.options != self.options or len(other._rounds) != len(self._rounds):
                raise DataError(
                    "Sketches to be merged must have the same options and answer the same question. Hint: "
                    "make all of them with the same options, and after the same merged sketches."
                )
            if self._rounds and not self._asks_as(other):
                raise DataError(
                    "These sketches answer different questions. Hint: make all of them after the same merged "
                    "sketches."
                )
        parts = [self, *others]
        if not self._rounds:
            most = sketch_values(self.options.rules(1))
            merged = merge_surveys([part._survey for part in parts], most, exact=True)
            return Sketches(self.options, merged, merge_targets([part._target for part in parts]))
        last = [part._rounds[-1] for part in parts]
        most = last[0].most
        added = Round(
            sum(one.n_rows for one in last),
            merge_answers([one.target for one in last], most),
            merge_answers([one.columns for one in last], most),
            most,
        )
        return Sketches(self.options, self._survey, self._target, [*self._rounds[:-1], added])

    def _asks_as(self, other: "Sketches") -> bool:
        """Whether both answer the same question: that of the same rounds before."""
        mine, others = (sketches._packed(last=-1) for sketches in (self, other))
        return mine.description == others.description and all(
            np.array_equal(*tables) for tables in zip(mine.tables, others.tables, strict=True)
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return self._survey.names

    @property
    def n_rows(self) -> int:
        return self._survey.n_rows

    @property
    def is_complete(self) -> bool:
        return not any(isinstance(found, _Unanswered) for found in (self._known_target, self._known_columns))

    @property
    def encodings(self) -> tuple[ColumnEncoding, ...]:
        found = self._known_columns
        return self._reject() if isinstance(found, _Unanswered) else tuple(found)

    @property
    def target(self) -> ColumnEncoding:
        found = self._known_target
        return self._reject() if isinstance(found, _Unanswered) else found

    def _reject(self) -> Any:
        raise DataError(
            f"The edges of {counted(len(self.open_columns), 'column')} are not known exactly yet. Hint: let "
            "each part answer the next question, Sketches.count(X, y, after=merged), and merge the answers."
        )

    @property
    def open_columns(self) -> list[str]:
        """Names of the columns whose edges are not known exactly yet."""
        target = [self._target.name] if isinstance(self._known_target, _Unanswered) else []
        asked = self._known_columns
        return target + ([self.columns[j] for j in asked.question] if isinstance(asked, _Unanswered) else [])

    # -- questions and answers -----------------------------------------------------------------

    @cached_property
    def _known_target(self) -> ColumnEncoding | _Unanswered:
        self._check_all_answered()
        rules, kind = self.options.rules(self.n_rows), self.options.target
        answers = [found.target for found in self._rounds]
        return _replayed(lambda ask: encode_merged_target(self._target, kind, rules, ask), answers)

    @cached_property
    def _known_columns(self) -> Sequence[ColumnEncoding] | _Unanswered:
        self._check_all_answered()
        columns = tuple(summary for summary, _ in self._compared)
        plan = plan_encoding(replace(self._survey, columns=columns), self.options.rules(self.n_rows))
        answers = [found.columns for found in self._rounds]
        found = _replayed(lambda ask: conclude(plan, ask).columns, answers)
        if isinstance(found, _Unanswered):
            return found
        return [
            more_offset(column, offset) for column, (_, offset) in zip(found, self._compared, strict=True)
        ]

    @cached_property
    def _compared(self) -> Sequence[tuple[Summary, int]]:
        """The columns as they are compared, and what was subtracted from each."""
        return [less_least(column) for column in self._survey.columns]

    def _answered(self, X: Any, y: Any) -> "Sketches":
        """The answer of some rows to the next question."""
        most = 0
        of_target: Answer = {}
        of_columns: Answer = {}
        source = open_input(X, list(self.columns))
        check_names(self.columns, source.names)
        check_width(len(source.kinds), len(self.columns))
        _check_lengths(source.n_rows, len(y))
        if isinstance(self._known_target, _Unanswered):
            most = self._known_target.most
            of_target = answer_target(y, self._known_target.question, most)
        if isinstance(self._known_columns, _Unanswered):
            most = max(most, self._known_columns.most)
            of_columns = self._inside(source, self._known_columns.question, most)
        answer = Round(source.n_rows, of_target, of_columns, most)
        return Sketches(self.options, self._survey, self._target, [*self._rounds, answer])

    def _check_all_answered(self) -> None:
        """Reject merged sketches that some part is missing from, which would give wrong edges."""
        for found in self._rounds:
            if found.n_rows != self.n_rows:
                raise DataError(
                    f"Only {found.n_rows} of {self.n_rows} rows answered the last question. Hint: merge the "
                    "sketches of all parts."
                )

    def _inside(self, source: Any, question: Question, most: int) -> Answer:
        """What some rows have inside brackets."""

        def inside(j: int, values: Any) -> list[Inside]:
            (known, offset), kind = self._compared[j], source.kinds[j]
            assert known.sketch is not None
            if len(values) and not are_comparable(kind, known.kind):
                raise unlike_kinds(self.columns[j], known.kind, kind)
            numbers = np.asarray(values - offset if offset else values, known.sketch.values.dtype)
            return [Inside.of(numbers, bracket, most) for bracket in question[j]]

        categories = (j for j in question if source.kinds[j] == "category")
        found = {j: inside(j, source.category(j)[1]) for j in categories}
        return found | {j: inside(j, values) for j, values in numbers_of(source, exact=True) if j in question}

    # -- files ---------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sketches to a Parquet file."""
        write_sealed(path, KIND, self._packed())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read sketches that `save` wrote."""
        description, keys, tables = read_sealed(path, KIND)
        arrays = dict(zip(keys, tables, strict=True))
        columns = [_summary_of(column, arrays) for column in description["columns"]]
        found = Survey(tuple(description["names"]), description["n_rows"], tuple(columns))
        target = dict(description["target"])
        of_target = TargetSummary(
            target["name"], target["n_rows"], _summary_of(target["column"], arrays), target["has_fractions"]
        )
        rounds = [
            Round(
                one["n_rows"],
                _answer_of(one["target"], arrays),
                _answer_of(one["columns"], arrays),
                one["most"],
            )
            for one in description["rounds"]
        ]
        return cls(Options(**description["options"]), found, of_target, rounds)

    def _packed(self, last: int | None = None) -> SealedFile:
        """The content of a file; without the last round where that is not wanted."""
        tables: dict[tuple[int, int], np.ndarray] = {}
        description = {
            "options": vars(self.options),
            "names": list(self.columns),
            "n_rows": self.n_rows,
            "columns": [_summary_to(column, tables) for column in self._survey.columns],
            "target": {**vars(self._target), "column": _summary_to(self._target.column, tables)},
            "rounds": [
                {
                    **one._asdict(),
                    "target": _answer_to(one.target, tables),
                    "columns": _answer_to(one.columns, tables),
                }
                for one in self._rounds[:last]
            ],
        }
        return SealedFile(description, list(tables), list(tables.values()))

    def __repr__(self) -> str:
        shown = f"{counted(self.n_rows, 'row')}, {counted(len(self.columns), 'column')}"
        return f"Sketches({shown})"


def _replayed(
    run: Callable[[Callable[[Question, int], Answer]], Found], rounds: Sequence[Answer]
) -> Found | _Unanswered:
    """What follows from the answers so far: the result, or the next question."""
    answers = iter([answer for answer in rounds if answer])

    def ask(question: Question, most: int) -> Answer:
        found = next(answers, None)
        if found is None:
            raise _Unanswered(question, most)
        return found

    try:
        return run(ask)
    except _Unanswered as asked:
        return asked


def check_made(name: str, value: object, *kinds: type) -> None:
    """Reject what is neither counts nor sketches."""
    if not isinstance(value, kinds):
        raise TypeError(
            f"{name} must be of type {' or '.join(kind.__name__ for kind in kinds)}, got "
            f"{type(value).__name__}. Hint: count makes one from rows, and load reads one from a file."
        )


def _check_lengths(n_rows: int, n_labels: int) -> None:
    if n_rows != n_labels:
        raise DataError(f"X has {n_rows} rows, but y has {n_labels}.")


# -- as JSON and arrays of whole numbers -----------------------------------------------------------


def _sketch_to(sketch: Sketch, tables: dict[tuple[int, int], np.ndarray]) -> dict[str, Any]:
    """A sketch as its number; its arrays are put into tables, floats by their bits."""
    number, is_float = len(tables) // 3, sketch.values.dtype.kind == "f"
    values = sketch.values.astype(np.float64 if is_float else np.int64).view(np.int64)
    for which, array in ((VALUES, values), (AT_LEAST, sketch.at_least), (AT_MOST, sketch.at_most)):
        tables[number, which] = array
    return {"number": number, "is_float": is_float, "is_exact": sketch.is_exact}


def _sketch_of(packed: Mapping[str, Any], tables: Mapping[tuple[int, int], np.ndarray]) -> Sketch:
    values, at_least, at_most = (tables[packed["number"], which] for which in (VALUES, AT_LEAST, AT_MOST))
    values = values.view(np.float64) if packed["is_float"] else values
    return Sketch(values, at_least, at_most, packed["is_exact"])


def _summary_to(summary: Summary, tables: dict[tuple[int, int], np.ndarray]) -> dict[str, Any]:
    return {
        "kind": summary.kind,
        "n_missing": summary.n_missing,
        "levels": None if summary.levels is None else sorted(summary.levels),
        "sketch": None if summary.sketch is None else _sketch_to(summary.sketch, tables),
    }


def _summary_of(packed: Mapping[str, Any], tables: Mapping[tuple[int, int], np.ndarray]) -> Summary:
    levels, sketch = packed["levels"], packed["sketch"]
    return Summary(
        packed["kind"],
        packed["n_missing"],
        None if levels is None else frozenset(levels),
        None if sketch is None else _sketch_of(sketch, tables),
    )


def _answer_to(answer: Answer, tables: dict[tuple[int, int], np.ndarray]) -> list[Any]:
    return [
        [j, [[inside.n_below, _sketch_to(inside.sketch, tables)] for inside in found]]
        for j, found in sorted(answer.items())
    ]


def _answer_of(packed: Sequence[Any], tables: Mapping[tuple[int, int], np.ndarray]) -> Answer:
    return {
        j: [Inside(n_below, _sketch_of(sketch, tables)) for n_below, sketch in found] for j, found in packed
    }

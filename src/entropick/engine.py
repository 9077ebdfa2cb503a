"""The selection loop: a measure scores, a search proposes steps, a cut stops."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

import numpy as np

from entropick import registry
from entropick._base.threads import Threads
from entropick.contracts import (
    CHANCE,
    Candidates,
    Judge,
    Need,
    RehearsedPath,
    RemovalState,
    Scores,
    SetState,
    State,
    StepState,
)
from entropick.cuts import Cut
from entropick.cuts.base import PlainJudge
from entropick.exceptions import CombinationError, Hint, Message
from entropick.inference.relevance import Relevances
from entropick.measures import Measure
from entropick.measures._shared.summed import SummedRemovals, SummedSteps
from entropick.measures.base import ConstantsLast
from entropick.measures.pairs.pairwise import gains_along
from entropick.records.exploration import Exploration, ParetoFront
from entropick.records.leads import with_leads
from entropick.records.selection import Progress, Selection, Step
from entropick.searches import Search
from entropick.table.table import Table, Units

Begun = TypeVar("Begun", bound=State)
MAX_GAINS = 64  # steps whose gains are computed after the search, which counts all pairs of them


def select(
    table: Table,
    measure: Measure,
    search: Search[Begun],
    cut: Cut,
    *,
    fixed: Sequence[int] = (),
    threads: Threads | None = None,
    progress: Progress | None = None,
) -> Selection:
    """Select columns.

    Parameters
    ----------
    table : opened with the views that the parts need; its units are columns or groups of columns
    measure, search, cut : the parts
    fixed : units to keep from the start, in this order
    progress : called after each step with the step, the number of steps so far and the expected
        number (or None); by searches over subsets after each round with the round, the number of subsets so
        far and the expected number
    """
    check_fit(measure, search, cut, table.offers)
    if table.per_target:
        check_summable(measure, search)
    cut.check(table)
    threads = threads or Threads(1)
    state = search.begin(MeasuredTable(measure, table, threads))
    candidates = Candidates(table.n_columns, fixed, table.units.groups)
    run = Run(measure, search, table, state, candidates, threads, progress)
    judge = cut.begin(run)
    found = search.find(_steered(state, judge), candidates, judge, progress)
    # searches over subsets have shown their rounds already
    shown = progress if found.exploration is None else None
    path = _follow(found.steps, judge, len(fixed), table.units, shown)
    n_kept = max(judge.keep(path), len(fixed))
    return _record(run, cut, judge, path, n_kept, found.exploration)


def _follow(
    steps: Iterator[Step], judge: Judge, n_fixed: int, units: Units, progress: Progress | None
) -> list[Step]:
    """Take steps until the judge is done."""
    path: list[Step] = []
    while len(path) < n_fixed or not judge.is_done(path):
        step = next(steps, None)
        if step is None:
            break
        if judge.look is not None:
            step = judge.look(step)
        path.append(step)
        if step.dropped:
            path = [kept for kept in path if kept.columns[0] not in step.dropped]
            path = judge.forget(path)
        if progress is not None:
            progress(units.expand(step)[0], len(path), judge.expected_steps())
    return path


# -- running measures and searches ---------------------------------------------------------------


class MeasuredTable:
    """`entropick.contracts.MeasuredTable`, which sums scores of columns over several targets."""

    def __init__(self, measure: Measure, table: Table, threads: Threads) -> None:
        self._measure, self._table, self._threads = measure, table, threads

    def begin_steps(self) -> StepState:
        return self._constants_last(self._steps)

    def _steps(self) -> StepState:
        measure, table, threads = self._measure, self._table, self._threads
        if not table.per_target:
            return table.begin_steps(measure, threads)
        return SummedSteps([part.begin_steps(measure, threads) for part in table.per_target])

    def begin_removals(self) -> RemovalState:
        return self._constants_last(self._removals)

    def _removals(self) -> RemovalState:
        begin, threads = self._measure.begin_removals, self._threads
        if not self._table.per_target:
            return begin(self._table, threads)
        return SummedRemovals([begin(part, threads) for part in self._table.per_target])

    def _constants_last(self, begin: Callable[[], Begun]) -> Begun:
        """The state, or one that passes over constant columns as long as there are others."""
        varies = self._table.varies
        return begin() if varies.all() else cast(Begun, ConstantsLast(begin, varies))

    def begin_sets(self) -> SetState:
        return self._measure.begin_sets(self._table, self._threads)


def _steered(state: Begun, judge: Judge) -> Begun:
    """The measure at work, on those columns that the judge admits."""
    return cast(Begun, SteeredState(state, judge)) if judge.steers else state


class SteeredState:
    """A step measure at work that scores only the columns a judge admits."""

    def __init__(self, state: Any, judge: Judge) -> None:
        self._state, self._judge = state, judge

    def compete(self, candidates: np.ndarray) -> Scores:
        found: Scores = self._state.compete(self._judge.admitted(candidates))
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


@dataclass(frozen=True)
class Run(Generic[Begun]):
    """`entropick.cuts.base.Run`: a measure and a search on a table."""

    measure: Measure
    search: Search[Begun]
    table: Table
    state: Begun
    candidates: Candidates
    threads: Threads
    progress: Progress | None

    @property
    def fixed(self) -> Sequence[int]:
        return self.candidates.fixed

    @property
    def n_fixed(self) -> int:
        return len(self.candidates.fixed)

    def rehearse(self, table: Table) -> RehearsedPath:
        state = self.search.begin(MeasuredTable(self.measure, table, self.threads))
        candidates = Candidates(table.n_columns, self.fixed, table.units.groups)
        found = self.search.find(state, candidates, _Onlooker())
        is_ranking = _kind(self.measure, self.search) == "ranking"
        scores = state.fixed_scores if is_ranking else None
        return _RehearsedPath(found.steps, table.units, self.progress, is_ranking, scores)


class _Onlooker(PlainJudge):
    """A judge that never stops the search."""

    def is_done(self, path: Sequence[Step]) -> bool:
        return False

    def keep(self, path: Sequence[Step]) -> int:
        return len(path)


class _RehearsedPath:
    """The columns of a path, computed on demand."""

    def __init__(
        self,
        steps: Iterator[Step],
        units: Units,
        progress: Progress | None,
        is_ranking: bool,
        scores: np.ndarray | None,
    ) -> None:
        self._steps, self._units, self._progress = steps, units, progress
        self.is_ranking, self.scores = is_ranking, scores
        self._path: list[int] = []

    def first(self, n: int) -> list[int]:
        while len(self._path) < n and (step := next(self._steps, None)) is not None:
            self._path.append(step.column)
            self._path = [column for column in self._path if column not in step.dropped]
            if self._progress is not None:
                self._progress(self._units.expand(step)[0], len(self._path), None)
        return self._path[:n]


# -- the record ----------------------------------------------------------------------------------


def _record(
    run: Run[Begun], cut: Cut, judge: Judge, path: list[Step], n_kept: int, exploration: Exploration | None
) -> Selection:
    """Make the record of a run."""
    table, units = run.table, run.table.units
    kept = [step.columns[0] for step in path[:n_kept]]
    relevances = _relevances(run)
    if run.measure.scores_relevance or all(step.fixed or step.gain is not None for step in path):
        path = _with_shares(path, run.state.explained(kept))
    elif len(path) <= MAX_GAINS and relevances is not None and table.has_counts:
        path = _with_gains(run, path, n_kept)
    alike: tuple[tuple[int, int], ...] = ()
    if run.measure.scores_relevance and relevances is not None and table.has_counts:
        path, alike = with_leads(path, n_kept, table.counts, relevances.n_effective)
    return Selection(
        steps=units.expand(*path),
        n_kept=n_kept,
        names=units.columns,
        scores=units.per_column(_scores(run.state, exploration, run.candidates.n_columns, path)),
        settings={
            "measure": _described(run.measure),
            "search": _described(run.search),
            "cut": _described(cut),
        },
        encodings=table.encodings,
        target=table.target_encoding,
        n_rows=table.n_rows_in or table.n_rows,
        notes=table.notes,
        complete=exploration is None or exploration.complete,
        exploration=None if exploration is None else units.expand_exploration(exploration),
        evidence=judge.evidence,
        learned=dict(run.state.conclude(kept)) if run.measure.learns else {},
        relevances=relevances,
        alike=alike,
    )


def _relevances(run: Run[Begun]) -> Relevances | None:
    """Tests of all columns by themselves, where they are counted anyway; rows must be independent."""
    table = run.table
    is_counted = Need.COUNTS in run.measure.needs | table.needs and table.has_target
    if not is_counted or table.is_binned_by_target or table.per_target or table.row_groups is not None:
        return None
    if not table.target.is_labelled.all():
        return None
    return Relevances.of(table.column_counts, table.units.per_column(np.arange(table.n_columns)))


def _with_gains(run: Run[Begun], path: list[Step], n_kept: int) -> list[Step]:
    """Add to the steps what each column adds to those before it, and to kept ones what they explain."""
    columns = [step.columns[0] for step in path]
    found = gains_along(run.table.counts, columns, n_kept)
    varies = run.table.varies
    n_open = varies.sum() - np.cumsum(varies[columns]) + varies[columns]  # constants do not compete
    is_chance = np.array(found.p_values) > CHANCE / np.maximum(n_open, 1)
    path = [
        step if step.fixed else replace(step, gain=gain, is_chance=may_be)
        for step, gain, may_be in zip(path, found.gains, is_chance.tolist(), strict=True)
    ]
    return _with_shares(path, found.explained)


def _with_shares(path: list[Step], shares: Sequence[float] | None) -> list[Step]:
    """Add to kept steps the share of the target explained so far."""
    if shares is None:
        return path
    explained = [replace(step, explained=share) for step, share in zip(path, shares, strict=False)]
    return explained + path[len(explained) :]


def _scores(
    state: State, exploration: Exploration | None, n_columns: int, path: Sequence[Step]
) -> np.ndarray:
    """Score of every column, if the measure or the search has it, else of the selected ones."""
    if exploration is not None:
        return exploration.scores
    scores = state.fixed_scores
    if scores is None:
        scores = np.full(n_columns, np.nan)
        for step in path:
            scores[step.columns[0]] = step.score
    return scores


def _described(part: Measure | Search[Any] | Cut) -> Mapping[str, Any]:
    parameters = {
        name: str(value) if isinstance(value, Exploration | ParetoFront) else value
        for name, value in part.get_params(deep=False).items()
    }
    return {"name": type(part).__name__, "parameters": parameters}


# -- what fits together --------------------------------------------------------------------------


def check_fit(
    measure: Measure, search: Search[Any], cut: Cut, offers: frozenset[Need] = frozenset(Need)
) -> None:
    """Reject parts that do not fit each other or the views that a table offers, before data are read."""
    if cut.needs_exploration and not search.explores:
        raise CombinationError(
            f"The cut {type(cut).__name__} chooses among whole subsets, but the search "
            f"{type(search).__name__} goes from column to column. Hint: search by "
            f"{_names(name for name, kind in registry.SEARCHES.items() if kind.explores)}, "
            "or cut by a number of columns."
        )
    if cut.needs_path and search.explores:
        raise CombinationError(
            f"The cut {type(cut).__name__} needs a path of columns, but the search {type(search).__name__} "
            "finds whole subsets. Hint: search by "
            f"{_names(name for name, kind in registry.SEARCHES.items() if not kind.explores)}, "
            'or leave the choice to the search: cut="auto".'
        )
    if cut.copies_columns and Need.SOURCE in measure.needs:
        raise CombinationError(
            f"{type(measure).__name__} reads the table as it was passed, in which there are no knockoffs. "
            "Hint: use a measure of counts or correlations, such as MIM, JMI or Gaussian, or another cut."
        )
    if search.explores and search.has_budget and not cut.needs_exploration:
        raise CombinationError(
            f"A budget bounds whole subsets, but the cut {type(cut).__name__} keeps columns by their scores. "
            "Hint: leave out n_features and the estimator of the size, or leave out the budget."
        )
    if _kind(measure, search) is None:
        fitting = (name for name, kind in registry.SEARCHES.items() if measure.kinds & set(kind.kinds))
        served = (name for name, kind in registry.MEASURES.items() if kind.kinds & set(search.kinds))
        raise CombinationError(
            f"The search {type(search).__name__} needs a {' or '.join(search.kinds)} measure, but "
            f"{type(measure).__name__} is of kind {' and '.join(sorted(measure.kinds))}. "
            f"Hint: searches that fit this measure: {_names(fitting)}; "
            f"measures that fit this search: {_names(served)}."
        )
    if not measure.needs <= offers:
        _check_offered(measure, measure.needs_as_set(), registry.MEASURES, offers)
    if not cut.needs <= offers:
        or_number = ", or a number of columns, ", Hint("n_features", 10)
        _check_offered(cut, cut.needs, registry.CUTS, offers, *or_number)


def check_summable(measure: Measure, search: Search[Any]) -> None:
    """Reject summing over several targets if whole subsets are scored."""
    if _kind(measure, search) == "set":
        raise CombinationError(
            f"multioutput='sum' adds scores of columns over the columns of y, but {type(search).__name__} "
            f"with {type(measure).__name__} scores whole subsets. Hint: multioutput='joint' "
            "takes all columns of y as one target."
        )


def _check_offered(
    part: Measure | Cut,
    needs: frozenset[Need],
    known: Mapping[str, type[Measure] | type[Cut]],
    offers: frozenset[Need],
    *or_else: str | Hint,
) -> None:
    """Reject a part that needs more than the table offers."""
    beyond = sorted(needs - offers)
    if beyond:
        able = _names(name for name, kind in known.items() if kind.needs <= offers)
        where = "of all rows in one place, but the rows are partitioned. Hint: these need only counts or sums"
        if beyond == [Need.JOINT]:
            where = "of many columns, but only counts of pairs are here. Hint: these need no others"
        needed = f"{type(part).__name__} needs {' and '.join(beyond)} {where}: {able}"
        raise CombinationError(Message(needed, *or_else, "."))


def _kind(measure: Measure, search: Search[Any]) -> str | None:
    """The kind of measure as which the search uses this one; None if they do not fit."""
    return next((kind for kind in search.kinds if kind in measure.kinds), None)


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))

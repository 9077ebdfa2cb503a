"""The one loop: a measure scores, a search walks, a cut stops."""

from collections.abc import Sequence

import numpy as np

from entropick.cuts import Cut
from entropick.exceptions import CombinationError
from entropick.exploration import Exploration
from entropick.measures import Measure
from entropick.records import Progress, Selection, Step
from entropick.searches import PathSearch, Search, SetSearch
from entropick.searches.sets import ranked_steps
from entropick.table import Table
from entropick.workers import Workers


def select(
    table: Table,
    measure: Measure,
    search: Search,
    cut: Cut,
    *,
    fixed: Sequence[int] = (),
    groups: Sequence[Sequence[int]] | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> Selection:
    """Select columns of an encoded table.

    Parameters
    ----------
    table : encoded table, with its target where the measure needs one
    measure, search, cut : the parts
    fixed : columns to keep from the start, in this order
    groups : groups of columns that come or go together; columns in no group stand alone
    workers : threads
    progress : called after each step with the step, the number of steps so far and the expected
        number (None where the cut cannot know); by searches over subsets after each round with the round, the
        number of subsets so far and the expected number
    """
    check_fit(measure, search, cut)
    workers = workers or Workers(1)
    units = Units(table, groups)
    judge = cut.begin(units.table, measure, workers)
    state = measure.begin(units.table, workers)
    fixed_units = units.of_columns(fixed)
    path: list[Step] = []
    exploration: Exploration | None = None
    if isinstance(search, SetSearch):
        exploration = search.explore(state, units.table.n_columns, fixed_units, progress)
        walk = ranked_steps(exploration, judge.choose(exploration), fixed_units)
    else:
        assert isinstance(search, PathSearch)
        walk = search.walk(state, units.table.n_columns, fixed_units)
    while len(path) < len(fixed_units) or not judge.is_done(path):
        step = next(walk, None)
        if step is None:
            break
        path.append(judge.look(step))
        if progress is not None and exploration is None:
            progress(units.expand(path[-1]), len(path), judge.expected_steps())
    n_kept = max(judge.keep(path), len(fixed_units))

    steps = tuple(units.expand(step) for step in path)
    scores = np.full(table.n_columns, np.nan)
    for step in steps:
        scores[list(step.columns)] = step.score
    target = None if table.target is None else table.target.encoding
    settings = {"measure": measure, "search": search, "cut": cut}
    return Selection(
        steps,
        n_kept,
        table.names,
        scores,
        settings,
        table.encodings,
        target,
        table.n_rows,
        complete=exploration is None or exploration.complete,
        exploration=None if exploration is None else units.expand_exploration(exploration),
        learned=dict(getattr(state, "learned", {})),
    )


def check_fit(measure: Measure, search: Search, cut: Cut) -> None:
    """Refuse parts that do not fit together, before any data are touched."""
    if cut.needs_exploration and not isinstance(search, SetSearch):
        raise CombinationError(
            f"The cut {type(cut).__name__} chooses among whole subsets, but the search "
            f"{type(search).__name__} goes from column to column. Hint: search by nsga2, cross_entropy or "
            "swarm, or cut by a number of columns."
        )
    if search.needs not in measure.kinds:
        from entropick.registry import MEASURES, SEARCHES

        fitting = sorted(name for name, kind in SEARCHES.items() if kind.needs in measure.kinds)
        served = sorted(name for name, kind in MEASURES.items() if search.needs in kind.kinds)
        raise CombinationError(
            f"The search {type(search).__name__} needs a {search.needs} measure, but "
            f"{type(measure).__name__} is of kind {' and '.join(sorted(measure.kinds))}. "
            f"Hint: searches that fit this measure: {', '.join(fitting)}; "
            f"measures that fit this search: {', '.join(served)}."
        )


class Units:
    """What comes or goes together: groups of columns, and the columns in no group.

    Parameters
    ----------
    table : the encoded table
    groups : disjoint groups of columns, or None
    """

    def __init__(self, table: Table, groups: Sequence[Sequence[int]] | None) -> None:
        self._members: list[tuple[int, ...]] | None = None
        self.table = table
        if groups:
            grouped = {j for members in groups for j in members}
            units = [tuple(members) for members in groups]
            units += [(j,) for j in range(table.n_columns) if j not in grouped]
            self._members = sorted(units, key=min)
            self.table = table.grouped(self._members)

    def of_columns(self, columns: Sequence[int]) -> list[int]:
        """The units these columns belong to, each once."""
        if self._members is None:
            return list(dict.fromkeys(columns))
        unit_of = {j: u for u, members in enumerate(self._members) for j in members}
        return list(dict.fromkeys(unit_of[j] for j in columns))

    def expand(self, step: Step) -> Step:
        """A step over units as a step over columns."""
        if self._members is None:
            return step
        runner_up = None if step.runner_up is None else self._members[step.runner_up][0]
        ties = tuple(self._members[u][0] for u in step.ties)
        return step.annotated(columns=self._members[step.column], runner_up=runner_up, ties=ties)

    def expand_exploration(self, exploration: Exploration) -> Exploration:
        """An exploration over units as one over columns."""
        if self._members is None:
            return exploration
        return exploration.expanded(self._members, sum(map(len, self._members)))

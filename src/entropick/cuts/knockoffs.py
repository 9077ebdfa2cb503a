"""Columns that beat knockoffs of themselves, with a stated rate of false discoveries."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, drawn_seed
from entropick._base.threads import one_blas_thread
from entropick._base.ties import TOLERANCE
from entropick.contracts import Judge, Need, RehearsedPath
from entropick.cuts.base import GIVE_A_NUMBER, Cut, PlainJudge, Run
from entropick.exceptions import DataError, Hint, Message, NothingFoundWarning, warn_user
from entropick.inference.dependent_rows import check_independent
from entropick.inference.knockoffs import (
    MAX_LEVELS,
    ROWS_PER_TERM,
    Forest,
    follows_from,
    gaussian_knockoffs,
    grow_forest,
    knockoff_q_values,
    levels_by_category,
    rows_of_levels,
    tree_knockoffs,
)
from entropick.records.selection import Step
from entropick.table.table import Table

MAX_COLUMNS = 4_000  # whose pairs are counted
MIN_ROWS_PER_LEVEL = 5  # with fewer, a level that occurs once tells a column from its knockoffs
MAX_ENTRIES = 200  # columns, or copies in their place, that a path takes in
NUMBERS = ("numeric", "datetime", "duration")


class Knockoffs(Cut):
    """Keep columns that beat knockoffs of themselves; at most a share of `q` of them are false on average.

    A knockoff of a column relates to all other columns as the column does, but was made without y. The
    measure scores columns and knockoffs together. A column that is independent of y given the others is as
    likely to be beaten by its knockoffs as any of them is to win. So knockoffs that win show how many columns
    win by chance, whatever the measure.

    Categories, and numbers with few or missing values, are taken to follow a tree in which each column is
    joined to the one it shares most information with (Chow–Liu). Knockoffs are drawn exactly from that tree,
    given the bins of all other numbers, which are cut further where a category changes. Other numbers are
    taken to be normal after a transformation of each column, with means that depend on the categories. The
    rate holds as far as tree and normal distribution describe how columns are related; nothing is assumed
    about y.

    A measure that ranks columns compares scores; one that goes from column to column, such as JMI, compares
    which comes first on its path.

    Levels of fewer than five rows count as one. Columns of fewer than five rows per level, such as
    identifiers, are never kept, nor are categories that follow from a number, such as its rounded value.

    Nothing is kept, with a warning, unless at least 1 / (q · n_copies) columns beat all their copies.

    Parameters
    ----------
    q : float in (0, 1), default=0.1
        False discovery rate.
    n_copies : int, default=5
        Knockoffs of each column. With more, fewer columns can be found at a small `q`; each copy is closer to
        its column, and costs as much as another table.
    random_state : int, RandomState or None, default=None
        Seed of the knockoffs; None takes the selector's, or 0 if it has none.

    References
    ----------
    Candès, Fan, Janson and Lv (2018), Panning for gold: model-X knockoffs for high dimensional controlled
    variable selection. Sesia, Sabatti and Candès (2019), Gene hunting with hidden Markov model knockoffs.
    Gimenez and Zou (2019), Improving the stability of the knockoff procedure: multiple simultaneous knockoffs
    and entropy maximization. Chow and Liu (1968), Approximating discrete probability distributions with
    dependence trees.

    Examples
    --------
    >>> import numpy as np
    >>> import entropick as ep
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 3, (1000, 30))
    >>> y = X[:, :6].sum(axis=1) + rng.integers(0, 5, 1000) > 8
    >>> sorted(ep.JMI(n_features="knockoffs").fit(X, y).order_.tolist())
    [0, 1, 2, 3, 4, 5]
    """

    rule = "keeps columns that beat knockoffs of themselves"
    uses_target = True
    is_repeatable = True
    needs_path = True
    copies_columns = True

    needs = frozenset({Need.COUNTS, Need.SOURCE})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "q": [Interval(Real, 0, 1, closed="neither")],
        "n_copies": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, q: float = 0.1, n_copies: int = 5, random_state: Any = None) -> None:
        self.q = q
        self.n_copies = n_copies
        self.random_state = random_state

    def check(self, table: Table) -> None:
        self._require_target(table)
        self._require_levels_without_target(table)
        check_independent(table, "Knockoffs")
        n_classes = len(table.counts.class_sizes)
        if n_classes * MIN_ROWS_PER_LEVEL > table.n_rows:
            raise DataError(
                f"Knockoffs need {MIN_ROWS_PER_LEVEL} rows per class of the target, got {table.n_rows:,} "
                f"rows and {n_classes:,} classes. Hint: join rare classes."
            )
        if table.n_columns > MAX_COLUMNS:
            raise DataError(
                Message(
                    f"Knockoffs are for at most {MAX_COLUMNS:,} columns, because every pair of columns is "
                    f"counted, got {table.n_columns:,}. Hint: use ",
                    Hint("n_features", "fdr"),
                    ", or select columns on other rows first.",
                )
            )

    def begin(self, run: Run) -> Judge:
        seed = 0 if self.random_state is None else self.random_state
        rng = np.random.default_rng(drawn_seed(seed))
        table, fixed = run.table, np.zeros(run.table.n_columns, bool)
        fixed[list(run.fixed)] = True
        left_out = fixed | (table.counts.n_levels * MIN_ROWS_PER_LEVEL > table.n_rows)
        with one_blas_thread():
            rows = make_knockoffs(table, left_out, self.n_copies, rng)
        left_out |= follow_from_others(table, rows)
        contest = Contest(table, rows, left_out, rng)
        path = run.rehearse(contest.table)
        margins, is_won = (
            contest.by_order(path, self.q, self.n_copies)
            if path.scores is None
            else contest.by_score(path.scores)
        )
        q_values = np.ones(table.n_columns)
        q_values[~left_out] = knockoff_q_values(margins, is_won, self.n_copies)
        if not (q_values <= self.q).any() and not fixed.any():
            warn_user(self._about(int(is_won.sum()), q_values), NothingFoundWarning)
        return _Winners(q_values, self.q, fixed)

    def _about(self, n_won: int, q_values: np.ndarray) -> Message:
        """Warning that nothing is kept."""
        won = "1 column beats" if n_won == 1 else f"{n_won} columns beat"
        least = float(q_values.min())
        other = f" (q={least:.2g} would keep some)" if least < 1 else ""
        return Message(
            f"Nothing was found: {won} all {self.n_copies} knockoffs, which chance explains too well for a "
            f"false discovery rate of {self.q:g}{other}, so no column is kept. Hint: ",
            GIVE_A_NUMBER,
        )


# -- making knockoffs ------------------------------------------------------------------------------


def make_knockoffs(table: Table, fixed: np.ndarray, n_copies: int, rng: np.random.Generator) -> np.ndarray:
    """Rows whose values make up the knockoffs of each unit, (copies, units, rows); not for fixed ones.

    Categories come first, given the bins of numbers; then numbers, given the categories and their knockoffs.
    """
    n_units, counts = table.n_columns, table.counts
    is_number = np.array([_is_number(table, unit) for unit in range(n_units)])
    joined = rare_levels_joined(table)
    levels = [table.levels(unit) for unit in range(n_units)]
    for unit, same in joined.items():
        levels[unit] = levels[unit][same]
    n_levels = counts.n_levels
    rows = np.zeros((n_copies, n_units, table.n_rows), np.int32)
    drawn: dict[int, np.ndarray] = {}
    is_given = is_number | fixed
    forest: Forest | None = None
    finer: dict[tuple[int, int], np.ndarray] = {}
    if not is_number.all():
        forest = grow_forest(counts, is_number | (n_levels <= MAX_LEVELS))
        finer = _levels_for_single_categories(table, levels, is_number, forest)
        drawn = tree_knockoffs(levels, n_levels, forest, is_given, n_copies, rng, finer)
        for unit, found in sorted(drawn.items()):
            taken = rows_of_levels(levels[unit], int(n_levels[unit]), found, rng)
            rows[:, unit] = joined[unit][taken] if unit in joined else taken
    numbers = np.flatnonzero(is_number)
    if not fixed[numbers].all():
        seen = {unit: [levels[unit], *drawn.get(unit, ())] for unit in np.flatnonzero(~is_number).tolist()}
        cells: list[np.ndarray] = []
        terms: list[np.ndarray] = []
        for unit in numbers.tolist():
            made = [j for number, j in finer if number == unit and follows_from(levels[j], finer[unit, j])]
            cells.append(_joint([levels[j] for j in made], table.n_rows))
            others = {j: of_rows for j, of_rows in seen.items() if j not in made}
            terms.append(_terms(unit, others, n_levels, forest, table.n_rows))
        values = table.values(numbers.tolist())
        rows[:, numbers] = gaussian_knockoffs(values, terms, cells, fixed[numbers], n_copies, rng)
    return rows


def _levels_for_single_categories(
    table: Table, levels: list[np.ndarray], is_number: np.ndarray, forest: Forest
) -> dict[tuple[int, int], np.ndarray]:
    """Levels of numbers for categories that are next to them in a tree, by number and category."""
    found = {}
    for x, parent in enumerate(forest.parents.tolist()):
        if parent >= 0 and is_number[x] != is_number[parent]:
            number, other = (x, parent) if is_number[x] else (parent, x)
            (values,) = table.values([number])
            found[number, other] = levels_by_category(levels[number], values, levels[other])
    return found


def _joint(levels: list[np.ndarray], n_rows: int) -> np.ndarray:
    """Joint levels of columns, without gaps."""
    joint = np.zeros(n_rows, np.int64)
    for each in levels:
        joint = np.asarray(np.unique(joint * (int(each.max()) + 1) + each, return_inverse=True)[1])
    return joint


def rare_levels_joined(table: Table) -> dict[int, np.ndarray]:
    """Rows that stand for all rows, one for all rare levels, for units with more than one of these.

    A knockoff is drawn with replacement, so of many rare levels it has some twice and others not at all.
    That would tell it from its column.
    """
    found = {}
    for unit in range(table.n_columns):
        levels = table.levels(unit)
        sizes = np.bincount(levels)
        is_rare = sizes < MIN_ROWS_PER_LEVEL
        if not _is_number(table, unit) and np.count_nonzero(sizes[is_rare]) > 1:
            rare = np.flatnonzero(is_rare[levels])
            found[unit] = np.arange(table.n_rows)
            found[unit][rare] = rare[0]
    return found


def follow_from_others(table: Table, rows: np.ndarray) -> np.ndarray:
    """Whether all knockoffs of a unit are the same as the unit, so that there is nothing to win."""
    joined, found = rare_levels_joined(table), np.zeros(table.n_columns, bool)
    for unit in range(table.n_columns):
        levels = table.levels(unit)
        own = levels[joined[unit]] if unit in joined else levels
        found[unit] = (levels[rows[:, unit]] == own).all()
    return found


def _is_number(table: Table, unit: int) -> bool:
    """Whether a unit is a number that was binned, with a value in each row."""
    members = table.units.members_of(unit)
    column = table.encodings[members[0]]
    return len(members) == 1 and column.kind in NUMBERS and column.edges is not None and not column.n_missing


def _terms(
    unit: int, seen: dict[int, list[np.ndarray]], n_levels: np.ndarray, forest: Forest | None, n_rows: int
) -> np.ndarray:
    """How often each level occurs in a category and its knockoffs, for categories that a number depends on.

    A sum over both is the same if column and knockoff change places.
    """
    found: list[np.ndarray] = []
    shared = {} if forest is None else {j: bits for j, bits in enumerate(forest.related[unit]) if j in seen}
    for other in sorted(shared, key=lambda j: (-shared[j], j)):
        if shared[other] <= 0 or len(found) + n_levels[other] > n_rows / ROWS_PER_TERM:
            break
        of_levels = np.arange(n_levels[other] - 1)[:, None]
        found.extend(sum((each == of_levels).astype(np.float64) for each in seen[other]))
    return np.array(found).reshape(len(found), n_rows)


# -- columns against knockoffs ---------------------------------------------------------------------


class Contest:
    """A table of columns and their knockoffs, which are in random order.

    So ties, which go to the first of several columns, favour neither.

    Attributes
    ----------
    table : one of each column and its knockoffs in the place of the column, then all others; fixed columns
        are alone
    """

    def __init__(self, table: Table, rows: np.ndarray, fixed: np.ndarray, rng: np.random.Generator) -> None:
        self._n_copies = n_copies = len(rows)
        n_units = table.n_columns
        self._open = np.flatnonzero(~fixed)
        self._own_place = np.where(fixed, 0, rng.integers(0, n_copies + 1, n_units))
        joined = rare_levels_joined(table)
        placed: list[tuple[int, np.ndarray | None]] = []
        is_own: list[bool] = []
        for place in range(n_copies + 1):
            for unit in range(n_units) if place == 0 else self._open.tolist():
                own = int(self._own_place[unit])
                own_rows = None if fixed[unit] else joined.get(unit)
                placed.append((unit, own_rows if place == own else rows[place - (place > own), unit]))
                is_own.append(place == own)
        self._unit_at = np.array([unit for unit, _ in placed])
        self._is_own_at = np.array(is_own)
        self.table = table.with_rows_of(placed)

    def by_score(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far the best of each column and its knockoffs leads, and whether that is the column."""
        n_units = len(self._own_place)
        by_place = np.vstack([scores[self._open], scores[n_units:].reshape(self._n_copies, -1)])
        best, second = np.sort(by_place, axis=0)[::-1][:2]
        margins = np.where(best - second > TOLERANCE * np.maximum(1.0, np.abs(best)), best - second, 0.0)
        return margins, by_place.argmax(axis=0) == self._own_place[self._open]

    def by_order(self, path: RehearsedPath, q: float, n_copies: int) -> tuple[np.ndarray, np.ndarray]:
        """The same by which of them comes first on a path: the earlier, the larger the lead."""
        is_won_by: dict[int, bool] = {}
        unit_at, n_open, n_steps = self._unit_at, len(self._open), 0
        is_open = np.isin(np.arange(len(self._own_place)), self._open)
        while len(is_won_by) < min(n_open, MAX_ENTRIES):
            n_won = sum(is_won_by.values())
            n_lost = len(is_won_by) - n_won
            if 1 + n_lost > q * n_copies * (n_open - n_lost):
                break  # too many were lost, even if all others are won
            n_steps += 1
            found = path.first(n_steps)
            if len(found) < n_steps:
                break
            unit = int(unit_at[found[-1]])
            if is_open[unit]:
                is_won_by.setdefault(unit, bool(self._is_own_at[found[-1]]))
        margins, is_won = np.zeros(len(is_open)), np.zeros(len(is_open), bool)
        for i, (unit, won) in enumerate(is_won_by.items()):
            margins[unit], is_won[unit] = n_open - i, won
        return margins[self._open], is_won[self._open]


class _Winners(PlainJudge):
    """Admits columns with a q-value of at most a level."""

    steers = True

    def __init__(self, q_values: np.ndarray, level: float, fixed: np.ndarray) -> None:
        self._q_values, self._fixed = q_values, fixed
        self._is_admitted = (q_values <= level) & ~fixed
        self._n_kept = int(self._is_admitted.sum() + fixed.sum())

    def admitted(self, candidates: np.ndarray) -> np.ndarray:
        return np.asarray(candidates[self._is_admitted[candidates]])

    def look(self, step: Step) -> Step:
        return step if step.fixed else step.annotated(q_value=float(self._q_values[step.column]))

    def is_done(self, path: Sequence[Step]) -> bool:
        return len(path) >= self._n_kept

    def keep(self, path: Sequence[Step]) -> int:
        return len(path)

    def expected_steps(self) -> int:
        return self._n_kept

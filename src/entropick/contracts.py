"""All protocols between parts: what measures see of the data, searches of a measure, and cuts of both.

Measures, searches and cuts know each other only through this file. All of them work on an
`entropick.table.table.Table`; a part declares which views of it it `needs`, and only these are made.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from entropick._base.race import FallingScore
from entropick.counting.surprisal import ColumnCounts, ColumnSums, Phi, PhiAndChance, Surprisal
from entropick.records.exploration import Exploration
from entropick.records.held_out import HeldOutScores
from entropick.records.selection import Step
from entropick.table.numeric.moments import Moments

Counted = TypeVar("Counted")
BySize = Phi | PhiAndChance | np.ndarray  # numbers looked up by the size of a group or cell

CHANCE = 0.05  # probability that the best of several uninformative columns counts as informative


class Need(StrEnum):
    """Views of the data that parts may need."""

    COUNTS = "counts"  # counts of levels over all rows, of pairs of columns at most
    JOINT = "joint counts"  # counts of the joint levels of more columns
    SUMS = "sums of numbers"  # sums over all rows of the columns as numbers
    NUMBERS = "numbers"  # the columns as numbers, row by row
    DISTANCES = "distances"  # the columns as coordinates of rows
    SOURCE = "source"  # X as it was passed, for estimators
    LABELS = "labels"  # the class of each single row, to be shuffled


COUNTED = frozenset({Need.COUNTS, Need.JOINT})  # what needs no more is the same wherever rows are counted


# -- counting ------------------------------------------------------------------------------------


class GroupSums(NamedTuple):
    """One number per subset each: groups of equal rows, (group, class) cells, and sums over both."""

    n_groups: np.ndarray
    n_cells: np.ndarray
    over_groups: np.ndarray
    over_cells: np.ndarray


class Groups(Protocol):
    """Rows grouped by the joint levels of the columns taken in so far."""

    @property
    def is_settled(self) -> bool:
        """Whether the class of every row follows from the columns taken in."""

    def refine(self, column: int) -> None:
        """Take a column in."""

    def entropy(self, alpha: float) -> float:
        """H_α(y | columns taken in), in bits."""

    def entropies(self, candidates: np.ndarray, alpha: float) -> np.ndarray:
        """H_α(y | columns taken in, f) in bits, for each candidate column f."""

    def entropy_given_all(self, alpha: float) -> float:
        """H_α(y | all columns), the least any selection can reach."""

    def permuted(
        self, rng: np.random.Generator, row_groups: np.ndarray | None = None, shift: float | None = None
    ) -> "Groups":
        """A twin whose labels are shuffled within each group: y independent of all else, given S.

        Rows that belong together (`row_groups`) get the labels of other rows that belong together. Rows in
        the order of time get labels that are shifted by a share of the rows (`shift`).
        """


class Minima(Protocol):
    """Scores that are minima over the included columns and can only fall."""

    def include(self, column: int, offset: int) -> None:
        """Take a column in; its term for f is Σ φ(N(f,s,y)) − Σ φ(N(f,s)) − what is expected + offset."""

    def finalists(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Candidates that may be best or second best, in order, with scores in units of φ; once per step."""


class Race(Protocol):
    """Scores that fall as sums over the included columns grow."""

    def include(self, column: int) -> None:
        """Take a column in."""

    def finalists(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Candidates that may be best or second best, in order, with their scores."""


class Counts(ColumnCounts, Protocol):
    """What can be counted: the seam between measures and wherever the rows are.

    Counts add over rows, sums of φ do not. A measure therefore never sees codes: it names columns by index
    and gets sums of φ over the counts of all rows.
    """

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of each level, column after column, and where the levels of each column begin."""

    def pair_sums(
        self, s: int | tuple[int, int], candidates: np.ndarray, surprisal: Surprisal, *, by_class: bool = True
    ) -> np.ndarray:
        """Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what I(f;y|s) is by chance, as int64 (3, columns).

        The given s is a column, or two of them jointly. Only the places of candidates are filled, and
        only until the next call. Where classes are left out both sums are the first.
        """

    def race(self, columns: ColumnSums, score: FallingScore, *, capped: bool) -> Race | None:
        """Scores by I(f;s) of plug-in estimates, or if capped by max(0, I(f;y) − I(f;y|s)).

        None where all candidates are to be counted.
        """

    def minima(self, start: np.ndarray, surprisal: Surprisal, slack: int) -> Minima:
        """Minima that begin at `start`; scores closer than `slack` are ties."""

    def groups(self, surprisal: Surprisal) -> Groups:
        """All rows as one group; the φ is that of Shannon's entropies."""

    def subset_sums(self, subsets: np.ndarray, of_group: BySize, of_cell: BySize) -> GroupSums:
        """Groups and cells of subsets, bool (subsets, columns), and what their sizes contribute, summed."""

    def nested_sums(self, columns: Sequence[int], at_once: int, surprisal: Surprisal) -> Iterator[GroupSums]:
        """As `subset_sums`, of the first, the first two, ... columns, in blocks of subsets.

        A group contributes φ of its size and what is expected of it by chance, a cell its φ.
        """

    def subset_peaks(self, subsets: np.ndarray) -> np.ndarray:
        """Σ over groups of the largest class count: rows that the best rule gets right."""

    def subset_majorities(self, subsets: np.ndarray, needed: np.ndarray) -> GroupSums:
        """As `subset_sums`: over groups the rows of those whose largest class has `needed[size]` of them."""

    def subset_norms(self, subsets: np.ndarray, order: float) -> np.ndarray:
        """Σ over groups of the norm of the class counts of the given order, as floats."""


class Partitions(Protocol):
    """An object per partition of the rows, such as its values or codes, wherever it is stored.

    Implemented by threads of this process, a Dask cluster and an engine of the caller
    (`entropick.partitioned`).
    """

    def map(self, call: Callable[..., object], *args: object) -> "Partitions":
        """Call ``call(part, *args)`` for each partition; the results stay there."""

    def reduce(
        self, call: Callable[..., Counted], add: Callable[[Sequence[Counted]], Counted], *args: object
    ) -> Counted:
        """Call ``call(part, *args)`` for each partition, and `add` the results in order, maybe in steps."""


# -- numbers -------------------------------------------------------------------------------------


class Correlations(Protocol):
    """Pearson's correlations of columns; 0 if one of two is constant."""

    def between(self, first: slice | list[int], second: slice | list[int]) -> np.ndarray:
        """r of some columns with some others, (first, second)."""

    def race(self, relevance: np.ndarray, weight: float, most: float) -> Race | None:
        """Scores relevance − weight · mean |r|; with −½ log2(1 − r²) of r² up to `most` if that is above 0.

        None where all candidates are to be scored.
        """


class NumberSums(Protocol):
    """Sums over the rows of columns as numbers, wherever the rows are.

    Columns of very large or very small numbers are divided by a power of two, except in `bounds`.
    """

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The smallest and the largest value of each column."""

    def moments(self) -> Moments:
        """Means and variances, of all rows and of each class."""

    def correlations(self, columns: np.ndarray | None = None) -> Correlations:
        """The correlations of all columns, or of some of them with each other."""

    def target_correlations(self, by_number: bool) -> np.ndarray:
        """Correlation of each column with the target on labelled rows.

        For classes that is the multiple correlation with their indicators, which has no sign, or with the
        number of the class.
        """

    def count_tokens(self, class_means: np.ndarray, n_tokens: int) -> np.ndarray:
        """Rows of each column by their distance from their class mean, see `ILFS`; (columns, tokens)."""


# -- running measures ----------------------------------------------------------------------------


class Scores(NamedTuple):
    """Scores of columns, higher is better.

    Attributes
    ----------
    columns : in ascending order; candidates may be left out if they could not even be runner-up, but not
        if scores are summed over several targets
    scores : one per column, no NaN
    tie_break : returns what decides between tied columns, given positions in `columns`; None decides by the
        lowest index
    residual : bits not explained before the step, from which the score is subtracted; None if scores are
        not such bits
    added : what columns add to the selected ones; None if the measure does not know
    n_candidates : number of all candidates, if these are not all
    """

    columns: np.ndarray
    scores: np.ndarray
    tie_break: Callable[[np.ndarray], np.ndarray] | None = None
    residual: float | None = None
    added: "Added | None" = None
    n_candidates: int | None = None

    def take(self, kept: np.ndarray) -> "Scores":
        """Take some columns by position."""
        tie_break = self.tie_break
        return self._replace(
            columns=self.columns[kept],
            scores=self.scores[kept],
            tie_break=None if tie_break is None else lambda tied: tie_break(kept[tied]),
        )


class Added(Protocol):
    """What columns add to the selected ones, and whether uninformative ones would add as much."""

    def gains(self, columns: np.ndarray) -> np.ndarray:
        """Bits that each column adds."""

    def tested(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bits that each column adds, and how often uninformative ones would add as many."""

    def within(self, columns: np.ndarray, level: float) -> np.ndarray:
        """Positions, in order, of the columns with a p-value of at most this."""


class State(Protocol):
    """The state of a measure on one table."""

    entropy_order: float  # Rényi order of the measure's entropy; 1 (Shannon) by default
    adds_up: bool  # whether scores are totals over steps, so that a column that missed one has a wrong total

    def conclude(self, columns: Sequence[int]) -> Mapping[str, object]:
        """What the measure learned, given the selected columns; becomes part of the record."""

    def explained(self, columns: Sequence[int]) -> Sequence[float] | None:
        """The share of H(y) that the first, the first two, ... columns explain; None if not known."""

    def testable(self) -> "JudgedState | None":
        """An independent copy whose scores can be compared with chance; None if only counts can."""

    @property
    def fixed_scores(self) -> np.ndarray | None:
        """The score of each column, if it does not depend on the selected ones; None if it does."""


class StepState(State, Protocol):
    """The state of a step or ranking measure."""

    def compete(self, candidates: np.ndarray) -> Scores:
        """Score candidates given the selected columns; hopeless candidates may be omitted."""

    def include(self, column: int) -> None:
        """Add a column to the selected ones."""


class RemovalState(StepState, Protocol):
    """The state of a step measure that can also remove columns."""

    def exclude(self, column: int) -> None:
        """Remove a column from the selected ones."""

    def merit(self) -> float:
        """How good the selected columns are together; comparable between subsets of one size."""

    def merits_without(self, columns: np.ndarray) -> np.ndarray:
        """The merit of the selected columns without each of these."""

    def expendable(self, columns: np.ndarray) -> np.ndarray:
        """Those of the selected columns of which one is to be removed next: constants first."""


class JudgedState(Protocol):
    """The state of a step measure whose scores can be compared with chance."""

    def compete(self, candidates: np.ndarray) -> Scores: ...

    def include(self, column: int) -> None: ...

    def reached(self) -> float:
        """The score of the selected columns themselves."""

    def fork(self) -> "JudgedState":
        """An independent state with the same selected columns."""

    def permuted(self, rng: np.random.Generator) -> "JudgedState":
        """A copy whose labels are shuffled among rows that are alike on the selected columns."""


class SetState(State, Protocol):
    """The state of a set measure; lower values are better."""

    @property
    def objectives(self) -> tuple[str, ...]: ...

    is_monotone: bool  # whether adding a column never makes the value of a subset worse
    can_value_nothing: bool  # whether the empty subset has a value

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Objectives of subsets, bool (subsets, columns), as float (subsets, objectives)."""

    def normalized(self, values: np.ndarray) -> np.ndarray:
        """The objectives on a common scale, where 0 and 1 are about the best and the worst."""


class MeasuredTable(Protocol):
    """A measure and a table; a search begins the state that it needs."""

    def begin_steps(self) -> StepState: ...

    def begin_removals(self) -> RemovalState: ...

    def begin_sets(self) -> SetState: ...


class Candidates(NamedTuple):
    """What a search chooses from: columns, or groups of columns that are selected together.

    Attributes
    ----------
    n_columns : number of columns, or of groups
    fixed : those to keep from the start, in this order
    members : columns of each group; None without groups
    """

    n_columns: int
    fixed: Sequence[int] = ()
    members: Sequence[Sequence[int]] | None = None


# -- running cuts --------------------------------------------------------------------------------


class RehearsedPath(Protocol):
    """The path of the same measure and search on another table."""

    is_ranking: bool  # whether the whole path is known from the start, so that more columns cost nothing
    scores: np.ndarray | None  # of all columns of a ranking; None for other paths

    def first(self, n: int) -> list[int]:
        """The first n columns of the path, or fewer if it ends; continues from the last call."""


class Judge(Protocol):
    """The state of a cut for one search."""

    steers: bool  # whether it decides which columns may be selected

    def admitted(self, candidates: np.ndarray) -> np.ndarray:
        """Those of some columns that may be selected next; all unless the judge `steers`."""

    @property
    def look(self) -> Callable[[Step], Step] | None:
        """Update with a new step, before its column is included; returns the step with what was found.

        That may include earlier columns which it drops. None if single steps do not matter.
        """

    def forget(self, path: list[Step]) -> list[Step]:
        """Start again with the steps that are left after columns were removed; returns them updated."""

    def choose(self, exploration: Exploration, state: SetState) -> np.ndarray | None:
        """Choose a subset found by a search over subsets; None to use the scores of columns."""

    def is_done(self, path: Sequence[Step]) -> bool:
        """Whether the search may stop; called before the first step as well."""

    def keep(self, path: Sequence[Step]) -> int:
        """Number of steps to keep."""

    def expected_steps(self) -> int | None:
        """Number of steps the search will take, if known."""

    @property
    def evidence(self) -> HeldOutScores | None:
        """Held-out scores behind the number of columns; None if no rows were held out."""

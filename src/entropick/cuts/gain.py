"""As many columns as add more than chance, from counts alone."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick.contracts import CHANCE, Counts, Judge, Need
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.cuts.base import GIVE_A_NUMBER, Cut, PlainJudge, Run
from entropick.exceptions import Message, NothingFoundWarning, warn_user
from entropick.inference.dependent_rows import check_independent
from entropick.inference.relevance import Relevances
from entropick.records.selection import Step
from entropick.table.table import Table

PATIENCE = 10  # steps without a better number of columns after which the search ends
# Chosen on 33 tables, where all values nearby do as well.
N_ERRORS = 0.5  # standard errors of chance by which a gain must exceed it
MAX_RATE = 0.2  # false discovery rate up to which a column may be selected


class Gain(Cut):
    """Keep columns as long as they add more information than chance does, and enough to matter.

    What a column adds is the least I(f;y|s) over the columns s selected before, less what is expected by
    chance and half a standard error of it, and less a share of H(y). The number of columns with the largest
    sum is kept. Columns whose own test has a q-value above 0.2, such as identifiers, are passed over, and
    nothing is kept if none has one of at most 0.05.

    It needs only counts. "auto" is this rule where rows are not in one place: for Dask, files that are
    scanned, other partitions, databases and cubes.

    Parameters
    ----------
    share : float in [0, 1), default=0.005
        Share of H(y) that a column must add to be worth keeping.
    """

    rule = "keeps columns as long as they add more than chance"
    uses_target = True
    needs_path = True

    needs = frozenset({Need.COUNTS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {"share": [Interval(Real, 0, 1, closed="left")]}

    def __init__(self, share: float = 0.005) -> None:
        self.share = share

    def check(self, table: Table) -> None:
        self._require_target(table)
        self._require_levels_without_target(table)
        check_independent(table, "Gain")

    def begin(self, run: Run) -> Judge:
        return _WorthKeeping(self.share, run.table, run.n_fixed)


class LeastGains:
    """What each column adds at least to any of the selected ones, and its error by chance, in bits."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._columns = ColumnSums(counts, Surprisal.of(counts, "adjusted"))
        self.forget()

    def forget(self) -> None:
        """Take all selected columns out again."""
        to_bits = self._columns.surprisal.to_bits
        self.gains = to_bits(self._columns.relevance)
        self.errors = self._errors(to_bits(self._columns.expected))

    def include(self, s: int) -> None:
        """Take in a selected column."""
        columns, every = self._columns, np.arange(len(self.gains))
        alone, by_class, expected = self._counts.pair_sums(s, every, columns.surprisal)
        to_bits = columns.surprisal.to_bits
        gains = to_bits(columns.f[s] - columns.fy[s] - alone + by_class - expected)
        is_less = gains < self.gains
        self.errors = np.where(is_less, self._errors(to_bits(expected)), self.errors)
        self.gains = np.where(is_less, gains, self.gains)

    def _errors(self, expected: np.ndarray) -> np.ndarray:
        """Standard deviation of chance information with this expectation in bits, from χ²."""
        return np.asarray(
            np.sqrt(np.maximum(expected, 0.0) / (math.log(2) * self._columns.surprisal.n_effective))
        )


class _WorthKeeping(PlainJudge):
    steers = True

    def __init__(self, share: float, table: Table, n_fixed: int) -> None:
        counts = table.counts
        self._least = LeastGains(counts)
        surprisal = Surprisal.of(counts, None)
        self._price = share * float(surprisal.to_bits(surprisal.whole - surprisal.sum(counts.class_sizes)))
        self._worth, self._n_fixed = [0.0], n_fixed
        q_values = Relevances.of(counts, np.arange(table.n_columns)).q_values
        self._finds_nothing = bool((q_values > CHANCE).all()) and not n_fixed
        self._is_admitted = q_values <= MAX_RATE

    def admitted(self, candidates: np.ndarray) -> np.ndarray:
        return np.asarray(candidates[self._is_admitted[candidates]])

    def look(self, step: Step) -> Step:
        column = step.column
        gain = float(self._least.gains[column] - N_ERRORS * self._least.errors[column])
        added = 0.0 if step.fixed else max(gain, 0.0) - self._price
        self._worth.append(self._worth[-1] + added)
        self._least.include(column)
        self._is_admitted[column] = False
        return step

    def forget(self, path: list[Step]) -> list[Step]:
        self._least.forget()
        self._worth = [0.0]
        return [self.look(step) for step in path]

    def is_done(self, path: Sequence[Step]) -> bool:
        has_waited = len(path) - int(np.argmax(self._worth)) >= PATIENCE
        return self._finds_nothing or has_waited or not self._is_admitted.any()

    def keep(self, path: Sequence[Step]) -> int:
        n_kept = int(np.argmax(self._worth[: len(path) + 1]))
        if not n_kept and not self._n_fixed:
            why = (
                "no column depends on the target at a false discovery rate of 5 %"
                if self._finds_nothing
                else "no column adds enough to matter"
            )
            what = f"Nothing was found: {why}, so no column is kept. Hint: "
            warn_user(Message(what, GIVE_A_NUMBER), NothingFoundWarning)
        return n_kept

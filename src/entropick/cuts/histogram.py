"""Columns in the tall bars of a histogram of the scores."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick.contracts import Judge
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.records.selection import Step


class Histogram(Cut):
    """Keep as many columns as a histogram of the scores has bars above the mean bar.

    The rule of the Inf-FS authors' program. The bars show how many columns have similar scores, not which
    columns are good, so the number kept grows with the number of columns. At least one is kept.

    All columns are scored first, so it is meant for rankings.

    Parameters
    ----------
    n_bars : int, bars of equal width between the lowest and the highest score; None for half the number of
        scores
    """

    rule = "keeps as many columns as bars of a histogram of the scores are higher than the mean bar"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_bars": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, n_bars: int | None = None) -> None:
        self.n_bars = n_bars

    def begin(self, run: Run) -> Judge:
        return _HighBars(self.n_bars, run.table.n_columns)


class _HighBars(PlainJudge):
    def __init__(self, n_bars: int | None, n_columns: int) -> None:
        self._n_bars = n_bars
        self._n_columns = n_columns

    def is_done(self, path: Sequence[Step]) -> bool:
        return False

    def keep(self, path: Sequence[Step]) -> int:
        n_fixed = sum(step.fixed for step in path)
        scores = np.array([step.score for step in path[n_fixed:]])
        return n_fixed + (high_bars(scores, self._n_bars) if len(scores) else 0)

    def expected_steps(self) -> int:
        return self._n_columns


def high_bars(scores: np.ndarray, n_bars: int | None) -> int:
    """Bars higher than the mean bar, at least one and at most as many as scores."""
    n_bars = n_bars or len(scores) // 2
    low, width = scores.min(), np.ptp(scores)
    if not width > 0:
        return 1
    # by shares of the width: scores moved or stretched keep their bars
    places = np.minimum(((scores - low) / width * n_bars).astype(np.int64), n_bars - 1)
    bars = np.bincount(places, minlength=n_bars)
    return max(1, int((bars > len(scores) / n_bars).sum()))

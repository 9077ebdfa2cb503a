"""Keep as many columns as a histogram of the scores has tall bars."""

from functools import partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick.contracts import Judge
from entropick.cuts.base import AllScores, Cut, Run


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
        return AllScores(run.table.n_columns, partial(high_bars, n_bars=self.n_bars))


def high_bars(scores: np.ndarray, n_bars: int | None) -> int:
    """Number of bars higher than the mean bar; at least one."""
    n_bars = n_bars or len(scores) // 2
    low, width = scores.min(), np.ptp(scores)
    if not width > 0:
        return 1
    # relative to the range, so that shifted or scaled scores keep their bars
    bar_of = np.minimum(((scores - low) / width * n_bars).astype(np.int64), n_bars - 1)
    heights = np.bincount(bar_of, minlength=n_bars)
    return max(1, int((heights > len(scores) / n_bars).sum()))

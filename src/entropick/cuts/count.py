"""A given number of columns, or a share of all of them."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from entropick._base.compat import Interval
from entropick.contracts import Judge
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.exceptions import warn_user
from entropick.records.selection import Step

DEFAULT = 10


class _UpTo(PlainJudge):
    def __init__(self, n: int) -> None:
        self._n = n

    def is_done(self, path: Sequence[Step]) -> bool:
        return len(path) >= self._n

    def keep(self, path: Sequence[Step]) -> int:
        return min(len(path), self._n)

    def expected_steps(self) -> int:
        return self._n


class Count(Cut):
    """Keep the first n columns (groups count as one).

    Parameters
    ----------
    n : int, how many; None for 10, or all that are not constant if there are fewer
    """

    rule = "is 10 too: the method has no stop rule of its own"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, n: int | None = None) -> None:
        self.n = n

    def begin(self, run: Run) -> Judge:
        table = run.table
        if self.n is None:
            return _UpTo(min(DEFAULT, max(1, int(table.varies.sum()))))
        if self.n > table.n_columns:
            warn_user(f"{self.n} columns were asked for, but the table has {table.n_columns}; all are kept.")
        return _UpTo(min(self.n, table.n_columns))


class Share(Cut):
    """Keep a share of all columns, at least one.

    Parameters
    ----------
    share : float in (0, 1]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "share": [Interval(Real, 0, 1, closed="right")],
    }

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def begin(self, run: Run) -> Judge:
        return _UpTo(max(1, round(self.share * run.table.n_columns)))

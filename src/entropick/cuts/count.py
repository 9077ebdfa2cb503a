"""A given number of columns, or a share of all of them."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from entropick._compat import Interval
from entropick.cuts.base import Cut, Judge
from entropick.exceptions import DataError
from entropick.records import Step
from entropick.table import Table
from entropick.workers import Workers


class _UpTo(Judge):
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
    n : int, how many; None for 10, or all where the table has fewer
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, n: int | None = None) -> None:
        self.n = n

    def begin(self, table: Table, measure: Any, workers: Workers) -> Judge:
        if self.n is None:
            return _UpTo(min(10, table.n_columns))
        if self.n > table.n_columns:
            raise DataError(
                f"{self.n} columns were asked for, but the table has n_features = {table.n_columns}. "
                f"Hint: ask for at most {table.n_columns}, or for a share such as 0.5."
            )
        return _UpTo(self.n)


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

    def begin(self, table: Table, measure: Any, workers: Workers) -> Judge:
        return _UpTo(max(1, round(self.share * table.n_columns)))

"""Columns as numbers, in partitions of rows: sums over all of them, see `contracts.NumberSums`."""

from dataclasses import replace
from typing import Any

import numpy as np

from entropick._base.wording import counted
from entropick.backends.parts import Partitions, Place, here, of_partition
from entropick.exceptions import CombinationError, DataError
from entropick.measures._shared.values import is_narrow
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.magnitude import exponents_of
from entropick.table.merged import numbers
from entropick.table.merged.target import TargetSummary
from entropick.table.moments import Moments
from entropick.table.target import apply_target

MOST_COLUMNS = 10_000  # of which all pairs are held at once (800 MB)


class NumbersOfPartitions:
    """`entropick.contracts.NumberSums`; partitions are read once for each kind of sums.

    Parameters
    ----------
    partitions : the table and its target
    missing : "level" takes missing values, "error" refuses them
    target : classes of all rows; None where there is no target
    of_target : what is known of the target's values
    place : where the work is done
    """

    def __init__(
        self,
        partitions: Partitions,
        missing: str,
        target: ColumnEncoding | None,
        of_target: TargetSummary | None,
        place: Place,
    ) -> None:
        self._place, self._target, self._of_target = place, target, of_target
        parts = list(zip(range(len(partitions.X)), partitions.X, partitions.y, strict=True))
        self._sources: list[tuple[Any, ...]] = parts
        numbered = [(i, x) for i, x, _ in parts]
        found = place.total(_extents, numbered, numbers.merge_extents, partitions.names)
        self._plan = numbers.plan_numbers(found, missing)
        self.names, self.n_rows = found.names, found.n_rows
        if self.n_rows < 2:
            raise DataError(f"At least two rows are needed, got {counted(self.n_rows, 'sample')}.")
        self.low, self.high = self._plan.low, self._plan.high
        self._sums: numbers.Sums | None = None
        self._table: np.ndarray | None = None

    def moments(self) -> Moments:
        if self._sums is None:
            self._sums = self._total(None)
        moments, is_constant = self._sums.moments, self.low == self.high
        variance = np.where(is_constant, 0.0, moments.variance)
        return replace(moments, variance=variance, is_constant=is_constant)

    def correlations(self) -> np.ndarray:
        return self._correlations()[:-1, :-1]

    def target_correlations(self) -> np.ndarray:
        return self._correlations()[-1, :-1]

    def _correlations(self) -> np.ndarray:
        if self._table is None:
            n_columns = len(self.names)
            if n_columns > MOST_COLUMNS:
                raise CombinationError(
                    f"Correlations of all pairs are held in memory, for at most {MOST_COLUMNS} columns; got "
                    f"{n_columns}. Hint: select some first by a ranking such as fisher_score or mim."
                )
            self._sums = self._total(self._scale_of_target())
            self._table = numbers.correlations(self._sums, np.append(is_narrow(self.low, self.high), False))
        return self._table

    def _scale_of_target(self) -> numbers.Scale:
        if self._target is None or self._target.edges is None:
            return numbers.Scale(0.0, 0)
        assert self._of_target is not None
        assert self._of_target.column.sketch is not None
        values = self._of_target.column.sketch.values.astype(np.float64)
        exponent = exponents_of(values[:1], values[-1:])[0]
        return numbers.Scale(float(np.ldexp(values[len(values) // 2], -exponent)), int(exponent))

    def _total(self, of_target: numbers.Scale | None) -> numbers.Sums:
        add = numbers.merge_sums
        return self._place.total(_sums, self._sources, add, self._plan, self._target, of_target)

    def count_tokens(self, class_means: np.ndarray, n_tokens: int) -> np.ndarray:
        return self._place.total(
            _tokens, self._sources, numbers.added, self._plan, self._target, class_means, n_tokens
        )


# -- what tasks do -------------------------------------------------------------------------------


def _extents(i: int | None, X: Any, names: list[str] | None) -> numbers.Extents:
    with of_partition(i):
        return numbers.extents(here(X), names)


def _sums(
    i: int | None,
    X: Any,
    y: Any,
    plan: numbers.NumbersPlan,
    target: ColumnEncoding | None,
    of_target: numbers.Scale | None,
) -> numbers.Sums:
    with of_partition(i):
        X = here(X)
        return numbers.sums_of_part(X, _labels(X, y, target), plan, of_target)


def _tokens(
    i: int | None, X: Any, y: Any, plan: numbers.NumbersPlan, target: ColumnEncoding, *given: Any
) -> np.ndarray:
    with of_partition(i):
        X = here(X)
        labels = _labels(X, y, target)
        assert labels is not None
        return numbers.tokens_of_part(X, labels, plan, *given)


def _labels(X: Any, y: Any, target: ColumnEncoding | None) -> Target | None:
    """The target of a partition."""
    if target is None:
        return None
    y = here(y)
    if len(X) != len(y):
        raise DataError(f"X has {len(X)} rows, but y has {len(y)}.")
    return apply_target(y, target)

"""Options for rows that are not independent: groups of rows, and rows in the order of time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from sklearn.model_selection import TimeSeriesSplit

from entropick._base.wording import quoted
from entropick.cli.prepare import Prepared, check_column
from entropick.exceptions import DataError
from entropick.files.frames import column, gaps_as_nulls, take
from entropick.files.reading import Loaded

N_FOLDS = 5
IN_TIME = ("auto", "permutation")  # rules that keep the order of time


@dataclass(frozen=True)
class Dependence:
    """How rows depend on each other.

    Attributes
    ----------
    groups : column that names what each row belongs to; None if rows are independent
    time : column by whose order rows are predicted from earlier ones; None if order does not matter
    """

    groups: str | None = None
    time: str | None = None

    @property
    def columns(self) -> list[str]:
        """Columns that are no candidates."""
        return [name for name in (self.groups, self.time) if name is not None]

    def check(self, loaded: Loaded, targets: tuple[str, ...]) -> None:
        """Reject names of no column, and the target."""
        for option, name in (("--groups", self.groups), ("--time", self.time)):
            if name is None:
                continue
            check_column(name, loaded, option)
            if name in (targets or (loaded.target,)):
                raise DataError(f"{option} names {quoted(name)}, which is the target.")
        if self.groups is not None and self.time is not None:
            raise DataError(
                "--groups and --time cannot be combined: rows are split either by group or by time. Hint: "
                "leave one of them out."
            )

    def check_rule(self, n_features: Any) -> None:
        """Reject rules that do not know of time."""
        if self.time is not None and isinstance(n_features, str) and n_features not in IN_TIME:
            raise DataError(
                f"--n-features {n_features} does not know of the order of time. Hint: leave out --time, or "
                f"use {' or '.join(IN_TIME)}."
            )

    def splitter(self, n_folds: int = N_FOLDS) -> TimeSeriesSplit | None:
        """Splits that predict later rows from earlier ones."""
        return None if self.time is None else TimeSeriesSplit(n_folds)

    def apply(self, prepared: Prepared, X: Any, y: Any) -> tuple[Any, Any, pl.Series | None]:
        """X and y in the order of time, and the groups of their rows."""
        if not self.columns:
            return X, y, None
        if isinstance(X, pl.LazyFrame) or len(y) != prepared.n_rows:
            raise DataError(
                f"{'--groups' if self.groups else '--time'} needs the whole table in memory, which this one "
                "is too large for. Hint: sample rows, or leave out columns with --ignore."
            )
        values = self._values(prepared)
        if self.groups is not None:
            return X, y, values
        order = np.argsort(values.to_numpy(), kind="stable")
        return X[order.tolist()], y[order.tolist()], None

    def _values(self, prepared: Prepared) -> pl.Series:
        """Values of the column for the rows with a target."""
        name, option = self.columns[0], "--groups" if self.groups is not None else "--time"
        both = gaps_as_nulls(take(prepared.frame, [name, prepared.target]))
        values = column(both, name).filter(column(both, prepared.target).is_not_null())
        if values.null_count():
            raise DataError(
                f"{option} names {quoted(name)}, which has {values.null_count()} missing values. Hint: leave "
                "these rows out, or name another column."
            )
        if self.time is not None and not (values.dtype.is_numeric() or values.dtype.is_temporal()):
            raise DataError(f"--time names {quoted(name)}, which holds neither numbers nor times.")
        return values

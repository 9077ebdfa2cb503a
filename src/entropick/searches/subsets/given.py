"""Costs and initial subsets, checked and translated to the units of a search over subsets."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.records.exploration import Exploration, ParetoFront
from entropick.searches.subsets.costs import Costs


class Given:
    """Translates costs and subsets from columns to units: columns, or groups of columns.

    Parameters
    ----------
    n_units : number of units
    fixed : units in every subset
    members : columns of each unit; None if every unit is one column
    """

    def __init__(self, n_units: int, fixed: Sequence[int], members: Sequence[Sequence[int]] | None) -> None:
        self.fixed = tuple(fixed)
        self.shape = (n_units, self.fixed)
        self._members = members
        self._n_columns = n_units if members is None else sum(map(len, members))

    def costs(self, costs: Any, budget: float | None) -> Costs:
        """Check costs and sum them over the columns of each unit."""
        if costs is None:
            return Costs(self.shape[0], self.fixed, None, budget)
        each = np.asarray(costs, np.float64)
        if each.shape != (self._n_columns,):
            raise DataError(
                f"costs must have one number for each of the {self._n_columns} columns, got an array of "
                f"shape {each.shape}. Hint: columns that cost nothing have 0."
            )
        if not (np.isfinite(each) & (each >= 0)).all():
            bad = int(np.flatnonzero(~(np.isfinite(each) & (each >= 0)))[0])
            raise DataError(
                f"costs must be finite and at least 0, but column {bad} has {each[bad]}. Hint: columns that "
                "must not be chosen are better left out of X."
            )
        if self._members is not None:
            each = np.array([each[list(columns)].sum() for columns in self._members])
        return Costs(self.shape[0], self.fixed, each, budget)

    def subsets(self, start: Any) -> np.ndarray:
        """Check initial subsets, bool (subsets, units); a unit is in if one of its columns is."""
        if isinstance(start, Exploration):
            start = start.front
        if isinstance(start, ParetoFront):
            start = start.subsets
        of_columns = np.array([self._one_subset(subset) for subset in start], bool)
        if not len(of_columns):
            return np.empty((0, self.shape[0]), bool)
        if self._members is None:
            return of_columns
        return np.stack([of_columns[:, list(columns)].any(axis=1) for columns in self._members], axis=1)

    def _one_subset(self, subset: Any) -> np.ndarray:
        columns = np.asarray(subset)
        if columns.dtype == bool and columns.shape == (self._n_columns,):
            return columns
        is_index = columns.dtype.kind in "iu" and columns.ndim == 1 and len(columns)
        if not is_index or columns.min() < 0 or columns.max() >= self._n_columns:
            raise DataError(
                f"A subset to start from must be {self._n_columns} booleans, or indices from 0 to "
                f"{self._n_columns - 1}, got {subset!r}. Hint: start=[[0, 3], [2]] begins with two subsets."
            )
        made = np.zeros(self._n_columns, bool)
        made[columns] = True
        return made

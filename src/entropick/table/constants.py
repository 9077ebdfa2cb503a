"""Constant columns come last: they tell nothing, but where scores may be negative, their 0 would win."""

from collections.abc import Callable
from typing import Any

import numpy as np

from entropick._base.ties import preferred
from entropick.contracts import Scores


class ConstantsLast:
    """A step measure at work that passes over constant columns as long as there are others.

    Parameters
    ----------
    begin : begins the measure
    varies : which columns are not constant
    """

    def __init__(self, begin: Callable[[], Any], varies: np.ndarray) -> None:
        self._begin, self._varies = begin, varies
        self._state, self._included, self._has_missed = begin(), list[int](), False

    def compete(self, candidates: np.ndarray) -> Scores:
        chosen = preferred(candidates, self._varies)
        if len(chosen) < len(candidates):
            self._has_missed = True
        elif self._has_missed and self._state.adds_up and self._included:
            self._catch_up()
        found: Scores = self._state.compete(chosen)
        return found

    def _catch_up(self) -> None:
        """Begin again with all selected columns, so that constants get what they missed."""
        self._state, self._has_missed = self._begin(), False
        for column in self._included:
            self._state.include(column)

    def include(self, column: int) -> None:
        self._included.append(column)
        self._state.include(column)

    def exclude(self, column: int) -> None:
        self._included.remove(column)
        self._state.exclude(column)

    def expendable(self, columns: np.ndarray) -> np.ndarray:
        """Constants are the first to be removed."""
        return preferred(columns, ~self._varies)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

"""Sums over the picked columns, computed only for candidates that may still win."""

import math
from typing import NamedTuple

import numpy as np

from entropick import _core
from entropick._base.threads import Threads


class FallingScore(NamedTuple):
    """A score that falls as a sum grows: relevance − weight · sum, or relevance / (sum + ε) if ε is above 0.

    The sum may be the mean over the picked columns.
    """

    weight: float = 1.0
    is_mean: bool = False
    epsilon: float = 0.0


class SumRace:
    """Scores that fall with the sum of terms, never negative, of the picked columns.

    A sum that lacks terms gives a bound, so most terms are never computed (`cpp/race.hpp`). If too many
    candidates may win, all sums are completed, in threads, and the race rests for some steps.

    Parameters
    ----------
    race : the compiled race
    threads : threads
    seconds_per_term : a rough estimate
    is_complete : whether no candidate is ever left out
    """

    def __init__(
        self,
        race: _core.RedundancyRace | _core.CorrelationRace,
        threads: Threads,
        seconds_per_term: float,
        *,
        is_complete: bool = False,
    ) -> None:
        self._race, self._threads, self._seconds = race, threads, seconds_per_term
        self._rest, self._next_rest = math.inf if is_complete else 0, 1  # steps without a race

    def include(self, column: int) -> None:
        """Take a column in."""
        self._race.include(column)

    def finalists(self, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Candidates that may be best or second best, in order, with their scores."""
        found = None if self._rest else self._race.finalists(candidates)
        if found is None:
            if self._rest:
                self._rest -= 1
            else:
                self._rest, self._next_rest = self._next_rest, 2 * self._next_rest
            self._threads.run(
                lambda start, stop: self._race.complete(candidates[start:stop]),
                len(candidates),
                self._seconds,
            )
            found = candidates
        return found, self._race.scores(found)

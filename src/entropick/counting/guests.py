"""Counts of a chunk of columns against columns of other chunks, which come as guests when picked."""

from typing import NamedTuple

import numpy as np

from entropick.counting.local import LocalCounts
from entropick.surprisal import Phi
from entropick.table.codes import Codes, DensePart, padded, smallest_dtype
from entropick.threads import Threads


class Guest(NamedTuple):
    """A column of another chunk: its codes, levels, and the sums of φ without and with the classes."""

    codes: np.ndarray
    n_levels: int
    sums: np.ndarray


class CountsWithGuests(LocalCounts):
    """`entropick.contracts.Counts` of a chunk of columns, with places for columns of other chunks.

    The places stand behind the chunk's own columns. They are no candidates; a guest can be included like any
    column.

    Parameters
    ----------
    codes : the chunk, with all rows
    n_places : guests that may come
    most_levels : levels a guest may have
    threads : threads
    """

    def __init__(self, codes: Codes, n_places: int, most_levels: int, threads: Threads) -> None:
        self.n_own, self._n_guests = codes.n_columns, 0
        self._guests = np.zeros((n_places, padded(codes.n_rows)), smallest_dtype(most_levels))
        places = DensePart(np.arange(codes.n_columns, codes.n_columns + n_places), self._guests)
        # as many levels as a guest may have, so that there is room for all joint levels
        n_levels = np.append(codes.n_levels, np.full(n_places, most_levels))
        super().__init__(Codes(codes.n_rows, n_levels, (*codes.parts, places), codes.target), threads)
        self._column_sums: np.ndarray | None = None

    def column_sums(self, phi: Phi) -> np.ndarray:
        """As promised; the array is kept, and gets the sums of guests when they come."""
        self._column_sums = super().column_sums(phi)
        return self._column_sums

    def host(self, guest: Guest) -> int:
        """Take a guest in; returns the column it is here."""
        place = self._n_guests
        self._guests[place, : self.n_rows] = guest.codes
        if self._column_sums is not None:
            self._column_sums[:, self.n_own + place] = guest.sums
        self._n_guests += 1
        return self.n_own + place

    def as_guest(self, j: int) -> Guest:
        """One of the chunk's own columns, as other chunks see it."""
        sums = np.zeros(2, np.int64) if self._column_sums is None else self._column_sums[:, j].copy()
        return Guest(np.ascontiguousarray(self._codes.column(j)), int(self.n_levels[j]), sums)

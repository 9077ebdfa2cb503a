"""Counts of a chunk of columns against columns of other chunks, which come as guests when picked."""

from typing import NamedTuple

import numpy as np

from entropick._base.race import FallingScore
from entropick._base.threads import Threads
from entropick.counting.local import LocalCounts
from entropick.counting.surprisal import ColumnSums
from entropick.table.codes import Codes, DensePart, padded, smallest_dtype


class Guest(NamedTuple):
    """A column of another chunk: its codes and levels."""

    codes: np.ndarray
    n_levels: int


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
        self._watching: list[ColumnSums] = []
        self._guests = np.zeros((n_places, padded(codes.n_rows)), smallest_dtype(most_levels))
        places = DensePart(np.arange(codes.n_columns, codes.n_columns + n_places), self._guests)
        # as many levels as a guest may have, so that there is room for all joint levels
        n_levels = np.append(codes.n_levels, np.full(n_places, most_levels))
        super().__init__(Codes(codes.n_rows, n_levels, (*codes.parts, places), codes.target), threads)

    def level_sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """As promised; a guest's place has the levels of the guest."""
        return self._codes.level_sizes()

    def race(self, columns: ColumnSums, score: FallingScore, *, capped: bool) -> None:
        """None: guests come without a relevance of their own."""

    def watch(self, sums: ColumnSums) -> None:
        self._watching.append(sums)

    def host(self, guest: Guest) -> int:
        """Take a guest in; returns the column it is here."""
        place = self._n_guests
        self._guests[place, : self.n_rows] = guest.codes
        cells = guest.codes.astype(np.int64) * self._codes.n_classes + self._codes.labels
        counts = np.bincount(cells, minlength=guest.n_levels * self._codes.n_classes)
        sizes = counts.reshape(guest.n_levels, -1).sum(axis=1)
        for known in self._watching:
            expected = known.surprisal.expected(self.class_sizes[None], np.zeros_like(sizes), sizes)
            sums = np.array([known.f, known.fy, known.expected])
            sums[:, self.n_own + place] = (
                known.surprisal.sum(sizes), known.surprisal.sum(counts), expected.sum(),
            )  # fmt: skip
            known.update(sums)
        for outdated in ("_listed", "_subsets"):  # made while the place was empty
            self.__dict__.pop(outdated, None)
        self._n_guests += 1
        return self.n_own + place

    def as_guest(self, j: int) -> Guest:
        """One of the chunk's own columns, as other chunks see it."""
        return Guest(np.ascontiguousarray(self._codes.column(j)), int(self.n_levels[j]))

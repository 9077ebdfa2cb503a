"""Mergeable sketches of a column of numbers: some of its values, with bounds on their ranks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from entropick.table.encoding.encoding import Rules

SKETCH_VALUES = 2048  # values per sketch; brackets then hold about one row in a hundred
COUNTED_RANGE = 1 << 16  # whole numbers of a smaller range are counted, not sorted


def sketch_values(rules: Rules) -> int:
    """Number of values per sketch: enough that brackets are narrow compared with the gaps between them."""
    return max(SKETCH_VALUES, 16 * rules.n_bins)


@dataclass(frozen=True)
class Sketch:
    """Some values of a column in ascending order, with bounds on their ranks.

    Attributes
    ----------
    values : distinct values of the column, including the smallest and the largest
    at_least, at_most : bounds on how many values of the column are less than or equal to each
    is_exact : whether these are all distinct values, so that both bounds are exact
    """

    values: np.ndarray
    at_least: np.ndarray
    at_most: np.ndarray
    is_exact: bool = True

    @property
    def n(self) -> int:
        """Number of values of the column without missing ones."""
        return int(self.at_least[-1]) if len(self.at_least) else 0

    @property
    def counts(self) -> np.ndarray:
        """How often each value occurs; for exact sketches."""
        return np.diff(self.at_least, prepend=0)

    @classmethod
    def of(cls, values: np.ndarray, most: int = SKETCH_VALUES) -> "Sketch":
        """The sketch of values without missing ones."""
        if values.dtype.kind in "iu" and len(values):
            low, high = int(values.min()), int(values.max())
            if high - low < min(COUNTED_RANGE, 4 * len(values)):
                counts = np.bincount((values - values.dtype.type(low)).astype(np.intp, copy=False))
                present = np.flatnonzero(counts)
                return cls._exact(present + low, np.cumsum(counts[present]), most)
        ordered = np.sort(values)
        thin = cls._of_ordered(ordered, most) if len(ordered) > 4 * most else None
        if thin is not None:
            return thin
        ends = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        ends = np.append(ends, len(ordered)) if len(ordered) else ends
        return cls._exact(ordered[ends - 1], ends.astype(np.int64), most)

    @classmethod
    def _of_ordered(cls, ordered: np.ndarray, most: int) -> "Sketch | None":
        """A sketch of evenly spaced values; None if some are equal, as there may be few distinct values."""
        values = ordered[np.linspace(0, len(ordered) - 1, most).astype(np.int64)]
        if (values[1:] == values[:-1]).any():
            return None
        ends = np.searchsorted(ordered, values, side="right").astype(np.int64)
        return cls(values, ends, ends, is_exact=False)

    @classmethod
    def _exact(cls, values: np.ndarray, ends: np.ndarray, most: int) -> "Sketch":
        if values.dtype.kind in "iu":
            values = values.astype(np.int64, copy=False)
        return cls(values, ends, ends).thinned(most)

    @classmethod
    def merged(cls, sketches: Sequence["Sketch"], most: int = SKETCH_VALUES) -> "Sketch":
        """The sketch of the concatenated columns; integers become floats if some sketch has floats."""
        sketches = [sketch for sketch in sketches if sketch.n] or [*sketches[:1]]
        dtype = np.result_type(*(sketch.values.dtype for sketch in sketches))
        sketches = [sketch.as_type(dtype) for sketch in sketches]
        values = np.unique(np.concatenate([sketch.values for sketch in sketches]))
        at_least, at_most = np.zeros((2, len(values)), np.int64)
        for sketch in sketches:
            least, most_of_it = sketch._ranks(values)
            at_least += least
            at_most += most_of_it
        is_exact = all(sketch.is_exact for sketch in sketches)
        return cls(values, at_least, at_most, is_exact).thinned(most)

    def as_type(self, dtype: np.dtype) -> "Sketch":
        """Convert the values to another type, in which different values may become equal."""
        if self.values.dtype == dtype or not self.n:
            return replace(self, values=self.values.astype(dtype))
        values = self.values.astype(dtype)
        last = np.append(np.flatnonzero(values[1:] != values[:-1]), len(values) - 1)
        return Sketch(values[last], self.at_least[last], self.at_most[last], self.is_exact)

    def _ranks(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bounds on how many values of the column are less than or equal to each of the given ones."""
        after = np.searchsorted(self.values, values, side="right")
        at_least = np.append(0, self.at_least)[after]
        if self.is_exact:
            return at_least, at_least
        # fewer than up to the next value of the sketch, by at least that value itself
        at_most = np.append(self.at_most - 1, self.n)[after]
        known = after > 0
        known[known] = self.values[after[known] - 1] == values[known]
        at_most[known] = self.at_most[after[known] - 1]
        return at_least, at_most

    def thinned(self, most: int) -> "Sketch":
        """Keep at most `most` values, evenly spaced in rank, including the first and the last."""
        if len(self.values) <= most:
            return self
        ranks = np.linspace(self.at_least[0], self.n, most).astype(np.int64)
        kept = np.unique(np.minimum(np.searchsorted(self.at_least, ranks), len(self.values) - 1))
        return Sketch(self.values[kept], self.at_least[kept], self.at_most[kept], is_exact=False)

    def around_rank(self, rank: int) -> tuple[Any, Any]:
        """Two values that enclose the value of this rank."""
        below = int(np.searchsorted(self.at_most, rank)) - 1
        above = int(np.searchsorted(self.at_least, rank))
        return self.values[max(below, 0)].item(), self.values[above].item()

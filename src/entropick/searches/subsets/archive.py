"""The archive of non-dominated subsets of a search with two objectives."""

import numpy as np

from entropick._base.subsets import as_bit_strings
from entropick._base.ties import TOLERANCE, dense_ranks
from entropick.searches.subsets.costs import Costs


class Archive:
    """All non-dominated subsets so far, by ascending first objective."""

    def __init__(self, n_columns: int, costs: Costs | None = None) -> None:
        self._costs = costs or Costs(n_columns)
        self.subsets = np.empty((0, n_columns), bool)
        self.values = np.empty((0, 2))

    def update(self, subsets: np.ndarray, values: np.ndarray, swaps_ties: bool = True) -> None:
        """Add subsets; ties go to the cheapest, then to the one of the lowest columns.

        Without `swaps_ties`, a subset in the archive is kept regardless of its columns.
        """
        news = np.flatnonzero(self._is_news(subsets, values, swaps_ties))
        if not len(news):
            return
        # lowest columns first
        news = news[np.argsort(as_bit_strings(subsets[news]), kind="stable")[::-1]]
        subsets = np.concatenate([subsets[news], self.subsets])
        values = np.concatenate([values[news], self.values])
        first, second = dense_ranks(values[:, 0]), dense_ranks(values[:, 1])
        order = np.lexsort((self._costs.of(subsets), second, first))
        second = second[order]
        lowest_before = np.concatenate([[len(second)], np.minimum.accumulate(second)[:-1]])
        kept = order[second < lowest_before]
        self.subsets, self.values = subsets[kept], values[kept]

    def _is_news(self, subsets: np.ndarray, values: np.ndarray, swaps_ties: bool) -> np.ndarray:
        """Which subsets no subset of the archive dominates; most children are rejected here."""
        if not len(self.values):
            return np.ones(len(values), bool)
        margins = TOLERANCE * np.maximum(1.0, np.abs(values))
        before = np.searchsorted(self.values[:, 0], values[:, 0] + margins[:, 0], side="right")
        lowest = np.concatenate([[np.inf], self.values[:, 1]])  # decreases along the archive
        is_news = values[:, 1] + margins[:, 1] < lowest[before]
        known = before - 1
        is_known = (before > 0) & (np.abs(self.values[known] - values) <= margins).all(axis=1)
        for i in np.flatnonzero(is_known):
            is_news[i] = self._comes_before(subsets[i], self.subsets[known[i]], swaps_ties)
        return np.asarray(is_news)

    def _comes_before(self, subset: np.ndarray, other: np.ndarray, swaps_ties: bool) -> bool:
        """Whether a subset is cheaper than another, or costs the same with lower columns."""
        price, other_price = self._costs.of(np.stack([subset, other]))
        if price != other_price or not swaps_ties:
            return bool(price < other_price)
        first = np.argmax(subset != other)
        return bool(subset[first] and not other[first])

"""Costs and budgets of subsets of columns."""

from collections.abc import Sequence

import numpy as np

from entropick.exceptions import DataError

DIGITS = 12  # prices that differ by less than this share of all costs are equal


class Costs:
    """Prices of subsets: their sizes, or sums of given costs, limited by a budget.

    Parameters
    ----------
    n_columns : number of candidates
    fixed : columns in every subset
    costs : cost of each column; None for 1 each
    budget : largest price of a subset; None for no limit
    """

    def __init__(
        self,
        n_columns: int,
        fixed: Sequence[int] = (),
        costs: np.ndarray | None = None,
        budget: float | None = None,
    ) -> None:
        self._costs = costs
        self._fixed = np.zeros(n_columns, bool)
        self._fixed[list(fixed)] = True
        self.of_all = float(n_columns if costs is None else costs.sum())
        self.budget = budget
        self.unit = "columns" if costs is None else "costs"
        each = np.ones(n_columns) if costs is None else costs
        self._spare = np.inf if budget is None else budget - float(self.of(self._fixed[None, :])[0])
        self._slack = self.of_all * 10.0**-DIGITS
        self._each = each
        self.alone = np.flatnonzero(each <= self._spare + self._slack)  # affordable next to the fixed columns
        self._check(len(fixed))

    def _check(self, n_fixed: int) -> None:
        """Reject a budget that allows no subset."""
        if self.budget is None:
            return
        if self._spare < -self._slack:
            raise DataError(
                f"The budget must cover the fixed columns, but it is {self.budget:g} and they cost "
                f"{self.budget - self._spare:g}. Hint: raise the budget, or fix fewer columns."
            )
        if not n_fixed and not len(self.alone):
            raise DataError(
                f"The budget must allow at least one column, but it is {self.budget:g} and the cheapest "
                f"column costs {self._each.min():g}. Hint: raise the budget."
            )

    @property
    def are_given(self) -> bool:
        """Whether prices are sums of given costs rather than sizes."""
        return self._costs is not None

    def of(self, subsets: np.ndarray) -> np.ndarray:
        """Price of each subset; bitwise independent of its position in the array."""
        if self._costs is None:
            return np.asarray(subsets.sum(axis=1))
        if self.of_all == 0:
            return np.zeros(len(subsets))
        shares = [float(self._costs[subset].sum()) / self.of_all for subset in subsets]
        return np.round(shares, DIGITS) * self.of_all

    def shares(self, subsets: np.ndarray) -> np.ndarray:
        """Price of each subset relative to that of all columns."""
        return self.of(subsets) / (self.of_all or 1.0)

    def allow(self, subsets: np.ndarray) -> np.ndarray:
        """Which subsets are within the budget."""
        if self.budget is None:
            return np.ones(len(subsets), bool)
        return self.of(subsets) <= self.budget + self._slack

    def allow_more(self, subset: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Which columns can be added to a subset within the budget."""
        if self.budget is None:
            return np.ones(len(columns), bool)
        return np.asarray(self.of(subset[None, :])[0] + self._each[columns] <= self.budget + self._slack)

    def trim(self, subsets: np.ndarray, rng: np.random.RandomState) -> None:
        """Remove random columns from subsets over the budget, in place; some may become empty."""
        for i in np.flatnonzero(~self.allow(subsets)):
            members = rng.permutation(np.flatnonzero(subsets[i] & ~self._fixed))
            is_too_much = np.cumsum(self._each[members]) > self._spare + self._slack
            subsets[i, members[is_too_much]] = False

    def cheapest(self, n_more: int) -> float:
        """The lowest cost of a subset of the fixed columns and this many others."""
        others = np.sort(self._each[~self._fixed])[:n_more]
        return float(self._each[self._fixed].sum() + others.sum())

"""Rows that belong together, as those of one patient: numbered, and shuffled as a whole."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from entropick.exceptions import DataError

BOTH = "Rows belong to groups or are in the order of time, not both. Hint: leave groups or time_order out."


def encode_row_groups(groups: Any, n_rows: int) -> np.ndarray | None:
    """Number the groups 0, 1, ... by their first rows; None if rows are independent.

    Parameters
    ----------
    groups : array-like of shape (n_rows,), values of any type; None if rows are independent
    n_rows : rows of the table
    """
    if groups is None:
        return None
    values = groups.to_list() if hasattr(groups, "to_list") else np.asarray(groups).tolist()
    if not isinstance(values, list) or len(values) != n_rows or any(isinstance(v, list) for v in values[:1]):
        found = f"{len(values)} values" if isinstance(values, list) else repr(values)
        raise DataError(f"groups must hold one value for each of the {n_rows} rows, got {found}.")
    numbers: dict[Any, int] = {}
    codes = np.empty(n_rows, np.int64)
    for row, value in enumerate(values):
        if value is None or value != value:  # NaN and NaT differ from themselves
            raise DataError(
                f"groups must not have missing values, but row {row} has none. Hint: give each such row a "
                "group of its own, or leave these rows out.",
                row=row,
            )
        codes[row] = numbers.setdefault(value, len(numbers))
    if len(numbers) < 2:
        raise DataError("groups must name at least two groups of rows, got one: there is nothing to split.")
    return codes


def shift_order(strata: np.ndarray, share: float) -> np.ndarray:
    """Row whose value each row gets if values are shifted in time within each stratum, the last to the first.

    Parameters
    ----------
    strata : stratum of each row, 0, 1, ...; rows in the order of time
    share : how far, as a share of the rows of the stratum
    """
    rows = np.argsort(strata, kind="stable")
    starts, sizes = np.unique(strata[rows], return_index=True, return_counts=True)[1:]
    place = np.arange(len(rows)) - np.repeat(starts, sizes)
    sizes = np.repeat(sizes, sizes)
    order = np.empty(len(rows), np.int64)
    order[rows] = rows[
        np.arange(len(rows)) - place + (place - np.rint(share * sizes).astype(np.int64)) % sizes
    ]
    return order


def random_orders(n_rows: int, groups: np.ndarray | None, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Random orders of the rows, without end; with groups, each gets the rows of another one."""
    by_group = None if groups is None else GroupOrder(groups)
    while True:
        yield rng.permutation(n_rows) if by_group is None else by_group.draw(rng)


class GroupOrder:
    """Orders in which each group gets the values of another group, repeated where that has fewer rows.

    Parameters
    ----------
    groups : group of each row, 0, 1, ...
    strata : rows get values of rows of their own stratum only, and keep their own value where the other group
        has no such row; None for one stratum
    """

    def __init__(self, groups: np.ndarray, strata: np.ndarray | None = None) -> None:
        self._n_groups = int(groups.max()) + 1
        self._n_strata = 1 if strata is None else int(strata.max()) + 1
        blocks = groups if strata is None else groups * self._n_strata + strata
        self._rows = np.argsort(blocks, kind="stable")
        self._keys, self._starts, self._sizes = np.unique(
            blocks[self._rows], return_index=True, return_counts=True
        )
        self._block = np.repeat(np.arange(len(self._keys)), self._sizes)
        self._place = np.arange(len(groups)) - self._starts[self._block]

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Row whose value each row gets."""
        group, stratum = np.divmod(self._keys, self._n_strata)
        wanted = rng.permutation(self._n_groups)[group] * self._n_strata + stratum
        other = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        other = np.where(self._keys[other] == wanted, other, np.arange(len(other)))[self._block]
        order = np.empty(len(self._rows), np.int64)
        order[self._rows] = self._rows[self._starts[other] + self._place % self._sizes[other]]
        return order

"""Cells of a cube: the counts of all pairs of columns by class, without rows."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from entropick.contracts import GroupSums
from entropick.counting.cells import CellCounts, Cells, Counted, Given
from entropick.counting.subsets import sums_of_nested
from entropick.counting.surprisal import Surprisal
from entropick.exceptions import CombinationError, Hint, Message

MAX_CELLS = 1 << 28  # of all pairs (2 GB)


def pair_tables(cells: Cells) -> tuple[list[np.ndarray], dict[tuple[int, int], np.ndarray]]:
    """Tables (level, class) of all columns, and (level, level, class) of all pairs of columns."""
    n_levels, n_classes = cells.n_levels, len(cells.class_sizes)
    singles = _tables(cells, np.arange(len(n_levels)), ())
    pairs: dict[tuple[int, int], np.ndarray] = {}
    for s in range(1, len(n_levels)):
        tables = _tables(cells, np.arange(s), (s,))
        for f, table in enumerate(tables):
            pairs[f, s] = table.reshape(int(n_levels[f]), int(n_levels[s]), n_classes)
    return singles, pairs


def _tables(cells: Cells, columns: np.ndarray, given: Given) -> list[np.ndarray]:
    """The tables of some columns; cells that do not occur are 0."""
    found = cells.of_columns(columns, given, by_class=True)
    sizes = cells.n_levels[columns] * np.prod(cells.n_levels[list(given)], dtype=np.int64)
    whole = np.zeros((int(sizes.sum()), len(cells.class_sizes)), np.int64)
    whole[found.keys] = found.counts
    return np.split(whole, np.cumsum(sizes)[:-1])


class CubeCells(Cells):
    """`Cells` of which pairs are known.

    Parameters
    ----------
    singles, pairs : see `pair_tables`
    class_sizes : rows of each class
    is_exact : whether all counts are there, small ones too
    """

    def __init__(
        self,
        singles: Sequence[np.ndarray],
        pairs: Mapping[tuple[int, int], np.ndarray],
        class_sizes: np.ndarray,
        is_exact: bool = True,
    ) -> None:
        self.is_exact = is_exact
        self._singles, self._pairs = singles, pairs
        self.class_sizes, self.n_rows = class_sizes, int(class_sizes.sum())
        self.n_levels = np.array([len(table) for table in singles], np.int64)

    def of_columns(self, columns: np.ndarray, given: Given, by_class: bool) -> Counted:
        if len(given) > 1:
            raise _needs_more()
        tables = [self._table(f, given).reshape(-1, len(self.class_sizes)) for f in columns.tolist()]
        counts = np.concatenate(tables)
        return Counted(np.arange(len(counts)), counts if by_class else counts.sum(axis=1, keepdims=True))

    def _table(self, f: int, given: Given) -> np.ndarray:
        if not given:
            return self._singles[f]
        (s,) = given
        if f == s:  # levels beside themselves
            table = np.zeros((len(self._singles[f]), *self._singles[f].shape), np.int64)
            table[np.arange(len(table)), np.arange(len(table))] = self._singles[f]
            return table
        return self._pairs[f, s] if f < s else self._pairs[s, f].transpose(1, 0, 2)

    def of_subsets(self, subsets: np.ndarray) -> list[Counted]:
        found = []
        for subset in subsets:
            columns = np.flatnonzero(subset).tolist()
            if len(columns) > 2:
                raise _needs_more()
            table = self._table(columns[0], tuple(columns[1:])) if columns else self.class_sizes
            counts = table.reshape(-1, len(self.class_sizes))
            counts = counts[counts.any(axis=1)]
            found.append(Counted(np.arange(len(counts)), counts))
        return found


class CubeCounts(CellCounts):
    """`Counts` of a cube."""

    def nested_sums(self, columns: Sequence[int], at_once: int, surprisal: Surprisal) -> Iterator[GroupSums]:
        """Of the first column and the first two: of more, a cube knows nothing."""
        if columns:
            yield sums_of_nested(self, columns[:2], 0, surprisal)


def _needs_more() -> CombinationError:
    return CombinationError(
        Message(
            "This needs counts of more than two columns jointly, but a cube has counts of pairs. Hint: use ",
            Hint("n_features", "gain"),
            "; or the ranking MIM, which needs no others with ",
            Hint("n_features", "fdr"),
            "; or fit the rows themselves.",
        )
    )

"""Counts over the joint levels of many subsets of columns at once."""

from collections.abc import Sequence

import numpy as np

from entropick._base.bit_strings import as_bit_strings
from entropick._base.threads import Threads
from entropick._kernels import subsets as kernels
from entropick._kernels.logarithms import power, power_of_two_above
from entropick._kernels.pairs import SparseColumns
from entropick.contracts import Counts, GroupSums
from entropick.counting.groups import UnusualRows, sparse_columns
from entropick.counting.surprisal import PhiAndChance, Surprisal
from entropick.table.codes import Codes, DensePart, SparsePart, freeze

EXPANDED_BYTES = 1 << 19  # keys of a chunk of rows: small enough to stay near the processor
SUMS_BYTES = 1 << 20  # row sums of a block of subsets, which should stay near the processor
LEAST_SUBSETS = 16  # in a block all the same: they share the expanded keys
KEY_SEED = 0x5EED  # keys are the same in every run; results do not depend on them


class SubsetCounter:
    """Groups rows by the joint levels of whole subsets of columns.

    Joint levels are sums of random 64-bit keys. For one subset the probability that any two different joint
    levels share a sum, and so count as one, is at most n²/2⁶⁵ for n rows: below 3·10⁻⁸ for a
    million rows, 10⁻¹² for some thousands.

    Parameters
    ----------
    codes : the table; without a target all rows count as one class
    unusual : the columns that mostly have one level
    threads : threads
    """

    def __init__(self, codes: Codes, unusual: UnusualRows, threads: Threads) -> None:
        self._codes = codes
        self._threads = threads
        self._labels = codes.labels.copy()
        self._n_classes = codes.n_classes
        self._keys, self._first_key = level_keys(codes.n_levels)
        self._list_columns(unusual)

    def _list_columns(self, unusual: UnusualRows) -> None:
        """Split the columns into those stored as lists of unusual rows and the dense ones."""
        listed: list[np.ndarray] = []
        lists: list[SparseColumns] = []
        self._dense: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # codes, place in them, columns
        for p, part in enumerate(self._codes.parts):
            if isinstance(part, SparsePart):
                listed.append(part.columns)
                lists.append(sparse_columns(part, self._codes.n_levels))
                continue
            assert isinstance(part, DensePart)
            of_part = unusual.of_part(p)
            is_dense = np.ones(len(part.columns), bool)
            if of_part is not None:
                columns, place = of_part
                is_dense = place < 0
                listed.append(part.columns[~is_dense])
                lists.append(columns)
            if is_dense.any():
                self._dense.append((part.codes, np.flatnonzero(is_dense), part.columns[is_dense]))
        self._listed = np.concatenate(listed) if listed else np.empty(0, np.int64)
        self._join_lists(lists)

    def _join_lists(self, lists: list[SparseColumns]) -> None:
        """All listed columns in one list, with the difference of keys to the column's usual level."""
        lengths = [np.diff(columns.starts) for columns in lists]
        self._starts = np.concatenate([[0], *lengths]).cumsum()
        self._rows = np.concatenate([np.empty(0, np.int32), *(columns.rows for columns in lists)])
        first = np.repeat(self._first_key[self._listed], np.diff(self._starts))
        codes = np.concatenate([np.empty(0, np.int64), *(columns.codes for columns in lists)])
        usual = np.concatenate([np.empty(0, np.int64), *(columns.usual for columns in lists)])
        usual_of = np.repeat(usual.astype(np.int64), np.diff(self._starts))
        keys = self._keys
        self._differences = keys[first + codes.astype(np.int64)] - keys[first + usual_of]
        freeze(self._starts, self._rows, self._differences)

    def entropy_sums(self, subsets: np.ndarray, of_group: np.ndarray, of_cell: np.ndarray) -> GroupSums:
        """Counts of groups and cells, and integers looked up by their sizes, summed.

        Parameters
        ----------
        subsets : bool (subsets, columns)
        of_group, of_cell : int64 (rows + 1,), what a group or cell of each size contributes
        """
        return self._sums(subsets, kernels.ENTROPY, of_group, of_cell, 1.0)

    def peak_sums(self, subsets: np.ndarray) -> np.ndarray:
        """Σ over groups of the largest class count: rows that the best rule gets right."""
        nothing = np.zeros(self._codes.n_rows + 1, np.int64)
        return self._sums(subsets, kernels.PEAK, nothing, nothing, 1.0).over_groups

    def majority_sums(self, subsets: np.ndarray, needed: np.ndarray) -> GroupSums:
        """Over groups: the rows of those whose largest class count is at least `needed` for their size."""
        nothing = np.zeros(self._codes.n_rows + 1, np.int64)
        return self._sums(subsets, kernels.MAJORITY, needed, nothing, 1.0)

    def norm_sums(self, subsets: np.ndarray, order: float) -> np.ndarray:
        """Σ over groups of the norm of the class counts of the given order, as floats."""
        nothing = np.zeros(self._codes.n_rows + 1, np.int64)
        scale = norm_scale(self._codes.n_rows, self._n_classes, order)
        unit = np.array([int(scale)], np.int64)
        return self._sums(subsets, kernels.NORM, unit, nothing, order).over_groups / scale

    def _sums(
        self, subsets: np.ndarray, kind: int, of_group: np.ndarray, of_cell: np.ndarray, order: float
    ) -> GroupSums:
        # Neighbours in this order share columns, so that their row sums follow from each other.
        ordered = np.argsort(as_bit_strings(subsets), kind="stable")
        found = np.empty((len(subsets), 4), np.int64)
        n_rows = self._codes.n_rows
        most = max(LEAST_SUBSETS, SUMS_BYTES // (8 * n_rows))

        def run(start: int, stop: int) -> None:
            for first in range(start, stop, most):
                block = ordered[first : min(first + most, stop)]
                row_sums = self._row_sums(subsets[block])
                sums = np.empty((len(block), 4), np.int64)
                kernels.group_sums(
                    row_sums, self._labels, self._n_classes, kind, of_group, of_cell, order, sums
                )
                found[block] = sums

        seconds = 1e-6 + n_rows * (6e-9 + 1e-10 * self._codes.n_columns)
        self._threads.run(run, len(subsets), seconds)
        return GroupSums(*found.T)

    def _row_sums(self, subsets: np.ndarray) -> np.ndarray:
        """Sum of keys of every row on each subset (subsets, rows)."""
        n_rows = self._codes.n_rows
        sums = np.zeros((len(subsets), n_rows), np.uint64)
        used = np.asarray(subsets.any(axis=0))
        dense = [
            (codes, local[used[columns]], columns[used[columns]]) for codes, local, columns in self._dense
        ]
        all_columns = np.concatenate([np.empty(0, np.int64), *(columns for _, _, columns in dense)])
        if len(all_columns):
            members = np.ascontiguousarray(subsets[:, all_columns])
            width = min(n_rows, max(64, EXPANDED_BYTES // (8 * len(all_columns))))
            expanded = np.empty((len(all_columns), width), np.uint64)
            for start in range(0, n_rows, width):
                n_here = min(width, n_rows - start)
                self._expand(dense, start, n_here, expanded)
                kernels.add_keys(expanded, members, start, n_here, sums)
        if len(self._listed):
            members = np.ascontiguousarray(subsets[:, self._listed])
            kernels.add_listed(self._starts, self._rows, self._differences, members, sums)
        return sums

    def _expand(
        self,
        dense: list[tuple[np.ndarray, np.ndarray, np.ndarray]],
        start: int,
        width: int,
        expanded: np.ndarray,
    ) -> None:
        """The keys of a chunk of rows, one line per dense column."""
        line = 0
        for codes, local, columns in dense:
            kernels.expand_keys(
                codes, local, self._first_key[columns], self._keys, start, width, expanded, line
            )
            line += len(local)


def sums_of_nested(counts: Counts, columns: Sequence[int], start: int, surprisal: Surprisal) -> GroupSums:
    """As `entropick.contracts.Counts.nested_sums`: of more than `start` columns, up to all of them."""
    subsets = np.zeros((len(columns) - start, len(counts.n_levels)), bool)
    for i, column in enumerate(columns):
        subsets[max(i - start, 0) :, column] = True
    return counts.subset_sums(subsets, PhiAndChance(surprisal, counts.class_sizes), surprisal.phi)


def level_keys(n_levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A random key for each level of each column, and where the keys of each column begin."""
    first_key = np.concatenate([[0], np.cumsum(n_levels)])
    keys = np.random.default_rng(KEY_SEED).integers(0, 2**64, first_key[-1], dtype=np.uint64)
    return keys, first_key[:-1]


def norm_scale(n_rows: int, n_classes: int, order: float) -> float:
    """What norms are multiplied with, so that their sums fit 64 bits."""
    # Below order 1 a norm may exceed the size of the group, at most C^(1/order - 1) times.
    largest = n_rows * max(1.0, float(power(n_classes, 1.0 / order - 1.0)))
    return 2.0 ** (60 - power_of_two_above(largest))

"""Random arguments of the compiled loops, shared by all tests of the core.

Every function of `entropick._core` is called through its face in `entropick._kernels`. Nothing in this folder
needs anything else of the package, so that the tests also run with a core built for memory checks.
"""

import math
from collections import Counter

import numpy as np
from hypothesis import strategies as st

from entropick import _core
from entropick._kernels import pairs, partition

seeds = st.integers(0, 2**32 - 1)
CODE_TYPES = [np.uint8, np.uint16, np.uint32]


def phi_table(n_rows):
    """Any function of counts will do; this one is not linear."""
    return np.array([round(c * math.log2(max(c, 1)) * 1000) + 7 * c for c in range(n_rows + 1)])


class ChanceOfLevels:
    """What cells within levels tell by chance: as the loops take it, and by number of a level and size."""

    def __init__(self, counts, n_classes):
        self.tables, scale = _core.ChanceTables(), 1000.0
        self.tables.add(counts.astype(np.uint64), n_classes, scale)
        self._values = []
        for class_sizes in counts.reshape(-1, n_classes):
            expected = np.empty(class_sizes.sum() + 1)
            _core.Chance(class_sizes.astype(np.int64)).fill(np.arange(len(expected)), expected)
            self._values.append(np.rint(expected * scale).astype(np.int64).tolist())

    def sum(self, cells, first_level=0):
        """Over cells given by level and size."""
        return sum(self._values[first_level + level][size] for level, size in cells)


def frozen(array):
    array.setflags(write=False)
    return array


def packed(codes, n_levels):
    """The planes of levels 1, 2, ... of each row of codes."""
    rows = [
        np.packbits(row == level, bitorder="little").view(np.uint64)
        for row in codes
        for level in range(1, n_levels)
    ]
    return np.array(rows, np.uint64).reshape(-1, codes.shape[1] // 64)


def most_levels(code_type):
    """Levels that codes of a type can tell apart, and that loops take."""
    return min(int(np.iinfo(code_type).max), 2**31 - 1)


def unlike_levels(rng, n_columns, n_rows, code_type=np.uint8):
    """Very different numbers of levels side by side, in any order: 1, 2, 3, about √n, n/10, n and above n."""
    choices = [1, 2, 3, math.isqrt(n_rows) + 1, n_rows // 10 + 1, n_rows + 1, 3 * n_rows + 1000]
    return np.minimum(rng.choice(choices, n_columns), most_levels(code_type))


def unlike_codes(rng, levels, n_rows, code_type=np.uint8):
    """Columns of these numbers of levels: even, with nearly all rows in one level, or a number for each row."""
    codes = np.empty((len(levels), n_rows), code_type)
    for column, n in zip(codes, levels, strict=True):
        kind = rng.integers(4)
        column[:] = rng.integers(0, n, n_rows)
        if kind == 0:
            column[rng.random(n_rows) < 0.95] = rng.integers(0, n)
        elif kind == 1 and n >= n_rows:
            column[:] = rng.permutation(n)[:n_rows]
    return codes


class PairTable:
    """Random columns, all of them selected too, in the form the loops of `pairs` take.

    `n_levels` is at most so many, or one number per column; `with_planes` may be one truth per column, too.
    """

    def __init__(
        self,
        seed,
        n_rows,
        n_levels,
        n_classes,
        n_columns=4,
        code_type=np.uint8,
        with_planes=True,
        joint_type=None,
    ):
        rng = self.rng = np.random.default_rng(seed)
        padded = -(-n_rows // 64) * 64
        if np.ndim(n_levels) == 0:  # at most
            n_levels = rng.integers(1, n_levels + 1, n_columns)
        self.n_levels, n_columns = np.asarray(n_levels), len(n_levels)
        self.codes = np.zeros((n_columns, padded), code_type)
        self.codes[:, :n_rows] = rng.integers(0, self.n_levels[:, None], (n_columns, n_rows))
        self.labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
        self.rows = pairs.Rows(n_rows, padded // 64, n_classes)
        self.has_planes = np.broadcast_to(with_planes, n_columns)
        n_planes = np.where(self.has_planes, self.n_levels - 1, 0)
        first = np.where(self.has_planes, np.cumsum(n_planes) - n_planes, -1)
        planes, counts = [np.empty((0, padded // 64), np.uint64)], [np.empty((0, n_classes), np.uint32)]
        for j in np.flatnonzero(self.has_planes):
            planes.append(packed(self.codes[[j]], self.n_levels[j]))
            cells = self.codes[j, :n_rows].astype(np.int64) * n_classes + self.labels
            by_level = np.bincount(cells, minlength=self.n_levels[j] * n_classes).reshape(-1, n_classes)
            counts.append(by_level[1:].astype(np.uint32))
        self.planes = np.concatenate(planes).reshape(-1)
        self.plane_counts = np.concatenate(counts)
        self.columns = pairs.Columns(
            frozen(self.codes),
            frozen(self.n_levels),
            frozen(self.planes),
            frozen(first),
            frozen(self.plane_counts),
        )
        self.selected = self._select(joint_type)
        self.everything = np.arange(n_columns)
        self.phi = phi_table(n_rows)

    def _select(self, joint_type):
        n_rows, n_words, n_classes = self.rows
        joint = self.codes[:, :n_rows].astype(np.int64) * n_classes + self.labels
        all_planes, all_counts, index, n_planes = [np.empty((0, n_words), np.uint64)], [], [], 0
        for j, n in enumerate(self.n_levels):
            index.append([n, n_planes if self.has_planes[j] else -1, sum(map(len, all_counts))])
            all_counts.append(np.bincount(joint[j], minlength=n * n_classes))
            if self.has_planes[j]:
                wide = np.full((1, n_words * 64), -1)
                wide[0, :n_rows] = joint[j]
                all_planes.append(packed(wide, n * n_classes)[n_classes - 1 :])
                n_planes += len(all_planes[-1])
        dtype = joint_type or np.min_scalar_type(int(joint.max()))
        counts = np.concatenate(all_counts)
        # of one class nothing is told by chance
        self.chance = ChanceOfLevels(counts, n_classes) if n_classes > 1 else None
        return pairs.Selected(
            frozen(joint.astype(dtype)),
            np.array(index),
            np.concatenate(all_planes).reshape(-1),
            counts.astype(np.uint64),
            self.chance.tables if self.chance else _core.ChanceTables(),
        )

    def expected(self, f, s):
        """Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what the cells (f,s) tell by chance."""
        n_rows = self.rows.n_rows
        pair = list(zip(self.codes[f, :n_rows].tolist(), self.codes[s, :n_rows].tolist(), strict=True))
        triple = list(zip(pair, self.labels.tolist(), strict=True))
        sums = [sum(int(self.phi[c]) for c in Counter(cells).values()) for cells in (pair, triple)]
        if self.chance is None:
            return [*sums, 0]
        first = int(self.selected.index[s, 2]) // self.rows.n_classes
        cells = ((level, count) for (_, level), count in Counter(pair).items())
        return [*sums, self.chance.sum(cells, first)]

    def sums(self, s):
        sums = np.full((3, len(self.everything)), -1)
        _core.pair_sums(
            *self.columns, self.everything, self.everything, *self.selected, s, *self.rows, self.phi, sums
        )
        return sums


def listed(rng, n_columns, n_rows, n_levels, code_type=np.uint8):
    """Columns as lists of unusual rows, and the same columns in full."""
    levels = np.broadcast_to(n_levels, n_columns).astype(np.int64)
    usual = rng.integers(0, levels)
    full = unlike_codes(rng, levels, n_rows, np.int64)
    full = np.where(rng.random((n_columns, n_rows)) < 0.3, full, usual[:, None])
    column, rows = np.nonzero(full != usual[:, None])
    starts = np.searchsorted(column, np.arange(n_columns + 1))
    codes = full[column, rows].astype(code_type)
    return pairs.SparseColumns(starts, rows.astype(np.int32), codes, usual, levels), full


def random_groups(rng, n_rows, n_groups, n_classes):
    """Some rows of a table, in groups."""
    rows = rng.permutation(n_rows)[: rng.integers(0, n_rows + 1)].astype(np.int32)
    group = np.sort(rng.integers(0, n_groups, len(rows)))
    sizes = np.bincount(group)
    group = np.repeat(np.arange(np.count_nonzero(sizes)), sizes[sizes > 0])
    starts = np.searchsorted(group, np.arange(np.count_nonzero(sizes) + 1))
    labels = rng.integers(0, n_classes, len(rows)).astype(np.int32)
    for g in range(len(starts) - 1):  # a group of two rows has two classes, or it would be settled
        if starts[g + 1] - starts[g] == 2:
            labels[starts[g] : starts[g + 1]] = [0, 1]
    return partition.Groups(rows, starts, labels, n_classes), group


class RandomSpace:
    """Columns of all three kinds; values are eighths, so that distances are exact and ties are ties."""

    def __init__(self, seed, n_columns, n_rows, all_numeric=False):
        self.rng = rng = np.random.default_rng(seed)
        self.kinds = np.zeros(n_columns, np.int64) if all_numeric else rng.integers(0, 3, n_columns)
        self.values = (rng.integers(0, 9, (n_columns, n_rows)) / 8).astype(np.float32)
        for f in np.flatnonzero(self.kinds):
            self.values[f][rng.random(n_rows) < 0.2] = np.nan
        self.expected = (rng.integers(0, 9, n_columns) / 8).astype(np.float32)
        self.points = np.ascontiguousarray(self.values.T)
        self.labels = rng.integers(0, 3, n_rows).astype(np.int32)
        self.parts = tuple(map(frozen, (self.values, self.kinds, self.expected)))

    def difference(self, f, i, j):
        a, b = self.values[f, i], self.values[f, j]
        if self.kinds[f] != 0 and (np.isnan(a) or np.isnan(b)):
            return self.expected[f]
        return np.float32(a != b) if self.kinds[f] == 2 else np.abs(a - b)

    def distance(self, i, j, columns=None, squared=False):
        columns = range(len(self.kinds)) if columns is None else columns
        differences = [float(self.difference(f, i, j)) for f in columns]
        return sum(d * d if squared else d for d in differences)

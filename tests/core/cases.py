"""Random arguments of the compiled loops, shared by all tests of the core.

Nothing in this folder needs more of the package than the core and what stands on the ground floor, so that the
tests also run with a core built for memory checks.
"""

import functools
import math
from collections import Counter

import numpy as np
from hypothesis import strategies as st

from entropick import _core

seeds = st.integers(0, 2**32 - 1)
CODE_TYPES = [np.uint8, np.uint16, np.uint32]


def phi_table(n_rows):
    """Any function of counts will do; this one is not linear."""
    return np.array([round(c * math.log2(max(c, 1)) * 1000) + 7 * c for c in range(n_rows + 1)])


SCALE = 1000.0  # what bits times rows are multiplied by


def chance_by_size(class_sizes):
    """What cells tell by chance, by their size, as the integers that loops add up."""
    expected = np.empty(class_sizes.sum() + 1)
    _core.Chance(class_sizes.astype(np.int64)).fill(np.arange(len(expected)), expected)
    return np.rint(expected * SCALE).astype(np.int64).tolist()


def frozen(array):
    array.setflags(write=False)
    return array


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
    """Random columns, all of them selected too, as the loops of `pairs` see them.

    `n_levels` is at most so many, or one number per column. Columns have room for planes, or are too short for
    them; some of them are lists of unusual rows.
    """

    def __init__(
        self, seed, n_rows, n_levels, n_classes, n_columns=4, code_type=np.uint8, with_planes=True, n_listed=0,
        by_chance=True,
    ):  # fmt: skip
        rng = self.rng = np.random.default_rng(seed)
        if np.ndim(n_levels) == 0:  # at most
            n_levels = rng.integers(1, n_levels + 1, n_columns)
        self.n_levels, self.n_rows, self.n_classes = np.array(n_levels), n_rows, n_classes
        n_columns = len(self.n_levels)
        self.codes = unlike_codes(rng, self.n_levels, n_rows, np.int64)
        self.labels = frozen(rng.integers(0, n_classes, n_rows).astype(np.int32))
        self.everything, self.phi = np.arange(n_columns), frozen(phi_table(n_rows))
        padded = -(-n_rows // 64) * 64 if with_planes else n_rows
        stored = np.zeros((n_columns, padded), code_type)
        stored[:, :n_rows] = self.codes
        parts = [(self.everything, frozen(stored))]
        if n_listed:
            parts.append(listed(self.codes[:n_listed], self.n_levels[:n_listed], code_type))
        self.table = _core.CodeTable(n_rows, frozen(self.n_levels), parts)
        self.counter = _core.PairCounter(self.table, self.labels, n_classes)
        self.selected = self.new_selected(by_chance)
        for j in self.everything:
            self.selected.add(stored[j, :n_rows], int(self.n_levels[j]))
        # of one class nothing is told by chance
        self.by_chance = by_chance and n_classes > 1

    def new_selected(self, by_chance=True):
        return _core.Selected(self.labels, self.n_classes, self.phi, SCALE if by_chance else 0.0)

    def expected(self, f, s=None):
        """Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what the cells (f,s) tell by chance; without s, those of f alone."""
        of_s = np.zeros(self.n_rows, np.int64) if s is None else self.codes[s]
        pair = list(zip(self.codes[f].tolist(), of_s.tolist(), strict=True))
        triple = list(zip(pair, self.labels.tolist(), strict=True))
        sums = [sum(int(self.phi[c]) for c in Counter(cells).values()) for cells in (pair, triple)]
        if not self.by_chance:
            return [*sums, 0]
        return [*sums, sum(self._chance(s)[level][count] for (_, level), count in Counter(pair).items())]

    @functools.cache  # noqa: B019
    def _chance(self, s):
        """What cells tell by chance, by level of s and size."""
        of_s = np.zeros(self.n_rows, np.int64) if s is None else self.codes[s]
        return {
            level: chance_by_size(np.bincount(self.labels[of_s == level], minlength=self.n_classes))
            for level in np.unique(of_s).tolist()
        }

    def sums(self, s):
        sums = np.full((3, len(self.everything)), -1)
        self.counter.sums(self.everything, self.selected, s, sums)
        return sums


def listed(full, n_levels, code_type=np.uint8, usual=None):
    """The first columns of a table as lists of unusual rows."""
    n_columns = len(full)
    if usual is None:
        usual = np.array([np.bincount(column).argmax() for column in full])
    column, rows = np.nonzero(full != usual[:, None])
    starts = np.searchsorted(column, np.arange(n_columns + 1))
    codes = full[column, rows].astype(code_type)
    return tuple(map(frozen, (np.arange(n_columns), starts, rows.astype(np.int32), codes, usual)))


def mostly_usual(rng, n_columns, n_rows, n_levels):
    """Columns of which about three rows in ten have another level than a random one."""
    levels = np.broadcast_to(n_levels, n_columns).astype(np.int64)
    usual = rng.integers(0, levels)
    full = unlike_codes(rng, levels, n_rows, np.int64)
    return np.where(rng.random((n_columns, n_rows)) < 0.3, full, usual[:, None]), usual


def two_tables(codes, n_levels, code_type):
    """A table of dense columns, and the same as lists of unusual rows; of no row, dense alone."""
    n_columns, n_rows = codes.shape
    dense = (np.arange(n_columns), codes.astype(code_type))
    yield _core.CodeTable(n_rows, n_levels, [dense])
    if n_rows:
        yield _core.CodeTable(n_rows, n_levels, [listed(codes, n_levels, code_type)])


class RandomSpace:
    """Columns of all three kinds; values are eighths, so that distances are exact and ties are ties."""

    def __init__(self, seed, n_columns, n_rows, all_numeric=False):
        self.rng = rng = np.random.default_rng(seed)
        self.kinds = np.zeros(n_columns, np.int64) if all_numeric else rng.integers(0, 3, n_columns)
        self.values = (rng.integers(0, 9, (n_columns, n_rows)) / 8).astype(np.float32)
        for f in np.flatnonzero(self.kinds):
            self.values[f][rng.random(n_rows) < 0.2] = np.nan
        self.expected = (rng.integers(0, 9, n_columns) / 8).astype(np.float32)
        self.labels = rng.integers(0, 3, n_rows).astype(np.int32)
        arrays = tuple(map(frozen, (self.values, self.kinds, self.expected)))
        self.compiled = _core.Space(*arrays)
        self.points = _core.Points(frozen(np.ascontiguousarray(self.values.T)), *arrays[1:])

    def difference(self, f, i, j):
        a, b = self.values[f, i], self.values[f, j]
        if self.kinds[f] != 0 and (np.isnan(a) or np.isnan(b)):
            return self.expected[f]
        return np.float32(a != b) if self.kinds[f] == 2 else np.abs(a - b)

    def distance(self, i, j, columns=None, squared=False):
        columns = range(len(self.kinds)) if columns is None else columns
        differences = [float(self.difference(f, i, j)) for f in columns]
        return sum(d * d if squared else d for d in differences)

"""Bit planes give the same counts as plain counting."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from entropick import _core
from entropick._base.threads import Threads
from entropick.counting.local import PairCounter
from entropick.counting.surprisal import Surprisal
from entropick.table import encode
from entropick.table.encoding.target import encode_target


@given(codes=hnp.arrays(np.uint8, st.integers(1, 5).map(lambda w: 64 * w), elements=st.integers(0, 6)))
def test_bit_planes_equal_comparison(codes):
    """Plane k has the bits of the rows at level k + 1."""
    planes = np.empty((6, len(codes) // 64), np.uint64)
    zero = np.zeros(1, np.int64)
    _core.pack(codes[None, :], zero, np.array([7]), zero, planes)
    for level in range(1, 7):
        expected = np.packbits(codes == level, bitorder="little").view(np.uint64)
        assert np.array_equal(planes[level - 1], expected)


@pytest.mark.parametrize("n_rows", [1, 64, 130, 256, 257, 900, 40_000])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 70])
def test_pairs_by_planes_equal_counting(n_rows, n_classes):
    """One word, a few and several tiles of them; with and without classes; planes and tables mixed."""
    rng = np.random.default_rng(n_rows)
    X = rng.integers(0, [1, 2, 3, 5, 6, 20], (n_rows, 6))
    y = rng.integers(0, n_classes, n_rows)
    (table, _), surprisal = encode(X, encode_target(y, kind="class")), Surprisal(n_rows)
    codes, labels = np.array(list(table), np.int64), table.target.codes
    with Threads(1) as threads:
        for with_classes in (True, False):
            counter = PairCounter(table, threads, by_class=with_classes)
            selected = counter.new_selected()
            for s in range(6):
                selected.add(table.column(s), int(table.n_levels[s]), surprisal)
            for s in range(6):
                sums = counter.sums(np.arange(6), selected, s, surprisal)
                for f in range(6):
                    pair = codes[f] * 20 + codes[s]
                    joint = pair * 100 + labels if with_classes else pair
                    expected = [surprisal.sum(np.bincount(pair)), surprisal.sum(np.bincount(joint)), 0]
                    assert sums[:, f].tolist() == expected

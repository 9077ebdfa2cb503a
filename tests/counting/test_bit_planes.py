"""Bit planes give the same counts as plain counting."""

import numpy as np
import pytest

from entropick._base.threads import Threads
from entropick.counting.local import LocalCounts
from entropick.counting.surprisal import Surprisal
from entropick.table import encode
from entropick.table.encoding.target import encode_target


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
        counts = LocalCounts(table, threads)
        for with_classes in (True, False):
            for s in range(6):
                sums = counts.pair_sums(s, np.arange(6), surprisal, by_class=with_classes)
                for f in range(6):
                    pair = codes[f] * 20 + codes[s]
                    joint = pair * 100 + labels if with_classes else pair
                    expected = [surprisal.sum(np.bincount(pair)), surprisal.sum(np.bincount(joint)), 0]
                    assert sums[:, f].tolist() == expected

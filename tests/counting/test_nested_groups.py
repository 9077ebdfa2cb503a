"""Groups by the first, the first two, ... columns: in tables, one by one if these are too large, in partitions."""

import numpy as np
import pytest

from entropick import _core
from entropick._base.threads import Threads
from entropick.counting.cells import CellCounts
from entropick.counting.local import LocalCounts
from entropick.counting.partitions import PartitionedCells
from entropick.counting.surprisal import Surprisal
from entropick.table.executors.threads import InThreads
from helpers import as_sparse, make_codes

N_LEVELS = [2, 5, 3, 40, 2, 600, 3, 2, 9, 2]
PATH = [3, 0, 7, 1, 9, 5, 2, 8, 4, 6]


def nested_sums(counts):
    found = list(counts.nested_sums(PATH, 4, Surprisal.of(counts, None)))
    assert [len(sums.n_groups) for sums in found] == [4, 4, 2]
    return np.concatenate([np.transpose(sums) for sums in found])


class InSomeTables:
    """Nested groups whose tables are too large from some block on."""

    def __init__(self, groups, n_blocks):
        self._groups, self._n_left = groups, n_blocks

    def split(self, columns):
        self._n_left -= 1
        return self._groups.split(columns) if self._n_left >= 0 else None


@pytest.mark.parametrize("n_blocks", [0, 1, 2, 3])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_the_same_sums_in_tables_and_without(monkeypatch, n_blocks, is_sparse):
    """From the first block, the second or none on, tables would be too large."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, N_LEVELS, (3000, len(N_LEVELS)))
    X[rng.random(X.shape) < 0.5] = 0
    y = rng.integers(0, 3, len(X))
    codes = make_codes(X, y)
    cells = PartitionedCells(InThreads([codes], Threads(1)), codes.n_levels)
    expected = nested_sums(CellCounts(cells))
    made = _core.NestedGroups
    monkeypatch.setattr(_core, "NestedGroups", lambda *given: InSomeTables(made(*given), n_blocks))
    local = LocalCounts(make_codes(as_sparse(X) if is_sparse else X, y), Threads(1))
    np.testing.assert_array_equal(nested_sums(local), expected)

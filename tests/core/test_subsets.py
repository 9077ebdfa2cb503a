"""The compiled counts of subsets against groups in dictionaries."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, listed, mostly_usual, phi_table, seeds, unlike_codes, unlike_levels
from entropick import _core

SCALE = 1 << 30


def expected_sums(codes, subset, labels, lookups):
    """Groups, cells and what they contribute, of each kind."""
    of_group, of_cell, needed, order = lookups
    classes = defaultdict(Counter)
    for row, label in enumerate(labels.tolist()):
        classes[tuple(codes[subset, row])][label] += 1
    cells = [n for counts in classes.values() for n in counts.values()]
    groups = [(sum(counts.values()), max(counts.values()), counts) for counts in classes.values()]
    first = [len(classes), len(cells)]
    norms = sum(sum(n**order for n in counts.values()) ** (1 / order) * SCALE for _, _, counts in groups)
    return {
        "entropy": [
            *first, sum(int(of_group[size]) for size, _, _ in groups), sum(int(of_cell[n]) for n in cells),
        ],
        "peak": [*first, sum(peak for _, peak, _ in groups), 0],
        "majority": [*first, sum(size for size, peak, _ in groups if peak >= needed[size]), 0],
        "norm": [*first, norms, 0],
    }  # fmt: skip


def check_all_sums(rng, codes, levels, parts, subsets):
    n_rows = codes.shape[1]
    labels, of_cell = rng.integers(0, 4, n_rows).astype(np.int32), phi_table(n_rows)
    of_group, needed, order = of_cell + 3, np.ceil(0.6 * np.arange(n_rows + 1)).astype(np.int64), 2.5
    table = _core.CodeTable(n_rows, levels, parts)
    keys = rng.integers(0, 2**64, levels.sum(), dtype=np.uint64)
    counter = _core.SubsetCounter(table, labels, 4, keys)
    found = {kind: np.full((len(subsets), 4), -1) for kind in ("entropy", "peak", "majority", "norm")}
    counter.entropy_sums(subsets, of_group, of_cell, found["entropy"])
    counter.peak_sums(subsets, found["peak"])
    counter.majority_sums(subsets, needed, found["majority"])
    counter.norm_sums(subsets, order, SCALE, found["norm"])
    for i, subset in enumerate(subsets):
        for kind, sums in expected_sums(codes, subset, labels, (of_group, of_cell, needed, order)).items():
            assert found[kind][i].tolist() == pytest.approx(sums, rel=1e-8 if kind == "norm" else 0)


@given(
    seed=seeds,
    n_rows=st.integers(1, 150),
    n_columns=st.integers(1, 20),
    n_subsets=st.integers(1, 40),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_sums_of_subsets(seed, n_rows, n_columns, n_subsets, code_type):
    """Columns of all widths and lists of unusual rows; blocks of subsets that share columns."""
    rng = np.random.default_rng(seed)
    levels = unlike_levels(rng, n_columns, n_rows, code_type)
    codes = unlike_codes(rng, levels, n_rows, np.int64)
    n_listed = int(rng.integers(0, n_columns + 1))
    codes[:n_listed], usual = mostly_usual(rng, n_listed, n_rows, levels[:n_listed])
    parts = [(np.arange(n_columns), codes.astype(code_type))]
    if n_listed:
        parts.append(listed(codes[:n_listed], levels, code_type, usual))
    check_all_sums(rng, codes, levels, parts, rng.random((n_subsets, n_columns)) < rng.random())


@pytest.mark.parametrize("n_rows", [3000, 20_000])
def test_sums_of_many_rows(n_rows):
    """Several tiles of rows, in one hash table, and dealt into parts where rows are many."""
    rng = np.random.default_rng(n_rows)
    levels = rng.integers(2, 9, 40)
    codes = rng.integers(0, levels[:, None], (40, n_rows))
    subsets = rng.random((3, 40)) < 0.1
    check_all_sums(rng, codes, levels, [(np.arange(40), codes.astype(np.uint8))], subsets)

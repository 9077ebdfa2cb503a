"""The compiled groups of rows against groups in dictionaries."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, mostly_usual, phi_table, seeds, two_tables, unlike_codes, unlike_levels
from entropick import _core

SHANNON, MINIMUM = 0, 1


class RandomGroups:
    """Rows grouped by random columns, and the same in a dictionary: rows of mixed classes by joint level."""

    def __init__(self, rng, n_rows, n_levels, n_classes):
        self.labels = rng.integers(0, n_classes, n_rows).astype(np.int32)
        self.groups, levels = _core.Groups(self.labels, n_classes), [()] * n_rows
        self.members = self.grouped(levels)
        for _ in range(rng.integers(0, 3)):
            codes = rng.integers(0, n_levels, n_rows).astype(np.uint16)
            self.groups = self.groups.refined(codes, n_levels)
            levels = [(*own, int(code)) for own, code in zip(levels, codes, strict=True)]
            self.members = self.grouped(levels)

    def grouped(self, levels):
        """Rows of each joint level that has more than one class."""
        found = defaultdict(list)
        for row, level in enumerate(levels):
            found[level].append(row)
        return [found[level] for level in sorted(found) if len({*self.labels[found[level]].tolist()}) > 1]

    def counts_with(self, codes):
        """Counts of classes for each (group, level)."""
        counts = defaultdict(Counter)
        for g, rows in enumerate(self.members):
            for row in rows:
                counts[g, int(codes[row])][int(self.labels[row])] += 1
        return counts.values()

    @property
    def n_settled(self):
        return len(self.labels) - sum(map(len, self.members))


def sums_of(counts, table):
    """Shannon's sum, the sum of peaks, and the norms, by hand."""
    shannon = sum(int(table[c.total()]) - sum(int(table[n]) for n in c.values()) for c in counts)
    norms = sum(sum(n**2.5 for n in c.values()) ** 0.4 for c in counts)
    return shannon, sum(max(c.values()) for c in counts), norms


@given(
    seed=seeds,
    n_rows=st.integers(1, 300),
    n_levels=st.integers(1, 80),
    n_classes=st.integers(1, 5),
    code_type=st.sampled_from(CODE_TYPES),
)
def test_split_sums_and_norms(seed, n_rows, n_levels, n_classes, code_type):
    """Of dense columns and of lists of unusual rows, whether all groups are looked at or only those with such."""
    rng = np.random.default_rng(seed)
    random = RandomGroups(rng, n_rows, n_levels, n_classes)
    levels, table = unlike_levels(rng, 3, n_rows, code_type), phi_table(n_rows)
    codes = (
        mostly_usual(rng, 3, n_rows, levels)[0] if seed % 2 else unlike_codes(rng, levels, n_rows, np.int64)
    )
    groups, everything = random.groups, np.arange(3)
    assert groups.n_settled == random.n_settled == n_rows - groups.n_active
    assert groups.sizes().tolist() == [len(rows) for rows in random.members]
    for columns in two_tables(codes, levels, code_type):
        shannon, peaks, norms = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3)
        groups.split_sums(columns, everything, SHANNON, table, shannon)
        groups.split_sums(columns, everything, MINIMUM, table, peaks)
        groups.split_norms(columns, everything, 2.5, norms)
        for f in range(3):
            expected = sums_of(random.counts_with(codes[f]), table)
            assert (shannon[f], peaks[f]) == expected[:2]
            assert norms[f] == pytest.approx(math.log2(random.n_settled + expected[2]), rel=1e-12)
    unsplit = sums_of(random.counts_with(np.zeros(n_rows, np.int64)), table)
    assert (groups.sum(SHANNON, table), groups.sum(MINIMUM, table)) == unsplit[:2]
    assert groups.norm(2.5) == pytest.approx(math.log2(random.n_settled + unsplit[2]), rel=1e-12)


@given(
    seed=seeds, n_rows=st.integers(1, 200), n_levels=st.integers(1, 40), code_type=st.sampled_from(CODE_TYPES)
)
def test_refined(seed, n_rows, n_levels, code_type):
    """Groups of more than one class stay, in the order of group and level; the others are as they were."""
    rng = np.random.default_rng(seed)
    random = RandomGroups(rng, n_rows, n_levels, 3)
    (n,) = levels = unlike_levels(rng, 1, n_rows, code_type)
    (codes,) = unlike_codes(rng, levels, n_rows, code_type)
    before = random.groups.sizes().tolist()
    members = defaultdict(list)
    for g, rows in enumerate(random.members):
        for row in rows:
            members[g, int(codes[row])].append(int(random.labels[row]))
    mixed = [len(members[key]) for key in sorted(members) if len(set(members[key])) > 1]
    assert random.groups.refined(codes, int(n)).sizes().tolist() == mixed
    assert random.groups.sizes().tolist() == before


@given(seed=seeds, n_rows=st.integers(2, 100))
def test_shuffled(seed, n_rows):
    """Other labels in the same groups; the order of labels within a group changes nothing."""
    rng = np.random.default_rng(seed)
    groups = RandomGroups(rng, n_rows, 3, 3).groups
    sizes, table = groups.sizes(), phi_table(n_rows)
    order = np.argsort(np.repeat(np.arange(len(sizes)), sizes) + rng.random(groups.n_active), kind="stable")
    shuffled = groups.shuffled(order)
    assert shuffled.sizes().tolist() == sizes.tolist()
    assert shuffled.sum(SHANNON, table) == groups.sum(SHANNON, table)
    assert groups.shuffled(np.arange(groups.n_active)).sum(MINIMUM, table) == groups.sum(MINIMUM, table)

"""Joint levels of many subsets of columns at once.

Each level of each column has a random 64-bit key. The joint level of a row on a subset is the sum of
its keys, modulo 2^64: rows that agree on all columns of the subset have equal sums, all others
differ but for one chance in 2^64 per pair. Columns that mostly have one level are lists of the other
rows with the difference of keys to the usual level, which takes a constant off every sum.

Counts come from grouping equal sums in a hash table. Where rows are many they are first dealt by the high
bits of their sums into parts that fit the fastest memory.
"""

import numpy as np

from entropick._kernels.jit import helper, kernel

ENTROPY, PEAK, NORM = 0, 1, 2  # what is summed over the groups
# Up to so many rows one hash table is faster; above, rows are dealt into parts of so many.
MANY_ROWS = 16384
PART_ROWS = 2048
LAST_BASE = 1 << 30  # numbers in slots start anew before they get too large for 32 bits


@kernel
def expand_keys(codes, columns, first_key, keys, start, width, out, line):
    """Keys of the rows start..start+width of some columns: ``out[line + k]`` for column ``columns[k]``."""
    for k in range(columns.shape[0]):
        j = columns[k]
        first = first_key[k]
        row_keys = out[line + k]
        for r in range(width):
            row_keys[r] = keys[first + np.int64(codes[j, start + r])]


@kernel
def add_keys(expanded, members, start, width, sums):
    """Row sums of each subset over the columns in `expanded` (columns, width).

    A subset that differs from the one before in few columns starts from the sums of that one.

    Parameters
    ----------
    members : bool (subsets, columns)
    sums : uint64 (subsets, rows), of which the rows start..start+width are set
    """
    n_columns = members.shape[1]
    added = np.empty(n_columns, np.int64)
    removed = np.empty(n_columns, np.int64)
    for i in range(members.shape[0]):
        n_own = n_added = n_removed = 0
        for j in range(n_columns):
            if members[i, j]:
                n_own += 1
        if i > 0:
            for j in range(n_columns):
                if members[i, j] and not members[i - 1, j]:
                    added[n_added] = j
                    n_added += 1
                elif members[i - 1, j] and not members[i, j]:
                    removed[n_removed] = j
                    n_removed += 1
        row = sums[i, start : start + width]
        if i > 0 and n_added + n_removed < n_own:
            row[:] = sums[i - 1, start : start + width]
        else:
            row[:] = 0
            n_added = n_removed = 0
            for j in range(n_columns):
                if members[i, j]:
                    added[n_added] = j
                    n_added += 1
        _add_columns(expanded, added[:n_added], row)
        for k in range(n_removed):
            taken = expanded[removed[k]]
            for r in range(width):
                row[r] -= taken[r]


@helper
def _add_columns(expanded, columns, row):
    """Add columns of keys to a row of sums, four at a time."""
    n = columns.shape[0]
    width = row.shape[0]
    k = 0
    while k + 4 <= n:
        a, b = expanded[columns[k]], expanded[columns[k + 1]]
        c, d = expanded[columns[k + 2]], expanded[columns[k + 3]]
        for r in range(width):
            row[r] += (a[r] + b[r]) + (c[r] + d[r])
        k += 4
    while k < n:
        a = expanded[columns[k]]
        for r in range(width):
            row[r] += a[r]
        k += 1


@kernel
def add_listed(starts, rows, differences, members, sums):
    """Add the columns listed by their unusual rows to the row sums of each subset."""
    for i in range(members.shape[0]):
        of_subset = sums[i]
        for k in range(members.shape[1]):
            if members[i, k]:
                for at in range(starts[k], starts[k + 1]):
                    of_subset[rows[at]] += differences[at]


@helper
def _deal(keys, labels, bits, ends, dealt_keys, dealt_labels):
    """Order rows by the highest bits of their keys; ``ends[p]`` is where part p ends."""
    shift = np.uint64(64 - bits)
    n_parts = 1 << bits
    ends[: n_parts + 1] = 0
    for r in range(keys.shape[0]):
        ends[np.int64(keys[r] >> shift) + 1] += 1
    for p in range(n_parts):
        ends[p + 1] += ends[p]
    for r in range(keys.shape[0]):
        p = np.int64(keys[r] >> shift)
        at = ends[p]
        dealt_keys[at] = keys[r]
        dealt_labels[at] = labels[r]
        ends[p] = at + 1


@helper
def _count(keys, labels, n_classes, slots, base, mask, group_keys, counts):
    """Count the classes of each group of equal keys; returns the number of groups.

    A slot holds the number of its group above `base`, so slots of earlier parts need no clearing.
    """
    n_groups = np.int64(0)
    for r in range(keys.shape[0]):
        key = keys[r]
        slot = key & mask
        group = np.int64(slots[slot]) - base
        while group >= 0 and group_keys[group] != key:
            slot = (slot + np.uint64(1)) & mask
            group = np.int64(slots[slot]) - base
        if group < 0:
            group = n_groups
            n_groups += 1
            slots[slot] = base + group
            group_keys[group] = key
            for c in range(group * n_classes, (group + 1) * n_classes):
                counts[c] = 0
        counts[group * n_classes + labels[r]] += 1
    return n_groups


@helper
def _sum_groups(counts, n_groups, n_classes, kind, of_group, of_cell, order, sums):
    """Add what the groups contribute to (groups, cells, Σ over groups, Σ over cells)."""
    n_cells = np.int64(0)
    over_groups = np.int64(0)
    over_cells = np.int64(0)
    for g in range(n_groups):
        size = np.int64(0)
        peak = np.int64(0)
        for at in range(g * n_classes, (g + 1) * n_classes):
            count = np.int64(counts[at])
            size += count
            peak = max(peak, count)
            if count > 0:
                n_cells += 1
                over_cells += of_cell[count]
        if kind == ENTROPY:
            over_groups += of_group[size]
        elif kind == PEAK:
            over_groups += peak
        else:
            power = 0.0
            for at in range(g * n_classes, (g + 1) * n_classes):
                if counts[at] > 0:
                    power += (counts[at] / peak) ** order
            over_groups += np.int64(np.rint(peak * power ** (1.0 / order) * of_group[0]))
    sums[0] += n_groups
    sums[1] += n_cells
    sums[2] += over_groups
    sums[3] += over_cells


@kernel
def group_sums(row_keys, labels, n_classes, kind, of_group, of_cell, order, sums):
    """What the groups of rows with equal keys contribute, for each subset.

    Parameters
    ----------
    row_keys : uint64 (subsets, rows)
    labels : int32 (rows,), classes
    kind : ENTROPY sums ``of_group[size]`` over groups, PEAK the largest class count, NORM the norm of
        the class counts of the given order, as integers in units of 1 / ``of_group[0]``
    of_group, of_cell : int64 (rows + 1,), looked up by size of a group and count of a (group, class) cell
    sums : int64 (subsets, 4): groups, cells, sum over groups, sum of `of_cell` over cells
    """
    n_rows = row_keys.shape[1]
    bits = 0
    while n_rows > MANY_ROWS and (n_rows >> bits) > PART_ROWS:
        bits += 1
    n_parts = 1 << bits
    n_slots = 2
    while n_slots < 2 * n_rows:
        n_slots *= 2
    slots = np.zeros(n_slots, np.int32)
    group_keys = np.empty(n_rows, np.uint64)
    counts = np.empty(n_rows * n_classes, np.int32)
    ends = np.empty(n_parts + 1, np.int64)
    dealt_keys = np.empty(n_rows if bits else 0, np.uint64)
    dealt_labels = np.empty(n_rows if bits else 0, np.int32)
    base = np.int64(1)
    for i in range(row_keys.shape[0]):
        sums[i] = 0
        if base > LAST_BASE:
            slots[:] = 0
            base = np.int64(1)
        if bits == 0:
            mask = np.uint64(n_slots - 1)
            n_groups = _count(row_keys[i], labels, n_classes, slots, base, mask, group_keys, counts)
            _sum_groups(counts, n_groups, n_classes, kind, of_group, of_cell, order, sums[i])
            base += n_groups
            continue
        _deal(row_keys[i], labels, bits, ends, dealt_keys, dealt_labels)
        first = np.int64(0)
        for p in range(n_parts):
            last = ends[p]
            size = 2
            while size < 2 * (last - first):
                size *= 2
            n_groups = _count(
                dealt_keys[first:last], dealt_labels[first:last], n_classes, slots, base,
                np.uint64(size - 1), group_keys, counts,
            )  # fmt: skip
            _sum_groups(counts, n_groups, n_classes, kind, of_group, of_cell, order, sums[i])
            base += n_groups
            first = last

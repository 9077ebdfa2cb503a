"""The joint levels of the selected columns as groups of rows, and what one more column would do.

A group whose rows are all of one class can never change a conditional entropy again: its rows are
settled and leave the partition for good. What remains are the active rows, ordered by group:
``rows[starts[g]:starts[g + 1]]`` are the rows of group g and `labels` their classes, in that order.

Three sums over the groups (g, f) that a candidate f would make, one for each kind of entropy:

- Shannon: Σ φ(N(g,f)) − Σ φ(N(g,f,y)), an integer;
- min-entropy: Σ max_y N(g,f,y), an integer;
- Rényi of another order α: log2 Σ ‖N(g,f,·)‖_α, where ‖·‖_α is the α-norm over the classes.
"""

import math
from typing import NamedTuple

import numpy as np

from entropick._kernels.jit import helper, inlined, kernel
from entropick._kernels.pairs import SparseColumns  # noqa: F401  (the layout is shared)

SHANNON, MINIMUM = 0, 1
# All groups of a candidate are looked at if they have at most so many cells per stored row. To find out
# which groups are touched takes as long, for who is settled and who not cannot be foreseen.
FEW_CELLS = 1


class Groups(NamedTuple):
    """The active rows, ordered by group."""

    rows: np.ndarray  # int32 (active,)
    starts: np.ndarray  # int64 (groups + 1,)
    labels: np.ndarray  # int32 (active,): the class of each of these rows
    n_classes: int


@inlined
def _sum_of_large_group(codes, j, rows, labels, start, stop, n_f, n_y, kind, phi, cells):
    """Count all cells, then sum over them: for groups with more rows than cells.

    Every other row is counted in a second table: to count twice in a row in one cell would make the
    second count wait for the first.
    """
    n_cells, width = n_f * n_y, np.uint64(n_y)
    other = np.uint64(n_cells)
    for at in range(start, stop - 1, 2):
        here, there = np.uint64(rows[at]), np.uint64(rows[at + 1])
        cells[np.uint64(codes[j, here]) * width + np.uint64(labels[at])] += 1
        cells[np.uint64(codes[j, there]) * width + np.uint64(labels[at + 1]) + other] += 1
    if (stop - start) % 2 == 1:
        cells[np.int64(codes[j, rows[stop - 1]]) * n_y + labels[stop - 1]] += 1
    total = np.int64(0)
    for level in range(n_f):
        size = np.int64(0)
        peak = np.int64(0)
        for cell in range(level * n_y, (level + 1) * n_y):
            count = cells[cell] + cells[n_cells + cell]
            cells[cell] = 0
            cells[n_cells + cell] = 0
            size += count
            peak = max(peak, count)
            if kind == SHANNON:
                total -= phi[count]
        total += phi[size] if kind == SHANNON else peak
    return total


@helper
def _sum_of_small_group(codes, j, rows, labels, start, stop, n_y, kind, phi, cells, sizes, found):
    """Sum up the changes while counting, then undo the counting: cost does not grow with cells."""
    total = np.int64(0)
    for at in range(start, stop):
        level = np.int64(codes[j, rows[at]])
        found[at - start] = level
        cell = level * n_y + labels[at]
        count = cells[cell] + 1
        cells[cell] = count
        size = sizes[level]
        if kind == SHANNON:
            total += phi[size + 1] - phi[size] - phi[count] + phi[count - 1]
            sizes[level] = size + 1
        elif count > size:  # here sizes holds the largest class count of the level
            total += 1
            sizes[level] = count
    for at in range(start, stop):
        level = found[at - start]
        cells[level * n_y + labels[at]] = 0
        sizes[level] = 0
    return total


@kernel
def split_sums(codes, n_levels, candidates, groups, kind, phi, sums):
    """Shannon or min-entropy sum of each candidate over the groups it would make.

    Parameters
    ----------
    codes : unsigned (d, padded rows); n_levels : int64 (d,); candidates : int64 (k,)
    groups : Groups
    kind : SHANNON or MINIMUM
    phi : int64 (n_rows + 1,), used by SHANNON only
    sums : int64 (k,), filled
    """
    rows, starts, labels, n_y = groups
    widest = 0
    for j in candidates:
        widest = max(widest, n_levels[j])
    cells = np.zeros(2 * widest * n_y, np.int64)
    sizes = np.zeros(widest, np.int64)
    found = np.empty(widest * n_y, np.int64)  # levels of the rows of a small group
    pair_together = phi[2] - 2 * phi[1] if kind == SHANNON and phi.shape[0] > 2 else np.int64(1)
    pair_apart = np.int64(0) if kind == SHANNON else np.int64(2)
    for k in range(candidates.shape[0]):
        j = candidates[k]
        total = np.int64(0)
        for g in range(starts.shape[0] - 1):
            start, stop = starts[g], starts[g + 1]
            if stop - start == 2:  # two rows of two classes, the most frequent group in the end
                together = codes[j, rows[start]] == codes[j, rows[start + 1]]
                total += pair_together if together else pair_apart
            elif stop - start > n_levels[j] * n_y:
                total += _sum_of_large_group(
                    codes, j, rows, labels, start, stop, n_levels[j], n_y, kind, phi, cells
                )
            else:
                total += _sum_of_small_group(
                    codes, j, rows, labels, start, stop, n_y, kind, phi, cells, sizes, found
                )
        sums[k] = total


@helper
def _log2_norm(cells, first, n_y, alpha):
    """log2 of the α-norm of the class counts of one level; clears them."""
    peak = np.int64(0)
    for cell in range(first, first + n_y):
        peak = max(peak, cells[cell])
    total = 0.0
    for cell in range(first, first + n_y):
        if cells[cell] > 0:
            total += (cells[cell] / peak) ** alpha
        cells[cell] = 0
    return math.log2(peak) + math.log2(total) / alpha


@kernel
def split_norms(codes, n_levels, candidates, groups, alpha, n_settled, sums):
    """log2 Σ ‖N(g,f,·)‖_α of each candidate; settled rows count as groups of one class.

    The sum is kept relative to its largest term so far: an α-norm may exceed any float.
    """
    rows, starts, labels, n_y = groups
    widest = 0
    for j in candidates:
        widest = max(widest, n_levels[j])
    cells = np.zeros(widest * n_y, np.int64)
    seen = np.zeros(widest, np.bool_)
    for k in range(candidates.shape[0]):
        j = candidates[k]
        peak, total = -np.inf, 0.0
        if n_settled > 0:
            peak, total = math.log2(n_settled), 1.0
        for g in range(starts.shape[0] - 1):
            for at in range(starts[g], starts[g + 1]):
                level = np.int64(codes[j, rows[at]])
                cells[level * n_y + labels[at]] += 1
                seen[level] = True
            for at in range(starts[g], starts[g + 1]):
                level = np.int64(codes[j, rows[at]])
                if not seen[level]:
                    continue
                seen[level] = False
                norm = _log2_norm(cells, level * n_y, n_y, alpha)
                if norm > peak:
                    total = total * 2.0 ** (peak - norm) + 1.0
                    peak = norm
                else:
                    total += 2.0 ** (norm - peak)
        sums[k] = peak + math.log2(total)


class RowGroups(NamedTuple):
    """The same partition, looked up by row."""

    group: np.ndarray  # int32 (rows,): group of the row, -1 when settled
    label: np.ndarray  # int32 (rows,)
    cell: np.ndarray  # int32 (rows,): group · n_classes + label; one cell behind all others when settled
    counts: np.ndarray  # int64 (groups · n_classes,): N(g,y)
    n_classes: int


@inlined
def _group_sum(counts, first, n_y, kind, phi):
    """The Shannon or min-entropy sum of one group, from its class counts."""
    size = np.int64(0)
    peak = np.int64(0)
    total = np.int64(0)
    for cell in range(first, first + n_y):
        size += counts[cell]
        peak = max(peak, counts[cell])
        if kind == SHANNON:
            total -= phi[counts[cell]]
    return total + phi[size] if kind == SHANNON else peak


@inlined
def _sum_over_all_groups(rows, codes, start, stop, usual, n_f, cell_of, counts, n_y, kind, phi, cells):
    """Count the stored rows without asking whether they are settled, then look at all groups."""
    width = counts.shape[0] + 1
    rest = usual * width
    for at in range(start, stop):
        cells[np.uint64(codes[at]) * np.uint64(width) + np.uint64(cell_of[rows[at]])] += 1
    for cell in range(width):
        cells[rest + cell] = counts[cell] if cell < width - 1 else 0
    total = np.int64(0)
    for level in range(n_f):
        if level != usual:
            for cell in range(width - 1):
                cells[rest + cell] -= cells[level * width + cell]
            for first in range(level * width, (level + 1) * width - 1, n_y):
                total += _group_sum(cells, first, n_y, kind, phi)
    for first in range(rest, rest + width - 1, n_y):
        total += _group_sum(cells, first, n_y, kind, phi)
    for cell in range(n_f * width):
        cells[cell] = 0
    return total


@inlined
def _sum_over_touched_groups(
    rows, codes, start, stop, usual, n_f, group, label, counts, n_y,
    kind, phi, group_sums, slot_of, touched, cells,
):  # fmt: skip
    """What the groups with stored rows add to the sum."""
    width = n_f * n_y
    n_touched = 0
    for at in range(start, stop):
        row = rows[at]
        g = group[row]
        if g < 0:
            continue
        slot = slot_of[g]
        if slot < 0:
            slot = n_touched
            n_touched += 1
            slot_of[g] = slot
            touched[slot] = g
            for y in range(n_y):
                cells[slot * width + usual * n_y + y] = counts[g * n_y + y]
        cells[slot * width + np.int64(codes[at]) * n_y + label[row]] += 1
        cells[slot * width + usual * n_y + label[row]] -= 1
    total = np.int64(0)
    for slot in range(n_touched):
        g = touched[slot]
        slot_of[g] = -1
        total -= group_sums[g]
        for level in range(n_f):
            total += _group_sum(cells, slot * width + level * n_y, n_y, kind, phi)
        for cell in range(slot * width, (slot + 1) * width):
            cells[cell] = 0
    return total


@kernel
def sparse_split_sums(columns, candidates, by_row, kind, phi, group_sums, sums):
    """As `split_sums`, touching only the stored rows of each candidate.

    Groups without a stored row keep their sum, so each candidate costs what it stores, not the
    number of rows. `group_sums` holds the sum of each group as it is now.
    """
    starts, rows, codes, usual, n_levels = columns
    group, label, cell_of, counts, n_y = by_row
    n_groups = group_sums.shape[0]
    unsplit = np.sum(group_sums)
    widest, longest = 0, 0
    for j in candidates:
        widest = max(widest, n_levels[j])
        longest = max(longest, starts[j + 1] - starts[j])
    n_slots = min(longest, n_groups)
    slot_of = np.full(n_groups, -1, np.int64)
    touched = np.empty(n_slots, np.int64)
    cells = np.zeros(widest * (min(FEW_CELLS * longest, n_groups * n_y) + n_slots * n_y + 1), np.int64)
    # Two loops: with both ways in one, numba counts references for every candidate.
    for k in range(candidates.shape[0]):
        j = candidates[k]
        if n_groups * n_y <= FEW_CELLS * (starts[j + 1] - starts[j]):
            sums[k] = _sum_over_all_groups(
                rows, codes, starts[j], starts[j + 1], usual[j], n_levels[j], cell_of, counts, n_y,
                kind, phi, cells,
            )  # fmt: skip
    for k in range(candidates.shape[0]):
        j = candidates[k]
        if n_groups * n_y > FEW_CELLS * (starts[j + 1] - starts[j]):
            sums[k] = unsplit + _sum_over_touched_groups(
                rows, codes, starts[j], starts[j + 1], usual[j], n_levels[j], group, label, counts, n_y,
                kind, phi, group_sums, slot_of, touched, cells,
            )  # fmt: skip


@kernel
def refine(codes, n_levels, groups):
    """Split the groups by one more column; returns rows, starts, labels and the rows settled.

    A level of a group becomes a group of its own if its rows are of more than one class; if they
    are all of one class they are settled and left out.
    """
    rows, starts, labels, _ = groups
    new_rows = np.empty_like(rows)
    new_labels = np.empty_like(labels)
    new_starts = np.empty(rows.shape[0] // 2 + 1, np.int64)
    new_starts[0] = 0
    n_new, filled = 0, 0
    sizes = np.zeros(n_levels, np.int64)  # rows of each level in the current group
    first_label = np.empty(n_levels, labels.dtype)
    mixed = np.zeros(n_levels, np.bool_)
    present = np.empty(n_levels, np.int64)  # levels met, later ascending
    place = np.empty(n_levels, np.int64)
    for g in range(starts.shape[0] - 1):
        n_present = 0
        for at in range(starts[g], starts[g + 1]):
            level = np.int64(codes[rows[at]])
            if sizes[level] == 0:
                first_label[level] = labels[at]
                present[n_present] = level
                n_present += 1
            elif labels[at] != first_label[level]:
                mixed[level] = True
            sizes[level] += 1
        present[:n_present].sort()  # so that the order of groups does not depend on row order
        for level in present[:n_present]:
            if mixed[level]:
                place[level] = filled
                filled += sizes[level]
                n_new += 1
                new_starts[n_new] = filled
        for at in range(starts[g], starts[g + 1]):
            level = np.int64(codes[rows[at]])
            if mixed[level]:
                new_rows[place[level]] = rows[at]
                new_labels[place[level]] = labels[at]
                place[level] += 1
        for level in present[:n_present]:
            sizes[level] = 0
            mixed[level] = False
    settled = rows.shape[0] - filled
    return new_rows[:filled], new_starts[: n_new + 1], new_labels[:filled], settled


@kernel
def usual_levels(codes, n_rows, candidates, n_levels, usual, n_unusual):
    """Most frequent level of some columns, and how many rows have another."""
    widest = 0
    for j in candidates:
        widest = max(widest, n_levels[j])
    counts = np.zeros(widest, np.int64)
    for j in candidates:
        counts[:] = 0
        for row in range(n_rows):
            counts[codes[j, row]] += 1
        best = np.argmax(counts)
        usual[j] = best
        n_unusual[j] = n_rows - counts[best]


@kernel
def list_unusual(codes, n_rows, columns, usual, starts, rows, levels):
    """Write down the rows of some columns whose level is not the usual one, and that level."""
    for k in range(columns.shape[0]):
        j = columns[k]
        at = starts[k]
        for row in range(n_rows):
            if codes[j, row] != usual[j]:
                rows[at] = row
                levels[at] = codes[j, row]
                at += 1

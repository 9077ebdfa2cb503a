"""Counting a candidate column f against a selected column s (and the classes y), three ways.

For each pair the kernels compute Σ φ(N(f,s)) and Σ φ(N(f,s,y)), from which every pairwise criterion
follows. A pair is counted by bit planes, in a direct table or in a hash table, whichever suits its
numbers of levels; the caller does not notice, the sums are the same integers.

Cells are numbered ``(f · n_levels(s) + s) · n_classes + y``. Helpers take plain arrays: a record
taken apart inside a hot loop would count references there.
"""

from typing import NamedTuple

import numpy as np

from entropick._kernels.jit import helper, kernel
from entropick._kernels.primitives import VECTOR_POPCOUNT, popcount

# Up to so many cells a pair is counted by bit planes, beyond in a table: 64 rows cost one AND and
# popcount per cell, against 64 increments (9 or 3 words/ns against 1.5 increments/ns, measured).
PLANE_CELLS = 320 if VECTOR_POPCOUNT else 128
TABLE_CELLS = 1 << 20  # a direct table up to so many cells (8 MB), a hash table beyond
TILE = 512  # words counted at a time: the planes of one tile stay in the first-level cache
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads neighbouring keys


class Columns(NamedTuple):
    """Dense columns of one storage width."""

    codes: np.ndarray  # unsigned (d, padded rows)
    n_levels: np.ndarray  # int64 (d,)
    planes: np.ndarray  # uint64 (planes · words,)
    first_plane: np.ndarray  # int64 (d,), -1 where the column has no planes
    class_counts: np.ndarray  # int64, N(f,y) of the columns with planes, level-major
    first_count: np.ndarray  # int64 (d,), where each column's class counts begin


class Selected(NamedTuple):
    """Selected columns joined with the classes, one row each."""

    joint: np.ndarray  # unsigned (k, rows): s · n_classes + y
    n_levels: np.ndarray  # int64 (k,)
    planes: np.ndarray  # uint64 (planes · words,)
    first_plane: np.ndarray  # int64 (k,), -1 where the column has no planes
    counts: np.ndarray  # int64, N(s,y), level-major
    first_count: np.ndarray  # int64 (k,)


class Classes(NamedTuple):
    """The target; a single class where a measure does not look at it."""

    planes: np.ndarray  # uint64 ((n_classes - 1) · words,)
    n_classes: int
    n_words: int
    n_rows: int


@helper
def _count_one(f_planes, f, s_planes, s, n):
    """Rows set in both planes. Unsigned indices, or the loop would not become vector code."""
    both = np.uint64(0)
    for word in range(n):
        w = np.uint64(word)
        both += popcount(f_planes[f + w] & s_planes[s + w])
    return np.int64(both)


@helper
def _count_two(f_planes, f, s_planes, s, y_planes, y, n):
    """Rows set in f and s, and those also of class y."""
    both = np.uint64(0)
    in_class = np.uint64(0)
    for word in range(n):
        w = np.uint64(word)
        pair = f_planes[f + w] & s_planes[s + w]
        both += popcount(pair)
        in_class += popcount(pair & y_planes[y + w])
    return np.int64(both), np.int64(in_class)


@helper
def _count_three(f_planes, f, s_planes, s, y_planes, y, z, n):
    """As `_count_two`, for two classes in one pass."""
    both = np.uint64(0)
    in_first = np.uint64(0)
    in_second = np.uint64(0)
    for word in range(n):
        w = np.uint64(word)
        pair = f_planes[f + w] & s_planes[s + w]
        both += popcount(pair)
        in_first += popcount(pair & y_planes[y + w])
        in_second += popcount(pair & y_planes[z + w])
    return np.int64(both), np.int64(in_first), np.int64(in_second)


@helper
def _start_from_totals(f_counts, f_first, n_f, s_counts, s_first, n_s, n_y, cells):
    """Put all rows into level 0: of s for each level of f, of f for each level of s.

    The counted cells are then moved out of there (`_move`).
    """
    for cell in range(n_y, n_s * n_y):
        cells[cell] = s_counts[s_first + cell]
    for y in range(n_y):
        cells[y] = s_counts[s_first + y]
    for a in range(1, n_f):
        for y in range(n_y):
            total = f_counts[f_first + a * n_y + y]
            cells[a * n_s * n_y + y] = total
            cells[y] -= total


@helper
def _move(cells, n_s, n_y, a, b, y, count):
    """Count rows of levels a and b, which stood in level 0 of either column so far."""
    cells[(a * n_s + b) * n_y + y] += count
    cells[a * n_s * n_y + y] -= count
    cells[b * n_y + y] -= count
    cells[y] += count


@helper
def _count_by_planes(f_planes, f_first, n_f, s_planes, s_first, n_s, y_planes, n_y, n_words, cells):
    """Complete cells prepared by `_start_from_totals`: count all levels above 0 of f and s."""
    for start in range(0, n_words, TILE):
        n = min(TILE, n_words - start)
        for a in range(1, n_f):
            f = np.uint64((f_first + a - 1) * n_words + start)
            for b in range(1, n_s):
                s = np.uint64((s_first + b - 1) * n_words + start)
                if n_y == 1:
                    _move(cells, n_s, n_y, a, b, 0, _count_one(f_planes, f, s_planes, s, n))
                    continue
                rest = np.int64(0)
                y = 0
                while y + 2 < n_y:
                    first = np.uint64(y * n_words + start)
                    both, c1, c2 = _count_three(
                        f_planes, f, s_planes, s, y_planes, first, first + np.uint64(n_words), n
                    )
                    _move(cells, n_s, n_y, a, b, y + 1, c1)
                    _move(cells, n_s, n_y, a, b, y + 2, c2)
                    rest += c1 + c2
                    y += 2
                if y + 1 < n_y:
                    first = np.uint64(y * n_words + start)
                    both, c1 = _count_two(f_planes, f, s_planes, s, y_planes, first, n)
                    _move(cells, n_s, n_y, a, b, y + 1, c1)
                    rest += c1
                _move(cells, n_s, n_y, a, b, 0, both - rest)


@helper
def _sum_and_clear(cells, n_pairs, n_y, phi):
    """Σ φ over the (f,s) cells and over the (f,s,y) cells; the cells are zero again after it."""
    sum_fs = np.int64(0)
    sum_fsy = np.int64(0)
    for pair in range(n_pairs):
        total = np.int64(0)
        for cell in range(pair * n_y, (pair + 1) * n_y):
            total += cells[cell]
            sum_fsy += phi[cells[cell]]
            cells[cell] = 0
        sum_fs += phi[total]
    return sum_fs, sum_fsy


@helper
def _sums_while_counting(codes, j, joint, i, n_rows, n_joint, n_y, phi, cells, pairs):
    """For more cells than rows: add up φ's increments while counting, then undo the counting."""
    sum_fs = np.int64(0)
    sum_fsy = np.int64(0)
    for row in range(n_rows):
        cell = np.int64(codes[j, row]) * n_joint + np.int64(joint[i, row])
        sum_fsy += phi[cells[cell] + 1] - phi[cells[cell]]
        cells[cell] += 1
        pair = cell // n_y
        sum_fs += phi[pairs[pair] + 1] - phi[pairs[pair]]
        pairs[pair] += 1
    for row in range(n_rows):
        cell = np.int64(codes[j, row]) * n_joint + np.int64(joint[i, row])
        cells[cell] = 0
        pairs[cell // n_y] = 0
    return sum_fs, sum_fsy


@helper
def _sum_by_hash(codes, j, joint, i, n_rows, n_joint, divisor, phi, keys, counts):
    """Σ φ over the cells (f, joint // divisor), which are too many for a table."""
    keys[:] = -1
    mask = keys.shape[0] - 1
    total = np.int64(0)
    for row in range(n_rows):
        key = (np.int64(codes[j, row]) * n_joint + np.int64(joint[i, row])) // divisor
        slot = np.int64((np.uint64(key) * HASH_FACTOR) >> np.uint64(20)) & mask
        while keys[slot] != -1 and keys[slot] != key:
            slot = (slot + 1) & mask
        if keys[slot] == -1:
            keys[slot] = key
            counts[slot] = 0
        total += phi[counts[slot] + 1] - phi[counts[slot]]
        counts[slot] += 1
    return total


@helper
def _sums_without_planes(codes, j, n_f, joint, i, n_s, n_y, n_rows, phi, cells, pairs, keys, counts):
    """Σ φ(N(f,s)) and Σ φ(N(f,s,y)) of one pair, in a table or by hashing."""
    n_joint = n_s * n_y
    n_cells = n_f * n_joint
    if n_cells > TABLE_CELLS:
        sum_fs = _sum_by_hash(codes, j, joint, i, n_rows, n_joint, n_y, phi, keys, counts)
        sum_fsy = sum_fs
        if n_y > 1:
            sum_fsy = _sum_by_hash(codes, j, joint, i, n_rows, n_joint, 1, phi, keys, counts)
        return sum_fs, sum_fsy
    if n_cells > n_rows:
        return _sums_while_counting(codes, j, joint, i, n_rows, n_joint, n_y, phi, cells, pairs)
    for row in range(n_rows):
        cells[np.int64(codes[j, row]) * n_joint + np.int64(joint[i, row])] += 1
    return _sum_and_clear(cells, n_f * n_s, n_y, phi)


@helper
def _scratch(n_levels, candidates, n_joint, n_y, n_rows):
    """Zeroed cells and pairs for the widest table needed, and a hash table if one is needed."""
    table, hashed = 0, 1
    for j in candidates:
        n_cells = n_levels[j] * n_joint
        table = max(table, min(n_cells, TABLE_CELLS))
        if n_cells > TABLE_CELLS:
            while hashed < 2 * n_rows:
                hashed *= 2
    return (
        np.zeros(table, np.int64),
        np.zeros(table // n_y, np.int64),
        np.empty(hashed, np.int64),
        np.empty(hashed, np.int64),
    )


@kernel
def pair_sums(columns, candidates, selected, i, classes, phi, sums):
    """Count each candidate f against selected column i.

    Parameters
    ----------
    columns : Columns
    candidates : int64 (k,), which columns
    selected : Selected
    i : which of the selected columns
    classes : Classes
    phi : int64 (n_rows + 1,)
    sums : int64 (k, 2), filled with Σ φ(N(f,s)) and Σ φ(N(f,s,y))
    """
    codes, n_levels, f_planes, f_first, f_counts, f_first_count = columns
    joint, s_levels, s_planes, s_first, s_counts, s_first_count = selected
    y_planes, n_y, n_words, n_rows = classes
    n_s = s_levels[i]
    cells, pairs, keys, counts = _scratch(n_levels, candidates, n_s * n_y, n_y, n_rows)
    for k in range(candidates.shape[0]):
        j = candidates[k]
        n_f = n_levels[j]
        planes_exist = f_first[j] >= 0 and s_first[i] >= 0
        if planes_exist and (n_f - 1) * (n_s - 1) * n_y <= PLANE_CELLS:
            _start_from_totals(f_counts, f_first_count[j], n_f, s_counts, s_first_count[i], n_s, n_y, cells)
            _count_by_planes(
                f_planes, f_first[j], n_f, s_planes, s_first[i], n_s, y_planes, n_y, n_words, cells
            )
            sums[k, 0], sums[k, 1] = _sum_and_clear(cells, n_f * n_s, n_y, phi)
        else:
            sums[k, 0], sums[k, 1] = _sums_without_planes(
                codes, j, n_f, joint, i, n_s, n_y, n_rows, phi, cells, pairs, keys, counts
            )


@kernel
def class_counts(columns, candidates, classes):
    """Fill ``columns.class_counts`` with N(f,y) for candidates with planes, by AND and popcount."""
    _, n_levels, f_planes, f_first, f_counts, f_first_count = columns
    y_planes, n_y, n_words, _ = classes
    for j in candidates:
        for a in range(1, n_levels[j]):
            f = np.uint64((f_first[j] + a - 1) * n_words)
            cell = f_first_count[j] + a * n_y
            f_counts[cell] = _count_one(f_planes, f, f_planes, f, n_words)
            for y in range(1, n_y):
                of_class = _count_one(f_planes, f, y_planes, np.uint64((y - 1) * n_words), n_words)
                f_counts[cell + y] = of_class
                f_counts[cell] -= of_class


@kernel
def lazy_minimum(columns, candidates, selected, n_selected, classes, phi, offsets, search, finalists):
    """Lower the bound of each candidate until it is exact or out of the race.

    The score of f is the minimum over the selected s of a term that falls as S grows, so a stale
    minimum is an upper bound (Fleuret 2004). A candidate is looked at only while its bound reaches
    the second best exact score, so that winner, runner-up and ties come out exact. Returns how many
    candidates were in the race to the end.

    Parameters
    ----------
    columns, candidates, selected, classes, phi : as in `pair_sums`
    n_selected : how many of the selected columns count
    offsets : int64 (k,), term = Σ φ(N(f,s,y)) − Σ φ(N(f,s)) + offset of s
    search : LazySearch, updated
    finalists : int64 (candidates,), filled with those whose bound became exact
    """
    codes, n_levels, f_planes, f_first, f_counts, f_first_count = columns
    joint, s_levels, s_planes, s_first, s_counts, s_first_count = selected
    y_planes, n_y, n_words, n_rows = classes
    bounds, n_seen, counted, positions, best, slack = search
    n_joint = n_y * np.max(s_levels[:n_selected])
    cells, pairs, keys, counts = _scratch(n_levels, candidates, n_joint, n_y, n_rows)
    n_finalists = 0
    for j in candidates:
        f = positions[j]
        if bounds[f] < best[1] - slack or counted[f] == n_selected:
            continue
        n_f = n_levels[j]
        while n_seen[f] < n_selected and bounds[f] >= best[1] - slack:
            i = n_seen[f]
            n_s = s_levels[i]
            planes_exist = f_first[j] >= 0 and s_first[i] >= 0
            if planes_exist and (n_f - 1) * (n_s - 1) * n_y <= PLANE_CELLS:
                _start_from_totals(
                    f_counts, f_first_count[j], n_f, s_counts, s_first_count[i], n_s, n_y, cells
                )
                _count_by_planes(
                    f_planes, f_first[j], n_f, s_planes, s_first[i], n_s, y_planes, n_y, n_words, cells
                )
                sum_fs, sum_fsy = _sum_and_clear(cells, n_f * n_s, n_y, phi)
            else:
                sum_fs, sum_fsy = _sums_without_planes(
                    codes, j, n_f, joint, i, n_s, n_y, n_rows, phi, cells, pairs, keys, counts
                )
            bounds[f] = min(bounds[f], sum_fsy - sum_fs + offsets[i])
            n_seen[f] += 1
        if n_seen[f] == n_selected:
            counted[f] = n_selected
            finalists[n_finalists] = f
            n_finalists += 1
            if bounds[f] > best[0]:
                best[1] = best[0]
                best[0] = bounds[f]
            elif bounds[f] > best[1]:
                best[1] = bounds[f]
    return n_finalists


class LazySearch(NamedTuple):
    """The race of `lazy_minimum`."""

    bounds: np.ndarray  # int64 (columns of the table,): upper bound of each score
    n_seen: np.ndarray  # int64 (columns of the table,): selected columns already in the bound
    counted: np.ndarray  # int64 (columns of the table,): selected columns when last a finalist
    positions: np.ndarray  # int64 (d,): where the columns stand in the table
    best: np.ndarray  # int64 (2,): best and second best exact score so far
    slack: int  # scores closer than this are ties


@kernel
def leaders(candidates, bounds, chosen):
    """Fill `chosen` with the candidates of the highest bounds; `chosen` is no longer than these."""
    n, least = 0, bounds[candidates[0]]
    for f in candidates:
        bound = bounds[f]
        if n == chosen.shape[0] and bound <= least:
            continue
        place = min(n, chosen.shape[0] - 1)
        n = place + 1
        while place > 0 and bounds[chosen[place - 1]] < bound:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = f
        least = bounds[chosen[n - 1]]


class SparseColumns(NamedTuple):
    """Columns stored as the rows that differ from the column's usual level."""

    starts: np.ndarray  # int64 (d + 1,)
    rows: np.ndarray  # int32
    codes: np.ndarray  # unsigned
    usual: np.ndarray  # int64 (d,): level of all other rows
    n_levels: np.ndarray  # int64 (d,)


@kernel
def sparse_pair_sums(columns, candidates, joint, n_s, n_y, s_counts, sy_counts, phi, sums):
    """As `pair_sums`, touching only the stored rows of each candidate.

    The usual level holds N(s,y) less the stored rows; cells without stored rows keep φ(N(s,y)).
    """
    starts, rows, codes, usual, n_levels = columns
    n_joint = n_s * n_y
    widest = 0
    for j in candidates:
        widest = max(widest, n_levels[j])
    cells = np.zeros(widest * n_joint, np.int64)
    pairs = np.zeros(widest * n_s, np.int64)
    all_fs = np.int64(0)
    for s in range(n_s):
        all_fs += phi[s_counts[s]]
    all_fsy = np.int64(0)
    for cell in range(n_joint):
        all_fsy += phi[sy_counts[cell]]
    for k in range(candidates.shape[0]):
        j = candidates[k]
        sum_fs, sum_fsy = all_fs, all_fsy
        for at in range(starts[j], starts[j + 1]):
            q = np.int64(joint[rows[at]])
            s = q // n_y
            cell = np.int64(codes[at]) * n_joint + q
            sum_fsy += phi[cells[cell] + 1] - phi[cells[cell]]
            cells[cell] += 1
            pair = np.int64(codes[at]) * n_s + s
            sum_fs += phi[pairs[pair] + 1] - phi[pairs[pair]]
            pairs[pair] += 1
            cell = usual[j] * n_joint + q
            left = sy_counts[q] - cells[cell]
            sum_fsy += phi[left - 1] - phi[left]
            cells[cell] += 1
            pair = usual[j] * n_s + s
            left = s_counts[s] - pairs[pair]
            sum_fs += phi[left - 1] - phi[left]
            pairs[pair] += 1
        for at in range(starts[j], starts[j + 1]):
            q = np.int64(joint[rows[at]])
            cells[np.int64(codes[at]) * n_joint + q] = 0
            cells[usual[j] * n_joint + q] = 0
            pairs[np.int64(codes[at]) * n_s + q // n_y] = 0
            pairs[usual[j] * n_s + q // n_y] = 0
        sums[k, 0], sums[k, 1] = sum_fs, sum_fsy

"""Counting a candidate column f against a selected column s (and the classes y), three ways.

For each pair the kernels compute Σ φ(N(f,s)) and Σ φ(N(f,s,y)), from which every pairwise criterion
follows. A pair is counted by bit planes, in a direct table or in a hash table, whichever suits its
numbers of levels; the caller does not notice, the sums are the same integers.

Cells are numbered ``(f · n_levels(s) + s) · n_classes + y``. Helpers take plain arrays: a record
taken apart inside a hot loop would count references there.
"""

from typing import NamedTuple

import numpy as np

from entropick._kernels.jit import helper, inlined, kernel
from entropick._kernels.primitives import VECTOR_POPCOUNT, WORD, equal_mask, popcount

# Up to so many cells a pair is counted by bit planes, beyond in a table: 64 rows cost one AND and
# popcount per cell, against 64 increments (9 or 3 words/ns against 1.5 increments/ns, measured).
PLANE_CELLS = 320 if VECTOR_POPCOUNT else 128
FEW_WORDS = 4  # up to so many words are counted without a loop
TILE = 512  # words counted at a time: the planes of one tile stay in the first-level cache
TABLE_CELLS = 1 << 20  # a direct table up to so many cells (8 MB), a hash table beyond
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads neighbouring keys


class Columns(NamedTuple):
    """Dense columns of one storage width."""

    codes: np.ndarray  # unsigned (d, padded rows)
    n_levels: np.ndarray  # int64 (d,)
    planes: np.ndarray  # uint64 (planes · words,)
    first_plane: np.ndarray  # int64 (d,), -1 where the column has no planes
    plane_counts: np.ndarray  # uint32 (planes, classes): N(f,y) of each level above 0


class Selected(NamedTuple):
    """Selected columns joined with the classes; there may be room for more at the end of each array.

    The planes of s are those of its levels above 0, each cut into its classes.
    """

    joint: np.ndarray  # unsigned (k, rows): s · n_classes + y
    index: np.ndarray  # int64 (k, 3): number of levels, first plane (-1: none), first count
    planes: np.ndarray  # uint64 (planes · words,)
    counts: np.ndarray  # uint64: N(s,y), level-major


N_LEVELS, FIRST_PLANE, FIRST_COUNT = range(3)  # the columns of `Selected.index`


class Rows(NamedTuple):
    """How much there is to count."""

    n_rows: int
    n_words: int
    n_classes: int  # 1 where a measure does not look at the classes


@helper
def _count_one(f_planes, f, s_planes, s, n):
    """Rows set in both planes. Unsigned indices, or the loop would not become vector code."""
    both = np.uint64(0)
    for word in range(n):
        w = np.uint64(word)
        both += popcount(f_planes[f + w] & s_planes[s + w])
    return both


@helper
def _count_two(f_planes, f, s_planes, s, t, n):
    """As `_count_one` for two planes in one pass."""
    first = np.uint64(0)
    second = np.uint64(0)
    for word in range(n):
        w = np.uint64(word)
        rows = f_planes[f + w]
        first += popcount(rows & s_planes[s + w])
        second += popcount(rows & s_planes[t + w])
    return first, second


@helper
def _count_three(f_planes, f, s_planes, s, t, u, n):
    """As `_count_one` for three planes in one pass."""
    first = np.uint64(0)
    second = np.uint64(0)
    third = np.uint64(0)
    for word in range(n):
        w = np.uint64(word)
        rows = f_planes[f + w]
        first += popcount(rows & s_planes[s + w])
        second += popcount(rows & s_planes[t + w])
        third += popcount(rows & s_planes[u + w])
    return first, second, third


@helper
def _count_many_words(f_planes, f_first, n_f, s_planes, s_first, n_planes, n_words, cells):
    """Add up the rows set in each plane of f and each of s, tile by tile."""
    words = np.uint64(n_words)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    for start in range(0, n_words, TILE):
        n = min(TILE, n_words - start)
        cell = np.uint64(0)
        for a in range(1, n_f):
            f = np.uint64((f_first + a - 1) * n_words + start)
            s = np.uint64(s_first * n_words + start)
            todo = n_planes
            while todo > 2:
                c1, c2, c3 = _count_three(f_planes, f, s_planes, s, s + words, s + two * words, n)
                cells[cell] += c1
                cells[cell + one] += c2
                cells[cell + two] += c3
                cell += three
                s += three * words
                todo -= 3
            if todo == 2:
                c1, c2 = _count_two(f_planes, f, s_planes, s, s + words, n)
                cells[cell] += c1
                cells[cell + one] += c2
                cell += two
            elif todo == 1:
                cells[cell] += _count_one(f_planes, f, s_planes, s, n)
                cell += one


@helper
def _count_few_words(f_planes, f_first, n_f, s_planes, s_first, n_planes, n_words, cells):
    """As `_count_many_words` for up to four words, which need no loop; absent words count as 0."""
    last = np.uint64(n_words - 1)
    one, two = min(np.uint64(1), last), min(np.uint64(2), last)
    zero = np.uint64(0)
    cell = zero
    for a in range(1, n_f):
        f = np.uint64((f_first + a - 1) * n_words)
        f0 = f_planes[f]
        f1 = f_planes[f + one] if n_words > 1 else zero
        f2 = f_planes[f + two] if n_words > 2 else zero
        f3 = f_planes[f + last] if n_words > 3 else zero
        s = np.uint64(s_first * n_words)
        for _ in range(n_planes):
            cells[cell] = (
                popcount(f0 & s_planes[s])
                + popcount(f1 & s_planes[s + one])
                + popcount(f2 & s_planes[s + two])
                + popcount(f3 & s_planes[s + last])
            )
            cell += np.uint64(1)
            s += np.uint64(n_words)


@helper
def _sum_with_level_0(cells, n_f, f_counts, f_first, n_s, s_counts, s_first, n_y, phi, left):
    """Σ φ over the cells counted by planes and those of level 0, which take what is left over.

    `left` begins with the rows of each (s,y), from which the levels above 0 of f are taken away; behind
    these are the rows of one level of f. The cells are zero again after it.
    """
    of_f = np.uint64(n_s * n_y)
    for cell in range(n_s * n_y):
        left[np.uint64(cell)] = s_counts[np.uint64(s_first + cell)]
    sum_fs = np.int64(0)
    sum_fsy = np.int64(0)
    cell = np.uint64(0)
    for a in range(1, n_f):
        for y in range(n_y):
            left[of_f + np.uint64(y)] = f_counts[np.uint64(f_first + a - 1), np.uint64(y)]
        for b in range(1, n_s):
            total = np.uint64(0)
            for y in range(n_y):
                count = cells[cell]
                cells[cell] = 0
                cell += np.uint64(1)
                left[of_f + np.uint64(y)] -= count
                left[np.uint64(b * n_y + y)] -= count
                total += count
                sum_fsy += phi[count]
            sum_fs += phi[total]
        total = np.uint64(0)
        for y in range(n_y):
            count = left[of_f + np.uint64(y)]
            left[np.uint64(y)] -= count
            total += count
            sum_fsy += phi[count]
        sum_fs += phi[total]
    for b in range(n_s):
        total = np.uint64(0)
        for y in range(n_y):
            count = left[np.uint64(b * n_y + y)]
            total += count
            sum_fsy += phi[count]
        sum_fs += phi[total]
    return sum_fs, sum_fsy


@inlined
def _sums_by_planes(
    f_planes, f_plane, n_f, f_counts, s_planes, s_plane, n_s, s_counts, s_count,
    n_words, n_y, phi, cells, left,
):  # fmt: skip
    """Σ φ(N(f,s)) and Σ φ(N(f,s,y)) of one pair, by planes."""
    n_planes = (n_s - 1) * n_y
    if n_words <= FEW_WORDS:
        _count_few_words(f_planes, f_plane, n_f, s_planes, s_plane, n_planes, n_words, cells)
    else:
        _count_many_words(f_planes, f_plane, n_f, s_planes, s_plane, n_planes, n_words, cells)
    return _sum_with_level_0(cells, n_f, f_counts, f_plane, n_s, s_counts, s_count, n_y, phi, left)


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
    for slot in range(keys.shape[0]):
        keys[slot] = -1
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
    elif n_cells > n_rows:
        sum_fs, sum_fsy = _sums_while_counting(codes, j, joint, i, n_rows, n_joint, n_y, phi, cells, pairs)
    else:
        for row in range(n_rows):
            cells[np.int64(codes[j, row]) * n_joint + np.int64(joint[i, row])] += 1
        sum_fs, sum_fsy = _sum_and_clear(cells, n_f * n_s, n_y, phi)
    return sum_fs, sum_fsy


@helper
def _scratch(n_levels, candidates, n_s, n_y, n_rows):
    """Zeroed cells and pairs for the widest table needed, left-overs, and a hash table if one is needed."""
    table, hashed = 0, 1
    for j in candidates:
        n_cells = n_levels[j] * n_s * n_y
        table = max(table, min(n_cells, TABLE_CELLS))
        if n_cells > TABLE_CELLS:
            while hashed < 2 * n_rows:
                hashed *= 2
    return (
        np.zeros(table, np.uint64),
        np.empty((n_s + 1) * n_y, np.uint64),
        np.zeros(table, np.int64),
        np.zeros(table // n_y, np.int64),
        np.empty(hashed, np.int64),
        np.empty(hashed, np.int64),
    )


@helper
def _by_planes(n_f, f_plane, n_s, s_plane, n_y):
    """Whether a pair is counted by planes."""
    return f_plane >= 0 and s_plane >= 0 and (n_f - 1) * (n_s - 1) * n_y <= PLANE_CELLS


@kernel
def pair_sums(columns, candidates, positions, selected, i, rows, phi, sums):
    """Count each candidate f against selected column i.

    Parameters
    ----------
    columns : Columns
    candidates : int64 (k,), which columns
    positions : int64 (d,), where the columns stand in the table
    selected : Selected
    i : which of the selected columns
    rows : Rows
    phi : int64 (n_rows + 1,)
    sums : int64 (2, columns of the table), filled with Σ φ(N(f,s)) and Σ φ(N(f,s,y))
    """
    codes, n_levels, f_planes, f_first, f_counts = columns
    joint, index, s_planes, s_counts = selected
    n_rows, n_words, n_y = rows
    n_s, s_plane, s_count = index[i, N_LEVELS], index[i, FIRST_PLANE], index[i, FIRST_COUNT]
    plane_cells, left, cells, pairs, keys, counts = _scratch(n_levels, candidates, n_s, n_y, n_rows)
    # Two loops: with both ways in one, numba counts references for every pair (45 against 105 ns).
    for j in candidates:
        n_f, f_plane = n_levels[j], f_first[j]
        if _by_planes(n_f, f_plane, n_s, s_plane, n_y):
            sums[0, positions[j]], sums[1, positions[j]] = _sums_by_planes(
                f_planes, f_plane, n_f, f_counts, s_planes, s_plane, n_s, s_counts, s_count,
                n_words, n_y, phi, plane_cells, left,
            )  # fmt: skip
    for j in candidates:
        if not _by_planes(n_levels[j], f_first[j], n_s, s_plane, n_y):
            sums[0, positions[j]], sums[1, positions[j]] = _sums_without_planes(
                codes, j, n_levels[j], joint, i, n_s, n_y, n_rows, phi, cells, pairs, keys, counts
            )


@kernel
def lazy_minimum(columns, candidates, selected, n_selected, rows, phi, offsets, search, finalists):
    """Lower the bound of each candidate until it is exact or out of the race.

    The score of f is the minimum over the selected s of a term that falls as S grows, so a stale
    minimum is an upper bound (Fleuret 2004). A candidate is looked at only while its bound reaches
    the second best exact score, so that winner, runner-up and ties come out exact. Returns how many
    candidates were in the race to the end.

    Parameters
    ----------
    columns, candidates, selected, rows, phi : as in `pair_sums`
    n_selected : how many of the selected columns count
    offsets : int64 (k,), term = Σ φ(N(f,s,y)) − Σ φ(N(f,s)) + offset of s
    search : LazySearch, updated
    finalists : int64 (candidates,), filled with those whose bound became exact
    """
    codes, n_levels, f_planes, f_first, f_counts = columns
    joint, index, s_planes, s_counts = selected
    n_rows, n_words, n_y = rows
    bounds, n_seen, counted, positions, best, slack = search
    widest = np.max(index[:n_selected, N_LEVELS])
    plane_cells, left, cells, pairs, keys, counts = _scratch(n_levels, candidates, widest, n_y, n_rows)
    n_finalists = 0
    for j in candidates:
        f = positions[j]
        if bounds[f] < best[1] - slack or counted[f] == n_selected:
            continue
        n_f, f_plane = n_levels[j], f_first[j]
        while n_seen[f] < n_selected and bounds[f] >= best[1] - slack:
            i = n_seen[f]
            n_s, s_plane = index[i, N_LEVELS], index[i, FIRST_PLANE]
            if _by_planes(n_f, f_plane, n_s, s_plane, n_y):
                sum_fs, sum_fsy = _sums_by_planes(
                    f_planes, f_plane, n_f, f_counts, s_planes, s_plane, n_s, s_counts,
                    index[i, FIRST_COUNT], n_words, n_y, phi, plane_cells, left,
                )  # fmt: skip
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


@kernel
def join_classes(codes, labels, n_y, joint, counts):
    """Join a column with the classes (a single one: leave them out), and count the levels of the joint.

    Parameters
    ----------
    codes : unsigned (n_rows,); labels : integers (n_rows,)
    joint : unsigned (n_rows,), filled with s · n_classes + y
    counts : uint64 (levels · classes,), filled
    """
    for cell in range(counts.shape[0]):
        counts[cell] = 0
    for row in range(joint.shape[0]):
        q = np.int64(codes[row])
        if n_y > 1:
            q = q * n_y + labels[row]
        joint[row] = q
        counts[q] += np.uint64(1)


@kernel
def class_counts(columns, candidates, class_planes, n_words):
    """Fill ``columns.plane_counts`` with N(f,y) for candidates whose planes are there.

    Parameters
    ----------
    columns, candidates : as in `pair_sums`
    class_planes : uint64 ((classes - 1) · words,)
    """
    _, n_levels, f_planes, f_first, f_counts = columns
    for j in candidates:
        for plane in range(f_first[j], f_first[j] + n_levels[j] - 1):
            f = np.uint64(plane * n_words)
            rest = _count_one(f_planes, f, f_planes, f, n_words)
            for y in range(1, f_counts.shape[1]):
                of_class = _count_one(f_planes, f, class_planes, np.uint64((y - 1) * n_words), n_words)
                f_counts[plane, y] = of_class
                rest -= of_class
            f_counts[plane, 0] = rest


@kernel
def column_sums(codes, n_levels, candidates, positions, class_planes, class_sizes, phi, sums):
    """Σ φ(N(f)) and Σ φ(N(f,y)) of one-byte columns with few levels, by planes that are not kept.

    Parameters
    ----------
    codes, n_levels, candidates, positions, phi, sums : as in `pair_sums`
    class_planes : uint64 ((classes - 1) · words,)
    class_sizes : int64 (classes,)
    """
    n_y, n, n_words = class_sizes.shape[0], codes.shape[1], codes.shape[1] // WORD
    flat = codes.reshape(-1)
    tile = np.empty(TILE, np.uint64)
    zero = np.uint64(0)
    widest = 0
    for j in candidates:
        widest = max(widest, n_levels[j])
    cells = np.zeros(widest * n_y, np.int64)
    for j in candidates:
        cells[:n_y] = class_sizes  # all in level 0, from where the others are taken away
        for start in range(0, n_words, TILE):
            n_tile = min(TILE, n_words - start)
            for a in range(1, n_levels[j]):
                for word in range(n_tile):
                    tile[word] = equal_mask(flat, j * n + (start + word) * WORD, np.uint8(a))
                rest = np.int64(_count_one(tile, zero, tile, zero, n_tile))
                for y in range(1, n_y):
                    at = np.uint64((y - 1) * n_words + start)
                    count = np.int64(_count_one(tile, zero, class_planes, at, n_tile))
                    cells[a * n_y + y] += count
                    cells[y] -= count
                    rest -= count
                cells[a * n_y] += rest
                cells[0] -= rest
        sums[0, positions[j]], sums[1, positions[j]] = _sum_and_clear(cells, n_levels[j], n_y, phi)


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
def sparse_pair_sums(columns, candidates, positions, joint, n_s, n_y, s_counts, sy_counts, phi, sums):
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
    for j in candidates:
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
        sums[0, positions[j]], sums[1, positions[j]] = sum_fs, sum_fsy

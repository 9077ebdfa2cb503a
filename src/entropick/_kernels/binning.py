"""Cutting numeric columns into levels.

Every strategy ends in *edges*: the largest value of each level but the last. The level of a value
is the number of edges below it. No level is empty and equal values are never separated.
"""

import math

import numpy as np

from entropick._kernels.jit import helper, kernel

QUANTILE, UNIFORM = 0, 1
MOST_BUCKETS = 2048  # rough buckets of a numeric column; only those around quantiles are ordered
_BINARY_SEARCH_FROM = 32  # edges; below, comparing with every edge is faster (vector code)


@helper
def _find_runs(ordered, n_valid, values, ends):
    """Distinct values of an ordered array and where their runs end; returns how many."""
    n_runs = 0
    for at in range(n_valid):
        if at == n_valid - 1 or ordered[at] != ordered[at + 1]:
            values[n_runs] = ordered[at]
            ends[n_runs] = at + 1
            n_runs += 1
    return n_runs


@helper
def _edges_at_quantiles(values, ends, n_runs, n_bins, edges):
    """Cut at the k-th n_bins-quantiles; inside a run of equal values, at the run's nearer end."""
    n = ends[n_runs - 1]
    n_edges = 0
    run, cut_before = 0, -1  # the run the wanted cut falls into; the last cut made
    for k in range(1, n_bins):
        wanted = k * n // n_bins
        while ends[run] < wanted:
            run += 1
        begin = ends[run - 1] if run > 0 else 0
        cut = run if 2 * wanted > begin + ends[run] else run - 1
        if cut > cut_before and cut < n_runs - 1:
            edges[n_edges] = values[cut]
            n_edges += 1
            cut_before = cut
    return n_edges


@helper
def _edges_at_equal_widths(values, n_runs, n_bins, edges):
    """Cut the range into n_bins equal parts; parts without a value vanish."""
    low = float(values[0])
    width = float(values[n_runs - 1]) / n_bins - low / n_bins  # the range itself may overflow
    n_edges, run = 0, 0
    for k in range(1, n_bins):
        limit = low + k * width
        last = run
        while run < n_runs and values[run] < limit:
            run += 1
        if run > last and run < n_runs:
            edges[n_edges] = values[run - 1]
            n_edges += 1
    return n_edges


@helper
def _edges_from_runs(values, ends, n_runs, n_bins, strategy, edges):
    """Keep the values where they are few, else cut by the strategy; returns the number of edges."""
    if n_runs <= n_bins:
        for run in range(n_runs - 1):
            edges[run] = values[run]
        return max(n_runs - 1, 0)
    if strategy == QUANTILE:
        return _edges_at_quantiles(values, ends, n_runs, n_bins, edges)
    return _edges_at_equal_widths(values, n_runs, n_bins, edges)


@helper
def _few_values(row, most, found):
    """Fill `found` with the distinct values in order, if there are at most `most`; else -1."""
    n_found = 0
    for value in row:
        if np.isnan(value):
            continue
        at = 0
        while at < n_found and found[at] < value:
            at += 1
        if at < n_found and found[at] == value:
            continue
        if n_found == most:
            return -1
        for k in range(n_found, at, -1):
            found[k] = found[k - 1]
        found[at] = value
        n_found += 1
    return n_found


@helper
def _fill_buckets(row, low, scale, bucket_of, ends):
    """Sort the values roughly into buckets of equal width; missing ones into none (the last)."""
    ends[:] = 0
    n_buckets = ends.shape[0] - 1
    for i in range(row.shape[0]):
        bucket = n_buckets
        if not np.isnan(row[i]):
            bucket = min(np.int64((float(row[i]) - low) * scale), n_buckets - 1)
        bucket_of[i] = bucket
        ends[bucket] += 1
    for bucket in range(1, n_buckets):
        ends[bucket] += ends[bucket - 1]


@helper
def _collect_quantile_buckets(row, n, n_bins, bucket_of, ends, begin_of, members):
    """Gather and sort the values of the buckets into which quantiles fall.

    ``begin_of[bucket]`` says where in `members` they begin. Returns False where these buckets
    hold most of the values, so that ordering the whole column is no more work.
    """
    begin_of[:] = -1
    filled, bucket = 0, 0
    for k in range(1, n_bins):
        while ends[bucket] < k * n // n_bins:
            bucket += 1
        if begin_of[bucket] < 0:
            begin_of[bucket] = filled
            filled += ends[bucket] - (ends[bucket - 1] if bucket > 0 else 0)
    if 2 * filled > n:
        return False
    place = begin_of.copy()
    for i in range(row.shape[0]):
        bucket = bucket_of[i]
        if begin_of[bucket] >= 0:
            members[place[bucket]] = row[i]
            place[bucket] += 1
    for bucket in range(ends.shape[0] - 1):
        if begin_of[bucket] >= 0:
            members[begin_of[bucket] : place[bucket]].sort()
    return True


@helper
def _largest_below(row, limit):
    """The largest value of a column below `limit`, which is not its smallest."""
    found = False
    largest = limit
    for value in row:
        if value < limit and (not found or value > largest):
            largest, found = value, True
    return largest


@helper
def _edges_from_buckets(row, n, high, n_bins, ends, begin_of, members, edges):
    """The same edges as `_edges_at_quantiles`, from the ordered buckets around the quantiles."""
    n_edges, bucket = 0, 0
    for k in range(1, n_bins):
        wanted = k * n // n_bins
        while ends[bucket] < wanted:
            bucket += 1
        start = ends[bucket - 1] if bucket > 0 else 0
        size = ends[bucket] - start
        inside = members[begin_of[bucket] : begin_of[bucket] + size]
        edge = inside[wanted - 1 - start]
        run_begin = start + np.searchsorted(inside, edge, side="left")
        run_end = start + np.searchsorted(inside, edge, side="right")
        if 2 * wanted <= run_begin + run_end and wanted != run_end:
            if run_begin == 0:
                continue
            edge = inside[run_begin - 1 - start] if run_begin > start else _largest_below(row, edge)
        if edge < high and (n_edges == 0 or edge > edges[n_edges - 1]):
            edges[n_edges] = edge
            n_edges += 1
    return n_edges


@kernel
def find_quantile_edges(values, n_bins, edges, n_edges, kept, n_missing, low, high, done):
    """Quantile edges of several columns without ordering them wholly.

    Parameters
    ----------
    values : (b, n); n_bins : levels wanted
    edges, n_edges, kept : filled as by `find_edges`
    n_missing : int64 (b,), low, high : (b,), filled: missing values, least and largest value
    done : bool (b,), filled: False where the column must be ordered after all
    """
    n = values.shape[1]
    found = np.empty(n_bins, values.dtype)
    members = np.empty(n, values.dtype)
    bucket_of = np.empty(n, np.int16)
    n_buckets = min(MOST_BUCKETS, n)
    ends = np.empty(n_buckets + 1, np.int64)
    begin_of = np.empty(n_buckets + 1, np.int64)
    for j in range(values.shape[0]):
        row = values[j]
        n_valid, least, largest = 0, row[0], row[0]
        for value in row:
            if not np.isnan(value):
                least = value if n_valid == 0 else min(least, value)
                largest = value if n_valid == 0 else max(largest, value)
                n_valid += 1
        n_missing[j], low[j], high[j] = n - n_valid, least, largest
        n_found = _few_values(row, n_bins, found)
        kept[j] = n_found >= 0
        done[j] = True
        if kept[j]:
            n_edges[j] = max(n_found - 1, 0)
            edges[j, : n_edges[j]] = found[: n_edges[j]]
            continue
        width = float(largest) - float(least)
        scale = n_buckets / width
        if not (np.isfinite(width) and np.isfinite(scale)):
            done[j] = False
            continue
        _fill_buckets(row, float(least), scale, bucket_of, ends)
        done[j] = _collect_quantile_buckets(row, n_valid, n_bins, bucket_of, ends, begin_of, members)
        if done[j]:
            n_edges[j] = _edges_from_buckets(row, n_valid, largest, n_bins, ends, begin_of, members, edges[j])


@kernel
def find_edges(ordered, n_valid, n_bins, strategy, edges, n_edges, kept):
    """Edges of several columns.

    Parameters
    ----------
    ordered : (b, n), each row in ascending order, missing values last
    n_valid : int64 (b,), values that are not missing
    n_bins, strategy : how many levels at most, and QUANTILE or UNIFORM
    edges : (b, n_bins - 1), filled; n_edges : int64 (b,), filled
    kept : bool (b,), filled: whether the column's values were few enough to keep
    """
    values = np.empty(ordered.shape[1], ordered.dtype)
    ends = np.empty(ordered.shape[1], np.int64)
    for j in range(ordered.shape[0]):
        n_runs = _find_runs(ordered[j], n_valid[j], values, ends)
        kept[j] = n_runs <= n_bins
        n_edges[j] = _edges_from_runs(values, ends, n_runs, n_bins, strategy, edges[j])


@kernel
def find_sparse_edges(data, starts, n_rows, n_bins, strategy, edges, n_edges, kept, last, n_missing):
    """As `find_edges` for columns of a CSC matrix, whose unstored values are zeros."""
    longest = 0
    for j in range(starts.shape[0] - 1):
        longest = max(longest, starts[j + 1] - starts[j])
    values = np.empty(longest + 1, data.dtype)
    ends = np.empty(longest + 1, np.int64)
    ordered = np.empty(longest + 1, data.dtype)
    for j in range(starts.shape[0] - 1):
        n_stored = 0
        for at in range(starts[j], starts[j + 1]):
            if not np.isnan(data[at]):
                ordered[n_stored] = data[at]
                n_stored += 1
        n_missing[j] = starts[j + 1] - starts[j] - n_stored
        n_zeros = n_rows - (starts[j + 1] - starts[j])
        if n_zeros > 0:  # one zero stands for all of them
            ordered[n_stored] = 0.0
            n_stored += 1
        ordered[:n_stored].sort()
        n_runs = _find_runs(ordered, n_stored, values, ends)
        shift = 0
        for run in range(n_runs):
            if values[run] == 0.0 and n_zeros > 0:
                shift = n_zeros - 1
            ends[run] += shift
        kept[j] = n_runs <= n_bins
        last[j] = values[max(n_runs - 1, 0)] if n_runs > 0 else 0.0
        n_edges[j] = _edges_from_runs(values, ends, n_runs, n_bins, strategy, edges[j])


@helper
def _class_entropy(counts, n_classes, total):
    """Entropy in bits of class counts, and how many classes occur."""
    entropy, n_present = 0.0, 0
    for c in range(n_classes):
        if counts[c] > 0:
            share = counts[c] / total
            entropy -= share * math.log2(share)
            n_present += 1
    return entropy, n_present


@helper
def _best_cut(ordered, labels, start, stop, n_classes, left, right, best_left):
    """Position of the cut with the least class entropy, and that entropy; -1 where none exists."""
    left[:] = 0
    right[:] = 0
    for at in range(start, stop):
        right[labels[at]] += 1
    best, best_entropy = -1, np.inf
    for at in range(start, stop - 1):
        left[labels[at]] += 1
        right[labels[at]] -= 1
        if ordered[at] == ordered[at + 1]:
            continue
        n_left, n_right = at + 1 - start, stop - at - 1
        entropy_left, _ = _class_entropy(left, n_classes, n_left)
        entropy_right, _ = _class_entropy(right, n_classes, n_right)
        entropy = (n_left * entropy_left + n_right * entropy_right) / (stop - start)
        if entropy < best_entropy:
            best, best_entropy = at + 1, entropy
            best_left[:] = left
    return best, best_entropy


@helper
def _cut_pays(labels, start, cut, stop, n_classes, entropy_after, left, right, whole):
    """Fayyad and Irani's minimum description length test of a cut."""
    right[:] = 0
    for at in range(cut, stop):
        right[labels[at]] += 1
    for c in range(n_classes):
        whole[c] = left[c] + right[c]
    n = stop - start
    entropy, k = _class_entropy(whole, n_classes, n)
    entropy_left, k_left = _class_entropy(left, n_classes, cut - start)
    entropy_right, k_right = _class_entropy(right, n_classes, stop - cut)
    labelings = math.log2(3.0**k - 2.0) if k < 64 else k * math.log2(3.0)
    cost = labelings - (k * entropy - k_left * entropy_left - k_right * entropy_right)
    return entropy - entropy_after > (math.log2(n - 1.0) + cost) / n


@kernel
def find_mdlp_edges(ordered, labels, n_valid, n_bins, n_classes, edges, n_edges, kept):
    """Edges of several columns by recursive class-entropy cuts (Fayyad and Irani 1993).

    Parameters
    ----------
    ordered : (b, n), each row in ascending order, missing values last
    labels : int32 (b, n), the classes in the same order
    n_valid : int64 (b,); n_bins : columns with at most so many values keep them
    edges : (b, most edges), filled; n_edges : int64 (b,), filled; kept : as in `find_edges`
    """
    n = ordered.shape[1]
    values = np.empty(n, ordered.dtype)
    ends = np.empty(n, np.int64)
    left = np.zeros(n_classes, np.int64)
    right = np.zeros(n_classes, np.int64)
    best_left = np.zeros(n_classes, np.int64)
    whole = np.zeros(n_classes, np.int64)
    most = edges.shape[1]
    cuts = np.empty(most, np.int64)
    stack = np.empty((most + 2, 2), np.int64)
    for j in range(ordered.shape[0]):
        n_runs = _find_runs(ordered[j], n_valid[j], values, ends)
        kept[j] = n_runs <= n_bins
        if kept[j]:
            n_edges[j] = _edges_from_runs(values, ends, n_runs, n_bins, QUANTILE, edges[j])
            continue
        stack[0, 0], stack[0, 1] = 0, n_valid[j]
        depth, n_cuts = 1, 0
        while depth > 0 and n_cuts < most:
            depth -= 1
            start, stop = stack[depth, 0], stack[depth, 1]
            cut, entropy = _best_cut(ordered[j], labels[j], start, stop, n_classes, left, right, best_left)
            if cut < 0 or not _cut_pays(
                labels[j], start, cut, stop, n_classes, entropy, best_left, right, whole
            ):
                continue
            cuts[n_cuts] = cut
            n_cuts += 1
            stack[depth, 0], stack[depth, 1] = start, cut
            stack[depth + 1, 0], stack[depth + 1, 1] = cut, stop
            depth += 2
        cuts[:n_cuts].sort()
        for k in range(n_cuts):
            edges[j, k] = ordered[j, cuts[k] - 1]
        n_edges[j] = n_cuts


@kernel
def assign_levels(values, edges, n_edges, missing_level, codes):
    """Level of each value: the number of edges below it, or the column's level for missing values.

    Parameters
    ----------
    values : (b, n); edges : (b, most edges); n_edges : int64 (b,)
    missing_level : int64 (b,), -1 where nothing is missing
    codes : unsigned (b, at least n), filled
    """
    n = values.shape[1]
    for j in range(values.shape[0]):
        row = codes[j]
        if n_edges[j] < _BINARY_SEARCH_FROM:
            row[:n] = 0
            for k in range(n_edges[j]):
                edge = edges[j, k]
                for i in range(n):
                    row[i] += values[j, i] > edge
        else:
            inner = edges[j, : n_edges[j]]
            for i in range(n):
                row[i] = np.searchsorted(inner, values[j, i])
        if missing_level[j] >= 0:
            for i in range(n):
                if np.isnan(values[j, i]):
                    row[i] = missing_level[j]


@kernel
def assign_sparse_levels(data, starts, edges, n_edges, missing_level, codes):
    """Levels of the stored values of a CSC matrix; `codes` is as long as `data`."""
    for j in range(starts.shape[0] - 1):
        inner = edges[j, : n_edges[j]]
        for at in range(starts[j], starts[j + 1]):
            if np.isnan(data[at]):
                codes[at] = missing_level[j]
            else:
                codes[at] = np.searchsorted(inner, data[at])

"""Distances between rows, and the classes found among nearest rows.

Columns have three kinds: 0 numeric, 1 numeric with missing values, 2 category. A distance is a sum over
columns, so a new column only adds its own differences to distances already known.
"""

import numpy as np

from entropick._kernels.jit import helper, kernel

TILE = 512  # rows of a column worked on at a time
FEW = 16  # so many nearest rows are kept in order by insertion, more are found by sorting


@helper
def difference(kind, a, b, expected):
    """Distance of two values of one column."""
    if kind == 0:
        return abs(a - b)
    if np.isnan(a) or np.isnan(b):
        return expected
    if kind == 1:
        return abs(a - b)
    return np.float32(0.0) if a == b else np.float32(1.0)


@helper
def _add_column(column, kind, expected, i, squared, distances):
    """Add the differences of one column between row i and all rows."""
    value = column[i]
    if kind == 0 and not squared:
        for j in range(distances.shape[0]):
            distances[j] += abs(column[j] - value)
    elif kind == 0:
        for j in range(distances.shape[0]):
            distances[j] += (column[j] - value) * (column[j] - value)
    else:
        for j in range(distances.shape[0]):
            d = difference(kind, value, column[j], expected)
            distances[j] += d * d if squared else d


@helper
def _add_four(values, f, rows, r, start, n, distances):
    """Add four numeric columns from f on, between rows[r] and n rows from `start` on (L1)."""
    i = rows[r]
    a, b, c, d = values[f, i], values[f + 1, i], values[f + 2, i], values[f + 3, i]
    for step in range(n):
        j = np.uint64(start + step)  # unsigned, or the loop would not become vector code
        near = abs(values[f, j] - a) + abs(values[f + 1, j] - b)
        distances[r, j] += near + (abs(values[f + 2, j] - c) + abs(values[f + 3, j] - d))


@kernel
def distances_from(values, kinds, expected, rows, squared, distances):
    """Fill ``distances[r, j]`` with the distance of rows[r] and row j on all columns (L1, or squared L2).

    A tile of a column serves all rows before the next one is fetched.
    """
    n_columns, n = values.shape
    distances[:] = 0.0
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        f = 0
        while f < n_columns:
            four = f + 4 <= n_columns and not squared
            if four:
                for g in range(f, f + 4):
                    four = four and kinds[g] == 0
            if four:
                for r in range(rows.shape[0]):
                    _add_four(values, f, rows, r, start, size, distances)
                f += 4
                continue
            for r in range(rows.shape[0]):
                value = values[f, rows[r]]
                for j in range(start, start + size):
                    d = difference(kinds[f], value, values[f, j], expected[f])
                    distances[r, j] += d * d if squared else d
            f += 1


@kernel
def candidate_distances(values, kinds, expected, columns, first_row, neighbors, squared, distances):
    """Add to ``distances[r, c]`` the distance of row first_row + r and its candidate c on some columns."""
    for r in range(neighbors.shape[0]):
        i = first_row + r
        for f in columns:
            value = values[f, i]
            for c in range(neighbors.shape[1]):
                d = difference(kinds[f], value, values[f, neighbors[r, c]], expected[f])
                distances[r, c] += d * d if squared else d


@helper
def _insert(d, row, k, found, best, near):
    """Keep the k smallest distances in order; the earlier one wins a tie. Returns how many are kept."""
    if d == np.inf or (found == k and not d < best[k - 1]):
        return found
    place = min(found, k - 1)
    kept = place + 1
    while place > 0 and d < best[place - 1]:
        best[place] = best[place - 1]
        near[place] = near[place - 1]
        place -= 1
    best[place] = d
    near[place] = row
    return kept


@helper
def _entropy_around(labels, i, near, found, phi, counts):
    """Entropy in bits of the classes of row i and its nearest rows; `counts` stays zero."""
    counts[labels[i]] = 1
    total = phi[1]
    for c in range(found):
        label = labels[near[c]]
        total += phi[counts[label] + 1] - phi[counts[label]]
        counts[label] += 1
    counts[labels[i]] = 0
    for c in range(found):
        counts[labels[near[c]]] = 0
    return (phi[found + 1] - total) / (found + 1)


@helper
def _add_candidates(values, f, kind, expected, i, neighbors, distances):
    """Add the differences of column f between row i and its candidate neighbours."""
    value = values[f, i]
    if kind == 0:
        for c in range(distances.shape[0]):
            distances[c] += abs(values[f, np.uint32(neighbors[i, c])] - value)
    else:
        for c in range(distances.shape[0]):
            distances[c] += difference(kind, value, values[f, neighbors[i, c]], expected)


@kernel
def neighborhood_entropies(space, units, chosen, neighbors, known, classes, k, phi, every_row, sums):
    """Neighborhood entropy of y on the selected columns and each candidate unit, among listed neighbours.

    Parameters
    ----------
    space : values (columns, rows), kinds, expected
    units : starts, members: columns of unit u are ``members[starts[u]:starts[u + 1]]``
    chosen : int64 (q,), the candidate units
    neighbors : int32 (n, m), candidate neighbours of each row, in random order
    known : float32 (n, m), their distances on the selected columns
    classes : labels, n_classes
    k : neighbours to look at; phi : float64 (k + 2,), c log2 c
    every_row : whether every row counts, or only rows not seen as a neighbour before
    sums : float64 (q, 2), filled with the summed entropies and the number of neighbourhoods
    """
    values, kinds, expected = space
    starts, members = units
    labels, n_classes = classes
    n, m = neighbors.shape
    distances = np.empty(m, np.float32)
    best = np.empty(k, np.float32)
    near = np.empty(k, np.int64)
    counts = np.zeros(n_classes, np.int64)
    seen = np.empty(n, np.bool_)
    for q in range(chosen.shape[0]):
        u = chosen[q]
        seen[:] = False
        total, visited = 0.0, 0
        for i in range(n):
            if seen[i] and not every_row:
                continue
            for c in range(m):
                distances[c] = known[i, c]
            for at in range(starts[u], starts[u + 1]):
                f = members[at]
                _add_candidates(values, f, kinds[f], expected[f], i, neighbors, distances)
            found = 0
            for c in range(m):
                if found < k or distances[c] < best[k - 1]:
                    found = _insert(distances[c], neighbors[i, c], k, found, best, near)
            total += _entropy_around(labels, i, near, found, phi, counts)
            visited += 1
            seen[i] = True
            for c in range(found):
                seen[near[c]] = True
        sums[q, 0], sums[q, 1] = total, visited


@helper
def coprime_step(n):
    """A step that leads through all of n places, the same for nearly all n."""
    step = 7919
    while np.gcd(step, n) > 1:
        step += 1
    return step


@kernel
def exact_neighborhood_entropies(space, units, chosen, selected, classes, k, phi, every_row, sums):
    """As `neighborhood_entropies` with all rows as candidates and nothing remembered.

    Row by row: the distances on the selected columns are computed once for all candidates. Each row
    looks at the others from a place of its own on, so that ties fall on other rows each time.
    """
    values, kinds, expected = space
    starts, members = units
    labels, n_classes = classes
    n = values.shape[1]
    known = np.empty(n, np.float32)
    distances = np.empty(n, np.float32)
    best = np.empty(k, np.float32)
    near = np.empty(k, np.int64)
    counts = np.zeros(n_classes, np.int64)
    seen = np.zeros((chosen.shape[0], n), np.bool_)
    step = coprime_step(n)
    sums[:] = 0.0
    for i in range(n):
        known[:] = 0.0
        for f in selected:
            _add_column(values[f], kinds[f], expected[f], i, False, known)
        first = (i * step + 1) % n
        for q in range(chosen.shape[0]):
            if seen[q, i] and not every_row:
                continue
            distances[:] = known
            for at in range(starts[chosen[q]], starts[chosen[q] + 1]):
                f = members[at]
                _add_column(values[f], kinds[f], expected[f], i, False, distances)
            distances[i] = np.inf
            found = 0
            for j in range(first, n):
                if found < k or distances[j] < best[k - 1]:
                    found = _insert(distances[j], j, k, found, best, near)
            for j in range(first):
                if found < k or distances[j] < best[k - 1]:
                    found = _insert(distances[j], j, k, found, best, near)
            sums[q, 0] += _entropy_around(labels, i, near, found, phi, counts)
            sums[q, 1] += 1
            seen[q, i] = True
            for c in range(found):
                seen[q, near[c]] = True


@helper
def _row_distance(points, kinds, expected, i, j, squared, all_numeric):
    """Distance of two rows of a (rows, columns) array; four sums at a time, so that adds overlap."""
    a = b = c = e = np.float32(0.0)
    n = points.shape[1]
    if not all_numeric or squared:
        for f in range(n):
            d = difference(kinds[f], points[i, f], points[j, f], expected[f])
            a += d * d if squared else d
        return a
    for f in range(0, n - 3, 4):
        a += abs(points[i, f] - points[j, f])
        b += abs(points[i, f + 1] - points[j, f + 1])
        c += abs(points[i, f + 2] - points[j, f + 2])
        e += abs(points[i, f + 3] - points[j, f + 3])
    for f in range(n - n % 4, n):
        a += abs(points[i, f] - points[j, f])
    return (a + b) + (c + e)


@kernel
def nearest_in_windows(points, kinds, expected, tables, first_row, squared, filler, neighbors):
    """The nearest of the rows that share a window of some hash table with each row.

    Parameters
    ----------
    points : float32 (n, columns); kinds, expected : as in the space
    tables : ordered (L, n) rows in the order of their projections; low, high (L, n) the window of each
        row in that order
    first_row : number of the first row looked at
    filler : int64, random rows, taken in turn where the windows hold too few
    neighbors : int32 (rows, m), filled in the order of distance
    """
    ordered, low, high = tables
    n, m = points.shape[0], neighbors.shape[1]
    all_numeric = np.all(kinds == 0)
    stamp = np.full(n, -1, np.int64)
    found_rows = np.empty(n, np.int64)
    distances = np.empty(n, np.float32)
    best = np.empty(min(m, FEW), np.float32)
    near = np.empty(min(m, FEW), np.int64)
    for r in range(neighbors.shape[0]):
        i = first_row + r
        stamp[i] = r
        found = 0
        for t in range(ordered.shape[0]):
            for at in range(low[t, i], high[t, i]):
                j = ordered[t, at]
                if stamp[j] != r:
                    stamp[j] = r
                    found_rows[found] = j
                    found += 1
        at = i
        while found < m:
            j = filler[at % n]
            at += 1
            if stamp[j] != r:
                stamp[j] = r
                found_rows[found] = j
                found += 1
        for c in range(found):
            distances[c] = _row_distance(points, kinds, expected, i, found_rows[c], squared, all_numeric)
        if m <= FEW:
            kept = 0
            for c in range(found):
                if kept < m or distances[c] < best[m - 1]:
                    kept = _insert(distances[c], found_rows[c], m, kept, best, near)
            for c in range(m):
                neighbors[r, c] = near[c]
        else:
            order = np.argsort(distances[:found])
            for c in range(m):
                neighbors[r, c] = found_rows[order[c]]


@helper
def _add_differences(points, kinds, expected, all_numeric, i, j, share, sums):
    """Add to each column's sum its share of the difference between two rows."""
    if all_numeric:
        for f in range(sums.shape[0]):
            sums[f] += share * abs(points[i, f] - points[j, f])
    else:
        for f in range(sums.shape[0]):
            sums[f] += share * difference(kinds[f], points[i, f], points[j, f], expected[f])


@helper
def _nearest_of_classes(distances, labels, i, k, best, near, found, as_near):
    """The k nearest rows of each class to row i, and how many rows are as near as the k-th."""
    found[:] = 0
    as_near[:] = 0
    for j in range(distances.shape[0]):
        c = labels[j]
        if j != i and (found[c] < k or distances[j] < best[c, k - 1]):
            found[c] = _insert(distances[j], j, k, found[c], best[c], near[c])
    for j in range(distances.shape[0]):
        c = labels[j]
        as_near[c] += j != i and distances[j] == best[c, found[c] - 1]


@helper
def _add_nearest(points, kinds, expected, distances, labels, i, c, found, as_near, scale, best, near, sums):
    """Add the differences between row i and the nearest rows of class c to each column's sum.

    Rows as near as the k-th share its places and those of their kind, whatever their order.
    """
    all_numeric = np.all(kinds == 0)
    limit = best[c, found - 1]
    places = 0
    for s in range(found):
        places += best[c, s] == limit
    for s in range(found):
        if best[c, s] < limit or places == as_near:
            _add_differences(points, kinds, expected, all_numeric, i, near[c, s], scale, sums)
    if places < as_near:
        share = scale * places / as_near
        for j in range(labels.shape[0]):
            if labels[j] == c and j != i and distances[j] == limit:
                _add_differences(points, kinds, expected, all_numeric, i, j, share, sums)


@kernel
def relief_weights(points, kinds, expected, distances, rows, labels, priors, k, weights):
    """Add what some rows tell to the ReliefF weight of each column (Kononenko 1994).

    Parameters
    ----------
    points : float32 (n, columns); kinds, expected : as in the space
    distances : float32 (rows looked at, n)
    rows : int64, the rows looked at
    labels : int32 (n,); priors : float64 (classes,), shares of the classes
    k : hits, and misses of each class
    weights : float64 (columns,), updated
    """
    n_classes = priors.shape[0]
    best = np.empty((n_classes, k), np.float32)
    near = np.empty((n_classes, k), np.int64)
    found = np.zeros(n_classes, np.int64)
    as_near = np.zeros(n_classes, np.int64)
    for r in range(rows.shape[0]):
        i = rows[r]
        _nearest_of_classes(distances[r], labels, i, k, best, near, found, as_near)
        for c in range(n_classes):
            if found[c] == 0:
                continue
            scale = -1.0 / found[c]
            if c != labels[i]:
                scale = priors[c] / (1.0 - priors[labels[i]]) / found[c]
            _add_nearest(
                points, kinds, expected, distances[r], labels, i, c, found[c], as_near[c], scale,
                best, near, weights,
            )  # fmt: skip


@kernel
def rrelief_sums(points, kinds, expected, distances, rows, target, k, of_target, of_columns, of_both):
    """RReliefF's sums for a real target: differences in y, in each column, and in both at once.

    `target` is scaled to a range of 1; of_target (1,), of_columns and of_both (columns,) are updated.
    Rows as near as the k-th share its places and those of their kind.
    """
    n = target.shape[0]
    all_numeric = np.all(kinds == 0)
    one_class = np.zeros(n, np.int32)
    best = np.empty((1, k), np.float32)
    near = np.empty((1, k), np.int64)
    found = np.zeros(1, np.int64)
    as_near = np.zeros(1, np.int64)
    for r in range(rows.shape[0]):
        i = rows[r]
        _nearest_of_classes(distances[r], one_class, i, k, best, near, found, as_near)
        limit = best[0, found[0] - 1]
        places = np.sum(best[0, : found[0]] == limit)
        for j in range(n):
            if j == i or distances[r, j] > limit:
                continue
            share = 1.0 / found[0]
            if distances[r, j] == limit:
                share *= places / as_near[0]
            in_target = abs(target[i] - target[j]) * share
            of_target[0] += in_target
            _add_differences(points, kinds, expected, all_numeric, i, j, share, of_columns)
            _add_differences(points, kinds, expected, all_numeric, i, j, in_target, of_both)


@kernel
def nearest_by_products(products, squares, first_row, found):
    """Of each row the rows of the smallest squared distances, itself left out, as far as products tell.

    Parameters
    ----------
    products : float32 (block, rows), of the rows first_row, first_row + 1, ... with all rows
    squares : float32 (rows,), products of rows with themselves
    found : int64 (block, m), filled; m is at most the number of rows less one
    """
    m = found.shape[1]
    best = np.empty(m, np.float32)
    for b in range(products.shape[0]):
        near = found[b]
        row = products[b]
        kept = 0
        for j in range(row.shape[0]):
            d = squares[j] - np.float32(2.0) * row[j]
            if (kept < m or d < best[m - 1]) and j != first_row + b:
                at = min(kept, m - 1)
                kept = at + 1
                while at > 0 and best[at - 1] > d:
                    best[at] = best[at - 1]
                    near[at] = near[at - 1]
                    at -= 1
                best[at] = d
                near[at] = j

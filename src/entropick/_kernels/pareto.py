"""Non-dominated ranks and crowding of points with two objectives, both to be small."""

import numpy as np

from entropick._kernels.jit import kernel


@kernel
def front_ranks(values, order, ranks):
    """Rank of each point: 0 if no point is better in one objective and no worse in the other, and so on.

    Parameters
    ----------
    values : float (points, 2)
    order : points by first, then second objective
    ranks : int64 (points,), filled
    """
    n = values.shape[0]
    last = np.empty(n, np.int64)  # of each front, the point taken in last: the lowest second objective
    n_fronts = 0
    for at in range(n):
        i = order[at]
        low, high = 0, n_fronts
        while low < high:  # the first front whose last point does not beat point i
            middle = (low + high) // 2
            other = last[middle]
            beaten = values[other, 1] < values[i, 1] or (
                values[other, 1] == values[i, 1] and values[other, 0] < values[i, 0]
            )
            if beaten:
                low = middle + 1
            else:
                high = middle
        ranks[i] = low
        last[low] = i
        if low == n_fronts:
            n_fronts += 1


@kernel
def crowding(values, order, ranks, distances):
    """Distance of each point to its neighbours of the same rank, over both objectives; infinite at ends."""
    n = values.shape[0]
    before = np.full(n, -1, np.int64)  # per rank, the last point seen and the one before it
    current = np.full(n, -1, np.int64)
    for at in range(n):
        i = order[at]
        rank = ranks[i]
        distances[i] = np.inf
        if current[rank] >= 0 and before[rank] >= 0:
            left, middle = before[rank], current[rank]
            wide = abs(values[i, 0] - values[left, 0])
            high = abs(values[i, 1] - values[left, 1])
            distances[middle] = wide + high
        before[rank] = current[rank]
        current[rank] = i

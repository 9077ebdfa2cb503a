"""Non-dominated ranks and crowding of points with two objectives, both to be small."""

import numpy as np

from entropick import _core


def front_ranks(values: np.ndarray, order: np.ndarray, ranks: np.ndarray) -> None:
    """Rank of each point: 0 if no point is better in one objective and no worse in the other, and so on.

    Parameters
    ----------
    values : float (points, 2)
    order : points by first, then second objective
    ranks : int64 (points,), filled
    """
    _core.front_ranks(values, order, ranks)


def crowding(values: np.ndarray, order: np.ndarray, ranks: np.ndarray, distances: np.ndarray) -> None:
    """Distance of each point to its neighbours of the same rank, over both objectives; infinite at ends."""
    _core.crowding(values, order, ranks, distances)

"""Near rows by p-stable locality-sensitive hashing (Datar et al. 2004).

h(v) = floor((a·v + b) / w): a has Cauchy coefficients for L1 and Gaussian ones for L2, b is uniform on
[0, w]. Rows in the same bucket are candidates; the nearest candidates from all tables are kept.
"""

from collections.abc import Iterator

import numpy as np

from entropick import _core
from entropick._base.threads import Threads
from entropick.table.numeric.coordinates import CATEGORY, NUMERIC, Coordinates

MAX_IN_BUCKET = 1000  # rows taken from a larger bucket, around the row itself


def tables_of_paper(n_rows: int, epsilon: float) -> int:
    """L ≈ n^(1/(1+ε)) tables, at least one."""
    return int(max(1, round(n_rows ** (1 / (1 + epsilon)))))


def lsh_neighbors(
    space: Coordinates,
    n_neighbors: int,
    threads: Threads,
    *,
    n_tables: int,
    bucket_size: int,
    rng: np.random.Generator,
    width: float | None = None,
    metric: str = "l1",
) -> np.ndarray:
    """Near rows of each row, int32 (rows, n_neighbors), nearest first.

    Parameters
    ----------
    n_tables : number of hash tables; more find more of the true neighbours
    bucket_size : intended number of rows in a bucket; its width is chosen from the data
    rng : random numbers for the hash functions
    width : of buckets; None to choose it
    """
    n = space.n_rows
    ordered = np.empty((n_tables, n), np.int32)
    low, high = np.empty((n_tables, n), np.int64), np.empty((n_tables, n), np.int64)
    for t, projections in enumerate(_projections(space, n_tables, rng, metric)):
        ordered[t], low[t], high[t] = _windows(projections, bucket_size, bucket_size, rng, width)
    points = _core.Points(np.ascontiguousarray(space.values.T), space.kinds, space.expected)
    windows = _core.Windows(ordered, low, high, rng.permutation(n))
    found = np.empty((n, n_neighbors), np.int32)

    def search(start: int, stop: int) -> None:
        points.nearest_in_windows(windows, start, metric == "l2", found[start:stop])

    n_compared = min(n, n_tables * bucket_size)
    threads.run(search, n, n_compared * (space.n_columns * 1e-9 + 5e-8))
    return found


def bucket_rows(
    space: Coordinates,
    n_least: int,
    *,
    n_tables: int,
    bucket_size: int,
    rng: np.random.Generator,
    width: float | None = None,
    metric: str = "l1",
) -> tuple[np.ndarray, np.ndarray]:
    """All rows that share a bucket with each row, whether near or not.

    Parameters
    ----------
    n_least : minimal number of rows for each row; random rows are added if its buckets hold fewer
    n_tables, bucket_size, rng, width, metric : as in `lsh_neighbors`

    Returns
    -------
    rows : int32 (rows, largest number of rows in the buckets of one); padded with the row itself
    is_there : bool of the same shape; False for padding
    """
    n = space.n_rows
    tables = [
        _windows(projections, bucket_size, MAX_IN_BUCKET // 2, rng, width)
        for projections in _projections(space, n_tables, rng, metric)
    ]
    filler = rng.permutation(n)
    found = []
    for i in range(n):
        mates = np.unique(np.concatenate([order[low[i] : high[i]] for order, low, high in tables]))
        mates = mates[mates != i]
        if len(mates) < n_least:
            others = np.roll(filler, -i)
            others = others[(others != i) & ~np.isin(others, mates)]
            mates = np.concatenate([mates, others[: n_least - len(mates)]])
        found.append(mates)
    sizes = np.array([len(mates) for mates in found])
    is_there = np.arange(sizes.max()) < sizes[:, None]
    rows = np.repeat(np.arange(n, dtype=np.int32)[:, None], is_there.shape[1], axis=1)
    rows[is_there] = np.concatenate(found)
    return rows, is_there


def _projections(
    space: Coordinates, n_tables: int, rng: np.random.Generator, metric: str
) -> Iterator[np.ndarray]:
    """a·v of every row, once per table; categories are treated as one-hot encoded."""
    draw = rng.standard_normal if metric == "l2" else rng.standard_cauchy
    is_category = space.kinds == CATEGORY
    columns = [_complete(*pair) for pair in zip(space.values, space.kinds.tolist(), strict=True)]
    n_levels = [int(column.max()) + 1 if one else 1 for column, one in zip(columns, is_category, strict=True)]
    starts = np.cumsum([0, *n_levels]).tolist()
    for _ in range(n_tables):
        projections, drawn = np.zeros(space.n_rows), draw(starts[-1])
        for column, start, one in zip(columns, starts, is_category.tolist(), strict=False):
            projections += drawn[start + column] / 2 if one else drawn[start] * column
        yield projections


def _complete(column: np.ndarray, kind: int) -> np.ndarray:
    """Fill gaps: levels start at 1 and a gap is 0; a gap among numbers is their mean."""
    if kind == CATEGORY:
        return np.asarray(np.nan_to_num(column, nan=-1).astype(np.int64) + 1)
    if kind == NUMERIC:
        return column
    middle = np.nanmean(column) if np.isfinite(column).any() else 0.0
    return np.asarray(np.nan_to_num(column, nan=middle))


def _windows(
    projections: np.ndarray, bucket_size: int, reach: int, rng: np.random.Generator, width: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows ordered by projection, and for each row its bucket, at most `reach` rows to either side."""
    n = len(projections)
    shuffled = rng.permutation(n)  # equal projections in random order
    order = shuffled[np.argsort(projections[shuffled], kind="stable")]
    ordered = projections[order]
    if width is None:
        lower, upper = np.quantile(ordered, [0.1, 0.9])
        spread = upper - lower or ordered[-1] - ordered[0] or 1.0  # most projections may be equal
        width = spread / 0.8 * bucket_size / n
    buckets = np.floor((ordered + rng.uniform(0, width)) / width)
    first = np.searchsorted(buckets, buckets, side="left")
    last = np.searchsorted(buckets, buckets, side="right")
    position = np.arange(n)
    low, high = np.empty(n, np.int64), np.empty(n, np.int64)
    low[order] = np.maximum(first, position - reach)
    high[order] = np.minimum(last, position + reach + 1)
    return order, low, high

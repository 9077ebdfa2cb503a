"""k-means: that of scikit-learn is slow to import, and its sums depend on the order of threads."""

import numpy as np

N_STARTS = 10
MAX_ROUNDS = 300


def cluster_memberships(
    points: np.ndarray, n_clusters: int, rng: np.random.RandomState
) -> tuple[np.ndarray, float]:
    """V (rows, clusters), 1 / √size at the cluster of each row, and the error of the clusters."""
    labels, error = k_means(points, n_clusters, rng)
    is_member = labels[:, None] == np.unique(labels)
    return is_member / np.sqrt(is_member.sum(axis=0)), error


def k_means(points: np.ndarray, n_clusters: int, rng: np.random.RandomState) -> tuple[np.ndarray, float]:
    """The cluster of each row and the sum of squared distances to the centers, for the best start."""
    centered = points - points.mean(axis=0)
    n_clusters = min(n_clusters, len(np.unique(centered, axis=0)))
    starts = (_distant_rows(centered, n_clusters, rng) for _ in range(N_STARTS))
    return min((_settle(centered, centered[rows]) for rows in starts), key=lambda found: found[1])


def _distant_rows(points: np.ndarray, n_rows: int, rng: np.random.RandomState) -> list[int]:
    """Draw rows one by one, with probabilities by their squared distance from those drawn (k-means++)."""
    drawn = [int(rng.randint(len(points)))]
    distances = _squared_distances(points, points[drawn])[:, 0]
    while len(drawn) < n_rows:
        steps = np.cumsum(distances)
        drawn.append(int(np.searchsorted(steps[:-1], rng.random_sample() * steps[-1], side="right")))
        distances = np.minimum(distances, _squared_distances(points, points[drawn[-1:]])[:, 0])
    return drawn


def _settle(points: np.ndarray, centers: np.ndarray) -> tuple[np.ndarray, float]:
    """Assign rows to the nearest center and move centers to their means until nothing changes (Lloyd)."""
    labels = np.full(len(points), -1)
    for _ in range(MAX_ROUNDS):
        distances = _squared_distances(points, centers)
        before, labels = labels, distances.argmin(axis=1)
        if np.array_equal(labels, before):
            break
        is_member = labels == np.arange(len(centers))[:, None]
        sizes = is_member.sum(axis=1, keepdims=True)
        centers = np.where(sizes > 0, (is_member @ points) / np.maximum(sizes, 1), centers)
    return labels, float(np.take_along_axis(distances, labels[:, None], axis=1).sum())


def _squared_distances(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """(points, centers)"""
    lengths = (points**2).sum(axis=1)[:, None], (centers**2).sum(axis=1)
    return np.asarray(np.maximum(lengths[0] - 2 * (points @ centers.T) + lengths[1], 0.0))

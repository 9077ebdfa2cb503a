"""Tables of numbers, and what measures of numbers make of them."""

import numpy as np

import entropick as ep


def clusters(seed, n=40, d=6):
    """Numbers in two clouds, in different units, two columns correlated."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[: n // 2] += 2 * rng.normal(size=d)
    X[:, 1] += X[:, 0]
    return X * 10.0 ** rng.integers(-2, 3, d)


def labels(X, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    ranks = np.argsort(np.argsort(X[:, 0] / X[:, 0].std() + rng.normal(size=len(X))))
    return ranks * classes // len(X)


def scores(X, measure, y=None, **options):
    return ep.select(X, y, measure=measure, cut=1.0, **options).scores


def path(selector):
    return [(s.columns, s.score, s.runner_up, s.runner_up_score, s.ties) for s in selector.selection_.steps]

"""ILFS: columns by the probability that they are relevant, learned by a latent variable model."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.measures.base import FixedScores, NumberRanking
from entropick.measures.graphs.graph import product_path_scores
from entropick.table.table import Table

__all__ = ["ILFS"]

SETTLED = 1e-10  # the model has converged if its mean log-likelihood gains less


class ILFS(NumberRanking):
    """Infinite latent feature selection: columns by the learned probability that they are relevant.

    Each value becomes a token: how much nearer it is to the mean of its own class than to the nearest other
    one. Tokens are words and columns are documents of a latent semantic analysis (PLSA) with two topics,
    relevant and irrelevant. Expectation maximisation finds the share of each topic in a column; the token
    probabilities of the topics are fixed. The scores are those of Inf-FS on A(i, j) = P(relevant | i)
    P(relevant | j). A group of columns has the score of its best column.

    Parameters
    ----------
    n_tokens : int, default=6
        Number of different tokens.
    n_iterations : int, default=10
        Maximum number of expectation maximisation steps. With very many, good columns reach probability 1 and
        tie.

    References
    ----------
    Roffo, Melzi, Castellani and Vinciarelli (2017), Infinite latent feature selection: a probabilistic latent
    graph-based ranking approach.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ILFS
    >>> X, y = load_wine(return_X_y=True)
    >>> ILFS(n_features=3).fit(X, y).order_
    array([ 6, 12,  9])
    """

    needs = frozenset({Need.SUMS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_tokens": [Interval(Integral, 2, None, closed="left")],
        "n_iterations": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_tokens: int = 6, n_iterations: int = 10) -> None:
        self.n_tokens = n_tokens
        self.n_iterations = n_iterations

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        moments = table.sums.moments()
        if table.target.n_classes < 2:
            return FixedScores(np.zeros(table.n_columns))
        tokens = table.sums.count_tokens(moments.class_means, self.n_tokens)
        scores = product_path_scores(relevance_probabilities(tokens, self.n_iterations), "spectral")
        return FixedScores(table.units.best_of(scores))


def relevance_probabilities(tokens: np.ndarray, n_iterations: int) -> np.ndarray:
    """P(relevant | column) of a latent semantic analysis with two topics.

    P(token | topic) rises with the token for "relevant", falls for "irrelevant", and is not learned: else the
    topics could come to mean "near both classes or none". P(relevant | column) starts as the share of values
    nearer to their own class than to another.
    """
    n_tokens = tokens.shape[1]
    shares = tokens / tokens.sum(axis=1, keepdims=True)
    rising = np.arange(1.0, n_tokens + 1)
    words = np.stack([rising, rising[::-1]]) / rising.sum()  # P(token | topic)
    relevant = shares[:, (n_tokens + 1) // 2 :].sum(axis=1)
    topics = np.stack([relevant, 1 - relevant], axis=1)  # P(topic | column)
    likelihood = -np.inf
    for _ in range(n_iterations):
        expected = topics @ words  # P(token | column)
        before, likelihood = likelihood, float((shares * np.log(expected)).sum() / len(shares))  # mean log
        if likelihood - before < SETTLED:
            break
        topics = topics * (shares / expected @ words.T)
        topics /= topics.sum(axis=1, keepdims=True)
    return topics[:, 0]

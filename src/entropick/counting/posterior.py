"""Bayesian entropies: frequencies that expect every possible value α times beforehand.

With a domain of |Ω| values, p(x) = (α + N(x)) / (α|Ω| + n). Values of the domain that never occur all
have the same probability, so they enter as one term, and |Ω| only by its logarithm: a few hundred columns
have more joint levels than a float can count.
"""

from typing import Any

import numpy as np

from entropick._base.logarithms import exp2, log2, plogp, power_of_two_above

DOMAINS = {"dependent": 0.0, "independent": 1.0}  # share of the way from values that occur to all of them


def domain_share(domain: str | float) -> float:
    """A domain by name or number as that share."""
    return DOMAINS[domain] if isinstance(domain, str) else float(domain)


def log2_between(n_cells: Any, log2_all: Any, share: float) -> Any:
    """log2 of a number of possible cells between those that occur (0) and all combinations (1)."""
    return (1 - share) * log2(np.maximum(n_cells, 1)) + share * log2_all if 0 < share < 1 else log2_all


class Posterior:
    """The weights (α + N)·log2(α + N) as integers, and the way back from their sums to bits.

    Like `Surprisal`, the table is scaled so that sums over all cells fit 64 bits, and sums of integers do
    not depend on their order.

    Parameters
    ----------
    n_rows : number of rows counted
    alpha : how often each value is expected beforehand
    """

    def __init__(self, n_rows: int, alpha: float) -> None:
        self._n_rows = n_rows
        self._alpha = alpha
        weights = np.concatenate([[0.0], plogp(np.arange(1, n_rows + 1) + alpha)])
        largest = n_rows * (1 + alpha) * float(log2(max(n_rows + alpha, 2)))
        self._scale = 2.0 ** (60 - power_of_two_above(largest))
        self.phi = np.rint(weights * self._scale).astype(np.int64)

    def entropy(self, sums: np.ndarray, n_cells: np.ndarray, log2_domain: np.ndarray | None) -> np.ndarray:
        """Entropies in bits from sums of φ over the occupied cells.

        Parameters
        ----------
        sums : sums of `phi` over cells
        n_cells : how many cells are occupied
        log2_domain : log2 of the number of possible cells; None if only the occupied ones are possible
        """
        bits: np.ndarray = posterior_entropy(
            sums / self._scale, n_cells, log2_domain, self._alpha, self._n_rows
        )
        return bits


def posterior_entropy(weights: Any, n_cells: Any, log2_domain: Any, alpha: float, n_rows: int) -> Any:
    """Entropy in bits from Σ (α + N)·log2(α + N) over the occupied cells; see `Posterior.entropy`."""
    if alpha == 0:  # cells without rows have no weight
        return log2(n_rows) - weights / n_rows
    if log2_domain is None:
        total = alpha * n_cells + n_rows
        return log2(total) - weights / total
    log2_prior, log2_rows = log2_domain + log2(alpha), log2(n_rows)
    larger, smaller = np.maximum(log2_prior, log2_rows), np.minimum(log2_prior, log2_rows)
    log2_total = larger + log2(1.0 + exp2(smaller - larger))
    per_total = exp2(-log2_total)
    unseen = exp2(log2_prior - log2_total) - alpha * n_cells * per_total
    return log2_total - weights * per_total - unseen * log2(alpha)

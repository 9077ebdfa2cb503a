"""Many tests at once: q-values, which bound the share of false discoveries."""

import numpy as np

METHODS = ("bh", "by")


def q_values(p_values: np.ndarray, method: str = "bh") -> np.ndarray:
    """Smallest false discovery rate at which each hypothesis is rejected.

    Columns with a q-value of at most 0.05 contain 5 % false ones on average.

    Parameters
    ----------
    p_values : of all hypotheses; NaN for those that were not tested, which get NaN
    method : {"bh", "by"}, default="bh"
        Benjamini–Hochberg, for tests that are independent or go up and down together, or Benjamini–Yekutieli,
        for any tests, which is stricter by a factor of about ln m for m tests.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate. Benjamini and Yekutieli (2001), The
    control of the false discovery rate in multiple testing under dependency.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.q_values([0.01, 0.02, 0.03, 0.5])
    array([0.04, 0.04, 0.04, 0.5 ])
    """
    if method not in METHODS:
        raise ValueError(f"method must be 'bh' or 'by', got {method!r}.")
    p_values = np.asarray(p_values, dtype=np.float64)
    q_values = np.full(p_values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    if len(tested) and not ((p_values[tested] >= 0) & (p_values[tested] <= 1)).all():
        raise ValueError("p-values must be between 0 and 1.")
    n_tests = len(tested)
    ranks = np.arange(1, n_tests + 1)
    order = tested[np.argsort(p_values[tested], kind="stable")]
    factor = (1.0 / ranks).sum() if method == "by" else 1.0
    bounds = p_values[order] * (n_tests * factor) / ranks
    q_values[order] = np.minimum(np.minimum.accumulate(bounds[::-1])[::-1], 1.0)
    return q_values

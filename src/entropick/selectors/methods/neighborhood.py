"""Selectors that look at near rows."""

from entropick import measures
from entropick.selectors.method import MethodSelector


class SNEFS(MethodSelector, measure=measures.NeighborhoodEntropy, without=("per_subset", "every_row")):
    """Single-indexed neighborhood entropy: greedily the least mixed classes among near rows.

    Near rows are found once, on all columns; for each subset the nearest among them count. It finds
    columns that matter only together, costs little, and skips merely correlated columns.

    Examples
    --------
    >>> from entropick import SNEFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(SNEFS(n_features=4, random_state=0).fit(X, y).order_.tolist())  # A0, A1, B0, B1
    [0, 1, 2, 3]
    """


class NEFS(
    MethodSelector,
    measure=measures.NeighborhoodEntropy,
    fixed={"per_subset": True},
    without=("n_candidates", "every_row"),
    defaults={"index": "auto", "n_tables": 8},
):
    """Neighborhood entropy: greedily the least mixed classes among the nearest rows on each subset.

    Unlike `SNEFS` near rows are sought anew for each subset, among all rows. It is slower, and finds more
    where few of many columns matter.

    Examples
    --------
    >>> from entropick import NEFS
    >>> from entropick.datasets import make_nefs_figure1
    >>> X, y = make_nefs_figure1("corner", n_samples=400, random_state=0)
    >>> NEFS(n_features=1, index="exact", random_state=0).fit(X, y).n_features_
    1
    """

"""Selectors by the classes of near rows: NEFS, SNEFS and ReliefF."""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

from entropick import measures
from entropick._compat import Interval, StrOptions
from entropick.measures import Measure
from entropick.selectors.base import MethodSelector

SIZE_DOC = """\
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; None and "auto" select 10 (all where X has
        fewer): the method has no stop rule of its own.
    n_neighbors : int, default=4
        Rows in a neighbourhood, besides the one in its middle.
"""

HASHING_DOC = """\
    epsilon : float, default=15.0
        Approximation for which n_tables=None chooses the number of tables.
    bucket_size : int, default=25
        Rows a bucket should hold; its width is chosen from the data.
    scaling : {"range", "std", "rank"}, default="range"
        How numeric columns are scaled, so that units do not decide.
"""


class NeighborhoodSelector(MethodSelector):
    """Base of NEFS and SNEFS."""

    _shared_docs: ClassVar[dict[str, str]] = {
        **MethodSelector._shared_docs,
        "size": SIZE_DOC,
        "hashing": HASHING_DOC,
    }

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **MethodSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "index": [StrOptions({"lsh", "exact"})],
        "n_tables": [Interval(Integral, 1, None, closed="left"), None],
        "epsilon": [Interval(Real, 0, None, closed="neither")],
        "bucket_size": [Interval(Integral, 1, None, closed="left")],
        "scaling": measures.NeighborhoodEntropy._parameter_constraints["scaling"],
    }


@dataclass(eq=False, repr=False)
class SNEFS(NeighborhoodSelector):
    """Single-indexed neighborhood entropy: greedily the least mixed classes among near rows.

    Near rows are found once, on all columns; for each subset the nearest among them count. It finds
    columns that matter only together, costs little, and leaves out correlated columns without a cause.

    Parameters
    ----------
    %(size)s
    index : {"lsh", "exact"}, default="lsh"
        Near rows by locality-sensitive hashing, or exactly (all pairs of rows are compared once).
    n_candidates : int or None, default=None
        Near rows kept for each row; None keeps √(2n) of them, at least 4 n_neighbors and at most 100.
    n_tables : int or None, default=20
        Hash tables; None takes n^(1/(1+epsilon)) of them, the paper's number.
    %(hashing)s
    %(common)s

    %(attributes)s

    References
    ----------
    Mariello and Battiti (2018), Feature selection based on the neighborhood entropy.

    Examples
    --------
    >>> from entropick import SNEFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(SNEFS(n_features=4, random_state=0).fit(X, y).order_.tolist())  # A0, A1, B0, B1
    [0, 1, 2, 3]
    """

    _measure = measures.NeighborhoodEntropy
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **NeighborhoodSelector._parameter_constraints,
        "n_candidates": [Interval(Integral, 1, None, closed="left"), None],
    }

    _: KW_ONLY
    n_neighbors: int = 4
    index: str = "lsh"
    n_candidates: int | None = None
    n_tables: int | None = 20
    epsilon: float = 15.0
    bucket_size: int = 25
    scaling: str = "range"


@dataclass(eq=False, repr=False)
class NEFS(NeighborhoodSelector):
    """Neighborhood entropy: greedily the least mixed classes among the nearest rows on each subset.

    Unlike `SNEFS` near rows are sought anew for each subset, among all rows. It is slower, and finds more
    where few of many columns matter.

    Parameters
    ----------
    %(size)s
    index : {"auto", "lsh", "exact"}, default="auto"
        Near rows by locality-sensitive hashing, exactly, or exactly up to 10,000 rows.
    n_tables : int or None, default=8
        Hash tables; None takes n^(1/(1+epsilon)) of them, the paper's number.
    %(hashing)s
    %(common)s

    %(attributes)s

    References
    ----------
    Mariello and Battiti (2018), Feature selection based on the neighborhood entropy.

    Examples
    --------
    >>> from entropick import NEFS
    >>> from entropick.datasets import make_nefs_figure1
    >>> X, y = make_nefs_figure1("corner", n_samples=400, random_state=0)
    >>> NEFS(n_features=1, index="exact", random_state=0).fit(X, y).n_features_
    1
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **NeighborhoodSelector._parameter_constraints,
        "index": [StrOptions({"auto", "lsh", "exact"})],
    }

    _: KW_ONLY
    n_neighbors: int = 4
    index: str = "auto"
    n_tables: int | None = 8
    epsilon: float = 15.0
    bucket_size: int = 25
    scaling: str = "range"

    def _make_measure(self) -> Measure:
        return measures.NeighborhoodEntropy(
            n_neighbors=self.n_neighbors,
            index=self.index,
            per_subset=True,
            n_tables=self.n_tables,
            epsilon=self.epsilon,
            bucket_size=self.bucket_size,
            scaling=self.scaling,
        )


@dataclass(eq=False, repr=False)
class ReliefF(MethodSelector):
    """ReliefF: columns that differ between near rows of different classes more than within a class.

    Every row looks at its nearest rows of each class on all columns, scaled to a range of 1. Real targets
    use RReliefF. It sees interactions between columns, and does not look at redundancy.

    Parameters
    ----------
    n_features : int, float, "auto" or None, default=None
        Number of columns to select, or their share in (0, 1]; "auto" selects all with a weight above 0;
        None selects 10 (all where X has fewer).
    n_neighbors : int, default=10
        Nearest rows of each class to look at.
    n_iterations : int or None, default=None
        Random rows that look around; None for all rows, which leaves nothing to chance.
    %(common)s

    %(attributes)s

    References
    ----------
    Kononenko (1994), Estimating attributes: analysis and extensions of RELIEF.
    Robnik-Šikonja and Kononenko (2003), Theoretical and empirical analysis of ReliefF and RReliefF.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import ReliefF
    >>> X, y = load_wine(return_X_y=True)
    >>> ReliefF(n_features=3).fit(X, y).order_
    array([11,  6, 12])
    """

    _measure = measures.ReliefF
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **MethodSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_iterations": [Interval(Integral, 1, None, closed="left"), None],
    }

    _: KW_ONLY
    n_neighbors: int = 10
    n_iterations: int | None = None

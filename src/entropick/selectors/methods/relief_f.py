"""The selector ReliefF. Written by `make derived`, which overwrites changes.

The measure is in `entropick.measures.neighbors.relief`.
"""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, ClassVar

from entropick import measures, searches
from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.method import MethodSelector


class ReliefF(MethodSelector):
    """ReliefF: columns that differ between near rows of different classes more than within a class.

    Each row is compared with its k nearest rows of every class (L1 distance on all columns scaled to a range
    of 1). Misses of class c count with P(c) / (1 − P(own class)). A class with fewer than k other rows
    contributes all of them. Rows at the same distance share their weight, so the order of rows does not
    matter. Real targets use RReliefF: P(differs in f | differs in y) − P(differs in f | does not). It detects
    interactions between columns, and ignores redundancy.

    Parameters
    ----------
    n_features : int, float, str, Cut or None, default=None
        Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.
        "auto" keeps as many columns as predict unseen rows about as well as any number; None is 10 (all if X
        has fewer).
        Other rules by name: permutation, residual, threshold, mean_shift, fdr, gain, knockoffs.
    n_neighbors : int, default=10
        Number of nearest rows of each class.
    n_iterations : int or None, default=None
        Number of random rows whose neighbours are used; None for all rows, which is deterministic.
    power : {1, 2}, default=1
        Power of the differences of values; 2 in the NEFS paper. Near rows are those of the L1 distance either
        way.
    prior : {"others", "bare"}, default="others"
        Misses of class c count with P(c) / (1 − P(own class)), so that they weigh as much as the hits, or
        with P(c) alone, as in the NEFS paper.
    fixed_features : list of column names or indices, default=None
        Columns to keep from the start; others are scored given these. They count as selected.
    feature_groups : list of lists of column names or indices, or dict of such lists, default=None
        Columns that are selected together, such as those of a one-hot encoding. A group counts as
        one. Methods based on counts score its joint levels.
    missing : {"level", "error"}, default="level"
        "error" rejects missing values. "level" makes them a level of their own if levels are
        counted, else the mean of their column or the expected distance.
    target : {"auto", "class", "real"}, default="auto"
        Whether y holds classes or real values; "auto" treats numbers with a fraction, and whole
        numbers with many distinct values, as real.
    multioutput : {"joint", "sum"}, default="joint"
        What to do if y has several columns: use their joint values as classes, or sum
        scores over the columns of y. Cuts that use y, and MDLP binning, use them jointly.
    random_state : int, RandomState instance or None, default=None
        Seed of the random numbers. Parts that draw get independent streams.
    n_jobs : int or None, default=None
        Number of threads; -1 for all processors. It never changes the result.
    progress : None, bool or callable, default=None
        True shows a line on stderr; a callable receives each step, the number of steps so far and the
        expected number (or None); searches over subsets show their rounds.

    Attributes
    ----------
    order_ : ndarray of int
        Selected columns, first pick first.
    support_ : ndarray of bool of shape (n_features_in_,)
        True for selected columns.
    ranking_ : ndarray of int of shape (n_features_in_,)
        Rank per column, 1 = best; columns the search did not reach share the next rank.
    scores_ : ndarray of shape (n_features_in_,)
        Score of each column. Methods that score columns given those already picked give the score at the
        pick, and NaN to columns that were never picked.
    selection_ : Selection
        The full record: every step with score, runner-up, ties and time, and the encoding.
    n_features_ : int
        Number of selected columns.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Names of these columns, if X has names.

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

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
            StrOptions({"auto"}),
            None,
            StrOptions({"fdr", "gain", "knockoffs", "mean_shift", "permutation", "residual", "threshold"}),
            Cut,
        ],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_iterations": [Interval(Integral, 1, None, closed="left"), None],
        "power": [Interval(Integral, 1, 2, closed="both")],
        "prior": [StrOptions({"bare", "others"})],
        "fixed_features": ["array-like", None],
        "feature_groups": ["array-like", dict, None],
        "missing": [StrOptions({"error", "level"})],
        "target": [StrOptions({"auto", "class", "real"})],
        "multioutput": [StrOptions({"joint", "sum"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
    }

    def __init__(
        self,
        n_features: float | str | Cut | None = None,
        *,
        n_neighbors: int = 10,
        n_iterations: int | None = None,
        power: int = 1,
        prior: str = "others",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None:
        self.n_features = n_features
        self.n_neighbors = n_neighbors
        self.n_iterations = n_iterations
        self.power = power
        self.prior = prior
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups
        self.missing = missing
        self.target = target
        self.multioutput = multioutput
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def _make_measure(self) -> Measure:
        return measures.ReliefF(
            n_neighbors=self.n_neighbors,
            n_iterations=self.n_iterations,
            power=self.power,
            prior=self.prior,
        )

    def _make_search(self) -> Search[Any]:
        return searches.Ranking()

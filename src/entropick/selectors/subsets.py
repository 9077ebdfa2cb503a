"""Selectors that search whole subsets: the Bayesian front, the cross-entropy method, the swarm."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from entropick import cuts, measures, registry, searches
from entropick.counting import Partition, Surprisal
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.records import Selection
from entropick.searches import Search
from entropick.selectors.base import BaseSelector, MethodSelector
from entropick.table import Table
from entropick.ties import TOLERANCE
from entropick.workers import Workers

ENDING_DOC = """\
    max_time : float or None, default=None
        Seconds after which the search ends with the best so far (`selection_.complete` is then False).
    on_interrupt : {"raise", "keep"}, default="raise"
        Whether Ctrl-C ends the fit, or only the search, with the best so far.
"""

ESTIMATOR_DOC = """\
    cv : int, splitter, iterable of splits or "train", default=5
        How the estimator is scored; "train" fits and scores it on the same rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as in `sklearn.model_selection.cross_val_score`.
"""


def _same_as(search: type[Search], *names: str) -> dict[str, Any]:
    """The constraints of some parameters of a search."""
    return {name: search._parameter_constraints[name] for name in names}


@dataclass(eq=False, repr=False)
class SubsetSelector(MethodSelector):
    """Base of the selectors that search whole subsets."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **MethodSelector._parameter_constraints,
        **_same_as(searches.SetSearch, "max_time", "on_interrupt"),
    }
    _shared_docs: ClassVar[dict[str, str]] = {
        **BaseSelector._shared_docs,
        "ending": ENDING_DOC,
        "estimator": ESTIMATOR_DOC,
    }

    _search: ClassVar[type[Search]]

    n_features: Any = "auto"
    _: KW_ONLY
    max_time: float | None = None
    on_interrupt: str = "raise"

    def _make_search(self) -> Search:
        return self._made_of_own_parameters(self._search)

    def _learn(self, table: Table, selection: Selection, workers: Workers) -> None:
        super()._learn(table, selection, workers)
        assert selection.exploration is not None
        self.scores_ = selection.exploration.scores
        self.history_ = selection.exploration.history

    def _own_cut(self) -> Cut | None:
        """What n_features="auto" means; None for the search's own rule."""
        return None

    def _parts(self) -> tuple[Measure, Search, Cut]:
        measure, search = self._make_measure(), self._make_search()
        is_auto = isinstance(self.n_features, str) or self.n_features is None
        wanted = (self._own_cut() or "auto") if is_auto else self.n_features
        return measure, search, registry.resolve_cut(wanted, measure, search)


@dataclass(eq=False, repr=False)
class AnyMeasureSelector(SubsetSelector):
    """Base of those that make any set measure small, by default Shannon's H(y|S)."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SubsetSelector._parameter_constraints,
        "measure": [str, Measure, None],
    }

    _: KW_ONLY
    measure: Any = None

    def _make_measure(self) -> Measure:
        return registry.resolve_measure(measures.Renyi(alpha=1) if self.measure is None else self.measure)


@dataclass(eq=False, repr=False)
class BayesianEntropyFS(SubsetSelector):
    """Subsets that tell y well and whose values will come again: a front by NSGA-II.

    Two entropies are made small at once: H_B(y|S), what the columns S leave open about y, and H_B(S), which
    is large where their joint values are rare and so hardly come again. They are computed with Bayesian
    frequencies (α + count) / (α|Ω| + n). All subsets that no other beats in both are kept in `front_`; one
    is selected.

    Parameters
    ----------
    n_features : int, float or "auto", default="auto"
        "auto" selects one subset of the front: the best for `estimator`, or the knee. A number (or a share)
        selects so many columns, by how many subsets of the front have them.
    alpha : float, default=1.0
        How often each value is expected beforehand; 0 gives plain frequencies. In the independent domain
        larger ones give smaller subsets. The paper advises 0.1 to 1.
    domain : {"dependent", "independent"}, default="dependent"
        Which joint values are possible: those that occur (for many rows), or all combinations (for few).
    estimator : scikit-learn estimator or None, default=None
        Selects the subset of the front with the best score; None selects the knee.
    %(estimator)s
    n_evaluations : int or None, default=None
        Subsets to score; None for 1000 per column.
    population_size : int, default=100
        Subsets in a generation.
    %(ending)s
    %(common)s

    %(attributes)s
    front_ : Front
        All subsets that no other beats: `subsets`, `objectives` (H_B(y|S), H_B(S)), `normalized`, `sizes`,
        and `plot()`.

    References
    ----------
    Mei, Xue and Zhang (2016), Fast bi-objective feature selection using entropy measures and Bayesian
    inference.

    Examples
    --------
    >>> from entropick import BayesianEntropyFS
    >>> from entropick.datasets import make_led24
    >>> X, y = make_led24(random_state=0)
    >>> selector = BayesianEntropyFS(n_evaluations=4000, random_state=0).fit(X, y)
    >>> len(selector.front_) > 10
    True
    """

    _measure = measures.Bayesian
    _search = searches.NSGA2
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SubsetSelector._parameter_constraints,
        **measures.Bayesian._parameter_constraints,
        **_same_as(searches.NSGA2, "n_evaluations", "population_size"),
        **cuts.Front._parameter_constraints,
    }

    _: KW_ONLY
    alpha: float = 1.0
    domain: str = "dependent"
    estimator: Any = None
    cv: Any = 5
    scoring: Any = None
    n_evaluations: int | None = None
    population_size: int = 100

    def _own_cut(self) -> Cut:
        return cuts.Front(self.estimator, self.cv, self.scoring)

    def _learn(self, table: Table, selection: Selection, workers: Workers) -> None:
        super()._learn(table, selection, workers)
        assert selection.exploration is not None
        self.front_ = selection.exploration.front

    def plot(self, ax: Any = None) -> Any:
        """The front on matplotlib axes (extra ``plot``), the selected subset marked.

        Parameters
        ----------
        ax : axes to draw on; new ones by default

        Returns
        -------
        ax : the axes drawn on
        """
        at = np.flatnonzero((self.front_.subsets == self.get_support()).all(axis=1))
        return self.front_.plot(ax, int(at[0]) if len(at) else None)


@dataclass(eq=False, repr=False)
class CrossEntropyFS(AnyMeasureSelector):
    """The cross-entropy method: draw subsets, keep the best, draw the next ones like these.

    Each column has a probability, 0.5 at first. In each round subsets are drawn, and the probabilities move
    to the columns' shares among those with the smallest H(y|S). It finds the number of columns by itself:
    those with a probability of at least `zeta` are selected, and the probabilities rank all columns.

    Parameters
    ----------
    n_features : int, float or "auto", default="auto"
        "auto" selects by `zeta`, or by `estimator` where one is given. A number (or a share) selects the most
        probable columns.
    measure : str, Measure or None, default=None
        What is made small: a set measure by name or as an object; None for Shannon's H(y|S).
    zeta : float in (0, 1), default=0.9
        Probability a column must reach.
    estimator : scikit-learn estimator or None, default=None
        Chooses how many of the most probable columns are selected, by its cross-validated score.
    %(estimator)s
    sampling : {"static", "adaptive"}, default="static"
        `n_samples` subsets in each round, or as many as needed to get better (FACE).
    n_samples : int, default=5000
        Subsets drawn in each round of static sampling.
    quantile : float in (0, 1), default=0.25
        Share of them that is the elite.
    smoothing : float in (0, 1], default=1.0
        Weight of the elite against the probabilities so far.
    parsimony : bool, default=True
        Whether of equally good subsets the smaller is better. Without it the search ends at once where a
        random half of the columns already determines y.
    end_share : float in (0, 1], default=0.95
        The search ends when this share of the subsets drawn is as good as the elite,
    tolerance : float, default=1e-9
        or when the elite got better by no more bits than this
    patience : int, default=10
        in so many rounds.
    max_rounds : int, default=1000
        The search ends after so many rounds in any case.
    %(ending)s
    %(common)s

    %(attributes)s
    probabilities_ : ndarray of shape (n_features_in_,)
        How often each column was drawn in the end; the same as `scores_`.
    history_ : tuple of Draw
        Every round: objective and size of the elite, the best subset, the probabilities.
    information_gap_ : float
        ΔI_r = |I(S;y) − H(y)| / I(S;y) of the selected columns S; 0 where they determine y.

    References
    ----------
    Cassarà and Rozza, A novel mutual information-based feature selection algorithm.

    Examples
    --------
    >>> from entropick import CrossEntropyFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(CrossEntropyFS(n_samples=200, random_state=0).fit(X, y).order_.tolist())
    [0, 1, 2, 3]
    """

    _search = searches.CrossEntropy
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **AnyMeasureSelector._parameter_constraints,
        **cuts.Front._parameter_constraints,
        **cuts.Probability._parameter_constraints,
        **searches.CrossEntropy._parameter_constraints,
    }

    _: KW_ONLY
    zeta: float = 0.9
    estimator: BaseEstimator | None = None
    cv: Any = 5
    scoring: Any = None
    sampling: str = "static"
    n_samples: int = 5000
    quantile: float = 0.25
    smoothing: float = 1.0
    parsimony: bool = True
    end_share: float = 0.95
    tolerance: float = 1e-9
    patience: int = 10
    max_rounds: int = 1000

    def _own_cut(self) -> Cut:
        if self.estimator is not None:
            return cuts.BestSize(self.estimator, self.cv, self.scoring)
        return cuts.Probability(self.zeta)

    def _learn(self, table: Table, selection: Selection, workers: Workers) -> None:
        super()._learn(table, selection, workers)
        self.probabilities_ = self.scores_
        partition = Partition(table, Surprisal(table.n_rows), workers)
        whole = partition.entropy(1)
        for column in selection.order:
            partition.refine(int(column))
        left = max(0.0, partition.entropy(1))
        gain = whole - left
        self.information_gap_ = 0.0 if left <= TOLERANCE else left / gain if gain > 0 else float("inf")


@dataclass(eq=False, repr=False)
class SwarmFS(AnyMeasureSelector):
    """Binary particle swarm over subsets, by any set measure.

    Particles draw subsets by velocities, which are pulled to their own best subset and to the best of all.
    With `CrossValidated` as the measure it is a wrapper around any estimator.

    Parameters
    ----------
    n_features : int, float or "auto", default="auto"
        "auto" selects the best subset. A number (or a share) selects so many columns, by how many particles
        have them in their best subset.
    measure : str, Measure or None, default=None
        What is made small: a set measure by name or as an object; None for Shannon's H(y|S).
    n_particles : int, default=30
        Subsets in each round.
    n_rounds : int, default=100
        Rounds.
    inertia : float in [0, 1], default=0.7298
        Weight of the velocity before.
    own_pull : float, default=1.49618
        Largest pull of the particle's own best subset.
    common_pull : float, default=1.49618
        Largest pull of the best subset of all.
    max_velocity : float, default=6.0
        Bound of the velocities.
    %(ending)s
    %(common)s

    %(attributes)s
    history_ : tuple of Generation
        Every round with the best subset so far.

    References
    ----------
    Kennedy and Eberhart (1997), A discrete binary version of the particle swarm algorithm.

    Examples
    --------
    >>> from entropick import SwarmFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(SwarmFS(random_state=0).fit(X, y).order_.tolist())
    [0, 1, 2, 3]
    """

    _search = searches.Swarm
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **AnyMeasureSelector._parameter_constraints,
        **searches.Swarm._parameter_constraints,
    }

    _: KW_ONLY
    n_particles: int = 30
    n_rounds: int = 100
    inertia: float = 0.7298
    own_pull: float = 1.49618
    common_pull: float = 1.49618
    max_velocity: float = 6.0

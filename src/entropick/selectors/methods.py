"""One selector per known method, most of them derived from a measure of the same name."""

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from entropick import cuts, measures, registry, searches
from entropick._compat import StrOptions
from entropick.cuts import Cut
from entropick.exceptions import CombinationError, warn_user
from entropick.measures import Measure
from entropick.measures.explanation import ColumnExplanation, Explanation
from entropick.records import Selection
from entropick.selectors.columns import column_indices
from entropick.selectors.method import MethodSelector
from entropick.selectors.parameters import Parameter, parameters_of
from entropick.ties import TOLERANCE

MAX_RISK = dataclasses.replace(
    parameters_of(cuts.Residual)["max_risk"],
    doc="max_risk : float in [0, 1) or None, default=None\n"
    "    Stop when the best rule on the joint levels of the selected columns gets at most this share of the\n"
    "    rows wrong, or no column helps any more; `n_features` is then left out. On other rows the share is\n"
    "    higher, see `held_out_risk`.",
)


class RenyiFS(MethodSelector, measure=measures.Renyi, parameters=[MAX_RISK]):
    """Forward selection by Rényi's conditional entropy: greedily the smallest H_α(y | S, f).

    The selected columns S are taken jointly. With α = ∞, min-entropy, each pick is the one that lowers
    the Bayes risk most: 2^(−H) is the accuracy of the best classifier on the joint levels of S. With
    α = 1 it is Shannon's entropy. Ties are broken by I(f;y|S). Once y is determined, further columns come
    by I(f;y).

    Examples
    --------
    >>> from entropick import RenyiFS
    >>> from entropick.datasets import make_renyi_figure1
    >>> X, y = make_renyi_figure1()
    >>> selector = RenyiFS(n_features="residual").fit(X, y)
    >>> selector.order_, selector.bayes_risk_
    (array([1, 2, 3, 4, 5]), 0.0)
    """

    alpha: float
    max_risk: float | None

    def _make_measure(self) -> Measure:
        if self.max_risk is not None and self.n_features not in (None, "auto"):
            raise CombinationError(
                f"n_features={self.n_features!r} and max_risk={self.max_risk} both say when to stop. Hint: "
                "give one of them."
            )
        return super()._make_measure()

    def _own_cut(self) -> Cut | None:
        return None if self.max_risk is None else cuts.Residual(max_risk=self.max_risk)

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        _warn_of_blind_picks(selection)


class XMIFS(MethodSelector, measure=measures.Renyi, fixed={"alpha": 1.0}, defaults={"n_bins": 2}):
    """Exact mutual information: greedily the largest I(S, f; y), on columns cut in two.

    The selected columns S are taken jointly. It is `RenyiFS` with Shannon's entropy (alpha=1) and, as
    in the paper, numeric columns of two levels; another `n_bins` may be asked for.

    References
    ----------
    Brunato and Battiti (2016), X-MIFS: Exact mutual information for feature selection.

    Examples
    --------
    >>> from entropick import XMIFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> XMIFS(n_features=2).fit(X, y).order_  # column 5 is strongly correlated with y, no cause of it
    array([5, 0])
    """

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        _warn_of_blind_picks(selection)


def _warn_of_blind_picks(selection: Selection) -> None:
    """Say so where no column adds anything and the lowest index was taken."""
    if selection.target is None or selection.target.n_levels < 2:
        return
    blind = [step for step in selection.kept if step.score <= TOLERANCE and step.n_ties and step.residual]
    if blind:
        warn_user(
            f"{len(blind)} of {selection.n_kept} picks (first {selection.names[blind[0].column]!r}) do "
            "not lower the entropy of y: they were chosen among columns that tie, by I(f;y|S) and then by "
            "the lowest index. Hint: min-entropy sees only what changes the most likely class; alpha=1 sees "
            "more."
        )


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


CUT_OF_INFFS = Parameter(
    "cut",
    "str | None",
    None,
    [StrOptions({"mean_shift", "histogram"}), None],
    'cut : {"mean_shift", "histogram"} or None, default=None\n'
    '    What n_features="auto" means: the columns whose scores cluster with the top one, or as many as a\n'
    "    histogram of the scores has high bars, which is what the authors' program does and explains the\n"
    '    sizes in the paper. None is "histogram" for variant="released" and "mean_shift" else.',
)


class InfFS(MethodSelector, measure=measures.InfFS, parameters=[CUT_OF_INFFS]):
    variant: str
    cut: str | None

    def _own_cut(self) -> Cut | None:
        name = self.cut or ("histogram" if self.variant == "released" else None)
        return None if name is None else registry.CUTS[name]()

    def explain(self, column: str | int) -> ColumnExplanation:
        """What the score of a column is made of.

        Parameters
        ----------
        column : name or index of a column

        Returns
        -------
        explanation : the share of each term of the graph in the score and, for selected columns (the first
            1,000 of them), the partners that most of it comes by; printed, it is a small table
        """
        check_is_fitted(self)
        names = self.selection_.names
        (j,) = column_indices([column], names, "column")
        explanation: Explanation = self.explanation_
        return explanation.of_column(j, names, self.selection_.scores[j])


class MCFS(MethodSelector, measure=measures.MCFS, without=("n_coefs",)):
    """Multi-cluster feature selection: columns that explain the clusters of near rows together.

    The first eigenvectors of the graph of near rows show its clusters. Each is regressed on few columns by
    least angle regression; a column scores its largest absolute coefficient. The number of columns in each
    regression is `n_features`, as in the paper (10 where a rule says how many).
    """

    def _make_measure(self) -> Measure:
        n_coefs = None if isinstance(self.n_features, str) else self.n_features
        return super()._make_measure().set_params(n_coefs=n_coefs)


class DGUFS(MethodSelector, measure=measures.DGUFS, without=("n_kept",)):
    """Dependence-guided selection: few columns and clusters of rows that depend on each other most.

    With L_ij = 1 for rows in the same cluster and 0 else, (1 − beta) times the mean of x_fᵀ L x_f / n² over
    the columns kept is maximised, plus beta times the share of near rows in the same cluster, above chance.
    Given the clusters the best columns are those of the largest x_fᵀ L x_f / n², which is the score. Given
    the columns the clusters are made better until nothing changes. Both are repeated. As many columns are
    kept as `n_features` says, as in the paper (10 where a rule says how many).
    """

    def _make_measure(self) -> Measure:
        n_kept = None if isinstance(self.n_features, str) else self.n_features
        return super()._make_measure().set_params(n_kept=n_kept)


class FCBF(MethodSelector, measure=measures.FCBF, cuts=(cuts.Threshold,), without=("value",)):
    def _own_cut(self) -> Cut:
        return cuts.Threshold()


class NHTP(MethodSelector, measure=measures.NHTP, without=("n_nonzero",)):
    """Newton hard thresholding pursuit: the logistic model with the best fit of so many columns.

    Minimises the logistic loss on standardised columns with at most s weights that are not 0. In each round
    the s columns of the largest |w − η ∇f(w)| are taken, and a Newton step is made on them. The score is
    |w_f|. s is `n_features`, as in the paper, and a fifth of the rows where a rule says how many. With more
    than two classes each is set against all others, and a column scores its largest weight. Constant columns
    and copies of earlier ones score 0.
    """

    def _make_measure(self) -> Measure:
        n_nonzero = None if isinstance(self.n_features, str) else self.n_features or 10
        return super()._make_measure().set_params(n_nonzero=n_nonzero)


class BayesianEntropyFS(MethodSelector, measure=measures.Bayesian, search=searches.NSGA2, cuts=(cuts.Front,)):
    """Subsets that determine y and whose values recur: a Pareto front by NSGA-II.

    Two entropies are minimised at once: H_B(y|S), what the columns S leave open about y, and H_B(S), which
    is large where their joint values are rare and so hardly come again. They are computed with Bayesian
    frequencies (α + count) / (α|Ω| + n). All subsets that no other beats in both are kept in `front_`; one
    is selected.

    Examples
    --------
    >>> from entropick import BayesianEntropyFS
    >>> from entropick.datasets import make_led24
    >>> X, y = make_led24(random_state=0)
    >>> selector = BayesianEntropyFS(n_evaluations=4000, random_state=0).fit(X, y)
    >>> len(selector.front_) > 10
    True
    """

    def _own_cut(self) -> Cut:
        return self._make(cuts.Front)

    def plot(self, ax: Any = None) -> Any:
        """The front on matplotlib axes (extra ``plot``), the selected subset marked.

        Parameters
        ----------
        ax : axes to draw on; new ones by default

        Returns
        -------
        ax : the axes drawn on
        """
        at = np.flatnonzero((self.front_.subsets == self.support_).all(axis=1))
        return self.front_.plot(ax, int(at[0]) if len(at) else None)


class CFSSubset(MethodSelector, measure=measures.CFSSubset, search=searches.BestFirst):
    """Hall's correlation-based subset: columns that tell about y and not about each other, best first.

    The merit of a subset is Σ SU(f,y) / √(k + 2 Σ SU(f,g)) over its k columns f and pairs f, g, SU being
    symmetrical uncertainty, 2 I(a;b) / (H(a) + H(b)). A best-first search finds a subset of large merit.
    Columns are ranked by SU(f,y).

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import CFSSubset
    >>> X, y = load_wine(return_X_y=True)
    >>> CFSSubset(binning="mdlp").fit(X, y).order_
    array([ 6, 11,  9, 12,  0, 10,  5,  4])
    """


class CrossEntropyFS(
    MethodSelector,
    search=searches.CrossEntropy,
    cuts=(cuts.Probability, cuts.BestSize),
    without=("max_size",),
):
    """The cross-entropy method: draw subsets, keep the best, draw the next ones like these.

    Each column has a probability, 0.5 at first. In each round subsets are drawn, and the probabilities move
    to the columns' shares among those with the smallest H(y|S). It finds the number of columns by itself:
    those with a probability of at least `zeta` are selected, and the probabilities rank all columns.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_features_in_,)
        How often each column was drawn in the end; the same as `scores_`.
    information_gap_ : float
        ΔI_r = |I(S;y) − H(y)| / I(S;y) of the selected columns S, for Shannon's H(y|S); 0 where they
        determine y.

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

    estimator: Any

    def _own_cut(self) -> Cut:
        return self._make(cuts.Probability if self.estimator is None else cuts.BestSize)

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        self.probabilities_ = self.scores_
        if "class_entropy" in selection.learned:
            left, whole = selection.learned["residual_entropy"], selection.learned["class_entropy"]
            gain = whole - left
            self.information_gap_ = 0.0 if left <= TOLERANCE else left / gain if gain > 0 else float("inf")


class SwarmFS(MethodSelector, search=searches.Swarm):
    """Binary particle swarm over subsets, by any set measure.

    Particles draw subsets by velocities, which are pulled to their own best subset and to the best of all.
    With `CrossValidated` as the measure it is a wrapper around any estimator.

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


def _derived(measure: type[Measure]) -> type[MethodSelector]:
    """The selector of a measure that needs no word beyond what the measure says."""
    made = type(measure.__name__, (MethodSelector,), {"__module__": __name__}, measure=measure)
    return made


WRITTEN = (
    RenyiFS, XMIFS, SNEFS, NEFS, InfFS, MCFS, DGUFS, FCBF, NHTP, BayesianEntropyFS, CFSSubset,
    CrossEntropyFS, SwarmFS,
)  # fmt: skip
_SERVED = {selector._measure for selector in WRITTEN}
_DERIVED = {
    measure.__name__: measure
    for measure in registry.MEASURES.values()
    if measure not in _SERVED and measure.kinds & {"ranking", "step"}
}

__all__ = [*_DERIVED, *(selector.__name__ for selector in WRITTEN)]


def __getattr__(name: str) -> Any:
    """Make a derived selector when it is first asked for: all of them would take a while."""
    if name not in _DERIVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made = _derived(_DERIVED[name])
    return made


class _Methods(Mapping[str, type[MethodSelector]]):
    """All methods by the name of their class: derived ones in the order of measures, then those above."""

    def __getitem__(self, name: str) -> type[MethodSelector]:
        if name not in __all__:
            raise KeyError(name)
        return getattr(sys.modules[__name__], name)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(__all__)

    def __len__(self) -> int:
        return len(__all__)


METHODS = _Methods()

"""The methods that get a selector: those declared here, and one for every other measure of columns.

`make derived` writes a class for each, see `tools/selector_classes.py`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from entropick import cuts, measures, registry, searches
from entropick._base.compat import StrOptions
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.method import MethodSelector, WeightedMethod
from entropick.selectors.special import (
    DrawingMethod,
    ExplainedMethod,
    FrontMethod,
    JointMethod,
    RiskMethod,
)
from entropick.selectors.weights import can_weigh
from tools.parameters import Parameter, parameters_of


@dataclass(frozen=True)
class Method:
    """A method and its parts, whose parameters are those of the selector.

    Attributes
    ----------
    name : name of the selector
    measure : its measure; None makes it a parameter: any set measure
    search : its search; None for the measure's default
    own_cuts : cuts of n_features="auto", whose parameters the selector gets; empty for the default cut
    base : base class; None for the default
    given : code of parameters of parts that the selector sets itself
    without : parameters of parts that keep their defaults
    defaults : defaults that differ from those of the parts
    parameters : parameters that none of the parts has
    doc : docstring; missing sections are those of the measure
    """

    name: str
    measure: type[Measure] | None
    search: type[Search] | None = None
    own_cuts: Sequence[type[Cut]] = ()
    base: type[MethodSelector] | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    without: Sequence[str] = ()
    defaults: Mapping[str, object] = field(default_factory=dict)
    parameters: Sequence[Parameter] = ()
    doc: str = ""

    @property
    def module(self) -> str:
        """Name of the module of its class: CFSSubset is in cfs_subset."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name).lower()

    @property
    def used_search(self) -> type[Search]:
        """The search, or the default one."""
        return self.search or registry.SEARCHES[(self.measure or Measure).default_search]

    @property
    def used_cuts(self) -> Sequence[type[Cut]]:
        """The cuts, or the default one."""
        return self.own_cuts or [registry.CUTS[self.used_search.default_cut or registry.PREDICTIVE]]

    @property
    def used_base(self) -> type[MethodSelector]:
        """The base class, or the default one."""
        usual = WeightedMethod if self.measure is None or can_weigh(self.measure) else MethodSelector
        return self.base or usual


DECLARED = (
    Method(
        "RenyiFS",
        measures.Renyi,
        base=RiskMethod,
        parameters=[
            replace(
                parameters_of(cuts.Residual)["max_risk"],
                doc="max_risk : float in [0, 1) or None, default=None\n"
                "    Stop when the best rule on the joint levels of the selected columns gets at most this "
                "share of the\n"
                "    rows wrong, or no column helps any more; leave out `n_features` then. On other rows "
                "the share is\n"
                "    higher, see `held_out_risk`.",
            )
        ],
        doc="""Forward selection by Rényi's conditional entropy: greedily the smallest H_α(y | S, f).

    The selected columns S are used jointly. With α = ∞, min-entropy, each step lowers the Bayes risk
    most: 2^(−H) is the accuracy of the best classifier on the joint levels of S. With α = 1 it is
    Shannon's entropy. Once S determines y, or no column adds anything, further columns are ordered by their
    smallest I(f;y|s) over the selected columns s.

    Examples
    --------
    >>> from entropick import RenyiFS
    >>> from entropick.datasets import make_renyi_figure1
    >>> X, y = make_renyi_figure1()
    >>> selector = RenyiFS(n_features="residual").fit(X, y)
    >>> selector.order_, selector.bayes_risk_
    (array([1, 2, 3, 4, 5]), 0.0)
    """,
    ),
    Method(
        "XMIFS",
        measures.Renyi,
        base=JointMethod,
        given={"alpha": "1.0"},
        without=["ties"],
        defaults={"n_bins": 2},
        doc="""Exact mutual information: greedily the largest I(S, f; y), on columns of two levels.

    The selected columns S are used jointly. It is `RenyiFS` with Shannon's entropy (alpha=1) and, as
    in the paper, numeric columns of two levels by default.

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
    """,
    ),
    Method(
        "SNEFS",
        measures.NeighborhoodEntropy,
        without=("per_subset",),
        doc="""Single-indexed neighborhood entropy: greedily the least mixed classes among near rows.

    Near rows are found once, on all columns; for each subset the nearest among them count. It finds
    columns that matter only together, costs little, and skips merely correlated columns.

    Examples
    --------
    >>> from entropick import SNEFS
    >>> from entropick.datasets import make_corral
    >>> X, y = make_corral()
    >>> sorted(SNEFS(n_features=4, random_state=0).fit(X, y).order_.tolist())  # A0, A1, B0, B1
    [0, 1, 2, 3]
    """,
    ),
    Method(
        "NEFS",
        measures.NeighborhoodEntropy,
        given={"per_subset": "True"},
        without=("n_candidates",),
        defaults={"index": "auto", "n_tables": 8},
        doc="""Neighborhood entropy: greedily the least mixed classes among the nearest rows on each subset.

    Unlike `SNEFS` it searches near rows again for each subset, among all rows. It is slower, and finds more
    if few of many columns matter.

    Examples
    --------
    >>> from entropick import NEFS
    >>> from entropick.datasets import make_nefs_figure1
    >>> X, y = make_nefs_figure1("corner", n_samples=400, random_state=0)
    >>> NEFS(n_features=1, index="exact", random_state=0).fit(X, y).n_features_
    1
    """,
    ),
    Method(
        "InfFS",
        measures.InfFS,
        base=ExplainedMethod,
        parameters=[
            Parameter(
                "cut",
                "str | Cut | None",
                None,
                [StrOptions({"mean_shift", "histogram"}), None, Cut],
                'cut : {"mean_shift", "histogram"}, Cut or None, default=None\n'
                '    What n_features="auto" means: the columns whose scores cluster with the top one, or as '
                "many as a\n"
                "    histogram of the scores has high bars, as in the authors' program, which explains the "
                "sizes in\n"
                '    the paper. None is "histogram" for variant="released" and "mean_shift" otherwise. Any '
                "object of\n"
                "    `entropick.cuts` is accepted as well.",
            )
        ],
    ),
    Method(
        "MCFS",
        measures.MCFS,
        given={"n_coefs": "self._given_size()"},
        doc="""Multi-cluster feature selection: columns that explain the clusters of near rows together.

    The first eigenvectors of the graph of near rows show its clusters. Each is regressed on few columns by
    least angle regression; a column scores its largest absolute coefficient. The number of columns in each
    regression is `n_features`, as in the paper (10 if that is a rule).
    """,
    ),
    Method(
        "DGUFS",
        measures.DGUFS,
        given={"n_kept": "self._given_size()"},
        doc="""Dependence-guided selection: few columns and clusters of rows that depend on each other most.

    Maximises (1 − beta) times the mean of x_fᵀ L x_f / n² over the columns kept, with L_ij = 1 for rows in
    the same cluster and 0 otherwise, plus beta times the share of near rows in the same cluster, above
    chance. Given the clusters, the best columns are those with the largest x_fᵀ L x_f / n², which is the
    score. Given the columns, the clusters are improved until nothing changes. Both steps are repeated. The
    number of columns kept is `n_features`, as in the paper (10 if that is a rule).
    """,
    ),
    Method("FCBF", measures.FCBF, own_cuts=[cuts.Threshold], without=["value"]),
    Method("CASMI", measures.CASMI, own_cuts=[cuts.Threshold], without=["value"]),
    Method("MarkovBlanket", measures.MarkovBlanket, own_cuts=[cuts.Threshold], without=["value"]),
    Method(
        "NHTP",
        measures.NHTP,
        given={"n_nonzero": "10 if self.n_features is None else self._given_size()"},
        doc="""Newton hard thresholding pursuit: the best-fitting logistic model of a given number of columns.

    Minimises the logistic loss on standardised columns with at most s weights that are not 0. Each round
    takes the s columns with the largest |w − η ∇f(w)| and makes a Newton step on them. The score is |w_f|.
    s is `n_features`, as in the paper, or a fifth of the rows if that is a rule. More than two classes are
    handled one-vs-rest, and a column scores its largest weight. Constant columns and copies of earlier ones
    score 0.
    """,
    ),
    Method(
        "BayesianEntropyFS",
        measures.Bayesian,
        search=searches.NSGA2,
        own_cuts=[cuts.Front],
        base=FrontMethod,
        doc="""Subsets that determine y and whose values recur: a Pareto front by NSGA-II.

    Minimises two entropies at once: H_B(y|S), what the columns S leave open about y, and H_B(S), which is
    large if their joint values are rare and so hardly recur. They are computed with Bayesian frequencies
    (α + count) / (α|Ω| + n). All subsets that no other subset beats in both are kept in `front_`; one is
    selected.

    Examples
    --------
    >>> from entropick import BayesianEntropyFS
    >>> from entropick.datasets import make_led24
    >>> X, y = make_led24(random_state=0)
    >>> selector = BayesianEntropyFS(n_evaluations=4000, random_state=0).fit(X, y)
    >>> len(selector.front_) > 10
    True
    """,
    ),
    Method(
        "CFSSubset",
        measures.CFSSubset,
        search=searches.BestFirst,
        doc="""Hall's correlation-based subset: columns correlated with y and not with each other, best first.

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
    """,
    ),
    Method(
        "CrossEntropyFS",
        None,
        search=searches.CrossEntropy,
        own_cuts=[cuts.Probability, cuts.BestSize],
        base=DrawingMethod,
        without=["max_size", "enough"],
        doc="""The cross-entropy method: draw subsets, keep the best, draw the next ones like these.

    Each column has a probability, 0.5 at first. In each round subsets are drawn, and the probabilities move
    to the columns' shares among those with the smallest H(y|S). It finds the number of columns on its own:
    those with a probability of at least `zeta` are selected, and the probabilities rank all columns.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_features_in_,)
        How often each column was drawn in the end; the same as `scores_`.
    information_gap_ : float
        ΔI_r = |I(S;y) − H(y)| / I(S;y) of the selected columns S, for Shannon's H(y|S); 0 if they
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
    """,
    ),
    Method(
        "SwarmFS",
        None,
        search=searches.Swarm,
        doc="""Binary particle swarm over subsets, by any set measure.

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
    """,
    ),
)


def all_methods() -> list[Method]:
    """A method for each measure of columns that is not declared, then the declared methods."""
    declared = {method.measure for method in DECLARED}
    others = [
        Method(measure.__name__, measure)
        for measure in registry.MEASURES.values()
        if measure not in declared and measure.kinds & {"ranking", "step"}
    ]
    return [*others, *DECLARED]

"""Selectors that take the selected columns jointly."""

import dataclasses

from entropick import cuts, measures
from entropick._base.ties import TOLERANCE
from entropick.cuts import Cut
from entropick.exceptions import CombinationError, Hint, Message, warn_user
from entropick.measures import Measure
from entropick.records.selection import Selection
from entropick.selectors.method import MethodSelector
from entropick.selectors.parameters import parameters_of

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
                f"n_features={self.n_features!r} and max_risk={self.max_risk} both set when to stop. Hint: "
                "pass only one of them."
            )
        return super()._make_measure()

    def _own_cut(self) -> Cut | None:
        return None if self.max_risk is None else cuts.Residual(max_risk=self.max_risk)

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        _warn_of_blind_picks(selection)


class XMIFS(MethodSelector, measure=measures.Renyi, fixed={"alpha": 1.0}, defaults={"n_bins": 2}):
    """Exact mutual information: greedily the largest I(S, f; y), on columns of two levels.

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
            Message(
                f"{len(blind)} of {selection.n_kept} picks (first {selection.names[blind[0].column]!r}) do "
                "not lower the entropy of y: they were chosen among tied columns, by I(f;y|S) and then by "
                "the lowest index. Hint: min-entropy sees only what changes the most likely class; ",
                Hint("alpha", 1, owner="RenyiFS"),
                " sees more.",
            )
        )

"""Bases of generated selectors that do more than select by their parts."""

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from entropick import cuts, registry
from entropick._base.ties import TOLERANCE
from entropick.cuts import Cut
from entropick.exceptions import CombinationError, Hint, Message, warn_user
from entropick.records.selection import Selection
from entropick.selectors.columns import column_index
from entropick.selectors.method import MethodSelector, WeightedMethod

if TYPE_CHECKING:
    from entropick.measures.graphs.explanation import ColumnExplanation, Explanation


class JointMethod(WeightedMethod):
    """Base of RenyiFS and XMIFS, which use the selected columns jointly."""

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        if selection.target is None or selection.target.n_levels < 2:
            return
        blind = [step for step in selection.kept if step.score <= TOLERANCE and step.n_ties and step.residual]
        if blind:
            warn_user(
                Message(
                    f"{len(blind)} of {selection.n_kept} picks (first {selection.names[blind[0].column]!r}) "
                    "do not lower the entropy of y: they were chosen among tied columns, by "
                    f"{'the lowest index' if getattr(self, 'ties', None) == 'index' else 'I(f;y|S)'}, or by "
                    "I(f;y|s) with single selected columns s. Hint: min-entropy sees only what changes the "
                    "most likely class; ",
                    Hint("alpha", 1, owner="RenyiFS"),
                    " sees more.",
                )
            )


class RiskMethod(JointMethod):
    """Base of RenyiFS, which may stop at a given risk."""

    max_risk: float | None

    def _own_cut(self) -> Cut | None:
        if self.max_risk is None:
            return None
        if self.n_features not in (None, "auto"):
            raise CombinationError(
                f"n_features={self.n_features!r} and max_risk={self.max_risk} both set when to stop. Hint: "
                "pass only one of them."
            )
        return cuts.Residual(max_risk=self.max_risk)


class FrontMethod(WeightedMethod):
    """Base of BayesianEntropyFS, which selects a subset of a Pareto front."""

    def plot(self, ax: Any = None) -> Any:
        """Plot the front with the selected subset marked (needs the extra ``plot``).

        Parameters
        ----------
        ax : matplotlib axes to draw on; new ones by default

        Returns
        -------
        ax : the matplotlib axes
        """
        at = np.flatnonzero((self.front_.subsets == self.support_).all(axis=1))
        return self.front_.plot(ax, int(at[0]) if len(at) else None)


class DrawingMethod(WeightedMethod):
    """Base of CrossEntropyFS, which learns how often to draw each column."""

    zeta: float
    strict: bool
    estimator: Any
    cv: Any
    scoring: Any

    def _own_cut(self) -> Cut:
        if self.estimator is None:
            return cuts.Probability(zeta=self.zeta, strict=self.strict)
        return cuts.BestSize(estimator=self.estimator, cv=self.cv, scoring=self.scoring)

    def _learn(self, selection: Selection) -> None:
        super()._learn(selection)
        self.probabilities_ = self.scores_
        if "class_entropy" in selection.learned:
            left, whole = selection.learned["residual_entropy"], selection.learned["class_entropy"]
            gain = whole - left
            self.information_gap_ = 0.0 if left <= TOLERANCE else left / gain if gain > 0 else float("inf")


class ExplainedMethod(MethodSelector):
    """Base of InfFS, which explains its scores and has two rules of its own."""

    variant: str
    cut: str | Cut | None
    explanation_: "Explanation"

    def _own_cut(self) -> Cut | None:
        if isinstance(self.cut, Cut):
            return registry.checked_copy(self.cut)
        name = self.cut or ("histogram" if self.variant == "released" else None)
        return None if name is None else registry.CUTS[name]()

    def explain(self, column: str | int) -> "ColumnExplanation":
        """Explain the score of a column.

        Parameters
        ----------
        column : name or index of a column

        Returns
        -------
        explanation : the share of each term of the graph in the score and, for the first 1,000 selected
            columns, the partners that contribute most; printed as a small table
        """
        check_is_fitted(self)
        names = self.selection_.names
        j = column_index(column, names, "column")
        return self.explanation_.of_column(j, names, self.selection_.scores[j])

"""Infinite feature selection, with what it can explain."""

from sklearn.utils.validation import check_is_fitted

from entropick import measures, registry
from entropick._base.compat import StrOptions
from entropick.cuts import Cut
from entropick.measures.graphs.explanation import ColumnExplanation, Explanation
from entropick.selectors.columns import column_indices
from entropick.selectors.method import MethodSelector
from entropick.selectors.parameters import Parameter

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


class InfFS(MethodSelector, measure=measures.InfFS, parameters=[CUT_OF_INFFS]):  # noqa: D101  # the measure has it
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

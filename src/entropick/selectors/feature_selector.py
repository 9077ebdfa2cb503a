"""One selector for any combination of parts, and its functional form."""

from typing import Any

from entropick import registry
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.records.selection import Selection
from entropick.searches import Search
from entropick.selectors.base import WeightedSelector
from entropick.selectors.docstrings import compose
from entropick.selectors.parameters import COMMON, N_FEATURES, Parameter, make_fields

_PARTS = (
    Parameter("measure", "str | Measure", "jmi", [str, Measure],
        'measure : str or Measure, default="jmi"\n'
        "    How good a column is: a name of `entropick.registry.MEASURES` or an object of\n"
        "    `entropick.measures`."),
    Parameter("search", "str | Search | None", None, [str, Search, None],
        "search : str, Search or None, default=None\n"
        "    How to walk the subsets: a name of `entropick.registry.SEARCHES`, such as \"forward\", or an\n"
        "    object of `entropick.searches`; None for the measure's usual search."),
    Parameter("cut", "float | str | Cut | None", None, [*N_FEATURES[:2], str, Cut, None],
        "cut : int, float, str, Cut or None, default=None\n"
        "    How many to keep: a number of columns, a share in (0, 1], \"auto\" for as many as serve\n"
        "    prediction (without y the measure's own rule), another name of\n"
        "    `entropick.registry.CUTS`, an object of `entropick.cuts`, or None for 10 (all where X has\n"
        "    fewer) or, for searches over subsets, their own rule."),
)  # fmt: skip


class FeatureSelector(WeightedSelector):
    """Select features by any measure, any search and any cut.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from entropick import FeatureSelector
    >>> X, y = load_wine(return_X_y=True)
    >>> FeatureSelector(measure="jmi", search="forward", cut=3).fit(X, y).order_
    array([ 6,  0, 12])
    """

    measure: Any
    search: Any
    cut: Any

    def _parts(self, has_target: bool = True) -> tuple[Measure, Search, Cut]:
        measure = registry.resolve_measure(self.measure)
        search = registry.resolve_search(self.search, measure)
        return measure, search, registry.resolve_cut(self.cut, measure, search, has_target)


_PARAMETERS = {parameter.name: parameter for parameter in _PARTS} | COMMON
make_fields(FeatureSelector, _PARAMETERS, n_positional=len(_PARTS))
FeatureSelector.__doc__ = compose(
    FeatureSelector.__doc__, None, [parameter.doc for parameter in _PARAMETERS.values()], {}, of_subsets=False
)


def select(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    measure: Any = "jmi",
    search: Any = None,
    cut: Any = None,
    fixed_features: Any = None,
    feature_groups: Any = None,
    n_bins: int | str = "auto",
    binning: str = "quantile",
    missing: str = "level",
    target: str = "auto",
    unlabelled: int | str | None = None,
    multioutput: str = "joint",
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Any = None,
) -> Selection:
    """Select informative columns of X: functional form of `FeatureSelector`, with the same parameters.

    X, y and sample_weight are those of its `fit`.

    Returns
    -------
    selection : Selection
        The full record of the selection.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.make_corral()
    >>> ep.select(X, y, measure="renyi", cut="residual").selected_names
    ['x5', 'x0', 'x1', 'x2', 'x3']
    """
    given = locals()
    selector = FeatureSelector(**{name: given[name] for name in _PARAMETERS})
    return selector.fit(X, y, sample_weight).selection_

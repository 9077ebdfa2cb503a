"""Selectors named after a method: parameters, constraints and documentation follow from their parts."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from sklearn.base import BaseEstimator

from entropick import measures, registry
from entropick._base.compat import StrOptions
from entropick.contracts import Need
from entropick.cuts import Cut
from entropick.measures import Measure
from entropick.searches import Search, SetSearch
from entropick.selectors.base import PartsSelector, WeightedSelector
from entropick.selectors.docstrings import compose
from entropick.selectors.parameters import COMMON, N_FEATURES, Parameter, make_fields, parameters_of
from entropick.selectors.weights import can_weigh

Part = TypeVar("Part", bound=BaseEstimator)

# Stop rules that n_features takes by name: those that watch a path and need no number.
RULES = ("permutation", "residual", "threshold", "mean_shift")

ANY_SET_MEASURE = Parameter(
    "measure",
    "str | Measure | None",
    None,
    [str, Measure, None],
    "measure : str, Measure or None, default=None\n"
    "    What is minimised: a set measure by name or as an object; None for Shannon's H(y|S).",
)


class MethodSelector(PartsSelector):
    """Base of the selectors named after a method.

    A subclass names its parts where it is declared and has their parameters::

        class XMIFS(MethodSelector, measure=measures.Renyi, fixed={"alpha": 1.0}, defaults={"n_bins": 2}): ...

    Parameters of the declaration
    -----------------------------
    measure : the measure; None makes it a parameter of the selector: any set measure
    search : the search; None for the measure's usual one
    cuts : what n_features="auto" means; the parameters of all are the selector's. None for the usual one
    fixed : parameters of parts that are not the user's to choose
    without : parameters of parts that keep their defaults
    defaults : other defaults than the parts'
    parameters : parameters of its own, which none of the parts has
    """

    _measure: ClassVar[type[Measure] | None]
    _search: ClassVar[type[Search] | None]
    _fixed: ClassVar[Mapping[str, Any]]

    n_features: Any
    measure: Any  # where the declaration names none

    def __init_subclass__(
        cls,
        *,
        measure: type[Measure] | None = None,
        search: type[Search] | None = None,
        cuts: Sequence[type[Cut]] = (),
        fixed: Mapping[str, Any] | None = None,
        without: Sequence[str] = (),
        defaults: Mapping[str, Any] | None = None,
        parameters: Sequence[Parameter] = (),
        **options: Any,
    ) -> None:
        declared = (measure, search, *cuts, fixed, *without, defaults, *parameters)
        is_method = not hasattr(cls, "_measure") or any(declared)
        if is_method and (measure is None or can_weigh(measure)):
            cls.fit = WeightedSelector.fit  # type: ignore[method-assign]
        super().__init_subclass__(**options)  # scikit-learn looks at the signature of `fit`
        if not is_method:
            return  # an ordinary subclass of a method: everything is inherited
        cls._measure, cls._search, cls._fixed = measure, search, dict(fixed or {})
        search = search or registry.SEARCHES[(measure or Measure).default_search]
        own_cuts = cuts or [registry.CUTS[search.default_cut or registry.PREDICTIVE]]
        cls._requires_target = measure is None or measure.needs_target
        parts = [part for part in (measure, search, *own_cuts) if part is not None]
        of_parts = {"measure": ANY_SET_MEASURE} if measure is None else {}
        for part in parts:
            if part is not own_cuts[0] or cuts:  # the usual cut is used with its defaults
                of_parts |= parameters_of(part)
        of_parts |= {parameter.name: parameter for parameter in parameters}
        of_subsets = issubclass(search, SetSearch)
        draws = any("random_state" in part._get_param_names() for part in parts)
        hidden = {*cls._fixed, *without, "random_state"}
        chosen = {name: made for name, made in of_parts.items() if name not in hidden}
        chosen |= {name: COMMON[name] for name in _common_names(measure, own_cuts, draws, of_subsets)}
        size = _size_parameter(own_cuts[0], measure, of_subsets)
        all_of_them = _with_defaults({size.name: size} | chosen, defaults or {})
        own = cls.__dict__.get("__doc__")  # a dataclass without one is given one
        make_fields(cls, all_of_them, n_positional=1)
        cls.__doc__ = compose(
            own,
            None if measure is None else measure.__doc__,
            [parameter.doc for parameter in all_of_them.values()],
            {} if measure is None else measure.learns,
            of_subsets,
        )

    def _parts(self, has_target: bool = True) -> tuple[Measure, Search, Cut]:
        measure = self._make_measure()
        search = registry.resolve_search(None if self._search is None else self._make(self._search), measure)
        wanted: Any = self.n_features
        if isinstance(wanted, bool):  # a whole number to Python and to scikit-learn
            raise TypeError(
                f"n_features must be a number of columns, a share, the name of a rule or None, got {wanted}."
            )
        own_cut = self._own_cut()
        has_rule = own_cut is not None or search.default_cut is not None
        if wanted == "auto" or (wanted is None and has_rule):
            wanted = own_cut or "auto"
        return measure, search, registry.resolve_cut(wanted, measure, search, has_target)

    def _make_measure(self) -> Measure:
        if self._measure is not None:
            return self._make(self._measure)
        return registry.resolve_measure(measures.Renyi(alpha=1) if self.measure is None else self.measure)

    def _make(self, part: type[Part]) -> Part:
        """A part with the selector's parameters of the same names; its seed is set at fit."""
        mine = set(self._get_param_names()) - {"random_state"}
        given = {name: getattr(self, name) for name in part._get_param_names() if name in mine}
        return part(**given, **{k: v for k, v in self._fixed.items() if k in part._get_param_names()})

    def _own_cut(self) -> Cut | None:
        """What n_features="auto" means; None for the usual cut of the parts."""
        return None


def _common_names(
    measure: type[Measure] | None, cuts: Sequence[type[Cut]], draws: bool, of_subsets: bool
) -> list[str]:
    """The shared parameters that are of use with some parts."""
    counts = measure is None or Need.COUNTS in measure.needs.union(*(cut.needs for cut in cuts))
    uses_target = measure is None or measure.uses_target or any(cut.uses_target for cut in cuts)
    useful = {
        "n_bins": counts or (measure is not None and measure.uses_target and measure.needs_classes),
        "binning": counts,
        "target": uses_target,
        "unlabelled": measure is not None and measure.semi_supervised,
        "multioutput": uses_target and not of_subsets,
        "random_state": draws,
    }
    return [name for name in COMMON if useful.get(name, True)]


def _size_parameter(cut: type[Cut], measure: type[Measure] | None, of_subsets: bool) -> Parameter:
    default = "auto" if of_subsets or (measure is not None and measure.keeps_by_rule) else None
    none = '"auto"' if of_subsets else "10 (all where X has fewer)"
    texts = '"auto"' if of_subsets else "str"
    doc = (
        f"n_features : int, float, {texts} or None, default={_shown(default)}\n"
        "    Number of columns to select, or their share in (0, 1].\n"
        f'    "auto" {cut.rule}; None is {none}.'
    )
    if of_subsets or measure is None:
        return Parameter("n_features", "float | str | None", default, N_FEATURES, doc)
    if not measure.needs_target:
        doc += f'\n    Without y, "auto" {registry.CUTS[measure.default_cut].rule}.'
    doc += f"\n    Other rules by name: {', '.join(RULES)}."
    return Parameter("n_features", "float | str | None", default, [*N_FEATURES, StrOptions(set(RULES))], doc)


def _with_defaults(parameters: dict[str, Parameter], defaults: Mapping[str, Any]) -> dict[str, Parameter]:
    changed = dict(parameters)
    for name, value in defaults.items():
        old = changed[name]
        doc = old.doc.replace(f"default={_shown(old.default)}", f"default={_shown(value)}", 1)
        changed[name] = dataclasses.replace(old, default=value, doc=doc)
    return changed


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)

"""Registry of all measures, searches and cuts by name.

A part is any class that `entropick.measures`, `searches` or `cuts` exports, except their bases; its name is
that of its class in snake case. Its module is imported when it is looked up.
"""

import re
from collections.abc import Mapping
from numbers import Integral, Real
from types import ModuleType
from typing import Any, TypeVar

from sklearn.base import BaseEstimator, clone

from entropick import cuts, measures, searches
from entropick._base.compat import validate_parameter_constraints
from entropick._base.lazy import LazyClasses
from entropick.exceptions import unknown_name

__all__ = ["CUTS", "MEASURES", "SEARCHES"]

Part = TypeVar("Part", bound=BaseEstimator)
BASES_OF_SEARCHES = (
    *("PathSearch", "RemovalSearch", "SetSearch"),
    *("best_step", "fixed_step", "open_columns"),
)


def _by_name(package: ModuleType, *bases: str) -> dict[str, str]:
    """The classes that a package exports, except its bases, by the names of the parts."""
    return {_snake(name): name for name in package.__all__ if name not in bases}


def _snake(name: str) -> str:
    """FisherScore is fisher_score; names in capitals, such as JMI, and InfFS stay one word."""
    words = re.findall(r"[A-Z][a-z0-9]+(?=[A-Z][a-z])|[A-Z][a-z0-9]+$|.+", name)
    return "_".join(words).lower()


#: Every measure by its name.
MEASURES: LazyClasses[measures.Measure] = LazyClasses(
    measures.__name__, _by_name(measures, *measures._HOMES["base"])
)
#: Every search by its name.
SEARCHES: LazyClasses[searches.Search[Any]] = LazyClasses(
    searches.__name__, _by_name(searches, *searches._HOMES["base"], *BASES_OF_SEARCHES)
)
#: Every cut by its name.
CUTS: LazyClasses[cuts.Cut] = LazyClasses(cuts.__name__, _by_name(cuts, *cuts._HOMES["base"]))
PREDICTIVE = "held_out"  # the cut that "auto" stands for
FROM_COUNTS = "gain"  # the one it stands for where rows are not in one place


def name_of(part: BaseEstimator) -> str:
    """The name of a part, or of its class if it is not registered."""
    name = _snake(type(part).__name__)
    is_known = any(name in known and known[name] is type(part) for known in (MEASURES, SEARCHES, CUTS))
    return name if is_known else type(part).__name__


def resolve_measure(measure: str | measures.Measure) -> measures.Measure:
    """A measure from its name, or a copy of the given one."""
    return _resolve("measure", measure, MEASURES, measures.Measure)


def resolve_search(
    search: str | searches.Search[Any] | None, measure: measures.Measure
) -> searches.Search[Any]:
    """A search from its name, a copy of the given one, or the measure's default."""
    return _resolve("search", search or measure.default_search, SEARCHES, searches.Search)


def resolve_cut(
    cut: float | str | cuts.Cut | None,
    measure: measures.Measure,
    search: searches.Search[Any],
    has_target: bool = True,
) -> cuts.Cut:
    """A cut from a number of columns, a share or a name, or a copy of the given one.

    "auto" is the default of a search over whole subsets, else the cut that helps prediction, or the default
    of the measure without a target.
    """
    if cut is None:
        cut = search.default_cut or "count"
    if isinstance(cut, bool):
        raise TypeError(f"The cut must be a number of columns, a share, a name or a Cut, got {cut}.")
    if isinstance(cut, Integral):
        return cuts.Count(int(cut))
    if isinstance(cut, Real):
        return cuts.Share(float(cut))
    if isinstance(cut, str) and cut.lower() == "auto":
        cut = search.default_cut or (PREDICTIVE if has_target else measure.default_cut)
    return _resolve("cut", cut, CUTS, cuts.Cut)


def _resolve(role: str, part: Any, known: Mapping[str, type[Part]], base: Any) -> Part:
    if isinstance(part, str):
        if part.lower() not in known:
            raise ValueError(unknown_name(role, part, known))
        made: Part = known[part.lower()]()
        return made  # defaults need no check
    if not isinstance(part, base):
        raise TypeError(
            f"The {role} must be a name or a {base.__name__}, got {part!r} of type "
            f"{type(part).__name__}. Hint: the names are {', '.join(known)}."
        )
    made = checked_copy(part)
    return made


def checked_copy(part: Part) -> Part:
    """Copy a part of the user, and check its parameters."""
    made: Part = clone(part)
    validate_parameter_constraints(
        made._parameter_constraints, made.get_params(deep=False), caller_name=type(made).__name__
    )
    return made

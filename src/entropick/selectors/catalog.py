"""The methods by name, for programs that take a method as a string."""

import inspect
from dataclasses import dataclass
from typing import Any, TypeVar

from entropick import registry
from entropick.exceptions import unknown_name
from entropick.measures import Measure
from entropick.searches import SetSearch
from entropick.selectors.base import BaseSelector
from entropick.selectors.method import MethodSelector
from entropick.selectors.methods import METHODS

Selector = TypeVar("Selector", bound=BaseSelector)


SUBSETS = "one small set, or a front of sets of all sizes, by searching whole subsets"
NO_TARGET = "tables without a target"
SUITS = {
    "pairs": "any table: categories, numbers, missing values",
    "joint": "few columns that determine the target together, all with levels",
    "neighbors": "numbers that matter only together, among noise",
    "linear": "numbers and linear models",
    "graphs": "few rows and thousands of numeric columns",
}  # by the family of the measure


@dataclass(frozen=True)
class MethodInfo:
    """What a method is made of.

    Attributes
    ----------
    name : name of the selector's class
    summary : one line
    suits : what tables and questions the methods of its family are for
    measure, search : names of its parts
    own_rule : name of the cut that n_features="auto" stands for; None if it has no rule of its own
    """

    name: str
    summary: str
    suits: str
    measure: str
    search: str
    own_rule: str | None


def method_named(name: str) -> type[MethodSelector]:
    """The selector with a name; case, "_", "-" and a final "FS" do not matter."""
    known = {_key(method): method for method in METHODS}
    if _key(name) not in known:
        raise ValueError(unknown_name("method", name, map(str.lower, METHODS)))
    return METHODS[known[_key(name)]]


def _key(name: str) -> str:
    return name.strip().lower().replace("_", "").replace("-", "").removesuffix("fs")


def set_known_params(selector: Selector, **options: Any) -> Selector:
    """Set the options that are parameters of the selector; ignore others."""
    known = selector._get_param_names()
    selector.set_params(**{name: value for name, value in options.items() if name in known})
    return selector


def finds_subsets(selector: MethodSelector) -> bool:
    """Whether a method searches over whole subsets instead of from column to column."""
    return isinstance(selector._parts()[1], SetSearch)


def describe(selector: MethodSelector) -> MethodInfo:
    """The parts of a method."""
    measure, search, cut = selector.set_params(n_features="auto")._parts()
    own_rule = registry.name_of(cut)
    return MethodInfo(
        type(selector).__name__,
        inspect.cleandoc(type(selector).__doc__ or "").split("\n", 1)[0].rstrip("."),
        _suits(measure, search),
        registry.name_of(measure),
        registry.name_of(search),
        None if own_rule == "count" else own_rule,
    )


def _suits(measure: Measure, search: object) -> str:
    """What a method is for, by the kind of its search and the family of its measure."""
    if isinstance(search, SetSearch):
        return SUBSETS
    family = type(measure).__module__.split(".")[2]
    return SUITS[family] if measure.uses_target and family in SUITS else NO_TARGET

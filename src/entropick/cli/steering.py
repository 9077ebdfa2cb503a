"""Options that set parameters of the methods: binning, correction and fixed columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from entropick._base.compat import validate_parameter_constraints
from entropick.cli.messages import OPTIONS
from entropick.exceptions import DataError
from entropick.selectors.catalog import method_named
from entropick.selectors.method import MethodSelector

Selector = TypeVar("Selector", bound=MethodSelector)
NO_CORRECTION = "none"
STEERED = ("correction", "n_bins", "binning")


@dataclass(frozen=True)
class Steering:
    """Parameters for the methods; None keeps the default of each method.

    Attributes
    ----------
    correction : correction of information; "none" for the plug-in estimate
    n_bins, binning : how numeric columns are binned
    fixed : columns to keep from the start
    """

    correction: str | None = None
    n_bins: int | str | None = None
    binning: str | None = None
    fixed: tuple[str, ...] = ()

    def apply(self, selector: Selector) -> Selector:
        """Set the parameters of a method; raises if it lacks one."""
        for name, value in self._given().items():
            if not _accepts(selector, name, value):
                raise _rejection(selector, name)
            selector.set_params(**{name: value})
        return self._fix(selector)

    def apply_to_all(self, methods: Sequence[str]) -> tuple[dict[str, MethodSelector], list[str]]:
        """Methods by name with the parameters that each accepts, and notes about those that lack one.

        Raises if none of them accepts an option.
        """
        kinds = dict.fromkeys(method_named(method) for method in methods)
        selectors: dict[str, MethodSelector] = {kind.__name__: kind() for kind in kinds}
        notes = []
        for name, value in self._given().items():
            others = []
            for method, selector in selectors.items():
                if _accepts(selector, name, value):
                    selector.set_params(**{name: value})
                else:
                    others.append(method)
            if len(others) == len(selectors):
                raise _rejection(selectors[others[0]], name)
            if others:
                are = "is" if len(others) == 1 else "are"
                notes.append(
                    f"{OPTIONS[name]} is not available for {' and '.join(others)}, which {are} compared "
                    "without it."
                )
        return {method: self._fix(selector) for method, selector in selectors.items()}, notes

    def _given(self) -> dict[str, Any]:
        """Parameters set by the user."""
        given = {name: getattr(self, name) for name in STEERED if getattr(self, name) is not None}
        return {name: None if value == NO_CORRECTION else value for name, value in given.items()}

    def _fix(self, selector: Selector) -> Selector:
        if self.fixed:
            selector.set_params(fixed_features=list(self.fixed))
        return selector


def _accepts(selector: MethodSelector, name: str, value: Any) -> bool:
    """Whether a method has a parameter that accepts the value."""
    if name not in selector._get_param_names():
        return False
    # only Shannon's entropy (order 1) has corrections, and no option sets the order
    if name == "correction" and value is not None and getattr(selector._parts()[0], "alpha", 1) != 1:
        return False
    constraints = {name: selector._parameter_constraints[name]}
    try:
        validate_parameter_constraints(constraints, {name: value}, type(selector).__name__)
    except ValueError:
        return False
    return True


def _rejection(selector: MethodSelector, name: str) -> DataError:
    method, option = type(selector).__name__, OPTIONS[name]
    if name == "correction" and _accepts(selector, name, "miller_madow"):
        return DataError(f"{option} of {method} must be 'miller_madow' or '{NO_CORRECTION}'.")
    return DataError(
        f"{option} is not available for {method}. Hint: leave it out, or use a "
        "method that counts levels, such as JMI."
    )

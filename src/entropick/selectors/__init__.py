"""scikit-learn estimators: one selector for any combination of parts, and one class per method."""

from typing import TYPE_CHECKING, Any

from entropick._base.lazy import attach
from entropick.selectors import methods
from entropick.selectors.methods import METHODS

_get, _, _names = attach(
    __name__,
    {
        "base": ["BaseSelector"],
        "feature_selector": ["FeatureSelector", "select"],
        "stability": ["StabilitySelector"],
    },
)
__all__ = ["METHODS", *_names, *METHODS]


def __getattr__(name: str) -> Any:
    return _get(name) if name in _names else getattr(methods, name)


if TYPE_CHECKING:
    from entropick.selectors.base import BaseSelector as BaseSelector
    from entropick.selectors.feature_selector import FeatureSelector as FeatureSelector, select as select
    from entropick.selectors.stability import StabilitySelector as StabilitySelector

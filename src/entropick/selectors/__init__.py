"""The scikit-learn face: one selector for any combination of parts, and one class per known method."""

from typing import Any

from entropick.selectors import methods
from entropick.selectors.base import BaseSelector
from entropick.selectors.feature_selector import FeatureSelector, select
from entropick.selectors.methods import METHODS
from entropick.selectors.stability import StabilitySelector

__all__ = ["METHODS", "BaseSelector", "FeatureSelector", "StabilitySelector", "select", *METHODS]


def __getattr__(name: str) -> Any:
    return getattr(methods, name)

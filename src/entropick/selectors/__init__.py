"""The scikit-learn face: one selector for any combination of parts, and one class per known method."""

from entropick.selectors.base import BaseSelector
from entropick.selectors.feature_selector import FeatureSelector, select
from entropick.selectors.methods import *  # noqa: F403
from entropick.selectors.methods import METHODS

__all__ = ["METHODS", "BaseSelector", "FeatureSelector", "select", *METHODS]

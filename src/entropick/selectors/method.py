"""Bases of the selectors of single methods.

The classes themselves are in `entropick.selectors.methods`, which `make derived` writes.
"""

from abc import abstractmethod
from typing import Any

from entropick import registry
from entropick.cuts import Count, Cut, Share
from entropick.cuts.count import DEFAULT
from entropick.measures import Measure
from entropick.searches import Search
from entropick.selectors.base import PartsSelector, WeightedSelector

# Cuts that n_features accepts by name: those that watch a path and need no number.
RULES = ("permutation", "residual", "threshold", "mean_shift", "fdr", "gain", "knockoffs")


class MethodSelector(PartsSelector):
    """Base of the selectors of methods: a measure, a search, and a cut given by `n_features`."""

    n_features: float | str | Cut | None

    @abstractmethod
    def _make_measure(self) -> Measure:
        """Make the measure with the selector's parameters; its seed is set in `fit`."""

    @abstractmethod
    def _make_search(self) -> Search[Any]:
        """Make the search, likewise."""

    def _own_cut(self) -> Cut | None:
        """What n_features="auto" means; None for the usual cut of the parts."""
        return None

    def _parts(self, has_target: bool = True) -> tuple[Measure, Search[Any], Cut]:
        measure, search, own_cut = self._make_measure(), self._make_search(), self._own_cut()
        wanted = self.n_features
        if isinstance(wanted, bool):  # which scikit-learn accepts as a whole number
            raise TypeError(
                f"n_features must be a number of columns, a share, the name of a rule or None, got {wanted}."
            )
        if own_cut is None or wanted not in (None, "auto"):
            own_cut = registry.resolve_cut(wanted, measure, search, has_target)
        return measure, search, own_cut

    def _given_size(self) -> float | None:
        """The requested number or share of columns, for measures that need it; None for a rule."""
        wanted = self.n_features
        if isinstance(wanted, Count):
            return wanted.n or DEFAULT
        if isinstance(wanted, Share):
            return wanted.share
        return None if isinstance(wanted, str | Cut) else wanted


class WeightedMethod(WeightedSelector, MethodSelector):
    """Base of the selectors of methods based on counts, which support weights of rows."""

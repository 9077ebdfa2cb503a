"""One selector per known method, most of them derived from a measure of the same name.

Each is made when it is first asked for: making all of them takes a while.
"""

import importlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from entropick import measures
from entropick.selectors.method import MethodSelector

WRITTEN = {  # selectors with a word of their own, and where they stand
    "RenyiFS": "joint",
    "XMIFS": "joint",
    "SNEFS": "neighborhood",
    "NEFS": "neighborhood",
    "InfFS": "inffs",
    "MCFS": "sized",
    "DGUFS": "sized",
    "FCBF": "uncertainty",
    "NHTP": "sized",
    "BayesianEntropyFS": "bayesian",
    "CFSSubset": "uncertainty",
    "CrossEntropyFS": "sampling",
    "SwarmFS": "sampling",
}
UNDER_OTHER_NAMES = {"Bayesian", "NeighborhoodEntropy", "Renyi"}  # measures of selectors above
OF_SUBSETS_ONLY = {
    "CrossValidated",
    "JointBalance",
    "PairwiseBalance",
    "RoughSet",
}  # no search is theirs alone
_NOT_DERIVED = {*measures.HOMES["base"], *WRITTEN, *UNDER_OTHER_NAMES, *OF_SUBSETS_ONLY}

__all__ = [*(name for name in measures.__all__ if name not in _NOT_DERIVED), *WRITTEN]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in WRITTEN:
        made = getattr(importlib.import_module(f"{__name__}.{WRITTEN[name]}"), name)
    else:
        made = _derived(getattr(measures, name))
    globals()[name] = made
    return made


def _derived(measure: type[measures.Measure]) -> type[MethodSelector]:
    """The selector of a measure that needs no word beyond what the measure says."""
    return type(measure.__name__, (MethodSelector,), {"__module__": __name__}, measure=measure)


class _Methods(Mapping[str, type[MethodSelector]]):
    """All methods by the name of their class: derived ones in the order of measures, then those above."""

    def __getitem__(self, name: str) -> type[MethodSelector]:
        if name not in __all__:
            raise KeyError(name)
        return getattr(sys.modules[__name__], name)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(__all__)

    def __len__(self) -> int:
        return len(__all__)


METHODS = _Methods()

"""All private names used from scikit-learn (unchanged from 1.6 to 1.9), and seeds as it takes them."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    Options,
    RealNotInt,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils._set_output import _get_output_config

__all__ = [
    "Estimator",
    "HasMethods",
    "Interval",
    "Options",
    "RealNotInt",
    "StrOptions",
    "drawn_seed",
    "fit_context",
    "output_container",
    "seeds_of_parts",
    "validate_parameter_constraints",
]

Method = TypeVar("Method", bound=Callable[..., Any])


class Estimator(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of everything with parameters; their names are read from the signature once."""

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        names: list[str] = super()._get_param_names()
        return names


def fit_context(*, prefer_skip_nested_validation: bool) -> Callable[[Method], Method]:
    """Validate the parameters of an estimator before a method runs; type checkers see the method itself."""
    decorate: Callable[[Method], Method] = _fit_context(
        prefer_skip_nested_validation=prefer_skip_nested_validation
    )
    return decorate


def output_container(estimator: object) -> str:
    """Container chosen by `set_output`: "default", "pandas" or "polars"."""
    container: str = _get_output_config("transform", estimator)["dense"]
    return container


def drawn_seed(random_state: Any) -> int:
    """A seed drawn from what scikit-learn calls `random_state`."""
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def seeds_of_parts(seed: int | np.integer[Any]) -> list[int]:
    """Independent seeds of a measure, a search and a cut."""
    return [int(stream.generate_state(1)[0]) for stream in np.random.SeedSequence(int(seed)).spawn(3)]

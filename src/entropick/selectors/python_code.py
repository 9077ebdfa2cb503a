"""Selectors as Python code."""

import inspect
import json
from typing import Any

from sklearn.base import BaseEstimator, clone

from entropick.selectors.catalog import finds_subsets
from entropick.selectors.method import MethodSelector

WITHOUT_EFFECT = {"n_jobs", "progress"}  # on the result
PARTS = {"measures", "searches", "cuts"}  # packages whose names are not those of the library itself


def selector_code(selector: BaseEstimator) -> str:
    """A call that makes a selector with the same results: its first parameter, then others by name."""
    parameters = inspect.signature(type(selector)).parameters
    given = {
        name: getattr(selector, name)
        for name, parameter in parameters.items()
        if name not in WITHOUT_EFFECT and repr(getattr(selector, name)) != repr(parameter.default)
    }
    first = next(iter(parameters), None)
    shown = [
        _value_code(value) if name == first else f"{name}={_value_code(value)}"
        for name, value in given.items()
    ]
    return f"{_class_code(type(selector))}({', '.join(shown)})"


def code_of_kept(selector: BaseEstimator, n_kept: int) -> str | None:
    """A call that makes a selector of the columns that another one kept, by their number; None without any.

    A rule such as "auto" is not the same where rows are in memory as where they are only counted.
    """
    if not n_kept:
        return None
    sized = first_columns(selector, n_kept) if isinstance(selector, MethodSelector) else None
    return selector_code(sized or selector)


def _value_code(value: Any) -> str:
    if isinstance(value, BaseEstimator):
        return selector_code(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _class_code(kind: type) -> str:
    package, _, rest = kind.__module__.partition(".")
    if package != "entropick":
        return kind.__name__
    part = rest.split(".")[0]
    return f"ep.{part}.{kind.__name__}" if part in PARTS else f"ep.{kind.__name__}"


def first_columns(selector: MethodSelector, n: int) -> MethodSelector | None:
    """A selector of the first n columns of another selector's path; None if there is no such selector.

    A search over subsets, or a measure that depends on the number of columns, may select other columns.
    """
    sized: MethodSelector = clone(selector).set_params(n_features=n)
    measure, search, _ = selector._parts()
    same_measure, same_search, _ = sized._parts()
    is_same = _settings(measure) == _settings(same_measure) and _settings(search) == _settings(same_search)
    if finds_subsets(selector) or not is_same:
        return None
    if not any("random_state" in part._get_param_names() for part in (measure, search)):
        seeded = {"random_state"} & set(sized._get_param_names())
        sized.set_params(**dict.fromkeys(seeded))  # only the cut drew random numbers
    return sized


def _settings(part: BaseEstimator) -> str:
    return repr(part.get_params(deep=False))

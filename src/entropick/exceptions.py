"""Errors and warnings of this library, all subclasses of built-in ones."""

import difflib
import sys
import warnings
from collections.abc import Iterable

__all__ = [
    "ClusterError",
    "ColumnTypeError",
    "ColumnWarning",
    "CombinationError",
    "DataError",
    "NothingFoundWarning",
    "SelectionWarning",
]


class DataError(ValueError):
    """The data cannot be used as they are; the message names the column and what to do."""


class ColumnTypeError(TypeError):
    """A column holds values that are neither numbers, categories, strings nor times."""


class CombinationError(ValueError):
    """The chosen measure, search and cut do not fit together."""


class ClusterError(RuntimeError):
    """The cluster cannot continue; the message says why, as far as known, and what to do."""


class SelectionWarning(UserWarning):
    """The selection succeeded, but its result deserves a second look."""


class ColumnWarning(SelectionWarning):
    """Some columns are hardly an answer: constants, identifiers, copies of a column or of the target."""


class NothingFoundWarning(SelectionWarning):
    """No column is kept, because none of them helps to predict held-out rows."""


def warn_user(message: str, category: type[Warning] = SelectionWarning) -> None:
    """Warn, and name the line of the caller outside of this library and scikit-learn."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in OWN_PACKAGES:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


OWN_PACKAGES = {"entropick", "sklearn", "joblib"}


def unknown_name(role: str, name: str, known: Iterable[str], listing: str | None = None) -> str:
    """A sentence for a name nobody knows, with the nearest ones; `listing` says where all names stand."""
    names = list(known)
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.4)
    guess = f"Did you mean {' or '.join(map(repr, near))}? " if near else ""
    listing = listing or f"The names are {', '.join(names)}"
    return f"There is no {role} named {name!r}. Hint: {guess}{listing}."

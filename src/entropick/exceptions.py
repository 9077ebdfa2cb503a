"""Errors and warnings of this library, all subclasses of built-in ones.

No code searches the text of a message. Callers react to data: the class of an error, and the `code`,
`column`, `row` and `value` of a `DataError`. What the program words differently from Python, such as
`--n-features 10` for `n_features=10`, is a `Hint` within a `Message`.
"""

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self, TypeVar

from entropick._base.wording import did_you_mean

__all__ = [
    "ClusterError",
    "ColumnTypeError",
    "ColumnWarning",
    "CombinationError",
    "DataError",
    "DatabaseError",
    "NothingFoundWarning",
    "SelectionWarning",
]

E = TypeVar("E", bound=Exception)


@dataclass(frozen=True)
class Hint:
    """A parameter that a message recommends.

    Attributes
    ----------
    parameter : its name in Python
    value : what to set it to; None if the message names no value
    owner : the class it belongs to, which the program names if it has no option for it
    """

    parameter: str
    value: object = None
    owner: str | None = None

    def __str__(self) -> str:
        """As written in Python: n_features=10."""
        return self.parameter if self.value is None else f"{self.parameter}={self.value!r}"


DROP_IT = Hint("drop it")  # drop a column; the program has an option for it


class Message(str):
    """A message that keeps its hints, so that the program can reword them.

    Attributes
    ----------
    parts : the text around the hints, and the hints
    """

    parts: tuple[str | Hint, ...]

    def __new__(cls, *parts: str | Hint) -> Self:
        message = super().__new__(cls, "".join(map(str, parts)))
        message.parts = tuple(
            inner for part in parts for inner in (part.parts if isinstance(part, Message) else (part,))
        )
        return message

    @classmethod
    def joined(cls, sentences: Iterable[str]) -> Self:
        """Join several messages."""
        return cls(*[part for sentence in sentences for part in (" ", sentence)][1:])


def message_of(error: BaseException | str) -> Message:
    """The message of an error or a warning, with its hints."""
    first = error.args[0] if isinstance(error, BaseException) and error.args else None
    return first if isinstance(first, Message) else Message(str(error))


def with_prefix(prefix: str, error: Exception, kind: type[E]) -> E:
    """An error of the given kind with the same data, whose message has a prefix."""
    made = kind(Message(prefix, message_of(error)))
    made.__dict__.update(error.__dict__)
    return made


class Code(StrEnum):
    """What is wrong with the data, for callers who react to it."""

    INFINITE_VALUE = "infinite_value"
    MISSING_VALUE = "missing_value"
    UNKNOWN_COLUMN = "unknown_column"


class DataError(ValueError):
    """The data cannot be used as they are; the message names the column and what to do.

    Attributes
    ----------
    code : "infinite_value", "missing_value", "unknown_column", or None for all other errors
    column, row, value : where it was found, as far as known
    """

    def __init__(
        self,
        *args: object,
        code: Code | None = None,
        column: Any = None,
        row: int | None = None,
        value: Any = None,
    ) -> None:
        super().__init__(*args)
        self.code = code
        self.column = column
        self.row = row
        self.value = value


class ColumnTypeError(TypeError):
    """A column holds values that are neither numbers, categories, strings nor times."""


class CombinationError(ValueError):
    """The chosen measure, search and cut do not fit together."""


class ClusterError(RuntimeError):
    """The cluster cannot continue; the message says why, as far as known, and what to do."""


class DatabaseError(RuntimeError):
    """The database cannot answer; the message says why, as far as known, and what to do."""


class SelectionWarning(UserWarning):
    """The selection succeeded, but its result deserves a second look."""


class ColumnWarning(SelectionWarning):
    """Some columns should hardly be selected: constants, identifiers, copies of a column or of the target."""


class NothingFoundWarning(SelectionWarning):
    """No column is kept, because none of them helps to predict held-out rows."""


def warn_user(message: str, category: type[Warning] = SelectionWarning) -> None:
    """Warn with the line of the caller outside this library and scikit-learn."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in OWN_PACKAGES:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


OWN_PACKAGES = {"entropick", "sklearn", "joblib", "contextlib", "numpy"}  # these call parts of this library


def unknown_name(role: str, name: str, known: Iterable[str], listing: str | None = None) -> str:
    """A message about an unknown name with the nearest known ones; `listing` says where to find all."""
    names = list(known)
    guess = did_you_mean(name, names, "")
    first = f"{guess[0].upper()}{guess[1:]} " if guess else ""
    listing = listing or f"The names are {', '.join(names)}"
    return f"There is no {role} named {name!r}. Hint: {first}{listing}."

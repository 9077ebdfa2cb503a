"""Errors and warnings of this library, on top of the builtin kinds users already catch."""


class DataError(ValueError):
    """The data cannot be used as they are; the message names the column and the way out."""


class ColumnTypeError(TypeError):
    """A column holds values that are neither numbers, categories, texts nor times."""


class CombinationError(ValueError):
    """The chosen measure, search and cut do not fit together."""


class SelectionWarning(UserWarning):
    """The selection went through, but its result deserves a second look."""

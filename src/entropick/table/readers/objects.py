"""Python objects as numbers, times or levels: columns without a type of their own."""

import datetime
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np

from entropick._base.wording import quoted
from entropick.exceptions import ColumnTypeError, DataError


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and the missing values of dataframe libraries."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value; arrays have many
        return type(value).__name__ == "NAType"
    except ArithmeticError:  # decimal.Decimal("sNaN") refuses any comparison
        return True
    except Exception:  # an object of a class of its own, which is rejected by its type
        return False


def whole_objects(objects: list[Any]) -> tuple[np.ndarray, np.ndarray] | None:
    """Whole numbers as Python's, which have any size, and which are missing; None where there are others."""
    missing = np.fromiter(map(is_missing, objects), bool, len(objects))
    values = np.zeros(len(objects), dtype=object)
    for row in np.flatnonzero(~missing).tolist():
        if not isinstance(objects[row], bool | int | np.integer | np.bool_):
            return None
        values[row] = int(objects[row])
    return values, missing


def read_objects(objects: list[Any], name: str) -> tuple[str, Any]:
    """Kind of a column of objects, and its numbers, or its levels and codes."""
    missing = np.fromiter(map(is_missing, objects), bool, len(objects))
    present = [value for value, absent in zip(objects, missing, strict=True) if not absent]
    if all(isinstance(value, bool | int | float | Decimal | np.number | np.bool_) for value in present):
        if not missing.any() and all(isinstance(v, bool | int | np.integer | np.bool_) for v in present):
            with suppress(OverflowError):  # beyond 64 bits they are compared as floats
                return "numeric", np.array(present, dtype=np.int64)
        numbers = np.full(len(objects), np.nan)
        try:
            numbers[~missing] = [float(value) for value in present]
        except OverflowError:
            raise DataError(
                f"Column {quoted(name)} holds a whole number beyond the range of floats; values must be "
                "below 1.8e308. Hint: use its logarithm, or turn the values into strings."
            ) from None
        return "numeric", numbers
    if all(isinstance(value, datetime.date) for value in present):
        times = [None if absent else value for value, absent in zip(objects, missing, strict=True)]
        return read_times(np.array(times, dtype="datetime64[us]"))
    allowed = str | bytes | bool | int | float | np.generic
    for value in present:
        if not isinstance(value, allowed):
            raise ColumnTypeError(
                f"Column {quoted(name)} holds a {type(value).__name__}; each value of the argument must "
                "be a string or a number. Hint: drop the column or turn its values into strings."
            )
    levels = sorted({str(value) for value in present})
    place = {level: code for code, level in enumerate(levels)}
    codes = np.full(len(objects), -1)
    codes[~missing] = [place[str(value)] for value in present]
    return "category", (codes, levels)


def read_times(values: np.ndarray) -> tuple[str, np.ndarray]:
    """Kind of an array of times, and their microseconds; NaN where missing."""
    is_date = values.dtype.kind == "M"
    unit = values.astype("datetime64[us]" if is_date else "timedelta64[us]")
    numbers = unit.astype(np.int64).astype(np.float64)
    numbers[np.isnat(values)] = np.nan
    return "datetime" if is_date else "duration", numbers

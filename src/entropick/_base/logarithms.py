"""Logarithms and powers of two that are the same bits on every processor and system.

Numpy's and the C library's may differ in the last bit from one to the next. Results made of counts use these.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from entropick import _core


def log2(values: npt.ArrayLike) -> np.ndarray:
    """Binary logarithms of positive numbers, in the shape of `values`."""
    return _each(_core.log2, values)


def exp2(values: npt.ArrayLike) -> np.ndarray:
    """Powers of two, in the shape of `values`."""
    return _each(_core.exp2, values)


def power(values: npt.ArrayLike, exponent: float) -> np.ndarray:
    """Powers of numbers of at least 0; 0 stays 0."""
    bases = np.asarray(values, np.float64)
    return np.where(bases > 0, exp2(exponent * log2(np.where(bases > 0, bases, 1.0))), 0.0)


def plogp(shares: npt.ArrayLike) -> np.ndarray:
    """x·log2 x of each value, 0 for 0."""
    values = np.asarray(shares, np.float64)
    return np.asarray(values * log2(np.where(values > 0, values, 1.0)))


def power_of_two_above(value: float) -> int:
    """The smallest integer k with 2^k ≥ value > 0."""
    mantissa, exponent = math.frexp(value)
    return exponent - (mantissa == 0.5)


def _each(function: Callable[[np.ndarray, np.ndarray], None], values: npt.ArrayLike) -> np.ndarray:
    of_each = np.ascontiguousarray(values, np.float64)
    results = np.empty(of_each.size)
    function(of_each.reshape(-1), results)
    return results.reshape(np.shape(values))

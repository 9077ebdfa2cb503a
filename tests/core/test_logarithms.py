"""Logarithms and powers of two, compared with exact arithmetic."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, strategies as st

from entropick import _core
from entropick._base.logarithms import exp2, log2, plogp, power, power_of_two_above


def exact_log2(value):
    with localcontext(prec=60):
        return Decimal(value).ln() / Decimal(2).ln()


def exact_exp2(value):
    with localcontext(prec=60):
        return Decimal(2) ** Decimal(value)


def assert_within_units(found, exact, n_units):
    with localcontext(prec=60):
        assert abs(Decimal(found) - exact) <= n_units * Decimal(math.ulp(float(exact)))


@given(st.integers(1, 2**50))
def test_log2_of_counts(count):
    assert_within_units(float(log2(count)), exact_log2(count), 1)


@given(st.floats(2.3e-308, 1.7e308))
def test_log2_of_any_positive_number(value):
    assert_within_units(float(log2(value)), exact_log2(value), 3)


@given(st.floats(-1021, 1023))
def test_exp2(value):
    assert_within_units(float(exp2(value)), exact_exp2(value), 2)


def test_whole_numbers_are_exact():
    exponents = np.arange(-1022.0, 1024.0)
    np.testing.assert_array_equal(exp2(exponents), [2.0**k for k in exponents])
    np.testing.assert_array_equal(log2([2.0**k for k in exponents]), exponents)


def test_ends_of_the_range_of_floats():
    np.testing.assert_array_equal(exp2([-2000.0, -math.inf, 1024.0, math.inf]), [0, 0, math.inf, math.inf])
    assert math.isnan(exp2(math.nan))


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, 1e-310])
def test_log2_refuses_what_has_no_logarithm(value):
    with pytest.raises(ValueError, match="positive"):
        _core.log2(np.array([1.0, value]), np.empty(2))


@given(st.floats(0, 1e6), st.floats(0.05, 20))
def test_power(value, exponent):
    assert float(power(value, exponent)) == pytest.approx(value**exponent, rel=1e-12, abs=1e-300)


def test_shapes_are_kept():
    values = np.arange(1.0, 13.0).reshape(3, 4)
    for function in (log2, exp2, plogp):
        assert function(values.T).shape == (4, 3)
        np.testing.assert_array_equal(function(values.T), function(values).T)
    assert plogp([0.0, 0.5, 1.0, 2.0]).tolist() == [0.0, -0.5, 0.0, 2.0]


@given(st.floats(1e-300, 1e300))
def test_power_of_two_above(value):
    k = power_of_two_above(value)
    assert 2.0 ** (k - 1) < value <= 2.0**k

"""q-values against their definition, scipy and their laws."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, strategies as st

import entropick as ep
import naive

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize("method", ["bh", "by"])
@given(p_values=P_VALUES)
def test_as_defined_and_as_in_scipy(method, p_values):
    found = ep.q_values(p_values, method)
    np.testing.assert_allclose(found, naive.q_values(p_values, method), rtol=1e-12)
    np.testing.assert_allclose(
        found, scipy.stats.false_discovery_control(p_values, method=method), rtol=1e-12
    )


@given(p_values=P_VALUES)
def test_laws(p_values):
    """Never below the p-value, in the same order, stricter by Benjamini–Yekutieli, whatever the order."""
    found = ep.q_values(p_values)
    assert (found >= np.array(p_values) * (1 - 1e-12)).all()
    assert (np.diff(found[np.argsort(p_values, kind="stable")]) >= 0).all()
    assert (ep.q_values(p_values, "by") >= found).all()
    np.testing.assert_array_equal(ep.q_values(p_values[::-1])[::-1], found)


def test_what_was_not_tested_does_not_count():
    np.testing.assert_array_equal(ep.q_values([0.01, np.nan, 0.02]), [0.02, np.nan, 0.02])
    assert len(ep.q_values([])) == 0


def test_refusals():
    with pytest.raises(ValueError, match="between 0 and 1"):
        ep.q_values([0.5, 1.5])
    with pytest.raises(ValueError, match="'bh' or 'by'"):
        ep.q_values([0.5], "bonferroni")

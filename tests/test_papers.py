"""Functions and selectors reproduce the numbers printed in the papers."""

import math

import numpy as np
import pytest

import entropick as ep
from entropick import datasets


def by_function(alpha, y, *columns):
    return round(ep.conditional_entropy(y, np.column_stack(columns), alpha), 4)


def test_renyi_figure_1_by_functions():
    """Palamidessi and Romanelli, Fig. 1: Shannon prefers f0, min-entropy the others."""
    X, y = datasets.make_renyi_figure1()
    f = X.T
    assert by_function(1, y, f[0]) == 2.3510
    assert [by_function(1, y, f[j]) for j in range(1, 6)] == [2.4000] * 5
    assert by_function(math.inf, y, f[0]) == 2.3219
    assert [by_function(math.inf, y, f[j]) for j in range(1, 6)] == [1.7370] * 5
    assert by_function(math.inf, y, f[1], f[0]) == 1.3219
    assert by_function(math.inf, y, f[1], f[4]) == 1.0


def test_renyi_figure_1_by_selector():
    """Shannon needs all six columns, min-entropy never picks f0 and needs five."""
    X, y = datasets.make_renyi_figure1()
    shannon = ep.RenyiFS(n_features="residual", alpha=1).fit(X, y)
    assert shannon.order_[0] == 0
    assert sorted(shannon.order_) == [0, 1, 2, 3, 4, 5]
    assert shannon.residual_entropy_ == 0
    minimum = ep.RenyiFS(n_features="residual").fit(X, y)
    assert minimum.order_.tolist() == [1, 2, 3, 4, 5]
    residuals = [round(step.residual, 4) for step in minimum.selection_.steps]
    assert residuals == [1.7370, 1.0, 0.5146, 0.1520, 0]
    assert (minimum.residual_entropy_, minimum.bayes_risk_) == (0, 0)


def test_renyi_section_3_2_by_functions():
    """32 classes, 8 columns: first picks differ between the two entropies."""
    X, y = datasets.make_renyi_section32()
    f = X.T
    assert [by_function(1, y, c) for c in f] == [3, 3, 3, 4, 3.4387, 3.4387, 3.4387, 3.4387]
    assert [by_function(math.inf, y, c) for c in f] == [3, 3, 3, 4, 1.8301, 1.8301, 1.8301, 1.8301]


def test_renyi_section_3_2_by_selector():
    """Shannon reaches 0 after f1, f3, f4; min-entropy after the four f'."""
    X, y = datasets.make_renyi_section32()
    shannon = ep.RenyiFS(n_features="residual", alpha=1, target="class").fit(X, y)
    assert shannon.order_.tolist() == [0, 2, 3]
    minimum = ep.RenyiFS(n_features="residual", target="class").fit(X, y)
    assert minimum.order_.tolist() == [4, 5, 6, 7]
    residuals = [round(step.residual, 4) for step in minimum.selection_.steps]
    assert residuals == [1.8301, 0.9125, 0.3561, 0]


@pytest.mark.parametrize("selector", [ep.XMIFS, ep.MRMR], ids=["X-MIFS", "mRMR"])
@pytest.mark.parametrize("seed", range(5))
def test_corral_misleads_methods_that_look_at_relevance(selector, seed):
    """Mariello and Battiti, Table II: X-MIFS and mRMR pick the correlated column C first."""
    X, y = datasets.make_corral(random_state=seed)
    assert selector(n_features=4).fit(X, y).order_[0] == 5

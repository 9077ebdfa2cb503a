"""Criteria that fall with redundancy: a race gives the steps of counting everything."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
from entropick.counting.local import LocalCounts
from entropick.table.numeric.sums import CorrelationsOfRows

FALLING = [ep.MRMR(), ep.MIFS(), ep.MIFS(beta=0.1), ep.ICAP(), ep.MIQ(), ep.MIQ(epsilon=1.0)]


def steps_of(selector, X, y, n):
    selection = selector.set_params(n_features=n).fit(X, y).selection_
    return [(s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.n_ties) for s in selection.steps]


def few_levels(rng, n_rows, n_columns):
    """Columns that tell something of y, copies of them, and noise: bounds are tight, or there are ties."""
    y = rng.integers(0, 3, n_rows)
    X = rng.integers(0, 4, (n_columns, n_rows))
    telling = rng.random((n_columns, n_rows)) < rng.random((n_columns, 1)) * rng.choice([0.1, 0.9])
    X = np.where(telling, y, X)
    X[rng.integers(n_columns, size=3)] = X[rng.integers(n_columns)]
    return X.T, y


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("selector", FALLING, ids=str)
@given(seed=st.integers(0, 2**32 - 1), n_rows=st.integers(10, 300), n_columns=st.integers(2, 120))
def test_a_race_changes_nothing(selector, seed, n_rows, n_columns):
    """Columns, scores, runner-ups and ties are the same bits."""
    X, y = few_levels(np.random.default_rng(seed), n_rows, n_columns)
    n = min(15, n_columns)
    lazy = steps_of(selector, X, y, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalCounts, "race", lambda *_, **__: None)
        assert steps_of(selector, X, y, n) == lazy


@pytest.mark.parametrize("selector", [ep.Gaussian(), ep.Gaussian(beta=0.3), ep.RRPC()], ids=str)
@given(seed=st.integers(0, 2**32 - 1), n_factors=st.integers(1, 9), is_real=st.booleans())
def test_a_race_of_correlations_changes_nothing(selector, seed, n_factors, is_real):
    """The same columns and, up to rounding, scores."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, n_factors)) @ rng.standard_normal((n_factors, 90))
    X += 0.3 * rng.standard_normal(X.shape)
    y = X[:, 0] + rng.standard_normal(40)
    y = y if is_real else y > 0
    lazy = steps_of(selector, X, y, 12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CorrelationsOfRows, "race", lambda *_, **__: None)
        eager = steps_of(selector, X, y, 12)
    assert [step[0] for step in lazy] == [step[0] for step in eager]
    assert [step[1] for step in lazy] == pytest.approx([step[1] for step in eager], abs=1e-9)

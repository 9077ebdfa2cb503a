"""Compiled spreads, correlations and their race against numpy."""

import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import seeds
from entropick import _core


def columns_of(values):
    """The compiled columns; constant ones have a factor of 0."""
    found = np.empty((len(values), 4))
    _core.spreads(values, found)
    deviations = found[:, 3]
    factors = np.divide(1.0, deviations, out=np.zeros(len(values)), where=np.ptp(values, axis=1) > 0)
    return _core.NumberColumns(values, found[:, 2].copy(), factors)


@given(seed=seeds, n_rows=st.integers(1, 70), offset=st.sampled_from([0.0, 1e6, -1e12]))
def test_spreads(seed, n_rows, offset):
    values = np.random.default_rng(seed).standard_normal((3, n_rows)) + offset
    found = np.empty((3, 4))
    _core.spreads(values, found)
    assert found[:, 0].tolist() == values.min(axis=1).tolist()
    assert found[:, 1].tolist() == values.max(axis=1).tolist()
    mean, deviation = statistics_of(values)
    assert found[:, 2] == pytest.approx(mean, rel=1e-14)
    assert found[:, 3] == pytest.approx(deviation, rel=1e-12, abs=1e-15)


def statistics_of(values):
    """Means and standard deviations without rounding on the way."""
    rows = [[Fraction(value) for value in row] for row in values.tolist()]
    return ([float(f(row)) for row in rows] for f in (statistics.mean, statistics.pstdev))


@given(
    seed=seeds,
    n_rows=st.integers(3, 70),
    n_columns=st.integers(2, 90),
    weight=st.sampled_from([0.0, 0.5, 1.0]),
    most=st.sampled_from([0.0, 0.999]),
    n_factors=st.integers(1, 5),
)
def test_correlations_and_their_race(seed, n_rows, n_columns, weight, most, n_factors):
    """Whoever is best or second best is a finalist, and has the score of all correlations."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n_columns, n_factors)) @ rng.standard_normal((n_factors, n_rows))
    values[rng.integers(n_columns)] = 3.0
    columns, relevance = columns_of(values), rng.random(n_columns)
    standardised = (values - values.mean(axis=1, keepdims=True)) / (
        values.std(axis=1, keepdims=True) + 1e-300
    )
    standardised[np.ptp(values, axis=1) == 0] = 0.0
    correlations = np.clip(standardised @ standardised.T / n_rows, -1, 1)
    found = np.empty(n_columns)
    columns.correlations(np.ascontiguousarray(standardised[0]), 0, found)
    assert found == pytest.approx(correlations[0], abs=1e-12)
    terms = -0.5 * np.log2(1 - np.minimum(correlations**2, most)) if most else np.abs(correlations)
    race, left = _core.CorrelationRace(columns, relevance, weight, most), np.arange(n_columns)
    picked = rng.permutation(n_columns)[: min(6, n_columns - 1)]
    for n, s in enumerate(picked.tolist(), 1):
        race.include(s)
        left = left[left != s]
        scores = relevance - weight * terms[picked[:n]].mean(axis=0)
        finalists = race.finalists(left)
        if finalists is None:
            race.complete(left)
            finalists = left
        assert race.scores(finalists) == pytest.approx(scores[finalists], abs=1e-9)
        second = np.sort(scores[left])[-2:][0]
        assert set(left[scores[left] > second - 1e-13]) <= set(finalists.tolist())

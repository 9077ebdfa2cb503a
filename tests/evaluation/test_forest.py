"""Compiled forests predict as well as scikit-learn's, and depend on the order of values alone."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import cross_val_predict

from entropick.evaluation.forest import N_TREES, ForestClassifier, ForestRegressor


def test_classes_are_predicted_as_by_scikit_learn():
    X, y = load_wine(return_X_y=True)
    own, other = (
        ((cross_val_predict(model, X, y, cv=3, method="predict_proba") - np.eye(y.max() + 1)[y]) ** 2).sum(1).mean()
        for model in (ForestClassifier(0), RandomForestClassifier(N_TREES, random_state=0))
    )  # fmt: skip
    assert own == pytest.approx(other, abs=0.02)


def test_numbers_are_predicted_as_by_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    own, other = (
        1 - ((cross_val_predict(model, X, y, cv=3) - y) ** 2).mean() / y.var()
        for model in (ForestRegressor(0), RandomForestRegressor(N_TREES, random_state=0))
    )
    assert own == pytest.approx(other, abs=0.05)


def test_rows_of_the_fit_are_learned():
    """Most trees have a row in their sample, and are grown until leaves are pure; unlike rows are told apart."""
    rng = np.random.default_rng(0)
    X, labels, numbers = (
        rng.normal(size=(300, 4)),
        np.array(list("abc"))[rng.integers(0, 3, 300)],
        rng.normal(size=300),
    )
    model = ForestClassifier().fit(X, labels)
    assert (model.predict(X) == labels).mean() > 0.98
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(300))
    assert np.corrcoef(ForestRegressor().fit(X, numbers).predict(X), numbers)[0, 1] > 0.9


def test_the_order_of_values_is_all_that_counts():
    """Increasing functions of columns, and units of the target, change no prediction of rows of the fit."""
    rng = np.random.default_rng(1)
    X, numbers = rng.normal(size=(200, 3)), rng.normal(size=200)
    labels = numbers > 0
    expected = ForestClassifier().fit(X, labels).predict_proba(X)
    assert (ForestClassifier().fit(np.exp(X), labels).predict_proba(np.exp(X)) == expected).all()
    plain, huge = ForestRegressor().fit(X, numbers), ForestRegressor().fit(X, 1e300 * numbers)
    assert huge.predict(X) / 1e300 == pytest.approx(plain.predict(X))


def test_a_seed_repeats_its_forest_and_another_makes_another():
    rng = np.random.default_rng(2)
    X, labels = rng.normal(size=(100, 5)), rng.integers(0, 2, 100)
    one, again, other = (ForestClassifier(seed).fit(X, labels).predict_proba(X) for seed in (7, 7, 8))
    assert (one == again).all()
    assert (one != other).any()


def test_more_values_than_levels_and_constant_columns():
    """3,000 distinct values share 256 levels with equally many rows; columns that never split are passed over."""
    x = np.linspace(0, 1, 3000)
    X = np.column_stack([np.ones(3000), x**9, np.zeros(3000)])
    model = ForestRegressor().fit(X, x)
    assert np.abs(model.predict(X) - x).max() < 0.02
    assert ForestClassifier().fit(X[:, :1], x > 0.3).predict_proba(X[:, :1]) == pytest.approx(0.5, abs=0.25)

"""compare and "auto" are one rule: the same rows, folds, levels, numbers, losses and test of chance."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import entropick as ep
from entropick.evaluation.models import RIDGE_SHARE
from entropick.evaluation.task import make_task


class RidgeShares(ClassifierMixin, BaseEstimator):
    """The linear model of "auto": ridge regression of the shares of classes."""

    def fit(self, X, y):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model_ = Ridge(max(1.0, RIDGE_SHARE * len(y))).fit(X, np.eye(len(self.classes_))[codes])
        return self

    def predict_proba(self, X):
        return self.model_.predict(X)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def some_digits(return_X_y):
    X, y = load_digits(return_X_y=return_X_y)
    return X[:600, :40], y[:600]


@pytest.mark.slow
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_diabetes, some_digits])
def test_compare_is_auto_with_its_models(load):
    """Rows split once and judged by the same models: the same number, interval and p-value.

    Ends of the interval may differ by one size, where rows are at the same distance or values are extreme.
    """
    X, y = load(return_X_y=True)
    is_class = np.issubdtype(y.dtype, np.integer)
    y = y if is_class else y + 0.5  # not whole numbers, so clearly real values
    ridge = RidgeShares() if is_class else Ridge(RIDGE_SHARE * 0.8 * len(y))
    models = {"ridge": ridge, "near": KNeighborsClassifier() if is_class else KNeighborsRegressor()}
    auto = ep.JMI(ep.cuts.HeldOut(n_repeats=1), random_state=0).fit(X, y).selection_.evidence
    found = ep.compare(X, y, methods=["jmi"], estimators=models, random_state=0)
    advice, sizes = found.recommendation, auto.sizes
    assert found["JMI"].sizes == sizes[1:]
    assert advice.n_features == found["JMI"].n_features == auto.n_chosen
    for end, other in zip(advice.interval, auto.interval, strict=True):
        assert abs(sizes.index(end) - sizes.index(other)) <= 1
    assert abs(advice.p_value - auto.p_value) <= 0.01


@pytest.mark.parametrize("n_rows", [120, pytest.param(2500, marks=pytest.mark.slow)])
def test_compare_draws_the_rows_and_folds_of_auto(n_rows, monkeypatch):
    """The same sample of rows, and the first of the repeated splits."""
    tasks = []

    def kept(*given, **options):
        tasks.append(make_task(*given, **options))
        return tasks[-1]

    monkeypatch.setattr("entropick.cuts.held_out.make_task", kept)
    monkeypatch.setattr("entropick.comparison.run.make_task", kept)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 4))
    y = X[:, 0] > rng.normal(size=n_rows)
    for seed in (None, 3):
        ep.JMI("auto", random_state=seed).fit(X, y)
        ep.compare(X, y, methods=["mim"], estimators=["bayes"], random_state=seed)
        auto, compared = tasks[-2:]
        assert np.array_equal(auto.rows, compared.rows)
        assert len(compared.splits) == 5 < len(auto.splits)
        for one, other in zip(auto.splits, compared.splits, strict=False):
            assert np.array_equal(one.test, other.test)


@pytest.mark.slow
def test_compare_and_auto_agree():
    """With other models, and rows split once: each number is in the interval of the other rule."""
    X, y = load_breast_cancer(return_X_y=True)
    found = ep.compare(X, y, methods=["jmi"], estimators=["logistic", "neighbors"], random_state=0)
    auto = ep.JMI("auto", random_state=0).fit(X, y).selection_.evidence
    advice = found.recommendation
    assert found["JMI"].sizes == auto.sizes[1:]
    assert auto.interval[0] <= advice.n_features <= auto.interval[1]
    assert advice.interval[0] <= auto.n_chosen <= advice.interval[1]
    assert advice.p_value == auto.p_value == 1 / 200


def test_folds_have_as_many_levels_as_the_table():
    """n_bins="auto" follows from all rows, as in "auto": with 445 rows seven levels, though folds have 356."""
    levels = []

    class Watched(ep.MIM):
        def fit(self, X, y=None, *, groups=None, sample_weight=None):
            found = super().fit(X, y)
            levels.append(found.selection_.encodings[0].n_levels)
            return found

    rng = np.random.default_rng(0)
    X = rng.normal(size=(445, 3))
    ep.compare(X, X[:, 0] > 0, methods={"MIM": Watched()}, estimators=["bayes"])
    assert set(levels) == {7}

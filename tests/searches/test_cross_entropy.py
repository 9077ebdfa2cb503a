"""The cross-entropy method ranks columns and keeps their information."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
from entropick.exceptions import SelectionWarning
from subset_searches import assert_keeps_information, make_data


def test_probabilities_rank_the_columns():
    X, y = make_data()
    found = ep.CrossEntropyFS(n_samples=500, random_state=0).fit(X, y)
    assert found.probabilities_[[2, 5, 7]].tolist() == [1, 1, 1]
    assert sorted(found.order_.tolist()) == [2, 5, 7]
    assert found.information_gap_ == 0
    assert np.array_equal(found.scores_, found.probabilities_)
    last = found.history_[-1]
    assert np.array_equal(last.probabilities, found.probabilities_)
    assert last.elite_share >= 0.95
    assert (last.gamma, last.size, last.n_drawn) == (0, 3, 500)
    assert found.history_[0].elite_size > last.elite_size


def test_wrapper_mode():
    """A classifier chooses how many of the most probable columns are kept."""
    X, y = make_data()
    found = ep.CrossEntropyFS(
        n_samples=500, estimator=DecisionTreeClassifier(random_state=0), random_state=0
    ).fit(X, y)
    assert sorted(found.order_.tolist()) == [2, 5, 7]
    naive_bayes = ep.CrossEntropyFS(n_samples=500, estimator=GaussianNB(), random_state=0).fit(X, y)
    assert 1 <= naive_bayes.n_features_ <= 12


def test_information_gap():
    """ΔI_r = H(y|S) / I(S;y); infinite where S tells nothing."""
    X, y = make_data()
    found = ep.CrossEntropyFS(n_features=2, n_samples=300, random_state=0).fit(X, y)
    left = ep.conditional_entropy(y, X[:, found.order_])
    assert found.information_gap_ == pytest.approx(left / (ep.entropy(y) - left))
    nothing = np.zeros((len(y), 2), int)
    with pytest.warns(SelectionWarning):
        blind = ep.CrossEntropyFS(n_samples=50, random_state=0, max_rounds=2, parsimony=False).fit(nothing, y)
    assert blind.information_gap_ == math.inf


def test_the_printed_algorithm_ends_at_once():
    """WDBC in 5 levels: random halves determine y, so nothing is learned without parsimony; it is said."""
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.warns(SelectionWarning) as warned:
        found = ep.CrossEntropyFS(parsimony=False, n_bins=5, random_state=0).fit(X, y)
    assert "nothing was learned about single columns. Hint: parsimony=True" in str(warned[0].message)
    assert "No column is drawn with a probability of at least 0.9" in str(warned[1].message)
    assert len(found.history_) == 1
    assert found.n_features_ >= 1


@pytest.mark.filterwarnings("ignore:The columns with a probability:entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("sampling", ["static", "adaptive"])
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_digits], ids=lambda load: load.__name__)
def test_a_small_subset_keeps_the_information(load, sampling):
    """H(y|S) is within 1 % of that of all columns."""
    X, y = load(return_X_y=True)
    selector = ep.CrossEntropyFS(sampling=sampling, n_samples=2000, n_bins=5, random_state=0, n_jobs=2)
    X, y = X[:600], y[:600]
    found = selector.fit(X, y)
    assert 1 <= found.n_features_ <= 20
    assert_keeps_information(X, y, found)

"""The cross-entropy method ranks columns and keeps their information."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
import naive
from entropick import measures, searches
from entropick._base.threads import Threads
from entropick.exceptions import DataError, SelectionWarning
from helpers import make_table
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


@pytest.mark.slow
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


@pytest.mark.parametrize("initial", [0.5, 0.2, [0.1, 0.3, 0.5, 0.7, 0.9]])
def test_the_printed_algorithm_draw_by_draw(initial):
    """Algorithm 1 replayed on lists from any p⁰: the same gamma and the same probabilities in every round."""
    X, y = make_data(60, 5)
    columns = X.T.tolist()

    def value_of(subset):
        return naive.conditional_entropy(y.tolist(), [columns[j] for j in range(5) if subset[j]])

    start = [initial] * 5 if isinstance(initial, float) else initial
    expected = naive.cross_entropy(value_of, 5, 40, 0.25, start, np.random.RandomState(3))
    search = searches.CrossEntropy(
        n_samples=40, parsimony=False, initial=initial, patience=1000, random_state=3
    )
    state = measures.Renyi(alpha=1).begin_sets(make_table(X, y), Threads(1))
    history = search.explore(state, 5, []).history
    assert len(history) == len(expected)
    for draw, (gamma, probabilities, _) in zip(history, expected, strict=True):
        assert draw.gamma == pytest.approx(gamma, abs=1e-9)
        assert draw.probabilities == pytest.approx(probabilities, abs=1e-12)


def test_strict_threshold():
    """Step 5 of the paper: what reaches ζ is kept, be it worse than the best subset drawn, or nothing."""
    X, y = make_data()
    options = {"n_samples": 200, "max_rounds": 1, "random_state": 0}
    for zeta in (0.55, 0.6):
        found = ep.CrossEntropyFS(zeta=zeta, strict=True, **options).fit(X, y)
        assert sorted(found.order_.tolist()) == np.flatnonzero(found.probabilities_ >= zeta).tolist()
    with pytest.warns(SelectionWarning, match="the best subset is kept instead"):
        assert len(ep.CrossEntropyFS(zeta=0.99, **options).fit(X, y).order_)
    nothing = ep.CrossEntropyFS(zeta=0.99, strict=True, **options).fit(X, y)
    assert nothing.n_features_ == 0
    assert nothing.information_gap_ == math.inf


def test_adaptive_sampling_with_the_numbers_of_the_paper():
    """S_t in [m, 20 m] and an elite of 0.05 m, at least one subset."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 60))
    y = X[:, 0] ^ X[:, 1] | X[:, 2]
    found = ep.CrossEntropyFS(sampling="adaptive", min_elite=1, max_rounds=8, random_state=0, strict=True)
    for draw in found.fit(X, y).history_:
        assert draw.n_drawn % 60 == 0
        assert 60 <= draw.n_drawn <= 1200
        # shares of an elite of three subsets
        assert np.abs(draw.probabilities * 3 - np.round(draw.probabilities * 3)).max() < 1e-9


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ([0.5, 0.5], r"one for each of 12 columns \(or groups\), got the shape \(2,\)"),
        ([0.5] * 11 + [1.0], r"above 0 and below 1, got 1.0 at position 11\. Hint"),
        ([math.nan] + [0.5] * 11, "above 0 and below 1, got nan at position 0"),
    ],
)
def test_wrong_initial_probabilities(initial, message):
    X, y = make_data()
    with pytest.raises(DataError, match=message):
        ep.CrossEntropyFS(initial=initial, n_samples=20).fit(X, y)

"""The cross-entropy method ranks columns and keeps their information."""

import math

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
from entropick import measures
from entropick.exceptions import SelectionWarning
from entropick.threads import Threads
from subset_searches import make_data


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


def test_the_printed_algorithm_ends_at_once(real_data):
    """WDBC in 5 levels: random halves determine y, so nothing is learned without parsimony; it is said."""
    data = real_data("wdbc")
    with pytest.warns(SelectionWarning) as warned:
        found = ep.CrossEntropyFS(parsimony=False, n_bins=5, random_state=0).fit(data["X"], data["y"])
    assert "nothing was learned about single columns. Hint: parsimony=True" in str(warned[0].message)
    assert "No column is drawn with a probability of at least 0.9" in str(warned[1].message)
    assert len(found.history_) == 1
    assert found.n_features_ >= 1


@pytest.mark.filterwarnings("ignore:The columns with a probability:entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("sampling", ["static", "adaptive"])
@pytest.mark.parametrize("name", ["wdbc", "forestfires", "gesture_c3", "ads_998"])
def test_real_data_keep_their_information(real_data, name, sampling):
    """A small subset with H(y|S) within 1 % of that of all columns."""
    data = real_data(name)
    n_samples = 1000 if name == "ads_998" else 5000
    selector = ep.CrossEntropyFS(sampling=sampling, n_samples=n_samples, n_bins=5, random_state=0, n_jobs=2)
    found = selector.fit(data["X"], data["y"])
    assert 1 <= found.n_features_ <= 60
    assert_keeps_information(data, found)


def test_connect4_keeps_its_information(real_data):
    """67,557 rows, adaptive sampling (static sampling takes a minute)."""
    data = real_data("connect4")
    found = ep.CrossEntropyFS(sampling="adaptive", random_state=0, n_jobs=2).fit(data["X"], data["y"])
    assert found.n_features_ < 42
    assert_keeps_information(data, found)


def assert_keeps_information(data, found):
    codes = make_codes(found, data)
    with_all = codes(np.arange(data["X"].shape[1]))
    assert codes(found.order_) <= with_all * 1.01 + 1e-9


def make_codes(found, data):
    """H(y|S) of columns, on the levels the selector made."""
    from entropick.contracts import Need
    from entropick.data import make_data
    from entropick.table.target import encode_target

    rules = found.rules(lambda: len(data["y"]))
    target = encode_target(data["y"], rules=rules)
    table, _ = make_data(data["X"], target, frozenset({Need.COUNTS}), rules=rules)
    state = measures.Renyi(1).begin(table, Threads(1))

    def entropy(columns):
        subset = np.zeros((1, table.n_columns), bool)
        subset[0, columns] = True
        return state.values(subset)[0, 0]

    return entropy

"""What papers and other programs found on their data sets; skipped, with a message, where these are not at hand.

Each method is tested on generated and bundled data beside its code. These tests add nothing but the numbers.
"""

import math

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

import entropick as ep
import naive
from entropick.table.encoding.target import target_kind
from subset_searches import assert_keeps_information


@pytest.mark.parametrize(
    ("name", "kind"), [("abalone", "class"), ("usps", "class"), ("blogfeedback", "real")]
)
def test_kinds_of_targets(name, kind, real_data):
    """Rings of abalones and digits are classes, 438 different numbers of comments are not."""
    assert target_kind(real_data(name)["y"]) == kind


# -- CFS -----------------------------------------------------------------------------------------

# What weka.attributeSelection.CfsSubsetEval -L of Weka 3.6.14 selects of the first rows, every value a level, with
# weka.attributeSelection.BestFirst -D 1 -N 5; its merit to three digits.
WEKA = {
    "lymphography": (148, [0, 1, 6, 7, 8, 12, 14, 17], 0.409),
    "spect": (267, [3, 6, 7, 9, 10, 12, 15, 16, 17, 19, 20, 21], 0.197),
    "chess_krvskp": (1000, [34], 0.303),
    "mushroom_5644": (800, [4, 7], 0.467),
    "led24": (1000, [0, 1, 2, 3, 4, 5, 6], 0.458),
    "lungcancer_uci": (32, [1, 5, 9, 13, 18, 19, 22, 32, 39, 52, 55], 0.503),
}


@pytest.mark.parametrize("name", WEKA)
def test_equals_weka(name, real_data):
    """The same columns as the program that people know the method from, and the same merit."""
    n_rows, columns, merit = WEKA[name]
    data = real_data(name)
    X, y = data["X"][:n_rows], data["y"][:n_rows]
    found = ep.CFSSubset(n_bins=100, target="class").fit(X, y)
    assert sorted(found.order_) == columns
    assert naive.cfs_merit([list(column) for column in X[:, columns].T], list(y)) == pytest.approx(
        merit, abs=6e-4
    )


# -- Inf-FS --------------------------------------------------------------------------------------


def madelon(real_data):
    data = real_data("madelon")
    X, y = data["X"][:2000].astype(float), data["y"][:2000]
    correlation = np.abs(np.corrcoef(X.T)) - np.eye(500)
    return X, y, set(np.flatnonzero(correlation.max(axis=0) > 0.5).tolist())


def test_madelon(real_data):
    """The 20 true columns among the first 20, in their units: 15 without the classes, 17 with them."""
    X, y, true_columns = madelon(real_data)
    assert len(true_columns) == 20
    assert len(true_columns & set(ep.InfFS(20, alpha=0.5, scaling=None).fit(X).order_.tolist())) >= 15
    assert len(true_columns & set(ep.InfFS(20, scaling=None).fit(X, y).order_.tolist())) >= 17


def test_madelon_by_mean_shift(real_data):
    """What the cut keeps are true columns only, most of them with the classes."""
    X, y, true_columns = madelon(real_data)
    supervised, unsupervised = (
        set(ep.InfFS(scaling=None).fit(X, y).order_.tolist()),
        set(ep.InfFS(scaling=None).fit(X).order_.tolist()),
    )
    assert len(supervised) >= 15
    assert len(unsupervised) >= 5
    assert supervised | unsupervised <= true_columns


def test_dexter_dense_equals_sparse(real_data):
    """The supervised scores of 20,000 sparse columns are those of the dense table, bit for bit."""
    data = real_data("dexter")
    X = scipy.sparse.csr_matrix((data["data"], data["indices"], data["indptr"]), shape=tuple(data["shape"]))
    sparse, dense = (ep.InfFS(300).fit(container, data["y"]) for container in (X, X.toarray()))
    assert np.array_equal(sparse.order_, dense.order_)
    assert np.array_equal(sparse.scores_, dense.scores_, equal_nan=True)


# -- RRPC ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["abalone", "arrhythmia", "gas_partial", "segment", "spambase", "spambase_keel", "usps"]
)
def test_rrpc_with_hidden_labels(name, real_data):
    """80 % of the labels hidden: the first pick has half the relevance of the best column, or more."""
    data = real_data(name)
    X, y = data["X"].astype(np.float64), data["y"]
    hidden = np.random.default_rng(0).random(len(y)) < 0.8
    partly = ep.RRPC(n_features=5, unlabelled=-1, target="class").fit(X, np.where(hidden, -1, y))
    first = ep.RRPC(n_features=X.shape[1], target="class").fit(X, y).selection_.steps[0]
    assert naive.rrpc(X, y, int(partly.order_[0]), []) >= 0.5 * first.score


# -- min-entropy -----------------------------------------------------------------------------------


def test_basehock_min_entropy_against_shannon(real_data):
    """Palamidessi and Romanelli, Fig. 5: with few columns min-entropy leads to higher accuracy."""
    data = real_data("basehock")
    X, y = np.minimum(data["X"], 3), data["y"]
    rows, held_out = train_test_split(np.arange(len(y)), test_size=0.3, random_state=0, stratify=y)
    accuracy = {}
    for alpha in (1, math.inf):
        order = ep.RenyiFS(n_features=20, alpha=alpha).fit(X[rows], y[rows]).order_
        model = SVC().fit(X[rows][:, order], y[rows])
        accuracy[alpha] = model.score(X[held_out][:, order], y[held_out])
    assert accuracy[math.inf] > accuracy[1]


# -- Bayesian entropy --------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Column .* is constant")
@pytest.mark.parametrize("name", ["arrhythmia", "semeion", "colon"])
def test_front_of_wide_tables(name, real_data):
    """Nearly every large subset determines y: the front still has several sizes, and tells y as a swarm does."""
    data = real_data(name)
    X, y = data["X"], data["y"]
    front = ep.BayesianEntropyFS(n_evaluations=30_000, random_state=0).fit(X, y).front_
    swarm = ep.SwarmFS(measure="bayesian", random_state=0).fit(X, y).selection_.exploration.front
    assert front.sizes.min() == 1
    assert len(np.unique(front.sizes)) >= (2 if name == "colon" else 15)  # two genes of colon determine y
    assert front.sizes.max() < 0.3 * X.shape[1]
    assert front.objectives[:, 0].min() <= swarm.objectives[0, 0] + 1e-12


class NearestOnTrainingRows(ClassifierMixin, BaseEstimator):
    """1-NN scored on its own rows of categories: the nearest row is the first equal one."""

    def fit(self, X, y):
        _, first, group = np.unique(X, axis=0, return_index=True, return_inverse=True)
        self.classes_, self.predictions_ = np.unique(y), y[first[group.ravel()]]
        return self

    def predict(self, X):
        return self.predictions_


def size_chosen_by_nearest_neighbour(data, seed, **prior):
    rows = np.random.default_rng(seed).permutation(len(data["y"]))
    rows = rows[: int(0.7 * len(rows))]
    X, y = data["X"][rows], data["y"][rows]
    nearest = NearestOnTrainingRows()
    selector = ep.BayesianEntropyFS(
        estimator=nearest, cv="train", n_bins=100, random_state=seed, n_jobs=2, **prior
    )
    return selector.fit(X, y).n_features_


@pytest.mark.parametrize(
    ("name", "alpha", "domain", "smallest", "largest"),
    [
        ("chess_krvskp", 0, "dependent", 24, 29),
        ("chess_krvskp", 0.01, "independent", 7, 10),
        ("chess_krvskp", 1, "independent", 4, 5),
        ("splice", 0.01, "independent", 4, 4),
        ("splice", 1, "independent", 2, 2),
    ],
)
def test_sizes_of_the_paper(real_data, name, alpha, domain, smallest, largest):
    """Tables 3 and 4, 1-NN: the mean size of the subset with the best training accuracy, over splits."""
    data = real_data(name)
    sizes = [size_chosen_by_nearest_neighbour(data, seed, alpha=alpha, domain=domain) for seed in range(2)]
    assert smallest - 0.5 <= np.mean(sizes) <= largest + 0.5


# -- the cross-entropy method ------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The columns with a probability:entropick.exceptions.SelectionWarning")
@pytest.mark.parametrize("sampling", ["static", "adaptive"])
@pytest.mark.parametrize("name", ["forestfires", "gesture_c3", "ads_998"])
def test_a_small_subset_keeps_the_information(real_data, name, sampling):
    """H(y|S) is within 1 % of that of all columns."""
    data = real_data(name)
    n_samples = 1000 if name == "ads_998" else 5000
    selector = ep.CrossEntropyFS(sampling=sampling, n_samples=n_samples, n_bins=5, random_state=0, n_jobs=2)
    found = selector.fit(data["X"], data["y"])
    assert 1 <= found.n_features_ <= 60
    assert_keeps_information(data["X"], data["y"], found)


def test_connect4_keeps_its_information(real_data):
    """67,557 rows, adaptive sampling (static sampling takes a minute)."""
    data = real_data("connect4")
    found = ep.CrossEntropyFS(sampling="adaptive", random_state=0, n_jobs=2).fit(data["X"], data["y"])
    assert found.n_features_ < 42
    assert_keeps_information(data["X"], data["y"], found)

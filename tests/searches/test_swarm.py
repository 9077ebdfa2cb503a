"""The swarm, and the best size of a subset."""

import math

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
from entropick import cuts, measures
from entropick._base.threads import Threads
from entropick.cuts.best_size import fine_sizes
from entropick.records.exploration import Generation
from helpers import make_table
from subset_searches import make_data


@pytest.mark.parametrize("alpha", [0.5, 2, 3, math.inf])
def test_no_entropy_is_shown_without_a_minus_sign(alpha):
    """0 is 0 for every order, and an estimator that is always wrong scores 0."""
    X, y = make_data()
    state = measures.Renyi(alpha).begin_sets(make_table(np.column_stack([X, y]), y), Threads(1))
    found = state.values(np.eye(13, dtype=bool)[12:])[0, 0]
    assert (found, math.copysign(1, found)) == (0, 1)
    assert "best 0 with" in str(Generation(1, (float(found),), 1))


def test_swarm_by_the_measures_of_the_paper():
    """F-MI prefers relevant columns that do not repeat each other; F-E also sees what pairs tell."""
    X, y = make_data()
    X = np.column_stack([X, X[:, 7]])
    by_pairs = ep.SwarmFS(measure=measures.PairwiseBalance(0.5), random_state=0).fit(X, y).order_.tolist()
    assert len({7, 12} & set(by_pairs)) == 1
    by_joint = ep.SwarmFS(measure=measures.JointBalance(0.9), random_state=0).fit(X, y).order_.tolist()
    assert {2, 5} <= set(by_joint)


def test_best_size_by_an_estimator():
    """The size with the best score along a ranking; of equal ones the smallest."""
    X, y = ep.datasets.make_corral()
    tree = DecisionTreeClassifier(random_state=0)
    found = ep.FeatureSelector("renyi", cut=cuts.BestSize(tree, cv="train"), random_state=0).fit(X, y)
    scores = []
    order = [step.column for step in found.selection_.steps]
    for size in range(1, 7):
        chosen = X[:, order[:size]]
        scores.append(tree.fit(chosen, y).score(chosen, y))
    assert found.n_features_ == 1 + int(np.argmax(scores))


def test_fine_sizes_are_few():
    sizes = fine_sizes(2000)
    assert sizes[:32] == [*range(1, 31), 36, 43]
    assert sizes[-1] == 2000
    assert fine_sizes(3) == [1, 2, 3]
    assert len(sizes) < 60

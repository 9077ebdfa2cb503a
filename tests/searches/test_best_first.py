"""The best-first search: the subset that Hall's search finds."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick import measures, searches
from helpers import make_table, run
from strategies import examples, tables


@examples(40)
@given(data=tables(max_rows=40, max_columns=6), patience=st.sampled_from([1, 2, 5]))
def test_best_first_equals_naive(data, patience):
    """The subset that Hall's search finds, kept as a list, with the merit of the naive twin."""
    X, y = data
    columns, labels = [list(column) for column in X.T], list(y)
    expected = naive.best_first(
        len(columns), lambda subset: naive.cfs_merit([columns[j] for j in sorted(subset)], labels), patience
    )
    selection = run(make_table(X, y), "cfssubset", cut="auto", search=searches.BestFirst(patience))
    found = selection.exploration.front.subsets[0]
    assert set(np.flatnonzero(found)) == expected
    assert sorted(selection.order) == sorted(expected)


def test_best_first_with_fixed_columns_and_without_a_value_of_nothing():
    """Fixed columns are in every subset; a measure that cannot value nothing starts from single columns."""
    X, y = ep.datasets.make_corral()
    found = ep.FeatureSelector("renyi", "best_first", fixed_features=[4]).fit(X, y)
    assert {0, 1, 2, 3, 4} <= set(found.order_)
    measure = measures.CrossValidated(cv=3)
    wrapped = ep.FeatureSelector(measure, searches.BestFirst(patience=2)).fit(X, y)
    assert 1 <= wrapped.n_features_ <= 6


def test_best_first_in_blocks_and_in_time(monkeypatch):
    """Blocks change nothing; out of time it ends with the best so far."""
    from entropick.searches import best_first

    X, y = ep.datasets.make_led24(random_state=0)
    expected = ep.CFSSubset().fit(X, y)
    monkeypatch.setattr(best_first, "BLOCK_BYTES", 100)
    again = ep.CFSSubset().fit(X, y)
    assert again.order_.tolist() == expected.order_.tolist()
    assert set(expected.order_) <= set(range(7))
    hurried = ep.CFSSubset(max_time=1e-9).fit(X, y)
    assert not hurried.selection_.complete
    assert np.isfinite(hurried.scores_).all()


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

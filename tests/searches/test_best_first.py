"""The best-first search: the subset that Hall's search finds."""

import numpy as np
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

    X, y = ep.datasets.make_led24(random_state=0)
    expected = ep.CFSSubset().fit(X, y)
    monkeypatch.setattr("entropick.searches.subsets.scored.BLOCK_BYTES", 100)
    again = ep.CFSSubset().fit(X, y)
    assert again.order_.tolist() == expected.order_.tolist()
    assert set(expected.order_) <= set(range(7))
    hurried = ep.CFSSubset(max_time=1e-9).fit(X, y)
    assert not hurried.selection_.complete
    assert np.isfinite(hurried.scores_).all()

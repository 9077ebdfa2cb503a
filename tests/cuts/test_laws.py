"""Laws of every registered cut: no column twice, fixed ones always, no more than there are."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import entropick as ep
from entropick.contracts import COUNTED
from entropick.exceptions import CombinationError
from entropick.registry import CUTS
from registered import make_rows, measure_for, quick_cuts, quick_searches, search_for
from tables_of_all_kinds import cut_by_rows

EVERY = quick_cuts()


def select(cut, X, y, **options):
    search = search_for(cut)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that little was found
        return ep.select(X, y, measure=measure_for(search), search=search, cut=clone(cut), **options)


@pytest.mark.parametrize("cut", EVERY, ids=str)
@pytest.mark.parametrize("n_columns", [8, 12])
def test_no_column_twice_and_no_more_than_there_are(cut, n_columns):
    """The kept columns are the first steps of the path; every kept one was scored."""
    X, y = make_rows(n_columns=12)
    found = select(cut, X[:, :n_columns], y)
    order = found.order.tolist()
    assert len(set(order)) == len(order) == found.n_kept <= n_columns
    assert order == [step.column for step in found.steps[: found.n_kept]]
    assert not np.isnan([step.score for step in found.steps]).any()


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_fixed_columns_stay(cut):
    """Also where the cut would keep fewer columns, or none."""
    X, y = make_rows()
    fixed = [9, 4, 0, 11, 3]
    for labels in (y, np.random.default_rng(0).permutation(y)):
        found = select(cut, X, labels, fixed_features=fixed)
        assert found.order.tolist()[: len(fixed)] == fixed
        assert len(set(found.order.tolist())) == found.n_kept


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_one_column(cut):
    X, _ = make_rows()
    assert select(cut, X[:, [2]], X[:, 2]).order.tolist() in ([0], [])


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_threads_and_repetition_change_nothing(cut):
    X, y = make_rows()
    found = [select(cut, X, y, n_jobs=n_jobs, random_state=3) for n_jobs in (1, 1, 2)]
    assert len({repr(one.order.tolist()) for one in found}) == 1
    assert len({repr([(s.column, s.score, s.p_value, s.residual) for s in one.steps]) for one in found}) == 1


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_a_shorter_search_is_all_that_was_needed(cut):
    """What is kept of a path depends on the steps it saw: the record has them, and says how many were expected."""
    X, y = make_rows()
    expected, events = [], []

    def watch(event, n_done, n_expected):
        expected.append(n_expected)
        events.append(event)

    found = select(cut, X, y, progress=watch)
    if cut.needs_exploration or cut.needs_path:
        assert events  # rounds, or steps of rehearsals
        return
    assert len(events) == len(found.steps)
    assert all(n is None or n == len(found.steps) for n in expected)


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_searches_that_do_not_fit_are_refused_by_name(cut):
    """Before any data are touched; all others are taken."""
    for search in quick_searches():
        fits = not (cut.needs_path and search.explores) and not (
            cut.needs_exploration and not search.explores
        )
        selector = ep.FeatureSelector(measure_for(search), search, clone(cut))
        refused = pytest.raises(
            CombinationError, match=rf"{type(cut).__name__} .*{type(search).__name__} .*Hint"
        )
        touched = pytest.raises((TypeError, ValueError), match=r"(?i)none|array")
        with touched if fits else refused as caught:
            selector.fit(None, None)
        assert isinstance(caught.value, CombinationError) != fits


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_partitions_are_refused_by_name_or_judged_alike(cut):
    """A cut that needs more than counts says so; any other keeps the same columns."""
    X, y = make_rows()
    rows = pd.DataFrame(X, columns=[f"x{j}" for j in range(12)]).assign(y=y)
    search = search_for(cut)
    selector = ep.FeatureSelector(measure_for(search), search, clone(cut), target="class", random_state=0)
    table = cut_by_rows(rows, 3)
    if cut.needs - COUNTED:
        with pytest.raises(CombinationError, match=rf"{type(cut).__name__} needs .*partitioned.*Hint"):
            selector.fit(table.drop("y"), table["y"])
        return
    expected = select(cut, rows.drop(columns="y"), y, target="class", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert selector.fit(table.drop("y"), table["y"]).order_.tolist() == expected.order.tolist()


@pytest.mark.parametrize("cut", EVERY, ids=str)
def test_without_a_target_a_cut_that_looks_at_it_is_refused(cut):
    X, _ = make_rows()
    if cut.needs_exploration:
        pytest.skip("searches over subsets need a target themselves")
    selector = ep.FeatureSelector("laplacian_score", "ranking", clone(cut))
    if cut.uses_target:
        with pytest.raises(CombinationError, match=rf"{type(cut).__name__} needs a target.*Hint"):
            selector.fit(X)
    else:
        assert selector.fit(X).n_features_ >= 1


def test_every_cut_is_here():
    """The list is the registry's, so a new cut is under these laws."""
    assert {type(cut) for cut in EVERY} == set(CUTS.values())

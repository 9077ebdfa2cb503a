"""Laws of every registered search."""

import numpy as np
import pytest
from sklearn.base import clone

import entropick as ep
from entropick.exceptions import CombinationError
from entropick.records.exploration import Generation
from entropick.registry import MEASURES, SEARCHES
from entropick.searches.subsets.scored import ScoredSubsets
from registered import is_random, make_rows, measure_for, quick_searches

EVERY = quick_searches()
OVER_SUBSETS = quick_searches(explores=True)


def selector(search, cut=None, **options):
    return ep.FeatureSelector(measure_for(search), clone(search), cut, **options)


def outcome(selection):
    """All that must be equal bit for bit, but for the time it took."""
    steps = [
        (s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.dropped, s.fixed)
        for s in selection.steps
    ]
    explored = None if selection.exploration is None else selection.exploration.to_dict()
    return repr((steps, selection.n_kept, explored)), selection.scores.tobytes()


@pytest.mark.parametrize("search", EVERY, ids=str)
@pytest.mark.parametrize("n", [1, 5, 12])
def test_as_many_columns_as_asked_for_each_once(search, n):
    X, y = make_rows()
    order = selector(search, n).fit(X, y).order_.tolist()
    assert len(set(order)) == len(order) == n
    assert set(order) <= set(range(12))


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_fixed_columns_come_first_in_their_order(search):
    """And are in every subset."""
    X, y = make_rows()
    found = selector(search, 4, fixed_features=[11, 3]).fit(X, y).selection_
    assert found.order.tolist()[:2] == [11, 3]
    assert len(set(found.order.tolist())) == found.n_kept == 4
    assert [step.fixed for step in found.steps[:4]] == [True, True, False, False]
    if found.exploration is not None:
        assert found.exploration.front.subsets[:, [11, 3]].all()


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_fixed_columns_may_be_all(search):
    X, y = make_rows()
    found = selector(search, 12, fixed_features=list(range(12))).fit(X, y)
    assert found.order_.tolist() == list(range(12))


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_one_column_is_enough(search):
    X, y = make_rows()
    assert selector(search).fit(X[:, [2]], y).order_.tolist() == [0]


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_groups_come_and_go_together(search):
    X, y = make_rows()
    found = selector(search, 3, feature_groups=[[2, 3], [5, 6]]).fit(X, y).selection_
    order = set(found.order.tolist())
    assert len({2, 3} & order) != 1
    assert len({5, 6} & order) != 1
    if found.exploration is not None:
        subsets = found.exploration.front.subsets
        assert np.array_equal(subsets[:, [2, 5]], subsets[:, [3, 6]])


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_threads_and_repetition_change_nothing(search):
    """Nor does a fit change the search; a search without a seed of its own takes the selector's."""
    X, y = make_rows()
    if is_random(search):
        search = clone(search).set_params(random_state=None)
    found = [
        outcome(selector(search, random_state=7, n_jobs=n_jobs).fit(X, y).selection_) for n_jobs in (1, 1, 2)
    ]
    assert found[0] == found[1] == found[2]
    fitted = selector(search, 3, random_state=7)
    before = repr(fitted.get_params())
    assert repr(fitted.fit(X, y).get_params()) == before


@pytest.mark.parametrize("search", [search for search in OVER_SUBSETS if is_random(search)], ids=str)
def test_another_seed_looks_at_other_subsets(search, monkeypatch):
    X, y = make_rows()
    asked, values = [], ScoredSubsets.values
    monkeypatch.setattr(
        ScoredSubsets,
        "values",
        lambda self, subsets: asked[-1].append(subsets.tobytes()) or values(self, subsets),
    )
    for seed in (1, 1, 2):
        asked.append([])
        selector(clone(search).set_params(random_state=seed), 3).fit(X, y)
    assert asked[0] == asked[1] != asked[2]


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_progress_goes_on_to_the_end(search):
    """With steps, or with rounds whose best value never gets worse."""
    X, y = make_rows()
    events = []
    found = selector(search, 3, progress=lambda *event: events.append(event)).fit(X, y).selection_
    shown = [event[0] for event in events]
    done = [n_done for _, n_done, _ in events]
    assert all(n_expected is None or n_done <= n_expected for _, n_done, n_expected in events)
    if found.exploration is None:
        assert done[-1] == len(found.steps)
        assert {step.columns for step in found.steps} <= {step.columns for step in shown}
        return
    assert all(isinstance(shown_round, Generation) for shown_round in shown)
    assert done == [shown_round.n_evaluated for shown_round in shown]
    bests = [shown_round.best[0] for shown_round in shown]
    assert bests == sorted(bests, reverse=True)


def interrupt(event, n_done, n_expected):
    raise KeyboardInterrupt


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_ctrl_c_ends_the_fit(search):
    X, y = make_rows()
    with pytest.raises(KeyboardInterrupt):
        selector(search, progress=interrupt).fit(X, y)


@pytest.mark.parametrize("search", OVER_SUBSETS, ids=str)
def test_ctrl_c_may_end_the_search_only(search):
    X, y = make_rows()
    search = clone(search).set_params(on_interrupt="keep")
    found = selector(search, progress=interrupt).fit(X, y)
    assert not found.selection_.complete
    assert found.n_features_ >= 1


@pytest.mark.parametrize("search", OVER_SUBSETS, ids=str)
def test_time_limit(search):
    """The search ends with the best so far, and says that it is not complete."""
    X, y = make_rows()
    found = selector(clone(search).set_params(max_time=1e-9)).fit(X, y)
    assert not found.selection_.complete
    assert found.n_features_ >= 1
    assert len(found.selection_.exploration.history) == 1


@pytest.mark.parametrize("search", EVERY, ids=str)
def test_measures_that_do_not_fit_are_refused_by_name(search):
    """Before any data are touched, with the names of those that do."""
    others = [kind for kind in MEASURES.values() if not kind.kinds & set(search.kinds)]
    for kind in others[:3]:
        with pytest.raises(CombinationError, match=rf"{type(search).__name__} .*{kind.__name__} .*Hint: "):
            ep.FeatureSelector(kind(), clone(search), 1).fit(None, None)


def test_every_search_is_here():
    """The list is the registry's, so a new search is under these laws."""
    assert {type(search) for search in EVERY} == set(SEARCHES.values())

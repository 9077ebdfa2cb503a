"""Searches over subsets: polish, equally good subsets, costs and budgets, initial subsets, resumed searches."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.base import clone

import entropick as ep
import naive
from entropick import measures, searches
from entropick.exceptions import CombinationError, DataError
from entropick.searches.subsets.archive import Archive
from entropick.searches.subsets.costs import Costs
from entropick.searches.subsets.polish import neighbours
from entropick.searches.subsets.scored import ScoredSubsets
from helpers import columns_of, make_table, run
from registered import is_polished, is_random, make_rows as make_data, quick_searches
from strategies import examples, tables

SHANNON = measures.Renyi(alpha=1)
ALL = quick_searches(explores=True)
POLISHED = [search for search in ALL if is_polished(search)]


def sets_of(subsets):
    return [frozenset(np.flatnonzero(subset).tolist()) for subset in subsets]


# -- polish --------------------------------------------------------------------------------------


@pytest.mark.parametrize("polish", ["drop", "swap"])
@pytest.mark.parametrize("search", POLISHED, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_no_neighbour_of_a_polished_subset_is_better(search, polish, seed):
    """By naive entropies: no drop, and no swap where these were asked for, has less H(y|S), or as much with less."""
    X, y = make_data(60, seed=seed)
    columns, labels = columns_of(X), y.tolist()
    found = run(make_table(X, y), SHANNON, search=clone(search).set_params(polish=polish), cut="best_subset")
    subset = frozenset(found.order.tolist())

    def key(columns_in):
        return round(naive.conditional_entropy(labels, [columns[j] for j in columns_in]), 9), len(columns_in)

    assert sets_of(found.exploration.front.subsets)[0] == subset
    assert found.exploration.front.objectives[0, 0] == pytest.approx(key(subset)[0], abs=1e-9)
    assert all(key(other) >= key(subset) for other in naive.neighbours(subset, 12, polish == "swap"))
    plain = run(make_table(X, y), SHANNON, search=search, cut="best_subset")
    assert key(subset) <= key(plain.order.tolist())


@pytest.mark.parametrize("polish", ["drop", "swap"])
def test_nothing_beats_a_polished_front(polish):
    """No neighbour of any of its subsets is better than the front in both objectives."""
    X, y = make_data(60)
    state = measures.Bayesian().begin_sets(make_table(X, y), None)
    search = searches.NSGA2(n_evaluations=100, population_size=20, polish=polish, random_state=0)
    front = search.explore(state, 12, []).front
    around = [
        neighbour
        for subset in sets_of(front.subsets)
        for neighbour in naive.neighbours(subset, 12, polish == "swap")
    ]
    values = state.values(np.array([[j in subset for j in range(12)] for subset in around]))
    for value in values:
        assert (front.objectives <= value + 1e-12).all(axis=1).any()
    archive = Archive(12)
    archive.update(front.subsets, front.objectives)
    assert len(archive.subsets) == len(front)


@given(st.sets(st.integers(0, 6), min_size=1), st.booleans())
def test_neighbours(subset, swaps):
    """All there are, each once."""
    scored = ScoredSubsets(None, 7, [])
    mask = np.isin(np.arange(7), list(subset))
    found = [other for block in neighbours(scored, mask, swaps) for other in sets_of(block)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, naive.neighbours(subset, 7, swaps)))


@pytest.mark.parametrize("search", POLISHED, ids=str)
def test_polish_keeps_fixed_columns_and_the_budget(search):
    X, y = make_data(60)
    search = clone(search).set_params(polish="swap", budget=3)
    found = run(make_table(X, y), SHANNON, search=search, cut="best_subset", fixed=[4])
    assert found.exploration.front.subsets[:, 4].all()
    assert found.exploration.front.sizes.max() <= 3


def test_polished_subset_is_selected():
    """The cut by probabilities keeps it too; its rounds are in the history, and can be drawn."""
    X, y = make_data()
    found = ep.CrossEntropyFS(n_samples=10, max_rounds=1, polish="swap", random_state=0).fit(X, y)
    assert found.support_.tolist() == found.front_.subsets[0].tolist()
    bests = [entry.best[0] for entry in found.history_]
    assert len(bests) > 1
    assert bests == sorted(bests, reverse=True)
    pytest.importorskip("matplotlib")
    assert len(ep.plot_history(found.history_).lines) == 12


# -- equally good subsets ------------------------------------------------------------------------


@given(data=tables())
@examples(25)
def test_exhaustive_lists_all_that_are_as_good(data):
    """With the best one they are what a plain enumeration finds, for a table of any kind."""
    X, y = data
    value, _, best = naive.best_subsets(columns_of(X), list(y))
    search = searches.Exhaustive(max_equivalents=10_000)
    found = run(make_table(X, y), SHANNON, search=search, cut="auto").exploration.front
    assert {*sets_of(found.subsets[:1]), *sets_of(found.equivalents[0])} == best
    assert len(found.equivalents[0]) == len(best) - 1
    assert found.objectives[0, 0] == pytest.approx(value, abs=1e-8)
    few = searches.Exhaustive(max_equivalents=1)
    bounded = run(make_table(X, y), SHANNON, search=few, cut="auto").exploration.front
    assert len(bounded.equivalents[0]) == min(1, len(best) - 1)


@pytest.mark.parametrize("search", ALL, ids=str)
def test_equivalents_are_as_good(search):
    """Each has the values and the size of its subset, is another one, and comes once; the limit holds."""
    X, y = make_data(40)
    X[:, [3, 6, 8]] = X[:, [2, 5, 7]]
    state = SHANNON.begin_sets(make_table(X, y), None)
    front = clone(search).set_params(max_equivalents=6).explore(state, 12, []).front
    assert len(front.equivalents) == len(front)
    assert any(len(others) for others in front.equivalents)
    for subset, objectives, others in zip(front.subsets, front.objectives, front.equivalents, strict=True):
        assert len(others) <= 6
        assert len({*sets_of(others), *sets_of([subset])}) == len(others) + 1
        assert (others.sum(axis=1) == subset.sum()).all()
        assert np.abs(state.values(others)[:, 0] - objectives[0]).max(initial=0) < 1e-11
    assert clone(search).set_params(max_equivalents=0).explore(state, 12, []).front.equivalents == ()


def test_copies_of_a_column_are_equivalent():
    """The selector lists them, over columns where groups come together; a choice by scores has none."""
    X, y = make_data()
    X = np.column_stack([X, X[:, 2], X[:, 5]])
    found = ep.SwarmFS(polish="swap", max_equivalents=100, random_state=0).fit(X, y)
    assert sets_of(found.support_[None]) + sets_of(found.equivalents_) != []
    assert {*sets_of(found.support_[None]), *sets_of(found.equivalents_)} >= {
        frozenset({a, b, 7}) for a in (2, 12) for b in (5, 13) if {a, b} & set(found.order_)
    }
    grouped = ep.SwarmFS(polish="swap", feature_groups=[[0, 1], [2, 3]], random_state=0).fit(X, y)
    assert (grouped.equivalents_[:, 2] == grouped.equivalents_[:, 3]).all()
    assert ep.SwarmFS(n_features=2, random_state=0).fit(X, y).equivalents_.shape == (0, 14)
    document = found.selection_.to_dict()["exploration"]["front"][0]
    assert [frozenset(s) for s in document["equivalents"]] == sets_of(found.equivalents_)


# -- costs and budgets ---------------------------------------------------------------------------

PRICES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, 2.5]), min_size=8, max_size=8)


@given(data=tables(), prices=PRICES, share=st.floats(0.05, 1.2))
@examples(40)
def test_exhaustive_with_costs_equals_enumeration(data, prices, share):
    """Least value within the budget, then least cost; and all that are as good."""
    X, y = data
    prices = (prices * 3)[: X.shape[1]]
    budget = max(share * sum(prices), min(prices)) + 1e-6
    value, cost, best = naive.best_subsets(columns_of(X), list(y), prices, budget)
    search = searches.Exhaustive(costs=prices, budget=budget)
    found = run(make_table(X, y), SHANNON, search=search, cut="auto")
    subset = frozenset(found.order.tolist())
    assert subset in best
    assert found.exploration.front.objectives[0, 0] == pytest.approx(value, abs=1e-8)
    assert sum(prices[j] for j in subset) == pytest.approx(cost, abs=1e-8)
    assert f"for less than {cost:g} reaches" in found.exploration.statement
    assert f"no subset within the budget of {budget:g} does better" in found.exploration.statement


@pytest.mark.parametrize("search", ALL, ids=str)
def test_every_subset_scored_keeps_to_the_budget(search):
    """And has the fixed columns."""
    prices, asked = np.arange(12) / 10 + 0.1, []

    class Recording:
        objectives, is_monotone, can_value_nothing = ("zeros",), False, True

        def values(self, subsets):
            asked.append(subsets.copy())
            return (~subsets).sum(axis=1)[:, None].astype(float)

        def normalized(self, values):
            return values

    found = clone(search).set_params(costs=prices, budget=1.5).explore(Recording(), 12, [4])
    subsets = np.concatenate(asked)
    assert subsets[:, 4].all()
    assert (subsets @ prices).max() <= 1.5 + 1e-9
    assert found.front.objectives[0, 0] >= 12 - 5  # 0.5 is fixed, 0.1 to 0.4 fit in


@pytest.mark.parametrize("search", ALL, ids=str)
def test_the_cheapest_of_the_best_subsets_scored_is_kept(search):
    """Equally good subsets differ in what they cost; whatever a search has seen, it keeps the cheapest."""
    prices, asked = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]) / 10, []

    class Flat:
        objectives, is_monotone, can_value_nothing = ("halves",), False, True

        def values(self, subsets):
            asked.append(subsets.copy())
            return np.abs(subsets[:, :8].sum(axis=1) - 4)[:, None] // 2.0

        def normalized(self, values):
            return values

    found = clone(search).set_params(costs=prices).explore(Flat(), 12, [])
    subsets = np.concatenate(asked)
    values = Flat().values(subsets)[:, 0]
    cheapest = (subsets[values == values.min()] @ prices).min()
    assert found.front.objectives[0, 0] == values.min()
    assert found.front.subsets[0] @ prices == pytest.approx(cheapest)


@pytest.mark.parametrize("search", [search for search in POLISHED if is_random(search)], ids=str)
def test_the_cheaper_of_equally_good_subsets_is_better(search):
    """Two cheap copies win against the dear column they are copied from."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 6))
    X[:, 4] = X[:, 0] ^ X[:, 1]
    search = clone(search).set_params(costs=[1, 1, 1, 1, 5, 1], polish="swap")
    found = run(make_table(X, X[:, 4]), SHANNON, search=search, cut="best_subset")
    assert sorted(found.order.tolist()) == [0, 1]
    dear = run(
        make_table(X, X[:, 4]), SHANNON, search=clone(search).set_params(costs=None), cut="best_subset"
    )
    assert dear.order.tolist() == [4]


def test_costs_of_groups_are_sums():
    X, y = make_data()
    search = searches.Exhaustive(costs=[1, 2, 3, 4, 5, 6], budget=9)
    found = ep.select(X[:, 2:8], y, measure=SHANNON, search=search, feature_groups=[[0, 3], [1, 5]])
    assert {0, 3}.isdisjoint(found.order.tolist()) or {1, 5}.isdisjoint(found.order.tolist())
    assert sum(search.costs[j] for j in found.order) <= 9


def test_prices_are_the_same_in_any_company():
    """A price does not depend on the subsets it is asked with, nor on the order of equal costs."""
    rng = np.random.default_rng(0)
    costs = Costs(50, costs=rng.choice([0.1, 0.2, 0.3, 0.7], 50))
    subsets = rng.random((40, 50)) < 0.5
    assert costs.of(subsets).tolist() == [float(costs.of(subset[None])[0]) for subset in subsets]
    exact = Costs(3, costs=np.array([0.1, 0.2, 0.3]))
    assert exact.of(np.array([[True, True, False]])) == exact.of(np.array([[False, False, True]]))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"costs": [1, 2]}, r"one number for each of the 12 columns, got an array of shape \(2,\)"),
        ({"costs": [1.0] * 11 + [-1]}, "finite and at least 0, but column 11 has -1"),
        ({"costs": [1.0] * 11 + [np.nan]}, "finite and at least 0, but column 11 has nan"),
        (
            {"costs": [3.0] * 12, "budget": 2},
            "at least one column, but it is 2 and the cheapest column costs 3",
        ),
        ({"fixed_features": [1, 2], "budget": 1}, "cover the fixed columns, but it is 1 and they cost 2"),
        ({"budget": 0}, "'budget' parameter of SwarmFS must be"),
        ({"polish": "shine"}, "'polish' parameter of SwarmFS must be a str among"),
        ({"start": [[0, 12]]}, "indices from 0 to 11, got .0, 12"),
        ({"start": [["a"]]}, "12 booleans, or indices from 0 to 11"),
        ({"start": [[]]}, "12 booleans, or indices from 0 to 11"),
    ],
    ids=str,
)
def test_bad_parameters(options, sentence):
    X, y = make_data()
    with pytest.raises(ValueError, match=sentence):
        ep.SwarmFS(**options).fit(X, y)


def test_a_budget_does_not_go_with_a_number_of_columns():
    X, y = make_data()
    with pytest.raises(CombinationError, match=r"budget bounds whole subsets, but the cut Count.*Hint"):
        ep.SwarmFS(n_features=3, budget=4).fit(X, y)


# -- begun subsets and resumed searches ----------------------------------------------------------


@pytest.mark.parametrize("search", POLISHED, ids=str)
def test_search_begins_with_given_subsets(search):
    """A subset that is hard to find is never lost, as indices, booleans or a front."""
    goal = np.arange(40) % 3 == 0

    class Needle:
        objectives, can_value_nothing = ("far",), True

        def values(self, subsets):
            return 1.0 - (subsets == goal).all(axis=1)[:, None]

    mask = [goal, np.arange(40) == 1]
    for start in ([np.flatnonzero(goal).tolist(), [1]], mask):
        found = clone(search).set_params(start=start).explore(Needle(), 40, [])
        assert found.front.objectives[0, 0] == 0
        assert found.front.subsets[0].tolist() == goal.tolist()
    again = clone(search).set_params(start=found.front).explore(Needle(), 40, [])
    assert again.front.objectives[0, 0] == 0
    assert clone(search).explore(Needle(), 40, []).front.objectives[0, 0] == 1


class Ticking:
    """A measure at work whose subsets take a second each, on a clock of its own."""

    def __init__(self, state):
        self._state = state
        self.objectives, self.is_monotone = state.objectives, state.is_monotone
        self.can_value_nothing = state.can_value_nothing
        self.normalized = state.normalized
        self.now = 0.0

    def values(self, subsets):
        self.now += len(subsets)
        return self._state.values(subsets)


def plain_record(exploration):
    record = exploration.to_dict()
    for entry in record["front"]:
        del entry["equivalents"]  # those of the first part are not remembered
    return record


@pytest.mark.parametrize("polish", [None, "swap"])
@pytest.mark.parametrize("search", ALL, ids=str)
@pytest.mark.parametrize("measure", [SHANNON, measures.Bayesian()], ids=str)
def test_a_search_that_was_stopped_goes_on_as_if_it_had_not_been(search, measure, polish, monkeypatch):
    """Again and again, wherever time runs out: rounds, front, scores and proof are those of one long search."""
    if "polish" in search.get_params():
        search = clone(search).set_params(polish=polish)
    is_long = isinstance(search, searches.Exhaustive) or polish is not None or "adaptive" in str(search)
    n_parts = in_parts(search, measure, 9, [600.0 if is_long else 100.0, 60.0], monkeypatch)
    if isinstance(search, searches.NSGA2) and polish is None:
        assert n_parts > 1


def in_parts(search, measure, n_columns, seconds, monkeypatch):
    """Hold a search that is stopped again and again, each time after so many seconds, to one that is not."""
    data = make_table(*make_data(60, n_columns))
    whole = clone(search).explore(measure.begin_sets(data, None), n_columns, [1])
    explored, n_parts = None, 0
    while explored is None or not explored.complete:
        state = Ticking(measure.begin_sets(data, None))
        monkeypatch.setattr("entropick.searches.subsets.scored.monotonic", lambda state=state: state.now)
        # A round must come to its end within the time.
        part = clone(search).set_params(start=explored, max_time=seconds[n_parts % len(seconds)])
        explored = part.explore(state, n_columns, [1])
        n_parts += 1
        assert n_parts < 100
    assert explored.pause is None
    assert plain_record(explored) == plain_record(whole)
    return n_parts


LONGER = [
    searches.NSGA2(n_evaluations=2000, population_size=20),
    searches.CrossEntropy(n_samples=60, max_rounds=20),
    searches.Swarm(n_particles=10, n_rounds=120),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("measure", [SHANNON, measures.Bayesian()], ids=str)
@pytest.mark.parametrize("search", LONGER, ids=str)
def test_a_stopped_search_goes_on_among_very_many_subsets(search, measure, seed, monkeypatch):
    """Where not all that is good is found in any case, and another seed has other rounds."""
    search = clone(search).set_params(random_state=seed)
    assert in_parts(search, measure, 40, [400.0, 300.0], monkeypatch) > 1


def test_resume_with_a_selector():
    """Ctrl-C, then on; groups included. The record says in words what it began with."""
    X, y = make_data()

    def interrupt(event, n_done, n_expected):
        if n_done >= 700:
            raise KeyboardInterrupt

    options = {"n_evaluations": 2000, "random_state": 3, "feature_groups": [[0, 1], [2, 3]]}
    whole = ep.BayesianEntropyFS(**options).fit(X, y)
    stopped = ep.BayesianEntropyFS(**options, on_interrupt="keep", progress=interrupt).fit(X, y)
    explored = stopped.selection_.exploration
    resumed = clone(ep.BayesianEntropyFS(**options, start=explored)).fit(X, y)
    assert len(stopped.history_) < len(whole.history_)
    assert not stopped.selection_.complete
    assert plain_record(resumed.selection_.exploration) == plain_record(whole.selection_.exploration)
    settings_of = resumed.selection_.to_dict()["settings"]["search"]["parameters"]
    assert settings_of["start"].endswith("rounds, stopped early")


def test_resume_is_refused_where_it_makes_no_sense():
    """On other data, other columns or by another search; the front serves as a start all the same."""
    X, y = make_data()
    stopped = ep.SwarmFS(max_time=1e-9, random_state=0).fit(X, y).selection_.exploration
    with pytest.raises(
        DataError, match=r"from Swarm over 12 columns with 0 fixed, but this is NSGA2 over 12 .*Hint"
    ):
        ep.BayesianEntropyFS(start=stopped).fit(X, y)
    with pytest.raises(DataError, match="this is Swarm over 11 with 0 fixed"):
        ep.SwarmFS(start=stopped).fit(X[:, :11], y)
    assert ep.BayesianEntropyFS(n_evaluations=300, start=stopped.front, random_state=0).fit(X, y).n_features_

    def interrupt(event, n_done, n_expected):
        if n_done >= 90:
            raise KeyboardInterrupt

    stopped = ep.SwarmFS(on_interrupt="keep", progress=interrupt, random_state=0).fit(X, y)
    X[:, stopped.order_] = 0
    with pytest.raises(
        DataError, match=r"can only be resumed on the same data.*Hint: start=exploration.front"
    ):
        ep.SwarmFS(start=stopped.selection_.exploration).fit(X, y)


def test_exhaustive_search_begins_with_a_bound():
    """A good subset of the size that is looked for spares others."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (120, 18))
    y = X[:, 5] ^ X[:, 9] ^ X[:, 13]
    data = make_table(X, y)
    counts = []
    for start in (None, [[5, 9, 13]]):
        found = run(data, SHANNON, search=searches.Exhaustive(start=start), cut="auto")
        assert sorted(found.order.tolist()) == [5, 9, 13]
        counts.append(found.exploration.history[-1].n_evaluated)
    assert counts[1] <= counts[0] + 1


def test_enumeration_of_neighbours_is_complete():
    """The naive list itself: every subset at a distance of one drop or one swap."""
    subset = {0, 2}
    found = {frozenset(other) for other in naive.neighbours(subset, 4, True)}
    every = [frozenset(s) for k in (1, 2) for s in itertools.combinations(range(4), k)]
    assert found == {
        s for s in every if (len(s) == 1 and s < subset) or (len(s) == 2 and len(s & subset) == 1)
    }

"""Searches over whole subsets find the right columns, end in time, and record what they did."""

import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
from entropick import measures, registry, searches
from entropick._base.threads import Threads
from entropick.exceptions import CombinationError
from entropick.searches.subsets.scored import ScoredSubsets
from helpers import make_table
from registered import is_random
from subset_searches import Counting, make_data

SET_SELECTORS = [
    ep.BayesianEntropyFS(
        n_evaluations=3000, estimator=DecisionTreeClassifier(random_state=0), random_state=0
    ),
    ep.CrossEntropyFS(n_samples=300, random_state=0),
    ep.CrossEntropyFS(sampling="adaptive", random_state=0),
    ep.SwarmFS(random_state=0),
]


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_finds_the_columns_that_decide(selector):
    X, y = make_data()
    found = selector.fit(X, y)
    assert {2, 5, 7} <= set(found.order_.tolist())
    assert found.selection_.complete
    assert len(found.selection_.exploration.history) > 1


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_number_of_columns_may_be_asked_for(selector):
    X, y = make_data()
    try:
        assert selector.set_params(n_features=5).fit(X, y).n_features_ == 5
        assert selector.set_params(n_features=0.25).fit(X, y).n_features_ == 3
    finally:
        selector.set_params(n_features="auto")


def test_progress_on_stderr(capsys):
    X, y = make_data()
    ep.SwarmFS(n_rounds=2, random_state=0, progress=True).fit(X, y)
    ep.CrossEntropyFS(n_samples=50, max_rounds=1, random_state=0, progress=True, n_features=2).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert lines[1].startswith("entropick: 60 subsets, best")
    assert lines[1].endswith("(100%)")
    assert lines[2].startswith("entropick: 50 subsets, best")


class Slow:
    """A measure that takes time for each subset, on a clock of its own: a second, or a share of it per column."""

    objectives, can_value_nothing = ("zeros",), True

    def __init__(self, is_monotone=False, seconds=lambda sizes: np.ones(len(sizes))):
        self.now = 0.0
        self.is_monotone = is_monotone
        self._seconds = seconds

    def values(self, subsets):
        self.now += self._seconds(subsets.sum(axis=1)).sum()
        return (~subsets).sum(axis=1)[:, None].astype(float)


ENDLESS = [
    *(kind() for name, kind in registry.SEARCHES.items() if kind.explores and name != "exhaustive"),
    searches.CrossEntropy(sampling="adaptive"),
    searches.NSGA2(n_evaluations=100, polish="swap"),
    searches.Swarm(n_particles=300),
    searches.Swarm(n_particles=20, n_rounds=1, polish="swap"),
    searches.Exhaustive(max_columns=30),
]
ENDLESS = [search.set_params(random_state=0) if is_random(search) else search for search in ENDLESS]


PACES = {
    "a second each": lambda sizes: np.ones(len(sizes)),
    "by size": lambda sizes: sizes / 20,
    "by size, fast": lambda sizes: sizes / 2000,
}


@pytest.mark.parametrize(
    ("search", "is_monotone"), [*((search, False) for search in ENDLESS), (ENDLESS[-1], True)], ids=str
)
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("max_time", [3, 30, 140])
def test_time_limit_within_a_round(search, pace, is_monotone, max_time, monkeypatch):
    """A round that takes longer than there is time ends with the subsets scored so far, within 5 % or a subset."""
    state = Slow(is_monotone, PACES[pace])
    monkeypatch.setattr("entropick.searches.subsets.scored.monotonic", lambda: state.now)
    found = clone(search).set_params(max_time=max_time).explore(state, 30, [])
    if found.complete:  # there was time for all
        assert state.now < max_time
        return
    slowest = PACES[pace](np.array([30]))[0]
    assert max_time <= state.now + 1e-9
    assert state.now <= max(1.05 * max_time, max_time + slowest)
    assert found.history[-1].n_evaluated >= min(max_time, 3)
    assert found.history[-1].best[0] == found.front.objectives[0, 0]


@pytest.mark.parametrize(
    "search", [searches.NSGA2(random_state=0), searches.Swarm(n_particles=300, random_state=0)], ids=str
)
def test_time_limit_of_work_between_scorings(search, monkeypatch):
    """What a search does with its subsets is not begun where it would not come to an end; nearly a tenth of it here."""
    state = Slow(seconds=lambda sizes: np.full(len(sizes), 0.01))
    admit = ScoredSubsets.admit

    def slow_admit(scored, subsets, rng):
        state.now += 2.9
        return admit(scored, subsets, rng)

    monkeypatch.setattr(ScoredSubsets, "admit", slow_admit)
    monkeypatch.setattr("entropick.searches.subsets.scored.monotonic", lambda: state.now)
    found = clone(search).set_params(max_time=30).explore(state, 2000, [])
    assert not found.complete
    assert 0.95 * 30 <= state.now <= 1.05 * 30


def test_cross_entropy_draws_the_same_in_blocks_of_any_size(monkeypatch):
    """The first round is what one array of random numbers gives; small blocks change nothing at all."""
    n_columns = 13

    class Recording:
        objectives = ("nothing",)
        seen = np.empty((0, n_columns), bool)

        def values(self, subsets):
            self.seen = np.concatenate([self.seen, subsets])
            return np.abs(subsets @ np.arange(n_columns) - 20.0)[:, None]

    histories = []
    for size in (1 << 22, 200):
        monkeypatch.setattr("entropick.searches.subsets.cross_entropy.BLOCK_BYTES", size)
        state = Recording()
        search = searches.CrossEntropy(n_samples=100, random_state=5, max_rounds=6)
        histories.append(search.explore(state, n_columns, [4]).history)
        rng = np.random.RandomState(5)
        expected = rng.random_sample((100, n_columns)) < np.where(np.arange(n_columns) == 4, 1, 0.5)
        first = state.seen[: len({row.tobytes() for row in expected})]
        assert {row.tobytes() for row in first} == {row.tobytes() for row in expected}
    whole, blocks = histories
    assert [entry.probabilities.tolist() for entry in whole] == [
        entry.probabilities.tolist() for entry in blocks
    ]
    assert [str(entry) for entry in whole] == [str(entry) for entry in blocks]


def test_cross_entropy_gives_empty_subsets_a_column():
    """Where no column is drawn one is, as in other searches."""
    scored = ScoredSubsets(Counting(), 11, [])
    drawing = searches.CrossEntropy(n_samples=40).begin_run(scored, np.random.RandomState(0))
    drawing._found.probabilities[:] = 0.0
    drawn = drawing._draw(40)
    subsets = np.array([drawn.subset(at) for at in range(40)])
    assert drawn.sizes.tolist() == subsets.sum(axis=1).tolist() == [1] * 40
    assert len(set(subsets.argmax(axis=1))) > 5


def peak_megabytes(task):
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_of_wide_tables():
    """Neither the cross-entropy method nor the range of Bayesian entropies holds a table of its own."""
    search = searches.CrossEntropy(random_state=0, max_rounds=1, n_samples=2500)
    assert peak_megabytes(lambda: search.explore(Counting(), 20_000, [])) < 60
    X, y = np.arange(24_000).reshape(4, 6000) % 3, np.arange(4)
    table = make_table(X, y)
    assert peak_megabytes(lambda: measures.Bayesian().begin_sets(table, Threads(1))) < 25


@pytest.mark.parametrize(
    ("selector", "sentence"),
    [
        (
            ep.BayesianEntropyFS(alpha=-1),
            "'alpha' parameter of BayesianEntropyFS must be a float in the range",
        ),
        (ep.BayesianEntropyFS(population_size=3), "'population_size' parameter .* in the range \\[4, inf"),
        (ep.BayesianEntropyFS(n_evaluations=50), "n_evaluations must be at least population_size, got .*=50"),
        (ep.BayesianEntropyFS(domain="joint"), "'domain' parameter of BayesianEntropyFS must be a str among"),
        (ep.CrossEntropyFS(zeta=1.0), "'zeta' parameter of CrossEntropyFS must be a float in the range \\(0"),
        (ep.CrossEntropyFS(zeta=0), "'zeta' parameter of CrossEntropyFS must be a float in the range \\(0"),
        (ep.CrossEntropyFS(quantile=2), "'quantile' parameter of CrossEntropyFS must be"),
        (ep.SwarmFS(n_particles=1), "'n_particles' parameter of SwarmFS must be an int in the range \\[2"),
        (
            ep.SwarmFS(measure="jmi"),
            "The search Swarm needs a set measure, but JMI is of kind removal and step",
        ),
        (ep.SwarmFS(on_interrupt="stop"), "'on_interrupt' parameter of SwarmFS must be a str among"),
    ],
)
def test_bad_parameters(selector, sentence):
    X, y = make_data(60, 8)
    with pytest.raises(ValueError, match=sentence):
        selector.fit(X, y)


def test_cuts_of_subsets_need_a_search_over_subsets():
    X, y = make_data(60, 8)
    with pytest.raises(
        CombinationError, match=r"Front chooses among whole subsets, but the search Forward .* Hint"
    ):
        ep.select(X, y, measure="jmi", cut="front")


@pytest.mark.parametrize("search", ["nsga2", "cross_entropy", "swarm"])
@pytest.mark.parametrize(
    "measure", ["renyi", "bayesian", "neighborhood_entropy", "pairwise_balance", "joint_balance"]
)
def test_any_search_takes_any_set_measure(search, measure):
    """By name; a measure of two objectives serves searches for one by the sum of both."""
    X, y = make_data(80, 7)
    small = {
        "nsga2": searches.NSGA2(200),
        "cross_entropy": searches.CrossEntropy(n_samples=60),
        "swarm": "swarm",
    }
    selection = ep.select(X, y, measure=measure, search=small[search], cut=2, random_state=0)
    assert len(selection.order) == 2
    assert selection.exploration.front.subsets.any(axis=1).all()

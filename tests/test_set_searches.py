"""Searches over whole subsets find what is there, end when they should, and say what they did."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
import naive
from entropick import cuts, measures, searches
from entropick._kernels import pareto
from entropick.exceptions import CombinationError, SelectionWarning
from entropick.exploration import Draw, Generation, ParetoFront
from entropick.searches.nsga2 import Archive, Population
from entropick.searches.scored import ScoredSubsets
from entropick.threads import Threads
from helpers import make_table

SET_SELECTORS = [
    ep.BayesianEntropyFS(
        n_evaluations=3000, estimator=DecisionTreeClassifier(random_state=0), random_state=0
    ),
    ep.CrossEntropyFS(n_samples=300, random_state=0),
    ep.CrossEntropyFS(sampling="adaptive", random_state=0),
    ep.SwarmFS(random_state=0),
]


def make_data(n_rows=400, n_columns=12):
    """Two columns decide by exclusive or, one more shifts the classes, the rest is noise."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (n_rows, 12))
    y = ((X[:, 2] > 0) ^ (X[:, 5] > 1)) + (X[:, 7] == 2)
    return X[:, 12 - n_columns :], y


# -- fronts ----------------------------------------------------------------------------------

POINTS = hnp.arrays(np.float64, st.tuples(st.integers(1, 40), st.just(2)), elements=st.integers(0, 6))


@given(POINTS)
def test_ranks(points):
    """Ranks are those of comparing all points with each other, equal points included."""
    ranks = np.empty(len(points), np.int64)
    pareto.front_ranks(points, np.lexsort((points[:, 1], points[:, 0])), ranks)
    assert ranks.tolist() == naive.front_ranks(points.tolist())


def test_crowding():
    """The ends are infinitely far, others as far as their neighbours of the same rank are apart."""
    points = np.array([[0, 4], [1, 2], [3, 1], [4, 0], [3, 3], [5, 5]], float)
    order, ranks = np.lexsort((points[:, 1], points[:, 0])), np.array([0, 0, 0, 0, 1, 2])
    distances = np.empty(6)
    pareto.crowding(points, order, ranks, distances)
    assert distances.tolist() == [math.inf, 3 + 3, 3 + 2, math.inf, math.inf, math.inf]


@given(POINTS)
def test_archive_keeps_what_nothing_beats(points):
    """One subset for each pair of objectives that no other dominates, the smallest one."""
    subsets = np.array([[int(bit) for bit in f"{i:06b}"] for i in range(1, len(points) + 1)], bool)
    archive = Archive(6)
    for half in (slice(0, len(points) // 2), slice(len(points) // 2, None)):
        archive.update(subsets[half], points[half])
    best = {tuple(p) for p, rank in zip(points, naive.front_ranks(points.tolist()), strict=True) if rank == 0}
    assert [tuple(value) for value in archive.values] == sorted(best)
    for subset, value in zip(archive.subsets, archive.values, strict=True):
        assert subset.sum() == subsets[(points == value).all(axis=1)].sum(axis=1).min()


@given(POINTS, st.integers(0, 100))
def test_archive_does_not_see_rounding(points, seed):
    """Points moved by less than rounding can tell leave the archive with the same subsets."""
    subsets = np.array([[int(bit) for bit in f"{i:06b}"] for i in range(1, len(points) + 1)], bool)
    noise = np.random.default_rng(seed).uniform(-1e-14, 1e-14, points.shape)
    exact, rounded = Archive(6), Archive(6)
    for some in np.array_split(np.arange(len(points)), 3):
        exact.update(subsets[some], points[some])
        rounded.update(subsets[some], (points + noise)[some])
    assert rounded.subsets.tolist() == exact.subsets.tolist()


def test_swarm_does_not_see_rounding():
    """Of subsets that differ by rounding only the smaller is better, for a particle and for all of them."""

    class Rounding:
        objectives = ("nothing",)

        def values(self, subsets):
            return 1e-15 * (subsets.shape[1] - subsets.sum(axis=1))[:, None]  # more columns seem better

    found = searches.Swarm(random_state=0).explore(Rounding(), 8, [])
    assert found.front.sizes.tolist() == [1]
    drawn = searches.CrossEntropy(n_samples=50, max_rounds=3, random_state=0).explore(Rounding(), 8, [])
    sizes = [entry.size for entry in drawn.history]
    assert sizes == sorted(sizes, reverse=True)


def test_swarm_keeps_the_densities_it_starts_with():
    """A particle draws about as many columns in the second round as in the first, unless it is pulled."""
    scored = ScoredSubsets(Counting(), 2000, [])
    swarm = searches.Swarm(own_pull=0, common_pull=0)._begin(scored, np.random.RandomState(0))
    first = swarm._subsets.mean(axis=1)
    swarm._move()
    second = swarm._subsets.mean(axis=1)
    assert np.ptp(first) > 0.8
    assert np.abs(first - second).max() < 0.1


def test_population_does_not_see_rounding():
    """A subset that is better by rounding in one objective and worse in the other has a higher rank."""
    values = np.array([[0.0, 1.0], [-1e-15, 2.0], [1.0, 0.0]])
    scored = ScoredSubsets(Problem(3), 3, [])
    population = Population(scored, np.random.RandomState(0), 3, 100)
    population._archive.update(np.eye(3, dtype=bool), values)
    population._survive(np.eye(3, dtype=bool), values * [3, 9])
    assert population._ranks.tolist() == [0, 0, 1]
    assert population._subsets.tolist() == np.eye(3, dtype=bool)[[0, 2, 1]].tolist()


def test_knee():
    """The corner of a front that bends, the nearest to the origin where none bends."""
    labels = ("a", "b")
    bent = np.array([[0.0, 1.0], [0.1, 0.2], [0.5, 0.15], [1.0, 0.0]])
    assert ParetoFront(np.eye(4, dtype=bool), bent, bent, labels).knee() == 1
    straight = np.array([[0.0, 1.0], [0.4, 0.6], [1.0, 0.0]])
    assert ParetoFront(np.eye(3, dtype=bool), straight, straight, labels).knee() == 1
    single = np.array([[0.3, 0.3]])
    assert ParetoFront(np.eye(1, dtype=bool), single, single, labels).knee() == 0


class Problem:
    """A measure of bit strings with a front that is known."""

    objectives = ("zeros", "cost")

    def __init__(self, n):
        self.costs = np.arange(1, n + 1) ** 1.3

    def values(self, subsets):
        return np.column_stack([(~subsets).sum(axis=1), subsets @ self.costs])

    def normalized(self, values):
        return values / [len(self.costs), self.costs.sum()]


def hypervolume(points, corner):
    points = points[np.argsort(points[:, 0])]
    widths = np.diff(np.append(points[:, 0], corner[0]))
    return float((widths * (corner[1] - points[:, 1])).sum())


@pytest.mark.parametrize("seed", range(3))
def test_front_of_36_bits(seed):
    """The whole true front is found, so no other algorithm can reach a larger hypervolume."""
    problem = Problem(36)
    search = searches.NSGA2(n_evaluations=36_000, random_state=seed)
    front = search.explore(problem, 36, []).front
    truth = np.array([[36 - k, problem.costs[:k].sum()] for k in range(1, 37)])
    corner = np.array([37, problem.costs.sum() + 1])
    assert hypervolume(front.objectives, corner) >= 0.99999 * hypervolume(truth, corner)


def exhaustive_front(state, n_columns):
    subsets = np.array(list(itertools.product([False, True], repeat=n_columns)))[1:]
    values = state.values(subsets)
    archive = Archive(n_columns)
    archive.update(subsets, values)
    return archive.values


@pytest.mark.parametrize("prior", [(0, "dependent"), (1.0, "dependent"), (1.0, "independent")], ids=str)
def test_front_equals_the_exhaustive_one(prior):
    """On 12 columns, in at least 9 of 10 seeds."""
    X, y = make_data()
    state = measures.Bayesian(*prior).begin(make_table(X, y), Threads(1))
    truth = exhaustive_front(state, 12)
    fronts = [searches.NSGA2(random_state=seed).explore(state, 12, []).front for seed in range(10)]
    assert sum(np.array_equal(front.objectives, truth) for front in fronts) >= 9


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


def test_of_equally_good_subsets_the_smaller_survives():
    """Ranks fall with size where both objectives are equal, up to rounding."""
    subsets = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]], bool)
    values = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0 + 1e-15], [1.0, 1.0 - 1e-15], [0.5, 2.0]])
    population = Population(ScoredSubsets(Problem(4), 4, []), np.random.RandomState(0), 5, 100)
    population._survive(subsets, values)
    ranks = {tuple(np.flatnonzero(s)): r for s, r in zip(population._subsets, population._ranks, strict=True)}
    assert ranks == {(0,): 0, (1,): 0, (2, 3): 0, (0, 1): 1, (0, 1, 2): 2}


def test_growing_keeps_to_its_share_of_the_evaluations():
    """Few evaluations leave none for growing; the first generation is then random, with subsets of all sizes."""
    state = Problem(60)
    search = searches.NSGA2(n_evaluations=400, population_size=100, random_state=0)
    assert search.explore(state, 60, []).history[0].n_evaluated == 100
    search = searches.NSGA2(n_evaluations=2000, population_size=100, random_state=0)
    first = search.explore(state, 60, [3]).history[0]
    assert first.n_evaluated == 59 + 58 + 57 + 100  # three columns grown, 200 evaluations are a tenth
    population = searches.NSGA2(n_evaluations=100)._begin(
        ScoredSubsets(state, 60, []), np.random.RandomState(0)
    )
    sizes = population._first().sum(axis=1)
    assert (sizes <= 2).sum() > 10
    assert (sizes > 30).sum() > 10


def test_nothing_that_tells_subsets_apart():
    """Identifiers are all alike: a warning says so, and one of them is kept."""
    X, y = np.array([np.random.default_rng(j).permutation(8) for j in range(5)]).T, np.arange(8) % 2
    with pytest.warns(
        SelectionWarning, match=r"All \d+ subsets evaluated are equally good.*= 0 and .*= 3.*Hint"
    ):
        found = ep.BayesianEntropyFS(n_evaluations=500, random_state=0).fit(X, y)
    assert found.n_features_ == 1


def test_front_of_a_single_objective():
    """The share of columns is the second objective: the best subset of each size."""
    X, y = make_data()
    front = ep.select(X, y, measure=measures.Renyi(1), search="nsga2", random_state=0).exploration.front
    assert front.labels == ("H(y|S)", "share of columns")
    assert front.objectives[:, 1].tolist() == (front.sizes / 12).tolist()
    assert front.subsets[front.sizes == 3].tolist() == [[j in (2, 5, 7) for j in range(12)]]


# -- the memory of scored subsets ------------------------------------------------------------


class Counting:
    objectives = ("size",)

    def __init__(self):
        self.n_computed = 0

    def values(self, subsets):
        self.n_computed += len(subsets)
        return subsets.sum(axis=1)[:, None].astype(float)


def test_subsets_are_scored_once(monkeypatch):
    state = Counting()
    scored = ScoredSubsets(state, 10, [])
    subsets = np.random.default_rng(0).random((50, 10)) < 0.5
    twice = np.concatenate([subsets, subsets])
    assert np.array_equal(scored.values(twice)[:, 0], twice.sum(axis=1))
    assert state.n_computed == len(np.unique(subsets, axis=0))
    scored.values(subsets)
    assert state.n_computed == len(np.unique(subsets, axis=0))
    assert scored.n_asked == 150


def test_memory_of_subsets_is_bounded(monkeypatch):
    """The older half goes when it is full; values stay right."""
    monkeypatch.setattr("entropick.searches.scored.MEMORY_BYTES", 20 * 260)
    scored = ScoredSubsets(Counting(), 10, [])
    for seed in range(20):
        subsets = np.random.default_rng(seed).random((15, 10)) < 0.5
        assert np.array_equal(scored.values(subsets)[:, 0], subsets.sum(axis=1))
        assert len(scored._known) <= 20


# -- selectors -------------------------------------------------------------------------------


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_finds_the_columns_that_decide(selector):
    X, y = make_data()
    found = selector.fit(X, y)
    assert {2, 5, 7} <= set(found.order_.tolist())
    assert found.selection_.complete
    assert len(found.selection_.exploration.history) > 1


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_same_result_for_any_number_of_threads(selector):
    X, y = make_data()
    first, second = (selector.set_params(n_jobs=n_jobs).fit(X, y).selection_ for n_jobs in (1, 2))
    assert np.array_equal(first.order, second.order)
    assert first.exploration.to_dict() == second.exploration.to_dict()


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_seed_decides(selector, monkeypatch):
    """The same seed looks at the same subsets, another one at others."""
    X, y = make_data()
    asked = []
    values = ScoredSubsets.values
    monkeypatch.setattr(
        ScoredSubsets,
        "values",
        lambda self, subsets: asked[-1].append(subsets.tobytes()) or values(self, subsets),
    )
    for seed in (1, 1, 2):
        asked.append([])
        clone(selector).set_params(random_state=seed).fit(X, y)
    assert asked[0] == asked[1]
    assert asked[0] != asked[2]


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_number_of_columns_may_be_asked_for(selector):
    X, y = make_data()
    try:
        assert selector.set_params(n_features=5).fit(X, y).n_features_ == 5
        assert selector.set_params(n_features=0.25).fit(X, y).n_features_ == 3
    finally:
        selector.set_params(n_features="auto")


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_fixed_columns_and_groups(selector):
    """Fixed columns are in every subset; groups come or go together."""
    X, y = make_data()
    try:
        selector.set_params(fixed_features=[11], feature_groups=[[2, 3], [5, 6]])
        found = selector.fit(X, y)
        order, subsets = found.order_.tolist(), found.selection_.exploration.front.subsets
        assert order[0] == 11
        assert subsets[:, 11].all()
        assert np.array_equal(subsets[:, 2], subsets[:, 3])
        assert np.array_equal(subsets[:, 5], subsets[:, 6])
        assert {2, 3, 5, 6} & set(order)
    finally:
        selector.set_params(fixed_features=None, feature_groups=None)


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_progress_shows_the_best_so_far(selector):
    X, y = make_data()
    events = []
    try:
        selector.set_params(progress=lambda *event: events.append(event)).fit(X, y)
    finally:
        selector.set_params(progress=None)
    rounds = [event[0] for event in events]
    assert all(isinstance(round_, Generation) for round_ in rounds)
    assert [event[1] for event in events] == [round_.n_evaluated for round_ in rounds]
    bests = [round_.best[0] for round_ in rounds]
    assert bests == sorted(bests, reverse=True)
    assert "subsets, best" in str(rounds[-1])


def test_progress_on_stderr(capsys):
    X, y = make_data()
    ep.SwarmFS(n_rounds=2, random_state=0, progress=True).fit(X, y)
    ep.CrossEntropyFS(n_samples=50, max_rounds=1, random_state=0, progress=True, n_features=2).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert lines[1].startswith("entropick: 60 subsets, best")
    assert lines[1].endswith("(100%)")
    assert lines[2].startswith("entropick: 50 subsets, best")


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_time_limit(selector):
    """The search ends with the best so far, and says that it is not complete."""
    X, y = make_data()
    try:
        found = selector.set_params(max_time=1e-9).fit(X, y)
    finally:
        selector.set_params(max_time=None)
    assert not found.selection_.complete
    assert found.n_features_ >= 1
    assert len(found.selection_.exploration.history) == 1


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
    searches.CrossEntropy(random_state=0),
    searches.CrossEntropy(sampling="adaptive", random_state=0),
    searches.NSGA2(random_state=0),
    searches.NSGA2(n_evaluations=100, polish="swap", random_state=0),
    searches.Swarm(n_particles=300, random_state=0),
    searches.Swarm(n_particles=20, n_rounds=1, polish="swap", random_state=0),
    searches.Exhaustive(max_columns=30),
    searches.BestFirst(),
]
PACES = {
    "a second each": lambda sizes: np.ones(len(sizes)),
    "by size": lambda sizes: sizes / 20,
    "by size, fast": lambda sizes: sizes / 2000,
}


@pytest.mark.parametrize(
    ("search", "is_monotone"), [*((search, False) for search in ENDLESS), (ENDLESS[-2], True)], ids=str
)
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("max_time", [3, 30, 140])
def test_time_limit_within_a_round(search, pace, is_monotone, max_time, monkeypatch):
    """A round that takes longer than there is time ends with the subsets scored so far, within 5 % or a subset."""
    state = Slow(is_monotone, PACES[pace])
    monkeypatch.setattr("entropick.searches.scored.monotonic", lambda: state.now)
    found = clone(search).set_params(max_time=max_time).explore(state, 30, [])
    if found.complete:  # there was time for all
        assert state.now < max_time
        return
    slowest = PACES[pace](np.array([30]))[0]
    assert max_time <= state.now + 1e-9
    assert state.now <= max(1.05 * max_time, max_time + slowest)
    assert found.history[-1].n_evaluated >= min(max_time, 3)
    assert found.history[-1].best[0] == found.front.objectives[0, 0]


@pytest.mark.parametrize("search", ENDLESS[2:6:2], ids=str)
def test_time_limit_of_work_between_scorings(search, monkeypatch):
    """What a search does with its subsets is not begun where it would not come to an end; nearly a tenth of it here."""
    state = Slow(seconds=lambda sizes: np.full(len(sizes), 0.01))
    admit = ScoredSubsets.admit

    def slow_admit(scored, subsets, rng):
        state.now += 2.9
        return admit(scored, subsets, rng)

    monkeypatch.setattr(ScoredSubsets, "admit", slow_admit)
    monkeypatch.setattr("entropick.searches.scored.monotonic", lambda: state.now)
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
        monkeypatch.setattr("entropick.searches.cross_entropy.BLOCK_BYTES", size)
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
    drawing = searches.CrossEntropy(n_samples=40)._begin(scored, np.random.RandomState(0))
    drawing._probabilities[:] = 0.0
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


def test_memory_of_wide_tables():
    """Neither the cross-entropy method nor the range of Bayesian entropies holds a table of its own."""
    search = searches.CrossEntropy(random_state=0, max_rounds=1, n_samples=2500)
    assert peak_megabytes(lambda: search.explore(Counting(), 20_000, [])) < 60
    X, y = np.arange(24_000).reshape(4, 6000) % 3, np.arange(4)
    table = make_table(X, y)
    assert peak_megabytes(lambda: measures.Bayesian().begin(table, Threads(1))) < 25


@pytest.mark.parametrize("selector", SET_SELECTORS, ids=str)
def test_ctrl_c(selector):
    """Ctrl-C ends the fit, or only the search if asked."""
    X, y = make_data()

    def interrupt(event, n_done, n_expected):
        if n_done >= 400:
            raise KeyboardInterrupt

    try:
        selector.set_params(progress=interrupt)
        with pytest.raises(KeyboardInterrupt):
            selector.fit(X, y)
        found = selector.set_params(on_interrupt="keep").fit(X, y)
    finally:
        selector.set_params(progress=None, on_interrupt="raise")
    assert not found.selection_.complete
    assert found.n_features_ >= 1


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


# -- the Bayesian front ----------------------------------------------------------------------


def test_front_record():
    X, y = make_data()
    found = ep.BayesianEntropyFS(n_evaluations=3000, random_state=0).fit(X, y)
    front = found.front_
    assert front.subsets.dtype == bool
    assert front.subsets.shape == (len(front), 12)
    assert front.objectives.shape == front.normalized.shape == (len(front), 2)
    assert (np.diff(front.objectives[:, 0]) > 0).all()
    assert (np.diff(front.objectives[:, 1]) < 0).all()
    for subset, (of_y, of_columns) in zip(front.subsets[:5], front.objectives[:5], strict=True):
        assert of_columns == pytest.approx(ep.bayesian_entropy(X[:, subset]))
        assert of_y == pytest.approx(ep.bayesian_conditional_entropy(y, X[:, subset]))
    assert found.get_support().tolist() == front.subsets[front.knee()].tolist()
    frame = front.to_frame("pandas")
    assert frame["size"].tolist() == front.sizes.tolist()
    assert list(frame.columns) == ["H_B(y|S)", "H_B(S)", "size", "columns"]


def test_estimator_chooses_from_the_front():
    """The subset of the front with the best score; of equal ones the smallest."""
    X, y = make_data()
    tree = DecisionTreeClassifier(random_state=0)
    found = ep.BayesianEntropyFS(n_evaluations=3000, random_state=0, estimator=tree, cv="train").fit(X, y)
    chosen = found.get_support()
    front = found.front_
    scores = [tree.fit(X[:, s], y).score(X[:, s], y) for s in front.subsets]
    best = max(scores)
    smallest = min(size for size, score in zip(front.sizes, scores, strict=True) if score == best)
    assert tree.fit(X[:, chosen], y).score(X[:, chosen], y) == best
    assert chosen.sum() == smallest


def test_front_plot():
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = make_data()
    found = ep.BayesianEntropyFS(n_evaluations=500, random_state=0).fit(X, y)
    ax = found.plot()
    assert ax.get_xlabel() == "H_B(y|S) (bits)"
    assert f"{found.n_features_} columns" in ax.get_legend().get_texts()[0].get_text()
    _, mine = plt.subplots()
    assert found.front_.plot(mine) is mine
    plt.close("all")


def test_history_plot():
    """A line per column where the rounds have probabilities, else one of the best values."""
    plt = pytest.importorskip("matplotlib.pyplot")
    shared = {"n_evaluated": 10, "best": (0.5,), "size": 2}
    draw = Draw(
        **shared, gamma=0.6, elite_size=2.0, elite_share=0.1, n_drawn=10, probabilities=np.full(3, 0.4)
    )
    ax = ep.plot_history([draw, draw])
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.4, 0.4]] * 3
    assert [line.get_xdata().tolist() for line in ax.lines] == [[1, 2]] * 3
    _, mine = plt.subplots()
    assert ep.plot_history([Generation(**shared)] * 4, mine) is mine
    assert mine.lines[0].get_ydata().tolist() == [0.5] * 4
    plt.close("all")


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


# -- the cross-entropy method ----------------------------------------------------------------


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


# -- the swarm and other cuts ----------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.5, 2, 3, math.inf])
def test_no_entropy_is_shown_without_a_minus_sign(alpha):
    """0 is 0 for every order, and an estimator that is always wrong scores 0."""
    X, y = make_data()
    state = measures.Renyi(alpha).begin(make_table(np.column_stack([X, y]), y), Threads(1))
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


def test_sizes_to_try_are_few():
    sizes = cuts.best_size.sizes_to_try(2000)
    assert sizes[:32] == [*range(1, 31), 36, 43]
    assert sizes[-1] == 2000
    assert cuts.best_size.sizes_to_try(3) == [1, 2, 3]
    assert len(sizes) < 60

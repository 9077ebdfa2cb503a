"""Fronts of subsets: the archive, NSGA-II, the Bayesian front and its record."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.datasets import load_digits
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
import naive
from entropick import _core, measures, searches
from entropick._base.threads import Threads
from entropick.exceptions import SelectionWarning
from entropick.records.exploration import Draw, Generation, ParetoFront
from entropick.searches.subsets.archive import Archive
from entropick.searches.subsets.nsga2 import Population
from entropick.searches.subsets.scored import ScoredSubsets
from helpers import make_table
from subset_searches import Counting, make_data

# -- fronts ----------------------------------------------------------------------------------

POINTS = hnp.arrays(np.float64, st.tuples(st.integers(1, 40), st.just(2)), elements=st.integers(0, 6))


@given(POINTS)
def test_ranks(points):
    """Ranks are those of comparing all points with each other, equal points included."""
    ranks = np.empty(len(points), np.int64)
    _core.front_ranks(points, np.lexsort((points[:, 1], points[:, 0])), ranks)
    assert ranks.tolist() == naive.front_ranks(points.tolist())


def test_crowding():
    """The ends are infinitely far, others as far as their neighbours of the same rank are apart."""
    points = np.array([[0, 4], [1, 2], [3, 1], [4, 0], [3, 3], [5, 5]], float)
    order, ranks = np.lexsort((points[:, 1], points[:, 0])), np.array([0, 0, 0, 0, 1, 2])
    distances = np.empty(6)
    _core.crowding(points, order, ranks, distances)
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
    swarm = searches.Swarm(own_pull=0, common_pull=0).begin_run(scored, np.random.RandomState(0))
    first = swarm._found.subsets.mean(axis=1)
    swarm._move()
    second = swarm._found.subsets.mean(axis=1)
    assert np.ptp(first) > 0.8
    assert np.abs(first - second).max() < 0.1


def test_population_does_not_see_rounding():
    """A subset that is better by rounding in one objective and worse in the other has a higher rank."""
    values = np.array([[0.0, 1.0], [-1e-15, 2.0], [1.0, 0.0]])
    scored = ScoredSubsets(Problem(3), 3, [])
    population = Population(scored, np.random.RandomState(0), 3, 100)
    population._found.archive.update(np.eye(3, dtype=bool), values)
    population._survive(np.eye(3, dtype=bool), values * [3, 9])
    assert population._found.ranks.tolist() == [0, 0, 1]
    assert population._found.subsets.tolist() == np.eye(3, dtype=bool)[[0, 2, 1]].tolist()


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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_front_of_36_bits(seed):
    """The whole true front is found, so no other algorithm can reach a larger hypervolume."""
    problem = Problem(36)
    search = searches.NSGA2(n_evaluations=36_000, random_state=seed)
    front = search.explore(problem, 36, []).front
    truth = np.array([[36 - k, problem.costs[:k].sum()] for k in range(1, 37)])
    corner = np.array([37, problem.costs.sum() + 1])
    assert hypervolume(front.objectives, corner) >= 0.99999 * hypervolume(truth, corner)


@pytest.mark.parametrize(("seed", "size"), [(0, 6), (1, 7), (2, 20)])
def test_printed_nsga2_draw_by_draw(seed, size):
    """The paper's algorithm on a real table, replayed on lists: the same population, the same archive."""
    X, y = make_data(60, 5)
    state = measures.Bayesian(0.1).begin_sets(make_table(X, y), Threads(1))

    def values_of(subset):
        return tuple(state.normalized(state.values(np.array([subset])))[0].round(11).tolist())

    n_generations = 9
    search = searches.NSGA2(
        population_size=size, n_evaluations=size * n_generations, variant="paper", random_state=seed
    )
    scored = ScoredSubsets(state, 5, [])
    run = search.begin_run(scored, np.random.RandomState(seed))
    while run.advance() is not None:
        pass
    population, archive = naive.nsga2(values_of, 5, size, n_generations, np.random.RandomState(seed))
    assert run._found.subsets.tolist() == population
    front = search.explore(state, 5, []).front
    assert {values_of(subset) for subset in front.subsets.tolist()} == archive


def test_printed_nsga2_takes_initial_subsets_and_fixed_columns():
    X, y = make_data()
    options = {"n_evaluations": 400, "population_size": 20, "variant": "paper", "random_state": 0}
    found = ep.BayesianEntropyFS(**options, fixed_features=[3], start=[[2, 5, 7]]).fit(X, y)
    assert found.front_.subsets[:, 3].all()
    assert found.selection_.exploration.history[0].n_evaluated == 20
    assert found.front_.objectives[0, 0] < 1e-9  # the subset to begin with determines y
    assert ep.BayesianEntropyFS(**options).fit(X, y).front_.objectives[0, 0] >= 0


@pytest.mark.parametrize("ties", ["smallest", "first"])
def test_ties_of_training_accuracy(ties):
    """Of equally good subsets the smallest is taken, or the first of the front, of the lowest H_B(y|S)."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 9))
    y = X[:, 0] ^ (rng.random(80) < 0.2)
    estimator = DecisionTreeClassifier(random_state=0)
    options = {"n_evaluations": 2000, "random_state": 0, "estimator": estimator, "cv": "train"}
    selector = ep.BayesianEntropyFS(**options, ties=ties).fit(X, y)
    front = selector.front_
    accuracy = np.array([estimator.fit(X[:, s], y).score(X[:, s], y) for s in front.subsets])
    best = np.flatnonzero(accuracy == accuracy.max())
    assert len(best) > 1
    assert front.sizes[best[0]] > front.sizes[best].min()
    chosen = best[0] if ties == "first" else best[front.sizes[best].argmin()]
    assert selector.get_support().tolist() == front.subsets[chosen].tolist()


def exhaustive_front(state, n_columns):
    subsets = np.array(list(itertools.product([False, True], repeat=n_columns)))[1:]
    values = state.values(subsets)
    archive = Archive(n_columns)
    archive.update(subsets, values)
    return archive.values


@pytest.mark.parametrize("prior", [(0, "dependent"), (1.0, "dependent"), (1.0, "independent")], ids=str)
@pytest.mark.slow
def test_front_equals_the_exhaustive_one(prior):
    """On 12 columns, in at least 9 of 10 seeds."""
    X, y = make_data()
    state = measures.Bayesian(*prior).begin_sets(make_table(X, y), Threads(1))
    truth = exhaustive_front(state, 12)
    fronts = [searches.NSGA2(random_state=seed).explore(state, 12, []).front for seed in range(10)]
    assert sum(np.array_equal(front.objectives, truth) for front in fronts) >= 9


def test_front_of_wide_tables():
    """Nearly every large subset determines y: the front still has several sizes, and tells y as a swarm does."""
    X, y = load_digits(return_X_y=True)
    X = X[:300] > 4
    front = ep.BayesianEntropyFS(n_evaluations=10_000, random_state=0).fit(X, y[:300]).front_
    swarm = ep.SwarmFS(measure="bayesian", random_state=0).fit(X, y[:300]).selection_.exploration.front
    assert front.sizes.min() == 1
    assert len(np.unique(front.sizes)) >= 8
    assert front.sizes.max() < 0.5 * X.shape[1]
    assert front.objectives[:, 0].min() <= swarm.objectives[0, 0] + 1e-12


def test_of_equally_good_subsets_the_smaller_survives():
    """Ranks fall with size where both objectives are equal, up to rounding."""
    subsets = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]], bool)
    values = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0 + 1e-15], [1.0, 1.0 - 1e-15], [0.5, 2.0]])
    population = Population(ScoredSubsets(Problem(4), 4, []), np.random.RandomState(0), 5, 100)
    population._survive(subsets, values)
    ranks = {
        tuple(np.flatnonzero(s)): r
        for s, r in zip(population._found.subsets, population._found.ranks, strict=True)
    }
    assert ranks == {(0,): 0, (1,): 0, (2, 3): 0, (0, 1): 1, (0, 1, 2): 2}


def test_growing_keeps_to_its_share_of_the_evaluations():
    """Few evaluations leave none for growing; the first generation is then random, with subsets of all sizes."""
    state = Problem(60)
    search = searches.NSGA2(n_evaluations=400, population_size=100, random_state=0)
    assert search.explore(state, 60, []).history[0].n_evaluated == 100
    search = searches.NSGA2(n_evaluations=2000, population_size=100, random_state=0)
    first = search.explore(state, 60, [3]).history[0]
    assert first.n_evaluated == 59 + 58 + 57 + 100  # three columns grown, 200 evaluations are a tenth
    population = searches.NSGA2(n_evaluations=100).begin_run(
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
    monkeypatch.setattr("entropick.searches.subsets.scored.MEMORY_BYTES", 20 * 260)
    scored = ScoredSubsets(Counting(), 10, [])
    for seed in range(20):
        subsets = np.random.default_rng(seed).random((15, 10)) < 0.5
        assert np.array_equal(scored.values(subsets)[:, 0], subsets.sum(axis=1))
        assert len(scored._known) <= 20


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

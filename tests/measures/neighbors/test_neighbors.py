"""Measures by near rows: neighbours, neighborhood entropy, NEFS and SNEFS."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.neighbors import NearestNeighbors

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.exceptions import CombinationError
from entropick.measures.neighbors import exact_neighbors, lsh_neighbors
from entropick.measures.neighbors.lsh import bucket_rows, tables_of_paper
from helpers import make_coordinates
from near_rows import mixed, points
from strategies import examples

HYPERSPHERES = {5, 9, 19, 21, 43, 52, 86}
SEEDS = st.integers(0, 10_000)


# -- the space -------------------------------------------------------------------------------


def test_units_do_not_decide():
    """Columns in other units give the same space, at any scaling."""
    X, _ = points(0)
    for scaling in ("range", "std", "rank"):
        first, second = make_coordinates(X, scaling), make_coordinates(X * [1, 1e3, 1e-3, 7, 1] + 5, scaling)
        assert np.allclose(first.values, second.values, atol=1e-5)


def test_expected_distance_of_missing_values():
    """A missing value is as far away as two random rows are, number or category."""
    frame, rows, kinds = mixed(0)
    space = make_coordinates(frame)
    expected = naive.expected_distances(naive.scale_to_range(rows, kinds), kinds)
    assert space.expected[[0, 2]] == pytest.approx(np.array(expected)[[0, 2]], rel=1e-5)


def test_constant_and_empty_columns_have_no_extent():
    """Constant columns and columns without values are at distance 0 everywhere."""
    space = make_coordinates(np.array([[3.0, np.nan], [3.0, np.nan], [3.0, np.nan]]))
    assert (space.values[0] == 0).all()
    assert space.expected[1] == 0


# -- neighbours ------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["l1", "l2"])
def test_exact_neighbors_equal_scikit_learn(metric):
    """All nearest rows, on more rows than one tile."""
    X, _ = points(1, n=1300, d=7)
    space = make_coordinates(X)
    found = exact_neighbors(space, 6, Threads(2), metric)
    reference = NearestNeighbors(n_neighbors=6, metric="manhattan" if metric == "l1" else "euclidean")
    expected = reference.fit(space.values.T).kneighbors(return_distance=False)
    assert (found == expected).mean() > 0.999  # distances that differ in the last digit may swap


def recall(found, exact):
    return np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found, exact, strict=True)])


@pytest.mark.parametrize("metric", ["l1", "l2"])
def test_hashing_finds_most_neighbors_and_more_with_more_tables(metric):
    """Recall grows with the tables; with buckets as large as the data it is complete."""
    X, _ = points(2, n=2000, d=4)
    space, threads = make_coordinates(X), Threads(1)
    exact = exact_neighbors(space, 10, threads, metric)

    def found(n_tables, bucket_size=25):
        rng = np.random.default_rng(0)
        return lsh_neighbors(
            space, 10, threads, n_tables=n_tables, bucket_size=bucket_size, rng=rng, metric=metric
        )

    few, many = recall(found(2), exact), recall(found(40), exact)
    assert few < many
    assert many > 0.8
    assert recall(found(3, bucket_size=200_000), exact) > 0.999


def test_hashing_is_deterministic_and_never_finds_the_row_itself():
    """The same seed gives the same neighbours for any number of threads."""
    X, _ = points(3, n=500)
    space = make_coordinates(X)
    runs = [
        lsh_neighbors(space, 20, Threads(jobs), n_tables=3, bucket_size=5, rng=np.random.default_rng(7))
        for jobs in (1, 2)
    ]
    assert np.array_equal(*runs)
    assert not (runs[0] == np.arange(500)[:, None]).any()
    assert all(len(set(row)) == 20 for row in runs[0])


def test_tables_of_the_paper():
    """L ≈ n^(1/(1+ε)), which is 2 for 5,000 rows and ε = 15."""
    assert tables_of_paper(5000, 15) == 2
    assert tables_of_paper(5000, 1) == 71


# -- neighborhood entropy --------------------------------------------------------------------


@examples(20)
@given(seed=SEEDS, k=st.integers(1, 6))
def test_neighborhood_entropy_equals_naive(seed, k):
    """Over every row, and over rows in random order without those seen before."""
    X, y = points(seed, classes=3)
    expected = naive.neighborhood_entropy(y.tolist(), X.tolist(), k)
    assert ep.neighborhood_entropy(y, X, k, every_row=True) == pytest.approx(expected, abs=1e-6)
    rng = np.random.default_rng(np.random.RandomState(seed).randint(np.iinfo(np.int32).max))
    order = rng.permutation(len(y)).tolist()
    expected = naive.neighborhood_entropy(y.tolist(), X.tolist(), k, order)
    assert ep.neighborhood_entropy(y, X, k, random_state=seed) == pytest.approx(expected, abs=1e-6)


@examples(10)
@given(seed=SEEDS)
def test_neighborhood_entropy_of_mixed_columns(seed):
    """Categories and missing values count as documented."""
    frame, rows, kinds = mixed(seed)
    y = np.random.default_rng(seed).integers(0, 2, len(rows))
    expected = naive.neighborhood_entropy(y.tolist(), rows, 3, kinds=kinds)
    assert ep.neighborhood_entropy(y, frame, 3, every_row=True) == pytest.approx(expected, abs=1e-6)


def test_figure_1_of_the_paper():
    """Near 1 bit for random labels, near 0 for a corner of the square.

    Five rows of random labels hold 0.83 bits on average; larger neighbourhoods come closer to 1.
    """

    def mean_entropy(labels, k):
        draws = [ep.datasets.make_nefs_figure1(labels, random_state=seed) for seed in range(20)]
        return np.mean([ep.neighborhood_entropy(y, X, k, random_state=0) for X, y in draws])

    assert mean_entropy("random", 4) == pytest.approx(0.83, abs=0.05)
    assert mean_entropy("random", 30) > 0.95
    assert mean_entropy("corner", 4) < 0.2


def test_permuted_labels_raise_the_entropy():
    """Labels that do not fit the columns look more mixed."""
    X, _ = points(0, n=300)
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    shuffled = np.random.default_rng(0).permutation(y)
    assert ep.neighborhood_entropy(y, X) < ep.neighborhood_entropy(shuffled, X)


def test_row_order_changes_nothing_without_ties():
    """Over every row the entropy is a property of the set of rows."""
    X, y = points(0, n=200)
    order = np.random.default_rng(0).permutation(200)
    values = [ep.neighborhood_entropy(y[o], X[o], every_row=True) for o in (order, order[::-1])]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


# -- NEFS and SNEFS --------------------------------------------------------------------------


def test_corral_snefs_finds_the_causes():
    """Table II: SNEFS picks A0, A1, B0, B1 in at least 19 of 20 seeds, not the correlated C."""
    X, y = ep.datasets.make_corral()
    picks = [set(ep.SNEFS(n_features=4, random_state=seed).fit(X, y).order_) for seed in range(20)]
    assert sum(pick == {0, 1, 2, 3} for pick in picks) >= 19


@pytest.mark.slow
def test_hyperspheres_by_snefs():
    """At least 5 of the 7 columns that matter are found for every seed."""
    found = []
    for seed in range(4):
        X, y = ep.datasets.make_hyperspheres(random_state=seed)
        selector = ep.SNEFS(n_features=7, random_state=seed, n_jobs=2).fit(X, y)
        found.append(len(HYPERSPHERES & set(selector.order_)))
    assert min(found) >= 5


def test_hyperspheres_by_relieff_and_nefs():
    """ReliefF finds at most 3 of the 7 columns, exact NEFS at least 5 (on a part of the noise, for time)."""
    X, y = ep.datasets.make_hyperspheres(random_state=0)
    assert len(HYPERSPHERES & set(ep.ReliefF(n_features=7, n_jobs=2).fit(X, y).order_)) <= 3
    few = np.r_[sorted(HYPERSPHERES), 0:5, 30:40]
    nefs = ep.NEFS(n_features=7, index="exact", random_state=0, n_jobs=2).fit(X[:2500][:, few], y[:2500])
    assert sum(j < 7 for j in nefs.order_) >= 5


@pytest.mark.parametrize(
    "measure",
    [
        measures.NeighborhoodEntropy(random_state=0),
        measures.NeighborhoodEntropy(index="exact", random_state=0),
        measures.NeighborhoodEntropy(per_subset=True, random_state=0),
        measures.NeighborhoodEntropy(per_subset=True, index="exact", random_state=0),
    ],
    ids=["snefs-lsh", "snefs-exact", "nefs-lsh", "nefs-exact"],
)
def test_all_indexes_agree_for_threads_and_subsets(measure):
    """Threads change nothing, and the entropy along the path equals that of the subset at once."""
    X, y = points(5, n=150, d=6, classes=3)
    y = (X[:, 1] * 3).astype(int)
    runs = [ep.select(X, y, measure=measure, cut=4, n_jobs=jobs) for jobs in (1, 2, 8)]
    paths = [[(s.column, s.score, s.residual) for s in run.steps] for run in runs]
    assert paths[0] == paths[1] == paths[2]
    assert runs[0].order[0] == 1
    from helpers import make_table

    state = measure.begin_steps(make_table(X, y, needs=frozenset({Need.DISTANCES})), Threads(1))
    subsets = np.zeros((3, 6), dtype=bool)
    subsets[1, runs[0].order[:1]] = True
    subsets[2, runs[0].order[:3]] = True
    values = state.values(subsets)
    assert values[0] == pytest.approx(ep.entropy(y))
    assert values[1] == pytest.approx(runs[0].steps[0].residual, abs=1e-6)
    assert values[2] == pytest.approx(runs[0].steps[2].residual, abs=1e-6)


def test_ties_fall_on_other_rows_each_time_whatever_the_number_of_rows():
    """Noise with all rows equally near has the same neighborhood entropy for 7919 rows as for 7920."""
    found = []
    for n in (7919, 7920):
        X, y = np.zeros((n, 1)), np.random.default_rng(0).integers(0, 2, n)
        measure = measures.NeighborhoodEntropy(index="exact", per_subset=True, every_row=True, random_state=0)
        found.append(ep.select(X, y, measure=measure).scores[0])
    assert found[0] == pytest.approx(found[1], abs=0.01)


def test_exact_nefs_steps_equal_naive():
    """Each step's entropy is that of the picked columns, over the rows visited in the same order."""
    X, y = points(8, n=60, d=4)
    selection = ep.select(
        X, y, measure=measures.NeighborhoodEntropy(per_subset=True, index="exact", every_row=True), cut=3
    )
    for i, step in enumerate(selection.steps):
        rows = X[:, selection.order[: i + 1]].tolist()
        assert step.residual == pytest.approx(naive.neighborhood_entropy(y.tolist(), rows, 4), abs=1e-6)


def test_one_hot_block_as_a_group():
    """A group is as far as its columns together."""
    rng = np.random.default_rng(0)
    cause = rng.integers(0, 3, 200)
    X = np.column_stack([rng.random((200, 3)), np.eye(3)[cause]])
    selector = ep.NEFS(n_features=1, index="exact", feature_groups=[[3, 4, 5]], random_state=0).fit(X, cause)
    assert selector.order_.tolist() == [3, 4, 5]


def test_wrong_arguments_of_the_function():
    """neighborhood_entropy checks what it is given."""
    with pytest.raises(ValueError, match="n_neighbors must be a whole number of at least 1, got 0"):
        ep.neighborhood_entropy([0, 1], [1.0, 2.0], n_neighbors=0)
    with pytest.raises(ValueError, match="scaling must be one of range, std, rank, None, got 'foo'"):
        ep.neighborhood_entropy([0, 1], [1.0, 2.0], scaling="foo")


def test_auto_index_of_nefs():
    """Exact for few rows, hashed for many."""
    measure = measures.NeighborhoodEntropy(index="auto")
    assert measure.is_exact_for(10_000)
    assert not measure.is_exact_for(10_001)


def test_auto_is_exact_where_it_says_so(monkeypatch):
    """The default of NEFS takes the same neighbours as the exact index up to 10,000 rows, and hashes beyond."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)

    def scores(index):
        steps = ep.NEFS(n_features=4, index=index, random_state=0).fit(X, y).selection_.steps
        return [(step.column, step.score) for step in steps]

    assert scores("auto") == scores("exact") != scores("lsh")
    monkeypatch.setattr("entropick.measures.neighbors.neighborhood.MAX_ROWS_EXACT", 100)
    assert scores("auto") == scores("lsh")


def test_hashing_of_mostly_equal_rows():
    """Projections that are mostly the same are put into buckets without overflow, the others beside them."""
    X = np.zeros((500, 2))
    X[:40] = np.random.default_rng(0).normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    selector = ep.NEFS(n_features=2, index="lsh", random_state=0).fit(X, y)
    assert selector.order_[0] == 0


def test_threshold_keeps_positive_weights():
    """n_features="threshold" keeps columns with a weight above 0."""
    X, _ = points(0, n=300, d=6)
    y = (X[:, 1] > 0.5).astype(int)
    selector = ep.ReliefF(n_features="threshold").fit(X, y)
    assert selector.order_[0] == 1
    assert (selector.scores_[selector.order_] > 0).all()


# -- degenerate data -------------------------------------------------------------------------

SELECTORS = [
    ep.SNEFS(n_features=2, random_state=0),
    ep.SNEFS(n_features=2, index="exact", random_state=0),
    ep.NEFS(n_features=2, index="lsh", random_state=0),
    ep.NEFS(n_features=2, index="exact", random_state=0),
    ep.ReliefF(n_features=2),
]


@pytest.mark.filterwarnings("ignore:The target has only one class")
@pytest.mark.parametrize("selector", SELECTORS, ids=str)
@pytest.mark.parametrize("case", ["few rows", "constant", "duplicates", "tiny class", "one class", "missing"])
def test_degenerate_data(selector, case):
    """More neighbours than rows, constant columns, equal rows, a class of one row, one class, a column of gaps."""
    X, y = points(0, n=30, d=4)
    if case == "few rows":
        X, y = X[:3], np.array([0, 1, 0])
    elif case == "constant":
        X[:, 1:] = 7.0
    elif case == "duplicates":
        X[:] = X[0]
    elif case == "tiny class":
        y = np.zeros(30, dtype=int)
        y[4] = 1
    elif case == "one class":
        y = np.zeros(30, dtype=int)
    else:
        X[:, 2] = np.nan
    fitted = selector.fit(X, y)
    assert len(set(fitted.order_)) == 2
    assert np.isfinite(fitted.scores_[fitted.order_]).all()


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_one_row_and_infinite_values_are_refused(selector):
    """One clear sentence."""
    with pytest.raises(ValueError, match="at least two rows"), pytest.warns(match="only one class"):
        selector.fit([[1.0, 2.0]], [0])
    with pytest.raises(ValueError, match="Column 'x1' holds an infinite value"):
        selector.fit([[1.0, np.inf], [2.0, 3.0]], [0, 1])


# -- whole buckets -----------------------------------------------------------------------------


def test_buckets_hold_all_rows_of_equal_projection():
    """Rows in four places: the buckets of a row hold the rows of its place, and none of them is left out."""
    place = np.arange(80) % 4
    space = make_coordinates(np.column_stack([place * 10.0, place % 2 * 5.0]))
    rows, is_there = bucket_rows(space, 3, n_tables=2, bucket_size=2, rng=np.random.default_rng(0))
    for i in range(80):
        mates = set(rows[i][is_there[i]].tolist())
        assert i not in mates
        assert mates >= set(np.flatnonzero(place == place[i]).tolist()) - {i}
        assert len(mates) == is_there[i].sum()


def test_short_buckets_are_filled_up():
    """Each row has at least as many others as asked for, no row twice."""
    space = make_coordinates(points(0, n=60, d=4)[0])
    rows, is_there = bucket_rows(space, 7, n_tables=1, bucket_size=2, rng=np.random.default_rng(0))
    sizes = is_there.sum(axis=1)
    assert sizes.min() == 7
    assert sizes.max() == rows.shape[1]
    for i in range(60):
        mates = rows[i][is_there[i]].tolist()
        assert len(set(mates)) == len(mates)
        assert i not in mates


def test_snefs_on_one_bucket_of_all_rows_is_exact():
    """A bucket that holds every row leaves nothing to hashing: scores are those of all rows as candidates."""
    X, y = points(3, n=50)
    order = np.random.default_rng(np.random.RandomState(5).randint(np.iinfo(np.int32).max)).permutation(50)
    measure = measures.NeighborhoodEntropy(
        n_candidates="bucket", n_tables=1, bucket_size=5000, random_state=5
    )
    selection = ep.select(X, y, measure=measure, cut=3)
    picked = []
    for step in selection.steps:
        picked.append(step.column)
        expected = naive.neighborhood_entropy(y.tolist(), X[:, picked].tolist(), 4, order.tolist())
        assert naive.entropy(y.tolist()) - step.score == pytest.approx(expected, abs=1e-6)


def test_snefs_by_buckets():
    """The same for a seed and any threads, also for whole subsets; an exact index has no buckets."""
    X, y = ep.datasets.make_corral()
    fits = [ep.SNEFS(4, n_candidates="bucket", random_state=0, n_jobs=jobs).fit(X, y) for jobs in (1, 2)]
    assert np.array_equal(fits[0].scores_, fits[1].scores_, equal_nan=True)
    swarm = ep.SwarmFS(
        measure=measures.NeighborhoodEntropy(n_candidates="bucket"), n_rounds=2, random_state=0
    ).fit(X, y)
    assert swarm.n_features_ >= 1
    for index in ("exact", "auto"):
        with pytest.raises(CombinationError, match=r"takes the rows of hash buckets, but index='\w+'\. Hint"):
            ep.SNEFS(2, n_candidates="bucket", index=index).fit(X, y)

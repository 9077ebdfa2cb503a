"""Inf-FS: scores against the power series, weights by cross-validation, custom graphs."""

import itertools

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
from hypothesis import given, strategies as st
from sklearn.datasets import load_breast_cancer

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from entropick.counting.surprisal import Surprisal
from entropick.exceptions import DataError, SelectionWarning
from entropick.measures._shared.moments import centred_ranks, typical_skewness
from entropick.measures.graphs import graph as graphs
from entropick.measures.graphs.tuning import choose_by_svm
from graph_tables import numbers, scores
from helpers import as_sparse, columns_of, make_numbers, make_table
from strategies import examples, tables

SCALINGS = st.sampled_from([None, "range", "std"])


REGULARIZATIONS = ["spectral", "markov"]


TRIPLES = [(0.3, 0.3, 0.4), (1, 0, 0), (0, 1, 0), (0, 0, 1)]


# -- Inf-FS ----------------------------------------------------------------------------------


@pytest.mark.parametrize("regularization", REGULARIZATIONS)
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
@examples(10)
@given(data=tables(min_rows=2, max_rows=25), seed=st.integers(0, 100), scaling=SCALINGS)
def test_unsupervised_scores_equal_the_power_series(alpha, regularization, data, seed, scaling):
    """Paths of all lengths summed term by term, dense and sparse, with ties, copies and constants."""
    measure = measures.InfFS(alpha=alpha, regularization=regularization, scaling=scaling)
    for X in (data[0], numbers(seed, n_columns=8)[0]):
        graph = naive.inffs_graph(columns_of(X), alpha, scaling)
        expected = naive.path_scores(graph, regularization)
        for container in (X, as_sparse(X)):
            assert scores(make_table(container, None), measure) == pytest.approx(expected, abs=1e-8, rel=1e-8)


@pytest.mark.parametrize("regularization", REGULARIZATIONS)
@pytest.mark.parametrize("alpha", TRIPLES)
@examples(10)
@given(data=tables(min_rows=2, max_rows=25), seed=st.integers(0, 100), scaling=SCALINGS)
def test_supervised_scores_equal_the_power_series(alpha, regularization, data, seed, scaling):
    """The closed form of the rank-one graph agrees with the sum over its paths."""
    measure = measures.InfFS(alpha=alpha, regularization=regularization, scaling=scaling)
    for X, y in (data, numbers(seed)):
        columns = columns_of(X)
        s = naive.inffs_weights(columns, columns, list(y), alpha, scaling)
        expected = naive.path_scores(np.outer(s, s), regularization)
        for container in (X, as_sparse(X)):
            assert scores(make_table(container, y), measure) == pytest.approx(expected, abs=1e-8, rel=1e-8)


@pytest.mark.parametrize("regularization", REGULARIZATIONS)
def test_closed_form_equals_the_full_solve(regularization):
    """(I − r s sᵀ)⁻¹ e − e by solving, by a Krylov space and in closed form."""
    s = np.random.default_rng(0).uniform(0, 1, 40)
    A = np.outer(s, s)
    r = 0.9 / (s @ s if regularization == "spectral" else A.sum(axis=1).max())
    expected = np.linalg.solve(np.eye(40) - r * A, np.ones(40)) - 1
    assert graphs.product_path_scores(s, regularization) == pytest.approx(expected, rel=1e-12)
    assert graphs.path_scores(graphs.MatrixGraph(np.outer(s, s)), regularization) == pytest.approx(
        expected, rel=1e-10
    )


def test_supervised_ranking_is_that_of_the_weights():
    """A has rank one, so all scores are s times one number, whatever the regularisation."""
    X, y = numbers(0)
    orders = [ep.InfFS(12, regularization=r).fit(X, y).order_ for r in REGULARIZATIONS]
    s = naive.inffs_weights(columns_of(X), columns_of(_levels(X)), list(y), (0.3, 0.3, 0.4))
    found = ep.InfFS(12).fit(X, y).scores_
    assert found == pytest.approx(s * 9 * s.sum() / (s @ s))
    assert np.array_equal(*orders)


def _levels(X):
    """The columns as the selector bins them."""
    from entropick.table import Rules, encode

    return np.column_stack(list(encode(X, rules=Rules.for_rows(len(X)))[0]))


def test_regularisations_differ_without_a_target():
    """The paper says both give the same ranking; for the unsupervised graph they do not."""
    from sklearn.datasets import load_breast_cancer

    X, _ = load_breast_cancer(return_X_y=True)
    spectral, markov = (
        ep.InfFS(30, alpha=0.3, regularization=r, scaling=None).fit(X) for r in REGULARIZATIONS
    )
    tau = scipy.stats.kendalltau(spectral.scores_, markov.scores_).statistic
    assert 0.9 < tau < 1
    assert not np.array_equal(spectral.order_, markov.order_)


@given(data=tables(max_rows=40))
def test_spearman_with_ties_equals_scipy(data):
    """Products of centred ranks are scipy's rank correlations."""
    X, _ = data
    ranks = centred_ranks(make_numbers(X), Threads(1))
    for i, j in itertools.combinations(range(X.shape[1]), 2):
        size = np.linalg.norm(ranks[i]) * np.linalg.norm(ranks[j])
        if size:
            expected = scipy.stats.spearmanr(X[:, i], X[:, j]).statistic
            assert ranks[i] @ ranks[j] / size == pytest.approx(expected, abs=1e-12)
        else:
            assert len(set(X[:, i])) == 1 or len(set(X[:, j])) == 1


@pytest.mark.parametrize("n_columns", [1, 2, 511, 512, 513, 1100])
def test_panels_make_one_matrix(n_columns):
    """The correlation matrix in panels multiplies like the whole one."""
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.integers(0, 9, (20, n_columns)).astype(float))
    X[:, n_columns // 2] = 3.0
    ranks = centred_ranks(X, Threads(1))
    size = np.linalg.norm(ranks, axis=1)
    varies = np.outer(size > 0, size > 0)
    whole = np.where(varies, 1 - np.abs(ranks @ ranks.T) / np.maximum(np.outer(size, size), 1e-9), 0.0)
    vector = rng.normal(size=n_columns)
    assert graphs.Dissimilarity(X, Threads(1)).dot(vector) == pytest.approx(whole @ vector, abs=1e-9)


def test_larger_of_two():
    """max(x_i, x_j) is multiplied without its matrix, ties included."""
    rng = np.random.default_rng(0)
    values, vector = rng.integers(0, 5, 50) / 4, rng.normal(size=50)
    expected = np.maximum.outer(values, values) @ vector
    assert graphs.LargerOf(values).dot(vector) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_krylov_on_awkward_graphs(seed):
    """Graphs in pieces, without edges at some nodes, or with eigenvalues of both signs."""
    rng = np.random.default_rng(seed)
    pieces = scipy.linalg.block_diag(*(rng.random((k, k)) for k in (1, 4, 7)), np.zeros((3, 3)))
    two_sided = np.block([[np.zeros((5, 5)), rng.random((5, 6))], [np.zeros((6, 11))]])
    path = np.diag(np.ones(14), 1)
    for half in (pieces, two_sided, path):
        A = half + half.T
        for regularization in REGULARIZATIONS:
            expected = naive.path_scores(A, regularization)
            found = graphs.path_scores(graphs.MatrixGraph(A), regularization)
            assert found == pytest.approx(expected, abs=1e-9)


def test_graph_that_does_not_settle_says_so(monkeypatch):
    """Less precise scores come with a warning."""
    monkeypatch.setattr(graphs, "LONGEST", 3)
    A = np.diag(np.ones(199), 1)
    with pytest.warns(SelectionWarning, match="did not converge"):
        graphs.path_scores(graphs.MatrixGraph(A + A.T), "spectral")


@pytest.mark.parametrize("selector", [ep.InfFS, ep.ECFS])
@pytest.mark.parametrize("with_y", [True, False])
def test_units_decide_without_scaling_only(selector, with_y):
    """Other units leave the scores as they are; without scaling the column in the smallest unit wins."""
    X, y = numbers(3)
    target = y if with_y or selector is ep.ECFS else None
    units = np.array([1.0, 1, 1, 1, 1, 1, 1, 1e6, 1e-3, 1, 1, 1])
    for scaling in ("range", "std"):
        expected = selector(12, scaling=scaling).fit(X, target).scores_
        assert selector(12, scaling=scaling).fit(X * units, target).scores_ == pytest.approx(expected)
    assert selector(12, scaling=None).fit(X * units, target).order_[0] == 7


@pytest.mark.parametrize("selector", [ep.InfFS, ep.ECFS])
def test_a_copy_of_the_label_comes_first(selector):
    """Among columns of far larger numbers, too."""
    X, y = load_breast_cancer(return_X_y=True)
    X = np.column_stack([X, y])
    assert selector(3).fit(X, y).order_[0] == X.shape[1] - 1


@pytest.mark.slow
@pytest.mark.parametrize(("n_rows", "kept"), [(40, 0), (500, 1_500_000)])  # single and double precision
def test_blocks_made_anew_are_the_same(monkeypatch, n_rows, kept):
    """Nothing or a part of the correlation matrix is kept: the same scores, bit for bit."""
    X, _ = numbers(1, n_rows=n_rows, n_columns=1200)
    monkeypatch.setattr(graphs, "WIDTH", 1024)
    with Threads(2) as threads:
        expected = scores(make_table(X, None), "inffs", threads=threads)
        monkeypatch.setattr(graphs, "KEPT_BYTES", kept)
        assert np.array_equal(scores(make_table(X, None), "inffs", threads=threads), expected)
        monkeypatch.setattr(graphs, "WAVE", 2)
        found = scores(make_table(X, None), "inffs", threads=threads)
    assert found == pytest.approx(expected, rel=1e-12)


def test_single_precision_only_where_it_is_exact():
    """Sums of products of 369 ranks are exact in single precision; from 370 on they are made in double."""
    for n_rows, expected in ((369, np.float32), (370, np.float64)):
        X = np.asfortranarray(np.random.default_rng(0).normal(size=(n_rows, 5)))
        assert graphs.Dissimilarity(X, Threads(1))._ranks.dtype == expected


@pytest.mark.slow
def test_memory_of_a_wide_graph(monkeypatch):
    """12,000 columns with a quarter of the 288 MB that all pairs would take."""
    import tracemalloc

    monkeypatch.setattr(graphs, "KEPT_BYTES", 10_000_000)
    X = np.asfortranarray(np.random.default_rng(0).integers(0, 9, (3, 12_000)).astype(float))
    tracemalloc.start()
    try:
        graphs.Dissimilarity(X, Threads(1)).dot(np.ones(12_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 72_000_000


@pytest.mark.slow
def test_threads_and_blocks_change_nothing():
    """The unsupervised scores are the same bit for bit."""
    X, _ = numbers(1, n_rows=200, n_columns=600)
    expected = scores(make_table(X, None), "inffs")
    for n_jobs, block_items in ((2, None), (8, 3), (1, 1)):
        with Threads(n_jobs, block_items) as threads:
            assert np.array_equal(scores(make_table(X, None), "inffs", threads=threads), expected)


def test_supervised_follows_y():
    """ "auto" looks at y where it is given; False leaves it out; True insists."""
    X, y = numbers(0)
    without = ep.InfFS(5).fit(X)
    assert np.array_equal(ep.InfFS(5, supervised=False).fit(X, y).scores_, without.scores_, equal_nan=True)
    assert np.array_equal(
        ep.InfFS(5, supervised=True).fit(X, y).scores_, ep.InfFS(5).fit(X, y).scores_, equal_nan=True
    )
    assert without.alpha_ == 0.5
    assert ep.InfFS(5).fit(X, y).alpha_ == (0.3, 0.3, 0.4)
    with pytest.raises(DataError, match=r"needs a target, but y is None\. Hint"):
        ep.InfFS(5, supervised=True).fit(X)


@pytest.mark.parametrize("alpha", [0.5, (0.5, 0.5), (-1, 1, 1), (0, 0, 0), (np.nan, 1, 1), (np.inf, 1, 1)])
def test_wrong_weights_of_the_supervised_graph(alpha):
    X, y = numbers(0)
    with pytest.raises(DataError, match=r"takes three weights.* got alpha=.*\. Hint"):
        ep.InfFS(5, alpha=alpha).fit(X, y)


@pytest.mark.parametrize("alpha", [(0.3, 0.3, 0.4), [1.5], []])
def test_wrong_weights_of_the_unsupervised_graph(alpha):
    X, _ = numbers(0)
    with pytest.raises(DataError, match=r"takes one weight in \[0, 1\], got alpha=.*\. Hint"):
        ep.InfFS(5, alpha=alpha).fit(X)


def test_only_proportions_of_the_weights_matter():
    X, y = numbers(0)
    a, b = (ep.InfFS(12, alpha=alpha).fit(X, y).scores_ for alpha in ((3, 3, 4), (0.3, 0.3, 0.4)))
    assert a == pytest.approx(b, rel=1e-12)


# -- other graphs ------------------------------------------------------------------------------


@pytest.mark.parametrize("regularization", REGULARIZATIONS)
@pytest.mark.parametrize("diversity", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_diverse_scores_equal_the_power_series(diversity, regularization, seed):
    """The supervised graph mixed with dissimilarity, dense and sparse."""
    X, y = numbers(seed)
    columns = columns_of(X)
    s = naive.inffs_weights(columns, columns, list(y), (0.3, 0.3, 0.4))
    expected = naive.path_scores(naive.diverse_graph(s, columns, diversity), regularization)
    measure = measures.InfFS(diversity=diversity, regularization=regularization)
    for container in (X, as_sparse(X)):
        assert scores(make_table(container, y), measure) == pytest.approx(expected, abs=1e-8, rel=1e-8)


def test_diversity_puts_repetitions_back():
    """Eight near copies of the best column lead alone; with diversity the other good column does."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    good = y + rng.normal(size=300) * 0.5
    X = np.column_stack([*(good + rng.normal(size=300) * 0.02 for _ in range(8)), y + rng.normal(size=300)])
    assert ep.InfFS(9).fit(X, y).order_[-1] == 8
    assert ep.InfFS(9, diversity=0.8).fit(X, y).order_[0] == 8


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("scaling", [None, "range"])
@pytest.mark.parametrize("seed", range(3))
def test_released_scores_without_a_target(alpha, scaling, seed):
    """The authors' program, entry by entry and by inversion; also with fewer columns than its sum needs."""
    measure = measures.InfFS(alpha=alpha, variant="released", scaling=scaling)
    for n_columns in (12, 7):
        X, _ = numbers(seed, n_columns=n_columns)
        expected = naive.released_scores(naive.released_graph(columns_of(X), None, None, alpha, scaling))
        assert scores(make_table(X, None), measure) == pytest.approx(expected, rel=1e-8)
    two = numbers(seed)[0][:, [0, 1]]
    expected = naive.released_scores(naive.released_graph(columns_of(two), None, None, alpha, scaling))
    assert scores(make_table(two, None), measure) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("alpha", TRIPLES)
@pytest.mark.parametrize("seed", range(3))
def test_released_scores_with_a_target(alpha, seed):
    """As printed in the program, and mutual information has hardly a say."""
    X, y = numbers(seed)
    columns = columns_of(X)
    graph = naive.released_graph(columns, columns, list(y), alpha, None)
    measure = measures.InfFS(alpha=alpha, variant="released", scaling=None)
    found = scores(make_table(X, y), measure)
    assert found == pytest.approx(naive.released_scores(graph), rel=1e-8)
    first_steps = graph.sum(axis=1)
    assert np.corrcoef(found, first_steps)[0, 1] > 0.999


def test_released_cuts_by_the_histogram():
    """`cut` says what "auto" means; None follows the variant."""
    X, y = numbers(0)
    released = ep.InfFS(variant="released").fit(X, y)
    assert released.selection_.settings["cut"]["name"] == "Histogram"
    assert released.n_features_ == naive.high_bars(released.scores_.tolist())
    assert ep.InfFS().fit(X).selection_.settings["cut"]["name"] == "MeanShift"
    for cut, name in (("histogram", "Histogram"), ("mean_shift", "MeanShift")):
        assert ep.InfFS(cut=cut, variant="released").fit(X, y).selection_.settings["cut"]["name"] == name
    with pytest.raises(ValueError, match="'cut' parameter of InfFS"):
        ep.InfFS(cut="count").fit(X, y)


def test_released_factor_ends_at_200000_columns():
    with pytest.raises(DataError, match=r"fewer than 200,000 columns, got 200000.*Hint"):
        graphs.released_path_scores(graphs.OuterProduct(np.ones(200_000), np.ones(200_000)))


@pytest.mark.parametrize(
    ("with_y", "options"),
    [(False, {}), (False, {"alpha": 1.0}), (True, {}), (True, {"diversity": 0.3}), (True, {"variant": "released"}),
     (False, {"variant": "released"}), (False, {"graph": np.ones((12, 12)) - np.eye(12)})],
)  # fmt: skip
def test_explanations_add_up(with_y, options):
    """Shares of terms add to one; partners and their shares are the largest entries of the full matrix."""
    X, y = numbers(0)
    state = measures.InfFS(**options).begin_steps(make_table(X, y if with_y else None), Threads(1))
    A = state._graph.rows(np.arange(12))
    assert A @ np.arange(12.0) == pytest.approx(state._graph.dot(np.arange(12.0)), abs=1e-10)
    explanation = state.conclude(range(12))["explanation"]
    for j, score in enumerate(state.scores):
        found = explanation.of_column(j, [str(i) for i in range(12)], score)
        assert sum(found.shares.values()) == pytest.approx(1 if score > 1e-9 else 0)
        weights = A[j] * (1 + state.scores)
        weights = np.delete(weights / (weights.sum() or 1), j)
        shown = [share for _, share in found.partners]
        assert len(shown) == min(10, (weights > 0).sum())
        assert shown == pytest.approx(np.sort(weights)[::-1][: len(shown)], rel=1e-9)
        for name, share in found.partners:
            assert share == pytest.approx(weights[int(name) - (int(name) > j)], rel=1e-9)


def test_shares_are_what_a_term_contributes():
    """Without y: r α max(σ, σ) (e + č) is the part of spread in č."""
    X, _ = numbers(2)
    fitted = ep.InfFS(5, alpha=0.3).fit(X)
    spread = np.array(naive.relative_spread(columns_of(X), "range"))
    part = 0.3 * np.maximum.outer(spread, spread) @ (1 + fitted.scores_)
    whole = naive.inffs_graph(columns_of(X), 0.3) @ (1 + fitted.scores_)
    for j in range(12):
        assert fitted.explain(j).shares["spread"] == pytest.approx(part[j] / whole[j], rel=1e-6)
    unselected = int(np.flatnonzero(~fitted.support_)[0])
    assert fitted.explain(unselected).partners == ()
    assert "spread" in str(fitted.explain(f"x{fitted.order_[0]}"))
    assert fitted.selection_.to_dict()["learned"]["explanation"].startswith("spread 0.")


def test_explanations_of_groups_and_wrong_columns():
    X, y = numbers(0)
    fitted = ep.InfFS(3, feature_groups=[[0, 7], [1, 8]]).fit(X, y)
    assert all(fitted.explain(int(j)).partners for j in fitted.order_)
    with pytest.raises(DataError, match="column names column 'nonsense', which is not in the table"):
        fitted.explain("nonsense")
    with pytest.raises(ValueError, match="not fitted"):
        ep.InfFS().explain(0)


def test_a_hint_where_columns_are_skewed():
    """Amounts that are strongly skewed are told of; their logarithms, codes and other scalings are not."""
    rng = np.random.default_rng(0)
    X = np.exp(2 * rng.normal(size=(200, 6)))
    with pytest.warns(
        SelectionWarning, match=r"strongly skewed \(median \|skewness\| \d.*Hint: take logarithms"
    ):
        ep.InfFS(3).fit(X)
    ep.InfFS(3).fit(np.log(X))
    ep.InfFS(3, scaling="std").fit(X)
    ep.InfFS(3, alpha=0).fit(X)
    ep.InfFS(3).fit(X, rng.integers(0, 2, 200))
    ep.InfFS(3).fit((X > 100).astype(float))
    ep.InfFS(3).fit(as_sparse(X))
    assert typical_skewness(X * 1e-200) == pytest.approx(typical_skewness(X))
    assert typical_skewness(X) == pytest.approx(np.median(np.abs(scipy.stats.skew(X))))


@pytest.mark.parametrize(("n_values", "is_seen"), [(9, False), (10, True)])
def test_columns_of_few_values_are_not_skewed(n_values, is_seen):
    """They are codes rather than quantities."""
    X = 2.0 ** np.arange(50)[:, None].clip(max=n_values - 1)
    assert (typical_skewness(X) > 0) == is_seen


# -- weights by cross-validation ---------------------------------------------------------------


@pytest.mark.parametrize("supervised", [True, False])
@pytest.mark.parametrize("container", [np.asarray, as_sparse])
def test_weights_by_cross_validation(supervised, container):
    """A grid element is chosen, the same one for a seed, and the result is that of choosing it by hand."""
    X, y = numbers(3)
    chosen = ep.InfFS(5, supervised=supervised, alpha="cv", random_state=0).fit(container(X), y)
    again = ep.InfFS(5, supervised=supervised, alpha="cv", random_state=0, n_jobs=2).fit(container(X), y)
    by_hand = ep.InfFS(5, supervised=supervised, alpha=chosen.alpha_).fit(container(X), y)
    assert again.alpha_ == chosen.alpha_ == by_hand.alpha_
    assert np.array_equal(chosen.scores_, by_hand.scores_, equal_nan=True)
    assert chosen.selection_.to_dict()["learned"]["alpha"] is not None


def test_cross_validation_finds_what_matters():
    """Fisher score points at the one good column, spread at noise: weight goes to the first."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 30)) * np.linspace(0.1, 50, 30)
    X[:, 0] = y + rng.normal(size=80) * 0.01
    fitted = ep.InfFS(1, alpha="cv", random_state=0).fit(X, y)
    assert fitted.order_.tolist() == [0]


def test_cross_validation_needs_two_classes():
    X, _ = numbers(0)
    with pytest.raises(DataError, match=r'alpha="cv" needs a target'):
        ep.InfFS(5, alpha="cv").fit(X)
    with (
        pytest.warns(SelectionWarning, match="one class"),
        pytest.raises(DataError, match="at least two classes of two rows"),
    ):
        ep.InfFS(5, alpha="cv").fit(X, np.zeros(len(X), int))
    with pytest.raises(DataError, match="rows of the smallest: 1"):
        ep.InfFS(5, alpha="cv").fit(X, np.arange(len(X)) == 0)


def test_choice_takes_the_first_of_equals():
    X, y = numbers(0)
    table = make_table(X, y)
    assert choose_by_svm(table, ["a", "b"], lambda part: lambda element: np.arange(12.0), 0) == "a"


def test_choice_takes_what_classifies_best():
    """The ranking that begins with the columns that tell the classes apart."""
    y = np.arange(60) % 2
    X = np.random.default_rng(0).normal(size=(60, 12)) + 3 * y[:, None] * (np.arange(12) > 5)
    rankings = {"noise": -np.arange(12.0), "causes": np.arange(12.0)}
    assert choose_by_svm(make_table(X, y), list(rankings), lambda part: rankings.__getitem__, 0) == "causes"


@pytest.mark.parametrize("container", [np.asarray, as_sparse])
def test_rows_of_a_table(container):
    """Some rows of a table hold the same levels, labels and numbers as in the whole one."""
    X, y = numbers(0)
    table, rows = make_table(container(X), y), np.arange(0, 60, 3)
    part = table.rows(rows)
    assert part.n_rows == 20
    assert np.array_equal(part.target.codes, table.target.codes[rows])
    phi = Surprisal(60)
    whole = make_table(container(X)[rows], y[rows]) if container is np.asarray else part
    assert np.array_equal(part.counts.column_sums(phi), whole.counts.column_sums(phi))
    dense = part.numbers if isinstance(part.numbers, np.ndarray) else part.numbers.toarray()
    assert np.array_equal(dense, X[rows])

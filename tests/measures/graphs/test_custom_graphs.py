"""Inf-FS as a framework: graphs of one's own, paths of one length, random walks."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import entropick as ep
import naive
from entropick import measures
from entropick.exceptions import CombinationError, DataError
from graph_tables import numbers, scores
from helpers import columns_of, make_table

REGULARIZATIONS = ["spectral", "markov"]


def test_matrix_and_function_as_graph():
    """A matrix, the same as a sparse one, and the function that makes it."""
    X, y = numbers(0)

    def dissimilarity(a, b):
        return 1.0 if a.std() == 0 or b.std() == 0 else 1 - abs(np.corrcoef(a, b)[0, 1])

    matrix = np.array([[dissimilarity(a, b) for a in X.T] for b in X.T])
    expected = naive.path_scores(matrix, "spectral")
    for graph in (matrix, matrix.tolist(), scipy.sparse.csr_array(matrix), dissimilarity):
        fitted = ep.InfFS(12, graph=graph).fit(X, y)
        assert fitted.scores_ == pytest.approx(expected, rel=1e-8)
        assert fitted.alpha_ is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda A: A[:3], r"a row and a column for each of the 12 columns of X, got the shape \(3, 12\)"),
        (
            lambda A: A - 2 * np.eye(12),
            r"finite and not negative, got -\d.* for the columns x0 and x0\. Hint",
        ),
        (lambda A: A * np.where(np.eye(12), np.nan, 1), "finite and not negative, got nan"),
        (lambda A: A + np.triu(np.ones((12, 12))), r"must be symmetric.*Hint"),
    ],
)
def test_wrong_graphs(change, message):
    X, _ = numbers(0)
    for container in (np.asarray, scipy.sparse.csr_array):
        with pytest.raises(DataError, match=message):
            ep.InfFS(3, graph=container(change(np.ones((12, 12))))).fit(X)


@pytest.mark.parametrize("regularization", REGULARIZATIONS)
@pytest.mark.parametrize("factor", [0.3, 0.97])
def test_asymmetric_graphs_and_other_factors(regularization, factor):
    """The sum over paths term by term, for a matrix, a sparse one and a function of ordered pairs."""
    X, _ = numbers(1, n_columns=8)

    def step(a, b):
        return abs(a.mean() - 2 * b.mean()) + 0.1

    matrix = np.array([[step(a, b) for b in X.T] for a in X.T])
    options = {"regularization": regularization, "factor": factor}
    expected = naive.path_scores(matrix, regularization, 3000, factor)
    for graph in (matrix, scipy.sparse.csr_array(matrix), step):
        found = ep.InfFS(8, graph=graph, directed=True, **options).fit(X)
        assert found.scores_ == pytest.approx(expected, rel=1e-8)
    both = (matrix + matrix.T) / 2
    for directed in (False, True):
        found = ep.InfFS(8, graph=both, directed=directed, **options).fit(X).scores_
        assert found == pytest.approx(naive.path_scores(both, regularization, 3000, factor), rel=1e-8)
    for y in (None, X[:, 0] > 0):  # the closed form and the Krylov spaces take the factor, too
        table = make_table(X, y)
        near = scores(table, measures.InfFS(**options))
        far = scores(table, measures.InfFS(regularization=regularization))
        more, less = (far, near) if factor < 0.9 else (near, far)
        assert (more >= less).all()
        assert more.max() > less.max()


def test_a_graph_without_cycles():
    """Its spectral radius is 0; the random walk knows what to do."""
    X = np.random.default_rng(0).normal(size=(20, 4))
    one_way = np.triu(np.ones((4, 4)), 1)[[2, 0, 3, 1]][:, [2, 0, 3, 1]]
    with pytest.raises(DataError, match=r"no way back.*markov"):
        ep.InfFS(2, graph=one_way, directed=True).fit(X)
    found = ep.InfFS(2, graph=one_way, directed=True, regularization="markov").fit(X)
    assert found.scores_ == pytest.approx(naive.path_scores(one_way, "markov"))


@pytest.mark.filterwarnings("ignore:.*no better than chance")
@pytest.mark.parametrize("with_y", [False, True])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_paths_of_one_length(length, with_y):
    """Eq. 11 of the paper: the sum of the entries of A^l in each row; its explanation adds up, too."""
    X, y = numbers(0)
    columns = columns_of(X)
    selector = ep.InfFS(
        4, path_length=length, scaling=None, n_bins=len(y), **({} if with_y else {"alpha": 0.3})
    )
    if with_y:
        s = naive.inffs_weights(columns, columns, list(y), (0.3, 0.3, 0.4), None)
        graph = np.outer(s, s)
    else:
        graph = naive.inffs_graph(columns, 0.3, None)
    found = selector.fit(X, y if with_y else None)
    assert found.scores_ == pytest.approx(np.linalg.matrix_power(graph, length).sum(axis=1), rel=1e-7)
    explained = found.explain(int(found.order_[0]))
    assert sum(explained.shares.values()) == pytest.approx(1)
    beyond = np.linalg.matrix_power(graph, length - 1).sum(axis=1)
    first = found.order_[0]
    best = max((j for j in range(X.shape[1]) if j != first), key=lambda j: graph[first, j] * beyond[j])
    assert explained.partners[0][0] == f"x{best}"


def test_paths_too_long_for_floats():
    X, _ = numbers(0)
    with pytest.raises(DataError, match="paths of length 400 are too large"):
        ep.InfFS(3, graph=np.full((12, 12), 100.0), path_length=400).fit(X)


@pytest.mark.parametrize("regularization", REGULARIZATIONS)
def test_expected_visits(regularization):
    """C = (I − r A)⁻¹, whose row sums less one are the scores; a random walk visits columns that often."""
    X, y = numbers(2, n_columns=8)
    for target in (None, y):
        found = ep.InfFS(3, visits=True, regularization=regularization).fit(X, target)
        assert found.visits_.shape == (8, 8)
        assert found.visits_.sum(axis=1) - 1 == pytest.approx(found.scores_, rel=1e-8)
        assert (found.visits_ >= np.eye(8) - 1e-12).all()
    assert ep.InfFS(3).fit(X, y).visits_ is None
    with pytest.raises(CombinationError, match="released"):
        ep.InfFS(3, visits=True, variant="released").fit(X, y)


@pytest.mark.slow
def test_random_walks_visit_as_expected():
    """Walks drawn step by step from r A, the rest of each row being the probability to end."""
    X = np.random.default_rng(0).normal(size=(20, 4))
    found = ep.InfFS(2, visits=True, regularization="markov", alpha=0.5).fit(X)
    graph = naive.inffs_graph(columns_of(X), 0.5)
    moves = 0.9 / graph.sum(axis=1).max() * graph
    rng, n_walks, counts = np.random.default_rng(0), 4000, np.zeros(4)
    for _ in range(n_walks):
        at = 0
        while at < 4:
            counts[at] += 1
            at = rng.choice(5, p=np.append(moves[at], 1 - moves[at].sum()))
    assert counts / n_walks == pytest.approx(found.visits_[0], rel=0.1)


def test_a_graph_that_sees_the_target():
    """The paper's supervised graph as a function of two columns and y, in a pipeline and cross-validated."""
    X, y = numbers(0)

    def fisher(a, y):
        means = [a[y == c].mean() for c in np.unique(y)]
        return np.ptp(means) / (a.std() or 1.0)

    def both(a, b, y):
        return fisher(a, y) * fisher(b, y)

    s = np.array([fisher(a, np.unique(y, return_inverse=True)[1]) for a in X.T])
    found = ep.InfFS(3, graph=both).fit(X, y)
    assert found.scores_ == pytest.approx(naive.path_scores(np.outer(s, s), "spectral"), rel=1e-8)
    labels = np.array(["no", "yes", "so"])[np.unique(y, return_inverse=True)[1] % 3]
    model = make_pipeline(ep.InfFS(3, graph=both), LogisticRegression())
    assert len(cross_val_score(model, X, labels, cv=2)) == 2
    with pytest.raises(DataError, match=r"two columns and the target, but y is None\. Hint"):
        ep.InfFS(3, graph=both).fit(X)
    real = X[:, 0] * 1.5 + 0.123
    found = ep.InfFS(3, graph=lambda a, b, y: abs(np.corrcoef(a, y)[0, 1] * np.corrcoef(b, y)[0, 1]))
    assert found.fit(X, real).order_[0] == 0
    # a third argument with a default is an option of the function, unless it is called y
    assert ep.InfFS(3, graph=lambda a, b, w=1.0: w).fit(X, y).scores_ == pytest.approx(9.0)
    assert ep.InfFS(3, graph=lambda a, b, y=None: float(len(y))).fit(X, y).scores_ == pytest.approx(9.0)

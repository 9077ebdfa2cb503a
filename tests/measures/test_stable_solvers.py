"""Iterative measures converge or warn; ties are mathematical, not left to rounding."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

import entropick as ep
from entropick._base import ties
from entropick.measures.linear.squared_hinge import squared_hinge_weights

ITERATIVE = ["LLCFS", "UDFS", "UFSOL", "DGUFS", "NHTP", "FSV"]
BY_SOLVERS = [
    *ITERATIVE,
    "SVMRFE",
    "L1SVM",
    "FSASL",
    "MCFS",
    "LaplacianScore",
    "ECFS",
    "InfFS",
    "ILFS",
    "RRPC",
    "CFS",
    "Gaussian",
]


def wine():
    return load_wine(return_X_y=True)


def fitted(method, X, y, **options):
    options |= {"random_state": 0} if "random_state" in getattr(ep, method)().get_params() else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return getattr(ep, method)(n_features=X.shape[1], **options).fit(X, y)


def test_descriptions_of_rows_converge_or_warn(monkeypatch):
    """FSASL describes each row by others; where descriptions are not unique, few rounds do not finish that."""
    monkeypatch.setattr("entropick.measures.spectral.structure.MAX_LASSO_ROUNDS", 2)
    X = wine()[0][:60]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ep.FSASL(3).fit(X)
        ep.FSASL(3).fit(np.concatenate([X, X]))  # of copies one is enough
    grid = np.indices((4, 4, 4)).reshape(3, -1).T
    with pytest.warns(ConvergenceWarning, match="of 64 rows did not converge in 2 rounds"):
        ep.FSASL(3).fit(grid)


@pytest.mark.parametrize("method", ITERATIVE)
def test_converged_or_warned(method):
    """A search that ends at its last round warns, and its record says so."""
    with pytest.warns(
        ConvergenceWarning, match="did not converge in max_rounds=1: .*Hint: increase max_rounds"
    ):
        stopped = getattr(ep, method)(n_features=3, max_rounds=1).fit(*wine())
    assert stopped.converged_ is False
    assert stopped.selection_.to_dict()["learned"]["converged"] is False


@pytest.mark.parametrize("method", ["UDFS", "UFSOL", "DGUFS", "NHTP", "FSV"])
def test_nothing_is_said_where_it_converged(method):
    """Enough rounds end without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        done = getattr(ep, method)(n_features=3, max_rounds=500).fit(*wine())
    assert done.converged_ is True


def moved(X, seed):
    """Values moved by a share of 1e-13, equal ones alike."""
    rng = np.random.default_rng(seed)
    found = np.array(X, float)
    for column in found.T:
        levels, places = np.unique(column, return_inverse=True)
        column[:] = (levels * (1 + 1e-13 * rng.uniform(-1, 1, len(levels))))[places]
    return found


@pytest.mark.parametrize("method", BY_SOLVERS)
def test_rounding_does_not_change_the_order(method):
    """Numbers moved by a share of 1e-13, as other processors would, give the same columns."""
    X, y = wine()
    expected = fitted(method, X, y)
    for seed in range(2):
        found = fitted(method, moved(X, seed), y)
        assert found.order_.tolist() == expected.order_.tolist()
        largest = np.nanmax(np.abs(expected.scores_))
        assert found.scores_ == pytest.approx(expected.scores_, abs=1e-5 * largest, nan_ok=True)


@pytest.mark.parametrize("method", ["LaplacianScore", "LLCFS", "MCFS", "UDFS", "FSASL", "UFSOL", "DGUFS"])
def test_rounding_does_not_choose_among_tied_rows(method):
    """Rows of 0 and 1 have many others at equal distances, which tie however they are rounded."""
    X = np.random.default_rng(0).integers(0, 2, (60, 8)).astype(float) * [1, 0.1, 0.3, 7, 1, 1, 3, 1]
    X[:, 1] = np.where(np.arange(60) % 4, X[:, 0] / 10, X[:, 1])
    expected = fitted(method, X, None)
    for seed in range(3):
        found = fitted(method, moved(X, seed), None)
        assert found.order_.tolist() == expected.order_.tolist()


@pytest.mark.parametrize("method", ["UDFS", "LLCFS"])
def test_columns_in_other_units_tie(method):
    """A column and a multiple of it are equal once scaled, but for rounding: the first comes first."""
    X, y = wine()
    found = fitted(method, np.column_stack([X[:, 3] * 3e5, X[:, :3], X[:, 3], X[:, 4:8]]), y)
    assert found.scores_[0] == found.scores_[4] > 0
    assert found.order_.tolist().index(0) < found.order_.tolist().index(4)


@pytest.mark.slow
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("n_columns", [10, 60, 400])
def test_support_vector_machine_is_solved_exactly(C, n_columns):
    """The slope of the loss is 0 at the end; LIBLINEAR comes near it."""
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(80, n_columns))
    signs = np.where(columns[:, 0] + rng.normal(size=80) > 0, 1.0, -1.0)
    w = squared_hinge_weights(columns, signs, C)
    model = LinearSVC(C=C, dual=n_columns > 80, tol=1e-8, max_iter=100_000, random_state=0).fit(
        columns, signs
    )
    assert w == pytest.approx(model.coef_[0], abs=1e-4 * np.abs(w).max())
    again = squared_hinge_weights(columns, signs, C, start=rng.normal(size=n_columns))
    assert again == pytest.approx(w, abs=1e-9 * np.abs(w).max())


def test_l1svm_with_squared_hinge_is_precise():
    """Another seed of LIBLINEAR gives the same weights."""
    X, y = load_digits(n_class=3, return_X_y=True)
    one, other = (
        ep.L1SVM(n_features=64, loss="squared_hinge", random_state=seed).fit(X[:200], y[:200]).scores_
        for seed in (0, 1)
    )
    assert one == pytest.approx(other, abs=1e-7)


def test_projections_of_nothing_have_no_clusters():
    """UFSOL with more columns than rows projects them to 0 at first; rounding is not clustered."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 90))
    expected = fitted("UFSOL", X, None)
    found = fitted("UFSOL", moved(X, 0), None)
    assert found.order_[:10].tolist() == expected.order_[:10].tolist()


def test_scores_that_differ_by_rounding_are_merged():
    """Runs of close scores take the best of them; others stay."""
    scores = np.array([1.0, 5.0, 5.0 - 1e-10, 2.0, 5.0 + 1e-10, 0.0])
    found = ties.merged(scores, 1e-8)
    assert found.tolist() == [1.0, 5.0 + 1e-10, 5.0 + 1e-10, 2.0, 5.0 + 1e-10, 0.0]
    assert ties.merged(np.zeros(3), 1e-8).tolist() == [0, 0, 0]
    assert ties.merged(np.array([]), 1e-8).tolist() == []

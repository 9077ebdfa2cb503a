"""Measures by the weights of linear classifiers: SVMRFE, L1SVM, FSV and NHTP."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from scipy.optimize import minimize_scalar
from sklearn.datasets import load_wine
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import entropick as ep
import naive
from entropick import measures
from entropick.exceptions import DataError
from entropick.measures.linear import nhtp
from entropick.measures.linear.margin import HingeProgram
from entropick.measures.linear.nhtp import LogisticLoss, hard_thresholding_pursuit
from strategies import examples

SEEDS = st.integers(0, 10_000)
SELECTORS = [
    (ep.SVMRFE, {"one_by_one_below": 3}),
    (ep.L1SVM, {"loss": "hinge"}),
    (ep.L1SVM, {"loss": "squared_hinge"}),
    (ep.L1SVM, {"loss": "unhinged"}),
    (ep.FSV, {}),
    (ep.NHTP, {}),
]


def two_classes(seed, n=40, d=8):
    """Columns of different units, two of which tell the classes apart together, with errors."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] - X[:, 1] + 0.7 * rng.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1
    return X * 10.0 ** rng.integers(-2, 3, d), y


def linear_svm():
    return LinearSVC(dual=False, tol=1e-10, max_iter=10_000)


def objective(X, signs, w, b, penalty, power=1):
    return (np.maximum(0, 1 - signs * (X @ w + b)) ** power).mean() + penalty * np.abs(w).sum()


# -- the same as independent computations ----------------------------------------------------


@examples(15)
@given(seed=SEEDS)
def test_svmrfe_equals_scikit_learn(seed):
    """One column at a time: the ranking of scikit-learn's RFE around the same SVM."""
    X, y = two_classes(seed)
    expected = RFE(linear_svm(), n_features_to_select=1, step=1).fit(naive.standardised(X), y).ranking_
    assert ep.SVMRFE(n_features=1.0).fit(X, y).ranking_.tolist() == expected.tolist()


def test_svmrfe_with_halving_and_three_classes():
    """Half of the columns at a time, then one by one; w² summed over the classes."""
    X, y = load_wine(return_X_y=True)
    X = np.hstack([X, np.random.default_rng(0).normal(size=(len(X), 30))])

    def weights_of(X, y):
        return (linear_svm().fit(X, y).coef_ ** 2).sum(axis=0)

    for step, below in ((0.5, 5), (0.3, 1), (0.9, 20)):
        expected = naive.recursive_elimination(naive.standardised(X), y, weights_of, step, below)
        found = ep.SVMRFE(n_features=1.0, step=step, one_by_one_below=below).fit(X, y)
        assert found.order_.tolist() == expected


@examples(20)
@given(seed=SEEDS, share=st.sampled_from([0.05, 0.3, 0.9]), n=st.integers(6, 40))
def test_hinge_program_is_solved_exactly(seed, share, n):
    """The optimum of the whole program, though few columns are looked at; above the idle cost no weight."""
    X, y = two_classes(seed, n, d=120)
    X, signs = naive.standardised(X), 2.0 * y - 1
    program = HingeProgram(X, signs, np.full(n, 1 / n))
    penalty = share * program.idle_cost
    w, b = program.solve(np.full(120, penalty))
    expected = naive.l1_hinge(X, signs, np.full(120, penalty), np.full(n, 1 / n))
    assert objective(X, signs, w, b, penalty) == pytest.approx(expected[2], abs=1e-8)
    assert w == pytest.approx(expected[0], abs=1e-6)  # numbers in general position: the optimum is unique
    assert np.count_nonzero(np.abs(w) > 1e-9) <= n
    assert not program.solve(np.full(120, 1.0001 * program.idle_cost))[0].any()


@pytest.mark.parametrize("d", [3, 40])
def test_solutions_for_falling_costs(d):
    """Each is that of its own program, also below the cost from which no row is on the wrong side."""
    X, y = two_classes(2, 30, d=d)
    X, signs, shares = naive.standardised(X), 2.0 * y - 1, np.array([0.5, 0.1, 0.01, 0.001])
    program = HingeProgram(X, signs, np.full(30, 1 / 30))
    found = list(program.solutions(shares))
    for (w, b), share in zip(found, shares, strict=True):
        expected = naive.l1_hinge(X, signs, np.full(d, share * program.idle_cost), np.full(30, 1 / 30))
        assert objective(X, signs, w, b, share * program.idle_cost) == pytest.approx(expected[2], abs=1e-8)
    is_settled = found[-1][0] is found[-2][0]
    assert is_settled == (d == 40)  # so many columns separate the classes, three do not


@examples(10)
@given(seed=SEEDS)
def test_l1svm_scores(seed):
    """The score is the size of the weight, on standardised columns."""
    X, y = two_classes(seed)
    Z, signs = naive.standardised(X), 2.0 * y - 1
    share = np.where(signs > 0, (signs > 0).mean(), (signs < 0).mean())
    idle = np.abs(Z.T @ (signs * share.min() / share)).max() / len(y)
    w, _, _ = naive.l1_hinge(Z, signs, np.full(8, 0.2 * idle), np.full(len(y), 1 / len(y)))
    assert ep.L1SVM(1.0, penalty=0.2).fit(X, y).scores_ == pytest.approx(np.abs(w), abs=1e-6)


@examples(10)
@given(seed=SEEDS)
def test_squared_hinge_is_solved(seed):
    """No other weights, found by proximal gradients, have a lower value."""
    X, y = two_classes(seed)
    Z, signs = naive.standardised(X), 2.0 * y - 1
    penalty = 0.1 * 2 / len(y) * np.abs(Z.T @ (signs - signs.mean())).max()
    w, b = np.zeros(8), 0.0
    rate = 0.5 / (np.linalg.norm(np.column_stack([Z, np.ones(len(y))]), 2) ** 2 / len(y))
    for _ in range(5000):
        slack = np.maximum(0, 1 - signs * (Z @ w + b)) * signs
        moved = w + rate * 2 * Z.T @ slack / len(y)
        w, b = np.sign(moved) * np.maximum(np.abs(moved) - rate * penalty, 0), b + rate * 2 * slack.mean()
    found = ep.L1SVM(1.0, loss="squared_hinge", penalty=0.1).fit(X, y).scores_
    assert found == pytest.approx(np.abs(w), abs=0.02)
    best = objective(Z, signs, w, b, penalty, 2)
    assert objective(Z, signs, found * np.sign(w), b, penalty, 2) == pytest.approx(best, rel=1e-3)


@examples(10)
@given(seed=SEEDS)
def test_unhinged_closed_form(seed):
    """Each weight minimises −μ w + λ |w| + w²/2, found by a search over numbers."""
    X, y = two_classes(seed)
    Z = naive.standardised(X)
    half = (Z[y == 1].mean(axis=0) - Z[y == 0].mean(axis=0)) / 2
    penalty = 0.4 * np.abs(half).max()
    expected = [
        minimize_scalar(lambda w, mu=mu: -mu * w + penalty * abs(w) + w * w / 2, bounds=(-3, 3)).x
        for mu in half
    ]
    found = ep.L1SVM(1.0, loss="unhinged", penalty=0.4).fit(X, y).scores_
    assert found == pytest.approx(np.abs(expected), abs=1e-4)


@examples(10)
@given(seed=SEEDS, weight=st.sampled_from([0.02, 0.05, 0.2]))
def test_fsv_equals_naive(seed, weight):
    """The same weights as successive whole programs give."""
    X, y = two_classes(seed)
    expected = np.abs(naive.fsv(naive.standardised(X), 2.0 * y - 1, weight, 5.0))
    assert ep.FSV(1.0, weight=weight).fit(X, y).scores_ == pytest.approx(expected, abs=1e-6)


@examples(10)
@given(seed=SEEDS, n_nonzero=st.integers(1, 8))
def test_nhtp_stops_at_a_stationary_point(seed, n_nonzero):
    """On its columns the weights are those scikit-learn finds; others would not move further than these."""
    X, y = two_classes(seed, n=80)
    Z = naive.standardised(X)
    w, _ = hard_thresholding_pursuit(LogisticLoss(Z, y == 1), n_nonzero, 2000)
    chosen = np.flatnonzero(w)
    assert 0 < len(chosen) <= n_nonzero
    model = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=10_000)
    assert w[chosen] == pytest.approx(model.fit(Z[:, chosen], y).coef_[0], rel=1e-3, abs=1e-4)
    measure = measures.NHTP(n_nonzero)
    assert ep.select(X, y, measure=measure, cut=1.0).scores == pytest.approx(np.abs(w), abs=1e-9)


@pytest.mark.slow
def test_nhtp_finds_the_best_columns():
    """On clear data the best of all subsets of that size."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 9))
    y = (1.5 * X[:, 2] - 2 * X[:, 5] + X[:, 7] + 0.5 * rng.normal(size=300) > 0).astype(int)
    Z = naive.standardised(X)

    def value(columns):
        model = LogisticRegression(C=np.inf, fit_intercept=False, max_iter=1000).fit(Z[:, columns], y)
        at = Z[:, columns] @ model.coef_[0]
        return (np.logaddexp(0, at) - y * at).mean()

    best = min(itertools.combinations(range(9), 3), key=lambda columns: value(list(columns)))
    assert set(ep.NHTP(3).fit(X, y).order_) == set(best) == {2, 5, 7}


def test_nhtp_solves_for_the_number_asked_for():
    """As in the paper s is the number of columns; without one it is a fifth of the rows."""
    X, y = two_classes(1, n=40, d=30)
    for asked, s in ((5, 5), (0.5, 15), ("auto", 8), ("threshold", 8), (None, 10)):
        assert np.count_nonzero(ep.NHTP(asked).fit(X, y).scores_) == s


def test_nhtp_by_conjugate_gradients(monkeypatch):
    """Where Newton's equations are many they are solved by products: the same weights."""
    X, y = two_classes(5, n=80)
    loss = LogisticLoss(naive.standardised(X), y == 1)
    expected, _ = hard_thresholding_pursuit(loss, 4, 2000)
    monkeypatch.setattr(nhtp, "MANY_WEIGHTS", 1)
    assert hard_thresholding_pursuit(loss, 4, 2000)[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("slope", "rate"),
    [
        (4, math.log2(1.25) * 2),
        (0.5, math.log2(3) * math.exp(0.25 ** (1 / 3))),
        (0.25, math.log2(5) * math.exp(0.25 ** (1 / 3)) / 2),
        (0, 1 * math.exp(0.25 ** (1 / 3))),
    ],
)
def test_first_rate_of_nhtp(slope, rate):
    """By the mean of 1 / slope, for 2 of 8 columns, as the authors' program has it."""
    loss = SimpleNamespace(n_columns=8, gradient=lambda w: np.full(8, slope))
    assert nhtp._first_rate(loss, 2) == pytest.approx(rate)


def test_steps_of_nhtp_go_down():
    """A step that does not lower the loss is halved until it does."""
    loss = SimpleNamespace(newton_step=lambda *_: np.array([8.0]), value=lambda w: abs(w[0] - 1))
    w, slope, all_columns = np.zeros(1), np.array([-1.0]), np.arange(1)
    found, value = nhtp._step(loss, w, 1.0, slope, w, all_columns, all_columns[:0], rate=1.0)
    assert (found.tolist(), value) == ([1.0], 0.0)


def rates_of_nhtp(monkeypatch, error, rise, max_rounds):
    """The rate of each round, where the error stays and the loss rises by the same in each."""
    rates = []

    def step(loss, w, value, slope, moved, chosen, leaving, rate):
        rates.append(rate)
        return w, value + rise

    monkeypatch.setattr(nhtp, "_step", step)
    monkeypatch.setattr(nhtp, "_error", lambda *_: error)
    loss = SimpleNamespace(n_columns=8, gradient=lambda w: np.ones(8), value=lambda w: 0.0)
    hard_thresholding_pursuit(loss, 2, max_rounds)
    return rates


@pytest.mark.parametrize(("error", "factor"), [(1e-3, 1 / 1.05), (5e-5, 1.25)])
def test_rate_of_nhtp_follows_the_error(monkeypatch, error, factor):
    """Every 50 rounds it shrinks where the error is above 1 / rounds², else it grows; faster after 1500."""
    rates = rates_of_nhtp(monkeypatch, error, rise=1.0, max_rounds=1502)
    assert rates[:102] == pytest.approx(rates[0] * np.array([1] * 51 + [factor] * 50 + [factor**2]))
    assert rates[1501] == pytest.approx(rates[1500] / 1.5)


@pytest.mark.parametrize(("error", "n_rounds"), [(1e-3, 12), (0.1, 40), (1e-9, 0)])
def test_nhtp_stops_where_nothing_changes(monkeypatch, error, n_rounds):
    """Not in the first rounds, and not while the error is large; at once where there is none."""
    assert len(rates_of_nhtp(monkeypatch, error, rise=0.0, max_rounds=40)) == n_rounds


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "unhinged"])
def test_penalty_by_cross_validation(loss):
    """Clear data: few columns, the right ones, the same for the same seed; a class of one row is refused."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12))
    y = (X[:, 3] + X[:, 8] > 0).astype(int)
    found = [ep.L1SVM("threshold", loss=loss, penalty="cv", random_state=s).fit(X, y) for s in (0, 0)]
    assert found[0].scores_.tolist() == found[1].scores_.tolist()
    assert set(found[0].order_[:2]) == {3, 8}
    with pytest.raises(DataError, match=r'penalty="cv" needs at least two rows .*Hint'):
        ep.L1SVM(penalty="cv", loss=loss).fit(X, np.arange(60) == 0)


# -- laws ------------------------------------------------------------------------------------


def fit(case, X, y, **options):
    selector, own = case
    return selector(n_features=1.0, **own, **options).fit(X, y)


@pytest.mark.parametrize("case", SELECTORS, ids=str)
def test_threads_containers_and_copies(case):
    """Bits do not depend on threads or containers; a copy never stands before its original."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = two_classes(2, n=60, d=12)
    X = np.round(X, 2)
    expected = fit(case, X, y).scores_
    names = [f"c{j}" for j in range(12)]
    for container in (
        X.tolist(), np.asfortranarray(X), pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names),
        scipy.sparse.csr_array(X), scipy.sparse.csc_array(X),
    ):  # fmt: skip
        assert np.array_equal(fit(case, container, y).scores_, expected)
    assert np.array_equal(fit(case, X, y, n_jobs=4).scores_, expected)
    order = fit(case, np.column_stack([X, X[:, 0]]), y).order_.tolist()
    assert order.index(0) < order.index(12)


@pytest.mark.parametrize("case", SELECTORS, ids=str)
def test_units_rows_columns_and_labels(case):
    """Units, the order of rows and columns, and names of the classes change nothing but last digits."""
    X, y = two_classes(4, n=60)
    expected = fit(case, X, y).scores_
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(60), rng.permutation(8)
    about = (
        {"rel": 0.02, "abs": 2e-3} if case[1].get("loss") == "squared_hinge" else {"rel": 1e-3, "abs": 1e-4}
    )
    assert fit(case, X * 2.0 ** np.arange(8) + 5, y).scores_ == pytest.approx(expected, **about)
    assert fit(case, X[rows], y[rows]).scores_ == pytest.approx(expected, **about)
    assert fit(case, X[:, columns], y).scores_ == pytest.approx(expected[columns], **about)
    assert fit(case, X, np.array(["b", "a"])[y]).scores_ == pytest.approx(expected, **about)


@pytest.mark.parametrize("case", SELECTORS, ids=str)
def test_odd_tables(case):
    """Constants, few rows, many columns, classes of one row, extreme numbers, three classes: finite scores."""
    X, y = two_classes(6)
    with_constant = fit(case, np.column_stack([np.ones(40), X]), y)
    assert with_constant.scores_[0] == 0
    assert with_constant.order_[-1] == 0 or (with_constant.scores_ == 0).sum() > 1
    rng = np.random.default_rng(0)
    for shape in ((2, 3), (3, 1), (4, 50)):
        table = rng.normal(size=shape)
        assert np.isfinite(fit(case, table, np.arange(shape[0]) % 2).scores_).all()
    assert np.isfinite(fit(case, X, np.arange(40) // 14).scores_).all()
    assert np.isfinite(fit(case, X * [1e200, 1e-200, 1, 1, 1, 1, 1, 1], y).scores_).all()
    assert fit(case, np.full((10, 3), 2.0), np.arange(10) % 2).scores_.tolist() == [0, 0, 0]
    with pytest.warns(match="only one class"):
        assert fit(case, X, np.zeros(40)).scores_.tolist() == [0] * 8


@pytest.mark.parametrize("case", SELECTORS, ids=str)
def test_groups_score_like_their_best_column(case):
    X, y = two_classes(7)
    alone, grouped = fit(case, X, y).scores_, fit(case, X, y, feature_groups=[[0, 3]]).scores_
    assert grouped[0] == grouped[3] == max(alone[0], alone[3])


@pytest.mark.parametrize("case", SELECTORS, ids=str)
def test_columns_that_matter_are_found(case):
    """Two of 200 columns tell the classes apart."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 200))
    y = (X[:, 20] - X[:, 90] + 0.3 * rng.normal(size=100) > 0).astype(int)
    assert set(fit(case, X, y).order_[:2]) == {20, 90}


@pytest.mark.parametrize("case", [(ep.L1SVM, {}), (ep.FSV, {})], ids=str)
def test_columns_without_a_weight_are_said(case, recwarn):
    """A warning says how many of the columns asked for have no weight; none where the rule leaves them out."""
    X, y = two_classes(3)
    selector = case[0]
    scores = selector("threshold").fit(X, y).scores_
    assert (scores == 0).any()
    assert selector(1.0).fit(X, y).n_features_ == 8
    assert not recwarn.list
    with pytest.warns(match=f"no weight to {7 - (scores > 0).sum()} of the 7 selected columns"):
        selector(7).fit(X, y)

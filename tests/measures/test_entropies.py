"""The public functions against naive versions, scikit-learn and scipy."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, strategies as st
from sklearn.metrics import mutual_info_score

import entropick as ep
import naive
from entropick import measures
from entropick._base.threads import Threads
from entropick.exceptions import DataError
from helpers import make_table
from strategies import tables

ALPHAS = st.sampled_from([0, 0.1, 0.5, 1, 2, 5, 30, math.inf])


@given(data=tables(), alpha=ALPHAS)
def test_entropy_equals_naive(data, alpha):
    """One column and several jointly, any order."""
    X, _ = data
    rows = [tuple(row) for row in X.tolist()]
    assert ep.entropy(X[:, 0], alpha) == pytest.approx(naive.entropy(X[:, 0].tolist(), alpha), abs=1e-9)
    assert ep.entropy(X, alpha) == pytest.approx(naive.entropy(rows, alpha), abs=1e-9)


@given(data=tables(), alpha=ALPHAS)
def test_conditional_entropy_equals_naive(data, alpha):
    """Arimoto's entropy, Shannon's and min-entropy."""
    X, y = data
    expected = naive.conditional_entropy(y.tolist(), X.T.tolist(), alpha)
    assert ep.conditional_entropy(y, X, alpha) == pytest.approx(expected, abs=1e-9)


@given(data=tables(), alpha=ALPHAS)
def test_information_of_any_order_and_bounds_of_errors_equal_naive(data, alpha):
    """What X takes off the entropy of y; the best rule's errors, and what Fano's inequality says of them."""
    X, y = data
    first, labels = X[:, 0].tolist(), y.tolist()
    of_both = naive.conditional_entropy(labels, X.T.tolist(), alpha)
    told = naive.conditional_entropy(labels, [first], alpha) - of_both
    assert ep.mutual_information(X, y, first, alpha) == pytest.approx(max(told, 0.0), abs=1e-9)
    risk, bound = ep.bayes_risk(y, X), ep.fano_bound(y, X)
    assert risk == pytest.approx(
        1 - 2 ** -naive.conditional_entropy(labels, X.T.tolist(), math.inf), abs=1e-9
    )
    assert 0 <= bound <= risk + 1e-12
    left = scipy.stats.entropy([bound, 1 - bound], base=2) + bound * math.log2(max(len(set(labels)) - 1, 1))
    assert left == pytest.approx(naive.conditional_entropy(labels, X.T.tolist()), abs=1e-9)


@given(data=tables(), correction=st.sampled_from([None, "miller_madow", "adjusted"]))
def test_mutual_information_equals_naive(data, correction):
    """Plain and conditional, plug-in and corrected."""
    X, y = data
    a, b, labels = X[:, 0].tolist(), X[:, -1].tolist(), y.tolist()
    assert ep.mutual_information(a, labels, correction=correction) == pytest.approx(
        naive.mutual_information(a, labels, None, correction), abs=1e-9
    )
    assert ep.mutual_information(a, labels, given=b, correction=correction) == pytest.approx(
        naive.mutual_information(a, labels, b, correction), abs=1e-9
    )


@given(data=tables())
def test_agreement_with_scikit_learn_and_scipy(data):
    """Shannon's numbers are those of scikit-learn (nats there) and scipy."""
    X, y = data
    expected = mutual_info_score(X[:, 0], y) / math.log(2)
    assert ep.mutual_information(X[:, 0], y) == pytest.approx(expected, abs=1e-9)
    assert ep.entropy(y) == pytest.approx(scipy.stats.entropy(np.bincount(y), base=2), abs=1e-9)


@pytest.mark.parametrize("distance", [0, 1e-15, 1e-14, 1e-13, 1e-10, 4.9e-8, 5.1e-8, 1e-7, 1e-6])
@pytest.mark.parametrize("sign", [1, -1])
def test_entropies_are_continuous_at_order_1(distance, sign):
    """Functions, selectors and values of sets: orders close to 1 give nearly Shannon's numbers."""
    rng = np.random.default_rng(0)
    y, alpha = rng.integers(0, 4, 300), 1 + sign * distance
    X = (y[:, None] + rng.integers(0, 3, (300, 4))) % 5
    near = {"abs": 5e-8 + 2 * distance}
    assert ep.entropy([0, 1, 1], alpha) == pytest.approx(0.9182958340544896, **near)
    for function in (ep.conditional_entropy, ep.mutual_information):
        assert function(y, X[:, :2], alpha=alpha) == pytest.approx(function(y, X[:, :2]), **near)
    exact, found = (ep.RenyiFS(4, alpha=order).fit(X, y).selection_ for order in (1, alpha))
    assert found.order.tolist() == exact.order.tolist()
    assert found.scores == pytest.approx(exact.scores, **near)
    assert found.learned["residual_entropy"] == pytest.approx(exact.learned["residual_entropy"], **near)
    with Threads(1) as threads:
        sets = measures.Renyi(alpha).begin_sets(make_table(X, y), threads)
    shannon = ep.conditional_entropy(y, X[:, :1])
    assert sets.values(np.eye(4, dtype=bool)[:1])[0] == pytest.approx(shannon, **near)


def test_miller_madow_takes_the_bias_off():
    """Noise of 30 levels on 500 rows looks informative; corrected it is near nothing."""
    rng = np.random.default_rng(0)
    plain, corrected = [], []
    for _ in range(100):
        x, y = rng.integers(0, 30, 500), rng.integers(0, 3, 500)
        plain.append(ep.mutual_information(x, y))
        corrected.append(ep.mutual_information(x, y, correction="miller_madow"))
    assert np.mean(plain) > 0.08
    assert abs(np.mean(corrected)) < 0.1 * np.mean(plain)


@pytest.mark.parametrize("n_rows", [20, 100, 1000, 5000])
@pytest.mark.parametrize("n_levels", [2, 3, 10, 50, 150])
@pytest.mark.slow
def test_adjusted_information_of_noise_is_zero_on_average(n_levels, n_rows):
    """Of 10,000 columns of noise, with a target of three classes."""
    rng = np.random.default_rng([n_levels, n_rows])
    X = rng.integers(0, n_levels, (n_rows, 10_000), dtype=np.uint8)
    selector = ep.MIM(1, correction="adjusted", n_bins=150)  # each value is a level
    scores = selector.fit(X, rng.integers(0, 3, n_rows)).scores_
    assert abs(scores.mean()) < 3 * scores.std() / np.sqrt(len(scores))


@pytest.mark.parametrize("container", ["pandas", "polars", "list", "texts", "missing"])
def test_any_container(container):
    """Series, frames, lists, texts and missing values are categories as well."""
    x = {
        "pandas": lambda: pytest.importorskip("pandas").Series([0, 0, 1, 1]),
        "polars": lambda: pytest.importorskip("polars").DataFrame({"a": [0, 0, 1, 1]}),
        "list": lambda: [0, 0, 1, 1],
        "texts": lambda: ["a", "a", "b", "b"],
        "missing": lambda: [1.0, 1.0, None, math.nan],
    }[container]()
    assert ep.entropy(x) == 1.0
    assert ep.mutual_information(x, ["u", "u", "v", "v"]) == 1.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ep.entropy([0.5, 1.5]), DataError, "Column 'x0' of X holds numbers with a fractional part"),
        (lambda: ep.conditional_entropy([0, 1], np.array([[1, 2.5], [1, 3]])), DataError, "Column 'x1' of X"),
        (lambda: ep.mutual_information([0, 1], [0.1, 0.2]), DataError, "Column 'x0' of y"),
        (lambda: ep.mutual_information([0, 1], [0, 1], given=[0.3, 0.4]), DataError, "Column 'x0' of given"),
        (lambda: ep.mutual_information([0, 1], [0, 1, 1]), DataError, "same number of rows, but X has 2, y has 3"),
        (lambda: ep.entropy([]), DataError, "X has no rows"),
        (lambda: ep.entropy([0, 1], alpha=-1), ValueError, "alpha must be at least 0"),
        (lambda: ep.entropy([0, 1], alpha=math.nan), ValueError, "alpha must be at least 0"),
        (lambda: ep.bayes_risk([0, 1], [0, 1, 1]), DataError, "same number of rows, but X has 3, y has 2"),
        (lambda: ep.mutual_information([0, 1], [0, 1], alpha=2, correction="adjusted"), ValueError, "Shannon"),
        (lambda: ep.entropy([0, 1], correction="jackknife"), ValueError, "correction must be None or"),
        (lambda: ep.entropy([0, 1], alpha=2, correction="miller_madow"), ValueError, "Shannon"),
    ],
)  # fmt: skip
def test_what_is_refused(call, error, message):
    """Numbers with fractions and unequal lengths are rejected."""
    with pytest.raises(error, match=message):
        call()

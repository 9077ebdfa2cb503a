"""Fractional weights are relative: only the ratios of weights matter."""

from collections import Counter

import numpy as np
import pytest
import scipy.sparse

import entropick as ep
from entropick.exceptions import CombinationError, DataError
from entropick.table import weights as module
from entropick.table.weights import COPIES, weigh

CORRECTIONS = [None, "miller_madow", "adjusted"]


def survey(seed=0, n_rows=400):
    """Numbers and categories, a target, and weights as those of a survey, which agree with some columns."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, 6)) + np.linspace(0, 1.5, 6) * y[:, None]
    X[:, 1] = rng.integers(0, 4, n_rows)
    weights = rng.lognormal(sigma=0.6, size=n_rows) * (1 + (X[:, 1] > 1))
    return X, y, weights


def weighted_information(x, y, weights):
    """I(x;y) where a row counts as much as its weight says, as floats."""

    def entropy(keys):
        sums = Counter()
        for key, weight in zip(keys, weights, strict=True):
            sums[key] += weight
        shares = np.array(list(sums.values())) / sum(sums.values())
        return -(shares * np.log2(shares)).sum()

    x, y = x.tolist(), y.tolist()
    return entropy(x) + entropy(y) - entropy(list(zip(x, y, strict=True)))


def picks(X, y, weights, **options):
    selector = ep.JMI(4, n_bins=4, **options).fit(X, y, sample_weight=weights)
    return selector.order_.tolist(), selector.scores_


def equal(one, other):
    return one[0] == other[0] and np.array_equal(one[1], other[1], equal_nan=True)


@pytest.mark.parametrize("factor", [2.0, 0.3, 7.7, 1e-9, 1e9 + 0.7])
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_the_unit_of_weights_changes_nothing(factor, correction):
    X, y, weights = survey()
    found = picks(X, y, weights, correction=correction)
    assert equal(picks(X, y, factor * weights, correction=correction), found)


def test_multiples_of_a_unit_are_exact():
    """Halves are as good as whole numbers, in any unit."""
    X, y, _ = survey()
    whole = np.random.default_rng(1).integers(0, 4, len(y))
    plain = {"correction": None}  # corrections go by the effective number of rows
    expected = picks(X, y, whole, **plain)
    assert not equal(expected, picks(X, y, None, **plain))
    for unit in (0.5, 0.1, 1 / 3, 2.5e-7):
        assert equal(picks(X, y, unit * whole, **plain), expected)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("options", [{}, {"binning": "uniform"}, {"n_bins": "auto"}], ids=str)
def test_equal_weights_are_no_weights(correction, options):
    """Whatever depends on the number of rows goes by how many there are."""
    X, y, _ = survey()
    options = {"n_bins": 4} | options
    expected = ep.JMI(4, correction=correction, **options).fit(X, y)
    found = ep.JMI(4, correction=correction, **options).fit(X, y, sample_weight=np.full(len(y), 0.37))
    assert found.order_.tolist() == expected.order_.tolist()
    assert np.array_equal(found.scores_, expected.scores_, equal_nan=True)
    assert found.selection_.n_rows == len(y)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_nearly_equal_weights_are_nearly_none(correction):
    """They make copies, which the corrections do not take for more rows."""
    X, y, _ = survey()
    weights = 1 + 1e-3 * np.random.default_rng(0).random(len(y))
    assert weigh(X, None, weights).copies == COPIES
    options = {"n_bins": 4, "correction": correction}
    expected = ep.MIM(6, **options).fit(X, y)
    found = ep.MIM(6, **options).fit(X, y, sample_weight=weights)
    tolerance = 1e-3 if correction == "adjusted" else 1e-9  # what few rows tell by chance is less smooth
    assert found.scores_ == pytest.approx(expected.scores_, abs=tolerance)
    assert found.selection_.n_rows == len(y)


def test_information_is_that_of_the_weights():
    """Within a few ten-thousandths of a bit, where weights are of all sizes."""
    rng = np.random.default_rng(0)
    for seed in range(20):
        X, y, weights = survey(seed, n_rows=300)
        codes = np.column_stack([rng.integers(0, 5, 300), X[:, 1]]).astype(int)
        found = ep.MIM(2).fit(codes, y, sample_weight=weights).scores_
        exact = [weighted_information(codes[:, j], y, weights) for j in range(2)]
        assert found == pytest.approx(exact, abs=2e-3)


def test_weights_are_kept_within_the_tolerance():
    """Each weight is right up to a twentieth of the mean one."""
    for seed in range(20):
        weights = np.random.default_rng(seed).lognormal(sigma=1, size=200)
        rows = weigh(np.arange(200)[:, None], None, weights).X[:, 0]
        copies = np.bincount(rows, minlength=200)
        assert np.abs(copies / COPIES - weights / weights.mean()).max() <= 0.05 + 1e-6
        assert len(rows) == pytest.approx(COPIES * 200, rel=0.01)


def test_corrections_go_by_the_effective_number_of_rows():
    """Kish's: (Σw)² / Σw². Rows of a tenth of the weight hardly count."""
    X, y, _ = survey()
    weights = np.r_[np.full(200, 1.0), np.full(200, 1e-3)] * (1 + 1e-4 * np.arange(400))
    weighed = weigh(X, [("y", y)], weights)
    assert weighed.n_rows == round(weights.sum() ** 2 / (weights**2).sum())
    noise = np.random.default_rng(9).integers(0, 40, (400, 1)).astype(str)
    chance = ep.MIM(1).fit(noise[:200], y[:200]).scores_[0]
    assert chance > 0.2
    # of cells of few rows, copies are expected to tell a little less than rows are
    for correction, tolerance in (("miller_madow", 0.03), ("adjusted", chance / 5)):
        expected = ep.MIM(1, correction=correction).fit(noise[:200], y[:200]).scores_[0]
        found = ep.MIM(1, correction=correction).fit(noise, y, sample_weight=weights).scores_[0]
        assert found == pytest.approx(expected, abs=tolerance)
    renyi = ep.RenyiFS(1, alpha=1, correction="miller_madow")
    expected = renyi.fit(noise[:200], y[:200]).selection_.steps[0].score
    found = renyi.fit(noise, y, sample_weight=weights).selection_.steps[0].score
    assert found == pytest.approx(expected, abs=0.03)


def test_rows_of_no_weight_are_left_out():
    X, y, weights = survey()
    weights[::3] = 0
    kept = weights > 0
    assert equal(picks(X, y, weights), picks(X[kept], y[kept], weights[kept]))
    X[0], X[3] = np.inf, np.nan
    assert equal(picks(X, y, weights), picks(X[kept], y[kept], weights[kept]))


def test_the_order_of_rows_changes_nothing():
    X, y, weights = survey()
    order = np.random.default_rng(0).permutation(len(y))
    assert equal(picks(X[order], y[order], weights[order]), picks(X, y, weights))


def test_containers():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y, weights = survey()
    expected = picks(X, y, weights)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    for table in (frame, pl.from_pandas(frame), scipy.sparse.csr_array(X)):
        assert equal(picks(table, y, weights), expected)
    for given in (weights.tolist(), pd.Series(weights), pl.Series(weights)):
        assert equal(picks(X, y, given), expected)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5] * 59 + [-0.5], r"not be negative, got -0\.5 in row 59"),
        ([0.5] * 58 + [np.nan, 1], r"got nan in row 58"),
        ([np.inf] + [0.5] * 59, r"got inf in row 0"),
        ([0.0] * 60, "must not be zero in all rows"),
        ([1e-320] + [1.5] * 59, None),
        ([1.5e300] * 2 + [0.5] * 58, None),
        ([1e308 + 0.5] * 60, "at most"),
    ],
)
def test_weights_of_any_size(weights, message):
    """What is no weight is refused by its row; others may be as unequal as they like."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % 2
    if message is None:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            ep.JMI(1).fit(X, y, sample_weight=weights)
        return
    with pytest.raises(DataError, match=message):
        ep.JMI(1).fit(X, y, sample_weight=weights)


def test_copies_are_bounded(monkeypatch):
    """Many rows are never repeated a million times; a table too large for copies is refused."""
    X, y, weights = survey()
    assert len(weigh(X, None, 1e6 * weights).X) < (COPIES + 1) * len(X)
    monkeypatch.setattr(module, "MAX_VALUES", COPIES * X.size - 100)
    with pytest.raises(DataError, match=r"sample_weight with fractions makes .* copies"):
        ep.JMI(1).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_features": "permutation"}, "Permutation counts rows.*whole numbers"),
        ({"binning": "mdlp"}, "binning='mdlp' counts rows.*whole numbers"),
    ],
)
def test_what_counts_rows_needs_whole_weights(options, message):
    """A test would take copies for further rows."""
    X, y, weights = survey()
    with pytest.raises(CombinationError, match=message):
        ep.JMI(**options).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("factor", [1, 2, 3.7])
def test_many_rows_of_a_small_weight_keep_their_share(factor):
    """They were all rounded the same way: to nothing, where ten copies of the mean row are 0.4 of theirs."""
    weights = factor * np.where(np.arange(2000) < 1800, 0.04, 8.36)
    weighed = weigh(np.arange(2000)[:, None], None, weights)
    share = np.count_nonzero(weighed.X[:, 0] < 1800) / len(weighed.X)
    assert share == pytest.approx(weights[:1800].sum() / weights.sum(), rel=0.02)

"""Risk and entropy on held-out rows: as defined, and not too low on noise."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import entropick as ep
import naive
from entropick.evaluation.risk import count_risk, held_out_risk
from entropick.exceptions import CombinationError


def made_up(seed, n_rows=60, n_columns=4):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n_rows, n_columns))
    y = np.where(rng.random(n_rows) < 0.7, (X[:, 0] + X[:, 1]) % 3, rng.integers(0, 3, n_rows))
    return X, y


@pytest.mark.parametrize("seed", range(5))
def test_predictions_are_those_of_the_definition(seed):
    """Each row is predicted by the training rows that agree with it, as the naive version does it."""
    X, y = made_up(seed)
    rng = np.random.default_rng(seed)
    fold_of = rng.integers(0, 3, len(y))
    orders = [rng.permutation(4)[:3].tolist() for _ in range(3)]
    folds = [
        (np.flatnonzero(fold_of != f), np.flatnonzero(fold_of == f), [[j] for j in orders[f]])
        for f in range(3)
    ]
    found = held_out_risk(list(X.T), y, [[j] for j in orders[0]], folds)
    wrong, bits = np.zeros((4, len(y))), np.zeros((4, len(y)))
    for i in range(len(y)):
        train = [(X[k], y[k]) for k in range(len(y)) if fold_of[k] != fold_of[i]]
        for size, shares in enumerate(naive.held_out_shares(X[i], train, orders[fold_of[i]], 3)):
            wrong[size, i] = shares.index(max(shares)) != y[i]
            bits[size, i] = -math.log2(shares[y[i]])
    assert found.risk == pytest.approx(wrong.mean(axis=1))
    assert found.entropy == pytest.approx(bits.mean(axis=1))
    assert found.risk_error == pytest.approx(wrong.std(axis=1, ddof=1) / math.sqrt(len(y)))
    assert found.entropy_error == pytest.approx(bits.std(axis=1, ddof=1) / math.sqrt(len(y)))


@pytest.mark.parametrize("seed", range(3))
def test_counted_numbers_are_those_of_the_record(seed):
    """Risk and H(y|S) from counts are what RenyiFS learns, and what the residual says."""
    X, y = made_up(seed, 200)
    selector = ep.RenyiFS(3, alpha=1).fit(X, y)
    found = selector.held_out_risk(X, y)
    assert found.counted_risk[-1] == pytest.approx(selector.bayes_risk_)
    assert found.counted_entropy[-1] == pytest.approx(selector.residual_entropy_)
    assert found.counted_entropy[0] == pytest.approx(selector.class_entropy_)
    for size, (risk, bits) in enumerate(count_risk([X[:, j] for j in selector.order_], y, 3).T):
        assert (risk, bits) == pytest.approx((found.counted_risk[size], found.counted_entropy[size]))


def test_noise_has_no_low_risk():
    """Few rows, many columns: counts say that y is determined, rows left out that nothing is known."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 300)), rng.permutation(60) % 2
    found = ep.RenyiFS(5).fit(X, y).held_out_risk(X, y)
    assert found.counted_risk[-1] == 0
    low, high = found.risk_interval(5)
    assert low < 0.5 < high + 0.1
    assert found.entropy[-1] > 0.9


def test_what_is_there_is_found():
    """The intervals hold the risk on new rows."""
    X, y = ep.datasets.make_led24(n_samples=3000, random_state=0)
    found = ep.RenyiFS(7).fit(X[:1500], y[:1500]).held_out_risk(X[:1500], y[:1500])
    low, high = found.risk_interval(7)
    assert low - 0.02 < 0.26 < high + 0.05  # the best rule is wrong in 26 % of all cases
    assert found.risk[0] > 0.85
    assert found.risk[7] < 0.35
    assert found.entropy[7] < found.entropy[0]


@pytest.mark.parametrize(
    "selector",
    [
        ep.FeatureSelector("jmi", cut=2),
        ep.SNEFS(2, random_state=0),
        ep.MIM("auto", random_state=0),
        ep.JMI(1, feature_groups=[["x0", "x1"]]),
        ep.RenyiFS("auto"),
        ep.CrossEntropyFS(n_samples=30, random_state=0),
    ],
    ids=str,
)
def test_any_selector(selector):
    """Every method and cut, groups of columns too."""
    X, y = made_up(1, 150)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(4)])
    fitted = selector.fit(frame, y)
    found = fitted.held_out_risk(frame, y)
    assert len(found.sizes) == len(fitted.selection_.kept) + 1
    assert np.isfinite(found.entropy).all()


def test_containers_and_targets():
    """Arrays, frames, lazy frames and sparse matrices give the same; texts and real targets work."""
    X, y = made_up(2, 120)
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(4)])
    first = ep.RenyiFS(3).fit(X, y).held_out_risk(X, y)
    for table in (frame, frame.lazy(), scipy.sparse.csr_array(X), X.tolist()):
        found = ep.RenyiFS(3).fit(table, y).held_out_risk(table, y)
        assert found.to_dict() == first.to_dict()
    texts = np.array(["a", "b", "c"])[y]
    assert ep.RenyiFS(3).fit(X, texts).held_out_risk(X, texts).to_dict() == first.to_dict()
    real = y + np.random.default_rng(0).random(120)
    of_real = ep.JMI(2).fit(X, real).held_out_risk(X, real)
    assert of_real.counted_entropy[0] == pytest.approx(math.log2(5))
    assert of_real.risk[2] < of_real.risk[0]
    assert json.dumps(first.to_dict(), allow_nan=False)
    assert first.to_frame("pandas").shape == (4, 7)
    assert str(first).startswith("On held-out rows (5 folds) the joint levels of 3 columns")


def test_refusals():
    """Levels that know y, and folds that cannot be."""
    X, y = made_up(0)
    with pytest.raises(CombinationError, match="binning='mdlp'"):
        ep.JMI(2, binning="mdlp").fit(X + 0.5, y).held_out_risk(X + 0.5, y)
    with pytest.raises(ValueError, match=r"folds must be at least 2 .*got 1"):
        ep.JMI(2).fit(X, y).held_out_risk(X, y, folds=1)

"""Sums over parts of the rows, against numpy and against the whole table."""

import numpy as np
import pandas as pd
import pytest

from entropick._base.threads import Threads
from entropick.exceptions import DataError
from entropick.table.encoding.distributed import numbers
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import apply_target, encode_target
from entropick.table.numeric.moments import Moments, compute_moments


def parts_of(n_rows, seed):
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(0, n_rows + 1, 4))  # some parts may have no rows
    return [slice(a, b) for a, b in zip([0, *ends], [*ends, n_rows], strict=True)]


def frame(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    made = pd.DataFrame(rng.normal(size=(n_rows, 4)) * [1, 1e-200, 1e250, 3], columns=list("abcd"))
    made["d"] += 1e6  # a mean far from 0, next to its spread
    made.loc[::7, "a"] = np.nan
    made["one"] = 0.1
    made["none"] = np.nan
    made["text"] = np.where(rng.random(n_rows) < 0.2, None, rng.choice(["u", "v", "w"], n_rows))
    made["flag"] = rng.random(n_rows) < 0.3
    made["time"] = pd.date_range("2020", periods=n_rows, freq="h")
    return made


def plan_of(X, parts):
    """The plan of parts, merged in twos first, as in a tree."""
    found = [numbers.extents(X.iloc[rows]) for rows in parts]
    pairs = [numbers.merge_extents(found[k : k + 2]) for k in range(0, len(found), 2)]
    return numbers.plan_numbers(numbers.merge_extents(pairs), "level")


def whole_numbers(X):
    """What the columns are as numbers, by pandas alone; very large or small ones in units of their own."""
    columns = X.assign(
        text=X["text"].map({"u": 0.0, "v": 1.0, "w": 2.0}),
        flag=X["flag"].astype(float),
        time=(X["time"] - pd.Timestamp(0)) / pd.Timedelta("1us"),
        none=0.0,
    ).astype(float)
    return columns.fillna(columns.mean()).to_numpy()


@pytest.mark.parametrize("seed", range(5))
def test_numbers_and_moments_of_parts(seed):
    X, parts = frame(seed=seed), parts_of(300, seed)
    y = np.random.default_rng(seed).integers(0, 3, 300)
    target = encode_target(y)
    plan = plan_of(X, parts)
    expected = whole_numbers(X)
    assert plan.low == pytest.approx(expected.min(axis=0), rel=1e-12)
    assert plan.high == pytest.approx(expected.max(axis=0), rel=1e-12)
    assert np.flatnonzero(plan.exponents).tolist() == [1, 2]
    tamed = np.ldexp(expected, -plan.exponents)
    made = np.concatenate([numbers.numbers_of_part(X.iloc[rows], plan) for rows in parts])
    assert made == pytest.approx(tamed, rel=1e-12)
    sums = numbers.merge_sums(
        [
            numbers.sums_of_part(X.iloc[rows], apply_target(y[rows], target.encoding), plan, None)
            for rows in parts
        ]
    )
    moments = sums.moments
    assert moments.mean == pytest.approx(tamed.mean(axis=0), rel=1e-12)
    assert moments.variance == pytest.approx(tamed.var(axis=0), rel=1e-9, abs=1e-25)
    for g in range(3):
        assert moments.class_means[:, g] == pytest.approx(tamed[y == g].mean(axis=0), rel=1e-12)
        assert moments.class_variances[:, g] == pytest.approx(tamed[y == g].var(axis=0), rel=1e-9, abs=1e-25)
    assert moments.is_constant.tolist() == [False] * 4 + [True, True] + [False] * 3
    assert moments.class_counts.tolist() == np.bincount(y).tolist()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["class", "real"])
def test_correlations_of_parts(seed, kind):
    X, parts = frame(seed=seed), parts_of(300, seed)
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 300) if kind == "class" else rng.normal(size=300) * 2.0**600 + 2.0**601
    target = encode_target(y, kind=kind, rules=Rules())
    plan, scale = plan_of(X, parts), numbers.Scale(0.0, 0)
    if kind == "real":
        scale = numbers.Scale(2.0, 600)
    sums = numbers.merge_sums(
        [
            numbers.sums_of_part(X.iloc[rows], apply_target(y[rows], target.encoding), plan, scale)
            for rows in parts
        ]
    )
    is_constant = plan.low == plan.high
    found = numbers.correlations(sums, np.append(is_constant, False))
    columns = np.column_stack([np.ldexp(whole_numbers(X), -plan.exponents), y / 2.0**scale.exponent])
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = np.corrcoef(columns.T)
    expected[np.append(is_constant, False)] = expected[:, np.append(is_constant, False)] = 0
    assert found == pytest.approx(expected, abs=1e-9)


def test_moments_of_classes_far_apart():
    """Within-class variances keep their digits though the classes are far apart."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 500).astype(np.int32)
    X = (rng.normal(size=1000) + 1e6 * y)[:, None]
    parts = [slice(0, 300), slice(300, 301), slice(301, 1000)]
    merged = Moments.merged([compute_moments(X[rows], Threads(1), y[rows], 2) for rows in parts])
    expected = [X[y == g].var() for g in range(2)]
    assert merged.class_variances[0] == pytest.approx(expected, rel=1e-9)


def merge(*parts):
    return numbers.merge_extents([numbers.extents(pd.DataFrame(part)) for part in parts])


def test_what_is_refused():
    with pytest.raises(DataError, match="'b' holds numbers in one partition and strings"):
        merge({"b": [1.0]}, {"b": ["u"]})
    with pytest.raises(DataError, match="'a' is not in all"):
        merge({"a": [1.0]}, {"b": [1.0]})
    with pytest.raises(DataError, match="infinite value"):
        numbers.extents(np.array([[np.inf]]))
    with pytest.raises(DataError, match="missing='error'"):
        numbers.plan_numbers(numbers.extents(np.array([[np.nan], [1.0]])), "error")
    with pytest.raises(DataError, match="must have rows and columns"):
        numbers.plan_numbers(numbers.extents(np.empty((0, 2))), "level")

"""Every method on extreme numbers: scores stay finite, and compiled code does not crash."""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.exceptions import UndefinedMetricWarning

import entropick as ep
from entropick import _core, measures
from entropick._base.threads import Threads
from entropick.exceptions import DataError
from entropick.measures._shared.moments import relative_spread
from entropick.selectors.catalog import METHODS, set_known_params
from entropick.table.numeric.magnitude import bounds, extreme_exponents, tamed
from entropick.table.numeric.moments import compute_moments
from helpers import make_numbers

EXTREMES = [0.0, -0.0, 1.0, 1e-323, 2e-323, 1e-310, 1e200, -1e200, 1e308, -1e308]
N_TABLES = 5
QUICK = {
    "BayesianEntropyFS": {"n_evaluations": 200, "population_size": 20},
    "CrossEntropyFS": {"n_samples": 40, "max_rounds": 10},
    "SwarmFS": {"n_particles": 5, "n_rounds": 3},
    "FCBF": {"n_features": 1.0},  # columns it does not keep have no score
    "CASMI": {"n_features": 1.0},  # likewise
}
UNITS_DO_NOT_MATTER = (
    "LaplacianScore", "MCFS", "UDFS", "LLCFS", "CFS", "RRPC", "FisherScore", "ILFS", "ReliefF", "NEFS", "SNEFS",
)  # fmt: skip
CASES = {name: (made, QUICK.get(name, {})) for name, made in METHODS.items()}
CASES |= {
    f"{made.__name__}, scaling={scaling}": (made, {"scaling": scaling})
    for made in (ep.LaplacianScore, ep.MCFS, ep.UDFS, ep.LLCFS)
    for scaling in ("std", None)
}
CASES |= {
    f"{made.__name__}, scaling={scaling}": (made, {"scaling": scaling})
    for made in (ep.NEFS, ep.SNEFS)
    for scaling in ("std", "rank")
}
CASES["SwarmFS, neighborhood entropy"] = (ep.SwarmFS, {"measure": "neighborhood_entropy", "n_rounds": 2})


def tables():
    """Tables of extreme and ordinary numbers, each with a target of classes and a real one."""
    rng = np.random.default_rng(0)
    for _ in range(N_TABLES):
        n, d = rng.integers(2, 13), rng.integers(1, 6)
        extreme = rng.random((n, d)) >= rng.choice([0.0, 0.3, 0.9])
        X = np.where(extreme, rng.choice(EXTREMES, (n, d)), rng.normal(size=(n, d)))
        yield X, np.arange(n) % 2
        yield X, np.where(rng.random(n) < 0.5, rng.choice(EXTREMES, n), rng.normal(size=n))
        yield scipy.sparse.csc_array(X), np.arange(n) % 2


def complaint(case, X, y):
    """What is wrong with the method's answer; None if nothing is, or if it refuses the data and says why."""
    made, parameters = CASES[case]
    try:
        selector = set_known_params(made(**parameters), random_state=0).fit(X, y)
    except DataError as refusal:
        return None if "column" in str(refusal) else repr(refusal)
    except Exception as error:
        return repr(error)
    found = [*selector.scores_, *(best for entry in getattr(selector, "history_", ()) for best in entry.best)]
    return None if np.isfinite(found).all() else f"not finite: {found}"


def main():
    """Try all, saying before each case what it is; compiled code that leaves its arrays ends the process."""
    wrong = []
    for i, (X, y) in enumerate(tables()):
        for case in CASES:
            print(f"{case} on table {i}", flush=True)
            complained = complaint(case, X, y)
            wrong += [f"{case} on table {i}: {complained}"] if complained else []
    sys.exit("\n".join(wrong) or 0)


@pytest.mark.slow
def test_extreme_numbers():
    """All methods in a process of their own, so that one that aborts it is seen."""
    command = [sys.executable, "-W", "ignore", "-W", "error::RuntimeWarning", __file__]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, f"after {run.stdout.splitlines()[-1:]}:\n{run.stderr[-3000:]}"


def test_taming_is_exact_and_leaves_ordinary_columns_alone():
    """Only columns beyond 2^400 or below 2^-400 change, by a power of two; sparse ones likewise."""
    X = np.array([[1.5, 3e200, 3e-323, 0.0], [-1e100, -1e308, 0.0, 0.0], [1e-300, 1.0, 1e-323, 0.0]])
    exponents = extreme_exponents(X)
    assert exponents.tolist() == [0, 1024, -1071, 0]
    assert np.ldexp(tamed(X), exponents).tolist() == X.tolist()
    assert 0.5 <= np.abs(tamed(X)[:, 1:3]).max() < 1
    assert tamed(scipy.sparse.csc_array(X)).toarray().tolist() == tamed(X).tolist()
    assert tamed(X[:, [0, 3]]).tolist() == X[:, [0, 3]].tolist()


@pytest.mark.every_method
@pytest.mark.parametrize("name", UNITS_DO_NOT_MATTER)
@pytest.mark.parametrize("power", [650, -650])
@pytest.mark.parametrize("make", [np.asarray, scipy.sparse.csc_array])
def test_units_of_any_size_give_the_same_scores(name, power, make):
    """A column a power of two larger or smaller tells the same."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)) * (rng.random((30, 4)) < 0.8), np.arange(30) % 3
    X[:, 1] += y
    expected = set_known_params(METHODS[name](4), random_state=0).fit(make(X), y).scores_
    assert set_known_params(METHODS[name](4), random_state=0).fit(
        make(X * [1, 2.0**power, 1, 2.0**-power]), y
    ).scores_ == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_real_targets_of_any_size():
    """A target 2^1000 times as large is told as well; so is one whose range is no float."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = X[:, 2] + rng.normal(size=30)
    for selector in (ep.RRPC, ep.ReliefF):
        expected = selector(3).fit(X, y).scores_
        for unit in (2.0**1000, 2.0**-900, 1.7e308 / np.abs(y).max()):
            found = selector(3, target="real").fit(X, y * unit).scores_
            assert found == pytest.approx(expected, rel=1e-6)


def test_spread_in_units_of_any_size():
    """Spreads are compared as they are, though their squares are no floats."""
    X = np.random.default_rng(0).normal(size=(30, 3)) * [3e307, 1e307, 1e200]
    moments = compute_moments(tamed(X), Threads(1))
    smaller = X / 1e300
    expected = smaller.std(axis=0)
    assert relative_spread(*bounds(X), moments, None) == pytest.approx(expected / expected.max())
    expected = expected / np.ptp(smaller, axis=0)
    assert relative_spread(*bounds(X), moments, "range") == pytest.approx(expected / expected.max())


def test_gaps_in_large_columns():
    """The mean that stands in for a missing value is a float where the sum is none."""
    X = np.array([[1e308, 1.0], [1.5e308, 2.0], [np.nan, 3.0], [0.5e308, 0.0]])
    assert make_numbers(X)[2, 0] == pytest.approx(1e308)


@pytest.mark.parametrize("selector", [ep.LaplacianScore, ep.MCFS, ep.UDFS, ep.LLCFS])
def test_units_that_cannot_be_kept(selector):
    """Without scaling, columns whose distances are no floats are refused by name."""
    X = np.random.default_rng(0).normal(size=(20, 3)) * [1, 1e200, 1]
    with pytest.raises(
        DataError, match=r"column 'x1' holds numbers as large as .*e\+200\. Hint: use scaling"
    ):
        selector(scaling=None).fit(X)
    frame = pd.DataFrame(X, columns=list("bac"))
    with pytest.raises(DataError, match="column 'a' holds"):
        selector(scaling=None, feature_groups=[["b", "c"]]).fit(frame)


def test_kernels_index_within_their_arrays():
    """Distances that are no numbers still name rows, and nearness that is none is the smallest token."""
    products, found = np.full((2, 4), np.nan, np.float32), np.empty((2, 3), np.int64)
    points, lengths = np.full((4, 2), np.nan), np.full(4, np.nan, np.float32)
    rows = _core.NearestDenseRows(points, lengths, np.zeros(4, np.int64), 1e-6)
    rows.nearest(products, 1, found, np.empty((2, 3)))
    assert [sorted(row) for row in found.tolist()] == [[0, 2, 3], [0, 1, 3]]
    found = np.empty((2, 3), np.int32)
    _core.nearest_by_distance(products, np.array([1, 2]), found)
    assert found.tolist() == [[0, 2, 3], [0, 1, 3]]
    tokens = np.zeros((1, 4), np.int64)
    columns, codes = np.array([[1e200, -1e200]]), np.array([0, 1], np.int32)
    _core.ClassMoments(codes, 2).count_tokens(columns, np.array([[np.inf, 1.0]]), tokens)
    assert tokens.tolist() == [[2, 0, 0, 0]]


def test_scores_that_are_no_number_are_refused():
    """R² of a single row is no number; the search must not go on with it."""
    X = np.random.default_rng(0).normal(size=(4, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        with pytest.raises(DataError, match="not a number"):
            ep.SwarmFS(measure=measures.CrossValidated(cv=4), random_state=0).fit(X, X[:, 0])


if __name__ == "__main__":
    main()

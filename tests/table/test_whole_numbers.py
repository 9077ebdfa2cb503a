"""Whole numbers beyond 64 bits and beyond floats."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import entropick as ep
from encoded_tables import encode
from entropick.exceptions import DataError, SelectionWarning
from entropick.table.encoding.target import apply_target, encode_target

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


HUGE = [2**63 + i % 2 for i in range(40)]


WITH_GAP = [None] + [2**60 + i % 2 for i in range(1, 40)]


@pytest.mark.parametrize(
    "X",
    [
        np.array(HUGE, dtype=np.uint64)[:, None],
        np.array(HUGE, dtype=object)[:, None],
        pd.DataFrame({"x0": np.array(HUGE, dtype=np.uint64), "other": np.arange(40.0)}),
        pd.DataFrame({"x0": pd.Series([2**100 + i % 2 for i in range(40)], dtype=object)}),
        pl.DataFrame({"x0": pl.Series(HUGE, dtype=pl.UInt64), "other": np.arange(40)}),
        pl.LazyFrame({"x0": pl.Series(HUGE, dtype=pl.UInt64)}),
        pl.DataFrame({"x0": pl.Series([i % 2 - 2**100 for i in range(40)], dtype=pl.Int128)}),
        pa.table({"x0": pa.array(HUGE, pa.uint64())}),
    ],
    ids=["array", "objects", "pandas", "python", "polars", "lazy", "128 bits", "arrow"],
)
def test_huge_whole_numbers_are_kept_apart(X):
    """Values that floats would merge are levels of their own, which the record shows; numbers stay apart too."""
    y = np.arange(40) % 2
    found = ep.MIM(1).fit(X, y)
    assert found.scores_[0] == 1.0
    low, high = found.selection_.encodings[0].levels
    assert (type(low), high - low) == (int, 1)
    assert abs(low) >= 2**63
    assert ep.FisherScore(1).fit(X, y).scores_[0] > 100
    assert ep.JMI("auto").fit(X, y).support_[0]


@pytest.mark.parametrize(
    "X",
    [
        np.array(WITH_GAP, dtype=object)[:, None],
        pd.DataFrame({"x0": pd.Series(WITH_GAP, dtype="Int64")}),
        pd.DataFrame({"x0": pd.Series(WITH_GAP, dtype="int64[pyarrow]")}),
        pl.DataFrame({"x0": pl.Series(WITH_GAP, dtype=pl.Int64)}),
        pl.LazyFrame({"x0": pl.Series(WITH_GAP, dtype=pl.Int64)}),
        pa.table({"x0": pa.array(WITH_GAP)}),
    ],
    ids=["objects", "pandas", "pandas with arrow", "polars", "lazy", "arrow"],
)
def test_huge_whole_numbers_beside_missing_ones(X):
    """A missing value makes floats of a column, but not equal ones of values that differ."""
    y = np.arange(40) % 2
    found = ep.MIM(1).fit(X, y)
    assert found.scores_[0] == 1.0
    assert found.selection_.encodings[0].levels == (2**60, 2**60 + 1)
    assert found.selection_.encodings[0].n_missing == 1
    assert ep.JMI("auto").fit(X, y).support_[0]


def test_huge_whole_numbers_as_a_target():
    """Classes that floats would merge stay apart, in any container."""
    codes = np.arange(40)[:, None] % 2
    for y in (np.array(HUGE, dtype=np.uint64), HUGE, pd.Series(HUGE), pl.Series(HUGE, dtype=pl.UInt64)):
        found = ep.MIM(1).fit(codes, y)
        assert found.scores_[0] == 1.0
        assert found.selection_.target.levels == (2**63, 2**63 + 1)
        assert apply_target(y, found.selection_.target).codes.tolist() == codes[:, 0].tolist()


@pytest.mark.parametrize(
    "X",
    [
        np.array([0, 2**64 - 1, *HUGE], dtype=np.uint64)[:, None],
        scipy.sparse.csc_array(np.array([2**60 + i % 2 for i in range(42)])[:, None]),
        pd.DataFrame({"x0": pd.Series([-(2**60), *WITH_GAP, 0], dtype="Int64")}),
    ],
    ids=["far apart", "sparse", "gap"],
)
def test_a_warning_where_whole_numbers_are_rounded(X):
    """Numbers too far apart for exact differences are rounded; that is said if it makes some of them equal."""
    with pytest.warns(
        SelectionWarning, match=r"Column 'x0' holds whole numbers beyond 2\^53, which are rounded"
    ):
        ep.MIM(1).fit(X, np.arange(42) % 2)


def test_no_warning_where_rounding_changes_nothing():
    """Hashes that fill the range of 64 bits."""
    X = np.random.default_rng(0).integers(0, 2**64 - 1, (50, 1), dtype=np.uint64, endpoint=True)
    X[:2, 0] = 0, 2**64 - 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ep.MIM(1).fit(X, np.arange(50) % 2).n_features_ == 1


def test_whole_numbers_beyond_floats_are_refused():
    """One sentence that names the column."""
    with pytest.raises(DataError, match=r"Column 'x0' holds a whole number beyond the range of floats.*Hint"):
        encode(np.array([[10**400], [1]], dtype=object))


def test_periods_of_pandas_are_times():
    """A period is its beginning, as a column and as a target; a missing one is missing."""
    months = pd.Series(pd.PeriodIndex(["2026-03", "2026-01", None, "2026-02"], freq="M"))
    table = encode(pd.DataFrame({"month": months}))
    assert table.encodings[0].kind == "datetime"
    assert table.column(0).tolist() == [2, 0, 3, 1]
    assert encode_target(months.dropna()).codes.tolist() == [2, 0, 1]

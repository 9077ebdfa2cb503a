"""Numbers become levels: quantiles, equal widths, MDLP."""

import inspect

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.preprocessing import KBinsDiscretizer

import entropick as ep
import naive
from encoded_tables import encode
from entropick.table import Rules
from entropick.table.encoding.target import encode_target

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


NUMBERS = st.one_of(
    st.floats(-100, 100, allow_nan=False).map(lambda v: round(v, 1)),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 0.0, 0.0, 1.0, -1.0]),
)


def levels(values, **rules):
    return encode(np.asarray(values)[:, None], rules=Rules(**rules)).column(0).tolist()


# -- numeric columns -------------------------------------------------------------------------


@given(values=st.lists(NUMBERS, min_size=1, max_size=200), n_bins=st.integers(2, 12))
def test_quantile_levels_equal_naive(values, n_bins):
    """Equal frequencies; a cut inside equal values moves to the nearer end of their run."""
    assert levels(np.array(values), n_bins=n_bins) == naive.quantile_levels(values, n_bins)


@given(values=st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=60), n_bins=st.integers(2, 12))
def test_integers_beyond_floats_are_kept_apart(values, n_bins):
    """64-bit integers are ordered exactly, also where floats would merge them."""
    assert levels(np.array(values), n_bins=n_bins) == naive.quantile_levels(values, n_bins)


@given(values=st.lists(st.floats(-50, 50).map(lambda v: round(v, 2)), min_size=1, max_size=100))
def test_uniform_levels_equal_naive(values):
    """Equal widths, left-closed as in scikit-learn; empty levels vanish."""
    assert levels(np.array(values), n_bins=5, binning="uniform") == naive.uniform_levels(values, 5)


def test_levels_of_equal_width_of_a_range_beyond_floats():
    """The width of all levels together may be infinite as a float."""
    values = np.linspace(-1, 1, 200)
    expected = levels(values * 0.9e308, n_bins=10, binning="uniform")
    assert levels(values * 1.7e308, n_bins=10, binning="uniform") == expected
    assert len(set(expected)) == 10


@given(
    values=hnp.arrays(np.float64, 80, elements=st.floats(-10, 10).map(lambda v: round(v, 1))),
    y=hnp.arrays(np.int64, 80, elements=st.integers(0, 2)),
    signal=st.booleans(),
)
def test_mdlp_edges_equal_naive(values, y, signal):
    """Fayyad and Irani's recursive cuts with their description-length test."""
    if signal:
        y = (values > 1).astype(int) + (values > 5)
    encoding = encode(values[:, None], encode_target(y), rules=Rules(n_bins=2, binning="mdlp")).encodings[0]
    if encoding.edges is not None:
        assert list(encoding.edges) == naive.mdlp_edges(values.tolist(), y.tolist())
    else:
        assert len(set(values)) <= 2


def test_mdlp_cuts_where_the_classes_change():
    """A clean step in y is found at its place, and pure noise is not cut."""
    rng = np.random.default_rng(0)
    x, noise = rng.uniform(size=300), rng.uniform(size=300)
    y = (x > 0.37).astype(int)
    table = encode(np.column_stack([x, noise]), encode_target(y), rules=Rules(binning="mdlp"))
    (edge,) = table.encodings[0].edges
    assert edge == x[x <= 0.37].max()
    assert table.encodings[1].n_levels == 1


def test_mdlp_of_one_row():
    """There is nothing to cut."""
    table = encode(np.array([[2.5, np.nan]]), encode_target([1]), rules=Rules(binning="mdlp"))
    assert [column.tolist() for column in table] == [[0], [0]]
    assert table.n_levels.tolist() == [1, 1]


@pytest.mark.parametrize("n_bins", [2, 5, 10, 40])
@pytest.mark.parametrize("n_rows", [1000, 997])
def test_quantile_bins_are_those_of_scikit_learn_without_ties(n_bins, n_rows):
    """Away from ties the bins are those of KBinsDiscretizer, since 1.9 by default, since 1.7 on request."""
    X = np.random.default_rng(n_bins).standard_normal((n_rows, 20))
    table = np.column_stack(list(encode(X, rules=Rules(n_bins=n_bins))))
    shares = np.arange(1, n_bins) / n_bins
    edges = np.quantile(X, shares, axis=0, method="averaged_inverted_cdf")
    expected = np.column_stack([np.searchsorted(edges[:, j], X[:, j], "right") for j in range(20)])
    assert np.array_equal(table, expected)
    if "quantile_method" in inspect.signature(KBinsDiscretizer).parameters:
        reference = KBinsDiscretizer(n_bins, encode="ordinal", strategy="quantile", subsample=None,
                                     quantile_method="averaged_inverted_cdf")  # fmt: skip
        assert np.array_equal(table, reference.fit_transform(X))


def test_a_mass_of_equal_values_keeps_its_own_level():
    """Zeros of a zero-inflated column are not mixed with small values, at either end."""
    rng = np.random.default_rng(0)
    values = np.where(rng.random(1000) < 0.7, 0.0, rng.random(1000) + 0.01)
    for column in (values, -values):
        codes = np.array(levels(column, n_bins=5))
        assert len(set(codes[column == 0])) == 1
        assert set(codes[column == 0]).isdisjoint(codes[column != 0])


@pytest.mark.parametrize("extreme", [1e308, 5e-324, 1e-300])
def test_extreme_numbers(extreme):
    """The whole range of floats can be binned."""
    values = np.linspace(-1, 1, 101) * extreme
    for binning in ("quantile", "uniform"):
        codes = np.array(levels(values, n_bins=4, binning=binning))
        assert (np.diff(codes) >= 0).all()
        assert codes.max() >= 1


# -- levels by the number of rows -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_rows", "expected"), [(4, 4), (60, 5), (272, 5), (273, 6), (812, 9), (813, 10), (3000, 10)]
)
def test_levels_follow_the_number_of_rows(n_rows, expected):
    """Five levels while rows are few, ten where they are many; a number that is given holds."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n_rows, 2)), np.arange(n_rows) % 2
    levels = [e.n_levels for e in ep.MIM(1).fit(X, y).selection_.encodings]
    assert levels == [expected, expected]
    assert ep.MIM(1, n_bins=7).fit(X, y).selection_.encodings[0].n_levels == min(7, n_rows)


@pytest.mark.parametrize(
    "as_table", [np.asarray, scipy.sparse.csc_matrix, pd.DataFrame], ids=lambda f: f.__name__
)
def test_up_to_ten_values_are_levels(as_table):
    """Numbers that may be codes are not joined because rows are few."""
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(100) % 10, np.arange(100) % 11, rng.integers(0, 300, 100)]).astype(float)
    y = np.arange(100) % 2
    assert [e.n_levels for e in ep.MIM(1).fit(as_table(X), y).selection_.encodings] == [10, 5, 5]
    few = ep.MIM(1, n_bins=5).fit(as_table(X), y).selection_
    assert [e.n_levels for e in few.encodings] == [5, 5, 5]


def test_levels_of_repeated_rows_follow_their_number():
    """Weights count as rows, so they may ask for more levels."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), np.arange(100) % 2
    weighted = ep.MIM(1).fit(X, y, sample_weight=np.full(100, 9)).selection_
    repeated = ep.MIM(1).fit(np.repeat(X, 9, axis=0), np.repeat(y, 9)).selection_
    assert weighted.encodings == repeated.encodings
    assert weighted.encodings[0].n_levels == 10

"""Any container becomes the same table of levels, and says how."""

import cProfile
import datetime as dt
import inspect
import warnings
from decimal import Decimal

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.preprocessing import KBinsDiscretizer

import entropick as ep
import naive
from entropick import table as tables
from entropick.exceptions import ColumnTypeError, DataError, SelectionWarning
from entropick.table import Rules
from entropick.table.codes import DensePart, SparsePart, join_columns, joint_levels
from entropick.table.target import apply_target, encode_target, target_kind

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

NUMBERS = st.one_of(
    st.floats(-100, 100, allow_nan=False).map(lambda v: round(v, 1)),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 0.0, 0.0, 1.0, -1.0]),
)


class Encoded:
    """Codes, and how they came about."""

    def __init__(self, codes, encoding):
        self.codes, self.encodings = codes, encoding.columns

    def __getattr__(self, name):
        return getattr(self.codes, name)

    def __iter__(self):
        return iter(self.codes)


def encode(X, target=None, **options):
    return Encoded(*tables.encode(X, target, **options))


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


# -- kinds of columns ------------------------------------------------------------------------


def mixed_frame():
    return pd.DataFrame(
        {
            "number": [1.5, 2.5, None, 4.0],
            "integer": [3, 1, 2, 3],
            "text": ["b", "a", None, "b"],
            "category": pd.Categorical(["x", "y", "x", None], categories=["z", "y", "x"]),
            "time": pd.to_datetime(["2020-01-01", None, "2021-01-01", "2022-01-01"]),
            "duration": pd.to_timedelta(["1h", "2h", "1h", None]),
            "truth": [True, False, True, True],
            "nullable": pd.array([1, None, 3, 3], dtype="Int64"),
            "maybe": pd.array([True, None, False, True], dtype="boolean"),
        }
    )


EXPECTED_LEVELS = {
    "number": [0, 1, 3, 2],
    "integer": [2, 0, 1, 2],
    "text": [1, 0, 2, 1],
    "category": [0, 1, 0, 2],
    "time": [0, 3, 1, 2],
    "duration": [0, 1, 0, 2],
    "truth": [1, 0, 1, 1],
    "nullable": [0, 2, 1, 1],
    "maybe": [1, 2, 0, 1],
}


@pytest.mark.parametrize("container", ["pandas", "polars", "pyarrow"])
def test_all_kinds_of_columns_in_any_dataframe(container):
    """Numbers, texts, categories, times and booleans, missing values as the last level."""
    frame = mixed_frame()
    if container != "pandas":
        frame = pa.Table.from_pandas(frame)
    if container == "polars":
        frame = pl.from_arrow(frame)
    table = encode(frame)
    names = [encoding.name for encoding in table.encodings]
    assert names == list(EXPECTED_LEVELS)
    for j, name in enumerate(names):
        assert table.column(j).tolist() == EXPECTED_LEVELS[name], name
    kinds = [encoding.kind for encoding in table.encodings]
    assert kinds == [
        "numeric",
        "numeric",
        "category",
        "category",
        "datetime",
        "duration",
        "boolean",
        "numeric",
        "boolean",
    ]


def test_a_lazy_frame_is_read_a_few_columns_at_a_time(monkeypatch):
    """With the same result, and never more columns at once than a block holds."""
    frame = pl.from_arrow(pa.Table.from_pandas(mixed_frame()))
    frame = pl.concat([frame] * 50)
    monkeypatch.setattr("entropick.table.inputs.BLOCK_VALUES", 3 * frame.height)
    widths = []
    collect = pl.LazyFrame.collect

    def watched(lazy, **options):
        collected = collect(lazy, **options)
        widths.append(collected.width if collected.height > 1 else 0)
        return collected

    monkeypatch.setattr(pl.LazyFrame, "collect", watched)
    lazily, held = encode(frame.lazy()), encode(frame)
    assert lazily.encodings == held.encodings
    for one, other in zip(lazily, held, strict=True):
        np.testing.assert_array_equal(one, other)
    assert max(widths) == 3


ASK_THE_WHOLE_FRAME = {
    "__getitem__",
    "columns",
    "schema",
    "collect_schema",
    "get_column",
    "select",
    "simple_select",
}


@pytest.mark.parametrize("container", ["pandas", "polars", "lazy", "arrow"])
def test_wide_frames_are_not_asked_for_each_column(container):
    """A frame takes time for each of its columns whenever it is asked, so all of them took quadratic time."""
    columns = {f"c{j}": values for j, values in enumerate(np.random.default_rng(0).random((2000, 50)))}
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.LazyFrame, "arrow": pa.table}[
        container
    ]
    counted = cProfile.Profile()
    counted.runcall(ep.MIM(2).fit, make(columns), np.arange(50) % 2)
    asked = sum(
        entry.callcount
        for entry in counted.getstats()
        if getattr(entry.code, "co_name", "") in ASK_THE_WHOLE_FRAME and "frame" in entry.code.co_filename
    )
    assert asked < 200


def test_more_types_of_polars():
    """Enums, dates, unsigned and decimal numbers."""
    frame = pl.DataFrame(
        {
            "enum": pl.Series(["lo", "hi", "lo"], dtype=pl.Enum(["lo", "hi"])),
            "date": [dt.date(2020, 1, 1), dt.date(2019, 1, 1), None],
            "unsigned": pl.Series([5, 2**63 + 5, 7], dtype=pl.UInt64),
            "decimal": pl.Series(["1.5", "0.5", "1.5"]).cast(pl.Decimal(10, 2)),
        }
    )
    assert [column.tolist() for column in encode(frame)] == [[1, 0, 1], [1, 0, 2], [0, 2, 1], [1, 0, 1]]


def test_objects_texts_and_times_in_arrays():
    """Arrays of objects, texts and datetimes are read column by column."""
    objects = np.array([[1, "b", None], [2.5, "a", True], [np.nan, "b", False]], dtype=object)
    assert [column.tolist() for column in encode(objects)] == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    times = np.array([["2020", "NaT"], ["2019", "2021"]], dtype="datetime64[D]")
    assert [column.tolist() for column in encode(times)] == [[1, 0], [1, 0]]
    assert encode(np.array([["x"], ["y"], ["x"]])).column(0).tolist() == [0, 1, 0]


def test_nested_lists_keep_numbers_beside_texts():
    """Numbers in a list of lists with texts stay numbers, masked values are missing."""
    number, text = encode([[1.5, "a"], [0.5, "b"]]).encodings
    assert (number.kind, text.kind) == ("numeric", "category")
    for values in ([[1, 5], [2, 6]], [["a", "b"], ["c", "d"]]):
        masked = np.ma.masked_array(values, mask=[[True, False], [False, False]])
        assert encode(masked).encodings[0].n_missing == 1


def test_types_few_libraries_know():
    """Sparse pandas columns, dates among objects, and unsigned integers that floats would merge."""
    assert encode(pd.DataFrame({"a": pd.arrays.SparseArray([0, 1, 0])})).column(0).tolist() == [0, 1, 0]
    dates = pd.DataFrame({"a": [dt.date(2021, 1, 1), None, dt.date(2020, 1, 1)]}, dtype=object)
    assert encode(dates).encodings[0].kind == "datetime"
    assert encode(dates).column(0).tolist() == [1, 2, 0]
    large = np.array([[2**62 + 1], [2**62 + 2]], dtype=np.uint64)
    assert encode(large).column(0).tolist() == [0, 1]
    with pytest.raises(ColumnTypeError, match=r"'p' holds values of type interval\[int64, right\]; a"):
        encode(pd.DataFrame({"p": pd.interval_range(0, 2)}))
    with pytest.raises(ColumnTypeError, match="'c' holds values of type complex128; a"):
        encode(pd.DataFrame({"c": [1j, 2j]}))


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame])
def test_nested_columns_of_polars_are_refused_by_name(make):
    """Structs and arrays, which numpy would read as tables, and lists."""
    for values in (
        [{"a": 1}, {"a": 2}],
        pl.Series([[1, 2], [2, 3]], dtype=pl.Array(pl.Int64, 2)),
        [[1], [2]],
    ):
        with pytest.raises(ColumnTypeError, match=r"Column 's' holds values of type (Struct|Array|List)"):
            ep.MIM(1).fit(make({"s": values}), [0, 1])


@pytest.mark.parametrize(
    "make", [lambda v: pd.DataFrame({"x0": v}), lambda v: np.array(v, dtype=object)[:, None]]
)
def test_decimals_of_python_are_numbers(make):
    """As a column, next to missing values and other numbers, and as a target."""
    one, two = Decimal("1.5"), Decimal("2.5")
    assert encode(make([one, two, one])).column(0).tolist() == [0, 1, 0]
    for missing in (None, Decimal("NaN"), Decimal("sNaN")):
        assert encode(make([two, missing, 1])).column(0).tolist() == [1, 2, 0]
    assert encode_target(pd.Series([one, two, one]), kind="class").codes.tolist() == [0, 1, 0]
    for infinite in (Decimal("Infinity"), Decimal(10) ** 400):
        with pytest.raises(DataError, match="'x0' holds an infinite value"):
            encode(make([one, infinite]))


def test_columns_without_any_type():
    """A polars column of nothing but nulls, and times of day."""
    times = [dt.time(12, 30), dt.time(8, 0), None]
    frame = pl.DataFrame({"nothing": [None, None, None], "time": times})
    assert [column.tolist() for column in encode(frame)] == [[0, 0, 0], [1, 0, 2]]


def test_the_text_nan_is_a_text():
    """Only real missing values are missing."""
    encoding = encode(pd.DataFrame({"a": ["nan", "", None, "None"]})).encodings[0]
    assert (encoding.levels, encoding.n_missing) == (("", "None", "nan"), 1)


def test_storage_is_as_small_as_the_levels_allow():
    """One byte up to 256 levels, two up to 65,536, four beyond, column by column."""
    n = 70_000
    frame = pl.DataFrame(
        {
            "few": np.arange(n) % 256,
            "more": (np.arange(n) % 257).astype(str),
            "ids": np.arange(n).astype(str),
            "numeric": np.random.default_rng(0).random(n),
        }
    )
    table = encode(frame.with_columns(pl.col("few").cast(pl.String)))
    dtypes = {str(part.codes.dtype): part.columns.tolist() for part in table.parts}
    assert dtypes == {"uint8": [0, 3], "uint16": [1], "uint32": [2]}
    assert table.n_levels.tolist() == [256, 257, n, 10]


@pytest.mark.parametrize("binning", ["quantile", "uniform", "mdlp"])
@pytest.mark.parametrize("n_bins", [255, 256, 65535])
def test_the_level_of_gaps_comes_after_all_others(n_bins, binning):
    """Also where it is the first that takes another byte."""
    values = np.append(np.arange(n_bins, dtype=float), np.nan)
    rules = Rules(n_bins=n_bins, binning=binning)
    table = encode(values[:, None], encode_target(np.arange(n_bins + 1) % 2), rules=rules)
    assert table.column(0).tolist() == list(range(n_bins + 1))


def test_all_missing_column_is_constant():
    """A column without any value has one level and tells nothing."""
    table = encode(np.array([[np.nan, 1.0], [np.nan, 2.0]]))
    assert table.column(0).tolist() == [0, 0]
    assert table.encodings[0].n_levels == 1


def test_encoding_can_be_shown():
    """Which column, how many levels, which edges or values."""
    frame = pd.DataFrame({"size": np.arange(100.0), "kind": ["a", "b"] * 50})
    size, kind = encode(frame, rules=Rules(n_bins=4)).encodings
    assert size.edges == (24.0, 49.0, 74.0)
    assert str(size) == "size (numeric): 4 levels: up to 24, 49, 74"
    assert str(kind) == "kind (category): 2 levels: a, b"
    letters = pd.DataFrame({"letter": list("abcdefghijkl")})
    assert str(encode(letters).encodings[0]).endswith("12 levels: a, b, c, d, e, f, g, h, i, j, ...")
    assert str(encode(letters[:10]).encodings[0]).endswith("10 levels: a, b, c, d, e, f, g, h, i, j")


def test_levels_are_shown_as_values_of_their_kind():
    """Truth values, times and durations are compared as numbers, but not shown so."""
    frame = pd.DataFrame(
        {
            "flag": [True, False],
            "when": pd.to_datetime(["2024-01-01", "2024-01-02"]),
            "took": pd.to_timedelta(["1s", "2s"]),
        }
    )
    flag, when, took = encode(frame).encodings
    assert (flag.levels, flag.to_dict()["levels"]) == ((0, 1), (False, True))
    assert when.describe() == "2024-01-01T00:00:00.000000, 2024-01-02T00:00:00.000000"
    assert took.describe() == "1000000 microseconds, 2000000 microseconds"


@pytest.mark.parametrize("n_rows", [0, 1, 3])
def test_no_columns_have_one_joint_level(n_rows):
    """Where there is a row."""
    codes, n_levels = joint_levels([], n_rows)
    assert (codes.tolist(), n_levels) == ([0] * n_rows, min(n_rows, 1))


@pytest.mark.parametrize("n_between", [0, 1, 2, 3])
def test_numbers_around_texts(n_between):
    """Numeric columns are encoded in place where they stand together, whatever stands between them."""
    numbers = np.random.default_rng(0).integers(0, 9, (2, 30))
    texts = {f"text{k}": list("ab" * 15) for k in range(n_between)}
    table = encode(pd.DataFrame({"first": numbers[0], **texts, "last": numbers[1]}))
    expected = [encode(pd.DataFrame({"alone": row})).column(0).tolist() for row in numbers]
    assert [table.column(0).tolist(), table.column(n_between + 1).tolist()] == expected


def test_groups_of_one_are_stored_once():
    """As they were; groups of more are joined."""
    X = scipy.sparse.csc_array(np.eye(40)[:, :3])
    joined = join_columns(encode(X).codes, [[1], [0, 2]])
    assert [(type(part), part.columns.tolist()) for part in joined.parts] == [
        (SparsePart, [0]),
        (DensePart, [1]),
    ]
    assert joined.column(0).tolist() == encode(X).column(1).tolist()


# -- sparse matrices -------------------------------------------------------------------------


@given(
    values=hnp.arrays(
        np.float64, (30, 4), elements=st.sampled_from([0.0] * 8 + [-2.0, 0.5, 1.0, 2.0, 3.0, np.nan])
    ),
    n_bins=st.integers(2, 6),
    binning=st.sampled_from(["quantile", "uniform"]),
)
def test_sparse_equals_dense(values, n_bins, binning):
    """A sparse matrix is encoded as the same values in an array."""
    rules = Rules(n_bins=n_bins, binning=binning)
    dense, sparse = encode(values, rules=rules), encode(scipy.sparse.csr_array(values), rules=rules)
    assert [c.tolist() for c in sparse] == [c.tolist() for c in dense]
    assert sparse.encodings == dense.encodings


def test_sparse_input_is_not_densified():
    """A matrix that would take 40 GB as an array is encoded within its own size."""
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 100_000, 40_000), rng.integers(0, 400_000, 40_000)
    X = scipy.sparse.coo_array((rng.random(40_000), (rows, columns)), shape=(100_000, 400_000))
    table = encode(X)
    assert isinstance(table.parts[0], SparsePart)
    assert 40_000 * 5 + 400_000 * 8 < table.nbytes < 5_000_000  # rows and codes, and where columns start


def test_mostly_stored_sparse_columns_become_dense():
    """A column that is cheaper as a dense one is stored so."""
    X = scipy.sparse.csc_array(np.column_stack([np.arange(100) % 2, np.eye(100)[0]]))
    kinds = {type(part): part.columns.tolist() for part in encode(X).parts}
    assert kinds == {SparsePart: [1], DensePart: [0]}


def test_mdlp_of_a_sparse_matrix():
    """MDLP looks at every row, a block of columns at a time."""
    X = np.random.default_rng(0).poisson(2.0, (200, 5)) * 1.0
    y = (X[:, 1] > 2).astype(int)
    rules = Rules(n_bins=3, binning="mdlp")
    dense = encode(X, encode_target(y), rules=rules)
    sparse = encode(scipy.sparse.csr_array(X), encode_target(y), rules=rules)
    assert [c.tolist() for c in sparse] == [c.tolist() for c in dense]


# -- targets ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "codes"),
    [
        (["b", "a", "b"], [1, 0, 1]),
        ([True, False, True], [1, 0, 1]),
        ([3, -1, 3], [1, 0, 1]),
        ([2.0, 1.0, 2.0], [1, 0, 1]),
        (np.array(["x", "y", "x"], dtype=object), [0, 1, 0]),
        (pd.Series(["x", "y", "x"], dtype="category"), [0, 1, 0]),
        (pl.Series(["x", "y", "x"]), [0, 1, 0]),
        (pa.chunked_array([["x", "y", "x"]]), [0, 1, 0]),
        (np.array(["2020-01-02", "2020-01-01", "2020-01-02"], dtype="datetime64[D]"), [1, 0, 1]),
    ],
)
def test_classes_of_any_type(y, codes):
    """Classes may be texts, numbers, booleans, categories or times, in any container."""
    assert encode_target(y).codes.tolist() == codes


def test_real_targets_are_binned():
    """Numbers with fractions are cut into classes of equal frequency; `kind` overrides."""
    y = np.linspace(0, 1, 100)
    target = encode_target(y, rules=Rules(n_bins=4))
    assert np.bincount(target.codes).tolist() == [25, 25, 25, 25]
    assert target.encoding.edges is not None
    assert encode_target(y, kind="class").n_classes == 100
    assert encode_target(np.arange(100), kind="real", rules=Rules(n_bins=5)).n_classes == 5


def whole_targets():
    """Whole numbers that measure or count something, and whole numbers that label classes."""
    from sklearn.datasets import load_diabetes, load_digits

    rng = np.random.default_rng(0)
    heavy = rng.negative_binomial(1, 0.02, 20_000)
    rings = np.repeat(np.arange(1, 29), rng.multinomial(4177 - 28, rng.dirichlet(np.ones(28))) + 1)
    real = {
        "diabetes": load_diabetes(return_X_y=True)[1],
        "grams": 50 * rng.integers(54, 126, 342),
        "grams as floats": 50.0 * rng.integers(54, 126, 342),
        "counts": heavy,
        "ages": rng.integers(17, 91, 40_000),
        "row numbers": np.arange(100),
        "times": np.datetime64("2026-01-01") + rng.integers(0, 300, 500),
    }
    labels = {
        "digits": load_digits(return_X_y=True)[1],
        "letters": rng.integers(0, 26, 2000),
        "letters as floats": rng.integers(1, 27, 2000).astype(float),
        "rings": rings,
        "40 faces, 8 pictures each": np.tile(np.arange(40), 8),
        "100 leaves, 16 of each": np.tile(np.arange(1, 101), 16),
        "few rows": np.arange(15) ** 3,
    }
    return [(name, y, True) for name, y in real.items()] + [(name, y, False) for name, y in labels.items()]


@pytest.mark.parametrize(("name", "y", "is_real"), whole_targets())
def test_whole_numbers_as_targets(name, y, is_real):
    """Many values that do not number classes are real values, which is said; labels stay classes."""
    expected = "real" if is_real else "class"
    assert target_kind(y) == expected
    if is_real:
        n_values = len(np.unique(y))
        with pytest.warns(SelectionWarning, match=f"{n_values} distinct values .*target='class'"):
            target = encode_target(y)
        assert target.n_classes <= 10
        assert encode_target(y, kind="class").n_classes == n_values
    else:
        target = encode_target(y)
    assert (target.values is not None) == is_real


@pytest.mark.parametrize(
    ("name", "kind"), [("abalone", "class"), ("usps", "class"), ("blogfeedback", "real")]
)
def test_whole_targets_of_real_data(name, kind, real_data):
    """Rings of abalones and digits are classes, 438 different numbers of comments are not."""
    assert target_kind(real_data(name)["y"]) == kind


def test_declared_targets_are_not_commented_on():
    """No warning where the kind was said."""
    y = np.arange(100) ** 2
    assert encode_target(y, kind="class").n_classes == 100
    assert encode_target(y, kind="real").n_classes == 10


def test_unlabelled_rows_where_a_method_takes_them():
    """None and NaN mean unlabelled for semi-supervised methods, -1 where it is said."""
    for y in ([0, 1, -1, 0], [0.0, 1.0, np.nan, 0.0], [0, 1, None, 0], pl.Series([0, 1, None, 0])):
        target = encode_target(y, semi_supervised=True, unlabelled=-1)
        assert target.codes.tolist() == [0, 1, -1, 0]
        assert target.is_labelled.tolist() == [True, True, False, True]
        assert target.n_classes == 2
    assert encode_target([0, 1, -1, 0]).n_classes == 3
    texts = encode_target(["a", None, "b"], semi_supervised=True)
    assert texts.codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize(
    "y", [[-1, 1, -1], [-1, 1, np.nan], [-2, -1, 0], [-1.0, 0.5, 2.0], [0, 1, 2], ["-1", "0", "1"]]
)
@pytest.mark.parametrize("unlabelled", [None, "missing"])
def test_minus_one_is_a_class_where_it_is_usual(y, unlabelled):
    """Nobody takes it for a mark in a target of -1 and 1, beside lower values, in real values and in texts."""
    target = encode_target(y, semi_supervised=True, unlabelled=unlabelled, rules=Rules(n_bins=3))
    present = [value for value in y if value == value]
    assert target.n_classes == len(set(present))
    assert int(target.is_labelled.sum()) == len(present)


def test_minus_one_is_never_silently_a_class_beside_others():
    """Where it may be scikit-learn's mark a warning says how it is taken, unless the user said it."""
    y = [0, 1, -1, 2, -1]
    with pytest.warns(
        SelectionWarning, match=r"holds -1, which is treated as an ordinary value.*Hint: unlabelled=-1"
    ):
        assert encode_target(y, semi_supervised=True).n_classes == 4
    assert encode_target(y, semi_supervised=True, unlabelled="missing").n_classes == 4
    assert encode_target(y, semi_supervised=True, unlabelled=-1).n_classes == 3
    assert encode_target(y).n_classes == 4
    with pytest.raises(DataError, match=r"2 missing labels, the first in row 2; every row must have a label"):
        encode_target(y, unlabelled=-1)


@pytest.mark.parametrize(
    "X",
    [
        np.array([2**70, 2**69, 0, -(2**90)], dtype=object)[:, None],
        pd.DataFrame({"x0": pd.Series([2**70, 2**69, 0, -(2**90)], dtype=object)}),
        pl.DataFrame({"x0": pl.Series([2**70, 2**69, 0, -(2**90)], dtype=pl.Int128)}),
        pl.LazyFrame({"x0": pl.Series([2**70, 2**69, 0, -(2**90)], dtype=pl.Int128)}),
        pl.DataFrame({"x0": pl.Series([2**64 - 1, 2**63, 5, 1], dtype=pl.UInt64)}),
    ],
    ids=["objects", "pandas", "polars", "lazy", "unsigned"],
)
def test_whole_numbers_beyond_64_bits(X):
    """They keep their order, as a column and as a target."""
    table = encode(X)
    assert table.column(0).tolist() == [3, 2, 1, 0]
    if not isinstance(X, pl.LazyFrame):
        y = X[:, 0] if isinstance(X, np.ndarray) else X["x0"]
        assert encode_target(y).codes.tolist() == [3, 2, 1, 0]


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


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.array([[1.0, 2.0], [3.0, np.inf]]), DataError, r"Column 'x1' holds an infinite value \(row 1: inf\)"),
        (pd.DataFrame({"a": [1.0, -np.inf]}), DataError, r"Column 'a' holds an infinite value \(row 1: -inf\)"),
        (scipy.sparse.csr_array([[0.0, np.inf]]), DataError, r"Column 'x1' holds an infinite value \(row 0"),
        (pl.DataFrame({"a": [[1], [2]]}), ColumnTypeError, r"Column 'a' holds values of type List"),
        (np.array([[{"a": 1}]], dtype=object), ColumnTypeError, r"Column 'x0' holds a dict"),
        (pl.LazyFrame({"a": [[1], [2]]}), ColumnTypeError, r"Column 'a' holds values of type List"),
        (pl.LazyFrame({"a": [1.0, np.inf]}), DataError, r"Column 'a' holds an infinite value \(row 1: inf\)"),
        (np.zeros((0, 3)), DataError, "0 rows and 3 columns"),
        (np.zeros((3, 0)), DataError, "3 rows and 0 columns"),
        (np.zeros(3), DataError, "two dimensions"),
        (scipy.sparse.csr_array(np.array([[1j]])), ColumnTypeError, "complex128"),
    ],
)  # fmt: skip
def test_what_cannot_be_encoded(X, error, message):
    """One sentence that names the column and what is wrong with it."""
    with pytest.raises(error, match=message):
        encode(X)


class LikeAnnData:
    """Holds a matrix beside tables of rows and columns, and may be indexed without end."""

    def __init__(self):
        self.X, self.obs, self.var = (
            np.zeros((2, 2)),
            pd.DataFrame(index=range(2)),
            pd.DataFrame(index=range(2)),
        )

    def to_df(self):
        return pd.DataFrame(self.X)

    def __len__(self):
        return 2

    def __getitem__(self, _):
        return LikeAnnData()


@pytest.mark.parametrize("use", [encode, lambda X: ep.MIM(1).fit(X, [0, 1])], ids=["encode", "fit"])
def test_objects_that_hold_a_table(use, tmp_path):
    """They are refused by a sentence that says where the table is, before numpy reads them value by value."""
    import pyarrow.dataset
    import pyarrow.parquet

    with pytest.raises(
        DataError, match=r"got LikeAnnData.*Hint: pass its matrix, adata\.X.*adata\.to_df\(\)"
    ):
        use(LikeAnnData())
    pyarrow.parquet.write_table(pa.table({"a": [1, 2]}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"got FileSystemDataset.*Hint: call its to_table\(\)"):
        use(pyarrow.dataset.dataset(tmp_path))


@pytest.mark.parametrize("X", [np.array([[1.0], [np.nan]]), pd.DataFrame({"x0": ["a", None]}),
                               scipy.sparse.csr_array([[1.0], [np.nan]])])  # fmt: skip
def test_missing_values_are_refused_on_request(X):
    """missing='error' names the column and the way out."""
    with pytest.raises(DataError, match=r"Column 'x0' has 1 missing value, .*Hint: fill them in"):
        encode(X, rules=Rules(missing="error"))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, None, 1], "1 missing value, the first in row 1"),
        ([0.5, np.nan], "1 missing value, the first in row 1"),
        ([0.5, np.inf], r"infinite value \(row 1: inf\)"),
        ([[0], [1]], "one dimension"),
    ],
)
def test_what_cannot_be_a_target(y, message):
    """A target without holes."""
    with pytest.raises(DataError, match=message):
        encode_target(y)


def test_mdlp_needs_a_target():
    """MDLP cuts by the target."""
    with pytest.raises(DataError, match="no target was given"):
        encode(np.zeros((3, 1)), rules=Rules(binning="mdlp"))


def test_columns_of_one_width_stand_in_their_order():
    """Categories are read before numbers, but every part lists its columns in the order of the table."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    codes = np.column_stack(
        [rng.integers(0, 4, 400), rng.integers(0, 150, 400), y ^ (rng.random(400) < 0.3), y ^ 1]
    )
    frame = pd.DataFrame(codes, columns=list("abcd")).astype({"b": str, "d": str})
    encoded, _ = tables.encode(frame)
    assert [part.columns.tolist() for part in encoded.parts] == [[0, 1, 2, 3]]
    expected = ep.JMI(4, n_bins=200).fit(codes, y).selection_
    assert [s.score for s in ep.JMI(4).fit(frame, y).selection_.steps] == [s.score for s in expected.steps]


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

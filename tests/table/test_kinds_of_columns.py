"""Any container becomes the same table of levels, with a record of its encoding."""

import cProfile
import datetime as dt
from decimal import Decimal

import numpy as np
import pytest
import scipy.sparse

import entropick as ep
from encoded_tables import encode
from entropick.exceptions import ColumnTypeError, DataError
from entropick.table import Rules
from entropick.table.codes import DensePart, SparsePart, join_columns, joint_levels
from entropick.table.encoding.target import encode_target

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


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
    monkeypatch.setattr("entropick.table.readers.inputs.BLOCK_VALUES", 3 * frame.height)
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

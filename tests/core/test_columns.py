"""Columns of other libraries, read by the compiled loops."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.cases import CODE_TYPES, frozen, seeds
from entropick import _core as columns

READ_TYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u4", "u2", "u1", "?"]


@given(
    seed=seeds,
    n_rows=st.integers(0, 40),
    n_columns=st.integers(1, 30),
    dtype=st.sampled_from(READ_TYPES),
    layout=st.sampled_from(["C", "F", "backwards", "every other"]),
)
def test_columns_of_a_table_in_any_layout(seed, n_rows, n_columns, dtype, layout):
    rng = np.random.default_rng(seed)
    table = np.asarray(rng.integers(-100, 100, (n_rows, n_columns)).astype(dtype), order="C")
    if layout == "backwards":
        table = table[::-1, ::-1]
    elif layout == "every other":
        table = np.repeat(np.repeat(table, 2, axis=0), 3, axis=1)[::2, ::3]
    else:
        table = np.asarray(table, order=layout)
    first = int(rng.integers(n_columns))
    common = np.float64 if table.dtype.kind == "f" else np.uint8 if dtype in ("u1", "?") else np.int64
    read = np.empty((n_columns - first, n_rows), common)
    columns.read_columns(frozen(table.copy(order="K")) if layout in "CF" else table, first, read)
    assert read.tolist() == table[:, first:].T.astype(common).tolist()


@pytest.mark.parametrize("dtype", READ_TYPES)
def test_columns_of_a_wide_table(dtype):
    """Bytes are transposed in tiles of eight rows and columns, with some left over."""
    table = np.random.default_rng(0).integers(-100, 100, (43, 29)).astype(dtype)
    common = np.float64 if table.dtype.kind == "f" else np.uint8 if dtype in ("u1", "?") else np.int64
    read = np.empty((29, 43), common)
    columns.read_columns(table, 0, read)
    assert read.tolist() == table.T.astype(common).tolist()


@given(seed=seeds, n=st.integers(0, 50), dtype=st.sampled_from([np.int8, np.int16, np.int32, np.int64]))
def test_codes_get_new_numbers(seed, n, dtype):
    rng = np.random.default_rng(seed)
    codes, new_code = rng.integers(-1, 9, n).astype(dtype), rng.permutation(9)
    is_present, renumbered = np.zeros(9, bool), np.full(n + 1, 77, rng.choice([*CODE_TYPES, np.int64]))
    assert columns.find_present(frozen(codes), is_present) == np.count_nonzero(codes == -1)
    assert np.flatnonzero(is_present).tolist() == sorted(set(codes.tolist()) - {-1})
    columns.renumber(codes, new_code, 9, renumbered)
    assert renumbered.tolist() == [*(9 if code < 0 else new_code[code] for code in codes), 77]


def text_columns():
    """The same texts as the columns of several libraries."""
    texts = ["b", None, "a", "ü" * 40, "", "b", "a" * 12, "a" * 13, None, *map(str, range(500)), "x\0y"] * 3
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        yield texts, pa.chunked_array([pa.array(texts[:7], kind), pa.array(texts[5:], kind)[2:]])
    plain = [pa.array(texts[:700]), pa.array(texts[700:])]
    yield texts, pa.chunked_array([chunk.dictionary_encode() for chunk in plain])
    pl = pytest.importorskip("polars")
    for kind in (pl.String, pl.Categorical):
        yield texts, pl.Series(texts, dtype=kind)


def test_texts_are_numbered_as_they_come():
    for texts, column in text_columns():
        codes, levels = columns.number_texts(column.__arrow_c_stream__())
        assert [None if code < 0 else levels[code] for code in codes.tolist()] == texts
        assert len(set(levels)) == len(levels)


def test_streams_that_are_not_texts_are_refused():
    import datetime

    pa = pytest.importorskip("pyarrow")
    read = pa.chunked_array([["a"]]).__arrow_c_stream__()
    columns.number_texts(read)
    numbers = pa.chunked_array([[1, 2]])
    for stream in (read, numbers.__arrow_c_stream__(), numbers.dictionary_encode().__arrow_c_stream__()):
        with pytest.raises(ValueError, match="stream"):
            columns.number_texts(stream)
    with pytest.raises(ValueError, match="capsule"):
        columns.number_texts(datetime.datetime_CAPI)
    with pytest.raises(TypeError):
        columns.number_texts(None)


def failing_reader(kind):
    """A stream whose library fails after the first piece."""
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema([("a", kind)])

    def pieces():
        yield pa.record_batch([pa.array(["1"]).cast(kind)], schema=schema)
        raise RuntimeError("the disk is gone")

    return pa.RecordBatchReader.from_batches(schema, pieces())


def test_errors_of_a_stream_are_told():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(RuntimeError, match="the disk is gone"):
        columns.NumericTable(failing_reader(pa.int64()).__arrow_c_stream__())


def test_entries_outside_of_a_dictionary_are_refused():
    pa = pytest.importorskip("pyarrow")
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int8()), pa.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="not in its dictionary"):
        columns.number_texts(pa.chunked_array([wrong]).__arrow_c_stream__())


def number_columns(rng, n):
    """Columns of every type of numbers, whole and with missing values."""
    pa = pytest.importorskip("pyarrow")
    gaps = rng.random(n) < 0.3
    for text in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        limits = np.iinfo(text)
        whole = rng.integers(limits.min, limits.max, n, dtype=text, endpoint=True)
        yield text, pa.array(whole)
        yield f"{text}, gaps", pa.array(whole, mask=gaps)
    for text in ("float32", "float64"):
        yield text, pa.array(rng.standard_normal(n).astype(text))
        yield f"{text}, gaps", pa.array(rng.standard_normal(n).astype(text), mask=gaps)
    yield "bool", pa.array(rng.random(n) < 0.5)
    yield "bool, gaps", pa.array(rng.random(n) < 0.5, mask=gaps)
    yield "text", pa.array([str(value) for value in range(n)])
    yield "dictionary", pa.array(["a", "b"] * n).dictionary_encode()[:n]


def expected_numbers(name, column):
    """The type a column is read as, and its values."""
    values = column.to_pylist()
    if "gaps" in name or name.startswith(("float", "uint64")):
        return np.float64, [math.nan if value is None else float(value) for value in values]
    return (np.uint8 if name in ("uint8", "bool") else np.int64), [int(value) for value in values]


@pytest.mark.parametrize("layout", ["one piece", "pieces", "slices", "empty"])
def test_numbers_of_a_dataframe(layout):
    """Whatever the type, the pieces and the offsets are."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(dict(number_columns(np.random.default_rng(0), 67)))
    if layout == "pieces":
        table = pa.concat_tables([table[:3], table[3:3], table[3:40], table[40:]])
    if layout == "slices":
        table = pa.Table.from_batches([table.to_batches()[0].slice(5, 31), table.to_batches()[0].slice(1)])
    if layout == "empty":
        table = table[:0]
    numbers = columns.NumericTable(table.__arrow_c_stream__())
    assert numbers.n_rows == table.num_rows
    for j, name in enumerate(table.column_names):
        if name in ("text", "dictionary"):
            assert (numbers.types[j], numbers.formats[j], numbers.view(j)) == (3, "?", None)
            continue
        dtype, expected = expected_numbers(name, table.column(j))
        if layout == "empty" and "gaps" in name:  # nothing is missing
            dtype, expected = expected_numbers(name.removesuffix(", gaps"), table.column(j))
        values = np.full((1, table.num_rows), 99, dtype)
        numbers.read(np.array([j]), values)
        np.testing.assert_array_equal(values[0], np.array(expected, dtype), err_msg=name)
        assert dtype == (np.uint8, np.int64, np.float64)[numbers.types[j]]
        view = numbers.view(j)
        if layout == "one piece" and name in ("uint8", "int64", "float64"):
            np.testing.assert_array_equal(view, values[0])
        assert view is None or (view.dtype == dtype and not view.flags.writeable)


def test_numbers_of_a_dataframe_outlive_it():
    pl = pytest.importorskip("polars")
    view = columns.NumericTable(pl.DataFrame({"a": np.arange(1e5)}).__arrow_c_stream__()).view(0)
    np.full(10**5, 7.0)  # would take the place of what was let go
    np.testing.assert_array_equal(view, np.arange(1e5))


def test_a_mixed_table_is_left_where_all_or_none_is_asked_for():
    pa = pytest.importorskip("pyarrow")
    mixed = pa.table({"a": [1.0, 2.0], "b": ["x", "y"]})
    left = columns.NumericTable(mixed.__arrow_c_stream__(), all_or_none=True)
    assert (left.formats, left.n_rows, left.view(0)) == ("g?", 0, None)
    numbers = columns.NumericTable(mixed.select(["a"]).__arrow_c_stream__(), all_or_none=True)
    assert (numbers.formats, numbers.n_rows, numbers.view(0).tolist()) == ("g", 2, [1.0, 2.0])


def test_tables_of_numbers_refuse_what_makes_no_sense():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": [1.0, 2.0], "b": ["x", "y"]})
    numbers = columns.NumericTable(table.__arrow_c_stream__())
    good = np.empty((1, 2))
    for places, values in [
        ([2], good), ([-1], good), ([1], good), ([0, 0], good), ([0], np.empty((1, 3))),
        ([0], np.empty((1, 2), np.int64)), ([1], np.empty((1, 2), np.uint8)),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="must"):
            numbers.read(np.array(places), values)
    for column in (-1, 2, 2**40):
        with pytest.raises(ValueError, match="must"):
            numbers.view(column)
    with pytest.raises(TypeError):
        numbers.read(np.array([0]), np.empty((1, 2), np.complex64))
    with pytest.raises(ValueError, match="tables"):
        columns.NumericTable(pa.chunked_array([[1, 2]]).__arrow_c_stream__())
    stream = table.__arrow_c_stream__()
    columns.NumericTable(stream)
    with pytest.raises(ValueError, match="already"):
        columns.NumericTable(stream)

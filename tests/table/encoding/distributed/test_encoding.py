"""Encodings found on parts of the rows are those found on the whole table, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from entropick.exceptions import DataError
from entropick.table import Encoding, Rules, encode
from entropick.table.encoding import distributed
from entropick.table.encoding.distributed import Bracket, Inside, Sketch, target as merged_target
from entropick.table.encoding.target import apply_target, encode_target
from strategies import examples

SMALL = 20  # values of a sketch, so that small columns need several rounds


def encode_parts(parts, rules, size=None, targets=None):
    """Encoding and codes of parts, as a cluster would find them: sketches are merged in twos, then all."""
    size = size or distributed.sketch_values(rules)
    surveys = [distributed.survey(part, most=size) for part in parts]
    pairs = [distributed.merge_surveys(surveys[k : k + 2], size) for k in range(0, len(surveys), 2)]
    plan = distributed.plan_encoding(distributed.merge_surveys(pairs, size), rules)
    drafts = [distributed.draft(part, None, plan) for part in parts]
    rounds = []

    def ask(question, most):
        rounds.append(question)
        most = size * most // distributed.sketch_values(rules)  # it grows from round to round
        answers = [distributed.answer(part, plan, question, most) for part in drafts]
        return distributed.merge_answers(answers, most)

    encoding = distributed.conclude(plan, ask)
    return encoding, [distributed.finish(part, plan, encoding) for part in drafts], len(rounds)


def check_same(whole, parts, rules, size=None):
    expected_codes, expected = encode(whole, rules=rules)
    encoding, codes, n_rounds = encode_parts(parts, rules, size)
    assert encoding == expected
    for j in range(expected_codes.n_columns):
        joined = np.concatenate([part.column(j) for part in codes])
        assert np.array_equal(joined, expected_codes.column(j))
    return n_rounds


def split(n_rows, n_parts, seed):
    ends = np.sort(np.random.default_rng(seed).integers(0, n_rows + 1, n_parts - 1))
    return np.split(np.arange(n_rows), ends)


def many_kinds(n_rows, seed):
    """Columns of all sorts of values: ties, heavy tails, extremes, few and many values."""
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=n_rows)
    return np.column_stack(
        [
            normal,
            np.round(normal, 1),
            np.exp(5 * normal),
            rng.integers(0, 4, n_rows),
            rng.integers(-1000, 1000, n_rows),
            np.where(rng.random(n_rows) < 0.6, 0.0, normal),
            np.sort(normal),
            np.full(n_rows, 7.0),
            rng.choice([1e308, -1e308, 0.0, 5e-324], n_rows) * rng.random(n_rows),
        ]
    )


RULES = [Rules(), Rules(3), Rules(2), Rules(40), Rules(5, "uniform"), Rules(17, "uniform")]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("n_parts", [1, 3, 8])
@pytest.mark.parametrize("size", [None, SMALL])
def test_floats_in_parts(rules, n_parts, size):
    """Quantiles and widths, with sketches that hold all values and with ones that hold few."""
    X = many_kinds(1500, 0)
    X[::7, 5] = np.nan
    X[:, 8][::3] = np.nan
    size = size and max(size, rules.n_bins + 1)
    rounds = check_same(X, [X[rows] for rows in split(len(X), n_parts, 1)], rules, size)
    assert (rounds > 0) == (size is not None)


@given(
    seed=st.integers(0, 10**6), n_rows=st.integers(1, 300), n_parts=st.integers(1, 9),
    rules=st.sampled_from(RULES), size=st.sampled_from([41, 64, 200]), is_whole=st.booleans(),
)  # fmt: skip
@examples(120)
def test_any_table_in_any_parts(seed, n_rows, n_parts, rules, size, is_whole):
    """Random tables, random parts (some of them empty), whole numbers too, near the ends of their type."""
    rng = np.random.default_rng(seed)
    X = many_kinds(n_rows, seed)
    if is_whole:
        X = np.column_stack(
            [
                rng.integers(0, 300, (n_rows, 3)),
                rng.integers(-(2**63), 2**63 - 1, n_rows),
                rng.integers(2**53, 2**53 + 50, n_rows),
            ]
        )
    else:
        X[rng.random(X.shape) < 0.1 * rng.integers(0, 2)] = np.nan
    check_same(X, [X[rows] for rows in split(n_rows, n_parts, seed)], rules, size)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.float32, np.uint64, np.int32])
def test_types_of_arrays(dtype):
    X = np.random.default_rng(0).integers(0, 100, (400, 3)).astype(dtype)
    check_same(X, [X[:100], X[100:100], X[100:]], Rules(7), 30)


def test_sketches_enclose_ranks():
    """The bounds on ranks hold after any merging and thinning, against sorting."""
    rng = np.random.default_rng(0)
    parts = [np.round(rng.normal(size=n), 2) for n in (900, 1, 0, 350, 2000)]
    ordered = np.sort(np.concatenate(parts))
    sketch = Sketch.merged(
        [Sketch.merged([Sketch.of(p, 30) for p in parts[:3]], 30), *(Sketch.of(p, 30) for p in parts[3:])], 40
    )
    assert not sketch.is_exact
    assert len(sketch.values) <= 40
    true = np.searchsorted(ordered, sketch.values, side="right")
    assert (sketch.at_least <= true).all()
    assert (true <= sketch.at_most).all()
    assert sketch.values[0] == ordered[0]
    assert sketch.values[-1] == ordered[-1]
    for rank in range(1, len(ordered) + 1):
        low, high = sketch.around_rank(rank)
        value = ordered[rank - 1]
        assert low < value <= high or value == low == ordered[0]
    width = np.diff([np.searchsorted(ordered, sketch.around_rank(1600))]).item()
    assert width < len(ordered) / 4


def test_what_travels_has_a_bound():
    """Summaries of long columns and answers about them hold no more than the agreed number of values."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 2))
    rules = Rules()
    most = distributed.sketch_values(rules)
    plan = distributed.plan_encoding(distributed.survey(X), rules)
    part = distributed.draft(X, None, plan)
    assert all(len(column.sketch.values) <= most for column in distributed.survey(X).columns)
    found = distributed.answer(part, plan, plan.brackets, most)
    assert all(len(inside.sketch.values) <= most for of_column in found.values() for inside in of_column)
    assert all(len(rows) < 0.02 * len(X) for rows, _ in part.members.values())


def test_inside_of_a_bracket():
    values = np.array([5.0, 1.0, 2.0, 2.0, 9.0])
    found = Inside.of(values, Bracket(2.0, 5.0, (3,)), 10, n_left_out=4)
    assert found.n_below == 5
    assert found.sketch.values.tolist() == [2.0, 5.0]
    assert found.sketch.counts.tolist() == [2, 1]


# -- dataframes ----------------------------------------------------------------------------------


def frame(n_rows=300, seed=0):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "number": rng.normal(size=n_rows),
            "late gaps": np.where(np.arange(n_rows) > n_rows - 9, np.nan, rng.integers(0, 99, n_rows)),
            "nullable": pd.array(rng.integers(0, 50, n_rows), dtype="Int64"),
            "text": rng.choice(["b", "a", "ä", "zz"], n_rows),
            "rare": np.where(np.arange(n_rows) == n_rows - 1, "only here", "x"),
            "flag": rng.random(n_rows) < 0.5,
            "category": pd.Categorical(rng.choice(["u", "v"], n_rows), categories=["w", "v", "u"]),
            "time": pd.date_range("2020", periods=n_rows, freq="h").to_numpy()[rng.permutation(n_rows)],
            "nothing": np.full(n_rows, np.nan),
        }
    )


@pytest.mark.parametrize("rules", [Rules(), Rules(4), Rules(5, "uniform")], ids=str)
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("n_parts", [1, 3, 8])
def test_frames_in_parts(rules, kind, n_parts):
    whole = frame()
    whole.loc[290:, "nullable"] = None  # whole numbers here, floats with gaps there
    whole.loc[:50, "text"] = None
    if kind == "polars":
        whole = pytest.importorskip("polars").from_pandas(whole)
        parts = [whole[rows.tolist()] for rows in split(300, n_parts, 0)]
    elif kind == "pyarrow":
        whole = pytest.importorskip("pyarrow").Table.from_pandas(whole)
        parts = [whole.take(rows) for rows in split(300, n_parts, 0)]
    else:
        parts = [whole.iloc[rows] for rows in split(300, n_parts, 0)]
    check_same(whole, parts, rules, 41)


def test_texts_that_are_missing_in_a_part():
    """A part without any value of a column of objects is of any kind."""
    pd = pytest.importorskip("pandas")
    whole = pd.DataFrame({"text": np.array([None, None, "a", "b", None], dtype=object), "x": range(5)})
    check_same(whole, [whole.iloc[:2], whole.iloc[2:]], Rules())


def test_what_is_refused():
    """One sentence that names the column."""
    pd = pytest.importorskip("pandas")
    numbers, texts = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": ["x", "y"]})
    with pytest.raises(
        DataError, match="'a' holds numbers in one partition and strings or categories in another"
    ):
        distributed.merge_surveys([distributed.survey(numbers), distributed.survey(texts)])
    with pytest.raises(DataError, match="same columns in the same order, but 'a' is not in all"):
        distributed.merge_surveys([distributed.survey(numbers), distributed.survey(pd.DataFrame({"b": [1]}))])
    two = pd.DataFrame({"a": [1], "b": [2]})
    with pytest.raises(DataError, match="their order differs"):
        distributed.merge_surveys([distributed.survey(two), distributed.survey(two[["b", "a"]])])
    with pytest.raises(DataError, match="infinite value"):
        distributed.survey(np.array([[1.0], [np.inf]]))
    with pytest.raises(DataError, match="missing='error'"):
        distributed.plan_encoding(distributed.survey(np.array([[1.0], [np.nan]])), Rules(missing="error"))
    with pytest.raises(DataError, match="0 rows"):
        distributed.plan_encoding(distributed.survey(np.empty((0, 2))), Rules())


def test_fit_of_a_part_is_not_that_of_the_whole():
    """The test could fail: levels of a part are others."""
    X = many_kinds(1500, 0)
    assert Encoding.fit(X[:700]) != Encoding.fit(X)


# -- targets -------------------------------------------------------------------------------------

TARGETS = {
    "labels": np.random.default_rng(0).integers(0, 3, 900),
    "texts": np.random.default_rng(0).choice(["b", "a", "c"], 900),
    "flags": np.random.default_rng(0).random(900) < 0.3,
    "minus one": np.random.default_rng(0).choice([-1, 1], 900),
    "fractions": np.random.default_rng(0).normal(size=900),
    "few fractions": np.random.default_rng(0).choice([0.5, 1.5, 2.0], 900),
    "whole floats": np.random.default_rng(0).integers(0, 4, 900).astype(float),
    "counts": np.random.default_rng(0).integers(100, 1000, 900),
    "numbered": np.arange(900) // 9,
}


@pytest.mark.parametrize("rules", [Rules(), Rules(3, "uniform")], ids=str)
@pytest.mark.parametrize("kind", ["auto", "class", "real"])
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.filterwarnings("ignore:The target has")
def test_targets_in_parts(name, kind, rules, monkeypatch):
    """Classes are those of the whole target, whether values travel or are asked for."""
    y = TARGETS[name]
    parts = [y[rows] for rows in split(len(y), 4, 0)]
    if kind == "real" and name == "texts":
        with pytest.raises(DataError, match="must hold numbers"):
            encode_parts_of_target(parts, kind, rules)
        return
    expected = encode_target(y, kind=kind, rules=rules)
    assert encode_parts_of_target(parts, kind, rules) == expected.encoding
    monkeypatch.setattr(merged_target, "TARGET_VALUES", 60)
    n_values = len(np.unique(y))
    if n_values > 60 and (kind == "class" or (kind == "auto" and name != "fractions")):
        with pytest.raises(DataError, match="more than 60 distinct values"):
            encode_parts_of_target(parts, kind, rules)
    else:
        assert encode_parts_of_target(parts, kind, rules) == expected.encoding
    codes = [apply_target(part, expected.encoding).codes for part in parts]
    assert np.concatenate(codes).tolist() == expected.codes.tolist()


def encode_parts_of_target(parts, kind, rules):
    found = merged_target.merge_targets([merged_target.survey_target(part) for part in parts])

    def ask(question, most):
        answers = [merged_target.answer_target(part, question, most) for part in parts]
        return distributed.merge_answers(answers, most)

    return merged_target.encode_merged_target(found, kind, rules, ask)


def test_targets_that_are_refused():
    with pytest.raises(DataError, match="2 missing values"):
        encode_parts_of_target([np.array([1.0, np.nan]), np.array([np.nan, 2.0])], "auto", Rules())
    with pytest.raises(DataError, match="infinite"):
        encode_parts_of_target([np.array([1.0, np.inf])], "auto", Rules())

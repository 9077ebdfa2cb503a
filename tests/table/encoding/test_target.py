"""Classes and real values as targets."""

import numpy as np
import pytest

from encoded_tables import encode
from entropick.exceptions import DataError, SelectionWarning
from entropick.table import Rules
from entropick.table.encoding.target import encode_target, target_kind

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


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


def test_counts_that_become_classes_are_commented_on():
    """Whole numbers from 0 on whose frequencies rise and fall."""
    y = np.random.default_rng(0).negative_binomial(3, 0.15, 5000)
    y = y[y <= 40]
    with pytest.warns(
        SelectionWarning, match="41 whole numbers from 0 to 40, which look like counts.*target='real'"
    ):
        assert encode_target(y).n_classes == 41
    assert encode_target(y, kind="class").n_classes == 41


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

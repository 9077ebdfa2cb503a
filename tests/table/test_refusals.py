"""Invalid tables and targets are rejected, with the name of the column."""

import numpy as np
import pytest
import scipy.sparse

import entropick as ep
from encoded_tables import encode
from entropick import table as tables
from entropick.exceptions import ColumnTypeError, DataError
from entropick.table import Rules
from entropick.table.encoding.target import encode_target

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


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

"""Damaged sparse matrices and containers nobody expects: a result or one sentence of ours, never a crash."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse as sp

import entropick as ep
from entropick.exceptions import ColumnTypeError, DataError
from entropick.selectors.catalog import METHODS, set_known_params
from entropick.table.readers.checks import check_sparse

N_ROWS, N_COLUMNS = 40, 4


def a_table(seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((N_ROWS, N_COLUMNS)) < 0.4, rng.integers(1, 4, (N_ROWS, N_COLUMNS)), 0)
    return X.astype(float), np.arange(N_ROWS) % 2


DAMAGES = {
    "index too large": ("csr csc bsr", lambda m: put(m.indices, 3, 10**8)),
    "index just too large": ("csr csc bsr", lambda m: put(m.indices, 3, 99)),
    "index negative": ("csr csc bsr", lambda m: put(m.indices, 3, -5)),
    "start too large": ("csr csc bsr", lambda m: put(m.indptr, 2, 10**8)),
    "start negative": ("csr csc bsr", lambda m: put(m.indptr, 2, -7)),
    "last start too large": ("csr csc bsr", lambda m: put(m.indptr, -1, 10**8)),
    "first start not 0": ("csr csc bsr", lambda m: put(m.indptr, 0, 1)),
    "starts fall": ("csr csc bsr", lambda m: put(m.indptr, 3, 0)),
    "too few starts": ("csr csc bsr", lambda m: setattr(m, "indptr", m.indptr[:-1])),
    "too few indices": ("csr csc bsr", lambda m: setattr(m, "indices", m.indices[:-3])),
    "too few values": ("csr csc bsr", lambda m: setattr(m, "data", m.data[:-3])),
    "fractions as indices": ("csr csc bsr", lambda m: setattr(m, "indices", m.indices + 0.5)),
    "row too large": ("coo", lambda m: put(m.row, 3, 10**8)),
    "column negative": ("coo", lambda m: put(m.col, 3, -1)),
    "lists of unlike lengths": ("lil", lambda m: m.rows[2].append(1)),
    "column of a list": ("lil", lambda m: [m.rows[2].append(77), m.data[2].append(1.0)]),
}  # fmt: skip


def put(array, at, value):
    array[at] = value


def damaged_by(kind, form):
    matrix = sp.csr_array(a_table()[0]).asformat(form, copy=True)
    DAMAGES[kind][1](matrix)
    return matrix


CASES = [(kind, form) for kind, (forms, _) in DAMAGES.items() for form in forms.split()]


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_damaged_sparse_matrices_are_refused(kind, form):
    """scikit-learn and scipy would read and write outside of their arrays."""
    for selector in (ep.JMI(n_features=2), ep.FisherScore(n_features=2), ep.StabilitySelector(ep.MIM())):
        with pytest.raises(DataError, match="The sparse matrix is damaged: ") as caught:
            selector.fit(damaged_by(kind, form), a_table()[1])
        assert "\n" not in str(caught.value)
    fitted = ep.JMI(n_features=2).fit(*a_table())
    with pytest.raises(DataError, match="The sparse matrix is damaged: "):
        fitted.transform(damaged_by(kind, form))
    with pytest.raises(DataError, match="The sparse matrix is damaged: "):
        ep.compare(damaged_by(kind, form), a_table()[1], methods=["MIM"], estimators=["bayes"], folds=2)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_unusual_sparse_matrices_are_read(form):
    """Unsorted and repeated entries, room behind the last one, read-only arrays: as the same array."""
    X, y = a_table()
    expected = ep.JMI(n_features=3).fit(X, y)
    matrix = sp.csr_array(X).asformat(form)
    check_sparse(matrix)
    fitted = ep.JMI(n_features=3).fit(matrix, y)
    assert fitted.order_.tolist() == expected.order_.tolist()
    assert fitted.scores_.tobytes() == expected.scores_.tobytes()


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("is_hidden", [False, True])
def test_unsorted_and_repeated_entries(form, is_hidden):
    """Also where flags of the matrix say that there are none."""
    X, y = a_table()
    parts = sp.csr_array(X).tocoo()
    order = np.random.default_rng(1).permutation(2 * parts.nnz)
    rows, columns = np.tile(parts.row, 2)[order], np.tile(parts.col, 2)[order]
    values = np.tile(parts.data / 2, 2)[order]
    major = rows if form == "csr" else columns
    by_major = np.argsort(major, kind="stable")
    n_major = N_ROWS if form == "csr" else N_COLUMNS
    starts = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=n_major))])
    minor = (columns if form == "csr" else rows)[by_major]
    matrix = {"csr": sp.csr_array, "csc": sp.csc_array}[form](
        (values[by_major], minor, starts), shape=X.shape
    )
    if is_hidden:
        matrix.has_canonical_format = True
    before = matrix.indices.copy()
    fitted = ep.JMI(n_features=3).fit(matrix, y)
    if form == "csc" or not is_hidden:  # scipy itself believes the flag of rows
        assert fitted.scores_.tobytes() == ep.JMI(n_features=3).fit(X, y).scores_.tobytes()
    assert matrix.indices.tolist() == before.tolist()


@pytest.mark.slow
def test_no_crash_in_a_process_of_its_own():
    """The case that ended Python: far indices in compressed rows."""
    script = """
        import numpy as np, scipy.sparse as sp, entropick as ep
        for part in ("indices", "indptr"):
            for value in (10**8, -(10**8), 99, -5):
                X = sp.csr_matrix(np.eye(50, 3))
                getattr(X, part)[1] = value
                try: ep.MIM(n_features=1).fit(X, np.arange(50) % 2)
                except ValueError as error: print(type(error).__name__)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, ["DataError"] * 8), done.stderr


class Incomparable:
    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = object.__hash__


def objects(value):
    X = np.empty((N_ROWS, 2), dtype=object)
    X[:, 0], X[:, 1] = [value() for _ in range(N_ROWS)], np.arange(N_ROWS)
    return X


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda X: np.matrix(X), TypeError, r"np.matrix is not supported: .* Hint: pass np.asarray\(X\)"),
        (lambda X: np.rec.fromarrays(X.T, names="a,b,c,d"), DataError, "structured array with the fields 'a', 'b'"),
        (lambda X: X + 1j, DataError, "Complex data not supported"),
        (lambda X: sp.csr_array(X + 1j), DataError, "Complex data not supported"),
        (lambda X: objects(Incomparable), ColumnTypeError, "Column 'x0' holds a Incomparable"),
        (lambda X: X[:, 0], DataError, r"Expected 2D array, got an array of shape \(40,\) instead"),
        (lambda X: None, DataError, "got a NoneType instead"),
        (lambda X: "abc", DataError, "got a str instead"),
        (lambda X: {"a": [1]}, DataError, "got a dict instead"),
        (lambda X: [[1, 2], [3]], DataError, "rows of the table have different lengths"),
    ],
)  # fmt: skip
def test_containers_in_our_words(make, error, message):
    X, y = a_table()
    for selector in (ep.JMI(n_features=1), ep.FisherScore(n_features=1)):
        with pytest.raises(error, match=message) as caught:
            selector.fit(make(X), y)
        assert "\n" not in str(caught.value)


def test_targets_that_cannot_be_compared():
    X, _ = a_table()
    with pytest.raises(ColumnTypeError, match="Column 'y' holds a Incomparable"):
        ep.JMI(n_features=1).fit(X, objects(Incomparable)[:, 0])


def test_mixed_names():
    pd = pytest.importorskip("pandas")
    X, y = a_table()
    with pytest.raises(ColumnTypeError, match="must all be strings, got some of type int and str") as caught:
        ep.JMI(n_features=1).fit(pd.DataFrame(X, columns=["a", 1, 2, "b"]), y)
    assert "\n" not in str(caught.value)


@pytest.mark.every_method
@pytest.mark.parametrize("name", METHODS)
def test_errors_of_numpy_as_the_caller_sets_them(name):
    """np.errstate(all="raise") is about the caller's own numbers."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 2
    X[:, 0] += y
    X[:, 3] = 1e-310
    selector = set_known_params(METHODS[name](n_features=2), random_state=0)
    expected = selector.fit(X, y).get_support().tolist()
    with np.errstate(all="raise"):
        assert selector.fit(X, y).get_support().tolist() == expected


def test_a_dataframe_without_rows_is_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(DataError, match="no rows"):
        ep.JMI(1).fit(pd.DataFrame({"a": [], "b": []}), pd.Series([], dtype=int))

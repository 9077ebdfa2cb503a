"""All constants, identifiers and copies are found, and no measurements."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_digits

import entropick as ep
from entropick.exceptions import ColumnWarning
from entropick.selectors.methods import METHODS
from entropick.table.encoding.target import encode_target
from entropick.table.notes import find_notes
from entropick.table.numeric import scaling

SIZES = [40, 300, 3000, 20_000]


def kinds(frame, y=None):
    """What is noted, by the name of the column."""
    notes = find_notes(frame, None if y is None else encode_target(y))
    return [(note.name, note.kind, note.other_name) for note in notes]


@pytest.mark.parametrize("n_rows", SIZES)
def test_identifiers_are_no_measurements(n_rows):
    """Strings that differ, numbered rows, what is called an identifier; not numbers that differ in every row."""
    rng = np.random.default_rng(0)
    distinct = rng.permutation(10**7)[:n_rows]
    start = datetime.datetime(2026, 1, 1)
    frame = pd.DataFrame(
        {
            "code": [f"p{i}" for i in range(n_rows)],
            "row": np.arange(n_rows),
            "with gaps": np.where(np.arange(n_rows) % 5 == 0, np.nan, np.arange(n_rows)),
            "backwards": np.arange(3 * n_rows, 0, -3),
            "dropped rows": np.sort(rng.permutation(n_rows + n_rows // 2)[:n_rows]),
            "PID": distinct,
            "caseid": np.repeat(distinct, 2)[:n_rows],
            "rownames": [str(i) for i in range(n_rows)],
            "order_no": distinct + 1,
            "InvoiceNumber": distinct * 7,
            "children_no": np.append(rng.integers(0, n_rows, n_rows - 1), 3),
            "snow": distinct * 5,
            "salary": distinct[::-1] // 3,
            "population": np.sort(distinct) * 2 + rng.integers(0, 2, n_rows),
            "measured": rng.standard_normal(n_rows),
            "sorted": np.sort(rng.standard_normal(n_rows)),
            "when": [start + datetime.timedelta(minutes=i) for i in range(n_rows)],
            "town": [f"t{i % 12}" for i in range(n_rows)],
            "video_id": rng.integers(0, 6, n_rows),
            "y": rng.integers(0, 2, n_rows),
        }
    )
    names = ["code", "row", "with gaps", "backwards", "dropped rows", "PID", "caseid", "rownames"]
    names += ["order_no", "InvoiceNumber"]
    y = frame.pop("y").to_numpy()
    assert kinds(frame, y) == [(name, "identifier", None) for name in names]
    assert kinds(frame) == kinds(frame, y)


@pytest.mark.parametrize("n_rows", SIZES)
def test_copies_and_constants(n_rows):
    """In any unit, and by other names of the levels; what differs in a single row is neither."""
    rng = np.random.default_rng(0)
    size, site = rng.standard_normal(n_rows), rng.choice(["a", "b", "c"], n_rows)
    size[5] = np.nan
    late, almost, rare = np.zeros(n_rows), size.copy(), np.zeros(n_rows)
    late[-2], almost[-2], rare[n_rows // 2 : n_rows // 2 + 9] = 1, 7, 1
    gap, other_gap = np.ones((2, n_rows))
    gap[3], other_gap[4] = np.nan, np.nan
    frame = pd.DataFrame(
        {
            "size": size, "site": site, "inches": size * 0.3937 + 4, "negative": -size, "almost": almost,
            "place": np.where(site == "a", "z", site), "mixed": np.where(site == "a", "b", site), "one": 1.5, "text": "x",
            "empty": np.nan, "late": late, "rare": rare, "twice": 2 * rare, "gap": gap, "other gap": other_gap,
        }
    )  # fmt: skip
    assert kinds(frame) == [
        ("inches", "copy", "size"),
        ("negative", "copy", "size"),
        ("place", "copy", "site"),
        ("one", "constant", None),
        ("text", "constant", None),
        ("empty", "constant", None),
        ("twice", "copy", "rare"),
    ]


@pytest.mark.parametrize("n_classes", [2, 3, 30])
@pytest.mark.parametrize("n_rows", [300, 3000, 20_000])
def test_copies_of_classes(n_rows, n_classes):
    """By any names, and though one row of two hundred differs; good columns are no copies."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, n_classes, n_rows)
    wrong = rng.random((3, n_rows)) < np.array([0.005, 0.05, 0.2])[:, None]
    other = (y + 1) % n_classes
    frame = pd.DataFrame(
        {
            "same": y,
            "words": [f"w{(7 * k) % 31}" for k in y],
            "nearly": np.where(wrong[0], other, y),
            "good": np.where(wrong[1], other, y),
            "fair": np.where(wrong[2], other, y),
            "noise": rng.integers(0, n_classes, n_rows),
            "number": y + 0.1 * rng.standard_normal(n_rows),
        }
    )
    found = [name for name, kind, _ in kinds(frame, y) if kind == "target"]
    assert found == ["same", "words", "nearly"]


def test_copies_of_rare_classes():
    """What is always right but for the rare class is no copy of the target."""
    rng = np.random.default_rng(0)
    y = (np.arange(5000) % 200 == 0).astype(int)
    half = np.where(rng.random(5000) < 0.5, y, 0)
    frame = pd.DataFrame({"half": half, "same": 1 - y, "zeros": (rng.random(5000) < 0.002).astype(int)})
    assert [row for row in kinds(frame, y) if row[1] == "target"] == [("same", "target", None)]


def test_near_copies_of_a_rare_class():
    """One row in twenty is of the class, and one in a hundred differs from the target."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = (rng.permutation(2000) < 100).astype(int)
        leak = np.where(rng.permutation(2000) < 22, 1 - y, y)  # agrees in 98.9 % of the rows
        alarm = np.where(rng.random(2000) < 0.04, 1 - y, y)  # agrees in 96 %
        found = kinds(pd.DataFrame({"noise": rng.random(2000) < 0.05, "leak": leak, "alarm": alarm}), y)
        assert [name for name, kind, _ in found if kind == "target"] == ["leak"]


@pytest.mark.parametrize("as_id", [int, lambda k: f"P{k:03}"])
def test_subjects_with_one_target_each(as_id):
    """Rows of a patient share the target, so that the patient tells it; visits of patients do not."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 5)
    y = rng.integers(0, 2, 60)[patient]
    frame = pd.DataFrame({"patient_id": [as_id(k) for k in patient], "x": rng.random(300), "dose": patient})
    assert ("patient_id", "group", None) in kinds(frame, y)
    assert not [row for row in kinds(frame, rng.integers(0, 2, 300)) if row[1] == "group"]


def test_copies_of_real_targets():
    """In any unit and on any scale of the same order."""
    rng = np.random.default_rng(0)
    y = rng.lognormal(size=2000)
    frame = pd.DataFrame({"unit": 3 * y + 1, "log": -np.log(y), "near": y * rng.uniform(0.5, 2, 2000)})
    assert [row[0] for row in kinds(frame, y) if row[1] == "target"] == ["unit", "log"]


@pytest.mark.parametrize("n_decimals", [0, 1, 2])
def test_copies_of_real_targets_with_ties(n_decimals):
    rng = np.random.default_rng(0)
    y = rng.normal(size=1000).round(n_decimals)
    frame = pd.DataFrame({"copy": 2 * y, "coarse": np.sign(y), "other": rng.permutation(y)})
    assert [row[0] for row in kinds(frame, y) if row[1] == "target"] == ["copy"]


def test_containers_say_the_same():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.random(5000), "n": np.arange(5000), "c": 1.0, "s": rng.choice(["u", "v"], 5000)}
    ).assign(b=lambda f: 2 * f.a)
    expected = kinds(frame)
    assert [row[:2] for row in expected] == [("n", "identifier"), ("c", "constant"), ("b", "copy")]
    for same in (pl.from_pandas(frame), pl.from_pandas(frame).lazy(), pa.Table.from_pandas(frame)):
        assert kinds(same) == expected
    values = frame.drop(columns="s").to_numpy()
    names = ["a", "n", "c", "b"]
    assert [(n.name, n.kind, n.other_name) for n in find_notes(values, None, names)] == expected


def test_sparse_tables():
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((500, 30), density=0.2, rng=rng, format="csc").tolil()
    X[:, 4] = 0
    X[:, 9] = X[:, [2]]
    notes = find_notes(scipy.sparse.csr_array(X), None, [f"x{j}" for j in range(30)])
    assert [(n.column, n.kind, n.other) for n in notes] == [(4, "constant", None), (9, "copy", 2)]


def with_a_stored_zero(X, zero):
    """The same values, with the first zero of each column stored and every other value twice, as halves."""
    rows, columns = np.nonzero(X == 0)
    _, first = np.unique(columns, return_index=True)
    coo = scipy.sparse.coo_matrix(X)
    parts = [(coo.data / 2, coo.row, coo.col)] * 2 + [
        (np.full(len(first), zero), rows[first], columns[first])
    ]
    data, rows, columns = map(np.concatenate, zip(*parts, strict=True))
    return scipy.sparse.coo_matrix((data, (rows, columns)), shape=X.shape)


def by_entries(matrix, by_row):
    """A CSR or CSC matrix that keeps the order and the repetitions of entries."""
    major, minor = (matrix.row, matrix.col) if by_row else (matrix.col, matrix.row)
    order = np.argsort(major, kind="stable")
    starts = np.searchsorted(major[order], np.arange(matrix.shape[not by_row] + 1))
    make = scipy.sparse.csr_matrix if by_row else scipy.sparse.csc_matrix
    return make((matrix.data[order], minor[order], starts), shape=matrix.shape)


def sparse_forms(X):
    plain = scipy.sparse.csr_matrix(X)
    yield from (plain.asformat(name) for name in ("csr", "csc", "coo", "bsr", "lil", "dok", "dia"))
    for zero in (0.0, -0.0):
        twice = with_a_stored_zero(X, zero)
        yield from (twice, by_entries(twice, True), by_entries(twice, False), twice.tobsr((1, 1)))


def test_every_sparse_form_has_the_constants_of_the_array(monkeypatch):
    """Any value in every row, stored or implicit zeros of either sign, repeated entries; also block by block."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (60, 12)).astype(float)
    X[:, 2], X[:, 3], X[:, 4], X[:, 6], X[:, 7] = 1, 0, -2.5, np.nan, np.inf
    X[:, 8], X[:, 9], X[1:, 10] = 3, rng.integers(1, 3, 60), 0
    X[-1, 8] = 0
    expected = [note.column for note in find_notes(X) if note.kind == "constant"]
    assert expected == [2, 3, 4, 6, 7]
    for size in (1 << 21, 7):
        monkeypatch.setattr(scaling, "BLOCK_VALUES", size)
        for matrix in sparse_forms(X):
            before = matrix.copy()
            found = [note.column for note in find_notes(matrix) if note.kind == "constant"]
            assert found == expected, (matrix.format, size)
            assert matrix.nnz == before.nnz
        for kind in (np.int8, bool):  # of another type
            some = scipy.sparse.csr_array(X[:, [0, 2, 3, 4, 8]].astype(kind))
            assert [note.column for note in find_notes(some) if note.kind == "constant"] == [1, 2, 3]


@pytest.mark.parametrize("name", ["NEFS", "SNEFS", "ReliefF", "MultiSURF"])
@pytest.mark.parametrize("value", [0, 1])
def test_sparse_forms_select_as_the_array(name, value):
    """Constants come last in every form of a table."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    X = rng.integers(0, 4, (60, 5)).astype(float)
    X[:, 0], X[:, 2] = (y + X[:, 0]) % 5, value
    seed = {"random_state": 0} if "random_state" in METHODS[name]().get_params() else {}
    expected = METHODS[name](5, **seed).fit(X, y).order_.tolist()
    assert expected[-1] == 2
    for matrix in sparse_forms(X):
        assert METHODS[name](5, **seed).fit(matrix, y).order_.tolist() == expected, matrix.format


def spoiled(n_rows=400):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    frame = pd.DataFrame(
        {
            "rownames": np.arange(n_rows),
            "good": y + 0.7 * rng.standard_normal(n_rows),
            "noise": rng.standard_normal(n_rows),
            "leak": np.array(["no", "yes"])[y],
            "one": 0,
        }
    )
    return frame.assign(again=5 - frame.good), y


TOLD = (
    "Column 'rownames' looks like an identifier. Column 'leak' copies the target. Column 'again' duplicates 'good'. "
    "Hint: drop such columns."
)


@pytest.mark.parametrize("name", ["JMI", "RenyiFS", "CMIM", "ReliefF", "FisherScore", "LaplacianScore"])
def test_every_fit_has_notes(name):
    """Whatever the method works on; one warning names all columns, those that are not selected as well."""
    X, y = spoiled()
    X = X.drop(columns="leak") if name == "LaplacianScore" else X
    with pytest.warns(ColumnWarning) as caught:
        found = METHODS[name](2).fit(X, y).selection_
    expected = [("rownames", "identifier"), ("leak", "target"), ("one", "constant"), ("again", "copy")]
    expected = [row for row in expected if row[0] in X.columns]
    assert [(note.name, note.kind) for note in found.notes] == expected
    (told,) = [str(w.message) for w in caught if issubclass(w.category, ColumnWarning)]
    assert told == (TOLD if "leak" in X.columns else TOLD.replace("Column 'leak' copies the target. ", ""))
    assert found.to_dict()["notes"][0] == {
        "kind": "identifier",
        "column": "rownames",
        "other": None,
        "sentence": "Column 'rownames' looks like an identifier.",
    }


def test_notes_with_weights_and_groups():
    """Rows that weights repeat are one row each."""
    X, y = spoiled()
    for weights in (np.arange(len(y)) % 3, np.random.default_rng(0).lognormal(size=len(y))):
        found = ep.JMI(2, feature_groups=[["good", "noise"]]).fit(X, y, sample_weight=weights).selection_
        assert [note.name for note in found.notes] == ["rownames", "leak", "one", "again"]


def test_a_copy_of_the_target_is_never_just_enough():
    """The sentence about the number of columns says so first."""
    X, y = spoiled()
    with pytest.warns(ColumnWarning, match="'leak' copies the target"):
        found = ep.JMI("auto", random_state=0).fit(X, y).selection_
    assert "leak" in found.selected_names
    assert found.reason.startswith(
        "'leak' copies the target, so what follows says nothing about other columns:"
    )


def test_ordinary_tables_have_no_warning():
    """Neither constants beside others, nor copies in a table without names."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = rng.normal(size=(200, 4)) + y[:, None]
    X = np.column_stack([X, X[:, 0], np.arange(200), np.ones(200)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ep.JMI(2).fit(X[:, :6], y).selection_
        assert [note.kind for note in found.notes] == ["copy", "identifier"]
        digits, labels = load_digits(return_X_y=True, as_frame=True)
        notes = ep.MIM(5).fit(digits, labels).selection_.notes
        assert {note.kind for note in notes} == {"constant"}
        cancer, labels = load_breast_cancer(return_X_y=True, as_frame=True)
        assert ep.MIM(5).fit(cancer, labels).selection_.notes == ()


def test_warnings_can_be_filtered():
    X, y = spoiled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ColumnWarning)
        assert ep.JMI(1).fit(X[["noise", "leak"]], y).selection_.notes


def test_many_columns_are_named_in_part():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"a{j}": rng.random(100) for j in range(2)})
    frame = pd.concat([frame, *(frame[["a0"]].set_axis([f"c{j}"], axis=1) for j in range(30))], axis=1)
    with pytest.warns(
        ColumnWarning, match=r"'c19' duplicates 'a0'\. 10 more are in selection_\.notes\. Hint"
    ):
        ep.MIM(1).fit(frame, rng.integers(0, 2, 100))


def test_numbers_whose_range_is_beyond_floats_do_not_warn(recwarn):
    X = np.arange(-100, 100)[:, None] * 1.7e306
    ep.MIM(1).fit(X, np.arange(200) % 2)
    assert not [warning for warning in recwarn.list if issubclass(warning.category, RuntimeWarning)]


def test_rows_of_dataframes_of_numbers_are_gathered(monkeypatch):
    """The same notes as with the rows that the library takes, in polars and pyarrow."""
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    values = rng.standard_normal(5000)
    frame = pl.DataFrame(
        {
            "constant": np.full(5000, 2.5),
            "values": values,
            "again": 3 * values + 1,
            "row": np.arange(5000.0),
            "target": rng.integers(0, 2, 5000).astype(float),
        }
    )
    gaps = pl.Series("gaps", rng.standard_normal(5000)).scatter(range(0, 5000, 3), None)
    mixed = frame.with_columns(pl.Series("text", ["a", "b"] * 2500), pl.Series("whole", range(5000)))
    tables = [frame, pl.concat([frame[:17], frame[17:]], rechunk=False), mixed, mixed[["text"]]]
    tables += [frame.with_columns(gaps), frame.cast(pl.Float32)]
    tables += [pa.Table.from_batches(table.to_arrow().to_batches()) for table in tables]
    found = [kinds(table, frame["target"].to_numpy()) for table in tables]
    monkeypatch.setattr("entropick.table.readers.frames.ArrowInput.gather", None)
    assert {name for name, *_ in found[1]} == {"constant", "again", "row", "target"}
    assert found == [kinds(table, frame["target"].to_numpy()) for table in tables]

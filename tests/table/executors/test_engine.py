"""Tables in partitions of another engine: the same bits as one table, through two functions."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import entropick as ep
from entropick.exceptions import CombinationError, DataError
from entropick.table.executors.parts import aligned

pd = pytest.importorskip("pandas")

METHODS = [
    ep.JMI(5), ep.MRMR(4), ep.CMIM(4), ep.JMI(5, n_bins="auto"), ep.JMI(3, binning="uniform"), ep.JMI3(3),
    ep.RenyiFS(alpha=1, n_features=3), ep.FeatureSelector("jmi", cut="residual"),
    ep.FeatureSelector("jmi", cut=4, fixed_features=["x4"]), ep.FeatureSelector("rough_set", search="forward", cut=3),
]  # fmt: skip


class InList:
    """Partitions in a list of pickles; all that goes there or comes back is pickled, as by an engine."""

    def __init__(self, parts):
        self.pickles = [pickle.dumps(part) for part in parts]

    def map(self, call):
        return InList(self.call(call))

    def reduce(self, call, add):
        return add(self.call(call))

    def call(self, call):
        sent = pickle.dumps(call)
        made = [pickle.dumps(pickle.loads(sent)(pickle.loads(part))) for part in self.pickles]
        return [pickle.loads(one) for one in made]


def frame(n_rows=3000):
    """Numbers with more values than a sketch has, texts, whole numbers and missing values."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, n_rows)
    table = pd.DataFrame(rng.normal(size=(n_rows, 6)), columns=[f"x{j}" for j in range(6)])
    table["x1"] += y
    table["x4"] -= 0.5 * (y == 2)
    table["text"] = np.array(["a", "b", "c", "d"])[np.where(rng.random(n_rows) < 0.5, y, 3)]
    table["count"] = rng.poisson(3 + y)
    table.loc[rng.random(n_rows) < 0.1, "x2"] = np.nan
    table.loc[:100, "text"] = None
    return table.assign(y=np.array(["no", "yes", "maybe"])[y])


def cut(table, n_parts):
    """Uneven partitions, one of them without rows where there are several."""
    ends = np.sort(np.random.default_rng(n_parts).integers(0, len(table), n_parts - 1))
    ends[1:2] = ends[:1]
    return [table.iloc[a:b] for a, b in zip([0, *ends], [*ends, len(table)], strict=True)]


def check_same(got, expected):
    """Columns, scores and the encodings of columns and target, to the last bit."""
    assert got.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    assert got.order_.tolist() == expected.order_.tolist()
    assert got.scores_.tobytes() == expected.scores_.tobytes()
    assert tuple(got.selection_.encodings) == tuple(expected.selection_.encodings)
    assert got.selection_.target == expected.selection_.target
    assert got.selection_.n_rows == expected.selection_.n_rows


@pytest.mark.every_method
@pytest.mark.parametrize("n_parts", [1, 3, 8])
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_the_same_bits(method, n_parts):
    rows = frame()
    table = ep.partitioned(InList(cut(rows, n_parts)), rows.columns)
    expected = method.fit(rows.drop(columns="y"), rows["y"])
    check_same(type(method)(**method.get_params()).fit(table.drop("y"), table["y"]), expected)


@pytest.mark.parametrize("n_parts", [1, 3, 8])
def test_real_targets_and_arrow(n_parts):
    """The edges of a target are asked for, too; partitions may be tables of pyarrow."""
    pa = pytest.importorskip("pyarrow")
    rows = frame().drop(columns="y")
    rows["target"] = rows["x1"] + 0.5 * rows["x3"]
    parts = [pa.Table.from_pandas(part, preserve_index=False) for part in cut(rows, n_parts)]
    table = ep.partitioned(InList(parts), rows.columns)
    expected = ep.JMI(3).fit(rows.drop(columns="target"), rows["target"])
    check_same(ep.JMI(3).fit(table.drop("target"), table["target"]), expected)


def test_sums_of_numbers():
    """Measures of moments work, up to rounding."""
    rows = frame()[["x0", "x1", "x3", "x4", "count", "y"]]
    table = ep.partitioned(InList(cut(rows, 3)), rows.columns)
    for method in (ep.FisherScore(3), ep.CFS(3), ep.RRPC(3), ep.InfFS(3, alpha=(0.2, 0.3, 0.5))):
        expected = clone(method).fit(rows.drop(columns="y"), rows["y"])
        got = method.fit(table.drop("y"), table["y"])
        assert got.order_.tolist() == expected.order_.tolist()
        assert np.allclose(got.scores_, expected.scores_, rtol=1e-9, equal_nan=True)


@pytest.mark.parametrize(
    "parameters", [{"supervised": False}, {"alpha": "cv"}, {"diversity": 0.5}, {"graph": np.eye(5)}], ids=str
)
def test_graphs_that_are_not_sums_over_rows_are_refused(parameters):
    rows = frame()[["x0", "x1", "x3", "x4", "count", "y"]]
    table = ep.partitioned(InList(cut(rows, 3)), rows.columns)
    with pytest.raises(CombinationError, match="partitioned"):
        ep.InfFS(3, **parameters).fit(table.drop("y"), table["y"])


def test_columns_are_taken_by_name():
    rows = frame()
    table = ep.partitioned(InList([rows]), rows.columns)
    selector = ep.JMI(2).fit(table.select(["x0", "x1", "text"]), table["y"])
    assert selector.transform(table.select(["x0", "x1", "text"])).columns == ("x1", "text")
    with pytest.raises(DataError, match=r"no column 'z' in the table. Hint: the columns are 'x0'"):
        table["z"]


def test_what_is_refused():
    rows = frame()
    parts = InList(cut(rows, 3))
    table, other = ep.partitioned(parts, rows.columns), ep.partitioned(InList([rows]), rows.columns)
    for target in (rows["y"], other["y"]):
        with pytest.raises(DataError, match="must be a column of it"):
            ep.JMI(2).fit(table.drop("y"), target)
    with pytest.raises(CombinationError, match="needs all rows in one place"):
        ep.JMI(2, binning="mdlp").fit(table.drop("y"), table["y"])
    with pytest.raises(CombinationError, match="Hint: these need only counts or sums"):
        ep.ReliefF(2).fit(table.drop("y"), table["y"])
    nothing = ep.partitioned(InList([]), rows.columns)
    with pytest.raises(DataError, match="no rows in any partition"):
        ep.JMI(2).fit(nothing.drop("y"), nothing["y"])


def test_errors_of_a_partition():
    """Its number is not known here, so none is made up."""
    rows = frame()
    rows.loc[2000, "x0"] = np.inf
    table = ep.partitioned(InList(cut(rows, 3)), rows.columns)
    with pytest.raises(DataError, match=r"^A partition: .*'x0'.*infinite"):
        ep.JMI(2).fit(table.drop("y"), table["y"])


@pytest.mark.slow
def test_dask_is_not_needed():
    """An engine of one's own brings its own libraries."""
    program = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('dask', 'distributed')))\n"
        "import numpy, test_engine as t, entropick as ep\n"
        "rows = t.frame(500)\n"
        "table = ep.partitioned(t.InList(t.cut(rows, 3)), rows.columns)\n"
        "print(ep.JMI(1).fit(table.drop('y'), table['y']).get_feature_names_out())\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == "['text']\n", found.stderr


def misaligned(array):
    """The same array in a buffer that begins at an odd address, as arrays from a message may."""
    buffer = np.empty(array.nbytes + 1, np.uint8)
    moved = buffer[1:].view(np.uint8)[: array.nbytes].view(array.dtype)
    moved[:] = array
    return moved


def test_arrays_of_a_call_are_aligned():
    array = misaligned(np.arange(5))
    assert not array.flags.aligned
    moved, text = aligned([array, "text"])
    assert moved.flags.aligned
    assert moved.tolist() == [0, 1, 2, 3, 4]
    assert text == "text"

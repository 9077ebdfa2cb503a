"""Cubes of counts: merged in any order they are the counts of all rows, and a file gives back what was written."""

import contextlib
import itertools
import os
import re
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
import scipy.sparse

import entropick as ep
from database_tables import dirty_table, in_duckdb
from entropick import registry
from entropick.contracts import Need
from entropick.exceptions import CombinationError, DataError
from tables_of_all_kinds import InList

pytestmark = [
    pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning"),
    pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning"),
]
PAIRWISE = [
    name
    for name, measure in registry.MEASURES.items()
    if measure.needs == {Need.COUNTS} and "step" in measure.kinds
]


def steps(selector):
    """All of a path but the shares of H(y), which need counts of more than pairs."""
    return [
        repr((s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.gain, s.p_value))
        for s in selector.selection_.steps
    ]


def parts_of(frame, n_parts):
    ends = np.linspace(0, frame.height, n_parts + 1).astype(int)
    return [frame[a:b] for a, b in itertools.pairwise(ends)]


@pytest.mark.parametrize("measure", PAIRWISE)
def test_pairwise_criteria_as_on_rows(measure):
    frame = dirty_table(200)
    X, y = frame.drop("y"), frame["y"]
    search = registry.MEASURES[measure].default_search
    make = lambda: ep.FeatureSelector(measure, search, 4)  # noqa: E731
    one, other = make().fit(ep.Cube.count(X, y)), make().fit(X, y)
    assert steps(one) == steps(other)
    assert tuple(one.selection_.encodings) == tuple(other.selection_.encodings)
    assert one.selection_.target == other.selection_.target
    explained = [s.explained for s in other.selection_.steps]
    if explained[0] is not None:
        assert [s.explained for s in one.selection_.steps] == [*explained[:2], *[None] * (len(explained) - 2)]


def test_fixed_columns_and_corrections():
    frame = dirty_table(200)
    cube = ep.Cube.count(frame.drop("y"), frame["y"])
    for options in ({"fixed_features": ["few"]}, {"correction": "adjusted"}):
        make = lambda options=options: ep.JMI(3, **options)  # noqa: E731
        assert steps(make().fit(cube)) == steps(make().fit(frame.drop("y"), frame["y"]))


def test_batches_in_any_order_and_grouping():
    """With the edges of all rows, batches give the counts of all rows."""
    frame = dirty_table(240)
    whole = ep.Cube.count(frame.drop("y"), frame["y"])
    a, b, c = (ep.Cube.count(part.drop("y"), part["y"], edges=whole) for part in parts_of(frame, 3))
    for merged in (a.merge(b, c), c.merge(a).merge(b), b.merge(c.merge(a))):
        assert merged == whole
        assert merged.encodings == whole.encodings


def test_hospitals_that_exchange_only_counts():
    """Levels of all rows are found without a row leaving its place, and the result is the pooled one."""
    frame = dirty_table(240).drop("lost huge")
    pooled = ep.Cube.count(frame.drop("y"), frame["y"])
    table = ep.partitioned(
        InList([part.to_pandas(use_pyarrow_extension_array=True) for part in parts_of(frame, 3)]),
        frame.columns,
    )
    federated = ep.Cube.count(table.drop("y"), table["y"])
    assert steps(ep.JMI(4).fit(federated)) == steps(ep.JMI(4).fit(pooled))


@pytest.mark.slow
def test_cube_of_a_database():
    frame = dirty_table(150)
    assert ep.Cube.count(in_duckdb(frame).table("t"), "y") == ep.Cube.count(frame.drop("y"), frame["y"])


def test_files(tmp_path):
    frame = dirty_table(150)
    cube = ep.Cube.count(frame.drop("y"), frame["y"])
    path = tmp_path / "a.counts"
    cube.save(path)
    again = ep.Cube.load(path)
    assert again == cube
    assert again.encodings == cube.encodings
    assert [file.name for file in tmp_path.iterdir()] == ["a.counts"]
    content = bytearray(path.read_bytes())
    for at in range(8, len(content) - 8, max(1, len(content) // 25)):  # any damage is noticed
        broken = content.copy()
        broken[at] ^= 255
        (tmp_path / "b.counts").write_bytes(broken)
        with contextlib.suppress(DataError):
            assert ep.Cube.load(tmp_path / "b.counts") == cube
    (tmp_path / "c.counts").write_bytes(b"no counts")
    with pytest.raises(DataError, match="is not a file of counts"):
        ep.Cube.load(tmp_path / "c.counts")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "d.parquet")
    with pytest.raises(DataError, match="is not a file of counts"):
        ep.Cube.load(tmp_path / "d.parquet")


def test_a_file_never_has_small_cells(tmp_path):
    frame = dirty_table(150)
    cube = ep.Cube.count(frame.drop("y"), frame["y"])
    cube.save(tmp_path / "a.counts", min_cell=5)
    counts = pl.read_parquet(tmp_path / "a.counts")["counts"].explode()
    assert ((counts == 0) | (counts >= 5)).all()
    assert ep.Cube.load(tmp_path / "a.counts").min_cell == 5
    with pytest.warns(UserWarning, match="Counts below 5 were left out"):
        assert ep.JMI(2).fit(ep.Cube.load(tmp_path / "a.counts")).n_features_ == 2


def test_what_cannot_be():
    frame = dirty_table(150)
    X, y = frame.drop("y"), frame["y"]
    cube = ep.Cube.count(X, y)
    with pytest.raises(CombinationError, match="JMI3 needs joint counts of many columns"):
        ep.JMI3(5).fit(cube)
    with pytest.raises(CombinationError, match="Residual needs joint counts"):
        ep.JMI("residual").fit(cube)
    with pytest.raises(CombinationError, match="ReliefF needs distances"):
        ep.ReliefF(2).fit(cube)
    with pytest.raises(DataError, match="other levels or edges"):
        cube.merge(ep.Cube.count(X.with_columns(few=pl.col("few") + 1), y))
    with pytest.raises(DataError, match="same columns"):
        cube.merge(ep.Cube.count(X.drop("few"), y))
    with pytest.raises(DataError, match="; missing: 'few'; not known: 'fow'"):
        ep.Cube.count(X.rename({"few": "fow"}), y, edges=cube)
    with pytest.raises(DataError, match="did not hold when its levels"):
        ep.Cube.count(X.with_columns(few=pl.lit(99)), y, edges=cube)
    with pytest.raises(DataError, match="not one of its known classes"):
        ep.Cube.count(X, y + 7, edges=cube)


def test_paths_with_fdr_are_told_what_works():
    """Columns given several others need joint counts; `gain` and rankings do not, and the hint says so."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = (X[:, :3].sum(axis=1) > 0).astype(int)
    cube = ep.Cube.count(X, y)
    for method in (ep.JMI, ep.MRMR, ep.CMIM):
        with pytest.raises(CombinationError, match="use n_features='gain'; or the ranking MIM") as refusal:
            method("fdr").fit(cube)
        assert not re.search(r"JMI|MRMR|CMIM", str(refusal.value))
        assert sorted(method("gain").fit(cube).order_) == [0, 1, 2]
    assert sorted(ep.MIM("fdr").fit(cube).order_) == [0, 1, 2]


def test_times_and_numbers_do_not_mix():
    """One in place of the other would fall into an outer level without a word."""
    n = np.arange(40)
    times = pl.Series(n).cast(pl.Datetime("us"))
    columns = {"number": n * 0.5, "time": times, "span": times - times[0]}
    frame, y = pl.DataFrame(columns), n % 2
    cube = ep.Cube.count(frame, y)
    for name, other in itertools.permutations(columns, 2):
        mixed = frame.with_columns(frame[other].alias(name))
        with pytest.raises(DataError, match=f"'{name}' holds .* in one partition and .* in another"):
            cube.partial_fit(mixed, y)
    with pytest.raises(DataError, match="'y' holds numbers in one partition and times in another"):
        cube.partial_fit(frame, times)
    assert len(cube) == 40
    assert ep.Cube.count(frame, times, target="real").partial_fit(frame, times).n_rows == 80
    lost = ep.Cube.count(pl.concat([frame, frame.clear(1)]), [*y, 0])
    empty = pl.DataFrame({name: [None, np.nan] for name in columns}, strict=False)
    assert lost.partial_fit(empty, [0, 1]).encodings[1].n_missing == 3


BATCH = """
import os, signal, sys
import numpy as np
import entropick as ep
rng, path, first = np.random.default_rng(0), sys.argv[1], int(sys.argv[2])
y = rng.integers(0, 3, 300)
X = rng.normal(size=(300, 5)) + y[:, None] * [0, 0.4, 0, 1, 0.2]
if first == 0:
    ep.Cube.count(X, y).save(path + ".whole")
    ep.Cube.count(X[:0], y[:0], edges=ep.Cube.load(path + ".whole")).save(path)
cube = ep.Cube.load(path).partial_fit(X[first : first + 150], y[first : first + 150])
cube.save(path)
if first == 0:
    cube.partial_fit(X[150:], y[150:])
    os.kill(os.getpid(), signal.SIGKILL)
for file in (path, path + ".whole"):
    print(ep.JMI(3).fit(ep.Cube.load(file)).scores_.tobytes().hex())
"""


@pytest.mark.slow
def test_batches_after_a_kill_and_on_another_processor(tmp_path):
    """What was saved is continued by a process that runs for another kind of processor, to the same bits."""
    codes, said = [], ""
    for first, settings in [
        (0, {"OPENBLAS_CORETYPE": "Nehalem"}),
        (150, {"ENTROPICK_PROCESSOR": "plain", "OPENBLAS_CORETYPE": "Prescott"}),
    ]:
        command = [sys.executable, "-W", "ignore", "-c", BATCH, tmp_path / "a.counts", str(first)]
        process = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
        codes.append(process.returncode)
        said = process.stdout
    assert codes == [-signal.SIGKILL, 0]
    whole = ep.Cube.load(tmp_path / "a.counts.whole")
    assert ep.Cube.load(tmp_path / "a.counts") == whole
    assert said.split() == [ep.JMI(3).fit(whole).scores_.tobytes().hex()] * 2


def test_something_is_left_of_a_cube():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 2)), rng.integers(0, 2, 60)
    cube = ep.Cube.count(X, y)
    with pytest.raises(DataError, match="min_cell=100 leaves no count of any column"):
        cube.suppressed(100)
    nobody = ep.Cube.count(X[:0], y[:0], edges=cube)
    assert nobody.suppressed(5).merge(cube).n_rows == 60
    with pytest.raises(DataError, match="has counted no rows"):
        ep.JMI(1).fit(nobody)


@pytest.mark.parametrize("make", [ep.Cube, ep.Sketches], ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("n_bins", [0, -3, 2.7, "x"]),
        ("binning", ["unifrom", None]),
        ("missing", ["levels"]),
        ("target", ["classes"]),
    ],
)
def test_options_are_those_of_the_selectors(make, name, values):
    for value in values:
        with pytest.raises(ValueError, match=f"The '{name}' parameter of {make.__name__}.count must be"):
            make.count(np.eye(4), [0, 1, 0, 1], **{name: value})


def test_what_is_no_cube():
    X, y = np.arange(80.0).reshape(40, 2), np.arange(40) % 2
    cube, sketches = ep.Cube.count(X, y), ep.Sketches.count(X, y)
    for other in (3, "a.counts", ep.JMI(1).fit(X, y)):
        with pytest.raises(TypeError, match="edges must be of type Cube or Sketches, got"):
            ep.Cube.count(X, y, edges=other)
    for one, other in [(cube, 3), (cube, sketches), (sketches, 3), (sketches, cube)]:
        with pytest.raises(TypeError, match=f"must be of type {type(one).__name__}, got"):
            one.merge(other)
    with pytest.raises(TypeError, match="after must be of type Sketches, got Cube"):
        ep.Sketches.count(X, y, after=cube)
    with pytest.raises(ValueError, match="'min_cell' parameter"):
        cube.suppressed(2.5)
    with pytest.raises(DataError, match="classes must hold all classes of y, got none"):
        ep.Cube.count(X, y, classes=[])
    with pytest.raises(DataError, match="classes cannot be given together with edges"):
        ep.Cube.count(X, y, edges=cube, classes=[0, 1, 2])
    with pytest.raises(DataError, match="has its target in it, here 'y', but y was passed too"):
        ep.JMI(1).fit(cube, 1 - y)
    with pytest.raises(DataError, match=r"got a Cube\. Hint: leave it out, or weigh the rows before"):
        ep.JMI(1).fit(cube, sample_weight=np.ones(40))
    for count in (ep.Cube.count, ep.Sketches.count, cube.partial_fit):
        with pytest.raises(ValueError, match="classes of the target are needed, but y is None"):
            count(X, None)
    for columns in ([0], [0, 1, 1]):
        with pytest.raises(DataError, match=f"must have 2 columns, got {len(columns)}"):
            cube.partial_fit(X[:, columns], y)
        with pytest.raises(DataError, match=f"must have 2 columns, got {len(columns)}"):
            cube.partial_fit(scipy.sparse.csr_array(X[:, columns]), y)
        with pytest.raises(DataError, match=f"must have 2 columns, got {len(columns)}"):
            ep.Sketches.count(X[:, columns], y, after=sketches)


def test_rows_that_have_no_level():
    """Neither a missing label nor a value of a column that had none is counted as something else."""
    n = np.arange(40)
    X, labels = np.c_[n, np.full(40, np.nan)], np.array(["a", "b"], object)[n % 2]
    for y, missing in ((n / 7, np.nan), (labels, None)):
        lost = y.copy()
        lost[3] = missing
        with pytest.raises(DataError, match="1 missing value, the first in row 3"):
            ep.Cube.count(X, lost, edges=ep.Cube.count(X, y))
    with pytest.raises(DataError, match="infinite value"):
        ep.Cube.count(X, np.append(n[1:] / 7, np.inf), edges=ep.Cube.count(X, n / 7))
    with pytest.raises(DataError, match=r"'x1' holds 5\.0, which it did not hold"):
        ep.Cube.count(np.c_[n, np.full(40, 5.0)], labels, edges=ep.Cube.count(X, labels))

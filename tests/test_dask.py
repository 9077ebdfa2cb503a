"""Collections of Dask: the same bits as one table in this process, through threads and a real cluster."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import entropick as ep
from entropick.exceptions import ClusterError, CombinationError, DataError

dask = pytest.importorskip("dask", reason="dask is not installed (extra dask)")
distributed = pytest.importorskip("distributed", reason="distributed is not installed (extra dask)")
pd = pytest.importorskip("pandas")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

# Dask's own warnings about its processes are none of our business.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*:UserWarning:distributed"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.xdist_group("dask"),
]

METHODS = [
    ep.MIM(4), ep.MIFS(4), ep.MRMR(4), ep.CIFE(4), ep.JMI(4), ep.JMIM(4), ep.CMIM(4), ep.DISR(4), ep.ICAP(4),
    ep.RenyiFS(n_features=3), ep.RenyiFS(alpha=1, n_features=3), ep.FeatureSelector("jmi", cut="residual"),
    ep.FeatureSelector("mrmr", search="backward", cut=3), ep.RenyiFS(alpha=np.inf, n_features=3),
    ep.MIQ(4), ep.NJMIM(4), ep.JMI3(4), ep.CFR(4), ep.DCSF(4), ep.MRI(4), ep.FCBF(), ep.CFSSubset(),
    ep.FeatureSelector("rough_set", search="forward", cut=3), ep.FeatureSelector("joint_balance", search="forward", cut=3),
]  # fmt: skip


def make_cluster(n_workers=2, **options):
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=None, silence_logs=50, **options
    )


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes for all tests of this file.

    They are forked from a server that has imported what they need, as each import takes some seconds.
    """
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        distributed.utils.get_mp_context()
        multiprocessing.get_context("forkserver").set_forkserver_preload(
            ["distributed", "dask.array", "dask.dataframe", "polars", "entropick.backends.rows", "pytest"]
        )
        with make_cluster() as started:
            yield started


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as connected:
        yield connected


@pytest.fixture(params=["threads", "processes"])
def place(request):
    if request.param == "threads":
        return None
    return request.getfixturevalue("client")


def table(n_rows=900, n_columns=9, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, n_columns))
    X[:, 2] += y
    X[:, 5] = np.round(X[:, 5] + 0.5 * y, 1)
    X[:, 0] = rng.integers(0, 4, n_rows)
    X[::11, 1] = np.nan
    return X, y


def frame(n_rows=600):
    X, y = table(n_rows)
    made = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    rng = np.random.default_rng(1)
    made["text"] = np.where(rng.random(n_rows) < 0.3, "none", np.array(["a", "b", "c"])[y])
    made["flag"] = rng.random(n_rows) < 0.5
    made["time"] = pd.date_range("2020", periods=n_rows, freq="h").to_numpy()[rng.permutation(n_rows)]
    made["kind"] = pd.Categorical(rng.choice(["u", "v"], n_rows))
    return made.assign(y=y)


def path(selection):
    """Everything about the steps that does not depend on the clock."""
    return [
        (s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.n_ties, s.residual)
        for s in selection.steps
    ]


def check_same(got, expected):
    assert path(got.selection_) == path(expected.selection_)
    assert got.selection_.encodings == expected.selection_.encodings
    assert got.selection_.target == expected.selection_.target
    assert got.selection_.learned == expected.selection_.learned
    assert np.array_equal(got.scores_, expected.scores_, equal_nan=True)
    assert got.order_.tolist() == expected.order_.tolist()
    assert got.n_features_in_ == expected.n_features_in_


# -- the same bits -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_methods_on_arrays(method):
    check_method(method)


@pytest.mark.parametrize("method", [METHODS[k] for k in (2, 4, 6, 9, 11)], ids=str)
def test_methods_on_a_cluster(method, client):
    """One of each kind: with and without classes, minima, joint levels, a rule that stops."""
    check_method(method)


def check_method(method):
    X, y = table()
    expected = type(method)(**method.get_params()).fit(X, y)
    got = method.fit(da.from_array(X, chunks=(300, 4)), da.from_array(y, chunks=300))
    check_same(got, expected)


@pytest.mark.parametrize("n_parts", [1, 3, 8])
def test_partitions_of_arrays_and_frames(n_parts, place):
    """1, 3 and 8 partitions, uneven chunks, both containers."""
    X, y = table()
    expected = ep.JMI(4).fit(X, y)
    chunks = tuple(
        np.diff(
            np.linspace(0, 900, n_parts + 1).astype(int) // 7 * 7 + np.r_[[0] * n_parts, 900 % 7]
        ).tolist()
    )
    check_same(ep.JMI(4).fit(da.from_array(X, chunks=(chunks, -1)), da.from_array(y, chunks=250)), expected)
    whole = frame()
    expected = ep.JMI(5).fit(whole.drop(columns="y"), whole["y"])
    parts = dd.from_pandas(whole, npartitions=n_parts, sort=False)
    got = ep.JMI(5).fit(parts.drop(columns="y"), parts["y"])
    check_same(got, expected)
    assert got.feature_names_in_.tolist() == expected.feature_names_in_.tolist()


def test_long_columns_are_narrowed_down(client):
    """Columns with more values than a sketch holds; three classes of a real target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 4)).astype(np.float32)
    y = X[:, 1] + rng.normal(size=30_000)
    expected = ep.MRMR(3, n_bins=4).fit(X, y)
    check_same(
        ep.MRMR(3, n_bins=4).fit(da.from_array(X, chunks=(7000, -1)), da.from_array(y, chunks=7000)), expected
    )
    expected = ep.MRMR(3, binning="uniform").fit(X, y)
    check_same(ep.MRMR(3, binning="uniform").fit(da.from_array(X, chunks=(7000, -1)), y), expected)


def test_bayesian_and_set_searches(client):
    X, y = table(300, 6)
    chunks = da.from_array(X, chunks=(120, -1))
    for make in (
        lambda: ep.FeatureSelector("bayesian", search="exhaustive"),
        lambda: ep.FeatureSelector("pairwise_balance", search="cross_entropy", random_state=0),
    ):
        check_same(make().fit(chunks, da.from_array(y, chunks=120)), make().fit(X, y))


def test_empty_partitions_and_targets_in_memory(place):
    whole = frame()
    holes = dd.from_map(
        lambda part: part,
        [whole.iloc[:0], whole.iloc[:250], whole.iloc[250:250], whole.iloc[250:]],
        meta=whole.iloc[:0],
    )
    expected = ep.JMI(4).fit(whole.drop(columns="y"), whole["y"])
    check_same(ep.JMI(4).fit(holes.drop(columns="y"), holes["y"]), expected)
    check_same(ep.JMI(4).fit(holes.drop(columns="y"), whole["y"]), expected)
    texts = whole["y"].map({0: "a", 1: "b", 2: "c"})
    expected = ep.JMI(2).fit(whole.drop(columns="y"), texts)
    check_same(ep.JMI(2).fit(holes.drop(columns="y"), texts), expected)


def test_select_fixed_features_and_progress(place):
    X, y = table()
    seen = []
    options = {"measure": "mrmr", "cut": 4, "fixed_features": [7, 1]}
    got = ep.select(
        da.from_array(X, chunks=(200, -1)),
        da.from_array(y, chunks=200),
        progress=lambda *step: seen.append(step[1:]),
        **options,
    )
    assert path(got)[2:] == path(ep.select(X, y, **options))[2:]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_example_of_the_page():
    """What the page prints is the file that `make cluster-example` runs in an empty environment."""
    root = Path(__file__).parents[1]
    page = (root / "docs" / "larger-than-one-machine.md").read_text()
    assert (root / "examples" / "larger_than_one_machine.py").read_text() in page


def test_transform_stays_lazy():
    X, y = table()
    chunks = da.from_array(X, chunks=(300, 4))
    selector = ep.JMI(3).fit(chunks, y)
    reduced = selector.transform(chunks)
    assert isinstance(reduced, da.Array)
    assert np.array_equal(reduced.compute(), selector.transform(X), equal_nan=True)
    whole = frame()
    parts = dd.from_pandas(whole, npartitions=3, sort=False)
    selector = ep.JMI(3).fit(parts.drop(columns="y"), parts["y"])
    reduced = selector.transform(parts.drop(columns="y"))
    assert isinstance(reduced, dd.DataFrame)
    assert list(reduced.columns) == list(selector.get_feature_names_out())
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(parts)


def test_nothing_stays_on_the_cluster(client):
    X, y = table()
    ep.JMI(3).fit(da.from_array(X, chunks=(300, 4)), y)
    deadline = time.monotonic() + 10
    while any(client.has_what().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.has_what().values())


# -- columns as numbers --------------------------------------------------------------------------

BY_SUMS = [
    ep.FisherScore(4), ep.RRPC(4), ep.RRPC(4, classes="number", signed=True), ep.Gaussian(4), ep.ECFS(4),
    ep.ECFS(4, scaling=None), ep.ILFS(4), ep.InfFS(n_features=4), ep.InfFS(n_features=4, variant="released"),
    ep.CFS(4), ep.CFS(4, summary="minimum"),
]  # fmt: skip


def check_nearly(got, expected):
    """The same columns in the same order, the same scores but for rounding."""
    assert got.order_.tolist() == expected.order_.tolist()
    assert np.allclose(got.scores_, expected.scores_, rtol=1e-9, atol=1e-12, equal_nan=True)
    assert got.selection_.target == expected.selection_.target


@pytest.mark.parametrize("method", BY_SUMS, ids=str)
def test_measures_of_moments(method):
    """Numbers, gaps, a constant, texts, flags and times in uneven partitions, one of them empty."""
    whole = frame().assign(same=2.5)
    X, y = whole.drop(columns="y"), whole["y"]
    parts = dd.from_map(
        lambda rows: whole.iloc[slice(*rows)], [(0, 70), (70, 70), (70, 410), (410, 600)], meta=whole.iloc[:0]
    )
    expected = type(method)(**method.get_params()).fit(X, y)
    got = type(method)(**method.get_params()).fit(parts.drop(columns="y"), parts["y"])
    check_nearly(got, expected)


@pytest.mark.parametrize("method", [ep.RRPC(4), ep.Gaussian(4), ep.FisherScore(4)], ids=str)
def test_moments_with_a_real_target_on_a_cluster(method, client):
    X, _ = table(500)
    y = 1e6 + X[:, 2] * 3 + np.random.default_rng(0).normal(size=500)
    expected = type(method)(**method.get_params()).fit(X, y)
    got = method.fit(da.from_array(X, chunks=(200, 4)), da.from_array(y, chunks=200))
    check_nearly(got, expected)


def test_moments_without_a_target():
    X, _ = table()
    check_nearly(ep.CFS(3).fit(da.from_array(X, chunks=(200, -1))), ep.CFS(3).fit(X))


def test_pairs_of_too_many_columns(monkeypatch):
    from entropick.backends import numbers

    monkeypatch.setattr(numbers, "MOST_COLUMNS", 8)
    X, y = table(100)
    with pytest.raises(CombinationError, match=r"at most 8 columns; got 9.*fisher_score"):
        ep.RRPC(2).fit(da.from_array(X, chunks=50), y)


# -- chunks of columns ---------------------------------------------------------------------------


def wide_table(n_rows=80, n_columns=700, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, n_columns)) + 0.6 * y[:, None] * (rng.random(n_columns) < 0.05)
    X[:, 400:] = np.round(X[:, 400:])  # few levels, many ties
    X[:, 690] = X[:, 30]  # a tie across chunks
    return X, y


WIDE = [*METHODS[:9], ep.JMI(5, fixed_features=[600, 3]), ep.MRMR(0.01)]


@pytest.mark.parametrize("method", WIDE, ids=str)
def test_wide_tables_in_chunks_of_columns(method):
    check_wide(method)


@pytest.mark.parametrize("method", [WIDE[k] for k in (0, 6, 9)], ids=str)
def test_wide_tables_on_a_cluster(method, client):
    """One of each kind: a ranking, minima, columns that are given."""
    check_wide(method)


def check_wide(method):
    X, y = wide_table()
    expected = type(method)(**method.get_params()).fit(X, y)
    got = method.fit(da.from_array(X, chunks=(30, 150)), da.from_array(y, chunks=30))
    if method.get_params().get("fixed_features"):
        assert path(got.selection_)[2:] == path(expected.selection_)[2:]
    else:
        check_same(got, expected)


def test_what_travels_of_wide_tables(client, monkeypatch):
    """Per pick: the codes of the newest column, and what may win of each chunk."""
    from entropick.backends import columns, places

    sizes = []
    gather = places.OnCluster.gather

    def watched(self, made):
        found = gather(self, made)
        if isinstance(found[0], columns.Finalists):
            sizes.append([len(one.columns) for one in found])
        return found

    monkeypatch.setattr(places.OnCluster, "gather", watched)
    monkeypatch.setattr(places.RowsOnCluster, "__init__", None)  # rows are not cut
    X, y = wide_table()
    X[:, 400:] += np.random.default_rng(1).normal(size=(80, 300))
    X[:, 690] = X[:, 30]
    ep.JMI(4).fit(da.from_array(X, chunks=(-1, 100)), y)
    assert len(sizes) == 4
    assert max(max(of_chunks) for of_chunks in sizes[1:]) <= 4


# -- refusals, before data move ------------------------------------------------------------------


class Untouchable:
    """A source that fails the test when it is read."""

    def __call__(self, *_):
        raise AssertionError("data were read")


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (ep.SNEFS(), "needs distances of all rows in one place"),
        (ep.LaplacianScore(2), "needs distances|needs numbers of all rows"),
        (ep.InfFS(n_features=2, diversity=0.5), "needs numbers of all rows"),
        (ep.InfFS(n_features=2, alpha="cv"), "needs numbers of all rows"),
        (ep.RRPC(2, unlabelled=-1), "unlabelled=-1.*every row"),
        (ep.JMI("auto"), "HeldOut needs source.*count.*n_features=10"),
        (ep.JMI("permutation"), "Permutation needs labels.*count.*n_features=10"),
        (ep.JMI(2, binning="mdlp"), "mdlp.*quantile"),
        (ep.JMI(2, feature_groups=[[0, 1]]), "feature_groups"),
    ],
    ids=str,
)
def test_refused_before_data_move(selector, message):
    X = da.from_array(np.zeros((6, 3)), chunks=2).map_blocks(
        Untouchable(), dtype=float, meta=np.empty((0, 0))
    )
    with pytest.raises(CombinationError, match=message):
        selector.fit(X, np.array([0, 1] * 3))


def test_other_refusals():
    X = da.from_array(np.zeros((6, 3)), chunks=2)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.JMI(1).fit(X, np.arange(5))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.JMI(1).fit(X, da.zeros(5))
    with pytest.raises(ValueError, match="requires y"):
        ep.JMI(1).fit(X)
    with pytest.raises(DataError, match="two dimensions"):
        ep.JMI(1).fit(da.zeros(4), np.zeros(4))
    with pytest.raises(DataError, match="1d array"):
        ep.JMI(1).fit(X, da.zeros((6, 2)))
    with pytest.raises(DataError, match="Dask dataframe or array, got Delayed"):
        ep.JMI(1).fit(dask.delayed(np.zeros)((6, 2)), np.zeros(6))
    whole = frame()
    parts = dd.from_pandas(whole, npartitions=3, sort=False)
    with pytest.raises(DataError, match="same partitions"):
        ep.JMI(1).fit(parts.drop(columns="y"), dd.from_pandas(whole["y"], npartitions=2, sort=False))


# -- faults --------------------------------------------------------------------------------------


def test_bad_partitions_are_named(place):
    """Differing columns, types, infinite values, values that cannot be computed: one sentence."""
    good = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    y = np.array([0, 1, 0, 1])

    def fit(other):
        parts = dd.from_map(lambda part: part, [good, other], meta=good.iloc[:0])
        return ep.JMI(1).fit(parts, dd.from_pandas(pd.Series(y), npartitions=2, sort=False))

    with pytest.raises(DataError, match="'b' is not in all of them"):
        fit(good.rename(columns={"b": "c"}))
    with pytest.raises(DataError, match="'b' holds numbers in one partition and strings"):
        fit(good.assign(b=["u", "v"]))
    with pytest.raises(DataError, match=r"Partition 1: Column 'b' holds an infinite value"):
        fit(good.assign(b=[1.0, np.inf]))
    with pytest.raises(DataError, match=r"Partition 1: X has 3 rows, but y has 2"):
        fit(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 4.0, 5.0]}))
    broken = da.from_array(np.zeros((4, 2)), chunks=2).map_blocks(fail, dtype=float, meta=np.empty((0, 0)))
    with pytest.raises(DataError, match="A partition cannot be used: OSError: disk on fire"):
        ep.JMI(1).fit(broken, y)


def fail(block):
    raise OSError("disk on fire")


def slow(block):
    time.sleep(0.05)
    return block


def die_once(block, folder, n_before):
    """Kill the worker when the n-th block of all is read, the first time only."""
    for n in range(100):
        try:
            (Path(folder) / str(n)).touch(exist_ok=False)  # no two workers get the same number
        except FileExistsError:
            continue
        if n == n_before:
            os.kill(os.getpid(), signal.SIGKILL)
        return block


@pytest.mark.parametrize("n_before", [0, 3, 6, 9])
def test_a_worker_killed_while_it_reads(client, tmp_path, n_before):
    """SIGKILL in the first or second reading of one of six partitions: the same answer."""
    X, y = table(600)
    expected = ep.JMI(3).fit(X, y)
    client.wait_for_workers(2, timeout=60)
    chunks = da.from_array(X, chunks=(100, -1)).map_blocks(
        die_once, str(tmp_path), n_before, dtype=float, meta=np.empty((0, 0))
    )
    check_same(ep.JMI(3).fit(chunks, da.from_array(y, chunks=100)), expected)
    assert len(list(tmp_path.iterdir())) > 12  # each was read twice, and that of the lost worker again


@pytest.mark.parametrize("n_picks", range(1, 7))
def test_a_worker_killed_while_it_counts(client, n_picks):
    """SIGKILL after so many picks: the same answer, since lost codes are made anew."""
    X, y = table(600)
    expected = ep.JMI(6).fit(X, y)
    client.wait_for_workers(2, timeout=60)
    pids = client.run(os.getpid)
    seen = []

    def kill(step, n_done, n_expected):
        seen.append(n_done)
        if n_done == n_picks:
            os.kill(pids[min(pids)], signal.SIGKILL)

    chunks = da.from_array(X, chunks=(100, -1))
    got = ep.JMI(6, progress=kill).fit(chunks, da.from_array(y, chunks=100))
    assert seen == [1, 2, 3, 4, 5, 6]
    check_same(got, expected)


def test_the_scheduler_gone(monkeypatch):
    """One sentence, and no hang."""
    from entropick.backends import faults, places

    monkeypatch.setattr(faults, "PATIENCE_SECONDS", 2.0)
    monkeypatch.setattr(places, "POLL_SECONDS", 0.2)
    X, y = table(2000)
    chunks = da.from_array(X, chunks=(250, -1)).map_blocks(slow, dtype=float, meta=np.empty((0, 0)))
    with make_cluster(1, processes=False) as cluster, distributed.Client(cluster):
        closer = threading.Timer(0.5, cluster.close)
        closer.start()
        start = time.monotonic()
        with pytest.raises(ClusterError, match="Hint"):
            ep.JMI(6, progress=lambda *_: time.sleep(0.3)).fit(chunks, da.from_array(y, chunks=250))
        assert time.monotonic() - start < 60
        closer.join()


def test_no_worker_at_all(monkeypatch):
    from entropick.backends import faults, places

    monkeypatch.setattr(faults, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(places, "POLL_SECONDS", 0.2)
    X, y = table(100)
    with (
        make_cluster(0, processes=False) as cluster,
        distributed.Client(cluster),
        pytest.raises(ClusterError, match="no worker"),
    ):
        ep.JMI(2).fit(da.from_array(X, chunks=50), y)


@pytest.mark.parametrize(
    ("status", "workers", "message"),
    [
        ("running", {"a": {"status": "paused"}, "b": {"status": "paused"}}, "paused: their memory is full"),
        ("running", {}, "no workers left"),
        ("running", None, "does not answer"),
        ("connecting", {"a": {"status": "running"}}, "connection to the scheduler"),
        ("running", {"a": {"status": "running"}, "b": {"status": "paused"}}, None),
    ],
)
def test_patience_has_an_end(status, workers, message, monkeypatch):
    """Whatever keeps a cluster from going on is told once it has lasted."""
    from entropick.backends import faults

    class Client:
        def __init__(self):
            self.status = status

        def scheduler_info(self, n_workers):
            if workers is None:
                raise OSError
            return {"workers": workers}

    monkeypatch.setattr(faults, "PATIENCE_SECONDS", 0.1)
    patience = faults.Patience(Client())
    patience.look()
    time.sleep(0.2)
    if message is None:
        patience.look()
        return
    with pytest.raises(ClusterError, match=message):
        patience.look()


def die(block):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_partition_that_kills_its_workers():
    """As one does that needs more memory than workers have: one sentence after a few tries."""
    with (
        make_cluster(1) as cluster,
        distributed.Client(cluster),
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
    ):
        cluster.scheduler.allowed_failures = 0
        X = da.from_array(np.zeros((4, 2)), chunks=2).map_blocks(die, dtype=float, meta=np.empty((0, 0)))
        with pytest.raises(ClusterError, match="died repeatedly"):
            ep.JMI(1).fit(X, np.array([0, 1, 0, 1]))


def test_interrupted(client):
    """Ctrl-C ends the fit at once; the cluster gives the work up."""
    X, y = table(2000)
    chunks = da.from_array(X, chunks=(100, -1)).map_blocks(slow, dtype=float, meta=np.empty((0, 0)))

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ep.JMI(6, progress=interrupt).fit(chunks, y)
    deadline = time.monotonic() + 10
    while any(client.has_what().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.processing().values())
    assert not any(client.has_what().values())


# -- files and the program -----------------------------------------------------------------------

pl = pytest.importorskip("polars")


@pytest.fixture
def files(tmp_path):
    whole = pl.from_pandas(frame())
    for part, rows in enumerate([(0, 200), (200, 0), (200, 400)]):
        whole.slice(*rows).write_parquet(tmp_path / f"part-{part}.parquet", row_group_size=70)
    return tmp_path


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_scanned_files(files, place, library, monkeypatch):
    from entropick.backends import files as reading

    if library == "pyarrow":
        if place is not None:
            pytest.skip("workers have polars")
        monkeypatch.setattr(reading, "_library", lambda: reading._PyArrow)
    monkeypatch.setattr(reading, "PIECE_VALUES", 100)
    monkeypatch.setattr(reading, "FEWEST_ROWS", 90)  # several pieces per file
    whole = pl.from_pandas(frame())
    expected = ep.JMI(4).fit(whole.drop("y"), whole["y"])
    table = ep.scan(files / "part-*.parquet")
    assert repr(table) == "Scan(3 files, 600 rows, 14 columns)"
    assert len(table.pieces) > 5
    got = ep.JMI(4).fit(table.drop("y"), table["y"])
    check_same(got, expected)
    assert got.transform(table.drop("y")).columns == tuple(got.get_feature_names_out())


def test_files_that_are_refused(files, monkeypatch):
    with pytest.raises(DataError, match="no Parquet file"):
        ep.scan(files / "nothing-*.parquet")
    with pytest.raises(DataError, match="no column 'z'"):
        ep.scan(files)["z"]
    with pytest.raises(DataError, match="column of the same files"):
        ep.JMI(1).fit(ep.scan(files).drop("y"), np.zeros(600))
    (files / "part-3.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(DataError, match=r"part-3.parquet' cannot be read as Parquet"):
        ep.scan(files)
    pl.DataFrame({"a": [1]}).write_parquet(files / "part-3.parquet")
    with pytest.raises(DataError, match=r"same columns in the same order.*part-3.parquet"):
        ep.scan(files)


def test_a_damaged_piece_is_named(files, place):
    """Its end is whole, so that it is found out when the rows are read."""
    table = ep.scan(files / "part-*.parquet")
    path = files / "part-2.parquet"
    content = bytearray(path.read_bytes())
    content[4:3000] = bytes(2996)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"part-2.parquet.*cannot be read"):
        ep.JMI(1).fit(table.drop("y"), table["y"])


def run_program(*arguments):
    from click.testing import CliRunner

    from entropick.cli.program import program

    result = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def test_the_program_on_a_cluster(files, client):
    """The same answer as from the library, a document and a report."""
    pytest.importorskip("click")
    pytest.importorskip("jinja2")
    report = files / "report.html"
    result = run_program(
        "select",
        files / "part-*.parquet",
        "-t",
        "y",
        "-n",
        3,
        "--cluster",
        client.scheduler.address,
        "--json",
        "--report",
        report,
    )
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    whole = pl.from_pandas(frame())
    expected = ep.select(whole.drop("y"), whole["y"], measure="jmi", cut=3)
    assert document["selection"]["selected"] == expected.selected_names
    assert document["data"]["n_rows"] == 600
    assert document["data"]["target"]["kind"] == "class"
    assert "workers" in result.stderr
    assert report.read_text().startswith("<!")
    for arguments, message, code in [
        (["-t", "nope"], "not one of the 14 columns", 2),
        (["-t", "y", "-i", "y"], "--ignore names 'y', which is the target", 2),
        (["-t", "text", "--target-type", "real"], "The target 'text' holds strings or categories", 2),
        (["-t", "y", "-m", "laplacian_score"], "needs numbers of all rows", 2),
        (["-t", "y", "--out", files / "part-0.parquet"], "is the table itself", 2),
        (["-t", "y", "--stability"], "--stability resamples rows", 2),
        (["-t", "y", "--cluster", "tcp://127.0.0.1:9"], "No scheduler answers", 1),
    ]:
        refused = run_program(
            "select", files / "part-*.parquet", "--cluster", client.scheduler.address, *arguments
        )
        assert refused.exit_code == code, refused.output
        assert message in refused.stderr


def test_the_program_leaves_out_what_it_would_elsewhere(tmp_path, client, monkeypatch):
    """Constants and identifiers; columns that only look like these in the first rows stay."""
    pytest.importorskip("click")
    from entropick.cli import cluster

    monkeypatch.setattr(cluster, "SAMPLE_ROWS", 50)
    monkeypatch.setattr(cluster, "MOST_VALUES", 100)
    rng, rows = np.random.default_rng(0), np.arange(400)
    whole = pl.DataFrame(
        {
            "id": rng.permutation(400), "row": 3 + 2 * rows, "key": [f"k{i}" for i in rows],
            "few": [f"k{i % 60}" for i in rows], "constant": np.ones(400), "nothing": [None] * 400,
            "late": (rows > 300).astype(float), "x": rng.normal(size=400), "y": rows % 2,
        }
    )  # fmt: skip
    whole = whole.with_columns(pl.col("nothing").cast(pl.Float64))
    for part in range(4):
        whole.slice(100 * part, 100).write_parquet(tmp_path / f"part-{part}.parquet")
    whole.write_parquet(tmp_path / "whole.parquet")
    out = tmp_path / "selected.csv"
    local = run_program("select", tmp_path / "whole.parquet", "-t", "y", "-n", 2, "--json")
    command = ["select", tmp_path / "part-*.parquet", "-t", "y", "-n", 2, "--json", "--out", out]
    result = run_program(*command, "--cluster", client.scheduler.address)
    assert result.exit_code == 0, result.output
    expected, found = json.loads(local.stdout), json.loads(result.stdout)
    assert found["selection"]["selected"] == expected["selection"]["selected"]
    assert found["data"]["ignored"] == expected["data"]["ignored"]
    assert {one["name"] for one in found["data"]["ignored"]} == {"id", "row", "key", "constant", "nothing"}
    written = pl.read_csv(out)
    assert written.columns == [*found["selection"]["selected"], "y"]
    assert written.height == 400
    kept = run_program(*command, "--cluster", client.scheduler.address, "--keep-ids")
    assert {one["name"] for one in json.loads(kept.stdout)["data"]["ignored"]} == {"constant", "nothing"}


def test_patterns_that_the_shell_replaced(files):
    pytest.importorskip("click")
    result = run_program("select", *sorted(files.glob("part-*")), "-t", "y", "--cluster", "local")
    assert result.exit_code == 2
    assert "part-1.parquet' as well. Hint: quote a pattern" in result.stderr


def test_ctrl_c_in_the_program(files):
    """Exit code 130, and no process is left."""
    pytest.importorskip("click")
    psutil = pytest.importorskip("psutil")
    command = [sys.executable, "-m", "entropick.cli", "select", str(files / "part-*.parquet"), "-t", "y"]
    process = subprocess.Popen(
        [*command, "-n", "14", "--cluster", "local", "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stderr:
        if line.startswith("Cluster"):
            break
    started = psutil.Process(process.pid).children(recursive=True)
    assert len(started) >= 1
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    _, alive = psutil.wait_procs(started, timeout=20)
    assert all(worker.status() == psutil.STATUS_ZOMBIE for worker in alive)  # ended, if not seen to yet

"""Faults with Dask: bad partitions, killed workers, no scheduler, Ctrl-C."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import entropick as ep
from entropick.exceptions import ClusterError, DataError

dask = pytest.importorskip("dask", reason="dask is not installed (extra dask)")
distributed = pytest.importorskip("distributed", reason="distributed is not installed (extra dask)")
pd = pytest.importorskip("pandas")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

from dask_tables import MARKS, check_same, make_cluster, table  # noqa: E402

pytestmark = MARKS

pl = pytest.importorskip("polars")


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
    client.wait_for_workers(2, timeout=300)
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
    client.wait_for_workers(2, timeout=300)
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
    from entropick.table.executors import dask as places, faults

    monkeypatch.setattr(faults, "PATIENCE_SECONDS", 2.0)
    monkeypatch.setattr(places, "POLL_SECONDS", 0.2)
    X, y = table(2000)
    chunks = da.from_array(X, chunks=(250, -1)).map_blocks(slow, dtype=float, meta=np.empty((0, 0)))
    with make_cluster(1, processes=False) as cluster, distributed.Client(cluster):
        closer = threading.Timer(0.5, cluster.close)
        closer.start()
        with pytest.raises(ClusterError, match="Hint"):
            ep.JMI(6, progress=lambda *_: time.sleep(0.3)).fit(chunks, da.from_array(y, chunks=250))
        closer.join()


def test_no_worker_at_all(monkeypatch):
    from entropick.table.executors import dask as places, faults

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
    from entropick.table.executors import faults

    class Client:
        def __init__(self):
            self.status = status

        def scheduler_info(self, n_workers):
            if workers is None:
                raise OSError
            return {"workers": workers}

    monkeypatch.setattr(faults, "PATIENCE_SECONDS", 0.1)
    patience = faults.Patience(Client())
    patience.check()
    time.sleep(0.2)
    if message is None:
        patience.check()
        return
    with pytest.raises(ClusterError, match=message):
        patience.check()


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
    deadline = time.monotonic() + 120
    while any(client.has_what().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.processing().values())
    assert not any(client.has_what().values())

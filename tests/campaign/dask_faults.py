"""Fits on a cluster whose workers are killed at random moments: the right answer, or one sentence."""

import atexit
import functools
import os
import random
import signal
import threading
import time
from pathlib import Path

import dask.array as da
import distributed
import numpy as np

import entropick as ep
from campaign.invariants import BrokenPromiseError
from entropick.exceptions import ClusterError


@functools.cache
def cluster():
    """Three workers that are started again when they die."""
    made = distributed.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        memory_limit=0,
        silence_logs=50,
    )
    atexit.register(made.close)
    return made


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"dask {number}")
    table = np.random.default_rng(number)
    X, y = table.integers(0, 5, (3000, 20)), table.integers(0, 3, 3000)
    X[:, 3] = np.where(table.random(3000) < 0.5, y, X[:, 3])
    expected = ep.JMI(6).fit(X, y)
    n_kills = rng.choice([0, 1, 1, 2])
    with distributed.Client(cluster()):
        killer = threading.Thread(target=kill_workers, args=(n_kills, rng))
        killer.start()
        try:
            found = ep.JMI(6).fit(da.from_array(X, chunks=(rng.choice([300, 1000]), -1)), y)
        except ClusterError as error:
            if "\n" in str(error):
                raise BrokenPromiseError(f"not one sentence: {error}") from error
            return "refused"
        finally:
            killer.join()
    if (
        found.order_.tolist() != expected.order_.tolist()
        or found.scores_.tobytes() != expected.scores_.tobytes()
    ):
        raise BrokenPromiseError(f"{found.order_} instead of {expected.order_}")
    return "fine"


def kill_workers(n: int, rng) -> None:
    for _ in range(n):
        time.sleep(rng.random())
        pids = [worker.pid for worker in cluster().workers.values() if worker.pid]
        if pids:
            os.kill(rng.choice(pids), signal.SIGKILL)

"""Fits at the same time, in threads and processes, and very many one after the other."""

import gc
import multiprocessing
import os
import random
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from threadpoolctl import ThreadpoolController

import entropick as ep
from campaign.fits import QUICK
from campaign.invariants import BrokenPromiseError
from entropick.selectors.catalog import METHODS, set_known_params

BLAS = ThreadpoolController().select(user_api="blas")
N_THREADS, N_TASKS, N_FITS = 8, 24, 1000
MAX_GROWTH = 8 << 20  # bytes over all fits: pages of the allocator, not a leak


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"concurrency {number}")
    kinds = [in_threads, in_processes, in_joblib, in_grid_search, again_and_again]
    for library in BLAS.lib_controllers:
        library.set_num_threads(2)
    before = blas_threads()
    outcome = kinds[number % len(kinds)](rng)
    if blas_threads() != before:
        raise BrokenPromiseError(f"BLAS had {before} threads, and has {blas_threads()} now")
    return outcome


def blas_threads() -> list[int]:
    return [library.num_threads for library in BLAS.lib_controllers]


def a_task(rng):
    """Name of a method, seed of a table, number of threads."""
    return rng.choice(list(METHODS)), rng.randrange(100), rng.choice([1, 2, 3])


def result_of(task):
    """Picks and scores as bytes."""
    name, seed, n_jobs = task
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 3, 60)
    X[:, 2] += y
    selector = set_known_params(
        METHODS[name](3), random_state=0, n_jobs=n_jobs, **(QUICK | {"max_time": None})
    )
    selector.fit(X, y)
    return selector.order_.tobytes(), selector.scores_.tobytes()


def compare(tasks, results) -> str:
    for task, result in zip(tasks, results, strict=True):
        if result != result_of((*task[:2], 1)):
            raise BrokenPromiseError(f"{task} gives something else than alone")
    return "fine"


def in_threads(rng) -> str:
    tasks = [a_task(rng) for _ in range(N_TASKS)]
    with ThreadPoolExecutor(N_THREADS) as pool:
        return compare(tasks, list(pool.map(result_of, tasks)))


def in_processes(rng) -> str:
    """Of every kind, after threads have been at work here."""
    result_of(("JMI", 0, 3))
    tasks = [a_task(rng) for _ in range(4)]
    context = multiprocessing.get_context(rng.choice(["fork", "spawn", "forkserver"]))
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        return compare(tasks, list(pool.map(result_of, tasks)))


def in_joblib(rng) -> str:
    tasks = [a_task(rng) for _ in range(8)]
    backend = rng.choice(["loky", "threading"])
    return compare(
        tasks, joblib.Parallel(2, backend=backend)(joblib.delayed(result_of)(task) for task in tasks)
    )


def in_grid_search(rng) -> str:
    """Processes whose selectors have threads."""
    X, y = ep.datasets.make_corral(random_state=rng.randrange(100))
    pipeline = make_pipeline(ep.JMI(n_jobs=2), LogisticRegression())
    found = [
        GridSearchCV(pipeline, {"jmi__n_features": [1, 3]}, cv=3, n_jobs=n_jobs)
        .fit(X, y)
        .cv_results_["mean_test_score"]
        for n_jobs in (1, 2)
    ]
    if found[0].tolist() != found[1].tolist():
        raise BrokenPromiseError(f"scores differ: {found}")
    return "fine"


def again_and_again(rng) -> str:
    """Memory, threads and open files stay as they are."""
    name = rng.choice(["JMI", "MRMR", "CMIM", "RenyiFS", "FisherScore", "MIM", "ReliefF"])
    for k in range(100):
        result_of((name, k, 2))
    before = resources()
    for k in range(N_FITS):
        result_of((name, k % 100, 1 + k % 2))
    after = resources()
    if after[0] - before[0] > MAX_GROWTH or after[1:] != before[1:]:
        raise BrokenPromiseError(
            f"{name}: bytes, threads and files went from {before} to {after} in {N_FITS} fits"
        )
    return "fine"


def resources() -> tuple[int, int, int]:
    """Bytes in memory, threads and open files."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), threading.active_count(), len(os.listdir("/proc/self/fd"))

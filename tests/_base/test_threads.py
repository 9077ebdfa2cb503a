"""Threads cover all items once, stop on errors and survive a fork."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

import entropick as ep
from entropick._base.threads import Threads, one_blas_thread

BLAS = ThreadpoolController().select(user_api="blas")


@pytest.mark.parametrize("n_jobs", [1, 2, 8])
@pytest.mark.parametrize("n_items", [0, 1, 5, 1000])
@pytest.mark.parametrize("seconds_per_item", [1e-9, 1e-4, 10.0])
def test_every_item_once(n_jobs, n_items, seconds_per_item):
    """Blocks cover the items without overlap, whatever the estimate says."""
    seen = np.zeros(n_items, dtype=int)

    def task(start, stop):
        seen[start:stop] += 1

    with Threads(n_jobs) as threads:
        threads.run(task, n_items, seconds_per_item)
    assert (seen == 1).all()


def test_error_in_a_block_comes_through_and_stops_the_rest():
    """The first error is raised; blocks not yet begun are not run."""
    begun = []

    def task(start, stop):
        begun.append(start)
        time.sleep(0.01)
        raise ValueError("broken block")

    with Threads(2) as threads, pytest.raises(ValueError, match="broken block"):
        threads.run(task, 100, seconds_per_item=1.0)
    assert len(begun) < 100


def test_threads_end_with_the_fit():
    """No thread is left behind."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (3000, 100)), rng.integers(0, 3, 3000)
    before = threading.active_count()
    ep.JMI(n_features=5, n_jobs=4).fit(X, y)
    assert threading.active_count() == before


def test_fits_in_several_threads_at_once():
    """Selectors may be fitted in threads of the user."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (2000, 50)), rng.integers(0, 3, 2000)
    expected = ep.JMI(n_features=5).fit(X, y).order_.tolist()
    results = []
    threads = [
        threading.Thread(
            target=lambda: results.append(ep.JMI(n_features=5, n_jobs=2).fit(X, y).order_.tolist())
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 6


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forking exists on POSIX only")
def test_fork_after_a_threaded_fit():
    """A forked child can fit again: there is no thread layer to break."""
    script = textwrap.dedent(
        """
        import os, sys, warnings
        import numpy as np, entropick as ep
        warnings.simplefilter("ignore")
        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 5, (3000, 100)), rng.integers(0, 3, 3000)
        expected = ep.JMI(n_features=5, n_jobs=2).fit(X, y).order_.tolist()
        pid = os.fork()
        if pid == 0:
            same = ep.JMI(n_features=5, n_jobs=2).fit(X, y).order_.tolist() == expected
            os._exit(0 if same else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=300).returncode == 0


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="needs POSIX signals")
@pytest.mark.parametrize("n_jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_interrupt_stops_at_once(n_jobs):
    """Ctrl-C during a long fit ends it between two blocks, with the usual exception."""
    script = textwrap.dedent(
        f"""
        import time, sys
        import numpy as np, entropick as ep
        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 9, (400_000, 300), dtype=np.uint8), rng.integers(0, 3, 400_000)
        ep.JMI(n_features=2).fit(X[:500], y[:500])
        print("ready", flush=True)
        try:
            ep.JMI(n_features=300, n_jobs={n_jobs}).fit(X, y)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(0)
        sys.exit(3)
        """
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        assert process.poll() is None, "the fit was over before it could be interrupted"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=300) == 0
        assert process.stdout.read() == "interrupted\n"


def blas_threads():
    """Numbers of threads of the BLAS libraries."""
    return [library.num_threads for library in BLAS.lib_controllers]


def test_one_blas_thread():
    """BLAS starts no threads within the context, and may again afterwards."""
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with one_blas_thread():
            assert set(blas_threads()) <= {1}
            with one_blas_thread():
                pass
            assert set(blas_threads()) <= {1}
        assert blas_threads() == before


def test_blas_threads_after_fits_at_the_same_time():
    """8 threads, 20 rounds, some fit, some fail: one BLAS thread as long as any is inside, then as before."""
    X, y = np.random.default_rng(0).standard_normal((60, 6)), np.arange(60) % 2
    seen = []

    def work(number):
        with suppress(ZeroDivisionError), one_blas_thread():
            if number == 0:
                ep.InfFS(n_features=2).fit(X, y)
            with one_blas_thread():
                X @ X.T
            seen.append(max(blas_threads()))
            if number % 3 == 0:
                raise ZeroDivisionError

    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(8) as pool:
        before = blas_threads()
        for _ in range(20):
            list(pool.map(work, range(8)))
            assert blas_threads() == before
    assert set(seen) == {1}


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # files that threadpoolctl reads
def test_blas_threads_after_ctrl_c():
    """Wherever Ctrl-C strikes, also while the limit is set or lifted."""
    n_interrupts, rng = 0, random.Random(0)
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        for _ in range(60):
            timer = threading.Timer(rng.random() * 0.004, signal.raise_signal, [signal.SIGINT])
            try:
                timer.start()
                while timer.is_alive():
                    with one_blas_thread():
                        pass
                timer.join()
            except KeyboardInterrupt:
                n_interrupts += 1
            timer.join()
            with one_blas_thread():
                pass
            assert blas_threads() == before
    assert n_interrupts > 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forking exists on POSIX only")
def test_blas_threads_in_a_forked_child():
    """Whoever is inside in the parent process is not in the child."""
    with threadpool_limits(2, user_api="blas"), one_blas_thread():
        child = os.fork()
        if not child:
            with one_blas_thread():
                limited = set(blas_threads()) <= {1}
            os._exit(0 if limited and set(blas_threads()) <= {2} else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

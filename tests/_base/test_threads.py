"""Threads cover all items once, stop on errors and survive a fork."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import entropick as ep
from entropick._base.threads import Threads, one_blas_thread


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


def test_one_blas_thread():
    """BLAS starts no threads within the context, and may again afterwards."""
    from threadpoolctl import threadpool_info

    def blas_threads():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before = blas_threads()
    with one_blas_thread():
        assert set(blas_threads()) <= {1}
    assert blas_threads() == before

"""Thread pool that runs blocks of independent items; results do not depend on the number of threads.

Kernels release the GIL, so plain threads suffice. Blocks are short, so that Ctrl-C and progress reports
get through between them, but long enough to be worth the overhead.
"""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from types import TracebackType
from typing import Any

BLOCK_SECONDS = 0.02  # target duration of one block, at most
THREAD_SECONDS = 0.0005  # shorter work runs in the calling thread


@lru_cache(maxsize=1)
def _controller(n_modules: int) -> Any:
    """The thread pools of libraries, which are searched for only if modules were imported since."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class _BlasLimit:
    """Keeps BLAS at one thread as long as anybody asks for it; the numbers are those of the whole process.

    The first who comes in remembers the numbers of threads, the last who goes out restores them. Every
    step can be repeated, because Ctrl-C may come between any two of them.
    """

    def __init__(self) -> None:
        self._forget_locks()
        self._before: dict[str, tuple[Any, int]] = {}  # libraries and their numbers of threads
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget_locks)

    def _forget_locks(self) -> None:
        """Reset in a forked process, where the threads that hold the limit do not exist."""
        self._lock = threading.RLock()
        self._inside: set[object] = set()

    def enter(self, who: object) -> None:
        libraries = _controller(len(sys.modules)).select(user_api="blas").lib_controllers
        with self._lock:
            self._inside.add(who)
            for library in libraries:
                self._before.setdefault(library.filepath, (library, library.num_threads))
                if library.num_threads != 1:  # with OpenMP, each thread has a number of its own
                    _set_blas_threads(library, 1)

    def leave(self, who: object) -> None:
        with self._lock:
            self._inside.discard(who)
            if self._inside:
                return
            for library, n_threads in self._before.values():
                _set_blas_threads(library, n_threads)
            self._before = {}


def _set_blas_threads(library: Any, n_threads: int) -> None:
    """Set a number of threads from any thread, which newer versions of threadpoolctl allow to one only."""
    clear = getattr(library, "clear_controlling_thread", lambda force: None)
    clear(force=True)
    library.set_num_threads(n_threads)
    clear(force=True)


_blas_limit = _BlasLimit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread within this context.

    Nested thread pools slow each other down, short products are not worth a thread, and BLAS rounds
    differently with another number of threads.
    """
    who = object()
    try:
        _blas_limit.enter(who)
        yield
    finally:
        try:
            _blas_limit.leave(who)
        except BaseException:
            _blas_limit.leave(who)  # interrupted half-way
            raise


@contextmanager
def one_openmp_thread() -> Iterator[None]:
    """Limit OpenMP to one thread within this context, for the calling thread alone.

    Some of scikit-learn's loops start threads whatever `n_jobs` is, and wait for each other longer than they
    work on small tables.
    """
    with _controller(len(sys.modules)).limit(limits=1, user_api="openmp"):
        yield


class Threads:
    """Thread pool that lives as long as one fit.

    Parameters
    ----------
    n_jobs : int or None
        Number of threads, with scikit-learn's meaning: None is 1 unless a joblib context says
        otherwise, -1 is all processors.
    block_items : int or None
        Items per block; by default as many as fit into `BLOCK_SECONDS`.

    Attributes
    ----------
    at_once : float
        Seconds of work up to which `run` is a single call, so that it may be left out.
    """

    def __init__(self, n_jobs: int | None = None, block_items: int | None = None) -> None:
        from joblib import effective_n_jobs

        if n_jobs == 0:
            raise ValueError("n_jobs must be a number of threads, -1 for all processors or None, got 0.")
        self.n_threads = effective_n_jobs(n_jobs)
        self._block_items = block_items
        self.at_once = 0.0 if block_items else THREAD_SECONDS
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> "Threads":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def is_worth_threads(self, seconds: float) -> bool:
        """Whether work of this duration is split over several threads."""
        return self.n_threads > 1 and seconds >= THREAD_SECONDS

    def run(self, task: Callable[[int, int], None], n_items: int, seconds_per_item: float) -> None:
        """Call ``task(start, stop)`` for blocks that cover ``range(n_items)``.

        Parameters
        ----------
        task : processes the items start..stop-1 and writes only their results
        n_items : number of items
        seconds_per_item : rough estimate, from which the block size is chosen
        """
        in_one_thread = not self.is_worth_threads(n_items * seconds_per_item)
        block = self._block_items or self._block_size(n_items, seconds_per_item, in_one_thread)
        starts = range(0, n_items, block)
        if in_one_thread or len(starts) < 2:
            for start in starts:
                task(start, min(start + block, n_items))
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_threads - 1, thread_name_prefix="entropick")
        waiting = deque(starts)

        def next_start() -> int | None:
            try:
                return waiting.popleft()
            except IndexError:
                return None

        def work() -> None:
            try:
                while (start := next_start()) is not None:
                    task(start, min(start + block, n_items))
            finally:  # after an error or Ctrl-C the remaining blocks must not start
                waiting.clear()

        # The calling thread works too: it need not be woken up, which matters if blocks are short.
        others = [self._pool.submit(work) for _ in range(min(self.n_threads, len(starts)) - 1)]
        try:
            work()
        finally:
            wait(others)
        for other in others:
            other.result()

    def _block_size(self, n_items: int, seconds_per_item: float, in_one_thread: bool) -> int:
        longest = max(1, int(BLOCK_SECONDS / seconds_per_item))
        share = n_items if in_one_thread else -(-n_items // (2 * self.n_threads))
        return max(1, min(longest, share))

"""Where tasks run: threads of this process, or the workers of a cluster, where what they make stays.

A question goes to all partitions as tasks, what comes back is added up in a tree, and one result comes here.
A worker that is lost takes what it holds along; Dask makes it anew from where the partition came from, since
no step of the way is anything but a task.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, cast
from weakref import WeakSet

import dask
import numpy as np
from dask.sizeof import sizeof

from entropick._base.threads import Threads
from entropick.backends import columns
from entropick.backends.faults import Patience, own_errors
from entropick.contracts import Rows
from entropick.counting.rows import SECONDS_PER_PARTITION, TablesInProcess, added, class_sizes
from entropick.table import merged
from entropick.table.codes import Codes

Counted = TypeVar("Counted")

FAN_IN = 8  # results added up by one task
# Tables of counts that come here to be added up: one task less to wait for (17 ms instead of 28 at best, of
# two workers), while the client never holds more than four of at most 32 MB.
MOST_HERE = 4
POLL_SECONDS = 2.0  # how often the cluster is looked at while results are waited for


@sizeof.register(Codes)
def _size_of_codes(codes: Codes) -> int:
    """Dask must know what is large: it then moves the small things to them, and keeps count of memory."""
    return codes.nbytes + codes.labels.nbytes


@sizeof.register(merged.Draft)
def _size_of_draft(draft: merged.Draft) -> int:
    members = sum(rows.nbytes + values.nbytes for rows, values in draft.members.values())
    return _size_of_codes(draft.codes) + members


@sizeof.register(columns.Chunk)
def _size_of_chunk(chunk: columns.Chunk) -> int:
    return 2 * chunk.nbytes  # with bit planes


def _are_tasks(sources: Sequence[tuple[Any, ...]]) -> bool:
    """Whether partitions are still to be computed by a graph of Dask."""
    return any(dask.is_dask_collection(part) for source in sources[:1] for part in source)


class InThreads:
    """Without a cluster: Dask's threads read and encode, then all codes are here."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    def run(self, call: Callable[..., Counted], sources: Sequence[tuple[Any, ...]], *given: Any) -> list[Any]:
        """Call a function on each partition, tasks or what an earlier call left."""
        work = partial(_with_given, call, given)
        if _are_tasks(sources):
            tasks = [dask.delayed(work, pure=False)(*source) for source in sources]
            with own_errors():
                return list(dask.compute(*tasks, scheduler="threads", num_workers=self._threads.n_threads))
        found: list[Any] = [None] * len(sources)

        def run(start: int, stop: int) -> None:
            for p in range(start, stop):
                found[p] = work(*sources[p])

        with own_errors():
            self._threads.run(run, len(sources), SECONDS_PER_PARTITION)
        return found

    def gather(self, made: Sequence[Any]) -> list[Any]:
        return list(made)

    def total(
        self,
        call: Callable[..., Counted],
        sources: Sequence[tuple[Any, ...]],
        add: Callable[[Sequence[Counted]], Counted],
        *given: Any,
    ) -> Counted:
        return add(self.run(call, sources, *given))

    def rows(self, codes: list[Codes], n_levels: np.ndarray) -> Rows:
        return TablesInProcess(codes, self._threads)

    def cancel(self) -> None:
        """Nothing goes on once a call came back."""


class OnCluster:
    """Tasks on the workers of a cluster, which is watched while results are waited for."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._open: WeakSet[Any] = WeakSet()

    def run(self, call: Callable[..., Counted], sources: Sequence[tuple[Any, ...]], *given: Any) -> list[Any]:
        work = partial(_with_given, call, given)
        if _are_tasks(sources):
            tasks = [dask.delayed(work, pure=False)(*source) for source in sources]
            made = self._client.compute(tasks)
        else:
            made = self._client.map(work, *zip(*sources, strict=True), pure=False)
        return self._watched(made)

    def total(
        self,
        call: Callable[..., Counted],
        sources: Sequence[tuple[Any, ...]],
        add: Callable[[Sequence[Counted]], Counted],
        *given: Any,
    ) -> Counted:
        """Call a function on each partition, and add up what comes back in a tree."""
        return self._added(self.run(call, sources, *given), add, 1)

    def table(
        self,
        call: Callable[..., Counted],
        sources: Sequence[tuple[Any, ...]],
        add: Callable[[Sequence[Counted]], Counted],
    ) -> Counted:
        """The same for tables of counts, the last of which are added up here."""
        return self._added(self.run(call, sources), add, MOST_HERE)

    def _added(
        self, parts: list[Any], add: Callable[[Sequence[Counted]], Counted], most_here: int
    ) -> Counted:
        while len(parts) > most_here:
            groups = [parts[k : k + FAN_IN] for k in range(0, len(parts), FAN_IN)]
            parts = self._watched(self._client.map(add, groups, pure=False))
        found = self.gather(parts)
        return add(found) if len(found) > 1 else cast(Counted, found[0])

    def rows(self, codes: list[Any], n_levels: np.ndarray) -> Rows:
        return RowsOnCluster(self, codes, n_levels)

    def gather(self, made: Sequence[Any]) -> list[Any]:
        """What tasks make, all of it here; meanwhile the cluster is looked at now and then."""
        coming = asyncio.run_coroutine_threadsafe(
            self._client.gather(list(made), asynchronous=True), self._client.loop.asyncio_loop
        )
        patience = Patience(self._client)
        try:
            with own_errors():
                while True:
                    try:
                        return list(coming.result(timeout=POLL_SECONDS))
                    except TimeoutError:
                        if coming.done():
                            raise
                        patience.look()
        finally:
            coming.cancel()

    def finish(self, futures: Sequence[Any]) -> None:
        """Wait until tasks are done, and look at the cluster now and then."""
        from distributed import wait
        from distributed.utils import TimeoutError as NotYet

        patience = Patience(self._client)
        with own_errors():
            while True:
                try:
                    wait(list(futures), timeout=POLL_SECONDS)
                    return
                except NotYet:
                    patience.look()

    def bundles(self, parts: list[Any]) -> list[Any]:
        """Partitions that are with one worker, together: one task for them all is enough from now on."""
        self.finish(parts)
        with own_errors():
            holders = self._client.who_has(parts)
            threads = self._client.nthreads()
        at_worker: dict[str | None, list[Any]] = {}
        for part in parts:
            holder = min(holders.get(part.key, ()), default=None)
            at_worker.setdefault(holder, []).append(part)
        made = []
        for worker, held in at_worker.items():
            n_bundles = min(len(held), threads.get(worker, 1))
            where = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
            for k in range(n_bundles):
                made.append(self._client.submit(_together, *held[k::n_bundles], pure=False, **where))
        return self._watched(made)

    def _watched(self, futures: list[Any]) -> list[Any]:
        self._open.update(futures)
        return list(futures)

    def cancel(self) -> None:
        """End what is still under way."""
        with suppress(Exception):  # the cluster may be gone
            self._client.cancel(list(self._open), force=True)


def _with_given(call: Callable[..., Counted], given: tuple[Any, ...], *parts: Any) -> Counted:
    return call(*parts, *given)


class RowsOnCluster:
    """`entropick.contracts.Rows` of partitions whose codes workers hold, in bundles."""

    def __init__(self, cluster: OnCluster, codes: list[Any], n_levels: np.ndarray) -> None:
        self._cluster, self.n_levels = cluster, n_levels
        self._bundles = cluster.bundles(codes)
        self.class_sizes = self.total(class_sizes, None, added)
        self.n_rows = int(self.class_sizes.sum())

    def total(
        self,
        count: Callable[..., Counted],
        argument: object,
        add: Callable[[Sequence[Counted]], Counted],
        held: object = None,
    ) -> Counted:
        return self._cluster.table(partial(_total_of_bundle, count, argument, add), self._sources(held), add)

    def hold(self, make: Callable[..., object], argument: object, held: object = None) -> object:
        return self._cluster.run(partial(_on_bundle, make, argument), self._sources(held))

    def _sources(self, held: object) -> list[tuple[Any, ...]]:
        if held is None:
            return [(bundle,) for bundle in self._bundles]
        return list(zip(self._bundles, cast(list[Any], held), strict=True))


def _together(*parts: Codes) -> list[Codes]:
    return list(parts)


def _on_bundle(
    call: Callable[..., Counted], argument: object, bundle: list[Codes], held: list[object] | None = None
) -> list[Counted]:
    if held is None:
        return [call(part, argument) for part in bundle]
    return [call(part, argument, own) for part, own in zip(bundle, held, strict=True)]


def _total_of_bundle(
    count: Callable[..., Counted],
    argument: object,
    add: Callable[[Sequence[Counted]], Counted],
    bundle: list[Codes],
    held: list[object] | None = None,
) -> Counted:
    return add(_on_bundle(count, argument, bundle, held))


def place_to_work(threads: Threads) -> InThreads | OnCluster:
    """The cluster of the client in context; threads of this process where there is none."""
    try:
        from distributed import default_client

        return OnCluster(default_client())
    except (ImportError, ValueError):
        return InThreads(threads)

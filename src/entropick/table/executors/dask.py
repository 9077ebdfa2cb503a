"""Dask collections and scanned files, processed by threads or on a cluster.

Each call becomes one task per partition; their results are added up in a tree, and the client gets one.
Dask recomputes the partitions of a lost worker: every step is a task.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar, cast
from weakref import WeakSet

import dask
import numpy as np
from dask.sizeof import sizeof

from entropick._base.threads import Threads
from entropick.contracts import Partitions
from entropick.counting.partitions import GroupedRows
from entropick.exceptions import DataError
from entropick.table.codes import Codes
from entropick.table.encoding.distributed import Draft
from entropick.table.executors.faults import Patience, own_errors
from entropick.table.executors.parts import Part, Sources, ToRead, aligned
from entropick.table.executors.threads import InThreads
from entropick.table.readers.scan import Scan, ScannedColumn

Counted = TypeVar("Counted")

FAN_IN = 8  # results added up by one task
# Tables of counts that the client adds up: one task less to wait for (17 ms instead of 28 at best, with two
# workers), while it never holds more than four tables of at most 32 MB.
MAX_HERE = 4
POLL_SECONDS = 2.0  # how often the cluster is checked while waiting for results


@sizeof.register(Codes)
def _size_of_codes(codes: Codes) -> int:
    """Tell Dask the size: it then moves small objects to large ones, and accounts for memory."""
    return codes.nbytes + codes.labels.nbytes


@sizeof.register(GroupedRows)
def _size_of_groups(rows: GroupedRows) -> int:
    return int(rows.group_of.nbytes)  # the codes are those of the partition


@sizeof.register(Draft)
def _size_of_draft(draft: Draft) -> int:
    members = sum(rows.nbytes + values.nbytes for rows, values in draft.members.values())
    return _size_of_codes(draft.codes) + members


# -- executors -----------------------------------------------------------------------------------


class LocalWorkers:
    """Threads of this process, used without a cluster."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads

    def hold(self, parts: Sequence[Part], max_here: float = 1) -> "InThreads | TasksInThreads":
        """Partitions of tables, or of tasks that compute them."""
        return (TasksInThreads if _are_tasks(parts) else InThreads)(parts, self._threads)

    def bundled(self, codes: Partitions) -> Partitions:
        return codes

    def cancel(self) -> None:
        """Nothing to cancel: no work goes on after a call has returned."""


class TasksInThreads(InThreads):
    """Partitions that Dask's threads compute again for each call."""

    def _called(self, call: Callable[..., Counted], args: tuple[Any, ...]) -> list[Counted]:
        with own_errors():
            return list(
                dask.compute(
                    *_tasks(call, self._items, args), scheduler="threads", num_workers=self._threads.n_threads
                )
            )


class Cluster:
    """The workers of a cluster, which is checked while waiting for results."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._open: WeakSet[Any] = WeakSet()

    def hold(self, parts: Sequence[Part], max_here: float = 1) -> "OnCluster":
        """Partitions on the workers; the client adds up the results of at most `max_here` tasks."""
        return OnCluster(self, list(parts), max_here)

    def run(self, call: Callable[..., object], items: Sequence[Any], args: tuple[Any, ...]) -> list[Any]:
        """Call a function on each item, a future or a part that is not yet submitted; return futures."""
        if _are_tasks(items):
            return self._watched(self._client.compute(_tasks(call, items, args)))
        if items and isinstance(items[0], Part):
            work = partial(_on_part, call, args)
            return self._watched(self._client.map(work, *zip(*items, strict=True), pure=False))
        held = [arg.futures * len(items) for arg in args if isinstance(arg, OnCluster)]
        work = partial(_with_args, call, tuple(arg for arg in args if not isinstance(arg, OnCluster)))
        return self._watched(self._client.map(work, items, *held, pure=False))

    def added(
        self, futures: list[Any], add: Callable[[Sequence[Counted]], Counted], max_here: float
    ) -> Counted:
        """Add up the results of tasks in a tree, and the last `max_here` in the client."""
        if len(futures) <= max_here:
            return add(self._gathered(futures))
        while len(futures) > max_here:
            groups = [futures[k : k + FAN_IN] for k in range(0, len(futures), FAN_IN)]
            futures = self._watched(self._client.map(add, groups, pure=False))
        found: list[Counted] = self._gathered(futures)
        return add(found) if len(found) > 1 else found[0]

    def _gathered(self, futures: list[Any]) -> list[Any]:
        """Gather the results of tasks; check the cluster meanwhile."""
        coming = asyncio.run_coroutine_threadsafe(
            self._client.gather(futures, asynchronous=True), self._client.loop.asyncio_loop
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
                        patience.check()
        finally:
            coming.cancel()

    def _finish(self, futures: list[Any]) -> None:
        """Wait until tasks are done; check the cluster meanwhile."""
        from distributed import wait
        from distributed.utils import TimeoutError as NotYet

        patience = Patience(self._client)
        with own_errors():
            while True:
                try:
                    wait(futures, timeout=POLL_SECONDS)
                    return
                except NotYet:
                    patience.check()

    def bundled(self, codes: Partitions) -> "Bundles":
        """Bundle the partitions of each worker, so that one task can process them all."""
        parts = cast(OnCluster, codes).futures
        self._finish(parts)
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
        return Bundles(self, self._watched(made), MAX_HERE)

    def _watched(self, futures: list[Any]) -> list[Any]:
        self._open.update(futures)
        return list(futures)

    def cancel(self) -> None:
        """Cancel all tasks that are not done."""
        with suppress(Exception):  # the cluster may be gone
            self._client.cancel(list(self._open), force=True)


class OnCluster:
    """`entropick.contracts.Partitions` held by the workers of a cluster.

    `futures` may be parts that are not yet submitted; the client adds up at most `max_here` results.
    """

    def __init__(self, cluster: Cluster, futures: list[Any], max_here: float) -> None:
        self._cluster, self.futures, self._max_here = cluster, futures, max_here

    def map(self, call: Callable[..., object], *args: Any) -> "OnCluster":
        return type(self)(self._cluster, self._cluster.run(call, self.futures, args), self._max_here)

    def reduce(
        self, call: Callable[..., Counted], add: Callable[[Sequence[Counted]], Counted], *args: Any
    ) -> Counted:
        return self._cluster.added(self._cluster.run(call, self.futures, args), add, self._max_here)

    def only(self, k: int) -> "OnCluster":
        """One of the partitions."""
        return OnCluster(self._cluster, self.futures[k : k + 1], self._max_here)


class Bundles(OnCluster):
    """Lists of partitions, each list held by one worker."""

    def map(self, call: Callable[..., object], *args: Any) -> "OnCluster":
        return super().map(partial(_on_each, call, args))

    def reduce(
        self, call: Callable[..., Counted], add: Callable[[Sequence[Counted]], Counted], *args: Any
    ) -> Counted:
        return super().reduce(partial(_added_up, call, add, args), add)


def workers(threads: Threads) -> LocalWorkers | Cluster:
    """The cluster of the current client; threads of this process without one."""
    try:
        from distributed import default_client

        return Cluster(default_client())
    except (ImportError, ValueError):
        return LocalWorkers(threads)


def _are_tasks(items: Sequence[Any]) -> bool:
    """Whether parts are Dask graphs that are not computed yet."""
    first = items[0] if items else None
    return isinstance(first, Part) and any(dask.is_dask_collection(one) for one in first)


def _tasks(call: Callable[..., object], parts: Sequence[Part], args: tuple[Any, ...]) -> list[Any]:
    work = dask.delayed(partial(_on_part, call, args), pure=False)
    return [work(*part) for part in parts]


def _on_part(call: Callable[..., Counted], args: tuple[Any, ...], *part: Any) -> Counted:
    return call(Part(*part), *aligned(args))


def _with_args(call: Callable[..., Counted], args: tuple[Any, ...], part: Any, *held: Any) -> Counted:
    return call(part, *held, *aligned(args))


def _together(*parts: Codes) -> list[Codes]:
    return list(parts)


def _on_each(call: Callable[..., Counted], args: tuple[Any, ...], bundle: list[Any]) -> list[Counted]:
    return [call(part, *aligned(args)) for part in bundle]


def _added_up(
    call: Callable[..., Counted],
    add: Callable[[Sequence[Counted]], Counted],
    args: tuple[Any, ...],
    bundle: list[Any],
) -> Counted:
    return add(_on_each(call, args, bundle))


# -- collections ---------------------------------------------------------------------------------


def sources_of_collection(X: Any, y: Any, executor: LocalWorkers | Cluster) -> Sources:
    """A Dask collection, or scanned files, and the target as partitions of rows."""
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    n_rows = None
    if isinstance(X, Scan):
        if y is not None and (not isinstance(y, ScannedColumn) or y.table.pieces != X.pieces):
            raise DataError("The target of scanned files must be a column of the same files, table['y'].")
        tables: list[Any] = [ToRead(X, piece) for piece in X.pieces]
        targets: list[Any] = [None if y is None else ToRead(y, piece) for piece in X.pieces]
        n_rows = len(X)
    else:
        tables = _rows_of(X)
        targets = _targets(X, y, len(tables))
    numbers = range(len(tables))
    return Sources(
        executor.hold([Part(i, tables[i], None) for i in numbers]),
        None if y is None else executor.hold([Part(i, None, targets[i]) for i in numbers]),
        executor.hold([Part(i, tables[i], targets[i]) for i in numbers]),
        names,
        n_rows,
        executor.bundled,
    )


def blocks_of_columns(X: Any, executor: LocalWorkers | Cluster) -> tuple[InThreads | OnCluster, list[int]]:
    """The chunks of columns of an array, each with all rows, and the first column of each."""
    _reject_sparse(X)
    ends = np.concatenate([[0], np.cumsum(X.chunks[1])]).astype(int).tolist()
    blocks = X.rechunk({0: -1}).to_delayed().ravel()
    parts = [Part(first, block, None) for first, block in zip(ends[:-1], blocks, strict=True)]
    return executor.hold(parts, math.inf), ends[:-1]


def whole_target(y: Any, executor: LocalWorkers | Cluster) -> Any:
    """Bring a target that may be a Dask collection into memory."""
    if not dask.is_dask_collection(y):
        return y
    return executor.hold([Part(None, None, dask.delayed(y))]).reduce(_target_of, _first)


def _target_of(part: Part) -> Any:
    return part.y


def _first(found: Sequence[Any]) -> Any:
    return found[0]


def is_wide(X: Any) -> bool:
    """Whether to process a table by columns: an array in chunks of columns, not fewer columns than rows."""
    return _is_array(X) and X.ndim == 2 and X.numblocks[1] > 1 and X.shape[0] <= X.shape[1]


def check_lengths(n_x: int, n_y: int) -> None:
    """Reject a target with another number of rows than the table."""
    if n_x != n_y:
        raise DataError(f"Found input variables with inconsistent numbers of samples: {[n_x, n_y]}")


def _reject_sparse(X: Any) -> None:
    """Reject arrays whose chunks are not numpy arrays."""
    if not isinstance(X._meta, np.ndarray):
        raise DataError(
            f"The chunks of a Dask array must be numpy arrays, got {type(X._meta).__name__}. Hint: "
            "X.map_blocks(lambda chunk: chunk.toarray()) makes sparse chunks dense."
        )


def _is_array(X: Any) -> bool:
    return hasattr(X, "chunks") and hasattr(X, "rechunk")


def _rows_of(X: Any) -> list[Any]:
    if not _is_array(X):
        return list(X.to_delayed())
    _reject_sparse(X)
    return list(X.rechunk({1: -1}).to_delayed().ravel())


def _targets(X: Any, y: Any, n_partitions: int) -> list[Any]:
    """The target in the partitions of the table; None for each without a target."""
    if y is None:
        return [None] * n_partitions
    if _is_array(y):
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1:
            raise DataError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
        if _is_array(X) and not np.isnan([*X.chunks[0], *y.chunks[0]]).any():
            check_lengths(X.shape[0], y.shape[0])
            y = y.rechunk((X.chunks[0],))
        parts = list(y.to_delayed().ravel())
    elif hasattr(y, "to_delayed"):
        if getattr(y, "ndim", 1) == 2:
            y = y[y.columns[0]] if len(y.columns) == 1 else y
        if getattr(y, "ndim", 1) != 1:
            raise DataError(f"y should be one column, got {len(y.columns)}.")
        parts = list(y.to_delayed())
    else:
        return _split(X, y)
    if len(parts) != n_partitions:
        raise DataError(
            f"X and y must have the same partitions, but X has {n_partitions} and y {len(parts)}. Hint: take "
            "both from one collection, or repartition y."
        )
    return parts


def _split(X: Any, y: Any) -> list[Any]:
    """Split a target in memory into the partitions of the table."""
    y = y if hasattr(y, "iloc") else np.asarray(y)
    if _is_array(X) and not np.isnan(X.chunks[0]).any():
        lengths = list(X.chunks[0])
    else:
        lengths = [int(n) for n in dask.compute(*[dask.delayed(len)(part) for part in _rows_of(X)])]
    check_lengths(sum(lengths), len(y))
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(int).tolist()
    take = y.iloc if hasattr(y, "iloc") else y
    return [dask.delayed(take[a:b]) for a, b in pairwise(ends)]

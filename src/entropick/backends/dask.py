"""The only file that imports dask: partitions of rows, encoded and counted where they are.

Each partition becomes a table of codes that stays with a worker. A question goes to all of them as tasks,
what comes back is added up in a tree, and one result comes here. A worker that is lost takes its codes along;
Dask makes them anew from where the partition came from, since no step of the way is anything but a task.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar, cast
from weakref import WeakSet

import dask
import joblib
import numpy as np
from dask.sizeof import sizeof

from entropick.backends import columns
from entropick.backends.files import Piece, Scan, ScannedColumn
from entropick.contracts import Counts, Rows, State
from entropick.counting.rows import SECONDS_PER_PARTITION, RowPartitionedCounts, TablesInProcess
from entropick.data import Data
from entropick.exceptions import ClusterError, ColumnTypeError, CombinationError, DataError
from entropick.measures import Measure
from entropick.measures.base import FixedScores
from entropick.table import merged, merged_target
from entropick.table.codes import Codes, ColumnEncoding, Target
from entropick.table.encoding import Encoding, Rules
from entropick.table.inputs import default_names
from entropick.table.target import apply_target, encode_target
from entropick.threads import Threads

Counted = TypeVar("Counted")

FAN_IN = 8  # results added up by one task
POLL_SECONDS = 2.0  # how often the cluster is looked at while results are waited for
MOST_RECORDS = 1 << 18  # columns whose encodings come here for the record, where there are many
CONNECT_SECONDS = 10.0
# Dask makes workers give memory back at once. To keep as much as columns take saves a third of the time
# to encode them (11.6 instead of 16.7 CPU seconds of 4,000,000 x 50).
WORKER_MEMORY = {
    "MALLOC_TRIM_THRESHOLD_": str(1 << 27),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 27),
    "OMP_NUM_THREADS": "1",
}
PATIENCE_SECONDS = 60.0  # without a worker that could go on, or without the scheduler


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


# -- partitions ----------------------------------------------------------------------------------


class Partitions:
    """The partitions of a table and its target: how to get each of them, and what is known beforehand.

    Attributes
    ----------
    X, y : one source per partition, a task of Dask
    names : of the columns; None where they have none
    n_columns : columns
    """

    def __init__(self, X: list[Any], y: list[Any], names: list[str] | None, n_columns: int) -> None:
        self.X, self.y, self.names, self.n_columns = X, y, names, n_columns


def partitions_of(X: Any, y: Any) -> Partitions:
    """See a collection of Dask, or scanned files, as partitions of rows."""
    if isinstance(X, Scan):
        return _scanned(X, y)
    if _is_array(X):
        _refuse_sparse(X)
        rows = X.rechunk({1: -1})
        names = None
        sources = list(rows.to_delayed().ravel())
        n_columns = X.shape[1]
    else:
        names = [str(name) for name in X.columns]
        sources, n_columns = list(X.to_delayed()), len(names)
    return Partitions(sources, _targets(X, y, len(sources)), names, n_columns)


def _is_array(X: Any) -> bool:
    return hasattr(X, "chunks") and hasattr(X, "rechunk")


def _refuse_sparse(X: Any) -> None:
    if not isinstance(X._meta, np.ndarray):
        raise DataError(
            f"The chunks of a Dask array must be numpy arrays, got {type(X._meta).__name__}. Hint: "
            "X.map_blocks(lambda chunk: chunk.toarray()) makes sparse chunks dense."
        )


def _scanned(X: Scan, y: Any) -> Partitions:
    if not isinstance(y, ScannedColumn) or y.table.pieces != X.pieces:
        raise DataError("The target of scanned files must be a column of the same files, table['y'].")
    of_x = [ToRead(X, piece) for piece in X.pieces]
    of_y = [ToRead(y, piece) for piece in X.pieces]
    return Partitions(of_x, of_y, list(X.columns), len(X.columns))


class ToRead(NamedTuple):
    """A piece of files that is read where it is needed, and not held longer."""

    table: Scan | ScannedColumn
    piece: Piece

    def read(self) -> Any:
        piece = self.piece
        try:
            return self.table.read(piece)
        except Exception as error:
            first = str(error).strip().split("\n", 1)[0]
            rows = f"rows {piece.first} to {piece.first + piece.n_rows - 1}"
            raise DataError(f"{piece.path!r}, {rows}, cannot be read: {first}") from None


def _here(part: Any) -> Any:
    """A partition, read if it must be."""
    return part.read() if isinstance(part, ToRead) else part


def _targets(X: Any, y: Any, n_partitions: int) -> list[Any]:
    """The target in the partitions of the table."""
    if _is_array(y):
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1:
            raise DataError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
        if _is_array(X) and not np.isnan([*X.chunks[0], *y.chunks[0]]).any():
            _check_lengths(X.shape[0], y.shape[0])
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
    """A target that is all here, cut as the table is."""
    y = y if hasattr(y, "iloc") else np.asarray(y)
    if _is_array(X) and not np.isnan(X.chunks[0]).any():
        lengths = list(X.chunks[0])
    else:
        lengths = [int(n) for n in dask.compute(*[dask.delayed(len)(part) for part in _rows_of(X)])]
    _check_lengths(sum(lengths), len(y))
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(int).tolist()
    take = y.iloc if hasattr(y, "iloc") else y
    return [dask.delayed(take[a:b]) for a, b in pairwise(ends)]


def _rows_of(X: Any) -> list[Any]:
    return list(X.rechunk({1: -1}).to_delayed().ravel() if _is_array(X) else X.to_delayed())


def _check_lengths(n_x: int, n_y: int) -> None:
    if n_x != n_y:
        raise DataError(f"Found input variables with inconsistent numbers of samples: {[n_x, n_y]}")


# -- where the work is done ----------------------------------------------------------------------


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
            with _own_errors():
                return list(dask.compute(*tasks, scheduler="threads", num_workers=self._threads.n_threads))
        found: list[Any] = [None] * len(sources)

        def run(start: int, stop: int) -> None:
            for p in range(start, stop):
                found[p] = work(*sources[p])

        with _own_errors():
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
        parts = self.run(call, sources, *given)
        while len(parts) > 1:
            groups = [parts[k : k + FAN_IN] for k in range(0, len(parts), FAN_IN)]
            parts = self._watched(self._client.map(add, groups, pure=False))
        return cast(Counted, self.result(parts[0]))

    def rows(self, codes: list[Any], n_levels: np.ndarray) -> Rows:
        return RowsOnCluster(self, codes, n_levels)

    def result(self, future: Any) -> Any:
        """What a task makes, once it has made it."""
        self.finish([future])
        with _own_errors():
            return future.result(timeout=PATIENCE_SECONDS)

    def gather(self, made: Sequence[Any]) -> list[Any]:
        """What tasks made, all of it here."""
        self.finish(made)
        with _own_errors():
            return list(self._client.gather(list(made)))

    def finish(self, futures: Sequence[Any]) -> None:
        """Wait until tasks are done, and look at the cluster now and then."""
        from distributed import wait
        from distributed.utils import TimeoutError as NotYet

        patience = _Patience(self._client)
        with _own_errors():
            while True:
                try:
                    wait(list(futures), timeout=POLL_SECONDS)
                    return
                except NotYet:
                    patience.look()

    def bundles(self, parts: list[Any]) -> list[Any]:
        """Partitions that are with one worker, together: one task for them all is enough from now on."""
        self.finish(parts)
        with _own_errors():
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


class _Patience:
    """How long it has been since the cluster could go on."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._since: float | None = None

    def look(self) -> None:
        trouble = self._trouble()
        if trouble is None:
            self._since = None
            return
        self._since = time.monotonic() if self._since is None else self._since
        if time.monotonic() - self._since > PATIENCE_SECONDS:
            raise ClusterError(trouble)

    def _trouble(self) -> str | None:
        if self._client.status != "running":
            return (
                "The connection to the scheduler of the cluster is lost. Hint: start it again, then fit anew."
            )
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        except Exception:
            return "The scheduler of the cluster does not answer. Hint: look whether it is still there."
        if not workers:
            return (
                "The cluster has no worker left. Hint: start workers, with more memory if they ran out of it."
            )
        if all(worker.get("status", "running") != "running" for worker in workers):
            return (
                "All workers of the cluster have paused, their memory is full. Hint: more workers, more "
                "memory for each, or smaller partitions."
            )
        return None


@contextmanager
def _own_errors() -> Iterator[None]:
    """Say in one sentence what went wrong on workers."""
    try:
        yield
    except (DataError, ColumnTypeError, CombinationError, ClusterError):
        raise
    except Exception as error:
        raise _explained(error) from error


def _explained(error: Exception) -> Exception:
    name = type(error).__name__
    if name == "KilledWorker":
        return ClusterError(
            "Workers died again and again at the same task, maybe for want of memory. Hint: smaller "
            "partitions, or workers with more memory; their logs say more."
        )
    if "Cancelled" in name or name == "CommClosedError":
        return ClusterError(
            "The cluster gave the work up: its scheduler was closed or restarted. Hint: fit anew."
        )
    if isinstance(error, MemoryError):
        return ClusterError(
            "A worker has not enough memory. Hint: smaller partitions, or workers with more memory."
        )
    first = str(error).strip().split("\n", 1)[0]
    return DataError(f"A partition cannot be used: {name}: {first}")


def _with_given(call: Callable[..., Counted], given: tuple[Any, ...], *parts: Any) -> Counted:
    return call(*parts, *given)


class RowsOnCluster:
    """`entropick.contracts.Rows` of partitions whose codes workers hold, in bundles."""

    def __init__(self, cluster: OnCluster, codes: list[Any], n_levels: np.ndarray) -> None:
        self._cluster, self.n_levels = cluster, n_levels
        self._bundles = cluster.bundles(codes)
        self.class_sizes = self.total(_class_sizes, None, _summed)
        self.n_rows = int(self.class_sizes.sum())

    def total(
        self,
        count: Callable[..., Counted],
        argument: object,
        add: Callable[[Sequence[Counted]], Counted],
        held: object = None,
    ) -> Counted:
        return self._cluster.total(partial(_total_of_bundle, count, argument, add), self._sources(held), add)

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


def _itself(value: Counted) -> Counted:
    return value


def _class_sizes(part: Codes, _: None) -> np.ndarray:
    return np.bincount(part.labels, minlength=part.n_classes)


def _summed(sizes: Sequence[np.ndarray]) -> np.ndarray:
    return np.asarray(np.sum(sizes, axis=0))


def place_to_work(threads: Threads) -> InThreads | OnCluster:
    """The cluster of the client in context; threads of this process where there is none."""
    try:
        from distributed import default_client

        return OnCluster(default_client())
    except (ImportError, ValueError):
        return InThreads(threads)


@contextmanager
def connected(cluster: str, n_workers: int) -> Iterator[Any]:
    """A client in context; see `entropick.backends.connected`."""
    from distributed import Client, LocalCluster

    settings = {
        "distributed.logging.distributed": "critical",
        "distributed.nanny.pre-spawn-environ": WORKER_MEMORY,
    }
    if cluster != "local":
        try:
            client = Client(cluster, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, ImportError) as error:
            first = str(error).strip().split("\n", 1)[0]
            raise ClusterError(
                f"No scheduler answers at {cluster!r}: {first.rstrip('.')}. Hint: an address looks like "
                "tcp://10.0.0.1:8786; 'local' starts workers here."
            ) from None
        with client:
            yield client
        return
    n_workers = n_workers if n_workers > 0 else joblib.cpu_count()
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as started,
        Client(started) as client,
    ):
        yield client


# -- encoding ------------------------------------------------------------------------------------


def make_partitioned_data(
    partitions: Partitions, rules: Rules, kind: str, place: InThreads | OnCluster
) -> tuple[Data, Encoding]:
    """Find the encoding of all rows, and encode them where they are.

    Parameters
    ----------
    partitions : the table and its target
    rules : how values become levels
    kind : of the target, see `encode_target`
    place : where the work is done
    """
    if rules.binning == "mdlp":
        raise CombinationError(
            "binning='mdlp' needs all rows in one place, which partitions of rows do not give. Hint: use "
            "binning='quantile' or 'uniform'."
        )
    target = _encode_target(partitions, rules, kind, place)
    most = merged.sketch_values(rules)
    numbered = [(i, part) for i, part in enumerate(partitions.X)]
    found = place.total(_survey, numbered, partial(merged.merge_surveys, most=most), partitions.names, most)
    plan = merged.plan_encoding(found, rules)
    sources = [(i, x, y) for i, (x, y) in enumerate(zip(partitions.X, partitions.y, strict=True))]
    drafts = [(part,) for part in place.run(_draft, sources, plan, target)]

    def ask(question: merged.Question, most: int) -> merged.Answer:
        return place.total(
            merged.answer, drafts, partial(merged.merge_answers, most=most), plan, question, most
        )

    encoding = merged.conclude(plan, ask)
    codes = place.run(merged.finish, drafts, plan, encoding)
    drafts.clear()  # each goes when its codes are there
    n_levels = np.array([column.n_levels for column in encoding.columns], np.int64)
    data = Data(
        names=found.names,
        n_rows=found.n_rows,
        _target=Target(np.empty(0, np.int32), target),
        _counts=RowPartitionedCounts(place.rows(codes, n_levels)),
        is_partitioned=True,
    )
    return data, encoding


def count_rows(partitions: Partitions, place: InThreads | OnCluster) -> int:
    """Rows of all partitions; files know them without being read."""
    if all(isinstance(part, ToRead) for part in partitions.y):
        return sum(part.piece.n_rows for part in partitions.y)
    return sum(place.gather(place.run(len, [(part,) for part in partitions.y])))


def _encode_target(
    partitions: Partitions, rules: Rules, kind: str, place: InThreads | OnCluster
) -> ColumnEncoding:
    sources = [(part,) for part in partitions.y]
    found = place.total(_survey_target, sources, merged_target.merge_targets)

    def ask(question: merged.Question, most: int) -> merged.Answer:
        add = partial(merged.merge_answers, most=most)
        return place.total(_answer_target, sources, add, question, most)

    return merged_target.encode_merged_target(found, kind, rules, ask)


def _survey_target(y: Any) -> merged_target.TargetSummary:
    return merged_target.survey_target(_here(y))


def _answer_target(y: Any, question: merged.Question, most: int) -> merged.Answer:
    return merged_target.answer_target(_here(y), question, most)


def _survey(i: int, X: Any, names: list[str] | None, most: int) -> merged.Survey:
    with _partition(i):
        return merged.survey(_here(X), names, most)


def _draft(i: int, X: Any, y: Any, plan: merged.Plan, target: ColumnEncoding) -> merged.Draft:
    with _partition(i):
        X, y = _here(X), _here(y)
        if len(X) != len(y):
            raise DataError(f"X has {len(X)} rows, but y has {len(y)}.")
        classes = apply_target(y, target)
        return merged.draft(X, Target(classes.codes, target), plan)


@contextmanager
def _partition(i: int) -> Iterator[None]:
    """Errors say in which partition something is wrong."""
    try:
        yield
    except (DataError, ColumnTypeError) as error:
        raise type(error)(f"Partition {i}: {error}") from None


# -- chunks of columns ---------------------------------------------------------------------------


def is_wide(X: Any) -> bool:
    """Whether a table is cut by columns: an array in chunks of columns, with more columns than rows."""
    return _is_array(X) and X.ndim == 2 and X.numblocks[1] > 1 and X.shape[0] <= X.shape[1]


class Chunked(NamedTuple):
    """A table in chunks of columns, with the measure at work on them."""

    data: Data
    columns: Sequence[ColumnEncoding]
    state: State


def make_chunked_data(
    X: Any, y: Any, measure: Measure, n_picks: int, rules: Rules, kind: str, place: InThreads | OnCluster
) -> Chunked:
    """Encode chunks of columns, each with all rows, and begin with the measure on each.

    Parameters
    ----------
    X : array of Dask
    y : target, which comes here
    measure : a step measure that goes by counts
    n_picks : columns that may be picked
    rules, kind, place : as in `make_partitioned_data`
    """
    _refuse_sparse(X)
    if dask.is_dask_collection(y):
        (y,) = place.gather(place.run(_itself, [(dask.delayed(y),)]))
    _check_lengths(X.shape[0], len(y))
    target = encode_target(y, kind=kind, rules=rules)
    blocks = list(X.rechunk({0: -1}).to_delayed().ravel())
    ends = np.concatenate([[0], np.cumsum(X.chunks[1])]).astype(int).tolist()
    names = default_names(X.shape[1])
    sources = [(block, names[a:b]) for block, (a, b) in zip(blocks, pairwise(ends), strict=True)]
    encoded = [(chunk,) for chunk in place.run(columns.encode_chunk, sources, target, rules)]
    n_levels = np.concatenate(place.gather(place.run(columns.n_levels_of, encoded)))
    records: Sequence[ColumnEncoding] = ()
    if len(names) <= MOST_RECORDS:
        of_chunks = place.gather(place.run(columns.encodings_of, encoded))
        records = tuple(record for of_chunk in of_chunks for record in of_chunk)
    placed = [(*chunk, first) for chunk, first in zip(encoded, ends[:-1], strict=True)]
    chunks = place.run(columns.begin, placed, measure, n_picks, int(n_levels.max()))
    counts = columns.ChunkedCounts(place, chunks, n_levels, target)
    data = Data(tuple(names), X.shape[0], target, cast(Counts, counts), is_partitioned=True)
    state: State
    if "ranking" in measure.kinds:
        made = place.run(columns.scores, [(chunk,) for chunk in chunks])
        state = FixedScores(np.concatenate(place.gather(made)))
    else:
        state = columns.ChunkedState(place, chunks, ends[:-1], 1.0)
    return Chunked(data, records, state)

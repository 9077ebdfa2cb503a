"""Dask against one process: the same selection from the same Parquet files, and what each pick costs.

    python -m benchmarks.dask_rows make DIR      # 20,000,000 x 50 in 20 files (2.5 GB)
    python -m benchmarks.dask_rows local DIR     # one process, polars reads column by column
    python -m benchmarks.dask_rows cluster DIR   # two workers of one thread and 2 GB each
    python -m benchmarks.dask_rows picks         # overhead per pick of a loaded table
    python -m benchmarks.dask_rows memory        # scheduler and client, by number of rows
    python -m benchmarks.dask_rows weak          # 2, 8 and 32 workers: messages and bytes per pick
    python -m benchmarks.dask_rows wide          # 2,000 x 200,000 in chunks of columns

Each prints one JSON line. Wall time depends on other load; CPU seconds are those of all processes.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

import entropick as ep

N_FILES, ROWS_PER_FILE, N_FLOATS, N_BYTES = 20, 1_000_000, 25, 25
N_PICKS = 10


def make(folder):
    import polars as pl

    Path(folder).mkdir(parents=True, exist_ok=True)
    for file in range(N_FILES):
        rng = np.random.default_rng(file)
        y = rng.integers(0, 2, ROWS_PER_FILE, dtype=np.int8)
        columns = {}
        for j in range(N_FLOATS):
            shift = np.float32(0.4 / (1 + j)) * y
            columns[f"f{j}"] = rng.standard_normal(ROWS_PER_FILE, dtype=np.float32) + shift
        for j in range(N_BYTES):
            noise = rng.integers(0, 8, ROWS_PER_FILE, dtype=np.int8)
            columns[f"b{j}"] = np.where(rng.random(ROWS_PER_FILE, dtype=np.float32) < 0.2 / (1 + j), y, noise)
        pl.DataFrame(columns | {"y": y}).write_parquet(
            Path(folder) / f"part-{file:02d}.parquet", compression="lz4"
        )


def cpu_seconds():
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def report(title, **figures):
    print(json.dumps({"title": title, "load": os.getloadavg()[0], **figures}), flush=True)


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def local(folder):
    import polars as pl

    files = sorted(map(str, Path(folder).glob("part-*.parquet")))
    start = time.perf_counter()
    lazy = pl.scan_parquet(files)
    y = lazy.select("y").collect().to_series()
    selector = ep.JMI(N_PICKS, n_jobs=2).fit(lazy.drop("y"), y)
    report(
        "one process", wall=time.perf_counter() - start, cpu=cpu_seconds(), peak_mb=peak_mb(),
        picks=selector.order_.tolist(), seconds=[step.seconds for step in selector.selection_.steps],
    )  # fmt: skip


def start_cluster(n_workers, **options):
    import dask
    import distributed

    from entropick.table.executors.cluster import WORKER_MEMORY

    dask.config.set({"distributed.nanny.pre-spawn-environ": WORKER_MEMORY})
    options = {"threads_per_worker": 1, "dashboard_address": None} | options
    return distributed.LocalCluster(n_workers=n_workers, **options)


def worker_figures():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def cluster(folder):
    import distributed

    with start_cluster(2, memory_limit="2GB") as started, distributed.Client(started) as client:
        client.run(__import__, "entropick.table.partitions")
        before = sum(cpu for cpu, _ in client.run(worker_figures).values())
        mine = cpu_seconds()
        start = time.perf_counter()
        table = ep.scan(Path(folder) / "part-*.parquet")
        selector = ep.JMI(N_PICKS).fit(table.drop("y"), table["y"])
        wall = time.perf_counter() - start
        figures = client.run(worker_figures).values()
        report(
            "two workers of 2 GB", wall=wall, cpu_workers=sum(cpu for cpu, _ in figures) - before,
            cpu_client=cpu_seconds() - mine, peak_mb_workers=[peak for _, peak in figures],
            peak_mb_client=peak_mb(), picks=selector.order_.tolist(),
            seconds=[step.seconds for step in selector.selection_.steps],
        )  # fmt: skip


def sample(n_rows, n_columns, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    X = rng.integers(0, 10, (n_rows, n_columns), dtype=np.uint8)
    X[:, 0] = np.where(rng.random(n_rows) < 0.3, y, X[:, 0])
    return X, y


def picks():
    """Seconds per pick, and those spent counting, for 20 partitions on two workers."""
    import dask.array as da
    import distributed

    X, y = sample(200_000, 50)
    with start_cluster(2) as started, distributed.Client(started) as client:
        chunks = da.from_array(X, chunks=(10_000, -1)), da.from_array(y, chunks=10_000)
        ep.JMI(3).fit(*chunks)
        cpu = []
        for n_picks in (3, 33):
            before = time.process_time(), cpu_of_workers(client)
            selector = ep.JMI(n_picks).fit(*chunks)
            cpu.append(np.subtract((time.process_time(), cpu_of_workers(client)), before))
        here, on_workers = (cpu[1] - cpu[0]) / 30
        per_pick = [step.seconds for step in selector.selection_.steps[1:]]
        report(
            "overhead per pick", least_ms=1e3 * min(per_pick), median_ms=1e3 * float(np.median(per_pick)),
            cpu_ms_client_and_scheduler=1e3 * here, cpu_ms_workers=1e3 * on_workers,
            counting_ms_per_worker=1e3 * counting_seconds(X, y), n_partitions=20,
        )  # fmt: skip


def cpu_of_workers(client):
    return sum(cpu for cpu, _ in client.run(worker_figures).values())


def counting_seconds(X, y):
    """Processor time to count for one pick on one worker, with all of its ten partitions."""
    from entropick.counting.partitions import _tables
    from entropick.table import encode
    from entropick.table.encoding.target import encode_target

    codes, _ = encode(X[:10_000], encode_target(y[:10_000]))
    start = time.process_time()
    for _ in range(10):
        _tables(codes, np.arange(X.shape[1]), (0,), 10, 2)
    return time.process_time() - start


def memory():
    """Peak memory of scheduler and client (one process here) for growing numbers of rows in 16 partitions."""
    import dask.array as da
    import distributed

    with start_cluster(2) as started, distributed.Client(started):
        for n_rows in (10_000, 250_000, 1_000_000, 4_000_000):  # the first only loads modules
            X = da.random.default_rng(0).integers(
                0, 10, (n_rows, 20), chunks=(n_rows // 16, -1), dtype=np.uint8
            )
            ep.JMI(5).fit(X, X[:, 0] % 2)
            report("memory of scheduler and client", n_rows=n_rows, peak_mb=peak_mb())


def weak():
    """Tasks and bytes per pick for growing numbers of workers, each with two partitions of 2,000 rows."""
    import dask.array as da
    import distributed

    from entropick.table.executors.dask import FAN_IN, MAX_HERE

    n_columns, n_levels, n_classes = 50, 10, 2
    for n_workers in (2, 8, 32):
        n_parts = 2 * n_workers
        X, y = sample(2000 * n_parts, n_columns)
        # one process, but messages go through the network
        options = {"processes": False, "protocol": "tcp://"}
        with start_cluster(n_workers, **options) as started, distributed.Client(started):
            chunks = da.from_array(X, chunks=(2000, -1)), da.from_array(y, chunks=2000)
            watch = Watch(started)
            figures = {}
            for n_picks in (2, 4, 12):  # the first only loads modules
                watch.reset()
                cpu = time.process_time()
                selector = ep.JMI(n_picks).fit(*chunks)
                figures[n_picks] = watch.n_tasks, watch.n_bytes(), time.process_time() - cpu
            tasks, n_bytes, cpu = np.subtract(figures[12], figures[4]) / 8
            expected = left = n_workers
            while left > MAX_HERE:
                left = -(-left // FAN_IN)
                expected += left
            per_pick = [step.seconds for step in selector.selection_.steps[1:]]
            report(
                "weak scaling", n_workers=n_workers, n_partitions=n_parts, tasks_per_pick=tasks,
                tasks_of_model=expected, bytes_per_pick=n_bytes,
                most_bytes_of_model=8 * n_columns * n_levels * n_levels * n_classes * n_workers,
                cpu_ms=1e3 * cpu, least_ms=1e3 * min(per_pick), median_ms=1e3 * float(np.median(per_pick)),
            )  # fmt: skip


class Watch:
    """Counts the tasks that a cluster finishes, and the bytes its workers fetch from each other."""

    name = "watch"

    def __init__(self, cluster):
        from distributed.diagnostics.plugin import SchedulerPlugin

        watch = self

        class Plugin(SchedulerPlugin):
            def transition(self, key, start, finish, *args, **kwargs):
                watch.n_tasks += finish == "memory"

        self.n_tasks, self._before, self._workers = 0, 0, list(cluster.workers.values())
        cluster.scheduler.add_plugin(Plugin(), name="watch")

    def reset(self):
        self.n_tasks, self._before = 0, self._fetched()

    def n_bytes(self):
        return self._fetched() - self._before

    def _fetched(self):
        return sum(worker.transfer_outgoing_bytes_total for worker in self._workers)


def wide():
    import dask.array as da
    import distributed

    chunks = da.random.default_rng(0).integers(0, 6, (2000, 200_000), chunks=(-1, 20_000), dtype=np.uint8)
    X = chunks.compute(scheduler="synchronous")
    y = (X[:, 7] + X[:, 150_000] + np.random.default_rng(0).integers(0, 4, 2000)) > 6
    start = time.perf_counter()
    expected = ep.JMI(N_PICKS, n_jobs=2).fit(X, y)
    alone = time.perf_counter() - start
    with start_cluster(2) as started, distributed.Client(started):
        start = time.perf_counter()
        got = ep.JMI(N_PICKS).fit(chunks, y)
        wall = time.perf_counter() - start
    report(
        "2,000 x 200,000 in chunks of columns", wall=wall, wall_one_process=alone,
        same=bool(np.array_equal(got.scores_, expected.scores_, equal_nan=True)),
        same_order=got.order_.tolist() == expected.order_.tolist(),
        seconds=[step.seconds for step in got.selection_.steps],
        seconds_one_process=[step.seconds for step in expected.selection_.steps],
    )  # fmt: skip


COMMANDS = {f.__name__: f for f in (make, local, cluster, picks, memory, weak, wide)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])

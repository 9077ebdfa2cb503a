"""Dask workers, started here or found at an address."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import joblib

from entropick._base.wording import first_line
from entropick.exceptions import ClusterError

CONNECT_SECONDS = 10.0
# Dask's workers return freed memory to the system at once. Keeping enough for a few columns saves a third of
# the time to encode them (11.6 instead of 16.7 CPU seconds for 4,000,000 x 50).
WORKER_MEMORY = {
    "MALLOC_TRIM_THRESHOLD_": str(1 << 27),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 27),
    "OMP_NUM_THREADS": "1",
}


@contextmanager
def connected(cluster: str, n_workers: int) -> Iterator[str]:
    """Connect a Dask client; yield a description of the cluster.

    Parameters
    ----------
    cluster : "local" to start worker processes for the duration of the context, or a scheduler's address
    n_workers : number of processes to start; one per processor if not positive
    """
    import dask
    from distributed import Client, LocalCluster

    settings = {
        "distributed.logging.distributed": "critical",
        "distributed.nanny.pre-spawn-environ": WORKER_MEMORY,
    }
    if cluster != "local":
        try:
            client = Client(cluster, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, ImportError) as error:
            raise ClusterError(
                f"No scheduler answers at {cluster!r}: {first_line(error)}. Hint: an address looks like "
                "tcp://10.0.0.1:8786; 'local' starts workers here."
            ) from None
        with client:
            yield _described(client)
        return
    n_workers = n_workers if n_workers > 0 else joblib.cpu_count()
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as started,
        Client(started) as client,
    ):
        yield _described(client)


def _described(client: Any) -> str:
    return f"Cluster at {client.scheduler.address}: {len(client.nthreads())} workers."

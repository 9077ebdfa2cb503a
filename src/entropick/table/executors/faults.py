"""Faults of a cluster: readable errors, and how long to wait for recovery."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from entropick._base.wording import first_line
from entropick.exceptions import ClusterError, ColumnTypeError, CombinationError, DataError

PATIENCE_SECONDS = 60.0  # without the scheduler or a running worker


class Patience:
    """Raises an error once the cluster has been unable to work for too long."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._since: float | None = None

    def check(self) -> None:
        trouble = self._trouble()
        if trouble is None:
            self._since = None
            return
        self._since = time.monotonic() if self._since is None else self._since
        if time.monotonic() - self._since > PATIENCE_SECONDS:
            raise ClusterError(trouble)

    def _trouble(self) -> str | None:
        if self._client.status != "running":
            return "The connection to the scheduler of the cluster is lost. Hint: restart it, then fit again."
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        except Exception:
            return "The cluster's scheduler does not answer. Hint: check that it is still running."
        if not workers:
            return "The cluster has no workers left. Hint: start new ones, with more memory if they ran out."
        if all(worker.get("status", "running") != "running" for worker in workers):
            return (
                "All workers of the cluster are paused: their memory is full. Hint: use more workers, "
                "more memory per worker, or smaller partitions."
            )
        return None


@contextmanager
def own_errors() -> Iterator[None]:
    """Turn errors of workers into errors of one sentence."""
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
            "Workers died repeatedly on the same task, possibly out of memory. Hint: use smaller "
            "partitions, or workers with more memory; see their logs."
        )
    if "Cancelled" in name or name == "CommClosedError":
        return ClusterError(
            "The cluster cancelled the work: its scheduler was closed or restarted. Hint: fit again."
        )
    if isinstance(error, TimeoutError):
        return ClusterError(
            "The cluster did not return its results in time. Hint: check that its scheduler and workers "
            "still answer."
        )
    if isinstance(error, MemoryError):
        return ClusterError(
            "A worker ran out of memory. Hint: use smaller partitions, or workers with more memory."
        )
    return DataError(f"A partition cannot be used: {name}: {first_line(error)}.")

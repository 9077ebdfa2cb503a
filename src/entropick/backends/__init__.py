"""Tables past one machine: Dask collections, files that workers read, partitions of other engines.

Nothing here imports dask before a table of this kind comes in.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from entropick.backends.files import Scan, ScannedColumn, scan
from entropick.backends.mapped import PartitionedTable, WithParts, partitioned, partitions_of_mapped

if TYPE_CHECKING:
    from entropick._base.threads import Threads
    from entropick.contracts import State
    from entropick.measures import Measure
    from entropick.table.codes import ColumnEncoding
    from entropick.table.encoding import Rules
    from entropick.table.table import Table

    MakeRules = Callable[[Callable[[], int]], Rules]

__all__ = ["Scan", "ScannedColumn", "connected", "opened", "partitioned", "scan"]


class Opened(NamedTuple):
    """Data of a collection, how its columns became levels, and the measure where it is at work already."""

    table: "Table"
    columns: "Sequence[ColumnEncoding]"
    state: "State | None"


@contextmanager
def opened(
    X: Any, y: Any, measure: "Measure", n_picks: int | None, rules: "MakeRules", kind: str, threads: "Threads"
) -> Iterator[Opened]:
    """Data of a collection; after an error nothing goes on.

    Parameters
    ----------
    X, y : the table and its target
    measure : what scores columns
    n_picks : columns that are picked, where only their number ends a forward search; else None
    rules : how values become levels, given what counts the rows
    kind : of the target, see `entropick.table.target.encode_target`
    threads : what works where there is no cluster
    """
    from entropick.backends import rows

    if isinstance(X, PartitionedTable):
        parts, held = partitions_of_mapped(X, y), WithParts()
        found = rules(lambda: rows.count_rows(parts, held))
        yield Opened(*rows.make_partitioned_data(parts, measure, found, kind, held), None)
        return
    from entropick.backends import columns, partitions, places, wide

    place = places.place_to_work(threads)
    try:
        if partitions.is_wide(X) and n_picks is not None and columns.fits_columns(measure):
            found = rules(lambda: int(X.shape[0]))
            yield Opened(*wide.make_chunked_data(X, y, measure, n_picks, found, kind, place))
        else:
            parts = partitions.partitions_of(X, y)
            found = rules(lambda: rows.count_rows(parts, place))
            yield Opened(*rows.make_partitioned_data(parts, measure, found, kind, place), None)
    except BaseException:
        place.cancel()
        raise


@contextmanager
def connected(cluster: str, n_workers: int) -> Iterator[str]:
    """A client in context, and what it is connected to, in words.

    Parameters
    ----------
    cluster : "local" to start worker processes here, which end with it, or the address of a scheduler
    n_workers : processes to start; below 0 one per processor
    """
    from entropick.backends import cluster as clusters

    with clusters.connected(cluster, n_workers) as client:
        yield f"Cluster at {client.scheduler.address}: {len(client.nthreads())} workers."

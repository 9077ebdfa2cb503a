"""Tables past one machine: collections of Dask, and Parquet files that workers read themselves.

Nothing here imports dask before a table of this kind comes in.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from entropick.backends.scan import Scan, ScannedColumn, scan

if TYPE_CHECKING:
    from entropick.data import Data
    from entropick.table.encoding import Encoding, Rules
    from entropick.threads import Threads

__all__ = ["Scan", "ScannedColumn", "is_collection", "partitioned", "scan"]


def is_collection(X: Any) -> bool:
    """Whether X is a collection of Dask, or files that are scanned."""
    return isinstance(X, Scan | ScannedColumn) or hasattr(X, "__dask_graph__")


@contextmanager
def partitioned(
    X: Any, y: Any, rules: "Rules", kind: str, threads: "Threads"
) -> Iterator[tuple["Data", "Encoding"]]:
    """Data of a collection, and how its columns became levels; after an error nothing goes on.

    Parameters
    ----------
    X, y : the table and its target
    rules : how values become levels
    kind : of the target, see `entropick.table.target.encode_target`
    threads : what works where there is no cluster
    """
    from entropick.backends import dask

    place = dask.place_to_work(threads)
    try:
        yield dask.make_partitioned_data(dask.partitions_of(X, y), rules, kind, place)
    except BaseException:
        place.cancel()
        raise

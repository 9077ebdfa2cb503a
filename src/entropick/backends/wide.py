"""Tables cut by columns: chunks encoded with all their rows, and the measure at work on each."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from entropick.backends import columns
from entropick.backends.partitions import as_task, check_lengths, is_collection, reject_sparse
from entropick.backends.places import InThreads, OnCluster
from entropick.contracts import Counts, State
from entropick.measures import Measure
from entropick.measures.base import FixedScores
from entropick.table.codes import ColumnEncoding
from entropick.table.encoding import Rules
from entropick.table.inputs import default_names
from entropick.table.table import Table
from entropick.table.target import encode_target

Counted = TypeVar("Counted")

MOST_RECORDS = 1 << 18  # columns whose encodings come here for the record, where there are many


class Chunked(NamedTuple):
    """A table in chunks of columns, with the measure at work on them."""

    table: Table
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
    reject_sparse(X)
    if is_collection(y):
        (y,) = place.gather(place.run(_itself, [(as_task(y),)]))
    check_lengths(X.shape[0], len(y))
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
    table = Table(tuple(names), X.shape[0], target, cast(Counts, counts), is_partitioned=True)
    state: State
    if "ranking" in measure.kinds:
        made = place.run(columns.scores, [(chunk,) for chunk in chunks])
        state = FixedScores(np.concatenate(place.gather(made)))
    else:
        state = columns.ChunkedState(place, chunks, ends[:-1], 1.0)
    return Chunked(table, records, state)


def _itself(value: Counted) -> Counted:
    return value

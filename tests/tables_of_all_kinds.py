"""One table in every form that `fit` accepts: in memory, in partitions of rows, in chunks of columns."""

import numpy as np
import pandas as pd

import entropick as ep


class InList:
    """Partitions of rows in a list, as the smallest engine there is."""

    def __init__(self, parts):
        self._parts = parts

    def reduce(self, call, add):
        return add([call(part) for part in self._parts])

    def map(self, call):
        return InList([call(part) for part in self._parts])


def cut_by_rows(rows, n_parts):
    """A dataframe as a table in partitions of uneven sizes, one of them without rows where there are several."""
    ends = np.sort(np.random.default_rng(n_parts).integers(0, len(rows), n_parts - 1))
    ends[1:2] = ends[:1]
    parts = [rows.iloc[a:b] for a, b in zip([0, *ends], [*ends, len(rows)], strict=True)]
    return ep.partitioned(InList(parts), rows.columns)


def cut_by_columns(X, n_columns):
    """An array in chunks of so many columns, each with all rows."""
    import dask.array as da

    return da.from_array(X, chunks=(-1, n_columns))


KINDS = ["1 partition", "3 partitions", "7 partitions", "chunks of columns"]


def as_kind(kind, X, y):
    """X and y in one of the forms of `KINDS`."""
    if kind == "chunks of columns":
        return cut_by_columns(X, 3), y
    rows = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    if y is None:
        return cut_by_rows(rows, int(kind[0])), None
    table = cut_by_rows(rows.assign(y=y), int(kind[0]))
    return table.drop("y"), table["y"]

"""Selects columns of a Spark DataFrame: its partitions are encoded and counted where Spark has them.

Needs ``pip install entropick pyspark pyarrow``; workers must have entropick, too.
"""

import os
import pickle
import sys
import weakref

import numpy as np
import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession

import entropick as ep


class SparkParts:
    """What Spark holds of each partition: its rows, or one object, pickled into a row of one cell.

    Parameters
    ----------
    frame : DataFrame
    read : makes what functions are given of the record batches of a partition
    """

    def __init__(self, frame, read):
        self._frame, self._read = frame, read

    def map(self, call):
        """Call a function on each partition; Spark keeps what it gives until nobody needs it."""
        frame = self._call(call).persist()
        frame.count()  # now
        held = SparkParts(frame, read_cells)
        weakref.finalize(held, frame.unpersist).atexit = False
        return held

    def reduce(self, call, add):
        """Call a function on each partition, and add up here what comes back."""
        return add([pickle.loads(row.cell) for row in self._call(call).collect()])

    def _call(self, call):
        read = self._read

        def work(batches):
            for part in read(batches):
                yield pa.record_batch({"cell": pa.array([pickle.dumps(call(part))], pa.binary())})

        return self._frame.mapInArrow(work, "cell binary")


def read_rows(batches):
    """The rows of a partition as one table; nothing where it has none."""
    filled = [batch for batch in batches if batch.num_rows]
    if filled:
        yield pa.Table.from_batches(filled)


def read_cells(batches):
    """The objects in cells that `map` left."""
    for batch in batches:
        for cell in batch.column(0):
            yield pickle.loads(cell.as_buffer())


def table_of(frame):
    """A Spark DataFrame as a table that `fit` and `select` take."""
    return ep.partitioned(SparkParts(frame, read_rows), frame.columns)


def make_frame(spark, n_rows=20_000):
    """20 columns, of which f3 and f7 tell about y."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    rows = pd.DataFrame(rng.normal(size=(n_rows, 20)), columns=[f"f{j}" for j in range(20)])
    rows["f3"] += y
    rows["f7"] += 0.5 * y
    return spark.createDataFrame(rows.assign(y=y)).repartition(4)


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers of this machine have what this has
    with SparkSession.builder.master("local[2]").getOrCreate() as spark:
        frame = make_frame(spark)
        table = table_of(frame)
        selector = ep.JMI(n_features=2).fit(table.drop("y"), table["y"])
        print(frame.select(*selector.get_feature_names_out(), "y"))

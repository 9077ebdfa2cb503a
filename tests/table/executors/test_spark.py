"""The recipe for Spark, if it is installed: the same bits as one table in memory."""

import gc
import importlib.util
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import entropick as ep
from table.executors.test_engine import check_same, cut, frame

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed", allow_module_level=True)

# Spark's own warnings are none of our business.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*:UserWarning:pyspark"),
    pytest.mark.xdist_group("spark"),
]

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def recipe():
    """The example as a module; workers get its functions by value, as those of a program."""
    spec = importlib.util.spec_from_file_location("recipe", ROOT / "examples" / "spark.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["recipe"] = module
    spec.loader.exec_module(module)
    pyspark.cloudpickle.register_pickle_by_value(module)
    yield module
    pyspark.cloudpickle.unregister_pickle_by_value(module)
    del sys.modules["recipe"]


@pytest.fixture(scope="module")
def spark(recipe):
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # soon up
        "spark.log.level": "OFF",
    }
    builder = pyspark.sql.SparkSession.builder.master("local[1]")
    with builder.config(map=settings).getOrCreate() as session:
        yield session


def in_spark(spark, rows, n_parts):
    """Rows as a DataFrame whose partitions are those of `cut`."""
    types = {"f": ("double", pa.float64()), "i": ("bigint", pa.int64()), "O": ("string", pa.string())}
    of_column = {name: types[rows[name].dtype.kind] for name in rows.columns}
    schema = pa.schema([(name, kind) for name, (_, kind) in of_column.items()])
    tables = [pa.Table.from_pandas(part, schema, preserve_index=False) for part in cut(rows, n_parts)]

    def rows_of(batches):
        for batch in batches:
            for k in batch.column(0).to_pylist():
                yield from tables[k].to_batches()

    in_words = ", ".join(f"{name} {word}" for name, (word, _) in of_column.items())
    return spark.range(0, n_parts, numPartitions=n_parts).mapInArrow(rows_of, in_words)


@pytest.mark.parametrize("n_parts", [1, 3, 8])
def test_the_same_bits(spark, recipe, n_parts):
    """With partitions of uneven sizes, and with one that has no rows."""
    rows = frame()
    assert n_parts == 1 or 0 in map(len, cut(rows, n_parts))
    table = recipe.table_of(in_spark(spark, rows, n_parts))
    got = ep.JMI(5).fit(table.drop("y"), table["y"])
    check_same(got, ep.JMI(5).fit(rows.drop(columns="y"), rows["y"]))


def test_what_is_held_goes(spark, recipe):
    """Groups of rows stay with Spark as long as they are needed; after a fit it holds nothing."""
    rows = frame()[["x1", "text", "count", "y"]]
    table = recipe.table_of(in_spark(spark, rows, 2))
    held = []

    def look(*_):
        gc.collect()
        held.append(spark.sparkContext._jsc.getPersistentRDDs().size())

    got = ep.RenyiFS(alpha=1, n_features=2, progress=look).fit(table.drop("y"), table["y"])
    check_same(got, ep.RenyiFS(alpha=1, n_features=2).fit(rows.drop(columns="y"), rows["y"]))
    look()
    assert 1 <= min(held[:2]) <= max(held[:2]) <= 3, held  # codes, and codes with groups
    assert held[2] == 0


def test_errors_say_what_is_wrong(spark, recipe):
    rows = frame()[["x0", "x1", "y"]]
    rows.loc[2000, "x0"] = np.inf
    table = recipe.table_of(in_spark(spark, rows, 3))
    with pytest.raises(pyspark.errors.PythonException, match=r"A partition: .*'x0'.*infinite"):
        ep.JMI(1).fit(table.drop("y"), table["y"])


def test_the_example_of_the_page():
    """What the page prints is in the example, which these tests use."""
    page = (ROOT / "docs" / "larger-than-one-machine.md").read_text()
    example = (ROOT / "examples" / "spark.py").read_text()
    assert example[example.index("class SparkParts") : example.index("def make_frame")].strip() in page

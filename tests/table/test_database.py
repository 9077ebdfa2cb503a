"""Tables inside a database: the same bits as in memory, whatever names and values are, and nothing left behind."""

import duckdb
import ibis
import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import entropick as ep
from database_tables import (
    EMBEDDED,
    assert_same,
    dirty_table,
    in_database,
    in_duckdb,
    in_memory,
    in_sqlite,
)
from entropick.exceptions import ColumnTypeError, CombinationError, DatabaseError, DataError
from entropick.table.encoding import in_database as encoding
from entropick.table.executors import database as executor, dialects

pytestmark = [
    pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning"),
    pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning"),  # ibis beside a newer DuckDB
]

OTHERS = [("duckdb", "uniform"), ("sqlite", "quantile"), ("ibis duckdb", "quantile")]


@pytest.mark.parametrize(
    ("kind", "binning"),
    [
        ("duckdb", "quantile"),
        ("sqlite", "uniform"),
        *(pytest.param(kind, binning, marks=pytest.mark.slow) for kind, binning in OTHERS),
    ],
)
def test_dirty_table_as_in_memory(kind, binning):
    """Edges, levels, records and scores are those of the table in memory."""
    frame = dirty_table(fraction=0 if kind == "sqlite" else 1)
    found = ep.JMI(3, binning=binning).fit(in_database(kind, frame), "y")
    assert_same(found, in_memory(ep.JMI(3, binning=binning), frame))


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["pairwise_balance", "joint_balance", "bayesian", "rough_set"])
def test_subset_measures_as_in_memory(measure):
    """Groups with the same counts are sent as one; values of subsets are the same."""
    frame = dirty_table(150).select("few", "flag", "lost flag", "constant", "y")
    make = lambda: ep.FeatureSelector(measure, "exhaustive", 2)  # noqa: E731
    one, other = make().fit(in_database("duckdb", frame), "y"), in_memory(make(), frame)
    assert one.selection_.scores.tolist() == other.selection_.scores.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("kind", EMBEDDED)
def test_many_rows_go_through_buckets(kind, monkeypatch):
    """Columns of many values are found by buckets and brackets, not by asking for all values."""
    monkeypatch.setattr(encoding, "DIRECT_ROWS", 16)
    monkeypatch.setattr(encoding, "MAX_INSIDE", 40)
    monkeypatch.setattr(encoding, "MIN_BUCKETS", 8)
    monkeypatch.setattr(encoding, "BRACKET_BUCKETS", 4)
    frame = dirty_table(500)
    for binning in ("quantile", "uniform"):
        found = ep.JMI(5, binning=binning).fit(in_database(kind, frame), "y")
        assert_same(found, in_memory(ep.JMI(5, binning=binning), frame))


def unlike_floats(rng, n_rows):
    """Floats that are tied, skewed, tiny, huge, of few values far apart, or next to each other."""
    kind = rng.integers(0, 7)
    if kind == 0:
        return rng.choice(rng.normal(size=12), n_rows)
    if kind == 1:
        return np.exp(rng.normal(size=n_rows) * 100)
    if kind == 2:
        return rng.normal(size=n_rows) * 1e-310
    if kind == 3:
        return rng.choice([-1.7e308, 0.0, -0.0, 5e-324, 1.7e308], n_rows)
    if kind == 4:
        return 1.0 + rng.integers(0, 60, n_rows) * 2.0**-52
    if kind == 5:
        return rng.normal(size=n_rows).astype(np.float32).astype(float)
    return np.where(rng.random(n_rows) < 0.5, 0.0, rng.random(n_rows))


@pytest.mark.slow
@settings(deadline=None, max_examples=12)  # each takes a second of compiling queries
@given(st.integers(0, 10**6), st.sampled_from(["quantile", "uniform"]), st.sampled_from(EMBEDDED))
def test_edges_of_unlike_columns(seed, binning, kind):
    """Whatever numbers a column holds, and however few buckets there are."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(2, 120))
    frame = pl.DataFrame({f"x{j}": unlike_floats(rng, n_rows) for j in range(3)})
    frame = frame.with_columns(
        k=pl.Series(rng.integers(-(2**62), 2**62, n_rows)), y=pl.Series(rng.integers(0, 2, n_rows))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "DIRECT_ROWS", 4)
        patch.setattr(encoding, "MAX_INSIDE", 6)
        patch.setattr(encoding, "MIN_BUCKETS", 4)
        patch.setattr(encoding, "BRACKET_BUCKETS", 2)
        found = ep.MIM(2, n_bins=3, binning=binning).fit(in_database(kind, frame), "y")
    assert_same(found, in_memory(ep.MIM(2, n_bins=3, binning=binning), frame))


@pytest.mark.slow
@pytest.mark.parametrize("kind", EMBEDDED)
@pytest.mark.parametrize("target", ["real", "class", "auto"])
@pytest.mark.parametrize("values", ["floats", "counts", "texts", "many texts", "flags"])
def test_targets_as_in_memory(kind, target, values):
    rng = np.random.default_rng(3)
    n_rows = 300
    y = {
        "floats": rng.normal(size=n_rows),
        "counts": rng.integers(0, 99, n_rows) * 7,
        "texts": [["no'", 'yes"', "\\"][k] for k in rng.integers(0, 3, n_rows)],
        "many texts": [f"class {k}" for k in rng.integers(0, 80, n_rows)],
        "flags": rng.random(n_rows) < 0.4,
    }[values]
    frame = pl.DataFrame({"a": rng.normal(size=n_rows), "b": rng.integers(0, 5, n_rows), "y": y})
    make = lambda: ep.JMI(2, target=target)  # noqa: E731
    try:
        expected = in_memory(make(), frame)
    except DataError:
        with pytest.raises(DataError):
            make().fit(in_database(kind, frame), "y")
    else:
        assert_same(make().fit(in_database(kind, frame), "y"), expected)


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_texts_with_nul_and_of_10_000_characters(kind):
    """They are compared in the database and numbered here."""
    y = [0, 1] * 20
    long = ["v" * 10_000 if k else "w" * 10_000 + "'" for k in y]
    frame = pl.DataFrame({"a": ["x\0" if k else "x" for k in y], "b": long, "y": y})
    assert_same(ep.JMI(2).fit(in_database(kind, frame), "y"), in_memory(ep.JMI(2), frame))


def test_names_with_nul():
    con = duckdb.connect()
    con.execute('CREATE TABLE t AS SELECT i % 2 AS y, i % 5 AS "\0", i % 4 AS "a\0b" FROM range(100) r(i)')
    assert ep.JMI(1).fit(con.table("t"), "y").selection_.selected_names == ["a\0b"]


def test_identifier_does_not_hide_the_others():
    """It explains the target of these rows completely, and adds nothing beyond chance."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    frame = pl.DataFrame(
        {"id": [f"customer {i}" for i in range(400)], "signal": y + rng.integers(0, 2, 400), "y": y}
    )
    assert ep.MIM("auto").fit(in_database("duckdb", frame), "y").get_feature_names_out() == ["signal"]


@pytest.mark.parametrize("kind", ["sqlite", "ibis duckdb"])
def test_columns_counted_together_or_alone(kind, monkeypatch):
    """Engines that store rows count two columns by one query, unless these have too many cells."""
    frame = dirty_table(80).select("few", "flag", "y'); --", "lost flag", "text", "y")
    for most in (0, 30, 10**6):
        monkeypatch.setattr("entropick.counting.database.MAX_TOGETHER", most)
        monkeypatch.setattr(dialects, "STORED_BY_ROW", ("sqlite", "duckdb"))
        assert_same(ep.JMI(3).fit(in_database(kind, frame), "y"), in_memory(ep.JMI(3), frame))


def test_ways_to_name_the_target():
    frame = dirty_table(120).select("few", "flag", "y")
    con = in_duckdb(frame)
    relation, table = con.table("t"), ibis.duckdb.from_connection(con).table("t")
    named = ep.database(relation)
    expected = ep.JMI(2).fit(frame.drop("y"), frame["y"])
    for X, y in [
        (relation, "y"), (table, "y"), (table.drop("y"), table["y"]), (table[["few", "flag"]], table.y),
        (named.drop("y"), named["y"]), (named, "y"), (nw.from_native(relation), "y"),
    ]:  # fmt: skip
        assert_same(ep.JMI(2).fit(X, y), expected)
    for X, y in [
        (relation, relation["y"]),
        (table.filter(table.few > 1).drop("y"), table["y"]),
        (relation, frame["y"]),
    ]:
        with pytest.raises(DataError, match="fit\\(table, 'y'\\)"):
            ep.JMI(2).fit(X, y)
    with pytest.raises(DataError, match="no column 'z'"):
        ep.JMI(2).fit(relation, "z")


def test_transform_stays_in_the_database():
    frame = dirty_table(120).select("few", "flag", "y")
    con = in_duckdb(frame)
    selector = ep.JMI(1).fit(con.table("t"), "y")
    kept = selector.transform(con.table("t").drop("y"))
    assert kept.columns == selector.get_feature_names_out().tolist()
    assert nw.from_native(kept).select(nw.len()).collect().item() == 120
    assert selector.transform(con.table("t")).columns == kept.columns  # y is left out as in fit


@pytest.mark.parametrize("kind", ["duckdb", pytest.param("ibis duckdb", marks=pytest.mark.slow), "sqlite"])
def test_nothing_is_left_behind(kind):
    """Temporary tables are dropped, also after an error."""
    frame = dirty_table(60).select("few", "text", "y")
    table = in_database(kind, frame)
    ep.JMI(1).fit(table, "y")
    with pytest.raises(ZeroDivisionError):
        ep.JMI(3, progress=lambda *_: 1 / 0).fit(table, "y")
    if kind == "sqlite":
        con = table.get_backend().con
        rows = con.execute(
            "SELECT name FROM sqlite_master UNION SELECT name FROM sqlite_temp_master"
        ).fetchall()
    else:
        relation = table if kind == "duckdb" else table.get_backend().con.table("t")
        rows = relation.query(
            "v",
            "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE view_name LIKE 'entropick%'",
        ).fetchall()
    assert rows == [("t",)]


def test_read_only_file(tmp_path):
    """A file opened for reading only is not written to."""
    path = tmp_path / "t.duckdb"
    frame = dirty_table(100)
    with duckdb.connect(str(path)) as con:
        con.register("given", frame.to_arrow())
        con.execute("CREATE TABLE t AS SELECT * FROM given")
    before = path.read_bytes()
    with duckdb.connect(str(path), read_only=True) as con:
        assert_same(ep.JMI(3).fit(con.table("t"), "y"), in_memory(ep.JMI(3), frame))
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["duckdb", pytest.param("ibis duckdb", marks=pytest.mark.slow)])
def test_codes_beyond_the_memory_of_duckdb(kind, monkeypatch, tmp_path):
    """They go to a file of their own while the fit lasts, unless a transaction of the caller could suffer."""
    monkeypatch.setattr(dialects, "SHARE_OF_MEMORY", 0)
    frame = dirty_table(100).select("few", "text", "lost", "y")
    con = in_duckdb(frame)
    con.execute(f"SET temp_directory = '{tmp_path}/it''s'")
    table = con.table("t") if kind == "duckdb" else ibis.duckdb.from_connection(con).table("t")
    seen = []
    look = lambda *_: seen.append([path.name for path in tmp_path.rglob("*.duckdb")])  # noqa: E731
    assert_same(ep.JMI(2, progress=look).fit(table, "y"), in_memory(ep.JMI(2), frame))
    with pytest.raises(ZeroDivisionError):
        ep.JMI(2, progress=lambda *_: 1 / 0).fit(table, "y")
    assert seen[0] == ["codes.duckdb"]
    assert not list(tmp_path.iterdir())
    assert "entropick" not in str(con.execute("SELECT database_name FROM duckdb_databases()").fetchall())
    con.execute("BEGIN")
    con.execute("INSERT INTO t SELECT * FROM t")
    assert ep.JMI(2, progress=look).fit(table, "y").selection_.n_rows == 200
    con.execute("COMMIT")
    assert seen[-1] == []
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(200,)]


@pytest.mark.parametrize(
    "setting", ["temp_directory = ''", "temp_directory = '/proc/none'", "enable_external_access = false"]
)
def test_codes_where_no_file_may_be_written(setting, monkeypatch):
    monkeypatch.setattr(dialects, "SHARE_OF_MEMORY", 0)
    con = in_duckdb(dirty_table(60).select("few", "y"))
    con.execute(f"SET {setting}")
    assert ep.JMI(1).fit(con.table("t"), "y").selection_.selected_names == ["few"]


def test_without_temporary_tables(monkeypatch):
    """An engine that cannot write counts expressions instead of codes."""
    frame = dirty_table(150)
    monkeypatch.setattr("entropick.table.executors.dialects.DuckDB.stored", lambda *_: None)
    assert_same(ep.JMI(4).fit(in_database("duckdb", frame), "y"), in_memory(ep.JMI(4), frame))


# -- what cannot be ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_small_tables(kind):
    frame = pl.DataFrame({"a": [1.5], "y": ["x"]})
    assert ep.JMI(1).fit(in_database(kind, frame), "y").selection_.n_rows == 1
    with pytest.raises(DataError, match="must have rows"):
        ep.JMI(1).fit(in_database(kind, frame.clear()), "y")


def test_what_needs_rows_is_refused_by_name():
    table = in_database("duckdb", dirty_table(50))
    with pytest.raises(CombinationError, match="ReliefF needs distances"):
        ep.ReliefF(2).fit(table, "y")
    with pytest.raises(CombinationError, match="binning='mdlp'"):
        ep.JMI(2, binning="mdlp").fit(table, "y")
    with pytest.raises(CombinationError, match="feature_groups"):
        ep.JMI(2, feature_groups=[["few", "flag"]]).fit(table, "y")


def test_bad_values_are_named():
    frame = dirty_table(50).with_columns(bad=pl.lit(np.inf))
    with pytest.raises(DataError, match="'bad' holds an infinite value"):
        ep.JMI(2).fit(in_database("duckdb", frame), "y")
    with pytest.raises(DataError, match="The target has 50 missing"):
        ep.JMI(2).fit(
            in_database("duckdb", frame.drop("bad", "y").with_columns(y=pl.lit(None, pl.Int64))), "y"
        )
    with pytest.raises(DataError, match="missing='error'"):
        ep.JMI(2, missing="error").fit(in_database("duckdb", frame.drop("bad")), "y")
    con = in_duckdb(dirty_table(50))
    with pytest.raises(ColumnTypeError, match="'list' holds values of type List"):
        ep.JMI(2).fit(con.sql("SELECT *, [1, 2] AS list FROM t"), "y")


def test_too_many_levels_are_named(monkeypatch):
    frame = pl.DataFrame({"id": [f"row {i}" for i in range(50)], "y": [0, 1] * 25})
    monkeypatch.setattr(encoding, "MAX_LEVELS", 40)
    monkeypatch.setattr(encoding.Surveyor.summaries, "__defaults__", (40,))
    with pytest.raises(DataError, match="'id' has more than 40 different texts"):
        ep.JMI(1).fit(in_database("duckdb", frame), "y")


def test_too_many_counts_are_refused(monkeypatch):
    monkeypatch.setattr(executor, "MAX_ROWS", 20)
    with pytest.raises(DataError, match="more than 20 counts"):
        ep.JMI(1).fit(in_database("duckdb", dirty_table(100)), "y")


def test_lost_database_is_one_sentence():
    con = in_duckdb(dirty_table(50))
    table = con.table("t")
    con.close()
    with pytest.raises(DatabaseError, match="The database did not answer") as caught:
        ep.JMI(1).fit(table, "y")
    assert "\n" not in str(caught.value)


def test_table_that_changes_is_noticed(monkeypatch):
    """Counts of different states of a table never mix."""
    con = in_sqlite(dirty_table(50))
    monkeypatch.setattr("entropick.table.executors.dialects.Ibis.stored", lambda *_: None)

    def add_a_row(*_):
        con.con.execute("INSERT INTO t SELECT * FROM t LIMIT 1")

    with pytest.raises(DatabaseError, match="changed while"):
        ep.JMI(5, progress=add_a_row).fit(con.table("t"), "y")


@pytest.mark.parametrize(
    "value", [0.1, 1 / 3, 5e-324, -1.7976931348623157e308, 1e22, 123456789.123456789, 2.0**-1060]
)
def test_numbers_are_read_exactly(value):
    """As text a number of 17 digits may be read as its neighbour."""
    con = in_sqlite(pl.DataFrame({"a": [value]}))
    run = executor.DatabaseRun(nw.stable.v2.from_native(con.table("t")))
    query = nw.stable.v2.from_native(con.table("t")).select(same=nw.stable.v2.col("a") - run.number(value))
    assert run.ask([query])["same"].tolist() == [0.0]

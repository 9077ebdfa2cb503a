"""Dask collections: the same bits as one table in memory, with threads and on a real cluster."""

import time
from pathlib import Path

import numpy as np
import pytest

import entropick as ep
from entropick.exceptions import CombinationError, DataError

dask = pytest.importorskip("dask", reason="dask is not installed (extra dask)")
distributed = pytest.importorskip("distributed", reason="distributed is not installed (extra dask)")
pd = pytest.importorskip("pandas")
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

from dask_tables import MARKS, check_same, frame, path, table  # noqa: E402

pytestmark = MARKS

pl = pytest.importorskip("polars")


METHODS = [
    ep.MIM(4), ep.MIFS(4), ep.MRMR(4), ep.CIFE(4), ep.JMI(4), ep.JMIM(4), ep.CMIM(4), ep.DISR(4), ep.ICAP(4),
    ep.RenyiFS(n_features=3), ep.RenyiFS(alpha=1, n_features=3), ep.FeatureSelector("jmi", cut="residual"),
    ep.FeatureSelector("mrmr", search="backward", cut=3), ep.RenyiFS(alpha=np.inf, n_features=3),
    ep.MIQ(4), ep.NJMIM(4), ep.JMI3(4), ep.CFR(4), ep.DCSF(4), ep.MRI(4), ep.FCBF(), ep.CFSSubset(),
    ep.FeatureSelector("rough_set", search="forward", cut=3), ep.FeatureSelector("joint_balance", search="forward", cut=3),
]  # fmt: skip


# -- the same bits -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_methods_on_arrays(method):
    check_method(method)


@pytest.mark.parametrize("method", [METHODS[k] for k in (2, 4, 6, 9, 11)], ids=str)
def test_methods_on_a_cluster(method, client):
    """One of each kind: with and without classes, minima, joint levels, a rule that stops."""
    check_method(method)


def check_method(method):
    X, y = table()
    expected = type(method)(**method.get_params()).fit(X, y)
    got = method.fit(da.from_array(X, chunks=(300, 4)), da.from_array(y, chunks=300))
    check_same(got, expected)


@pytest.mark.parametrize("n_parts", [1, 3, 8])
def test_partitions_of_arrays_and_frames(n_parts, place):
    """1, 3 and 8 partitions, uneven chunks, both containers."""
    X, y = table()
    expected = ep.JMI(4).fit(X, y)
    chunks = tuple(
        np.diff(
            np.linspace(0, 900, n_parts + 1).astype(int) // 7 * 7 + np.r_[[0] * n_parts, 900 % 7]
        ).tolist()
    )
    check_same(ep.JMI(4).fit(da.from_array(X, chunks=(chunks, -1)), da.from_array(y, chunks=250)), expected)
    whole = frame()
    expected = ep.JMI(5).fit(whole.drop(columns="y"), whole["y"])
    parts = dd.from_pandas(whole, npartitions=n_parts, sort=False)
    got = ep.JMI(5).fit(parts.drop(columns="y"), parts["y"])
    check_same(got, expected)
    assert got.feature_names_in_.tolist() == expected.feature_names_in_.tolist()


def test_long_columns_are_narrowed_down(client):
    """Columns with more values than a sketch holds; three classes of a real target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 4)).astype(np.float32)
    y = X[:, 1] + rng.normal(size=30_000)
    expected = ep.MRMR(3, n_bins=4).fit(X, y)
    check_same(
        ep.MRMR(3, n_bins=4).fit(da.from_array(X, chunks=(7000, -1)), da.from_array(y, chunks=7000)), expected
    )
    expected = ep.MRMR(3, binning="uniform").fit(X, y)
    check_same(ep.MRMR(3, binning="uniform").fit(da.from_array(X, chunks=(7000, -1)), y), expected)


def test_bayesian_and_set_searches(client):
    X, y = table(300, 6)
    chunks = da.from_array(X, chunks=(120, -1))
    for make in (
        lambda: ep.FeatureSelector("bayesian", search="exhaustive"),
        lambda: ep.FeatureSelector("pairwise_balance", search="cross_entropy", random_state=0),
    ):
        check_same(make().fit(chunks, da.from_array(y, chunks=120)), make().fit(X, y))


def test_empty_partitions_and_targets_in_memory(place):
    whole = frame()
    holes = dd.from_map(
        lambda part: part,
        [whole.iloc[:0], whole.iloc[:250], whole.iloc[250:250], whole.iloc[250:]],
        meta=whole.iloc[:0],
    )
    expected = ep.JMI(4).fit(whole.drop(columns="y"), whole["y"])
    check_same(ep.JMI(4).fit(holes.drop(columns="y"), holes["y"]), expected)
    check_same(ep.JMI(4).fit(holes.drop(columns="y"), whole["y"]), expected)
    texts = whole["y"].map({0: "a", 1: "b", 2: "c"})
    expected = ep.JMI(2).fit(whole.drop(columns="y"), texts)
    check_same(ep.JMI(2).fit(holes.drop(columns="y"), texts), expected)


def test_select_fixed_features_and_progress(place):
    X, y = table()
    seen = []
    options = {"measure": "mrmr", "cut": 4, "fixed_features": [7, 1]}
    got = ep.select(
        da.from_array(X, chunks=(200, -1)),
        da.from_array(y, chunks=200),
        progress=lambda *step: seen.append(step[1:]),
        **options,
    )
    assert path(got)[2:] == path(ep.select(X, y, **options))[2:]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_example_of_the_page():
    """What the page prints is the file that `make cluster-example` runs in an empty environment."""
    root = Path(__file__).parents[3]
    page = (root / "docs" / "larger-than-one-machine.md").read_text()
    assert (root / "examples" / "larger_than_one_machine.py").read_text() in page


def test_transform_stays_lazy():
    X, y = table()
    chunks = da.from_array(X, chunks=(300, 4))
    selector = ep.JMI(3).fit(chunks, y)
    reduced = selector.transform(chunks)
    assert isinstance(reduced, da.Array)
    assert np.array_equal(reduced.compute(), selector.transform(X), equal_nan=True)
    whole = frame()
    parts = dd.from_pandas(whole, npartitions=3, sort=False)
    selector = ep.JMI(3).fit(parts.drop(columns="y"), parts["y"])
    reduced = selector.transform(parts.drop(columns="y"))
    assert isinstance(reduced, dd.DataFrame)
    assert list(reduced.columns) == list(selector.get_feature_names_out())
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(parts)


def test_nothing_stays_on_the_cluster(client):
    X, y = table()
    ep.JMI(3).fit(da.from_array(X, chunks=(300, 4)), y)
    deadline = time.monotonic() + 120
    while any(client.has_what().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.has_what().values())


# -- columns as numbers --------------------------------------------------------------------------

BY_SUMS = [
    ep.FisherScore(4), ep.RRPC(4), ep.RRPC(4, classes="number", signed=True), ep.Gaussian(4), ep.ECFS(4),
    ep.ECFS(4, scaling=None), ep.ILFS(4), ep.InfFS(n_features=4), ep.InfFS(n_features=4, variant="released"),
    ep.CFS(4), ep.CFS(4, summary="minimum"),
]  # fmt: skip


def check_nearly(got, expected):
    """The same columns in the same order, the same scores but for rounding."""
    assert got.order_.tolist() == expected.order_.tolist()
    assert np.allclose(got.scores_, expected.scores_, rtol=1e-9, atol=1e-12, equal_nan=True)
    assert got.selection_.target == expected.selection_.target


@pytest.mark.parametrize("method", BY_SUMS, ids=str)
def test_measures_of_moments(method):
    """Numbers, gaps, a constant, texts, flags and times in uneven partitions, one of them empty."""
    whole = frame().assign(same=2.5)
    X, y = whole.drop(columns="y"), whole["y"]
    parts = dd.from_map(
        lambda rows: whole.iloc[slice(*rows)], [(0, 70), (70, 70), (70, 410), (410, 600)], meta=whole.iloc[:0]
    )
    expected = type(method)(**method.get_params()).fit(X, y)
    got = type(method)(**method.get_params()).fit(parts.drop(columns="y"), parts["y"])
    check_nearly(got, expected)


@pytest.mark.parametrize("method", [ep.RRPC(4), ep.Gaussian(4), ep.FisherScore(4)], ids=str)
def test_moments_with_a_real_target_on_a_cluster(method, client):
    X, _ = table(500)
    y = 1e6 + X[:, 2] * 3 + np.random.default_rng(0).normal(size=500)
    expected = type(method)(**method.get_params()).fit(X, y)
    got = method.fit(da.from_array(X, chunks=(200, 4)), da.from_array(y, chunks=200))
    check_nearly(got, expected)


def test_moments_without_a_target():
    X, _ = table()
    check_nearly(ep.CFS(3).fit(da.from_array(X, chunks=(200, -1))), ep.CFS(3).fit(X))


def test_pairs_of_too_many_columns(monkeypatch):
    from entropick.table import partitions

    monkeypatch.setattr(partitions, "MAX_COLUMNS", 8)
    X, y = table(100)
    with pytest.raises(CombinationError, match=r"at most 8 columns; got 9.*fisher_score"):
        ep.RRPC(2).fit(da.from_array(X, chunks=50), y)


# -- chunks of columns ---------------------------------------------------------------------------


def wide_table(n_rows=80, n_columns=700, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, n_columns)) + 0.6 * y[:, None] * (rng.random(n_columns) < 0.05)
    X[:, 400:] = np.round(X[:, 400:])  # few levels, many ties
    X[:, 690] = X[:, 30]  # a tie across chunks
    return X, y


WIDE = [*METHODS[:9], ep.JMI(5, fixed_features=[600, 3]), ep.MRMR(0.01)]


@pytest.mark.parametrize("method", WIDE, ids=str)
def test_wide_tables_in_chunks_of_columns(method):
    check_wide(method)


@pytest.mark.parametrize("method", [WIDE[k] for k in (0, 6, 9)], ids=str)
def test_wide_tables_on_a_cluster(method, client):
    """One of each kind: a ranking, minima, columns that are given."""
    check_wide(method)


def check_wide(method):
    X, y = wide_table()
    expected = type(method)(**method.get_params()).fit(X, y)
    got = method.fit(da.from_array(X, chunks=(30, 150)), da.from_array(y, chunks=30))
    if method.get_params().get("fixed_features"):
        assert path(got.selection_)[2:] == path(expected.selection_)[2:]
    else:
        check_same(got, expected)


def test_what_travels_of_wide_tables(client, monkeypatch):
    """Per pick: the codes of the newest column, and what may win of each chunk."""
    from entropick.table import chunks, partitions

    sizes = []
    joined = chunks._joined

    def watched(lists):
        found = joined(lists)
        if isinstance(found[0], chunks.Finalists):
            sizes.append([len(one.columns) for one in found])
        return found

    monkeypatch.setattr(chunks, "_joined", watched)
    monkeypatch.setattr(partitions, "make_partitioned_table", None)  # rows are not cut
    X, y = wide_table()
    X[:, 400:] += np.random.default_rng(1).normal(size=(80, 300))
    X[:, 690] = X[:, 30]
    ep.JMI(4).fit(da.from_array(X, chunks=(-1, 100)), y)
    assert len(sizes) == 4
    assert max(max(of_chunks) for of_chunks in sizes[1:]) <= 4


# -- refusals, before data move ------------------------------------------------------------------


class Untouchable:
    """A source that fails the test when it is read."""

    def __call__(self, *_):
        raise AssertionError("data were read")


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (ep.SNEFS(), "needs distances of all rows in one place"),
        (ep.LaplacianScore(2), "needs distances|needs numbers of all rows"),
        (ep.InfFS(n_features=2, diversity=0.5), "needs numbers of all rows"),
        (ep.InfFS(n_features=2, alpha="cv"), "needs numbers of all rows"),
        (ep.RRPC(2, unlabelled=-1), "unlabelled=-1.*every row"),
        (ep.FeatureSelector("jmi", cut=ep.cuts.HeldOut()), "HeldOut needs source.*count.*n_features=10"),
        (ep.JMI("permutation"), "Permutation needs labels.*count.*n_features=10"),
        (ep.JMI(2, binning="mdlp"), "mdlp.*quantile"),
        (ep.JMI(2, feature_groups=[[0, 1]]), "feature_groups"),
    ],
    ids=str,
)
def test_refused_before_data_move(selector, message):
    X = da.from_array(np.zeros((6, 3)), chunks=2).map_blocks(
        Untouchable(), dtype=float, meta=np.empty((0, 0))
    )
    with pytest.raises(CombinationError, match=message):
        selector.fit(X, np.array([0, 1] * 3))


def test_other_refusals():
    X = da.from_array(np.zeros((6, 3)), chunks=2)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.JMI(1).fit(X, np.arange(5))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.JMI(1).fit(X, da.zeros(5))
    with pytest.raises(ValueError, match="requires y"):
        ep.JMI(1).fit(X)
    with pytest.raises(DataError, match="two dimensions"):
        ep.JMI(1).fit(da.zeros(4), np.zeros(4))
    with pytest.raises(DataError, match="1d array"):
        ep.JMI(1).fit(X, da.zeros((6, 2)))
    with pytest.raises(DataError, match="Dask dataframe or array, got Delayed"):
        ep.JMI(1).fit(dask.delayed(np.zeros)((6, 2)), np.zeros(6))
    whole = frame()
    parts = dd.from_pandas(whole, npartitions=3, sort=False)
    with pytest.raises(DataError, match="same partitions"):
        ep.JMI(1).fit(parts.drop(columns="y"), dd.from_pandas(whole["y"], npartitions=2, sort=False))

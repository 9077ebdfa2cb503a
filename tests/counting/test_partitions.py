"""Counts over partitions of rows: the same bits however the rows are split, or a clear error."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

from entropick import cuts, engine, measures, registry
from entropick._base.threads import Threads
from entropick.contracts import COUNTED, Need
from entropick.counting import cells
from entropick.counting.cells import CellCounts, Cells, Counted
from entropick.counting.local import LocalCounts
from entropick.counting.partitions import PartitionedCells
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.exceptions import CombinationError, DataError
from entropick.table import Encoding, Rules, encode
from entropick.table.chunks import CountsWithRemoteColumns
from entropick.table.codes import SparsePart
from entropick.table.encoding.target import apply_target, encode_target
from entropick.table.executors.threads import InThreads
from entropick.table.partitions import PartitionedTable
from entropick.table.table import Units
from helpers import as_sparse, make_codes, make_table, run
from strategies import examples, tables

# What is the same to the last bit: every measure of columns that needs counts alone, and corrected ones.
EXACT = [
    *(
        name
        for name, measure in registry.MEASURES.items()
        if measure.needs <= COUNTED and "step" in measure.kinds and measure is not measures.Renyi
    ),
    measures.JMI("adjusted"), measures.MRMR("adjusted"), measures.CMIM("adjusted"),
    measures.ICAP("adjusted"), measures.JMI3("adjusted"),
    measures.Renyi(alpha=1), measures.Renyi(), measures.Renyi(alpha=1, correction="miller_madow"),
]  # fmt: skip
EXACT_SETS = [
    measures.Bayesian(), measures.Bayesian(alpha=0.1, domain="independent"), measures.PairwiseBalance(),
    measures.JointBalance(), measures.Renyi(alpha=1), measures.Renyi(), measures.RoughSet(),
    measures.RoughSet(precision=0.7, against="granules"), measures.CFSSubset(),
]  # fmt: skip
SPLITS = [1, 2, 7, 64]


def split(codes, n_parts, seed=0):
    """Uneven partitions of the rows, some of which may be empty; their order is that of the rows."""
    ends = np.sort(np.random.default_rng(seed).integers(0, codes.n_rows + 1, n_parts - 1))
    return [codes.take_rows(part) for part in np.split(np.arange(codes.n_rows), ends)]


def table_of_codes(parts, names):
    """A table whose rows are split into tables of codes with the same levels."""
    counts = CellCounts(PartitionedCells(InThreads(parts, Threads(1)), parts[0].n_levels))
    return PartitionedTable(units=Units(names), n_rows=counts.n_rows, _target=parts[0].target, _counts=counts)


def partitioned(X, y, n_parts, seed=0):
    return table_of_codes(split(make_codes(X, y), n_parts, seed), [f"x{j}" for j in range(X.shape[1])])


def path(selection):
    """Everything about the steps that does not depend on the clock."""
    return [(s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.residual) for s in selection.steps]


def signal_table(n_rows=300, n_columns=8):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, n_rows)
    noise = rng.integers(0, rng.integers(2, 9, n_columns), (n_rows, n_columns))
    X = np.where(rng.random((n_rows, n_columns)) < 0.3, y[:, None], noise)
    X[:, 5] = rng.integers(0, 280, n_rows)  # two-byte codes, more cells than rows
    X[:, 6] = X[:, 1]  # ties
    return X, y


@pytest.mark.parametrize("n_parts", SPLITS)
@pytest.mark.parametrize("measure", EXACT, ids=str)
def test_paths_are_the_same_bit_for_bit(measure, n_parts):
    """Picks, scores, runners-up, ties and residuals do not know how the rows are split."""
    X, y = signal_table()
    expected = path(run(make_table(X, y, needs=frozenset({Need.COUNTS})), measure))
    assert path(run(partitioned(X, y, n_parts), measure)) == expected


@pytest.mark.parametrize("measure", EXACT, ids=str)
@given(data=tables(), n_parts=st.sampled_from(SPLITS), seed=st.integers(0, 100))
@examples(15)
def test_any_split_of_any_table(measure, data, n_parts, seed):
    """The same on tables of all shapes, with empty partitions."""
    X, y = data
    expected = path(run(make_table(X, y, needs=frozenset({Need.COUNTS})), measure))
    assert path(run(partitioned(X, y, n_parts, seed), measure)) == expected


@pytest.mark.parametrize("n_parts", SPLITS)
@pytest.mark.parametrize("measure", EXACT_SETS, ids=str)
def test_values_of_subsets_are_the_same(measure, n_parts):
    """So do the values of whole subsets."""
    X, y = signal_table()
    subsets = np.random.default_rng(0).random((20, X.shape[1])) < 0.4
    values = [
        measure.begin_sets(data, None).values(subsets)
        for data in (make_table(X, y, needs=frozenset({Need.COUNTS})), partitioned(X, y, n_parts))
    ]
    assert np.array_equal(*values)


@pytest.mark.parametrize("alpha", [0.5, 2.0, 7.5])
def test_other_orders_up_to_rounding(alpha):
    """Sums of powers are sums of floats."""
    X, y = signal_table()
    one, many = make_table(X, y), partitioned(X, y, 7)
    subsets = np.random.default_rng(0).random((20, X.shape[1])) < 0.4
    measure = measures.Renyi(alpha=alpha)
    for step, other in zip(run(one, measure).steps, run(many, measure).steps, strict=True):
        assert step.columns == other.columns
        assert step.score == pytest.approx(other.score, abs=1e-12)
    expected = measure.begin_sets(one, None).values(subsets)
    assert measure.begin_sets(many, None).values(subsets) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n_parts", SPLITS)
@pytest.mark.parametrize("measure", ["jmi", measures.Renyi(alpha=1), measures.Renyi()], ids=str)
def test_the_residual_cut(measure, n_parts):
    """It stops at the same step, with the same residuals."""
    X, y = signal_table()
    expected = run(make_table(X, y, needs=frozenset({Need.COUNTS})), measure, cut="residual")
    found = run(partitioned(X, y, n_parts), measure, cut="residual")
    assert path(found) == path(expected)
    assert found.n_kept == expected.n_kept


def test_large_tables_of_counts_go_in_blocks(monkeypatch):
    """Blocks of candidates, and cells where a pair alone has too many, change nothing."""
    X, y = signal_table()
    expected = path(run(partitioned(X, y, 7), "jmi"))
    monkeypatch.setattr(cells, "BLOCK_CELLS", 600)
    assert path(run(partitioned(X, y, 7), "jmi")) == expected


@pytest.mark.parametrize("measure", [measures.Renyi(alpha=1), measures.Renyi()], ids=str)
def test_columns_of_any_size_keep_their_entropies(measure, monkeypatch):
    """Columns whose cells are too many for a block come last, and still get their own scores."""
    X, y = signal_table()
    expected = path(run(make_table(X, y, needs=frozenset({Need.COUNTS})), measure))
    for block_cells in (40, 200, 600, 3000):
        monkeypatch.setattr(cells, "BLOCK_CELLS", block_cells)
        assert path(run(partitioned(X, y, 3), measure)) == expected


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in sorted(registry.MEASURES)
        if registry.resolve_measure(name).needs_as_set() - PartitionedTable.offers
    ],
)
def test_all_other_measures_are_refused(name):
    """In one sentence, before any row is looked at, that names what works."""
    measure = registry.resolve_measure(name)
    search = registry.resolve_search(None, measure)
    with pytest.raises(CombinationError, match=r"the rows are partitioned. Hint: .*jmi") as caught:
        engine.check_fit(measure, search, registry.resolve_cut(1, measure, search), PartitionedTable.offers)
    assert str(caught.value).count(". ") == 1


def test_the_permutation_cut_is_refused():
    """Labels of single rows cannot be shuffled."""
    X, y = signal_table()
    with pytest.raises(CombinationError, match=r"Permutation needs labels of all rows.*residual"):
        run(partitioned(X, y, 2), "jmi", cut=cuts.Permutation())
    codes = make_codes(X, y)
    counts = CellCounts(PartitionedCells(InThreads(split(codes, 2), Threads(1)), codes.n_levels))
    with pytest.raises(CombinationError, match="cannot be shuffled"):
        counts.groups(Surprisal(300)).permuted(np.random.default_rng(0))


# -- other things that count ---------------------------------------------------------------------


class RowsOfTuples(Cells):
    """The least that a new kind of storage must do: answer two questions, here by plain Python."""

    def __init__(self, codes):
        self.rows = list(zip(*(column.tolist() for column in codes), strict=True))
        self.labels, self.n_rows, self.n_levels = codes.labels.tolist(), codes.n_rows, codes.n_levels
        self.class_sizes = np.bincount(codes.labels, minlength=codes.n_classes)

    def of_columns(self, columns, given, by_class):
        keys, labels, first = [], [], 0
        for f in columns.tolist():
            for row, label in zip(self.rows, self.labels, strict=True):
                key = row[f]
                for j in given:
                    key = key * int(self.n_levels[j]) + row[j]
                keys.append(first + key)
                labels.append(label if by_class else 0)
            first += math.prod(self.n_levels[[f, *given]].tolist())
        return Counted.of_rows(np.array(keys), np.array(labels), len(self.class_sizes) if by_class else 1)

    def of_subsets(self, subsets):
        found = []
        for subset in subsets:
            keys = [hash(tuple(np.array(row)[subset].tolist())) for row in self.rows]
            found.append(Counted.of_rows(np.array(keys), np.array(self.labels), len(self.class_sizes)))
        return found


@pytest.mark.parametrize("measure", [*EXACT[::3], *EXACT[-3:]], ids=str)
def test_two_questions_are_enough(measure):
    """Whatever answers them gives the same bits."""
    X, y = signal_table(120)
    codes = make_codes(X, y)
    units = Units([f"x{j}" for j in range(X.shape[1])])
    data = PartitionedTable(
        units=units, n_rows=len(X), _target=codes.target, _counts=CellCounts(RowsOfTuples(codes))
    )
    cut = "residual" if isinstance(measure, measures.Renyi) else 6
    expected = run(make_table(X, y, needs=frozenset({Need.COUNTS})), measure, cut=cut)
    assert path(run(data, measure, cut=cut)) == path(expected)


def test_two_questions_about_subsets():
    X, y = signal_table(120)
    codes = make_codes(X, y)
    one, other = LocalCounts(codes, Threads(1)), CellCounts(RowsOfTuples(codes))
    subsets = np.random.default_rng(0).random((20, X.shape[1])) < 0.4
    phi = Surprisal(len(X)).phi
    assert np.array_equal(one.subset_sums(subsets, phi, phi), other.subset_sums(subsets, phi, phi))
    assert np.array_equal(one.subset_peaks(subsets), other.subset_peaks(subsets))
    assert all(map(np.array_equal, one.level_sizes(), other.level_sizes()))


# -- encodings -----------------------------------------------------------------------------------


def mixed_frame():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "number": rng.normal(size=60),
            "few": rng.integers(0, 4, 60),
            "gaps": np.where(rng.random(60) < 0.2, np.nan, rng.normal(size=60)),
            "text": rng.choice(["a", "b", "c"], 60),
            "flag": rng.random(60) < 0.5,
            "time": pd.date_range("2020", periods=60, freq="D").to_numpy()[rng.permutation(60)],
        }
    )


@pytest.mark.parametrize("rules", [Rules(), Rules(3), Rules(4, "uniform"), Rules(binning="mdlp")], ids=str)
def test_an_encoding_replayed_on_parts_gives_the_same_codes(rules):
    """Raw edges and global levels: part by part or at once, the codes are the same."""
    frame = mixed_frame()
    target = encode_target((frame["number"] > 0).to_numpy())
    codes, encoding = encode(frame, target, rules=rules)
    assert Encoding.fit(frame, target, rules) == encoding
    for part in (range(60), range(3), range(3, 17), range(17, 60)):
        rows_of_part = list(part)
        applied = encoding.apply(frame.iloc[rows_of_part])
        assert np.array_equal(applied.n_levels, codes.n_levels)
        for whole, some in zip(codes, applied, strict=True):
            assert np.array_equal(whole[rows_of_part], some)


def test_arrays_that_lie_anywhere_in_memory():
    """Values at odd addresses, and codes that were sent from process to process, are as good as any."""
    X, y = signal_table()
    memory = np.zeros(X.size * 8 + 1, np.uint8)[1:].view(np.float64)
    memory[:] = X.T.ravel()
    odd = memory.reshape(X.shape[1], -1)
    assert not odd.flags.aligned
    expected = Encoding.fit(X.astype(float))
    assert Encoding.fit(odd.T[:, :1]).columns == expected.columns[:1]
    buffers = []
    pickled = pickle.dumps(make_codes(X, y), protocol=5, buffer_callback=buffers.append)
    shifted = [memoryview(bytearray(b"x") + bytes(buffer.raw()))[1:] for buffer in buffers]
    moved = pickle.loads(pickled, buffers=shifted)
    assert all(part.codes.flags.aligned for part in moved.parts)
    assert moved.labels.flags.aligned
    names = [f"x{j}" for j in range(X.shape[1])]
    assert path(run(table_of_codes([moved], names), "jmi")) == path(run(partitioned(X, y, 1), "jmi"))


def test_values_without_a_level_are_refused():
    """A category, a gap or a kind that was not there when the levels were found is named."""
    frame = mixed_frame()
    _, encoding = encode(frame)
    for column, value, message in [
        ("text", "d", "Column 'text' holds 'd', which it did not hold"),
        ("number", np.nan, "Column 'number' holds missing values"),
        ("text", None, "Column 'text' holds missing values"),
    ]:
        changed = frame.copy()
        changed.loc[0, column] = value
        with pytest.raises(DataError, match=message):
            encoding.apply(changed)
    with pytest.raises(DataError, match=r"knows 6 columns, 'number', .*, but got 2, 'text', 'few'"):
        encoding.apply(frame[["text", "few"]])
    with pytest.raises(DataError, match="the same order"):
        encoding.apply(frame[frame.columns[::-1]])
    with pytest.raises(DataError, match="Column 'few' holds 7, which it did not hold"):
        encoding.apply(frame.assign(few=7))
    with pytest.raises(
        DataError, match="Column 'text' holds strings or categories in one partition and numbers"
    ):
        encoding.apply(frame.assign(text=1))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint8])
def test_the_type_of_a_part_does_not_matter(dtype):
    """Whole numbers in one partition of a column with fractions, and edges beyond the part's type."""
    whole = np.linspace(-10.5, 500.5, 40)[:, None]
    encoding = Encoding.fit(whole, None, Rules(4))
    part = np.arange(0, 20)[:, None]
    expected = encoding.apply(part.astype(float)).column(0).tolist()
    assert encoding.apply(part.astype(dtype)).column(0).tolist() == expected


def test_parts_without_rows_or_values():
    """A part may be empty, or hold nothing but missing values of a category."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": ["a", "b", None, None], "number": [1.0, 2.0, 3.0, 4.0]})
    codes, encoding = encode(frame)
    assert encoding.apply(frame.iloc[:0]).n_rows == 0
    objects = pd.DataFrame({"text": np.array([None, None], dtype=object), "number": [3.0, 4.0]})
    for whole, some in zip(codes, encoding.apply(objects), strict=True):
        assert whole[2:].tolist() == some.tolist()


@pytest.mark.parametrize(
    "y", [np.repeat([0, 1, 2], 30), np.repeat(["a", "b", "c"], 30), np.linspace(0.5, 9.3, 90)]
)
def test_the_target_of_partitions(y):
    """Known classes are the same in every part; parts encoded on their own are refused."""
    X = np.arange(90)[:, None] % 7
    whole = encode_target(y)
    _, encoding = encode(X)
    parts = [encoding.apply(X[p], apply_target(y[p], whole.encoding)) for p in (slice(45), slice(45, 90))]
    assert np.concatenate([part.target.codes for part in parts]).tolist() == whole.codes.tolist()
    assert table_of_codes(parts, ["x"]).counts.class_sizes.tolist() == whole.class_sizes.tolist()
    if whole.values is None:
        with pytest.raises(DataError, match="not one of its known classes"):
            apply_target(np.append(y, y[-1] + (y[-1] if isinstance(y[-1], str) else 1)), whole.encoding)


def joint(columns, y):
    """Class counts of the rows that agree on all columns."""
    groups = {}
    for levels, label in zip(map(tuple, columns.tolist()), y.tolist(), strict=True):
        groups.setdefault(levels, []).append(label)
    return [np.bincount(labels, minlength=3) for labels in groups.values()]


def hits_and_entropy(columns, y):
    """Rows that the best rule gets right, and H(y | columns)."""
    counts = joint(columns, y)
    bits = [-(c[c > 0] * np.log2(c[c > 0] / c.sum())).sum() for c in counts]
    return sum(int(c.max()) for c in counts), sum(bits) / len(y)


@pytest.mark.parametrize("n_parts", SPLITS)
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_ties_of_min_entropy_are_broken_by_information(seed, n_parts):
    """Of the columns that leave the lowest Bayes risk the one with the largest I(f;y|S) is picked."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (40, 9)), rng.integers(0, 3, 40)
    steps = run(partitioned(X, y, n_parts), measures.Renyi(), cut=4).steps
    picked, n_ties = [], 0
    for step in steps:
        left = [j for j in range(9) if j not in picked]
        found = {j: hits_and_entropy(X[:, [*picked, j]], y) for j in left}
        most = max(hits for hits, _ in found.values())
        tied = {j: bits for j, (hits, bits) in found.items() if hits == most}
        assert step.column in tied
        assert tied[step.column] <= min(tied.values()) + 1e-12
        n_ties += len(tied) > 1
        picked.append(step.column)
    assert n_ties


@pytest.mark.parametrize("n_parts", SPLITS)
def test_max_risk_needs_counts_only(n_parts):
    """The same stop however the rows are split."""
    X, y = signal_table()
    cut = cuts.Residual(max_risk=0.2)
    expected = run(make_table(X, y, needs=frozenset({Need.COUNTS})), measures.Renyi(), cut=cut)
    assert 1 < expected.n_kept < 8
    assert path(run(partitioned(X, y, n_parts), measures.Renyi(), cut=cut)) == path(expected)


@pytest.mark.parametrize("correction", [None, "adjusted"])
def test_remote_columns_are_counted_like_own_columns(correction):
    """Columns of another chunk, at the places behind those of the chunk."""
    X, y = signal_table()
    phi = Surprisal(len(X), correction)
    whole = LocalCounts(make_codes(X, y), Threads(1))
    here, there = (
        CountsWithRemoteColumns(make_codes(part, y), 2, int(X.max()) + 1, Threads(1))
        for part in (X[:, :5], X[:, 5:])
    )
    sums = ColumnSums(here, phi)
    before, known = sums.f, sums.f.copy()
    own = np.arange(5)
    for k, place in ((2, 5), (0, 6)):
        assert here.take_in(there.as_remote(k)) == place
        expected = whole.pair_sums(5 + k, own, phi)[:, own]
        assert here.pair_sums(place, own, phi)[:, own].tolist() == expected.tolist()
    assert np.array_equal(before, known)  # what was given stays as it was
    expected = ColumnSums(whole, phi)
    assert sums.f[[*own, 6, 5]].tolist() == expected.f[[*own, 5, 7]].tolist()
    assert sums.relevance[[*own, 6, 5]].tolist() == expected.relevance[[*own, 5, 7]].tolist()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["cmim", "jmim"])
def test_columns_that_are_not_counted_cannot_win(name, seed):
    """Of many columns those with high bounds are counted alone; partitions count all of them at each step."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 60)
    X = np.where(rng.random((60, 90)) < rng.uniform(0, 0.5, 90), y[:, None], rng.integers(0, 3, (60, 90)))
    assert path(run(make_table(X, y), name)) == path(run(partitioned(X, y, 1), name))


@pytest.mark.parametrize("name", ["jmi", "cmim", "jmi3"])
def test_partitions_of_sparse_columns(name):
    """Columns that are stored by their few other values are counted as dense ones."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = np.where(rng.random((200, 6)) < 0.1, rng.integers(1, 3, (200, 6)) + (y == 1)[:, None], 0)
    half = make_codes(as_sparse(X), y)
    assert [type(part) for part in half.parts] == [SparsePart]
    twice = make_table(np.vstack([X, X]), np.append(y, y))
    assert path(run(table_of_codes([half, half], twice.names), name)) == path(run(twice, name))

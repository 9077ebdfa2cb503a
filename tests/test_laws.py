"""What must hold for any data: invariances of the result and laws of the numbers."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import entropick as ep
from entropick import measures
from entropick._base.threads import Threads
from entropick.contracts import COUNTED, Need
from entropick.exceptions import CombinationError, SelectionWarning
from entropick.registry import MEASURES
from entropick.table import encode
from helpers import KEEP_ALL_LEVELS, as_sparse, make_table, run
from strategies import examples, tables
from tables_of_all_kinds import KINDS, as_kind

# Measures of counts, column by column, and those of numbers whose sums are exact. Those of distances have
# their laws in tests/measures/neighbors, other measures of numbers in tests/measures/spectral/test_numbers.py (their sums of
# floats know the order of rows), those of whole subsets in tests/measures/test_set_measures.py.
OF_COUNTS = sorted(
    name for name, measure in MEASURES.items() if "step" in measure.kinds and measure.needs <= COUNTED
)
OF_NUMBERS = ["ecfs", "fisher_score", "ilfs", "inffs"]
ALL_MEASURES = sorted(OF_COUNTS + OF_NUMBERS)


def path(selection):
    """What must be equal bit for bit: picks, scores, runners-up and ties of every step."""
    return [(s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.n_ties) for s in selection.steps]


def signal_table(seed, n_rows=500, n_columns=30):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    levels = rng.integers(2, 9, n_columns)
    X = np.where(
        rng.random((n_rows, n_columns)) < 0.3, y[:, None], rng.integers(0, levels, (n_rows, n_columns))
    )
    X[:, n_columns // 2] = rng.integers(0, 400, n_rows)  # two-byte codes
    return X, y


@pytest.mark.parametrize("name", ALL_MEASURES)
@pytest.mark.parametrize(("n_jobs", "block_items"), [(2, None), (8, None), (1, 1), (2, 1), (2, 7), (8, 3)])
def test_threads_and_blocks_change_nothing(name, n_jobs, block_items):
    """The path is the same bit for bit for any number of threads and any block size."""
    X, y = signal_table(0, n_columns=8 if name == "markov_blanket" else 30)  # which tests many subsets
    expected = path(run(make_table(X, y), name, cut=8))
    with Threads(n_jobs, block_items) as threads:
        table = make_table(X, y, threads=threads)
        assert path(run(table, name, cut=8, threads=threads)) == expected


@pytest.mark.parametrize("name", ALL_MEASURES)
def test_containers_and_types_change_nothing(name):
    """Arrays of any type and order, dataframes and sparse matrices give the same path."""
    pd, pl, pa = (pytest.importorskip(module) for module in ("pandas", "polars", "pyarrow"))
    X, y = signal_table(1, n_rows=200, n_columns=10)
    expected = path(run(make_table(X, y), name))
    names = [f"x{j}" for j in range(X.shape[1])]
    readonly = X.astype(np.float64)
    readonly.setflags(write=False)
    containers = [
        X.astype(np.uint16), X.astype(np.int16), X.astype(np.float32), X.astype(np.float64),
        X.astype(">i4"), np.asfortranarray(X), X[::-1][::-1], readonly, X.astype(object), X.tolist(),
        pd.DataFrame(X, columns=names), pd.DataFrame(X, columns=names).astype("Int64"),
        pl.DataFrame(X, schema=names), pa.table(dict(zip(names, X.T, strict=True))), as_sparse(X),
        as_sparse(X).tocsc(), as_sparse(X).tocoo(),
    ]  # fmt: skip
    for container in containers:
        assert path(run(make_table(container, y), name)) == expected, type(container)


def fit(name, X, y):
    """Four columns by a measure of the registry; set measures step by the change of their value."""
    search = "ranking" if "ranking" in MEASURES[name].kinds else "forward"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)  # that nothing is to be found
        return ep.FeatureSelector(name, search, 4, target="class", random_state=0).fit(X, y).selection_


def check_same(found, expected, exactly):
    if exactly:
        assert path(found) == path(expected)
        assert found.scores.tobytes() == expected.scores.tobytes()
    else:  # numbers are summed in another order
        assert found.order.tolist() == expected.order.tolist()
        assert found.scores == pytest.approx(expected.scores, rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same_or_is_refused(kind, name):
    """Memory, partitions of rows and chunks of columns; what needs all rows in one place says so by name."""
    X, y = signal_table(4, *((30, 42) if kind == "chunks of columns" else (120, 9)))
    measure = MEASURES[name]()
    if not measure.uses_target:
        y = None
    if measure.needs_as_set() - COUNTED - {Need.SUMS}:
        with pytest.raises(CombinationError, match=rf"{type(measure).__name__} needs .* of all rows.*Hint: "):
            fit(name, *as_kind(kind, X, y))
    else:
        check_same(fit(name, *as_kind(kind, X, y)), fit(name, X, y), measure.needs <= COUNTED)


@pytest.mark.parametrize("name", sorted(name for name in MEASURES if MEASURES[name].needs <= COUNTED))
@examples(5)
@given(data=tables(min_rows=2), n_parts=st.sampled_from([1, 3, 7]))
def test_partitions_of_any_table_give_the_same_bits(name, data, n_parts):
    """Few rows, many levels, constants, partitions without rows."""
    X, y = data
    assume(len(np.unique(y)) > 1)
    check_same(fit(name, *as_kind(f"{n_parts} partitions", X, y)), fit(name, X, y), exactly=True)


@pytest.mark.parametrize("labels", [["a", "b", "c"], [10, -1, 7], [0.0, 1.0, 2.0], [True, False, False]])
def test_names_of_the_classes_change_nothing(labels):
    """Classes of any type; only which rows share a class matters."""
    X, y = signal_table(2)
    merged = np.array([labels.index(labels[k]) for k in y])
    expected = path(run(make_table(X, merged), "jmi", cut=5))
    assert path(run(make_table(X, np.array(labels)[y]), "jmi", cut=5)) == expected


@pytest.mark.parametrize("name", OF_COUNTS)
@examples(15)
@given(data=tables(), seed=st.integers(0, 1000))
def test_row_order_changes_nothing(name, data, seed):
    """Shuffled rows give the same path; sums of integers do not know an order."""
    X, y = data
    order = np.random.default_rng(seed).permutation(len(y))
    assert path(run(make_table(X[order], y[order]), name)) == path(run(make_table(X, y), name))


@pytest.mark.parametrize("name", OF_NUMBERS)
@examples(15)
@given(data=tables(), seed=st.integers(0, 1000))
def test_row_order_changes_scores_of_numbers_by_rounding_only(name, data, seed):
    """Sums of numbers do know an order, in their last digits; ties within these may fall otherwise."""
    X, y = data
    assume(len(y) > 1)  # a single row cannot be compared with others
    order = np.random.default_rng(seed).permutation(len(y))
    shuffled, expected = run(make_table(X[order], y[order]), name), run(make_table(X, y), name)
    if "ranking" in MEASURES[name].kinds:
        assert shuffled.scores == pytest.approx(expected.scores, rel=1e-9, abs=1e-9)
    assert shuffled.steps[0].score == pytest.approx(expected.steps[0].score, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", OF_COUNTS)
@examples(15)
@given(data=tables(), seed=st.integers(0, 1000))
def test_names_of_levels_change_nothing(name, data, seed):
    """Other names for the levels of the columns give the same path; numbers are more than names."""
    X, y = data
    rng = np.random.default_rng(seed)
    renamed = np.column_stack([rng.permutation(column.max() + 1)[column] for column in X.T])
    assert path(run(make_table(renamed, y), name)) == path(run(make_table(X, y), name))


@pytest.mark.parametrize("name", ALL_MEASURES)
@examples(15)
@given(data=tables(), seed=st.integers(0, 1000))
def test_column_order_changes_only_ties(name, data, seed):
    """Shuffled columns give the same scores; with equal scores the lower index goes first."""
    X, y = data
    assume(len(y) > 1 or name in OF_COUNTS)
    order = np.random.default_rng(seed).permutation(X.shape[1])
    expected, shuffled = run(make_table(X, y), name), run(make_table(X[:, order], y), name)
    first_tie = next((i for i, s in enumerate(expected.steps) if s.n_ties), len(expected.steps))
    picks = [int(order[s.column]) for s in shuffled.steps]
    assert picks[:first_tie] == [s.column for s in expected.steps][:first_tie]
    for a, b in zip(expected.steps[: first_tie + 1], shuffled.steps, strict=False):
        assert a.score == pytest.approx(b.score, rel=1e-11, abs=1e-12)


@given(data=tables())
def test_no_column_comes_twice(data):
    """Every column is picked once, whatever the measure, and no score is NaN."""
    X, y = data
    table = make_table(X, y)
    for name in ALL_MEASURES if len(y) > 1 else OF_COUNTS:
        steps = run(table, name).steps
        assert sorted(s.column for s in steps) == list(range(X.shape[1]))
        assert not any(math.isnan(s.score) for s in steps)


@given(data=tables())
def test_duplicates_tie_and_the_lower_index_wins(data):
    """A copy scores like its original and is recorded as a tie."""
    X, y = data
    doubled = np.column_stack([X, X[:, 0]])
    for name in ALL_MEASURES if len(y) > 1 else OF_COUNTS:
        if name == "markov_blanket":
            continue  # a copy is independent of y given its original
        step = run(make_table(doubled, y), name).steps[0]
        if step.column == 0:
            assert X.shape[1] in step.ties or step.n_ties > 20
        assert step.column < X.shape[1]


@given(data=tables())
def test_constant_column_tells_nothing(data):
    """A constant column has relevance 0 and gain 0 exactly."""
    X, y = data
    with_constant = np.column_stack([X, np.full(len(y), 7)])
    assert run(make_table(with_constant, y), "mim").scores[-1] == 0
    selection = run(make_table(with_constant, y), measures.Renyi(alpha=1))
    assert selection.scores[-1] == 0


@pytest.mark.parametrize(
    "name", sorted(name for name in MEASURES if MEASURES[name].kinds & {"step", "ranking"})
)
def test_constant_and_missing_columns_come_last(name):
    """Also where all others have negative scores, because they repeat each other or tell nothing."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(60, 3))
    X = np.column_stack([np.full(60, np.nan), np.full(60, 7.0), noise, noise[:, :1] + 0.01 * noise[:, 1:2]])
    options = {"correction": "adjusted"} if "correction" in MEASURES[name]().get_params() else {}
    if name == "renyi":
        options = {}
    selector = ep.FeatureSelector(MEASURES[name](**options), cut=ep.cuts.Count(6), random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selection = selector.fit(X, rng.integers(0, 2, 60)).selection_
    assert sorted(selection.order.tolist()[-2:]) == [0, 1]


@pytest.mark.parametrize("search", ["forward", "backward", "floating"])
def test_constants_come_last_in_every_path(search):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(60), rng.integers(0, 3, (60, 3)), np.zeros(60)])
    steps = run(
        make_table(X, rng.integers(0, 2, 60)), measures.MRMR(correction="adjusted"), search=search
    ).steps
    assert {step.column for step in steps[-2:]} == {0, 4}


def test_copies_come_after_columns_that_add_anything():
    """A copy of the best column shares its high score, and adds nothing."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    good = y ^ (rng.random(400) < 0.2)
    weak = (y ^ (rng.random((3, 400)) < 0.46)).T
    X = np.column_stack([good, good, 1 - good, weak])
    steps = run(make_table(X, y), measures.JMI()).steps
    gains = [step.gain for step in steps]
    assert steps[0].column == 0
    assert {step.column for step in steps if step.gain == 0} == {1, 2}
    assert all(later <= 0 for later in gains[gains.index(0.0) :])


@given(data=tables(max_columns=3))
def test_chain_rule_and_symmetry(data):
    """I(a;b) = I(b;a) = H(a) − H(a|b) and I(a,b;y) = I(a;y) + I(b;y|a)."""
    X, y = data
    assume(X.shape[1] >= 2)
    a, b = X[:, 0], X[:, 1]
    assert ep.mutual_information(a, b) == pytest.approx(ep.mutual_information(b, a), abs=1e-12)
    assert ep.mutual_information(a, b) == pytest.approx(
        ep.entropy(a) - ep.conditional_entropy(a, b), abs=1e-12
    )
    chain = ep.mutual_information(a, y) + ep.mutual_information(b, y, given=a)
    assert ep.mutual_information(X[:, :2], y) == pytest.approx(chain, abs=1e-12)


@given(data=tables(), alpha=st.sampled_from([0.2, 0.7, 1, 1.5, 3, 20, math.inf]))
def test_knowing_more_never_hurts(data, alpha):
    """0 ≤ H_α(y|X) ≤ H_α(y|x0) ≤ H_α(y): Arimoto's conditional entropy is monotone."""
    X, y = data
    everything, one, nothing = (
        ep.conditional_entropy(y, X, alpha),
        ep.conditional_entropy(y, X[:, 0], alpha),
        ep.entropy(y, alpha),
    )
    assert -1e-12 <= everything <= one + 1e-9
    assert one <= nothing + 1e-9


@given(data=tables())
def test_entropy_falls_with_the_order(data):
    """Rényi entropy is weakly decreasing in α, between log2 of the levels and min-entropy."""
    X, _ = data
    values = [ep.entropy(X[:, 0], alpha) for alpha in (0.1, 0.5, 0.999, 1, 1.001, 2, 50, math.inf)]
    assert all(low <= high + 1e-9 for high, low in itertools.pairwise(values))
    assert values[0] <= np.log2(len(np.unique(X[:, 0]))) + 1e-9


@given(data=tables())
def test_incremental_equals_from_scratch(data):
    """The residual entropy kept along the path equals the entropy computed at once."""
    X, y = data
    selection = run(make_table(X, y), measures.Renyi(alpha=1))
    for i in range(len(selection.steps)):
        picked = [s.column for s in selection.steps[: i + 1]]
        expected = ep.conditional_entropy(y, X[:, picked])
        assert selection.steps[i].residual == pytest.approx(expected, abs=1e-9)


def test_table_cannot_be_changed():
    """The encoded table is immutable."""
    X, _ = signal_table(3)
    for container in (X, as_sparse(X)):
        table, _ = encode(container, rules=KEEP_ALL_LEVELS)
        for part in table.parts:
            with pytest.raises(ValueError, match="read-only"):
                part.codes[..., 0] = 1
        with pytest.raises(AttributeError):
            table.n_rows = 3

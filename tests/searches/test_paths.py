"""Backward elimination, floating and exhaustive search against plain loops over naive entropies."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick import measures
from entropick.exceptions import CombinationError, DataError
from entropick.records.selection import SHOWN_TIES
from entropick.searches import paths
from helpers import columns_of, make_table, run
from strategies import examples, tables

SHANNON = measures.Renyi(alpha=1)
REMOVABLE = [
    "mifs",
    "mrmr",
    "cife",
    "jmi",
    "disr",
    "icap",
    "renyi",
    "bayesian",
    "pairwise_balance",
    "joint_balance",
]


def open_bits(columns, labels, subset):
    """H(y|S) by counting with dictionaries."""
    return naive.conditional_entropy(labels, [columns[j] for j in subset])


def close(value):
    return pytest.approx(value, abs=1e-9)


@given(data=tables())
@examples(25)
def test_backward_takes_out_what_is_missed_least(data):
    """Every elimination is a true minimum of H(y|S without f); constants go first, ties keep the lowest index."""
    X, y = data
    columns, labels = columns_of(X), list(y)
    steps = run(make_table(X, y), SHANNON, search="backward").steps
    left = list(range(X.shape[1]))
    assert sorted(step.column for step in steps) == left
    for step in steps[:0:-1]:
        without = {j: open_bits(columns, labels, [k for k in left if k != j]) for j in left}
        least = min(without.values())
        assert without[step.column] == close(least)
        assert step.score == close(without[step.column] - open_bits(columns, labels, left))
        tied = [j for j in left if without[j] <= least + 1e-12]
        assert step.column == max([j for j in tied if len(set(columns[j])) == 1] or tied)
        left.remove(step.column)


@given(data=tables())
@examples(25)
def test_floating_replayed(data):
    """Picks and removals are those of the published loop, with constants last in and first out."""
    X, y = data
    columns, labels = columns_of(X), list(y)

    def merit(subset):
        return -open_bits(columns, labels, subset) if subset else 0.0

    subset, best, left_out = [], {}, []
    n = X.shape[1]
    while len(subset) < n:
        rest = [j for j in range(n) if j not in subset]
        rest = [j for j in rest if len(set(columns[j])) > 1] or rest
        gains = [merit([*subset, j]) for j in rest]
        subset.append(next(j for j, gain in zip(rest, gains, strict=True) if gain >= max(gains) - 1e-12))
        best[len(subset)] = max(best.get(len(subset), -np.inf), merit(subset))
        while len(subset) > 2:
            removable = [j for j in subset if len(set(columns[j])) == 1] or subset
            merits = {j: merit([k for k in subset if k != j]) for j in removable}
            worst = next(j for j in removable if merits[j] >= max(merits.values()) - 1e-12)
            if merits[worst] <= best[len(subset) - 1] + 1e-12:
                break
            left_out.append(worst)
            subset.remove(worst)
            best[len(subset)] = merit(subset)
    selection = run(make_table(X, y), SHANNON, search="floating")
    assert [step.column for step in selection.steps] == subset
    assert {j for step in selection.steps for j in step.dropped} <= set(left_out)


def test_floating_undoes_a_pick():
    """A column that is best alone and useless beside a pair that determines y is dropped."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 400))
    y = a ^ b
    alone = np.where(rng.random(400) < 0.8, y, 1 - y)
    X = np.column_stack([alone, a, b, rng.integers(0, 2, 400)])
    forward = run(make_table(X, y), SHANNON, cut="residual")
    floating = run(make_table(X, y), SHANNON, search="floating", cut="residual")
    assert forward.order.tolist() == [0, 2, 1]
    assert sorted(floating.order.tolist()) == [1, 2]
    assert floating.steps[-1].dropped == (0,)
    assert floating.to_dict()["steps"][-1]["dropped"] == ["x0"]
    assert run(make_table(X, y), SHANNON, search="floating", cut=3).order.tolist() == [2, 1, 0]
    tested = run(make_table(X, y), SHANNON, search="floating", cut=ep.cuts.Permutation(0.3, random_state=0))
    assert sorted(tested.order.tolist()) == [1, 2]


@pytest.mark.parametrize("search", ["backward", "floating"])
@pytest.mark.parametrize("measure", REMOVABLE)
def test_paths_of_every_measure_that_can_exclude(measure, search):
    """All columns come once, with runner-up, and fixed ones first; the merits are those of fresh states."""
    X, y = ep.datasets.make_led24(n_samples=200, random_state=0)
    X = X[:, :8]
    selection = ep.select(X, y, measure=measure, search=search, cut=8, fixed_features=[3])
    assert sorted(selection.order.tolist()) == list(range(8))
    assert selection.steps[0].columns == (3,)
    assert selection.steps[0].fixed
    others = selection.steps[1:]
    assert all(np.isfinite(step.score) for step in others)
    assert any(step.runner_up is not None for step in others)


@pytest.mark.parametrize("measure", ["mifs", "mrmr", "cife", "jmi", "disr", "icap"])
def test_pairwise_merits_do_not_know_the_way(measure):
    """Columns put in and taken out again leave the scores of a state that never had them."""
    X, y = ep.datasets.make_led24(n_samples=200, random_state=0)
    data = make_table(X[:, :8], y)
    kind = ep.registry.MEASURES[measure]()
    winding, straight = kind.begin_removals(data, None), kind.begin_removals(data, None)
    for column in (5, 1, 2):
        winding.include(column)
    winding.merits_without(np.array([5, 1]))
    winding.exclude(1)
    winding.include(7)
    winding.exclude(5)
    for column in (2, 7):
        straight.include(column)
    rest = np.array([0, 1, 3, 4, 5, 6])
    every = dict(zip(*winding.compete(rest)[:2], strict=True))
    finalists = straight.compete(rest)  # all, or those that may win
    assert len(every) == len(rest)
    assert [every[column] for column in finalists.columns] == pytest.approx(finalists.scores, abs=1e-12)
    assert winding.merit() == pytest.approx(straight.merit(), abs=1e-12)
    alone = kind.begin_removals(data, None)
    alone.include(7)
    assert straight.merits_without(np.array([2]))[0] == pytest.approx(alone.merit(), abs=1e-12)


@pytest.mark.parametrize("measure", ["mifs", "mrmr", "cife", "jmi", "disr", "icap"])
def test_pairwise_merits_are_means_over_the_members(measure):
    """Of the score of each given the others, as a forward search would compute it."""
    X, y = ep.datasets.make_led24(n_samples=200, random_state=0)
    data, kind = make_table(X[:, :8], y), ep.registry.MEASURES[measure]()

    def mean_score(members):
        scores = []
        for column in members:
            state = kind.begin_removals(data, None)
            for other in members:
                if other != column:
                    state.include(other)
            scores.append(state.compete(np.array([column])).scores[0])
        return np.mean(scores)

    state = kind.begin_removals(data, None)
    for column in (5, 1, 2, 7):
        state.include(column)
    assert state.merit() == pytest.approx(mean_score([5, 1, 2, 7]), abs=1e-12)
    without = state.merits_without(np.array([1, 7]))
    assert without == pytest.approx([mean_score([5, 2, 7]), mean_score([5, 1, 2])], abs=1e-12)


@pytest.mark.parametrize("search", ["forward", "backward"])
def test_the_first_score_is_what_the_column_adds_to_nothing(search):
    """For a set measure too: I(f;y) for Shannon's entropy, so that a threshold at 0 makes sense."""
    X, y = ep.datasets.make_corral()
    selection = ep.select(X, y, measure=SHANNON, search=search, cut="threshold")
    first = selection.steps[0]
    assert first.score == close(ep.mutual_information(X[:, first.column], y))
    assert len(selection.order) >= 4


def test_floating_records_what_the_kept_columns_leave_open():
    """After a removal residuals are those of the columns that are left; the newest pick always stays."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (40, 7)), rng.integers(0, 2, 40)
    for measure in ("cife", SHANNON):
        for step in run(make_table(X, y), measure, search="floating", cut=7).steps:
            assert step.column not in step.dropped
    a, b = rng.integers(0, 2, (2, 400))
    hint = np.where(rng.random(400) < 0.8, a ^ b, 1 - (a ^ b))
    X, y = np.column_stack([hint, a, b]), a ^ b
    for cut in ("residual", ep.cuts.Permutation(0.5, random_state=0)):
        steps = run(make_table(X, y), SHANNON, search="floating", cut=cut).steps
        for i, step in enumerate(steps):
            picked = [s.column for s in steps[: i + 1]]
            assert step.residual == close(ep.conditional_entropy(y, X[:, picked]))


def test_measures_that_cannot_exclude_are_refused():
    """By name, with the searches that fit."""
    for search in ("backward", "floating"):
        with pytest.raises(CombinationError, match=r"needs a removal or set measure, but CMIM.*forward"):
            ep.select([[0, 1], [1, 0]], [0, 1], measure="cmim", search=search)


# -- exhaustive ----------------------------------------------------------------------------------


def smallest_by_enumeration(columns, labels):
    """Least H(y|S) of each size, over all subsets."""
    everything = range(len(columns))
    return {
        size: min(open_bits(columns, labels, subset) for subset in itertools.combinations(everything, size))
        for size in range(1, len(columns) + 1)
    }


@given(data=tables())
@examples(25)
def test_exhaustive_equals_enumeration(data):
    """The best value of each size, and no subset smaller than needed, for a monotone measure."""
    X, y = data
    columns, labels = columns_of(X), list(y)
    least = smallest_by_enumeration(columns, labels)
    size = next(k for k, value in least.items() if value <= least[len(columns)] + 1e-12)
    selection = run(make_table(X, y), SHANNON, search="exhaustive", cut="auto")
    assert selection.n_kept == size
    assert open_bits(columns, labels, selection.order.tolist()) == close(least[size])
    assert f"fewer than {size} columns" in selection.exploration.statement
    front = selection.exploration.front
    for subset, value in zip(front.subsets, front.objectives[:, 0], strict=True):
        assert value == close(least[int(subset.sum())])


def test_branch_and_bound_leaves_out_most_subsets(monkeypatch):
    """With the same result as without it."""
    monkeypatch.setattr("entropick.searches.subsets.exhaustive.BATCH_SUBSETS", 8)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 14))
    y = X[:, 3] ^ X[:, 8] ^ X[:, 11]
    data = make_table(X, y)
    found = run(data, SHANNON, search="exhaustive", cut="auto")
    assert found.order.tolist() == [3, 8, 11]
    assert found.exploration.history[-1].n_evaluated < 2**14


def test_exhaustive_of_a_measure_that_is_not_monotone():
    """All subsets are scored, and the best of all is kept."""
    X, y = ep.datasets.make_led24(n_samples=100, random_state=0)
    X = X[:, :6]
    data, measure = make_table(X, y), measures.JointBalance(weight=0.6)
    found = run(data, measure, search="exhaustive", cut="auto")
    subsets = np.array(list(itertools.product([False, True], repeat=6)))[1:]
    values = measure.begin_sets(data, None).values(subsets)[:, 0]
    assert found.exploration.history[-1].n_evaluated == 63
    assert found.exploration.front.objectives[0, 0] == close(values.min())


def test_exhaustive_with_fixed_columns_and_limits():
    """Fixed columns are in every subset; too many columns and a lack of time are said."""
    X, y = ep.datasets.make_corral(random_state=0)
    selection = ep.select(X, y, measure=SHANNON, search="exhaustive", fixed_features=[5])
    assert selection.order[0] == 5
    assert set(selection.order.tolist()) == {0, 1, 2, 3, 5}
    assert "fewer than 5 columns that has the fixed ones" in selection.exploration.statement
    grouped = ep.select(X, y, measure=SHANNON, search="exhaustive", feature_groups=[[0, 1], [2, 3]])
    assert "fewer than 2 groups or single columns reaches" in grouped.exploration.statement
    wide = np.random.default_rng(0).integers(0, 2, (50, 26))
    with pytest.raises(DataError, match="limited to 25 columns, but there are 26"):
        ep.select(wide, wide[:, 0], measure=SHANNON, search="exhaustive")
    hurried = ep.searches.Exhaustive(max_time=1e-9)
    selection = ep.select(wide[:, :20], wide[:, 25], measure=measures.JointBalance(), search=hurried)
    assert not selection.complete
    assert selection.exploration.statement is None


@pytest.mark.parametrize("search", ["forward", "backward", "floating"])
def test_set_measures_are_walked_by_their_values(search):
    """A wrapper around an estimator, which cannot say what no columns are worth, column by column."""
    X, y = ep.datasets.make_corral(random_state=0)
    selection = ep.select(X, y, measure="cross_validated", search=search, cut=2)
    assert len(selection.order) == 2


@given(seed=st.integers(0, 1000), n=st.sampled_from([1, 2, 63, 64, 65, 84, 85, 191, 192, 193, 300]))
@examples(20)
def test_ranking_of_many_columns(seed, n):
    """Steps are made in blocks; runners-up and ties may be in later ones."""
    scores = np.random.default_rng(seed).integers(0, 1 + seed % 40, n) / 8
    columns = np.arange(n) + 5
    order = sorted(range(n), key=lambda j: (-scores[j], j))
    steps = list(paths._ranked(columns, scores, 0.0))
    assert [step.column for step in steps] == columns[order].tolist()
    for i, step in enumerate(steps):
        later = [int(columns[j]) for j in order[i + 1 :]]
        ties = [column for column in later if scores[column - 5] == scores[order[i]]]
        assert step.score == scores[order[i]]
        assert step.runner_up == (later[0] if later else None)
        assert step.runner_up_score == (scores[later[0] - 5] if later else None)
        assert (step.n_ties, list(step.ties)) == (len(ties), ties[:SHOWN_TIES])

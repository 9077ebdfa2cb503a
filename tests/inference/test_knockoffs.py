"""Knockoffs: exchangeable with their columns, by enumeration; the threshold against a naive one."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import entropick as ep
import naive
from entropick._base.threads import Threads
from entropick.counting.local import LocalCounts
from entropick.inference.knockoffs import (
    PSEUDO_ROWS,
    Forest,
    entropy_scales,
    gaussian_knockoffs,
    grow_forest,
    knockoff_q_values,
    rows_of_levels,
    tree_knockoffs,
)
from entropick.table.codes import Codes, dense_parts

SHAPES = {"chain": [-1, 0, 1], "star": [-1, 0, 0], "tree": [-1, 0, 0, 1], "forest": [-1, 0, -1]}


def draw_tree(parents, n_levels, n_rows, rng):
    """Rows of a tree; a column comes after its parent."""
    columns = []
    for parent, n in zip(parents, n_levels, strict=True):
        tables = rng.dirichlet(np.ones(n), 1 if parent < 0 else n_levels[parent])
        given = tables[np.zeros(n_rows, int) if parent < 0 else columns[parent]]
        columns.append((rng.random((n_rows, 1)) > np.cumsum(given, axis=1)).sum(axis=1).clip(max=n - 1))
    return columns


def counted_model(columns, parents, n_levels):
    """P(x) of the tree with the smoothed conditional distributions of a table, by definition."""
    n = len(columns[0])
    table = [column.tolist() for column in columns]
    alone = [Counter(column) for column in table]
    pairs = [Counter(zip(table[j], table[p], strict=True)) for j, p in enumerate(parents)]
    model = {}
    for x in itertools.product(*map(range, n_levels)):
        p = 1.0
        for j, parent in enumerate(parents):
            marginal = alone[j][x[j]] / n
            n_alike, n_both = n, alone[j][x[j]]
            if parent >= 0:
                n_alike, n_both = alone[parent][x[parent]], pairs[j][x[j], x[parent]]
            p *= (n_both + PSEUDO_ROWS * marginal) / (n_alike + PSEUDO_ROWS)
        model[x] = p
    return model


@pytest.mark.parametrize("n_copies", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_sequential_pairs_can_be_swapped(shape, n_copies):
    """By enumeration: any column and any of its copies change places, and nothing changes."""
    rng = np.random.default_rng(1)
    parents = SHAPES[shape][:3]
    n_levels = [2, 3, 2][: len(parents)]
    model = counted_model(draw_tree(parents, n_levels, 40, rng), parents, n_levels)
    pairs = naive.sequential_pairs(model, n_copies)
    assert sum(pairs.values()) == pytest.approx(1)
    for (x, copies), p in pairs.items():
        for j in range(len(x)):
            x_new, copy_new = list(x), list(copies[0])
            x_new[j], copy_new[j] = copy_new[j], x_new[j]
            swapped = tuple(x_new), (tuple(copy_new), *copies[1:])
            assert pairs[swapped] == pytest.approx(p)


@pytest.mark.parametrize(("shape", "n_copies"), [("chain", 2), ("tree", 1), ("tree", 2), ("forest", 1)])
def test_draws_follow_the_enumerated_distribution(shape, n_copies):
    rng = np.random.default_rng(2)
    parents = SHAPES[shape]
    n_levels = [2, 3, 2, 2][: len(parents)]
    columns = [np.tile(column, 500) for column in draw_tree(parents, n_levels, 30, rng)]
    forest = Forest(list(reversed(range(len(parents)))), np.array(parents), np.zeros((0, 0)))
    given = np.zeros(len(parents), bool)
    drawn = tree_knockoffs(columns, np.array(n_levels), forest, given, n_copies, rng)
    expected = naive.sequential_pairs(counted_model(columns, parents, n_levels), n_copies)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    copies = [zip(*(drawn[j][k].tolist() for j in range(len(parents))), strict=True) for k in range(n_copies)]
    found = Counter(zip(rows, zip(*copies, strict=True), strict=True))
    of_x, model_of_x = Counter(), Counter()
    for (x, _), n in found.items():
        of_x[x] += n
    for (x, _), p in expected.items():
        model_of_x[x] += p
    cells = [(found[x, z], of_x[x] * p / model_of_x[x]) for (x, z), p in expected.items() if of_x[x]]
    large = [cell for cell in cells if cell[1] >= 5]
    rest = [sum(part) for part in zip(*(cell for cell in cells if cell[1] < 5), strict=True)] or [0, 0]
    counts, sizes = np.array([*large, rest] if rest[1] >= 5 else large).T
    assert chisquare(counts, sizes * counts.sum() / sizes.sum()).pvalue > 1e-3


def test_given_columns_are_not_drawn_and_their_children_follow_them():
    rng = np.random.default_rng(3)
    number = rng.integers(0, 4, 4000)
    child = (number + rng.integers(0, 2, 4000)) % 4
    forest = Forest([1, 0], np.array([-1, 0]), np.zeros((0, 0)))
    drawn = tree_knockoffs([number, child], np.array([4, 4]), forest, np.array([True, False]), 1, rng)
    assert list(drawn) == [1]
    joints = [np.bincount(number * 4 + each, minlength=16) / 4000 for each in (child, drawn[1][0])]
    assert np.abs(joints[0] - joints[1]).max() < 0.02


def counts_of(columns, n_levels):
    n = len(columns[0])
    parts = dense_parts(dict(enumerate(columns)), np.array(n_levels), n)
    return LocalCounts(Codes(n, np.array(n_levels), parts), Threads(1))


def test_the_forest_finds_the_tree_and_nothing_in_noise():
    """Columns of many levels are not joined by chance, and copies of them are."""
    rng = np.random.default_rng(4)
    columns = draw_tree([-1, 0, 1, 1, -1], [3, 3, 3, 3, 60], 1500, rng)
    columns.append((columns[4] + 7) % 60)
    columns += [rng.integers(0, n, 1500) for n in (2, 30, 60)]
    forest = grow_forest(counts_of(columns, [3, 3, 3, 3, 60, 60, 2, 30, 60]), np.ones(9, bool))
    edges = {frozenset((j, int(p))) for j, p in enumerate(forest.parents) if p >= 0}
    assert edges == {frozenset(edge) for edge in [(0, 1), (1, 2), (1, 3), (4, 5)]}
    assert all(forest.order.index(j) < forest.order.index(p) for j, p in enumerate(forest.parents) if p >= 0)


@pytest.mark.parametrize("n_copies", [1, 3])
def test_gaussian_copies_covary_as_they_should(n_copies):
    """Σ among copies, Σ − diag(s) between columns and copies; s makes the entropy stationary."""
    rng = np.random.default_rng(5)
    mixing = rng.normal(size=(4, 4))
    values = mixing @ rng.normal(size=(4, 20_000))
    given = np.array([False, False, False, True])
    rows = gaussian_knockoffs(
        values, [np.zeros((0, 20_000))] * 4, [np.zeros(20_000, int)] * 4, given, n_copies, rng
    )
    copies = np.stack([[values[j][rows[k, j]] for j in range(4)] for k in range(n_copies)])
    among = np.corrcoef(values)
    scales = entropy_scales(among, given, n_copies)
    assert scales[3] == 0
    inverse = np.linalg.inv((n_copies + 1) * among - n_copies * np.diag(scales))
    np.testing.assert_allclose((1 / np.diag(inverse))[:3], scales[:3], rtol=1e-3)
    for k in range(n_copies):
        both = np.corrcoef(np.vstack([values, copies[k]]))
        np.testing.assert_allclose(both[4:, 4:], among, atol=0.03)
        np.testing.assert_allclose(both[:4, 4:], among - np.diag(scales), atol=0.03)
    if n_copies > 1:
        between = np.corrcoef(np.vstack([copies[0], copies[1]]))[:4, 4:]
        np.testing.assert_allclose(between, among - np.diag(scales), atol=0.03)


def test_rows_of_levels_have_these_levels():
    rng = np.random.default_rng(6)
    levels = rng.integers(0, 5, 100)
    drawn = rng.integers(0, 5, (3, 100))
    assert (levels[rows_of_levels(levels, 5, drawn, rng)] == drawn).all()


@pytest.mark.parametrize("seed", range(30))
def test_the_threshold_is_that_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    margins = rng.integers(0, 8, 25) / 4
    is_won = rng.random(25) < 0.7
    for n_copies in (1, 5):
        q_values = knockoff_q_values(margins, is_won, n_copies)
        for q in (0.05, 0.1, 0.3, 0.6):
            kept = naive.knockoff_threshold(margins.tolist(), is_won.tolist(), n_copies, q)
            assert np.flatnonzero(q_values <= q).tolist() == kept


@pytest.mark.slow
def test_the_rate_holds_for_categories_in_a_tree():
    rng = np.random.default_rng(7)
    parents = [-1] + [(j - 1) // 2 for j in range(1, 30)]
    rates = []
    for seed in range(40):
        columns = np.column_stack(draw_tree(parents, [3] * 30, 500, rng))
        signal = columns[:, :6] @ np.ones(6)
        y = rng.random(500) < 1 / (1 + np.exp(-1.5 * (signal - signal.mean())))
        cut = ep.cuts.Knockoffs(q=0.2, random_state=seed)
        found = set(ep.select(columns, y, measure="jmi", cut=cut).order.tolist())
        rates.append(len(found - set(range(6))) / max(len(found), 1))
    assert np.mean(rates) <= 0.2 + 2 * np.std(rates) / np.sqrt(40)

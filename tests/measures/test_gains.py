"""Gains of columns: those that add no more than chance are skipped or marked."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.measures.pairs.gains import Gains


def noise_of_many_levels(seed):
    """The table of docs/methods/jmi.md: what tells of y, a noisy copy of it, and noise of 150 levels."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, 2000), (rng.random(2000) < 0.2).astype(int)
    y = a ^ b
    weak = y ^ (rng.random(2000) < 0.35)
    names = rng.integers(0, 150, 2000).astype(str)
    return pd.DataFrame({"name": names, "a": a, "b": b, "weak": weak}), y


@pytest.mark.slow
def test_noise_of_many_levels_comes_last():
    """In 100 of 100 tables; by frequencies alone the noisy copy does."""
    tables = [noise_of_many_levels(seed) for seed in range(100)]
    assert [int(ep.JMI(4).fit(X, y).order_[-1]) for X, y in tables] == [0] * 100
    assert ep.JMI(4, correction=None).fit(*tables[0]).order_[-1] == 3


@pytest.mark.parametrize("seed", range(8))
def test_a_strong_cause_is_not_crowded_out(seed):
    """Beside six columns of a hundred levels and six binary ones, in 300 rows."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 300)
    X = pd.DataFrame({f"id{k}": rng.integers(0, 100, 300).astype(str) for k in range(6)})
    for k in range(6):
        X[f"coin{k}"] = rng.integers(0, 2, 300)
    X["cause"] = np.where(rng.random(300) < 0.75, y, 1 - y)
    selection = ep.JMI(13).fit(X, y).selection_
    assert selection.selected_names[0] == "cause"
    assert not selection.steps[0].is_chance
    assert sum(step.is_chance for step in selection.kept) >= 10


@pytest.mark.slow
def test_a_column_that_may_be_chance_is_passed_over():
    """Many levels seem to add more than a weak real column, but may do so by chance."""
    found = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 400)
        weak = np.where(rng.random(400) < 0.62, y, 1 - y)
        X = pd.DataFrame({"weak": weak, "code": rng.integers(0, 60, 400).astype(str)})
        selection = ep.JMI(2).fit(X, y).selection_
        gains = ep.MIM(2, correction="adjusted").fit(X, y).scores_
        if gains[1] > gains[0] and not selection.steps[0].is_chance:
            found += 1
            assert selection.selected_names == ["weak", "code"]
    assert found > 0


def test_pairs_that_tell_something_together_only_are_found():
    """Each of the two adds nothing alone; once one is in, the other is no chance."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 600))
    X = pd.DataFrame({"a": a, "b": b, "noise": rng.integers(0, 2, 600)})
    steps = ep.JMI(3).fit(X, a ^ b).selection_.steps
    second = next(i for i, step in enumerate(steps) if step.gain > 0.5)
    assert {steps[i].column for i in range(second + 1)} >= {0, 1}
    assert not steps[second].is_chance
    assert steps[second].explained > 0.98


def test_a_number_of_columns_is_filled_with_marked_ones():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 500)
    X = pd.DataFrame(rng.normal(size=(500, 12)))
    X[0] += y
    selection = ep.JMI(10).fit(X, y).selection_
    assert len(selection.order) == 10
    assert [step.is_chance for step in selection.kept] == [False] + [True] * 9


@pytest.mark.slow
def test_of_noise_alone_few_first_picks_are_taken_for_more():
    """Five in a hundred are allowed."""
    taken = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 2 + np.arange(20), (300, 20)), rng.integers(0, 2, 300)
        taken += not ep.JMI(1).fit(X, y).selection_.steps[0].is_chance
    assert taken <= 20


def test_explained_shares_never_fall_and_stay_below_one():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 4, 300)
    X = np.column_stack([y % 2, y // 2, rng.integers(0, 9, (300, 6))])
    shares = [step.explained for step in ep.JMI(8).fit(X, y).selection_.kept]
    assert shares == sorted(shares)
    assert shares[1] == pytest.approx(1, abs=0.02)
    assert shares[-1] <= 1


def test_noise_alone_explains_nothing_to_speak_of():
    rng = np.random.default_rng(3)
    steps = ep.JMI(10).fit(rng.integers(0, 9, (400, 10)), rng.integers(0, 2, 400)).selection_.kept
    assert steps[-1].explained < 0.05


def gains_of(bits, expected, n_rows):
    """What columns tell alone, in bits."""
    surprisal = SimpleNamespace(unit=1.0, n_effective=n_rows)
    return Gains(SimpleNamespace(relevance=bits, expected=expected, f=bits, surprisal=surprisal))


@pytest.mark.slow
@pytest.mark.parametrize("n_levels", [2, 5, 30])
def test_tails_are_those_of_shuffled_labels(n_levels):
    """Of columns that tell nothing, about one in ten has a tail below 0.1."""
    rng = np.random.default_rng(n_levels)
    X, y = rng.integers(0, n_levels, (400, 4000)), rng.integers(0, 2, 400)
    adjusted = ep.MIM(1, correction="adjusted", n_bins=30).fit(X, y).scores_
    plain = ep.MIM(1, correction=None, n_bins=30).fit(X, y).scores_
    columns, tails = np.arange(4000), gains_of(adjusted, plain - adjusted, 400)
    p_values = tails.tested(columns)[1]
    assert 0.06 < (p_values < 0.1).mean() < 0.14
    for level in (0.3, 0.1, 0.05, 0.01, 0.001, 1e-7):
        assert tails.within(columns, level).tolist() == np.flatnonzero(p_values <= level).tolist()


@pytest.mark.parametrize("seed", range(30))
def test_tails_beside_columns_that_cannot_tell_anything(seed):
    """Those of copies are 1, and the others what they are without the copies between them."""
    rng = np.random.default_rng(seed)
    expected = rng.random(40) * (rng.random(40) < 0.5)
    gains = rng.random(40) * (expected > 0)
    p_values = gains_of(gains, expected, 50).tested(np.arange(40))[1]
    free = np.flatnonzero(expected)
    alone = [gains_of(gains[[j]], expected[[j]], 50).tested(np.array([0]))[1][0] for j in free]
    assert p_values[free].tolist() == alone
    assert (p_values[expected == 0] == 1).all()


def test_an_exact_and_a_near_copy_side_by_side():
    """Such a table once ended the process."""
    rng = np.random.default_rng(6)
    Z = rng.normal(size=(800, 8))
    y = (rng.random(800) < 1 / (1 + np.exp(-(1.5 * Z[:, 0] + Z[:, 1] + 0.5 * Z[:, 2])))).astype(int)
    X = np.column_stack([Z, Z[:, 0] * 100, Z[:, 0] + 0.05 * rng.normal(size=800)])
    orders = [ep.JMI("auto").fit(X, y).order_.tolist() for _ in range(3)]
    assert orders == orders[:1] * 3


@pytest.mark.parametrize("method", ["JMI", "CIFE", "DISR"])
def test_what_follows_a_copy_of_the_target_is_ordered_by_relevance(method):
    """Nothing can add to a column that determines y: what tells most alone comes next, not the first column."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    noisy = {f"errs{share}": np.where(rng.random(300) < share / 100, 1 - y, y) for share in (40, 30, 20)}
    X = pd.DataFrame({"name": np.arange(300.0), "coin": rng.integers(0, 2, 300), **noisy, "copy": y})
    selection = getattr(ep, method)(3, correction="adjusted").fit(X, y).selection_
    assert selection.selected_names[:2] == ["copy", "errs20"]
    assert "name" not in selection.selected_names

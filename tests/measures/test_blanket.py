"""Markov blankets: networks whose blankets are known, what the found columns promise, and where the rows are."""

from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import entropick as ep
import naive
from entropick.inference.independence import TARGET, IndependenceTests
from tables_of_all_kinds import as_kind


def made_tests(X, y):
    """The tests of a table, as the measure sees them."""
    made = []

    class Spy(ep.measures.MarkovBlanket):
        def begin_steps(self, table, threads):
            made.append(IndependenceTests(table.counts))
            return super().begin_steps(table, threads)

    ep.select(X, y, measure=Spy(), cut=1)
    return made[0]


def noisy(rng, bits, share=0.1):
    return bits ^ (rng.random(len(bits)) < share)


def network(seed, n_rows=3000):
    """Causes a, b; effect c with another cause d; e follows from a, f from e; g is noise."""
    rng = np.random.default_rng(seed)
    a, b, d, g = rng.integers(0, 2, (4, n_rows)) == 1
    y = noisy(rng, a & b)
    c, e = noisy(rng, y | d), noisy(rng, a)
    return pd.DataFrame({"a": a, "b": b, "c": c, "d": d, "e": e, "f": noisy(rng, e), "g": g}), y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("symmetry", ["and", "or", None])
def test_causes_effects_and_spouses(seed, symmetry):
    X, y = network(seed)
    found = ep.MarkovBlanket(symmetry=symmetry).fit(X, y)
    assert [X.columns[j] for j in found.parents_children_] == ["a", "b", "c"]
    assert [X.columns[j] for j in found.spouses_] == ["d"]
    assert sorted(found.selection_.selected_names) == ["a", "b", "c", "d"]
    alone = ep.MarkovBlanket(symmetry=symmetry, spouses=False).fit(X, y)
    assert sorted(alone.selection_.selected_names) == ["a", "b", "c"]


def eliminated(columns, y, level, max_given):
    """Koller and Sahami by definition: what is left, and the columns in the order of their removal."""

    def tested(j, given):
        statistic, _ = naive.conditional_g(columns[j], y, [columns[k] for k in given])
        strata = set(naive.joint(*(columns[k] for k in given))) if given else {()}
        sizes = [
            len(set(naive.joint(*(columns[k] for k in given), more))) / len(strata)
            for more in (columns[j], y)
        ]
        freedom = len(strata) * (sizes[0] - 1) * (sizes[1] - 1)
        has_power = len(y) >= 5 * len(strata) * sizes[0] * sizes[1]
        gain = (statistic - freedom) / (2 * np.log(2) * len(y))
        return gain, chi2.sf(statistic, freedom), has_power

    def shared(j, k):
        freedom = (len(set(columns[j])) - 1) * (len(set(columns[k])) - 1)
        bits = naive.mutual_information(columns[j], columns[k])
        return bits - freedom / (2 * np.log(2) * len(y))

    kept, removed = list(range(len(columns))), []
    while True:
        found = {}
        for j in kept:
            near = sorted((k for k in kept if k != j), key=lambda k, j=j: (-shared(j, k), k))[:max_given]
            enough = [n for n in range(1, len(near) + 1) if not tested(j, near[:n])[2]]
            found[j] = tested(j, near[: enough[0] - 1 if enough else len(near)])
        weak = [j for j in kept if found[j][1] > level]
        if not weak:
            return {j: found[j][0] for j in kept}, removed
        removed.append(min(weak, key=lambda j: (found[j][0], j)))
        kept.remove(removed[-1])


def test_elimination_is_that_of_the_twin():
    X, y = network(0, 300)
    found = ep.MarkovBlanket(method="koller_sahami", max_given=2).fit(X, y)
    left, removed = eliminated(X.to_numpy().T.tolist(), y.tolist(), 0.01, 2)
    expected = [left[j] if j in left else removed.index(j) - len(removed) for j in range(X.shape[1])]
    np.testing.assert_allclose(found.scores_, expected, atol=1e-9)
    assert sorted(found.order_.tolist()) == sorted(left)
    all_columns = ep.MarkovBlanket(X.shape[1], method="koller_sahami", max_given=2).fit(X, y).order_
    assert all_columns[len(left) :].tolist() == removed[::-1]


def test_iamb_finds_them_too():
    X, y = network(0, 6000)
    assert (
        {"a", "b", "c"}
        <= set(ep.MarkovBlanket(method="iamb").fit(X, y).selection_.selected_names)
        <= set("abcd")
    )


def test_columns_outside_score_nothing_and_copies_are_left_out():
    X, y = network(1)
    X = X.assign(copy=X["a"], recoded=~X["b"])
    record = ep.MarkovBlanket().fit(X, y).selection_
    inside = set(record.order.tolist())
    assert all((record.scores[j] > 0) == (j in inside) for j in range(X.shape[1]))
    assert len({"a", "copy"} & set(record.selected_names)) == 1
    assert len({"b", "recoded"} & set(record.selected_names)) == 1


@pytest.mark.parametrize("seed", range(3))
def test_what_was_found_depends_on_y_given_any_few_others(seed):
    """By the twin's test, for all sets of at most two that have rows enough."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (1500, 8))
    y = (X[:, 0] + X[:, 3] + rng.integers(0, 3, 1500) > 3).astype(int)
    X[:, 5] = np.where(rng.random(1500) < 0.8, X[:, 0], X[:, 5])
    found = ep.MarkovBlanket(max_given=2, symmetry=None).fit(X, y)
    assert found.parents_children_ == [0, 3]
    columns = X.T.tolist()
    for j in found.parents_children_:
        others = [k for k in found.parents_children_ if k != j]
        for given in chain.from_iterable(combinations(others, k) for k in range(3)):
            statistic, freedom = naive.conditional_g(columns[j], y.tolist(), [columns[k] for k in given])
            assert chi2.sf(statistic, freedom) <= 0.01


@pytest.mark.parametrize("seed", range(4))
def test_tests_are_those_of_the_twin(seed):
    """Of two columns, and of a column and the target, which may also be given."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (200, 5)), rng.integers(0, 3, 200)
    tests = made_tests(X, y)
    columns = {**dict(enumerate(X.T.tolist())), TARGET: y.tolist()}
    for x, z, given in [
        (0, TARGET, ()),
        (0, TARGET, (1,)),
        (2, 3, (TARGET,)),
        (1, 4, (0, TARGET)),
        (1, 2, ()),
    ]:
        statistic, _ = naive.conditional_g(columns[x], columns[z], [columns[k] for k in given])
        found = tests.test(x, z, given)
        freedom = (statistic / (400 * np.log(2)) - found.gain) * 400 * np.log(2)
        assert found.p_value == pytest.approx(chi2.sf(statistic, freedom), rel=1e-6)
    gains, p_values = tests.tests_of_column(2, tests.test(2, TARGET))
    for j in (0, 1, 3, 4):
        assert p_values[j] == pytest.approx(tests.test(2, j).p_value)
        assert gains[j] == pytest.approx(tests.test(2, j).gain)
    assert p_values[2] == 1


@pytest.mark.parametrize("kind", ["1 partition", "7 partitions"])
def test_the_same_on_partitions(kind):
    X, y = network(2, 1000)
    X = X.to_numpy().astype(int)
    expected = ep.MarkovBlanket(target="class").fit(X, y.astype(int))
    found = ep.MarkovBlanket(target="class").fit(*as_kind(kind, X, y.astype(int)))
    assert found.selection_.scores.tobytes() == expected.selection_.scores.tobytes()
    assert found.spouses_ == expected.spouses_


def test_noise_has_no_blanket():
    rng = np.random.default_rng(3)
    found = [
        len(ep.MarkovBlanket().fit(rng.integers(0, 3, (200, 40)), np.arange(200) % 2).order_)
        for _ in range(10)
    ]
    assert sum(found) <= 2

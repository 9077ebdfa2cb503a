"""Every measure equals its naive twin, and every greedy step is a true argmax."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick import measures, registry
from entropick._base.threads import Threads
from entropick.measures.pairs.minimum import MinimumMeasure
from entropick.measures.pairs.pairwise import PairTerms
from helpers import as_sparse, columns_of, make_table, run
from strategies import examples, tables

PAIRWISE = sorted(
    name
    for name, measure in registry.MEASURES.items()
    if issubclass(measure, measures.MIM | measures.JMI3 | PairTerms | MinimumMeasure)
)
ALPHAS = [0.3, 0.9, 1, 1.1, 2, 7.5, math.inf]


def check_path(
    steps,
    columns,
    score_of,
    ties_of=lambda tied, picked: dict.fromkeys(tied, 0.0),
    tested=lambda rest, picked: rest,
    within=1e-9,
):
    """Walk the steps: each pick has its naive score, is the argmax, and is the first of its ties.

    Constant columns come last. `ties_of` is what decides between ties before the index does, `tested` says which
    columns take part.
    """
    picked = []
    for step in steps:
        rest = [j for j in range(len(columns)) if j not in picked]
        rest = tested([j for j in rest if len(set(columns[j])) > 1] or rest, picked)
        scores = {j: score_of(j, picked) for j in rest}
        best = max(scores.values())
        assert step.score == pytest.approx(scores[step.column], abs=within)
        assert scores[step.column] == pytest.approx(best, abs=within)
        tied = ties_of([j for j in rest if scores[j] > best - 1e-13], picked)
        if len(tied) > 1:
            assert tied[step.column] == pytest.approx(max(tied.values()), abs=within)
            assert not [j for j in tied if j < step.column and tied[j] > tied[step.column] - 1e-13]
        others = [scores[j] for j in rest if j != step.column]
        if others:
            assert step.runner_up_score == pytest.approx(max(others), abs=within)
            assert scores[step.runner_up] == pytest.approx(max(others), abs=within)
        picked.append(step.column)
    assert sorted(picked) == list(range(len(columns)))


@pytest.mark.parametrize("name", PAIRWISE)
@given(data=tables(), correction=st.sampled_from([None, "miller_madow", "adjusted"]))
def test_pairwise_measure_equals_naive(name, correction, data):
    """Scores of all steps agree with counting by dictionaries, for dense and sparse storage."""
    X, y = data
    columns, labels = columns_of(X), list(y)

    def score_of(j, picked):
        chosen = [columns[s] for s in picked]
        return naive.score(name, columns[j], chosen, labels, correction=correction)

    measure = registry.MEASURES[name]
    within = 1e-6 if correction == "adjusted" else 1e-9  # what is expected is interpolated between sizes
    passes_over = correction == "adjusted" and getattr(measure, "by_class", False)

    def ties_of(tied, picked):
        if not passes_over:
            return dict.fromkeys(tied, 0.0)
        return {j: naive.score("mim", columns[j], [], labels, correction=correction) for j in tied}

    def better_than_chance(rest, picked):
        chosen = [columns[s] for s in picked]
        level = 0.05 / len(rest)
        scores = {j: naive.score(name, columns[j], chosen, labels, correction=correction) for j in rest}
        alone = ties_of([j for j in rest if scores[j] > max(scores.values()) - 1e-12], picked)
        first = min(j for j in alone if alone[j] > max(alone.values()) - 1e-12)
        if not passes_over or naive.gain(columns[first], chosen, labels)[1] <= level:
            return rest
        gains = {j: naive.gain(columns[j], chosen, labels) for j in rest}
        better = [j for j in rest if gains[j][1] <= level]
        if not better and gains[first][0] <= 1e-12:  # adds nothing, as a copy does
            better = [j for j in rest if gains[j][0] > 1e-12]
        return better or rest

    for container in (X, as_sparse(X)):
        steps = run(make_table(container, y), measure(correction=correction)).steps
        check_path(steps, columns, score_of, ties_of, better_than_chance, within)
        if name == "mim":  # ranks columns by themselves
            assert all(step.gain is None for step in steps)
            continue
        for i, step in enumerate(steps):
            chosen = [columns[before.column] for before in steps[:i]]
            gain, p_value = naive.gain(columns[step.column], chosen, labels)
            assert step.gain == pytest.approx(gain, abs=1e-6)
            rest = [
                set(columns[j])
                for j in range(len(columns))
                if j not in [before.column for before in steps[:i]]
            ]
            n_competing = sum(len(levels) > 1 for levels in rest) or len(rest)
            assert step.is_chance == (p_value > 0.05 / n_competing)


@pytest.mark.parametrize(
    ("measure", "twin"), [(measures.JIM(), naive.joint_impurity), (measures.CASMI(), naive.casmi_gain)]
)
@given(data=tables())
def test_measure_without_shannon_entropies_equals_naive(measure, twin, data):
    """Gini's impurity, and Zhang's entropies with Turing's coverage."""
    X, y = data
    columns, labels = columns_of(X), list(y)

    def score_of(j, picked):
        return twin(columns[j], [columns[s] for s in picked], labels)

    for container in (X, as_sparse(X)):
        check_path(run(make_table(container, y), measure).steps, columns, score_of)


@pytest.mark.parametrize("beta", [0.0, 0.3, 2.0])
@given(data=tables(max_rows=30, max_columns=5))
def test_mifs_weighs_redundancy_by_beta(beta, data):
    """MIFS subtracts beta times the summed redundancy."""
    X, y = data
    columns, labels = columns_of(X), list(y)

    def score_of(j, picked):
        return naive.score("mifs", columns[j], [columns[s] for s in picked], labels, beta=beta)

    check_path(run(make_table(X, y), measures.MIFS(beta=beta)).steps, columns, score_of)


@pytest.mark.parametrize("delta", [0.0, 0.1])
@given(data=tables())
def test_fcbf_equals_naive(delta, data):
    """The predominant columns come first, with their SU(f,y); all others have no positive score."""
    X, y = data
    columns, labels = columns_of(X), list(y)
    expected = naive.fcbf(columns, labels, delta)
    for container in (X, as_sparse(X)):
        steps = run(make_table(container, y), measures.FCBF(delta)).steps
        assert [step.column for step in steps[: len(expected)]] == expected
        for step in steps[: len(expected)]:
            assert step.score == pytest.approx(
                naive.symmetrical_uncertainty(columns[step.column], labels), abs=1e-9
            )
        assert all(step.score <= 1e-12 for step in steps[len(expected) :])
        assert run(make_table(container, y), measures.FCBF(delta), cut="threshold").n_kept == len(expected)


def test_fcbf_worked_example():
    """By hand: b repeats a, c is weaker and independent of a, d tells nothing."""
    a = [0, 0, 0, 0, 1, 1, 1, 1]
    y = [0, 0, 0, 1, 1, 1, 1, 1]
    c = [0, 1, 0, 1, 0, 1, 0, 1]
    X = np.array([a, [5 - v for v in a], c, [7] * 8]).T
    selection = run(make_table(X, np.array(y)), measures.FCBF(), cut="threshold")
    assert [step.column for step in selection.kept] == [0, 2]
    # H(a) = 1, H(y) = 0.954434, I(a;y) = 0.954434 - 0.5 * 0.811278
    assert selection.kept[0].score == pytest.approx(2 * (0.9544340 - 0.4056391) / 1.9544340, abs=1e-6)


def exact_entropy(*columns):
    """Joint entropy in bits as a fraction, for columns whose frequencies are powers of two."""
    rows = list(zip(*columns, strict=True))
    total = Fraction(0)
    for count in Counter(rows).values():
        one_in = Fraction(len(rows), count)
        assert one_in.denominator == 1
        assert one_in.numerator.bit_count() == 1
        total += (one_in.numerator.bit_length() - 1) / one_in
    return total


def exact_information(y, *columns):
    """I(columns;y) in bits as a fraction."""
    return exact_entropy(*columns) + exact_entropy(y) - exact_entropy(*columns, y)


def test_njmim_worked_example():
    """praznik's NJMIM, the largest min I(f,s;y) / H(f,s,y), by hand: b and c tell the same, c with a bit of noise."""
    bits = list(itertools.product([0, 1], repeat=4))
    y = [2 * p + q for p, q, r, s in bits]
    a, b = [p for p, q, r, s in bits], [q for p, q, r, s in bits]
    c, noise = [2 * q + r for p, q, r, s in bits], [2 * r + s for p, q, r, s in bits]
    columns = [a, c, b, noise]
    steps = run(make_table(np.array(columns).T, np.array(y)), measures.NJMIM()).steps
    assert [step.column for step in steps] == [0, 2, 1, 3]
    by_hand = [
        Fraction(1),  # I(a;y); I(c;y) and I(b;y) are as large, a comes first
        Fraction(2, 2),  # I(a,b;y) / H(a,b,y); c has 2/3, noise 1/4
        Fraction(1, 3),  # c: 2/3 with a, 1/3 with b; noise has 1/4
        Fraction(1, 4),  # with each of them
    ]
    assert [step.score for step in steps] == pytest.approx([float(score) for score in by_hand], abs=1e-12)
    picked = [0]
    for step, score in zip(steps[1:], by_hand[1:], strict=True):
        f = columns[step.column]
        pairs = [exact_information(y, f, columns[s]) / exact_entropy(f, columns[s], y) for s in picked]
        assert min(pairs) == score
        picked.append(step.column)
    # without the entropies c ties with b, and is taken as the first of the two
    jmim = run(make_table(np.array(columns).T, np.array(y)), measures.JMIM()).steps
    assert [step.column for step in jmim][:2] == [0, 1]


def test_jmi3_worked_example():
    """praznik's JMI3, half the sum of I(f,u,w;y) over all u and w that differ, by hand: y is s and a parity."""
    bits = list(itertools.product([0, 1], repeat=5))
    y = [2 * (p ^ q ^ r) + s for p, q, r, s, noise in bits]
    p, q, r, s, noise = (list(column) for column in zip(*bits, strict=True))
    columns = [s, p, q, noise, r]
    steps = run(make_table(np.array(columns).T, np.array(y)), measures.JMI3()).steps
    assert [step.column for step in steps] == [0, 1, 2, 4, 3]
    by_hand = [
        1,  # I(s;y), the only bit that tells anything alone
        1,  # I(s,p;y); q, noise and r tell as little beside s, p comes first
        1,  # I(s,p,q;y), and again q comes first
        3,  # r: 1 with s and p, 1 with s and q, 1 with p and q; noise has 0 with these and so 2
        3,  # noise: 1 with s and each of p, q, r, nothing with two of these
    ]
    assert [step.score for step in steps] == pytest.approx(by_hand, abs=1e-12)
    for n, step in enumerate(steps[2:], start=2):
        picks = [columns[other.column] for other in steps[:n]]
        ordered = itertools.permutations(picks, 2)
        f = columns[step.column]
        assert Fraction(1, 2) * sum(exact_information(y, f, u, w) for u, w in ordered) == by_hand[n]
    # JMI looks at one pick at a time: the noise comes before r, which tells as little with each of them
    jmi = run(make_table(np.array(columns).T, np.array(y)), measures.JMI()).steps
    assert [step.column for step in jmi] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("ties", ["shannon", "index"])
@pytest.mark.parametrize("alpha", ALPHAS)
@given(data=tables())
def test_renyi_gain_equals_naive(alpha, ties, data):
    """Gains on the full joint, and what decides between ties, agree with the definition, dense and sparse."""
    X, y = data
    columns, labels = columns_of(X), list(y)

    def gain_of(j, picked):
        return naive.renyi_gain(columns[j], [columns[s] for s in picked], labels, alpha)

    def ties_of(tied, picked):
        chosen, by_index = [columns[s] for s in picked], ties == "index" or alpha == 1
        decide = naive.renyi_ties([columns[j] for j in tied], chosen, labels, by_index)
        return dict(zip(tied, decide, strict=True))

    for container in (X, as_sparse(X)):
        selection = run(make_table(container, y), measures.Renyi(alpha=alpha, ties=ties))
        check_path(selection.steps, columns, gain_of, ties_of)
        for i, step in enumerate(selection.steps):
            picked = [columns[s.column] for s in selection.steps[: i + 1]]
            assert step.residual == pytest.approx(naive.conditional_entropy(labels, picked, alpha), abs=1e-9)


@given(data=tables())
def test_shannon_gain_with_correction_equals_naive(data):
    """Miller–Madow corrected Shannon gains agree with the definition until y is determined."""
    X, y = data
    columns, labels = columns_of(X), list(y)
    selection = run(make_table(X, y), measures.Renyi(alpha=1, correction="miller_madow"))
    picked = []
    for step in selection.steps:
        expected = naive.renyi_gain(columns[step.column], picked, labels, 1, "miller_madow")
        assert step.score == pytest.approx(expected, abs=1e-9)
        picked.append(columns[step.column])


def many_levels(n_rows, seed):
    """Columns of 2 to n_rows levels: bit planes, tables and hashing all get work."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    levels = [2, 3, 5, 6, 40, 300, n_rows // 2, n_rows]
    X = np.column_stack([(rng.integers(0, k, n_rows) + y * (i % 2)) % k for i, k in enumerate(levels)])
    return X, y


@pytest.mark.parametrize("name", PAIRWISE)
def test_columns_of_all_widths_in_one_table(name):
    """One, two and four byte columns with up to 70,000 levels are counted alike."""
    X, y = many_levels(400, seed=1)
    X[:, -1] = np.arange(400) * 200  # codes stay small, values do not matter
    columns, labels = columns_of(X), list(y)
    selection = run(make_table(X, y), registry.MEASURES[name](correction=None))

    def score_of(j, picked):
        return naive.score(name, columns[j], [columns[s] for s in picked], labels)

    check_path(selection.steps, columns, score_of)


def test_hash_counting_agrees_with_entropies_by_unique():
    """Pairs of two columns with tens of thousands of levels go through the hash table."""
    rng = np.random.default_rng(0)
    n = 70_000
    a, b = rng.integers(0, 60_000, n), rng.integers(0, 50_000, n)
    y = rng.integers(0, 2, n)
    selection = run(make_table(np.column_stack([a, b]), y), measures.JMI(correction=None))
    pair = a.astype(np.int64) * 100_000 + b

    def entropy(codes):
        counts = np.unique(codes, return_counts=True)[1]
        return -(counts / n * np.log2(counts / n)).sum()

    expected = entropy(pair) + entropy(y) - entropy(pair * 2 + y)
    assert selection.steps[1].score == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5, 9])
def test_bit_planes_for_any_number_of_classes(n_classes):
    """The classes are counted two at a time; odd and even numbers of them come out right."""
    rng = np.random.default_rng(n_classes)
    X, y = rng.integers(0, 5, (700, 6)), rng.integers(0, n_classes, 700)
    columns, labels = columns_of(X), list(y)
    check_path(
        run(make_table(X, y), measures.JMI(correction=None)).steps,
        columns,
        lambda j, picked: naive.score("jmi", columns[j], [columns[s] for s in picked], labels),
    )


def test_more_rows_than_a_tile_of_words():
    """Tables longer than one tile of bit planes are counted whole."""
    rng = np.random.default_rng(3)
    n = 64 * 512 + 777
    X, y = rng.integers(0, 4, (n, 3)), rng.integers(0, 3, n)
    columns, labels = columns_of(X), list(y)
    check_path(
        run(make_table(X, y), "cife").steps,
        columns,
        lambda j, picked: naive.score("cife", columns[j], [columns[s] for s in picked], labels),
    )


@pytest.mark.parametrize("name", ["cmim", "jmim"])
@examples(8)
@given(seed=st.integers(0, 10_000))
def test_lazy_minimum_finds_winner_and_runner_up(name, seed):
    """Lazy evaluation gives the same picks, scores and runners-up as evaluating everything."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 100)
    X = np.where(rng.random((100, 30)) < rng.random(30) * 0.5, y[:, None], rng.integers(0, 4, (100, 30)))
    columns, labels = columns_of(X), list(y)
    selection = run(make_table(X, y), name, cut=6, threads=Threads(2, block_items=7))
    picked = []
    for step in selection.steps:
        chosen = [columns[s] for s in picked]
        scores = {j: naive.score(name, columns[j], chosen, labels) for j in range(30) if j not in picked}
        ranked = sorted(scores, key=lambda j: (-round(scores[j], 10), j))
        assert step.score == pytest.approx(scores[ranked[0]], abs=1e-9)
        assert step.runner_up_score == pytest.approx(scores[ranked[1]], abs=1e-9)
        picked.append(step.column)


def test_columns_follow_by_relevance_if_one_determines_y():
    """Given a copy of y nothing is left to add to it, so the others come by I(f;y), not by index."""
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    noise = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    weak = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    selection = run(make_table(np.column_stack([noise, weak, y]), y), measures.Renyi())
    assert [step.column for step in selection.steps] == [2, 1, 0]
    assert [step.score for step in selection.steps[1:]] == [0.0, 0.0]


@pytest.mark.parametrize("alpha", [1, math.inf])
def test_columns_that_add_to_each_pick_follow_once_y_is_determined(alpha):
    """A copy of a pick knows more of y than another column, but adds nothing to that pick: it comes last."""
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 2, (2, 400))
    y = 2 * first + second
    weak = np.where(rng.random(400) < 0.3, y, rng.integers(0, 4, 400))
    X = np.column_stack([first, first, second, second, weak])
    order = [step.column for step in run(make_table(X, y), measures.Renyi(alpha=alpha)).steps]
    assert order[2] == 4


def test_rows_that_contradict_each_other_leave_the_rest_to_pairs():
    """Equal rows of unlike classes never let y be determined; the index does not decide then either."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 200))
    y = (a + b) % 3
    weak = np.where(rng.random(200) < 0.7, y, 0)
    X, y = np.repeat(np.column_stack([a, a, b, weak]), 2, axis=0), np.repeat(y, 2)
    y[::20] = (y[::20] + 1) % 3
    order = [step.column for step in run(make_table(X, y), measures.Renyi(alpha=1)).steps]
    assert order[-1] == 1  # the copy of a, though its index is low


def test_fcbf_keeps_what_is_predominant():
    """Its own rule is the default, not what serves prediction."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = np.column_stack(
        [y ^ (rng.random(300) < 0.1), y ^ (rng.random(300) < 0.2), rng.integers(0, 2, (300, 4))]
    )
    expected = naive.fcbf(columns_of(X), list(y))
    for n_features in ("auto", None):
        assert ep.FCBF(n_features).fit(X, y).order_.tolist() == expected
    assert ep.FCBF().fit(X, y).order_.tolist() == expected

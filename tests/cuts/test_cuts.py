"""How many columns each cut keeps."""

import math
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

import entropick as ep
import naive
from entropick import cuts, measures
from entropick.cuts.histogram import high_bars
from entropick.cuts.mean_shift import find_modes
from entropick.exceptions import CombinationError, SelectionWarning
from entropick.records.selection import Step
from helpers import make_table, run
from strategies import examples


def two_causes(n_rows=600, n_noise=15, seed=0):
    """y depends on columns 0 and 1; the others are noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n_rows, 2 + n_noise))
    y = np.where(rng.random(n_rows) < 0.85, (X[:, 0] > 0) * 2 + (X[:, 1] > 1), rng.integers(0, 4, n_rows))
    return X, y


def test_count_and_share():
    """A number of columns, or a share of them but at least one."""
    table = make_table(*two_causes())
    assert len(run(table, "jmi", cut=3).order) == 3
    assert len(run(table, "jmi", cut=0.5).order) == 8
    assert len(run(table, "jmi", cut=0.001).order) == 1
    assert len(run(table, "jmi", cut=1.0).order) == 17
    assert len(run(table, "jmi", cut=cuts.Count()).order) == 10


def test_threshold_drops_the_column_that_broke_it():
    """Columns stay while the score is above the value; the first below is not kept."""
    table = make_table(*two_causes())
    selection = run(table, "mrmr", cut=cuts.Threshold(0.05))
    assert all(step.score > 0.05 for step in selection.kept)
    assert selection.steps[-1].score <= 0.05
    assert len(selection.steps) == selection.n_kept + 1
    everything = run(table, "mim", cut=cuts.Threshold(-1.0))
    assert everything.n_kept == len(everything.steps) == 17
    assert run(table, "mim", cut=cuts.Threshold(5.0)).n_kept == 0


@pytest.mark.parametrize("max_risk", [0.0, 0.05, 0.2, 0.4])
def test_max_risk_stops_at_the_first_subset_that_is_good_enough(max_risk):
    """RenyiFS selects columns until the best rule on their joint levels is wrong that rarely, and not one more."""
    X, y = ep.datasets.make_led24(random_state=0)
    selector = ep.RenyiFS(max_risk=max_risk).fit(X, y)
    order = selector.order_.tolist()
    risks = [1 - naive_hits(X[:, order[:k]], y) / len(y) for k in range(len(order) + 1)]
    assert risks[-1] <= max_risk + 1e-12 or max_risk == 0
    assert all(risk > max_risk for risk in risks[:-1])
    assert selector.bayes_risk_ == pytest.approx(risks[-1])
    assert order == ep.RenyiFS(n_features=len(order)).fit(X, y).order_.tolist()
    again = ep.FeatureSelector("renyi", cut=cuts.Residual(max_risk=max_risk)).fit(X, y)
    assert again.order_.tolist() == order


def naive_hits(columns, y):
    """Rows that the most frequent class of their group gets right."""
    groups = {}
    for levels, label in zip(columns.tolist(), y, strict=True):
        groups.setdefault(tuple(levels), []).append(label)
    return sum(max(labels.count(label) for label in set(labels)) for labels in groups.values())


def test_max_risk_and_a_number_contradict_each_other():
    """One of them is enough."""
    X, y = ep.datasets.make_corral()
    with pytest.raises(CombinationError, match=r"n_features=3 and max_risk=0.1 both set when to stop\. Hint"):
        ep.RenyiFS(3, max_risk=0.1).fit(X, y)


@pytest.mark.parametrize("measure", ["jmi", "mim", measures.Renyi(alpha=1), measures.Renyi()])
def test_residual_stops_when_nothing_is_left_to_explain(measure):
    """The kept columns explain y as well as all columns do, and one fewer does not."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (40, 8))
    y = (X[:, 2] ^ X[:, 5]) | X[:, 7]
    y[:3] = 1 - y[:3]  # contradictions: not even all columns determine y
    X[:3] = X[3:6]
    selection = run(make_table(X, y), measure, cut="residual")
    alpha = selection.settings["measure"]["parameters"].get("alpha", 1)
    floor = ep.conditional_entropy(y, X, alpha)
    assert selection.steps[-1].residual == pytest.approx(floor, abs=1e-9)
    if len(selection.order) > 1:
        assert ep.conditional_entropy(y, X[:, selection.order[:-1]], alpha) > floor + 1e-6


def test_residual_takes_no_other_alpha_for_an_order():
    """The mixing weight of ECFS and the weights of InfFS are called alpha too."""
    X, y = two_causes()
    expected = run(make_table(X, y), "mim", cut="residual").steps[-1].residual
    for measure in (measures.ECFS(alpha=0.0), measures.ECFS(alpha=0.5), measures.InfFS(alpha=(1, 1, 1))):
        assert run(make_table(X, y), measure, cut="residual").steps[-1].residual == pytest.approx(expected)


def test_residual_with_excess():
    """Some uncertainty may be left."""
    X, y = two_causes()
    table = make_table(X, y)
    strict, loose = run(table, "jmi", cut="residual"), run(table, "jmi", cut=cuts.Residual(excess=1.0))
    assert len(loose.order) < len(strict.order)
    assert loose.steps[-1].residual <= ep.conditional_entropy(y, X) + 1.0 + 1e-9


@pytest.mark.parametrize("measure", ["jmi", "mim", "mrmr", "renyi"])
def test_permutation_keeps_the_causes(measure):
    """The true columns pass, noise does not, and each step has its p-value."""
    selection = run(make_table(*two_causes()), measure, cut=cuts.Permutation(random_state=0))
    assert sorted(selection.order) == [0, 1]
    assert [step.p_value for step in selection.kept] == [pytest.approx(1 / 101)] * 2
    assert selection.steps[-1].p_value > 0.05


def test_permutation_records_what_chance_gives():
    """What a pick leaves open lies below the range of shuffled tables while it adds something, and in it at the end."""
    X, y = two_causes()
    selection = run(make_table(X, y), "jmi", cut=cuts.Permutation(random_state=0))
    for n, step in enumerate(selection.steps, start=1):
        picked = [s.column for s in selection.steps[:n]]
        assert step.residual == pytest.approx(ep.conditional_entropy(y, X[:, picked]), abs=1e-9)
        low, high = step.chance
        assert low <= high
        assert (step.residual < low) == (n <= selection.n_kept)


def test_permutation_finds_an_interaction():
    """A column useless alone passes once its partner is there."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 10))
    y = X[:, 3] ^ X[:, 6]
    selection = run(make_table(X, y), "jmi", cut=cuts.Permutation(random_state=0), fixed=[3])
    assert selection.order.tolist() == [3, 6]


def test_permutation_holds_its_level_on_noise():
    """Of 60 noise tables about 5 % pass a first column: the best of many is judged as such."""
    passed = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = make_table(rng.integers(0, 4, (80, 25)), rng.integers(0, 2, 80))
        cut = cuts.Permutation(n_permutations=39, random_state=seed)
        passed += run(table, "jmi", cut=cut).n_kept > 0
    assert passed <= 9  # P(more) is about 0.2 % at a true level of 5 %


def test_permutation_is_reproducible():
    """The same seed gives the same p-values; the selector's is used only where the cut has none."""
    X, y = two_causes(n_rows=100)

    def p_values(**options):
        return [step.p_value for step in ep.select(X, y, cut="permutation", **options).steps]

    assert p_values(random_state=3) == p_values(random_state=3, n_jobs=2)
    own = [
        [step.p_value for step in ep.select(X, y, cut=cuts.Permutation(random_state=3), **options).steps]
        for options in ({}, {"random_state": 8})
    ]
    assert own[0] == own[1]


def test_permutation_that_can_never_pass():
    """Too few permutations for the level are refused with the number needed."""
    with pytest.raises(ValueError, match="n_permutations of at least 99"):
        run(make_table(*two_causes()), "jmi", cut=cuts.Permutation(level=0.01, n_permutations=20))


def test_permutation_refuses_levels_that_know_y():
    """MDLP bins fit y already; a test after it would call noise significant."""
    rng = np.random.default_rng(0)
    X, y = rng.random((100, 5)), rng.integers(0, 2, 100)
    with pytest.raises(CombinationError, match="binned by the target"):
        ep.MRMR(n_features="permutation", binning="mdlp").fit(X, y)
    codes = rng.integers(0, 3, (100, 5))  # few values are kept, whatever the binning
    ep.MRMR(n_features="permutation", binning="mdlp").fit(codes, y)


@pytest.mark.filterwarnings("ignore:The target has only one class")
def test_nothing_to_explain_keeps_nothing():
    """With a constant target all rules keep no column."""
    X, _ = two_causes(n_rows=30)
    for selector in (ep.RenyiFS("residual"), ep.MRMR("permutation"), ep.MRMR("auto"), ep.SNEFS("auto")):
        assert selector.fit(X, np.zeros(30)).n_features_ == 0


def test_fixed_columns_are_kept_whatever_the_cut_says():
    """Fixed columns come first, are never dropped and count."""
    table = make_table(*two_causes())
    for cut in (2, cuts.Threshold(10.0), cuts.Permutation(random_state=0), cuts.Residual(excess=5.0)):
        selection = run(table, "jmi", cut=cut, fixed=[7, 4])
        assert selection.order[:2].tolist() == [7, 4]
        assert [step.fixed for step in selection.steps[:2]] == [True, True]
        assert all(math.isnan(step.score) for step in selection.steps[:2])
    assert len(run(table, "jmi", cut=1, fixed=[7, 4]).order) == 2


def test_rules_by_name():
    """Selectors take the rules that watch a path by their names."""
    X, y = two_causes()
    assert sorted(ep.JMI(n_features="permutation", random_state=0).fit(X, y).order_) == [0, 1]
    X, y = ep.datasets.make_renyi_section32()
    assert ep.RenyiFS(n_features="residual", target="class").fit(X, y).n_features_ == 4
    with pytest.raises(ValueError, match="'n_features' parameter of JMI"):
        ep.JMI("best_size").fit(X, y)


# -- mean shift ------------------------------------------------------------------------------


def kept_by(scores, **options):
    """How many of the scores, in their order, the cut keeps."""
    judge = cuts.MeanShift(**options).begin(
        SimpleNamespace(table=make_table(np.zeros((2, len(scores))), [0, 1]))
    )
    path = [Step((j,), float(score)) for j, score in enumerate(scores)]
    assert not judge.is_done(path)
    return judge.keep(path)


def descending_scores(seed, *sizes, width=1.0):
    rng = np.random.default_rng(seed)
    groups = [rng.normal(12 * g, width, size) for g, size in enumerate(sizes)]
    return np.sort(np.concatenate(groups))[::-1]


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, 8))])
def test_mean_shift_with_a_fixed_bandwidth_finds_the_modes_of_scikit_learn(seed):
    """Bandwidth and modes are those of sklearn.cluster.MeanShift, its clusters too where they stand apart."""
    from sklearn.cluster import MeanShift, estimate_bandwidth

    rng = np.random.default_rng(seed)
    for width in (1.0, 4.0):
        scores = descending_scores(seed, *rng.integers(15, 60, rng.integers(2, 5)), width=width)
        bandwidth = estimate_bandwidth(scores[:, None], quantile=0.3)
        model = MeanShift(bandwidth=bandwidth).fit(scores[:, None])
        bandwidths = cuts.MeanShift(bandwidth="fixed").bandwidths(scores)
        assert bandwidths == pytest.approx(bandwidth, rel=1e-9)
        modes = scores.max() - find_modes(scores, bandwidths)
        assert np.unique(modes) == pytest.approx(
            np.sort(model.cluster_centers_.ravel()), abs=1e-2 * bandwidth
        )
        if width == 1.0 and bandwidth < 4:  # groups that stand apart
            assert kept_by(scores, bandwidth="fixed") == (model.labels_ == model.labels_[0]).sum()


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_mean_shift_does_not_know_the_unit_of_scores(unit):
    scores = descending_scores(0, 20, 30, 40)
    bandwidths = cuts.MeanShift().bandwidths(scores)
    expected = find_modes(scores, bandwidths)
    assert find_modes(unit * scores, unit * bandwidths) / unit == pytest.approx(expected, rel=1e-9)


def test_mean_shift_without_any_bandwidth_goes_nowhere():
    """Where half of the scores are equal to each other, and so are the others."""
    scores = np.repeat([3.0, 1.0], 8)
    assert find_modes(scores, np.zeros(16)).tolist() == [0.0] * 8 + [2.0] * 8


@pytest.mark.parametrize("bandwidth", ["variable", "fixed"])
@examples(30)
@given(seed=st.integers(0, 10_000), n=st.integers(3, 40), digits=st.integers(0, 6))
def test_mean_shift_goes_where_the_naive_one_goes(bandwidth, seed, n, digits):
    """The places arrived at by sums over sorted bounds are those of averaging score by score."""
    scores = np.sort(np.round(np.random.default_rng(seed).exponential(size=n), digits))[::-1]
    cut = cuts.MeanShift(bandwidth=bandwidth)
    k = max(1, min(int(0.3 * n if bandwidth == "fixed" else 2 * np.sqrt(n)), n))
    distances = np.array(naive.nearest_distances(scores.tolist(), k))
    floor = 1e-3 * distances.mean()
    expected = np.full(n, distances.mean()) if bandwidth == "fixed" else np.maximum(distances, floor)
    bandwidths = cut.bandwidths(scores)
    assert bandwidths == pytest.approx(expected, abs=1e-12)
    assume(expected.min() > 0)
    # a place on the very bound of a reach may go either way, so bandwidths are made odd
    odd = bandwidths * (1 + 1e-7 * np.arange(1, n + 1))
    places = naive.mean_shift_places((scores.max() - scores).tolist(), odd.tolist())
    modes = find_modes(scores, odd)
    assert len(set(modes)) <= len({round(place, 9) for place in places})
    for mode in set(modes):
        assert (
            np.abs(np.array(places) - mode).min() < 1e-5
        )  # sums over bounds lose what has next to no weight


@pytest.mark.parametrize("sizes", [(480, 20), (500, 3), (30, 5), (5, 3), (10, 1), (3000, 40)])
def test_mean_shift_keeps_a_group_that_stands_apart(sizes):
    """A few high scores far above many low ones are kept, and no others."""
    assert kept_by(descending_scores(0, *sizes)) == sizes[1]


@pytest.mark.parametrize("bandwidth", ["variable", "fixed"])
def test_mean_shift_of_equal_scores(bandwidth):
    """Equal scores are one cluster; two values are two."""
    assert kept_by(np.full(7, 0.3), bandwidth=bandwidth) == 7
    assert kept_by(1 - np.arange(9) * 1e-16, bandwidth=bandwidth) == 9
    assert kept_by(np.repeat([5.0, 1.0], [4, 30]), bandwidth=bandwidth) == 4
    assert kept_by([2.0], bandwidth=bandwidth) == 1


def test_mean_shift_by_a_selector_and_after_other_searches():
    """All columns are ranked; fixed columns stay; a forward search works as well."""
    X, y = two_causes()
    table = make_table(X, y)
    selection = run(table, "mim", cut="mean_shift")
    assert len(selection.steps) == X.shape[1]
    assert selection.order.tolist() == [0, 1] or selection.order.tolist() == [1, 0]
    fixed = run(table, "mim", cut="mean_shift", fixed=[7])
    assert fixed.order[0] == 7
    assert len(fixed.order) == 1 + selection.n_kept
    assert run(table, "mrmr", cut="mean_shift").n_kept >= 1
    everything = run(table, "mim", cut="mean_shift", fixed=list(range(17)))
    assert everything.n_kept == 17


# -- permutation for measures of near rows -------------------------------------------------------

NEAR_ROWS = {
    "snefs": measures.NeighborhoodEntropy(index="exact"),
    "nefs": measures.NeighborhoodEntropy(index="exact", per_subset=True),
}


@pytest.mark.parametrize("measure", NEAR_ROWS.values(), ids=NEAR_ROWS)
def test_permutation_by_near_rows_keeps_the_causes(measure):
    """Two causes among noise, one of them with a noisy copy: both are kept, or the copy, and no noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((250, 7))
    X[:, 6] = X[:, 2] + 0.3 * rng.standard_normal(250)
    y = (X[:, 2] + X[:, 4] > 0).astype(int)
    selector = ep.FeatureSelector(measure, cut=cuts.Permutation(n_permutations=39), random_state=0).fit(X, y)
    assert set(selector.order_) in ({2, 4}, {4, 6}, {2, 4, 6})
    assert all(step.p_value <= 0.05 for step in selector.selection_.kept)
    assert selector.selection_.steps[-1].p_value > 0.05


@pytest.mark.parametrize("measure", NEAR_ROWS.values(), ids=NEAR_ROWS)
def test_permutation_by_near_rows_holds_its_level(measure):
    """Of 24 tables at most 4 are mistaken: noise alone, and noise beside a cause (p = 0.006 at level 5 %)."""
    mistaken, beside_a_cause = 0, 0
    for seed in range(24):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((120, 5))
        noise, cause = rng.integers(0, 2, 120), ((X[:, 3] > 0) ^ (rng.random(120) < 0.1)).astype(int)
        given = {"cut": cuts.Permutation(n_permutations=19), "random_state": seed}
        mistaken += ep.FeatureSelector(measure, **given).fit(X, noise).n_features_ > 0
        given["fixed_features"] = [3]
        beside_a_cause += ep.FeatureSelector(measure, **given).fit(X, cause).n_features_ > 1
    assert mistaken <= 4
    assert beside_a_cause <= 4


def test_permutation_by_near_rows_is_the_same_for_any_threads():
    """And for any search that takes the same steps."""
    X, y = two_causes(150, 4)
    found = [
        ep.FeatureSelector("neighborhood_entropy", cut="permutation", random_state=1, n_jobs=n_jobs).fit(X, y)
        for n_jobs in (1, 3)
    ]
    assert [s.p_value for s in found[0].selection_.steps] == [s.p_value for s in found[1].selection_.steps]


def test_labels_are_shuffled_nearby():
    """Each row gets the label of one of its neighbours or its own, hardly any twice, never in the same way."""
    from entropick.measures.neighbors.neighborhood import shuffled_nearby

    rng = np.random.default_rng(0)
    near = (np.arange(200)[:, None] + np.array([-2, -1, 1, 2])) % 200
    source = shuffled_nearby(near, rng)
    assert all(s == i or s in near[i] for i, s in enumerate(source))
    assert len(set(source.tolist())) > 170
    assert (source != np.arange(200)).mean() > 0.6
    assert not np.array_equal(source, shuffled_nearby(near, rng))


@given(seed=st.integers(0, 10_000), n=st.integers(1, 60), n_bars=st.sampled_from([None, 1, 4, 16]))
def test_histogram_counts_high_bars(seed, n, n_bars):
    """As many columns as numpy's histogram has bars above the mean; the same for shifted and scaled scores."""
    scores = np.sort(np.random.default_rng(seed).random(n))[::-1]
    expected = naive.high_bars(scores, n_bars)
    assert high_bars(scores, n_bars) == expected
    assert high_bars(scores * 8, n_bars) == expected
    assert 1 <= expected <= n


def test_histogram_of_equal_scores():
    assert kept_by_histogram([0.5]) == 1
    assert kept_by_histogram([0.5] * 9) == 1
    assert kept_by_histogram([9.0, 8.9, 8.8, 5.0, 1.2, 1.1, 1.0, 1.0]) == 2  # bars of 3, 1, 0 and 4


def kept_by_histogram(scores):
    return high_bars(np.array(scores), None)


def test_histogram_by_a_selector():
    """All columns are ranked, fixed columns stay and are no part of the histogram."""
    X, y = two_causes()
    table = make_table(X, y)
    selection = run(table, "mim", cut="histogram")
    assert len(selection.steps) == X.shape[1]
    assert selection.n_kept == naive.high_bars([step.score for step in selection.steps])
    fixed = run(table, "mim", cut=cuts.Histogram(n_bars=4), fixed=[7])
    free = [step.score for step in fixed.steps if not step.fixed]
    assert fixed.n_kept == 1 + naive.high_bars(free, 4)
    assert run(table, "mim", cut="histogram", fixed=list(range(17))).n_kept == 17


@pytest.mark.parametrize(("value", "is_kept"), [(-10.2, True), (-9.91, True), (-9.89, False)])
def test_probable_columns_may_be_a_hundredth_worse(value, is_kept):
    """Than the best subset drawn, whose value is -10; else that one is kept, with a warning."""
    probable, best = np.array([True, True, False]), np.array([False, True, True])
    state = SimpleNamespace(
        values=lambda subsets: np.where(subsets[:, :1], value, -10.0), normalized=lambda values: values
    )
    found = SimpleNamespace(
        scores=np.array([0.9, 0.95, 0.89]),
        front=SimpleNamespace(subsets=best[None]),
        is_final=False,
        complete=True,
    )
    judge = cuts.Probability().begin(SimpleNamespace(table=SimpleNamespace(names=["a", "b", "c"])))
    with nullcontext() if is_kept else pytest.warns(SelectionWarning, match="together worse than the best"):
        kept = judge.choose(found, state)
    assert kept.tolist() == (probable if is_kept else best).tolist()


def test_best_size_stops_at_an_accuracy_that_is_enough():
    """The first size that reaches the score is kept, and no further column is sought; else the best size."""
    X, y = load_wine(return_X_y=True)
    estimator = GaussianNB()
    every = ep.RenyiFS(n_features=cuts.BestSize(estimator), alpha=1).fit(X, y)
    path = [step.column for step in ep.RenyiFS(n_features=13, alpha=1).fit(X, y).selection_.steps]
    reached = [cross_val_score(estimator, X[:, sorted(path[:k])], y, cv=5).mean() for k in range(1, 14)]
    enough = sorted(reached)[-4]
    first = next(k for k, score in enumerate(reached, 1) if score >= enough)
    found = ep.RenyiFS(n_features=cuts.BestSize(estimator, enough=enough), alpha=1).fit(X, y)
    assert found.order_.tolist() == path[:first]
    assert len(found.selection_.steps) == first < 13
    never = ep.RenyiFS(n_features=cuts.BestSize(estimator, enough=2.0), alpha=1).fit(X, y)
    assert never.order_.tolist() == every.order_.tolist()


def test_permutation_finds_many_independent_causes():
    """Strata of all selected columns would have a row each after three of them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 12))
    y = X[:, :8].sum(axis=1) + 2 * rng.normal(size=5000) > 0
    found = ep.select(X, y, cut=cuts.Permutation(n_permutations=19, random_state=0))
    assert set(range(8)) <= set(found.order.tolist())
    assert found.steps[0].chance is not None
    assert found.steps[5].chance is None


def test_a_column_of_many_levels_does_not_hide_others():
    """It gains more by chance than a signal that is beyond doubt."""
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.1
    X = np.column_stack([np.digitize(rng.normal(size=3000) + 2 * y, [0, 1, 2]), rng.integers(0, 1000, 3000)])
    assert ep.select(X.astype(str), y, measure="jmi", cut="permutation", random_state=0).order.tolist() == [0]

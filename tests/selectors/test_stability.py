"""Stability selection over halves of the rows: error bounds hold."""

import concurrent.futures
import itertools
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import entropick as ep
from entropick.evaluation.stability import FalseSelections, false_bound, stability_of
from entropick.exceptions import SelectionWarning


def planted(seed=0, n_rows=200, n_columns=40):
    """Columns 0, 1 and 2 tell of the class, the others are noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_columns))
    y = (X[:, 0] + X[:, 1] + X[:, 2] + 0.5 * rng.standard_normal(n_rows) > 0).astype(int)
    return X, y


# -- the bounds ----------------------------------------------------------------------------------

# Printed by the R package stabs 0.6 (tests/regtest-inference.Rout.save): B = 50 pairs, p = 100, threshold 0.6.
UNIMODAL = [0.02631579, 0.1052632, 0.2368421, 0.4210526, 0.6578947, 0.9473684, 1.289474, 1.684211, 2.131579]
CONCAVE = [
    0.006971364,
    0.03342845,
    0.08691176,
    0.1637231,
    0.2605329,
    0.3820466,
    0.5295188,
    0.7042719,
    0.9077127,
]


@pytest.mark.parametrize("q", range(1, 10))
def test_bounds_are_those_of_the_r_package(q):
    """Unimodal to the last digit; r-concave at most 0.4 % above, since stabs leaves the widest support out."""
    assert false_bound(0.6, q, 100, 50, "none") == pytest.approx(q * q / 100 / 0.2)
    assert false_bound(0.6, q, 100, 50, "unimodal") == pytest.approx(UNIMODAL[q - 1], rel=1e-6)
    found = false_bound(0.6, q, 100, 50, "r-concave")
    assert CONCAVE[q - 1] * (1 - 1e-6) < found < CONCAVE[q - 1] * 1.004


def least_count(max_false, q, p, n_pairs, assumption):
    """Of 2 n_pairs fits that keep q of p columns."""
    supports = np.tile(np.arange(p) < q, (2 * n_pairs, 1))
    return FalseSelections(assumption, 0, p, supports).least_count(max_false)


def test_thresholds_are_those_of_the_r_package():
    """optimal_cutoff(p = 200, q = 7, PFER = 0.2, B = 50) is 0.81 and 0.62; q = 3, p = 10 gives 0.96, 0.176."""
    assert least_count(0.2, 7, 200, 50, "unimodal") == 81
    assert least_count(0.2, 7, 200, 50, "r-concave") == 62
    assert least_count(0.2, 3, 10, 50, "unimodal") == 96
    assert false_bound(0.96, 3, 10, 50, "unimodal") == pytest.approx(0.176, abs=5e-4)
    assert least_count(0.001, 9, 10, 50, "unimodal") is None


@pytest.mark.slow
def test_stronger_assumptions_give_smaller_bounds():
    """And no bound grows with the threshold."""
    for q, p in [(1, 10), (3, 20), (8, 80), (50, 1000), (6, 10), (10, 10), (0, 5)]:
        for assumption in ("none", "unimodal", "r-concave"):
            bounds = [false_bound(k / 50, q, p, 25, assumption) for k in range(26, 51)]
            weakest = [false_bound(k / 50, q, p, 25, "none") for k in range(26, 51)]
            assert all(b <= w for b, w in zip(bounds, weakest, strict=True))
            assert all(b <= a * (1 + 1e-6) for a, b in itertools.pairwise(bounds))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mean", "t", "n", "r"), [(0.05, 4, 8, -0.5), (0.1, 7, 12, -0.25), (0.02, 3, 6, -0.25)]
)
def test_concave_tail_is_the_largest_there_is(mean, t, n, r):
    """No r-concave distribution of that mean, of many tried, has a heavier tail, and some come close."""
    from entropick.evaluation.stability import _concave_tail

    most, places = 0.0, np.arange(n + 1)
    for k in range(1, n + 1):
        for a in np.geomspace(1e-4, 100, 3000):
            weights = np.where(places <= k, (a + places) ** (1 / r), 0.0)
            for last in (0.0, 0.3, 0.6, 1.0):  # the last place may have less
                shape = weights.copy()
                shape[k] *= last
                p = shape / shape.sum()
                if p @ places <= mean * n:
                    most = max(most, p[t:].sum())
    assert most <= _concave_tail(mean, t, n, r) * (1 + 1e-9)
    assert most > 0.9 * _concave_tail(mean, t, n, r)


# -- what is selected ----------------------------------------------------------------------------


@pytest.mark.slow
def test_false_selections_stay_below_the_bound():
    """In 100 runs on planted columns fewer noise columns are selected than stated, and the causes are found."""
    n_false, bounds, n_true = 0, [], 0
    for seed in range(100):
        X, y = planted(seed, n_rows=120)
        selector = ep.StabilitySelector(ep.MIM(5, n_bins=4), 20, max_false=0.5, random_state=seed).fit(X, y)
        n_false += int(selector.support_[3:].sum())
        n_true += int(selector.support_[:3].sum())
        bounds.append(selector.max_false_)
        assert selector.max_false_ <= 0.5
    assert n_false <= sum(bounds)
    assert n_true > 200


@pytest.mark.slow
def test_noise_columns_stay_below_the_bound():
    """Where no column tells anything every selected one is false."""
    n_false, bounds = 0, []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((60, 20)), rng.permutation(60) % 2
        selector = ep.StabilitySelector(ep.MIM(3, n_bins=3), 20, random_state=seed).fit(X, y)
        n_false += selector.n_features_
        bounds.append(selector.max_false_)
    assert 0 < n_false <= sum(bounds)


def test_fitted_attributes_agree():
    """Frequencies are shares of fits; the record, support and order say the same."""
    X, y = planted(n_rows=400)
    selector = ep.StabilitySelector(ep.JMI(4, n_bins=4), 20, random_state=0).fit(X, y)
    kept = selector.frequencies_ * 20
    assert kept == pytest.approx(np.round(kept))
    assert kept.sum() == pytest.approx(20 * 4)
    assert selector.mean_size_ == 4
    assert np.array_equal(selector.support_, selector.frequencies_ >= selector.threshold_ - 1e-9)
    assert set(selector.order_) == set(np.flatnonzero(selector.support_)) == {0, 1, 2}
    ordered = selector.frequencies_[[step.column for step in selector.selection_.steps]]
    assert (np.diff(ordered) <= 0).all()
    assert selector.scores_ is selector.frequencies_ or np.array_equal(
        selector.scores_, selector.frequencies_
    )
    assert selector.selection_.to_dict()["learned"]["stability"]["value"] == selector.stability_.value
    assert selector.stability_.low < selector.stability_.value < selector.stability_.high
    assert str(selector.selection_).startswith("3 of 40 columns selected from 400 rows")


def test_halves_are_complementary_and_stratified():
    """Each pair covers the rows without one in common; classes differ by one row at most."""
    seen = []

    class Spy(ep.MIM):
        def fit(self, X, y=None):
            seen.append((X[:, 0].astype(int), np.bincount(y, minlength=3)))
            return super().fit(X, y)

    y = np.repeat([0, 1, 2], [30, 21, 6])
    X = np.column_stack([np.arange(57), y, np.arange(57) % 5])
    ep.StabilitySelector(Spy(1), 6, threshold=0.9, random_state=0).fit(X, y)
    assert len(seen) == 6
    for (one, sizes), (other, other_sizes) in zip(seen[::2], seen[1::2], strict=True):
        assert len(one) == len(other) == 28
        assert not set(one) & set(other)
        assert np.abs(sizes - other_sizes).max() <= 1
    assert len({tuple(rows) for rows, _ in seen}) == 6


def naive_frequencies(selector, X, y, halves):
    return np.mean([clone(selector).fit(X[h.rows], y[h.rows]).get_support() for h in halves], axis=0)


def test_frequencies_are_those_of_a_loop_by_hand():
    """Fitting to each half and counting gives the same, and so does the stability."""
    X, y = planted(3)
    selector = ep.StabilitySelector(ep.CMIM(3), 10, random_state=5).fit(X, y)
    halves = ep.StabilitySelector(ep.CMIM(3), 10, random_state=5)._draw_halves(len(y), y, None)
    assert np.array_equal(selector.frequencies_, naive_frequencies(ep.CMIM(3), X, y, halves))
    supports = np.array([ep.CMIM(3).fit(X[h.rows], y[h.rows]).support_ for h in halves])
    assert selector.stability_ == stability_of(supports)


@pytest.mark.parametrize("inner", [ep.JMI(3), ep.SNEFS(3), ep.CrossEntropyFS(n_samples=20)], ids=str)
def test_any_number_of_threads_gives_the_same(inner):
    """Also where the selector draws random numbers."""
    X, y = planted(n_rows=80, n_columns=8)
    first = ep.StabilitySelector(inner, 8, threshold=0.75, random_state=0).fit(X, y)
    again = ep.StabilitySelector(inner, 8, threshold=0.75, random_state=0, n_jobs=3).fit(X, y)
    assert np.array_equal(first.frequencies_, again.frequencies_)
    assert first.order_.tolist() == again.order_.tolist()
    assert first.stability_ == again.stability_


def test_fits_may_run_elsewhere():
    """`map` gets a function that can be sent to another process."""
    X, y = planted(n_rows=80, n_columns=8)
    here = ep.StabilitySelector(ep.JMI(2), 6, random_state=0).fit(X, y)

    def sent(function, halves):
        function = pickle.loads(pickle.dumps(function))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            yield from pool.map(function, halves)

    there = ep.StabilitySelector(ep.JMI(2), 6, random_state=0, map=sent).fit(X, y)
    assert np.array_equal(here.frequencies_, there.frequencies_)


def test_containers_change_nothing():
    """Dataframes, sparse matrices and lazy frames give what arrays give."""
    X, y = planted(n_rows=80, n_columns=6)
    X = np.round(X, 1) * (np.abs(X) > 0.5)
    names = [f"x{j}" for j in range(6)]
    frame = pl.DataFrame(X, schema=names)
    labels = pd.Series(np.where(y, "yes", "no"))
    first = ep.StabilitySelector(ep.MIM(2), 6, random_state=0).fit(X, y)
    for table in (pd.DataFrame(X, columns=names), frame, frame.lazy(), scipy.sparse.csr_array(X), X.tolist()):
        found = ep.StabilitySelector(ep.MIM(2), 6, random_state=0).fit(table, labels)
        assert np.array_equal(found.frequencies_, first.frequencies_)
    found = (
        ep.StabilitySelector(ep.MIM(2), 6, random_state=0).fit(frame, labels).set_output(transform="polars")
    )
    assert found.transform(frame).columns == [names[j] for j in np.flatnonzero(found.support_)]


def test_real_targets_and_no_target():
    """A real target is no class on any half; unsupervised selectors do without."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 10))
    y = 3 * X[:, 4] + rng.standard_normal(100)
    assert 4 in ep.StabilitySelector(ep.MIM(2), 10, random_state=0).fit(X, y).order_
    X[:, 7] *= 100
    selector = ep.StabilitySelector(ep.LaplacianScore(2), 10, threshold=0.6, random_state=0).fit(X)
    assert selector.frequencies_.sum() == pytest.approx(2)
    with pytest.raises(ValueError, match="requires y to be passed"):
        ep.StabilitySelector(ep.MIM(2)).fit(X)


def test_other_selectors_and_pipelines():
    """Selectors of scikit-learn work inside; a grid may search over parameters of the selector inside."""
    X, y = planted(n_columns=12)
    outer = ep.StabilitySelector(SelectKBest(f_classif, k=3), 10, random_state=0).fit(X, y)
    assert set(outer.order_) == {0, 1, 2}
    pipeline = make_pipeline(ep.StabilitySelector(ep.MIM(2), 6, threshold=0.6, random_state=0), GaussianNB())
    grid = GridSearchCV(pipeline, {"stabilityselector__selector__n_features": [1, 3]}, cv=2).fit(X, y)
    assert grid.best_params_ == {"stabilityselector__selector__n_features": 3}


def test_usual_selector_keeps_few_enough():
    """Without a number of columns √(2 max_false p) are kept by a fit, so that a threshold exists."""
    X, y = planted()
    for inner in (None, ep.MIM()):
        selector = ep.StabilitySelector(inner, 10, assumption="r-concave", random_state=0).fit(X, y)
        assert selector.mean_size_ == int(math.sqrt(2 * 40))
        assert selector.max_false_ <= 1


def test_copies_decide_by_hand():
    """Columns above the most frequent copy, or above all but one of two; the table has copies of its columns."""
    seen = []

    class Spy(ep.MIM):
        def fit(self, X, y=None):
            seen.append(X)
            return super().fit(X, y)

    X, y = planted(n_columns=6)
    frequent = {}
    for max_false, n_copies in ((1, 1), (2, 1), (0.5, 2)):
        seen.clear()
        selector = ep.StabilitySelector(Spy(5), 10, max_false=max_false, assumption="copies", random_state=0)
        selector.fit(X, y)
        halves = np.vstack(seen[:2])
        assert halves.shape == (200, 6 * (1 + n_copies))
        for j in range(6, halves.shape[1]):  # the same values, whole columns of them, in other rows
            assert sorted(halves[:, j]) == sorted(X[:, j % 6])
            assert abs(np.corrcoef(halves[:, j], halves[:, j % 6])[0, 1]) < 0.3
        kept = np.mean(
            [ep.MIM(5).fit(half, labels).support_ for half, labels in _labelled(seen, X, y)], axis=0
        )
        assert np.array_equal(selector.frequencies_, kept[:6])
        allowed = int(max_false * n_copies) - 1
        beaten = np.sort(kept[6:])[::-1][allowed]
        assert selector.threshold_ > max(0.5, beaten)
        assert set(selector.order_) == set(np.flatnonzero(kept[:6] > max(0.5, beaten)))
        assert selector.max_false_ <= max_false
        frequent[max_false] = set(selector.order_)
    assert {0, 1, 2} <= frequent[1] <= frequent[2]
    with pytest.raises(ValueError, match=r"max_false of at least 0.2, got 0.1"):
        ep.StabilitySelector(assumption="copies", max_false=0.1).fit(X, y)
    assert ep.StabilitySelector(max_false=0.1, random_state=0).fit(X, y).max_false_ <= 0.1
    for inner in (ep.CrossEntropyFS(None, costs=[1] * 6), ep.MIM(3), ep.LaplacianScore(), SelectKBest(k=2)):
        assert ep.StabilitySelector(inner)._resolve_assumption() == ("r-concave", 0)
    assert ep.StabilitySelector(ep.CrossEntropyFS(None))._resolve_assumption() == ("copies", 1)


def _labelled(halves, X, y):
    """Halves with their labels, found by the values of the first column."""
    label = dict(zip(X[:, 0], y, strict=True))
    return [(half, [label[value] for value in half[:, 0]]) for half in halves]


def test_containers_of_copies_change_nothing():
    X, y = planted(n_rows=80, n_columns=4)
    X = np.round(X, 1) * (np.abs(X) > 0.5)
    first = ep.StabilitySelector(n_resamples=4, random_state=0).fit(X, y)
    frame = pd.DataFrame(X, columns=list("abcd"), index=np.arange(80)[::-1])
    for table in (frame, pd.DataFrame(X), pl.from_pandas(frame), scipy.sparse.csr_array(X), X.tolist()):
        found = ep.StabilitySelector(n_resamples=4, random_state=0).fit(table, y)
        assert np.array_equal(found.frequencies_, first.frequencies_)


def test_progress_and_interrupts():
    """Every fit is told, and Ctrl-C comes through."""
    X, y = planted(n_rows=60, n_columns=5)
    for n_jobs in (1, 2):
        calls = []

        def note(*event, calls=calls):
            calls.append(event)

        ep.StabilitySelector(ep.MIM(1), 6, progress=note, random_state=0, n_jobs=n_jobs).fit(X, y)
        assert [(done, expected) for _, done, expected in calls] == [(k, 6) for k in range(1, 7)]
        assert "keeps 1 columns" in str(calls[0][0])

    def interrupt(event, n_done, n_expected):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ep.StabilitySelector(ep.MIM(1), 50, progress=interrupt, n_jobs=2).fit(X, y)


def test_what_cannot_be_bounded_is_said():
    """Too many columns per fit: the strictest threshold is taken, with advice."""
    X, y = planted(n_columns=10)
    with pytest.warns(SelectionWarning, match=r"No threshold .* Hint: .* n_features=4"):
        selector = ep.StabilitySelector(ep.MIM(9), 10, random_state=0).fit(X, y)
    assert selector.threshold_ == 1.0
    assert selector.max_false_ > 1


def test_refusals():
    """An odd number of halves, and too few rows."""
    X, y = planted(n_rows=20, n_columns=5)
    with pytest.raises(ValueError, match=r"n_resamples must be even.*got 7"):
        ep.StabilitySelector(n_resamples=7).fit(X, y)
    with pytest.raises(ValueError, match="threshold"):
        ep.StabilitySelector(threshold=0.5).fit(X, y)
    with pytest.raises(ValueError, match="got 1 sample"):
        ep.StabilitySelector().fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ep.StabilitySelector().fit(X, y[:-1])


def test_warnings_of_the_selector_inside_are_told_once():
    """Not once per half."""
    X, y = planted(n_rows=40, n_columns=4)
    X[:, 3] = 7
    with pytest.warns(SelectionWarning) as caught:
        ep.StabilitySelector(ep.MIM(3, fixed_features=[3]), 6, threshold=0.9, random_state=0).fit(X, y)
    told = [str(warning.message) for warning in caught]
    assert len([text for text in told if "'x3' is constant" in text]) == 1
    assert told[0].startswith("On halves of the rows: Column 'x3' is constant")

"""Verdicts: tests for and against a claim, intervals, corrections for shared rows and for many claims."""

import numpy as np
import pytest
import scipy.stats

from reproduction.protocol import DEPENDS, FAILS, HOLDS, UNDECIDED
from reproduction.verdicts import (
    OPEN,
    Finding,
    Mean,
    all_of,
    at_least,
    exact,
    holm,
    judge,
    share,
    share_text,
    sure_pairs,
    together,
)


def test_the_test_of_a_mean_is_the_t_test():
    values = np.random.default_rng(0).normal(0.3, 1, 12)
    greater = scipy.stats.ttest_1samp(values, 0.1, alternative="greater").pvalue
    found = Mean(values.tolist()).above(0.1)
    assert found.p_for == pytest.approx(greater)
    assert found.p_against == pytest.approx(1 - greater)
    interval = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert Mean(values.tolist()).interval == pytest.approx((interval.low, interval.high))


def test_splits_that_share_rows_widen_the_error():
    """By the variance of Nadeau and Bengio: (1 / n + test rows / training rows) of that of the values."""
    values = [0.01, 0.02, 0.03, 0.01]
    assert Mean(values, overlap=3 / 7).error == pytest.approx(np.std(values, ddof=1) * (1 / 4 + 3 / 7) ** 0.5)
    assert Mean(values, overlap=3 / 7).above(0).p_for > Mean(values).above(0).p_for


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1.0, 1.1, 0.9, 1.0], HOLDS), ([3.0, 3.1, 2.9, 3.0], FAILS), ([0.0, 4.0, 1.0, 3.0], UNDECIDED)],
)
def test_within_an_interval(values, expected):
    assert judge([Mean(values).within(0.5, 1.5)]) == [expected]


def test_few_values_tell_nothing_and_equal_ones_all():
    assert Mean([1.0]).above(0) == OPEN
    assert Mean([1.0, 1.0]).above(0) == exact(True)
    assert Mean([0.0, 0.0]).above(0) == exact(False)
    assert str(Mean([0.1, 0.3])).startswith("+0.200 (-1.071 to +1.471, 2 splits")
    assert Mean([0.1, 0.3]).plain.startswith("0.200 (-1.071 to 1.471")


def test_holm_is_that_of_a_plain_loop():
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_a_verdict_errs_in_5_percent_at_most():
    """Of the two tests only one can err, at the boundary the test for the claim: it takes the whole level."""
    tables = np.random.default_rng(0).normal(0, 1, size=(2000, 10))
    n_wrong = sum(judge([Mean(values.tolist()).above(0)]) == [HOLDS] for values in tables)
    assert 0.04 < n_wrong / 2000 < 0.06


def test_several_claims_need_more_evidence_than_one():
    found = Finding(0.02, 0.98)
    assert judge([found]) == [HOLDS]
    assert judge([found] * 3) == [UNDECIDED] * 3
    assert judge([found, exact(True), exact(False)]) == [HOLDS, HOLDS, FAILS]  # facts are no tests


def test_all_of_several_things():
    sure, not_so, open_one = Finding(0.001, 0.999), Finding(0.999, 0.001), Finding(0.4, 0.6)
    assert judge([all_of([sure, sure])]) == [HOLDS]
    assert judge([all_of([sure, not_so])]) == [FAILS]
    assert judge([all_of([sure, open_one])]) == [UNDECIDED]
    assert judge([at_least(2, [sure, sure, not_so])]) == [HOLDS]
    assert judge([at_least(2, [sure, not_so, not_so])]) == [FAILS]
    assert judge([at_least(5, [sure] * 3 + [OPEN] * 3)]) == [UNDECIDED]


def test_partial_conjunctions_keep_their_level():
    """Two of four are true: "at least three" is shown in about 5 % of the tables, not more."""
    rng, n_wrong = np.random.default_rng(0), 0
    for _ in range(400):
        tables = rng.normal([0, 0, 2, 2], 1, size=(10, 4)).T
        n_wrong += judge([at_least(3, [Mean(values.tolist()).above(0) for values in tables])]) == [HOLDS]
    assert n_wrong / 400 < 0.08


def test_a_share_by_the_binomial_distribution():
    found = share(9, 10)
    assert found.p_for == pytest.approx(scipy.stats.binomtest(9, 10, alternative="greater").pvalue)
    assert found.p_against == pytest.approx(scipy.stats.binomtest(9, 10, alternative="less").pvalue)
    assert share_text(10, 10) == "10 of 10 (95 %: 0.69 to 1.00)"


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([FAILS, FAILS], FAILS),
        ([FAILS, UNDECIDED], UNDECIDED),
        ([HOLDS, FAILS], DEPENDS),
        ([HOLDS, UNDECIDED], DEPENDS),
    ],
)
def test_a_claim_fails_only_where_it_fails_in_every_reading(verdicts, expected):
    assert together(verdicts) == expected


def test_pairs_that_are_sure_are_named():
    leads = {
        ("a", "b"): [0.1, 0.11, 0.12],
        ("a", "c"): [-0.1, 0.1, 0.0],
        ("a", "d"): [0.2, 0.21, 0.22],
        ("e", "b"): [-0.3, -0.31, -0.29],
    }
    means = {pair: Mean(values) for pair, values in leads.items()}
    assert sure_pairs(means) == "a ahead of b, d; e behind b"
    assert sure_pairs({("a", "c"): Mean([-0.1, 0.1, 0.0])}) == "none"

"""Verdicts on claims: tests for and against them, corrected for rows shared by splits and for their number.

A check returns a `Finding`: the probability of the evidence if the claim were false (`p_for`), and if it were
true (`p_against`). A claim that neither test decides is undecided. All findings of a paper are corrected
together, by Holm's method.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.stats

from reproduction.protocol import DEPENDS, FAILS, HOLDS, UNDECIDED

LEVEL = 0.05


@dataclass(frozen=True)
class Finding:
    """What speaks for and against a claim; both are 0 or 1 where nothing is left to chance."""

    p_for: float
    p_against: float

    @property
    def is_exact(self) -> bool:
        return {self.p_for, self.p_against} == {0.0, 1.0}

    @property
    def p_value(self) -> float:
        """One-sided: a claim is true or false, so of its two tests only one can err."""
        return min(self.p_for, self.p_against)


OPEN = Finding(1.0, 1.0)


def exact(holds) -> Finding:
    """A fact: a count, or numbers that are equal or are not; None where it is open."""
    return OPEN if holds is None else Finding(0.0, 1.0) if holds else Finding(1.0, 0.0)


def all_of(findings) -> Finding:
    """That all of several claims hold: as certain as the least certain; false if one is shown to be false."""
    found = list(findings)
    return at_least(len(found), found)


def at_least(n: int, findings) -> Finding:
    """That at least n of several things hold, by partial conjunctions (Benjamini and Heller 2008)."""
    found = list(findings)
    p_for, p_against = (sorted(getattr(one, name) for one in found) for name in ("p_for", "p_against"))
    n_false = len(found) - n + 1  # so many must be false for the claim to be
    return Finding(_partial(p_for, n), _partial(p_against, n_false))


def _partial(sorted_p, n) -> float:
    """That at least n of the hypotheses are false; 0 and 1 stay what they are."""
    if not 1 <= n <= len(sorted_p):
        return 0.0 if n < 1 else 1.0
    return min(1.0, (len(sorted_p) - n + 1) * sorted_p[n - 1])


def share(n_true: int, n: int, above: float = 0.5) -> Finding:
    """That something happens in more than a share of cases, by the binomial distribution."""
    return Finding(
        float(scipy.stats.binom.sf(n_true - 1, n, above)), float(scipy.stats.binom.cdf(n_true, n, above))
    )


def share_text(n_true: int, n: int) -> str:
    """A share with its exact 95 % interval."""
    low, high = scipy.stats.binomtest(n_true, n).proportion_ci(0.95)
    return f"{n_true} of {n} (95 %: {low:.2f} to {high:.2f})"


@dataclass(frozen=True)
class Mean:
    """The mean of some numbers and its error.

    `overlap` is test rows / training rows if the numbers come from random splits of the same rows, 0 for
    separate data. Splits share rows, so their mean varies more than it seems (Nadeau and Bengio 2003). For
    comparison with a number printed in a paper, which is about random splits of the same rows, it is 1 / (the
    paper's number of splits), for the error of the printed mean.
    """

    values: Sequence[float]
    unit: str = "splits"
    overlap: float = 0.0
    digits: int = 3

    @property
    def mean(self) -> float:
        return float(np.mean(self.values)) if len(self.values) else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean, corrected for the overlap."""
        n = len(self.values)
        return float(np.std(self.values, ddof=1) * (1 / n + self.overlap) ** 0.5) if n > 1 else math.inf

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        n = len(self.values)
        if n < 2:
            return -math.inf, math.inf
        half = float(scipy.stats.t.ppf(0.975, n - 1)) * self.error
        return self.mean - half, self.mean + half

    def above(self, boundary: float = 0.0) -> Finding:
        """That the true mean is above a number."""
        if len(self.values) < 2:
            return OPEN
        if self.error == 0:  # the t-test divides by the spread
            return Finding(0.0, 1.0) if self.mean > boundary else Finding(1.0, 0.0)
        t = (self.mean - boundary) / self.error
        distribution = scipy.stats.t(len(self.values) - 1)
        return Finding(float(distribution.sf(t)), float(distribution.cdf(t)))

    def below(self, boundary: float = 0.0) -> Finding:
        """That the true mean is below a number."""
        return Mean([-value for value in self.values], self.unit, self.overlap).above(-boundary)

    def within(self, low: float, high: float) -> Finding:
        """That the true mean lies between two numbers (two one-sided tests)."""
        return all_of_pair(self.above(low), self.below(high))

    @property
    def plain(self) -> str:
        """Without a plus sign, for numbers that are not differences."""
        return str(self).replace("+", "")

    def __str__(self) -> str:
        n, digits = len(self.values), self.digits
        if n < 2:
            return f"{self.mean:+.{digits}f}"
        low, high = self.interval
        return f"{self.mean:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f}, {n} {self.unit})"


def sure_pairs(leads: Mapping[tuple[str, str], "Mean"]) -> str:
    """Of which methods each method is ahead, or behind, by a 95 % interval that is clear of 0."""
    parts = []
    for word, is_sure in (("ahead of", lambda ends: ends[0] > 0), ("behind", lambda ends: ends[1] < 0)):
        found: dict[str, list[str]] = {}
        for (one, other), lead in leads.items():
            if is_sure(lead.interval):
                found.setdefault(one, []).append(other)
        parts += [f"{one} {word} {', '.join(others)}" for one, others in found.items()]
    return "; ".join(parts) or "none"


def all_of_pair(one: Finding, other: Finding) -> Finding:
    """That two things hold of which at most one can fail, so nothing is to be corrected."""
    return Finding(max(one.p_for, other.p_for), min(one.p_against, other.p_against))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm 1979)."""
    order, highest, adjusted = np.argsort(p_values, kind="stable"), 0.0, [0.0] * len(p_values)
    for place, i in enumerate(order):
        highest = max(highest, (len(p_values) - place) * p_values[i])
        adjusted[i] = min(1.0, highest)
    return adjusted


def judge(findings: Sequence[Finding]) -> list[str]:
    """A verdict on each of the findings of one paper."""
    tested = [i for i, found in enumerate(findings) if not found.is_exact]
    adjusted = dict(zip(tested, holm([findings[i].p_value for i in tested]), strict=True))
    return [
        UNDECIDED if adjusted.get(i, 0.0) >= LEVEL else HOLDS if found.p_for < found.p_against else FAILS
        for i, found in enumerate(findings)
    ]


def together(verdicts: Sequence[str]) -> str:
    """The verdict on a claim from those of its readings: it fails if it fails in all of them."""
    different = set(verdicts)
    if len(different) == 1:
        return verdicts[0]
    return DEPENDS if HOLDS in different else UNDECIDED

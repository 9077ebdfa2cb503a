"""What the claims share: how a verdict comes about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from experiments.nefs import reading
from experiments.nefs.design import PAPER_METHODS
from experiments.nefs.explanations import NO_BUG
from experiments.protocol import FAILS, HOLDS, UNCHECKED, Claim, Results

OTHERS = ("RELIEFF", "X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")
UNDECIDED = "The difference is the paper's, but with so few folds it is not significant."
PAIRED = "Paired t-test over the folds at 0.05."


@dataclass(frozen=True)
class Found:
    """What came out: the numbers, and whether they agree with the claim; None where they cannot tell yet."""

    ours: str
    holds: bool | None


def judge(
    where: str, text: str, paper: str, found: Found | None, rule: str, missing: str, explained: str = ""
) -> Claim:
    """A claim with its verdict; `explained` is what is to be said where it does not hold."""
    if found is None:
        return Claim(where, text, paper, "-", UNCHECKED, missing)
    if found.holds is None:
        return Claim(where, text, paper, found.ours, UNCHECKED, f"{rule} {UNDECIDED}")
    if found.holds:
        return Claim(where, text, paper, found.ours, HOLDS, rule)
    return Claim(where, text, paper, found.ours, FAILS, f"{rule} {explained} {NO_BUG}".replace("  ", " "))


def together(verdicts: Iterable[bool | None]) -> bool | None:
    """All of them: False as soon as one is, None where one is open."""
    known = list(verdicts)
    return False if False in known else None if None in known else True


def ahead(
    results: Results, data: str, classifier: str, first: str, second: str, sizes: Sequence[int]
) -> Found | None:
    """Whether the first method is ahead of the second."""
    apart = reading.difference(results, data, classifier, first, second, sizes)
    return None if apart is None else Found(str(apart), apart.verdict)


def best_of(results: Results, data: str, classifier: str, method: str, sizes: Sequence[int]) -> Found | None:
    """Whether a method has the highest mean accuracy of the paper's methods."""
    values = {m: reading.means_over_sizes(results, data, classifier, m, sizes) for m in PAPER_METHODS}
    if any(len(found) < 2 for found in values.values()):
        return None
    means = {m: float(np.mean(found)) for m, found in values.items()}
    ranked = sorted(means, key=lambda m: -means[m])
    return Found(", ".join(f"{m} {means[m]:.3f}" for m in ranked), ranked[0] == method)

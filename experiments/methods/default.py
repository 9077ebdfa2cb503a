"""The default of `entropick select`: chosen on one half of the data sets, confirmed on the other."""

from dataclasses import dataclass

from experiments.methods.evidence import EVERYWHERE, Evidence
from experiments.methods.protocol import CHOOSE, CONFIRM, DEFAULT
from experiments.methods.statistics import SIGNIFICANCE, Difference, Ranking, difference

FEW_DATASETS = 6  # with fewer no difference is significant by Wilcoxon's test


@dataclass(frozen=True)
class Choice:
    """The default chosen on one half of the data sets, and looked at on the other.

    The rule, written down before the whole version was run: on the choosing half the method with the best
    mean rank is the candidate, among those that can be run on any table. The present default gives way only
    if the candidate is significantly better on the confirming half; without such evidence nothing is changed.
    """

    candidate: str
    choosing: Ranking
    confirming: Ranking
    gain: Difference  # of the candidate over the present default, on the confirming half

    @property
    def default(self) -> str:
        is_better = self.gain.mean > 0 and self.gain.p_value < SIGNIFICANCE
        return self.candidate if is_better else DEFAULT


def choose_default(evidence: Evidence) -> Choice | None:
    """Apply the rule; None where a half has too few data sets."""
    halves = evidence.of_half(CHOOSE), evidence.of_half(CONFIRM)
    if min(map(len, halves)) < FEW_DATASETS:
        return None
    choosing, confirming = (evidence.ranking(EVERYWHERE, half) for half in halves)
    assert choosing is not None
    assert confirming is not None
    candidate = choosing.names[0]
    gain = difference(evidence.accuracies(candidate, halves[1]), evidence.accuracies(DEFAULT, halves[1]))
    return Choice(candidate, choosing, confirming, gain)

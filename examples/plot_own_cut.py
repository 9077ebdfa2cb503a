"""
A cut of your own
=================

A cut says how many columns to keep. This one stops where a score is less than half of the one before.
A cut holds parameters only; for each fit it begins a judge, which sees every step of the search.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import entropick as ep


class Drop(ep.cuts.Cut):
    """Keep columns until a score is less than a share of the one before."""

    def __init__(self, share=0.5):
        self.share = share

    def begin(self, run):
        """Start on one fit; the run has the table, the measure at work and more."""
        return UntilItDrops(self.share)


class UntilItDrops(ep.cuts.PlainJudge):
    """Watches the scores of the steps."""

    def __init__(self, share):
        self.share = share

    def is_done(self, path):
        """Whether the search may stop after these steps."""
        return len(path) > 1 and self.has_dropped(*path[-2:])

    def keep(self, path):
        """How many of the steps stay."""
        return len(path) - self.is_done(path)

    def has_dropped(self, before, now):
        """Whether a score is much lower than the one before it; fixed columns have none."""
        return not now.fixed and not before.fixed and now.score < self.share * before.score


X, y = load_wine(as_frame=True, return_X_y=True)
for measure in ("mim", "mrmr", "fisher_score"):
    print(f"{measure:>12}: {ep.select(X, y, measure=measure, cut=Drop()).selected_names}")

# %%
# The scores of mRMR, and where the cut is for other shares.

scores = [step.score for step in ep.select(X, y, measure="mrmr", cut=X.shape[1]).steps]
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(range(1, len(scores) + 1), scores, marker="o", color="0.3")
for share in (0.3, 0.5, 0.7):
    n_kept = ep.select(X, y, measure="mrmr", cut=Drop(share)).n_kept
    ax.axvline(n_kept + 0.5, linestyle=":", label=f"Drop({share}) keeps {n_kept}")
ax.set(xlabel="step", ylabel="score")
ax.legend()

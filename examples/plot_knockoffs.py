"""
Which features matter, with few false ones?
===========================================

A feature that is related to a cause looks like a cause. Knockoffs are copies that relate to the other
features as the feature itself does, but were made without the target. The cut
:class:`~entropick.cuts.Knockoffs` keeps features that beat their knockoffs; of these, at most a stated share
is false on average.
"""

import matplotlib.pyplot as plt
import numpy as np

import entropick as ep

rng = np.random.default_rng(0)

# %%
# Forty answers of a questionnaire with three options each. Every answer repeats the one before it in half of
# the rows, and four of them decide the outcome.

answers = [rng.integers(0, 3, 2000)]
for _ in range(39):
    answers.append(np.where(rng.random(2000) < 0.5, answers[-1], rng.integers(0, 3, 2000)))
X = np.column_stack(answers)
causes = [4, 14, 24, 34]
y = X[:, causes].sum(axis=1) + rng.integers(0, 4, 2000) > 5

# %%
# Tests of single features find everything that is related to the outcome: the neighbours of the causes, too.
# Against knockoffs, these have no advantage.

related = ep.MIM("fdr").fit(X, y)
knockoffs = ep.MIM("knockoffs").fit(X, y)
print("related to the outcome:", sorted(related.order_.tolist()))
print("better than knockoffs: ", sorted(knockoffs.order_.tolist()))

# %%
# Each feature that is kept has a q-value, the smallest rate at which it would be kept.

fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
colours = np.where(knockoffs.get_support(), "C0", np.where(related.get_support(), "C1", "0.8"))
ax.bar(range(40), related.selection_.relevances.information, color=colours)
ax.set_xlabel("feature (blue: better than its knockoffs, orange: only related)")
ax.set_ylabel("information, bits")

"""
Do the same columns come back with other rows?
===============================================

:class:`~entropick.StabilitySelector` fits a selector to random halves of the rows and keeps the columns
that are selected in most of them, with a bound on the expected number of false selections.
"""

import matplotlib.pyplot as plt
import numpy as np

import entropick as ep

rng = np.random.default_rng(0)
X = rng.standard_normal((300, 40))
y = X[:, 3] + X[:, 7] + 0.7 * X[:, 11] + 0.5 * rng.standard_normal(300) > 0

selector = ep.StabilitySelector(ep.JMI(n_features=5, n_bins=4), n_resamples=30, random_state=0).fit(X, y)
print(f"selected: {selector.order_}, expected false selections: at most {selector.max_false_:.2f}")
print(f"stability of the single selections: {selector.stability_}")

# %%
# Each selection keeps five columns. Three of them are nearly always the same; the others change with
# the rows.

fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
colours = np.where(selector.support_, "C0", "0.7")
ax.bar(np.arange(40), selector.frequencies_, color=colours)
ax.axhline(selector.threshold_, color="C3", label=f"threshold {selector.threshold_:.2f}")
ax.set(xlabel="column", ylabel="share of fits that keep it")
ax.legend()

"""
Small or informative: a front to choose from
============================================

:class:`~entropick.BayesianEntropyFS` minimises two objectives at once: the remaining uncertainty about the
target and the entropy of the columns themselves. The result is a front of subsets.
"""

from sklearn.datasets import load_breast_cancer

import entropick as ep

X, y = load_breast_cancer(as_frame=True, return_X_y=True)
search = ep.searches.NSGA2(n_evaluations=3_000)
selector = ep.FeatureSelector(measure="bayesian", search=search, n_bins=4, random_state=0).fit(X, y)
front = selector.selection_.exploration.front
print(f"{len(front)} subsets, of {front.sizes.min()} to {front.sizes.max()} columns")

# %%
# No subset of the front is better than another in both respects. The knee is chosen by default.

ax = front.plot()
ax.figure.set_size_inches(7, 4)

# %%
# Any subset of the front can be used.

for place in range(0, len(front), max(1, len(front) // 4)):
    print(f"{front.sizes[place]:>2} columns:", ", ".join(X.columns[front.subsets[place]][:4]))

"""
A search of your own
====================

A search says which columns are tried next. Greedy selection always takes the best one; here each step
takes one of the best three at random. Many such runs show which columns are chosen whatever came before.
It goes from column to column, so it is a :class:`~entropick.searches.PathSearch`, with one method.
"""

from collections import Counter
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

import entropick as ep
from entropick.searches import best_step, fixed_step, open_columns


class OneOfTheBest(ep.searches.PathSearch):
    """Add one of the best columns at random, again and again."""

    def __init__(self, n_best=3, random_state=None):
        self.n_best = n_best
        self.random_state = random_state

    def walk(self, state, n_columns, fixed):
        """Yield one step after another; the cut says when to stop."""
        rng = np.random.default_rng(self.random_state)
        for column in fixed:
            yield fixed_step(column)
            state.include(column)
        candidates = open_columns(n_columns, fixed)
        while len(candidates):
            start = perf_counter()
            found = state.compete(candidates)
            best = np.argsort(-found.scores, kind="stable")[: self.n_best]
            step = best_step(found.take(rng.choice(best, 1)), start)
            yield step
            state.include(step.column)
            candidates = candidates[candidates != step.column]


# %%
# Columns that are chosen in most of 200 runs do not depend on the luck of the first step.

X, y = load_wine(as_frame=True, return_X_y=True)
chosen = Counter()
for seed in range(200):
    selection = ep.select(X, y, measure="jmi", search=OneOfTheBest(), cut=5, random_state=seed)
    chosen.update(selection.selected_names)
print(ep.select(X, y, measure="jmi", cut=5).selected_names, "by the greedy search")

names, counts = zip(*chosen.most_common(), strict=True)
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.barh(names[::-1], np.array(counts[::-1]) / 200)
ax.set_xlabel("share of runs that chose the column")

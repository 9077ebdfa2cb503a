"""
Adding a criterion
==================

A criterion made of relevance and one term per selected column is a class with two methods. It works
with every search and cut that fits, in threads, on sparse data, and on Dask collections.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import entropick as ep
from entropick.measures.pairs.pairwise import PairwiseMeasure


class CondRed(PairwiseMeasure):
    """Conditional redundancy (Brown and others 2012): I(f;y) + Σ I(f;s|y)."""

    def term(self, pair):
        """What each column shares with the newest selected one within the classes."""
        return pair.redundancy_within_classes

    def score(self, relevance, total, n_picked):
        """The score of every column, given the sum of its terms."""
        return relevance + total


X, y = load_wine(as_frame=True, return_X_y=True)
print(ep.select(X, y, measure=CondRed(), cut=4))

# %%
# Compared with published criteria: the rank of each column under four of them.

criteria = {"CondRed": CondRed(), "MIM": "mim", "mRMR": "mrmr", "JMI": "jmi"}
ranks = [ep.select(X, y, measure=measure, cut=X.shape[1]).ranking for measure in criteria.values()]
fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.imshow([list(rank) for rank in zip(*ranks, strict=True)], aspect="auto", cmap="Blues_r")
ax.set_xticks(range(len(criteria)), criteria)
ax.set_yticks(range(X.shape[1]), X.columns)
for j, rank in enumerate(ranks):
    for i, place in enumerate(rank):
        ax.text(j, i, place, ha="center", va="center", color="white" if place < 6 else "black")

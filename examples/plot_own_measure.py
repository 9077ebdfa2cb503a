"""
A measure of your own
=====================

A measure says how good a column or a subset is. Here is the error of the best rule on the joint levels of
a subset: the share of rows that are not in the largest class of their group. It values whole subsets, so it
is a :class:`~entropick.measures.SetMeasure`, which every search but the ranking can use.
"""

import matplotlib.pyplot as plt

import entropick as ep


class ErrorOfBestRule(ep.measures.SetMeasure):
    """Share of rows that the best rule on the joint levels gets wrong."""

    def begin_sets(self, table, threads):
        """Start on a table; only its counts are used."""
        return Errors(table)


class Errors(ep.measures.OneObjective):
    """The measure at work: values of subsets, lower is better."""

    objectives = ("share of wrong rows",)
    is_monotone = True  # one more column never makes the best rule worse

    def __init__(self, table):
        self.table = table

    def values(self, subsets):
        """One value per subset, given as booleans (subsets, columns)."""
        return 1 - self.table.counts.subset_peaks(subsets)[:, None] / self.table.n_rows


# %%
# In the CorrAL data four columns determine the class together; a fifth agrees with it in three rows of four,
# and misleads searches that take the best column first.

X, y = ep.datasets.make_corral()
for search in ("forward", "floating", "exhaustive"):
    found = ep.select(X, y, measure=ErrorOfBestRule(), search=search, cut=4)
    print(f"{search:>10}: {found.selected_names}")

# %%
# The proof of the exhaustive search, and how the error falls along its front.

exploration = ep.select(X, y, measure=ErrorOfBestRule(), search="exhaustive").exploration
print(exploration.statement)
front = exploration.front
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(front.sizes, front.objectives[:, 0], marker="o")
ax.set(xlabel="number of columns", ylabel="share of wrong rows")

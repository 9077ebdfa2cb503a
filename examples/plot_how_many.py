"""
How many columns do I need?
============================

``n_features="auto"`` keeps as many columns as predict held-out rows about as well as any number
does: the number with the least loss, or a smaller one that is hardly worse. The record explains the
number and holds the scores of all numbers tried.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import entropick as ep

X, y = load_wine(as_frame=True, return_X_y=True)
selection = ep.CMIM(n_features="auto").fit(X, y).selection_
print(selection.reason)

# %%
# Columns are selected inside each fold, so no row scores columns that it helped to select.

tried = selection.evidence
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(tried.sizes, tried.scores, marker="o")
ax.axvline(selection.n_kept, color="0.4", linestyle="--")
ax.set(xlabel="number of columns", ylabel=f"held-out {tried.scoring}", title=f"{selection.n_kept} are kept")

# %%
# Other questions have other answers. A permutation test keeps only columns that add more than chance does,
# given those selected before; the residual rule keeps columns until they determine the target on these rows.

for rule in ("auto", "permutation", "residual"):
    kept = ep.CMIM(n_features=rule, n_bins=4, random_state=0).fit(X, y).n_features_
    print(f"{rule:<12} {kept:>2} of {X.shape[1]}")

# %%
# A path can be cut again without a new fit.

print(selection.keep(5).selected_names)

"""
Which method, with how many columns?
=====================================

:func:`~entropick.compare` fits several methods inside the folds of a cross-validation, scores estimators
on the held-out rows, and recommends a method and a number, or says that nothing was found.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import entropick as ep

X, y = load_wine(as_frame=True, return_X_y=True)
found = ep.compare(X, y, methods=["jmi", "mrmr", "mim"], estimators=["bayes"], random_state=0)
print(found.recommendation.sentence)
print(found.recommended_columns)

# %%
# The curves behind the recommendation, and how much the columns change from fold to fold.

fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
for method in found.methods:
    label = f"{method.name}, stability {method.stability}"
    ax.plot(method.sizes, method.scores["bayes"].mean(axis=0), marker="o", label=label)
ax.axhline(found.chance, color="0.5", linestyle=":")
ax.set(xlabel="number of columns", ylabel="accuracy, 5 folds")
ax.legend()

# %%
# On shuffled labels it finds nothing.

shuffled = y.sample(frac=1, random_state=0).to_numpy()
nothing = ep.compare(X, shuffled, methods=["jmi", "mim"], estimators=["bayes"], random_state=0)
print(nothing.recommendation.sentence)

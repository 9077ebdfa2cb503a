"""
A numeric target
================

``target="real"`` declares a numeric target: it is binned into classes for counting, and held-out rows are
scored by R². By default, numbers with a fractional part and whole numbers with many values are treated
as real.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import entropick as ep

X, y = load_diabetes(as_frame=True, return_X_y=True)
selector = ep.JMI("auto", n_bins=4, target="real", random_state=0).fit(X, y)
print(selector.selection_.reason)
print(selector.selection_)

# %%
# The same with a ridge regression, with selection inside the folds.

sizes = range(1, X.shape[1] + 1)
scores = [
    cross_val_score(make_pipeline(ep.JMI(k, n_bins=4, target="real"), RidgeCV()), X, y).mean() for k in sizes
]
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.plot(sizes, scores, marker="o")
ax.axvline(selector.n_features_, color="0.4", linestyle="--")
ax.set(xlabel="number of columns", ylabel="R², 5 folds")

"""
In a pipeline, with a grid search
=================================

A selector is a scikit-learn transformer. Inside a pipeline it is fitted to the training rows of each
fold, and a grid search may vary the number of columns, the levels, the method itself, and the
parameters of its parts.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep

X, y = load_breast_cancer(as_frame=True, return_X_y=True)
pipeline = Pipeline([("select", ep.JMI()), ("scale", StandardScaler()), ("model", LogisticRegression())])
grid = {"select": [ep.MIM(), ep.JMI(), ep.CMIM()], "select__n_features": [1, 2, 4, 8, 16]}
search = GridSearchCV(pipeline, grid).fit(X, y)
print(f"best: {search.best_params_['select']}, accuracy {search.best_score_:.3f}")

# %%
# Redundant columns hurt the ranking (MIM) most when few columns are kept.

results = pd.DataFrame(search.cv_results_)
results["method"] = [type(params["select"]).__name__ for params in results["params"]]
table = results.pivot_table(index="param_select__n_features", columns="method", values="mean_test_score")
ax = table.plot(
    figsize=(7, 3.5), marker="o", logx=True, xlabel="number of columns", ylabel="accuracy, 5 folds"
)
ax.set_xticks(table.index, table.index)
plt.tight_layout()

# %%
# Parameters of a part are reached by its name.

parts = Pipeline([("select", ep.FeatureSelector(measure=ep.measures.MIFS(), cut=5)), *pipeline.steps[1:]])
search = GridSearchCV(parts, {"select__measure__beta": [0.0, 0.3, 1.0]}).fit(X, y)
print(search.best_params_)

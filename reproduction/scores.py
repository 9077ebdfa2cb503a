"""Selectors by name, and how well estimators do with the first columns of an order."""

import numpy as np
import scipy.sparse
from sklearn.base import clone

import entropick as ep

USUAL = {"n_bins", "random_state", "n_jobs", "target"}  # left out where a method does not take them


def make_selector(name: str, **parameters):
    """A selector of the library by name; criteria are as published unless a correction is given."""
    method = getattr(ep, name)
    known = set(method._get_param_names())
    if "correction" in known:
        parameters = {"correction": None} | parameters
    return method(**{key: value for key, value in parameters.items() if key not in USUAL - known})


def accuracy_at_sizes(estimator, order, sizes, train, test) -> list[float]:
    """Accuracy on the test rows (X, y) with the first columns of an order, for each number of columns."""
    scores = []
    for size in sizes:
        columns = np.asarray(order[:size])
        fitted = clone(estimator).fit(_columns(train[0], columns), train[1])
        scores.append(float(np.mean(fitted.predict(_columns(test[0], columns)) == test[1])))
    return scores


def _columns(X, columns):
    chosen = X[:, columns]
    return chosen.toarray() if scipy.sparse.issparse(chosen) else chosen

"""The paper's four classifiers on tables of codes, and the subset of a front that each of them chooses.

All of them treat a column as unordered categories, as the paper's program (Weka) treats nominal attributes.
"""

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

CLASSIFIERS = ("1-NN", "RF", "J48", "NB")
PRUNED = "J48 pruned"
FOREST = {"n_estimators": 100, "bootstrap": True, "oob_score": True, "n_jobs": 1, "random_state": 0}
TREE = {"criterion": "entropy", "min_samples_leaf": 2, "random_state": 0}  # J48's -M 2
CONFIDENCE = 0.25  # J48's -C: of the limit of a leaf's errors
PREFERRED = 0.1  # errors that a leaf may expect above those of the subtree it replaces, as in Weka
MAX_FITS = {"RF": 6, "J48": 80}  # fits in the search for the best training accuracy of a front
N_FOLDS = 5
EQUAL = 1e-9
TREE_LEAF = -1  # for scikit-learn: the child of a node that has none


@dataclass(frozen=True)
class Task:
    """Training and test rows, as codes 0, 1, ...

    `fitted` holds trees and forests by their columns, because fronts for several alpha share subsets.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    fitted: dict[tuple[str, bytes], Any] = field(default_factory=dict, repr=False)

    @cached_property
    def n_levels(self):
        """Codes of each column, those of the test rows included."""
        return np.maximum(self.X.max(axis=0), self.X_test.max(axis=0)) + 1

    @cached_property
    def n_classes(self) -> int:
        return int(max(self.y.max(), self.y_test.max())) + 1

    def dummies(self, columns, *, test=False):
        """Some columns as 0 and 1, one for each code."""
        X = self.X_test if test else self.X
        parts = [X[:, [j]] == np.arange(self.n_levels[j]) for j in columns]
        return np.hstack(parts).astype(np.float32)

    def fold(self, train, test):
        """Split the training rows again into training and test rows."""
        return Task(self.X[train], self.y[train], self.X[test], self.y[test])


def accuracy_on_test_rows(name, task, columns) -> float:
    """Share of the test rows that a classifier with these columns gets right."""
    return float(np.mean(_PREDICTIONS[name](task, columns) == task.y_test))


def held_out_accuracy(name, task, columns) -> float:
    """Accuracy inside the training rows: 5 folds, and for the forest the rows its trees have not seen."""
    if name == "RF":
        return float(_forest(task, columns).oob_score_)
    folds = KFold(N_FOLDS, shuffle=True, random_state=0).split(task.X)
    return float(np.mean([accuracy_on_test_rows(name, task.fold(*rows), columns) for rows in folds]))


class PrunedTree(DecisionTreeClassifier):
    """A tree whose subtrees become leaves if that promises fewer errors on other rows, as in C4.5.

    The default of Weka's J48, except for subtree raising.
    """

    def fit(self, X, y):
        super().fit(X, y)
        tree = self.tree_
        wrong = np.rint(tree.n_node_samples * (1 - tree.value[:, 0].max(axis=1)))
        errors = most_errors(tree.n_node_samples, wrong)
        for node in reversed(range(tree.node_count)):  # children have higher numbers
            children = [tree.children_left[node], tree.children_right[node]]
            if children[0] == TREE_LEAF:
                continue
            below = errors[children].sum()
            if errors[node] <= below + PREFERRED:
                tree.children_left[node] = tree.children_right[node] = TREE_LEAF
            else:
                errors[node] = below
        return self


def most_errors(n_rows, n_wrong):
    """Upper confidence limit of a leaf's errors on as many other rows, as in Weka (`Stats.addErrs`).

    The largest class is right, so fewer rows are wrong than there are.
    """
    z, share = norm.isf(CONFIDENCE), (n_wrong + 0.5) / n_rows
    spread = z * np.sqrt(share * (1 - share) / n_rows + (z / (2 * n_rows)) ** 2)
    limit = (share + z**2 / (2 * n_rows) + spread) / (1 + z**2 / n_rows)
    return n_rows * np.where(n_wrong == 0, 1 - CONFIDENCE ** (1 / n_rows), limit)


def _nearest(task, columns):
    """1-NN by the number of equal values; all rows that are equally near vote, as in Weka."""
    agree = task.dummies(columns, test=True) @ task.dummies(columns).T
    nearest = agree > agree.max(axis=1, keepdims=True) - 0.5
    votes = nearest.astype(np.float32) @ np.eye(task.n_classes, dtype=np.float32)[task.y]
    return votes.argmax(axis=1)


def _forest(task, columns):
    return _fitted(RandomForestClassifier(**FOREST), task, columns)


def _tree(task, columns):
    return _fitted(DecisionTreeClassifier(**TREE), task, columns)


def _pruned_tree(task, columns):
    return _fitted(PrunedTree(**TREE), task, columns)


def _fitted(estimator, task, columns):
    key = (type(estimator).__name__, columns.tobytes())
    if key not in task.fitted:
        with warnings.catch_warnings():  # with 20 rows some row may be in every tree of a forest
            warnings.simplefilter("ignore", UserWarning)
            task.fitted[key] = estimator.fit(task.dummies(columns), task.y)
    return task.fitted[key]


def _by_naive_bayes(task, columns):
    used = np.zeros((1, task.X.shape[1]), dtype=bool)
    used[0, columns] = True
    return naive_bayes(task, task.X_test, used)[0]


def naive_bayes(task, X, subsets):
    """Predictions for the rows of X, one line for each subset, with Laplace smoothing."""
    classes = np.eye(task.n_classes)[task.y]
    log_odds = np.empty((len(subsets), len(X), task.n_classes), dtype=np.float32)
    sizes = classes.sum(axis=0)
    log_odds[:] = np.log(sizes + 1)
    logs = np.empty((task.n_classes, *X.shape), dtype=np.float32)
    for j, n_levels in enumerate(task.n_levels):
        counts = (task.X[:, [j]] == np.arange(n_levels)).T.astype(float) @ classes + 1
        logs[:, :, j] = np.log(counts / (sizes + n_levels))[X[:, j]].T
    for c in range(task.n_classes):
        log_odds[:, :, c] += subsets.astype(np.float32) @ logs[c].T
    return log_odds.argmax(axis=2)


_PREDICTIONS = {
    "1-NN": _nearest,
    "RF": lambda task, columns: _forest(task, columns).predict(task.dummies(columns, test=True)),
    "J48": lambda task, columns: _tree(task, columns).predict(task.dummies(columns, test=True)),
    PRUNED: lambda task, columns: _pruned_tree(task, columns).predict(task.dummies(columns, test=True)),
    "NB": _by_naive_bayes,
}


def best_in_training(task, subsets, classifiers=CLASSIFIERS):
    """For each classifier the subset with the best training accuracy, and that accuracy.

    Of equal ones the smallest. What 1-NN reaches on its own rows (the largest class among equal rows) bounds
    all classifiers, so trees are grown in the order of that bound, and only while it leaves room.
    """
    bounds = largest_class_shares(task, subsets)
    sizes = subsets.sum(axis=1)
    columns = [np.flatnonzero(subset) for subset in subsets]

    def fitted(fit):
        return lambda i: float(fit(task, columns[i]).score(task.dummies(columns[i]), task.y))

    searches = {
        "1-NN": lambda: _first_best(bounds, sizes),
        "RF": lambda: _best_below(bounds, sizes, fitted(_forest), MAX_FITS["RF"]),
        "J48": lambda: _best_below(bounds, sizes, fitted(_tree), MAX_FITS["J48"]),
        PRUNED: lambda: _best_below(bounds, sizes, fitted(_pruned_tree), MAX_FITS["J48"]),
        "NB": lambda: _first_best(_naive_bayes_shares(task, subsets), sizes),
    }
    return {name: searches[name]() for name in classifiers}


def largest_class_shares(task, subsets):
    """Share of rows in the largest class among the rows equal to them in a subset's columns."""
    weights = np.random.default_rng(0).integers(1, 2**62, size=(task.X.shape[1],))
    shares = []
    for subset in subsets:
        rows = task.X[:, subset] @ weights[subset]  # wraps around; equal rows have equal sums
        _, group = np.unique(rows, return_inverse=True)
        counts = np.bincount(group * task.n_classes + task.y, minlength=(group.max() + 1) * task.n_classes)
        shares.append(counts.reshape(-1, task.n_classes).max(axis=1).sum() / len(task.y))
    return np.array(shares)


def _naive_bayes_shares(task, subsets, at_once=100):
    parts = [subsets[i : i + at_once] for i in range(0, len(subsets), at_once)]
    return np.concatenate([(naive_bayes(task, task.X, part) == task.y).mean(axis=1) for part in parts])


def _first_best(accuracies, sizes):
    best = min(range(len(sizes)), key=lambda i: (-accuracies[i], sizes[i]))
    return best, float(accuracies[best])


def _best_below(bounds, sizes, accuracy, most):
    """The best `accuracy`, which never exceeds `bounds`, with at most `most` calls."""
    best, best_accuracy, n_calls = -1, -1.0, 0
    for i in np.lexsort((sizes, -bounds)):
        if n_calls == most or bounds[i] < best_accuracy - EQUAL:
            break
        if bounds[i] <= best_accuracy + EQUAL and sizes[i] >= sizes[best]:
            continue  # can at best be as good, and is not smaller
        found = accuracy(int(i))
        n_calls += 1
        if found > best_accuracy + EQUAL or (found > best_accuracy - EQUAL and sizes[i] < sizes[best]):
            best, best_accuracy = int(i), found
    return best, best_accuracy

"""What stands beside the paper's tables: the filter F-MI, and classifiers that read codes as numbers."""

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler

import entropick as ep
from reproduction.bayes.classifiers import CLASSIFIERS, accuracy_on_test_rows

NUMBERS = {"1-NN": KNeighborsClassifier(1, n_jobs=1), "NB": GaussianNB()}


def gains_of_f_mi(task, settings):
    """Accuracy with the columns of a swarm by F-MI less that with all columns, in points, by classifier."""
    n_particles, n_rounds = settings["swarm"]
    swarm = ep.SwarmFS(
        measure="pairwise_balance",
        n_particles=n_particles,
        n_rounds=n_rounds,
        n_bins=65535,
        random_state=settings["seed"],
        n_jobs=1,
    )
    columns, everything = np.sort(swarm.fit(task.X, task.y).order_), np.arange(task.X.shape[1])
    gains = {
        c: 100 * (accuracy_on_test_rows(c, task, columns) - accuracy_on_test_rows(c, task, everything))
        for c in CLASSIFIERS
    }
    return {"n": len(columns), "gains": {c: round(gain, 3) for c, gain in gains.items()}}


def codes_as_numbers(tasks):
    """Accuracies (%) with all columns, codes as names and as numbers between 0 and 1, split by split."""
    found: dict = {way: {c: [] for c in NUMBERS} for way in ("names", "numbers")}
    for task in tasks:
        everything = np.arange(task.X.shape[1])
        scale = MinMaxScaler().fit(task.X)
        for name, model in NUMBERS.items():
            predicted = model.fit(scale.transform(task.X), task.y).predict(scale.transform(task.X_test))
            found["numbers"][name].append(round(100 * float(np.mean(predicted == task.y_test)), 3))
            accuracy = 100 * accuracy_on_test_rows(name, task, everything)
            found["names"][name].append(round(accuracy, 3))
    return found

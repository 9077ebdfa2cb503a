"""The methods and classifiers of the paper on NEFS: picks by name, and the accuracies they lead to."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from reproduction.scores import accuracy_at_sizes, make_selector
from reproduction.texts import Texts

TEXTS = Texts("nefs")
SETTINGS = TEXTS.read("settings.toml")
METHODS = SETTINGS["methods"]
SIGNED = "RRPC_S, signed"  # eq. 7 as printed, without absolute values; for two classes, the second one low
K = 4  # rows in a neighbourhood
HIDDEN_LABELS = 0.8
CLASSIFIERS = {"RF": RandomForestClassifier, "SVM": SVC, "kNN": KNeighborsClassifier, "MLP": MLPClassifier}


def pick(method, table, n_picks, seed, methods=METHODS) -> list[int]:
    """The picks of a method, in order."""
    X, y = table
    if method == SIGNED:
        return signed_rrpc(X, -y, n_picks)
    if method == "RRPC_SS":
        y = np.where(np.random.default_rng(seed).random(len(y)) < HIDDEN_LABELS, np.nan, y)
    parameters = dict(methods[method])
    if parameters.get("index") == "lsh" or "n_candidates" in parameters:
        parameters["n_tables"] = None  # the paper's rule; TOML has no None
    if method == "RELIEFF":
        parameters["n_iterations"] = max(1, len(y) // K)
    name = parameters.pop("selector")
    return (
        make_selector(name, n_features=n_picks, random_state=seed, n_jobs=1, **parameters)
        .fit(X, y)
        .order_.tolist()
    )


def signed_rrpc(X, y, n_picks) -> list[int]:
    """RRPC by eq. 7 as printed: correlations with their signs, the class taken as a number."""
    correlation = np.nan_to_num(np.corrcoef(np.column_stack([X, y]), rowvar=False))
    relevance, redundancy = correlation[:-1, -1], correlation[:-1, :-1]
    picks = [int(relevance.argmax())]
    while len(picks) < n_picks:
        score = relevance - redundancy[:, picks].mean(axis=1)
        score[picks] = -np.inf
        picks.append(int(score.argmax()))
    return picks


def nefs_in_row_order(X, y, n_picks, seed) -> list[int]:
    """NEFS by plain code where rows at the same distance are taken in their order, not at random."""
    walk = np.random.default_rng(seed).permutation(len(y))
    picks: list[int] = []
    for _ in range(n_picks):
        candidates = [j for j in range(X.shape[1]) if j not in picks]
        picks.append(min(candidates, key=lambda j: _entropy_in_row_order(X[:, [*picks, j]], y, walk)))
    return picks


def _entropy_in_row_order(X, y, walk) -> float:
    points = X.astype(np.float64)
    is_seen = np.zeros(len(y), bool)
    entropies = []
    for i in walk:
        if is_seen[i]:
            continue
        distances = np.abs(points - points[i]).sum(axis=1)
        distances[i] = -1  # a row is the first in its own neighbourhood
        near = np.argsort(distances, kind="stable")[: K + 1]
        is_seen[near] = True
        shares = np.bincount(y[near]) / (K + 1)
        shares = shares[shares > 0]
        entropies.append(-float(shares @ np.log2(shares)))
    return float(np.mean(entropies))


def classifier(name, seed):
    """A classifier of the paper."""
    own = {"random_state": seed} if name in ("RF", "MLP") else {}
    model = CLASSIFIERS[name](**SETTINGS["classifiers"][name], **own)
    return model if name == "RF" else make_pipeline(StandardScaler(), model)


def scores_of(orders, model, sizes, train, test):
    """Accuracy of every method at every size; the same columns in the same order are fitted once."""
    known = {}

    def score(columns) -> float:
        if columns not in known:
            [known[columns]] = accuracy_at_sizes(model, columns, [len(columns)], train, test)
        return round(known[columns], 5)

    return {method: [score(tuple(order[:size])) for size in sizes] for method, order in orders.items()}

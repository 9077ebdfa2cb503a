"""What the authors of the cross-entropy paper ran, as their numbers show.

Their toolbox counts a real column by the whole part of its values. On Blog Feedback, scaled to [0, 1] and
floored, the ΔI_r of DISR, CMIM and mRMR come out equal to every digit of Table 2.
"""

import numpy as np

import entropick as ep
from reproduction.ce.scoring import (
    Parts,
    information_gap,
    neighbour_error,
    own_rows_error,
    ranking_of,
    rounded,
)
from reproduction.scores import make_selector

RIVALS = {"DISR": "DISR", "CMIM": "CMIM", "mRMR": "MRMR"}
COMMON = {"n_bins": 65535, "n_jobs": 1, "target": "class"}  # every code is a level of its own


def floored(X, how):
    """Whole parts of the values ("raw"), or of the values scaled to [0, 1]; NaN is a code."""
    if how != "raw":
        low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
        X = (X - low) / np.where(high > low, high - low, 1.0)
    codes = np.where(np.isnan(X), np.nanmax(X) + 1, X)
    return np.floor(codes).astype(np.int64)


def parts_of(dataset, y, task, repeat) -> Parts:
    """All rows where the paper's number is that of all of them, else nine tenths to learn from."""
    filled = np.nan_to_num(dataset.X, nan=0.0)
    order = np.random.default_rng(repeat).permutation(len(y))
    n_tests = 0 if task.get("floor_all_rows") else len(y) // 10
    train, test = order[n_tests:], order[:n_tests]
    return Parts(filled[train], y[train], floored(dataset.X[train], task["floor"]), filled[test], y[test])


def table(parts, cardinality, settings):
    """Methods at the paper's number of columns; those that find a number by themselves also at their own."""
    own, at_paper_size, rounds = {}, {}, {}
    for name in settings["methods"]:
        if name in RIVALS:
            rival = make_selector(RIVALS[name], n_features=cardinality, **COMMON).fit(parts.codes, parts.y)
            at_paper_size[name] = rival.order_
            continue
        search = search_named(name, settings).fit(parts.codes, parts.y)
        rounds[name] = len(search.history_)
        if name == "PSO":
            own[name] = search.order_
        else:
            own[name] = np.flatnonzero(search.probabilities_ >= settings["cross_entropy"]["zeta"])
            at_paper_size[name] = ranking_of(search)[:cardinality]
    return {
        "rounds": rounds,
        "own": {name: scores(parts, columns) for name, columns in own.items()},
        "paper_size": {name: scores(parts, columns) for name, columns in at_paper_size.items()},
        "all": scores(parts, np.arange(parts.codes.shape[1])),
    }


def search_named(name, settings):
    """The swarm, or the cross-entropy method, "as printed" or with the smaller of equally good subsets."""
    common = {**COMMON, "random_state": settings["repeat"]}
    if name == "PSO":
        return ep.SwarmFS(**settings["swarm"], **common)
    return ep.CrossEntropyFS(**settings["cross_entropy"], parsimony=name == "CE", **common)


def scores(parts, columns):
    """ΔI_r, and where there are test rows errors on them and of 1-NN on the rows it has learned."""
    columns = np.asarray(columns, dtype=int)
    if not len(columns):
        return {"n": 0}
    found = {"n": len(columns), "gap": information_gap(parts.codes[:, columns], parts.y)}
    if len(parts.y_test):
        found["knn"] = neighbour_error(parts, columns, parts.X_test, parts.y_test)
        found["own_rows"] = own_rows_error(parts.X[:, columns], parts.y)
        for name, diagonal in (("linear", False), ("diaglinear", True)):
            predicted, found[f"{name}_refused"] = classified(parts, columns, diagonal=diagonal)
            found[name] = rounded(np.mean(predicted != parts.y_test))
    return found


def classified(parts, columns, *, diagonal):
    """MATLAB's `classify`: a normal density for each class, covariance pooled over them, equal priors.

    "linear" takes the whole covariance, "diaglinear" the variances alone. Also whether MATLAB refuses because
    the covariance is singular, which is the "//" of Table 2; then directions without variance inside the
    classes are left out here.
    """
    X, tested = parts.X[:, columns], parts.X_test[:, columns]
    classes, codes = np.unique(parts.y, return_inverse=True)
    means = np.stack([X[codes == c].mean(axis=0) for c in range(len(classes))])
    spread = np.sqrt(((X - means[codes]) ** 2).sum(axis=0) / max(1, len(X) - len(classes)))
    kept = spread > 0
    X, tested, means = (values[:, kept] / spread[kept] for values in (X, tested, means))
    if not diagonal:
        _, sizes, directions = np.linalg.svd(X - means[codes], full_matrices=False)
        known = sizes > sizes.max(initial=0) * max(X.shape) * np.finfo(float).eps
        whitening = directions[known].T / sizes[known]
        tested, means = tested @ whitening, means @ whitening
    # squared distances but for the squares of the tested rows, which are the same for all classes
    distances = (means**2).sum(axis=1) - 2 * tested @ means.T
    return classes[distances.argmin(axis=1)], bool(means.shape[1] < len(columns))

"""What the authors of the cross-entropy paper ran, as their numbers show.

Their toolbox counts a real column by the whole part of its values. On Blog Feedback, scaled to [0, 1] and
floored, the ΔI_r of DISR, CMIM and mRMR come out equal to every digit of Table 2.
"""

import numpy as np

import entropick as ep
from experiments.ce.scoring import Parts, information_gap, neighbour_error, own_rows_error, ranking_of
from experiments.scores import make_selector

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
    """Some of CE, DISR, CMIM, mRMR and PSO at the paper's number of columns, and at their own."""
    own, at_paper_size, found = {}, {}, {}
    seed, rule = settings["repeat"], settings["cross_entropy"]
    for name in settings["methods"]:
        if name in RIVALS:
            rival = make_selector(RIVALS[name], n_features=cardinality, **COMMON).fit(parts.codes, parts.y)
            at_paper_size[name] = rival.order_
        elif name == "PSO":
            swarm = ep.SwarmFS(**settings["swarm"], **COMMON, random_state=seed).fit(parts.codes, parts.y)
            own["PSO"] = swarm.order_
        else:
            search, printed = (
                ep.CrossEntropyFS(**rule, parsimony=smaller, **COMMON, random_state=seed).fit(
                    parts.codes, parts.y
                )
                for smaller in (True, False)
            )
            own["CE"], at_paper_size["CE"] = search.order_, ranking_of(search)[:cardinality]
            own["CE as printed"] = np.flatnonzero(printed.probabilities_ >= rule["zeta"])
            at_paper_size["CE as printed"] = ranking_of(printed)[:cardinality]
            found["rounds"] = len(search.history_), len(printed.history_)
    return {
        **found,
        "own": {name: scores(parts, columns) for name, columns in own.items()},
        "paper_size": {name: scores(parts, columns) for name, columns in at_paper_size.items()},
        "all_gap": information_gap(parts.codes, parts.y),
    }


def scores(parts, columns):
    """Errors on test rows, of 1-NN on the rows it has learned, and ΔI_r; None where there is nothing."""
    columns = np.asarray(columns, dtype=int)
    if not len(columns):
        return {"n": 0, "nb": None, "knn": None, "own_rows": None, "gap": None}
    found = {"n": len(columns), "gap": information_gap(parts.codes[:, columns], parts.y)}
    if len(parts.y_test):
        found["nb"] = round(float(np.mean(classified(parts, columns) != parts.y_test)), 5)
        found["knn"] = neighbour_error(parts, columns, parts.X_test, parts.y_test)
        found["own_rows"] = own_rows_error(parts.X[:, columns], parts.y)
    return found


def classified(parts, columns):
    """MATLAB's `classify` with "diaglinear": variances pooled over the classes, all classes equally likely.

    Columns without variance inside the classes are left out; MATLAB ends with an error there, which is the
    "//" of Table 2.
    """
    X, tested = parts.X[:, columns], parts.X_test[:, columns]
    classes, codes = np.unique(parts.y, return_inverse=True)
    means = np.stack([X[codes == c].mean(axis=0) for c in range(len(classes))])
    pooled = ((X - means[codes]) ** 2).sum(axis=0) / max(1, len(X) - len(classes))
    kept = pooled > 0
    distances = (((tested[:, None] - means)[:, :, kept]) ** 2 / pooled[kept]).sum(axis=2)
    return classes[distances.argmin(axis=1)]

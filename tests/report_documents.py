"""Documents for reports: real selections, and a hand-written comparison with hostile names."""

import math

import numpy as np

HOSTILE = [
    "<script>document.title = 'broken'</script>",
    "</script><img src=x onerror=alert(1)>",
    "</style>\"' onmouseover='alert(2)",
    "{{ 7 * 7 }}{% raw %}",
    "العمر بالسنوات",
    "\u202eretaw\u202c",
    "🧬🧪 gene",
    "new\nline and\ttab and nul \x00 and half \ud83d",
    "n" * 10_000,
    "&lt;b&gt; &amp;",
    "  ",
]


def around(**parts):
    """A document with everything that surrounds a result."""
    document = {
        "schema_version": 1,
        "kind": "select",
        "created": "2026-01-02T03:04:05+00:00",
        "command": "entropick select wines.csv --target kind --seed 7",
        "seconds": 1.25,
        "versions": {"entropick": "0.1.0", "python": "3.11.2", "numpy": "2.3.0"},
        "seed": 7,
        "data": {
            "source": "wines.csv",
            "n_rows": 1234,
            "n_columns": 13,
            "target": {
                "name": "kind", "kind": "class", "n_classes": 3, "classes": [["a", 600], ["b", 400], ["c", 234]],
            },
            "ignored": [{"name": "bottle", "reason": "all values are distinct, like an id"}],
            "notes": ["The target kind has 3 classes.", "2 columns have missing values."],
        },
        "warnings": ["The column ash has more levels than a tenth of the rows."],
        "selection": None,
        "method": None,
        "code": None,
        "profiles": None,
        "redundancy": None,
        "comparison": None,
    }  # fmt: skip
    return document | parts


def select_document(selection, method="JMI", **parts):
    """The document of a real selection."""
    record = selection.to_dict()
    names = [step["names"][0] for step in record["steps"]][:30]
    code = f"ep.{method}({len(record['selected'])})"
    return around(selection=record, method=method, code=code, redundancy=redundancy_of(names), **parts)


def redundancy_of(names):
    """Some symmetric matrix."""
    n = len(names)
    values = [
        [1.0 if i == j else math.sin(1 + 7 * min(i, j) + max(i, j)) ** 2 for j in range(n)] for i in range(n)
    ]
    return {"names": list(names), "values": values}


def profiles_of(names):
    """Two levels and a stand-in for each of the names."""
    levels = [
        {"label": "≤ 3.5", "n_rows": 1000, "shares": [0.5, 0.3, 0.2]},
        {"label": "> 3.5", "n_rows": 234, "shares": [1.0, 0.0, 0.0]},
    ]
    columns = [
        {"name": name, "levels": levels, "stand_ins": [{"name": other, "shared": 0.75}]}
        for name, other in zip(names, names[::-1], strict=True)
    ]
    return {"classes": ["a", "b", "c"], "mean": None, "columns": columns}


def step(number, name, score, **notes):
    return {
        "step": number, "columns": [number - 1], "names": [name], "score": score, "runner_up": None,
        "runner_up_score": None, "lead": None, "n_ties": 0, "ties": [], "seconds": 0.001, "fixed": False,
        "residual": None, "p_value": None, "kept": True,
    } | notes  # fmt: skip


def wide_document(names):
    """A selection that has all there is to show of each of the names."""
    n = len(names)
    steps = [
        step(
            i + 1, name, 0.9 / (i + 1.1), runner_up=names[(i + 1) % n], runner_up_score=0.8 / (i + 1.1),
            lead=0.1 / (i + 1.1), n_ties=i % 3, residual=0.95**i, p_value=min(1.0, 0.01 * (i + 1)), kept=i < n // 2,
        )
        for i, name in enumerate(names)
    ]  # fmt: skip
    encodings = [
        {
            "name": name, "kind": "numeric", "n_levels": 10, "n_missing": i, "levels": None,
            "edges": [i + k / 7 for k in range(9)], "by_target": False,
        }
        for i, name in enumerate(names)
    ]  # fmt: skip
    selection = {
        "n_rows": 1234, "n_columns": n, "selected": names[: n // 2], "steps": steps,
        "settings": {role: {"name": name, "parameters": {}} for role, name in [("measure", "JMI"), ("search", "Forward"), ("cut", "Permutation")]}, "learned": {},
        "target": None, "encodings": encodings, "complete": True, "exploration": exploration_of(n),
    }  # fmt: skip
    return around(
        selection=selection, method="JMI", code=f"ep.JMI({n // 2})", redundancy=redundancy_of(names[:30]), profiles=profiles_of(names[: n // 2][:20])
    )  # fmt: skip


def exploration_of(n_columns, n_rounds=120):
    """A front of two objectives and a history with probabilities at once, as no real search has it."""
    rng = np.random.default_rng(0)
    front = [
        {"columns": list(range(size)), "values": [1 / (size + 0.3), 0.3 + size / 7]}
        for size in range(1, min(n_columns, 40))
    ]
    history = [
        {
            "n_evaluated": 50 * (i + 1), "best": [1 / (i + 1.3)], "size": 5, "gamma": 2 / (i + 1.7), "elite_size": 4.5,
            "elite_share": 0.1, "n_drawn": 50, "probabilities": (rng.random(n_columns) ** (1 + i / 10)).tolist(),
        }
        for i in range(n_rounds)
    ]  # fmt: skip
    return {
        "complete": True, "objectives": ["H(y|S)", "H(S)"], "front": front,
        "scores": history[-1]["probabilities"], "history": history,
    }  # fmt: skip


METHODS = ["JMI", "MRMR", "CMIM", "ReliefF", "RenyiFS"]
ESTIMATORS = ["nearest neighbours", "naive Bayes"]


def compare_document(methods=METHODS, columns=None, estimators=ESTIMATORS):
    """A comparison with made-up numbers of the usual shape."""
    columns = columns or [f"column {j}" for j in range(30)]
    sizes = [size for size in (1, 2, 3, 5, 8, 12, 20, 30) if size <= len(columns)]
    rng = np.random.default_rng(3)
    entries = [_method(name, k, columns, sizes, estimators, rng) for k, name in enumerate(methods)]
    overlap = rng.random((len(methods), len(methods)))
    overlap = (overlap + overlap.T) / 2
    np.fill_diagonal(overlap, 1.0)
    consensus = [{"name": name, "mean_rank": 1.25 + 1.1 * j} for j, name in enumerate(columns)]
    comparison = {
        "methods": entries,
        "estimators": list(estimators),
        "scoring": "balanced_accuracy",
        "folds": 5,
        "baseline": {estimator: 0.871 + 0.01 * k for k, estimator in enumerate(estimators)},
        "chance": 1 / 3,
        "agreement": {"names": list(methods), "values": overlap.tolist()},
        "consensus": consensus,
        "recommendation": {
            "method": methods[0], "n_features": 8, "estimator": estimators[0], "score": 0.9123,
            "sentence": f"Take the first 8 columns of {methods[0]}: with {estimators[0]} they score 0.912, as much as "
            "any larger number, and they are the most stable from fold to fold.",
            "code": f"ep.{methods[0]}(8)",
        },
    }  # fmt: skip
    command = "entropick compare wines.csv --target kind --folds 5 --seed 7"
    return around(kind="compare", comparison=comparison, command=command)


def _method(name, k, columns, sizes, estimators, rng):
    curve = [0.93 - 0.03 * k - 0.5 * math.exp(-size / (2.5 + k)) for size in sizes]
    scores = {
        estimator: {
            "mean": [value - 0.02 * e + 0.01 * rng.standard_normal() for value in curve],
            "std": [0.02 + 0.01 * rng.random() for _ in sizes],
        }
        for e, estimator in enumerate(estimators)
    }
    value = 0.82 - 0.11 * k
    return {
        "name": name,
        "seconds": 0.0123 * 9**k,
        "order": [columns[j] for j in rng.permutation(len(columns))],
        "sizes": sizes,
        "scores": scores,
        "stability": {"value": value, "low": value - 0.09, "high": value + 0.07},
        "n_features": None if k % 2 else 6 + k,
        "warnings": ["The rule stopped at once in 2 folds."] if k == 3 else [],
    }


CRITERIA = ["JMI", "CMIM", "MRMR", "JMIM", "CIFE", "ICAP", "MIFS", "MIQ", "CFR", "DCSF", "MRI", "MIM"]


def table_to_choose_from(seed):
    """A table with copies, coarse copies, many levels, noise, near copies of the classes and gaps."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(60, 300)), int(rng.integers(9, 24))
    y = rng.integers(0, int(rng.integers(2, 5)), n)
    X = rng.normal(size=(n, d))
    X[:, : d // 3] += y[:, None] * rng.uniform(0, 1, d // 3)
    X[:, d // 2], X[:, d // 2 + 1] = X[:, 0], np.round(X[:, 1])
    X[:, 7], X[:, 8] = rng.integers(0, 30, n), y * (rng.random(n) < 0.7)
    if seed % 3 == 0:
        X = np.round(X)
    if seed % 5 == 0:
        X[rng.random((n, d)) < 0.1] = math.nan
    return X, y

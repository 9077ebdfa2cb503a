"""Picks and scores stay what they were: every method on ten real data sets, against stored results.

`python tests/test_same_results.py DATA METHOD ...` stores the results of some methods anew, for a change that is
meant to change them. Stored anew so far: SNEFS, NEFS, CrossEntropyFS and SwarmFS, when parts got independent random
streams; RenyiFS, when ties of min-entropy were broken by I(f;y|S); BayesianEntropyFS, when NSGA-II got another start;
SwarmFS, when it got the constants of the paper of 1997 and velocities that fit the densities of its start.
KSG, NEFS, SNEFS, ReliefF, MultiSURF and the methods of graphs of rows, when ties among rows got one rule.
All others are as they were before counts became the seam and the loops C++.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import entropick as ep

STORED = Path(__file__).with_name("same_results.json")
DATA = ["abalone", "arrhythmia", "chess_krvskp", "colon", "forestfires", "gesture_c3", "lymphography",
        "madelon", "semeion", "wdbc"]  # fmt: skip
N_ROWS, N_COLUMNS = 300, 50
# Searches over subsets go on for long by default, and columns were not scaled for graphs.
OPTIONS = {
    "InfFS": {"scaling": None},
    "ECFS": {"scaling": None},
    "BayesianEntropyFS": {"n_evaluations": 2000},
    "CrossEntropyFS": {"n_samples": 300, "max_rounds": 30},
    "SwarmFS": {"n_rounds": 30},
}
SLOW, LARGE = {"FSASL"}, set(DATA) - {"colon", "lymphography", "wdbc"}  # methods that leave out data
# Sums of integers: the same bits on every machine. The others may differ in their last digits.
COUNTING = {"JMI", "MRMR", "CMIM", "JMIM", "DISR", "ICAP", "CIFE", "MIFS", "MIM", "RenyiFS", "XMIFS"}
COUNTING |= {"MIQ", "NJMIM", "JMI3", "CFR", "DCSF", "MRI", "FCBF", "CFSSubset"}


def part_of(data):
    """Evenly spaced rows and columns."""
    X, y = data["X"], data["y"]
    rows = np.linspace(0, len(X) - 1, min(len(X), N_ROWS)).astype(int)
    columns = np.linspace(0, X.shape[1] - 1, min(X.shape[1], N_COLUMNS)).astype(int)
    return X[np.ix_(rows, columns)].astype(X.dtype), y[rows]


def results_of(method, data):
    """The first eight picks with their scores, and how many the method keeps by its own rule."""
    X, y = part_of(data)
    selector = getattr(ep, method)
    options = dict(OPTIONS.get(method, {}))
    defaults = selector().get_params()
    if "random_state" in defaults:
        options["random_state"] = 0
    if defaults.get("n_bins") == "auto":  # what was stored had ten levels for any number of rows
        options["n_bins"] = 10
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = selector(n_features=8, **options).fit(X, y).selection_
        own = selector(n_features=own_rule(selector), **options).fit(X, y).selection_
    return {
        "order": first.order.tolist(),
        "scores": [step.score for step in first.kept],
        "own_order": own.order.tolist(),
    }


def own_rule(selector):
    """The rule of the method itself; "auto" is that of searches over subsets."""
    searched = selector._search is not None or selector._measure.default_cut == "count"
    return "auto" if selector._search is not None else None if searched else selector._measure.default_cut


def store(folder, methods):
    """Compute and write the results of some methods."""
    found = json.loads(STORED.read_text())
    for name in DATA:
        with np.load(folder / f"{name}.npz") as data:
            found[name] |= {method: results_of(method, data) for method in methods}
    lines = [
        f'  "{name}": {{\n' + ",\n".join(f'    "{m}": {json.dumps(r)}' for m, r in methods.items()) + "\n  }"
        for name, methods in found.items()
    ]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    store(Path(sys.argv[1]), sys.argv[2:])

RESULTS = json.loads(STORED.read_text()) if STORED.exists() else {}
EQUAL = {"rel": 1e-7, "abs": 1e-9}  # but for rounding


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (method, name)
        for name in DATA
        for method in sorted(RESULTS.get(name, []))
        if not (method in SLOW and name in LARGE)
    ],
)
def test_results_stay_the_same(real_data, method, name):
    """The same columns in the same order with the same scores."""
    stored, found = RESULTS[name][method], results_of(method, real_data(name))
    first = {} if method in COUNTING else first_of_equals(stored)
    for order in ("order", "own_order"):
        assert [first.get(j, j) for j in found[order]] == [first.get(j, j) for j in stored[order]]
    if method in COUNTING:
        assert found["scores"] == stored["scores"]
    else:
        assert found["scores"] == pytest.approx(stored["scores"], **EQUAL)


def first_of_equals(stored):
    """Columns whose scores are equal but for rounding, which may change places, each with the first of them."""
    first, before = {}, None
    for column, score in zip(stored["order"], stored["scores"], strict=False):
        is_equal = before is not None and score == pytest.approx(before[1], **EQUAL)
        first[column] = first[before[0]] if is_equal else column
        before = column, score
    return first

"""Every method on five tables selects the stored columns with the stored scores.

Methods of counts give the same bits on every machine. Of the others the first columns are the same where their
scores stand apart, and scores agree to a share of the largest; methods that depend on near rows are compared on
tables without equal distances. The tables come with scikit-learn or are generated.

`python tests/test_same_results.py METHOD ...` stores the results of some methods anew, for a change that is meant to
change them; without a method, those of all.
"""

import json
import sys
import warnings
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pytest

import entropick as ep
from benchmarks.portable_tables import TABLES
from entropick.contracts import Need
from entropick.searches import SetSearch
from entropick.selectors.methods import METHODS

STORED = Path(__file__).with_name("same_results.json")
CONTINUOUS = ["wine", "breast_cancer"]
NAMES = [*CONTINUOUS, "digits", "one_hot", "seven_segments"]
N_FIRST = 6
# Searches over subsets go on for long by default.
OPTIONS = {
    "BayesianEntropyFS": {"n_evaluations": 1000},
    "CrossEntropyFS": {"n_samples": 100, "max_rounds": 10},
    "SwarmFS": {"n_rounds": 10},
}
COUNTING = {
    name for name, kind in METHODS.items() if kind()._make_measure().needs <= {Need.COUNTS, Need.JOINT}
}
OF_NEAR_ROWS = {"LaplacianScore", "MCFS", "UDFS", "LLCFS", "FSASL", "UFSOL", "DGUFS"}
OF_NEAR_ROWS |= {"KSG", "ReliefF", "MultiSURF", "NEFS", "SNEFS"}
APART = 1e-4  # scores that differ by a smaller share of the largest may change places
EQUAL = 1e-5  # by which share of the largest scores may differ


def tables_of(method):
    return CONTINUOUS if method in OF_NEAR_ROWS else NAMES


def results_of(method, table):
    """The first picks with their scores, and what the method of counts keeps by its own rule."""
    X, y = TABLES[table]()
    selector = getattr(ep, method)
    options = dict(OPTIONS.get(method, {}))
    if "random_state" in selector().get_params():
        options["random_state"] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = selector(n_features=N_FIRST, **options).fit(X, y).selection_
        found = {"order": first.order.tolist(), "scores": [step.score for step in first.kept]}
        if method in COUNTING:
            own = selector(n_features=own_rule(selector), **options).fit(X, y).selection_
            found["own_order"] = own.order.tolist()
    return found


def own_rule(selector):
    """The rule of the method itself; "auto" is that of searches over subsets."""
    measure, search, _ = selector()._parts()
    return "auto" if isinstance(search, SetSearch) else measure.default_cut


def store(methods):
    """Compute and write the results of some methods."""
    found = json.loads(STORED.read_text()) if STORED.exists() else {}
    for method in methods:
        found[method] = {table: results_of(method, table) for table in tables_of(method)}
    lines = [
        f'  "{method}": {{\n'
        + ",\n".join(f'    "{t}": {json.dumps(r)}' for t, r in found[method].items())
        + "\n  }"
        for method in METHODS
    ]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    store(sys.argv[1:] or list(METHODS))

RESULTS = json.loads(STORED.read_text())


def cases():
    """Every method on every table; tests of thousands of subsets are slow."""
    for method in METHODS:
        for table in tables_of(method):
            is_slow = (method, table) == ("MarkovBlanket", "digits")
            yield pytest.param(method, table, marks=[pytest.mark.slow] if is_slow else [])


@pytest.mark.parametrize(("method", "table"), list(cases()))
def test_results_stay_the_same(method, table):
    """The same bits for methods of counts; the same columns and nearly the same scores for the others."""
    stored, found = RESULTS[method][table], results_of(method, table)
    if method in COUNTING:
        assert found == stored
        return
    assert len(found["order"]) == len(stored["order"])
    largest = np.nanmax(np.abs(stored["scores"]), initial=0.0)
    assert found["scores"] == pytest.approx(stored["scores"], abs=EQUAL * largest, nan_ok=True)
    for columns, others in zip(groups_apart(stored, largest), groups_apart(found, largest), strict=True):
        assert columns == others


def groups_apart(result, largest):
    """Columns in order, those of scores that do not stand apart together; the last group may go on, so is left out."""
    groups, before = [], np.inf
    for column, score in zip(result["order"], result["scores"], strict=False):
        if not before - score <= APART * largest:
            groups.append(set())
        groups[-1].add(column)
        before = score
    return groups[:-1]


def test_every_method_is_stored():
    assert RESULTS.keys() == set(METHODS)

"""Stored results are those of the present code: some cheap cells of each experiment are run again.

A result that is stored stays when the library changes, so a part of a table may come from an older version. Random
numbers, ties and defaults are what changes most easily; nearly all of it shows in these cells.
"""

from importlib.metadata import version
from pathlib import Path

import pytest

from reproduction.data import Data
from reproduction.runner import PACKAGES, Store, _run_cell, experiment_named

RESULTS = Path(__file__).parents[1] / "results"
# with the number of test rows where classifiers are judged; 0 where results are those of selections alone
CELLS = [
    ("nefs", "checks", 0),
    ("nefs", "orders/CORRAL/1", 0),
    ("nefs", "curves/CORRAL/1", 13),
    ("nefs", "pairs/CORRAL/3", 13),
    ("nefs", "authors/CORRAL/1", 13),
    ("bayes", "lymphography/split 29/seed 29", 0),
    ("ce", "Gesture Phase/printed rule/0", 0),
    ("ce", "Forest Fires, fire or none/table/8", 52),
    ("inffs", "regularization/colon", 0),
    ("inffs", "authors/colon/Fisher/1", 19),
    ("inffs", "authors/colon/MI/1", 19),
    ("renyi", "fixed svm/semeion/inf/4", 478),
    ("methods", "corral/7/variants", 0),
    ("methods", "corral/4/entropies", 0),
    ("unseen", "appendicitis/0", 32),
    ("levels", "wdbc/160/3", 400),
]
ROWS_APART = 2  # test rows that a classifier may judge otherwise on another processor


@pytest.mark.parametrize(("name", "key", "n_tests"), CELLS)
def test_a_cell_run_again_gives_what_is_stored(name, key, n_tests, papers_data):
    store, data = Store(RESULTS / f"{name}.jsonl"), Data(papers_data, openml=False)
    [cell] = [cell for cell in experiment_named(name).cells(False) if cell.key == key]
    if cell.dataset is not None and (why := data.missing(cell.dataset)):
        pytest.skip(why)
    used = store.runs()[-1]["packages"]
    if any(version(package) != used[package] for package in PACKAGES):
        pytest.skip("The results are of other versions of numpy, scipy or scikit-learn.")
    record, again = store.read()[key], _run_cell(name, cell, data)
    assert record.settings == again.settings
    assert_same(record.result, again.result, ROWS_APART / n_tests if n_tests else 1e-9)


def assert_same(one, other, tolerance):
    """Whole numbers are equal, others within a tolerance; times may differ."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            if "second" not in key:
                assert_same(one[key], other[key], tolerance)
    elif isinstance(one, list):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_same(*pair, tolerance)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-6, abs=tolerance)
    else:
        assert one == other


def test_parts_of_one_fold_select_the_same_columns():
    """Accuracies of NEFS with one classifier and with the others are of the same picks."""
    stored = Store(RESULTS / "nefs.jsonl").read()
    orders = {key: record.result["orders"] for key, record in stored.items() if "orders" in record.result}
    twins = {key: key.replace("pairs/", "curves/") for key in orders if key.startswith("pairs/")}
    compared = {key: twin for key, twin in twins.items() if twin in orders}
    assert compared
    for key, twin in compared.items():
        assert {method: orders[twin][method] for method in orders[key]} == orders[key], key

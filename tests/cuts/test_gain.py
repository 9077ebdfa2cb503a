"""The cut `gain`: what it adds up, against the twin; the same number for any partitions; nothing on noise."""

import warnings

import numpy as np
import pytest

import entropick as ep
import naive
from entropick.exceptions import CombinationError, NothingFoundWarning
from tables_of_all_kinds import KINDS, as_kind


def make_table(seed, n_rows=600, n_columns=15):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, n_columns))
    return X, (X[:, 2] + X[:, 5] + X[:, 7] + rng.integers(0, 4, n_rows) > 6).astype(int)


@pytest.mark.parametrize("seed", range(4))
def test_the_number_is_that_of_the_twin(seed):
    X, y = make_table(seed, 300, 8)
    found = ep.JMI("gain").fit(X, y).selection_
    q_values = found.relevances.q_values
    path = [j for j in ep.JMI(8).fit(X, y).order_.tolist() if q_values[j] <= 0.2]
    columns, labels, n = X.T.tolist(), y.tolist(), len(y)
    price, worth = 0.005 * naive.entropy(labels), [0.0]
    for k, j in enumerate(path):
        tests = [naive.mutual_information(columns[j], labels, None, "adjusted")]
        plain = [naive.mutual_information(columns[j], labels)]
        for s in path[:k]:
            tests.append(naive.mutual_information(columns[j], labels, columns[s], "adjusted"))
            plain.append(naive.mutual_information(columns[j], labels, columns[s]))
        least = int(np.argmin(tests))
        error = np.sqrt((plain[least] - tests[least]) / (np.log(2) * n))
        worth.append(worth[-1] + max(tests[least] - error / 2, 0) - price)
    assert found.n_kept == int(np.argmax(worth))


@pytest.mark.parametrize("kind", KINDS)
def test_auto_is_the_same_number_wherever_the_rows_are(kind):
    """Any number of partitions; for rows in memory the rule must be named."""
    X, y = make_table(4)
    expected = ep.JMI("gain", target="class").fit(X, y)
    found = ep.JMI("auto", target="class").fit(*as_kind(kind, X, y))
    assert found.order_.tolist() == expected.order_.tolist()
    assert found.selection_.settings["cut"]["name"] == "Gain"
    assert sorted(found.order_.tolist()) == [2, 5, 7]
    assert ep.JMI("auto", target="class").fit(X, y).selection_.settings["cut"]["name"] == "HeldOut"


def test_a_rule_that_was_asked_for_is_not_replaced():
    X, y = make_table(5)
    with pytest.raises(CombinationError, match=r"HeldOut needs .*partitioned.*Hint"):
        ep.JMI(ep.cuts.HeldOut(), target="class").fit(*as_kind("3 partitions", X, y))


def test_copies_are_not_kept_and_fixed_columns_are():
    X, y = make_table(6)
    X = np.column_stack([X, X[:, 2], 3 - X[:, 5]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(ep.MIM("gain").fit(X, y).order_) <= 6
        assert set(ep.JMI("gain").fit(X, y).order_.tolist()) in (
            {2, 5, 7},
            {15, 5, 7},
            {2, 16, 7},
            {15, 16, 7},
        )
        assert ep.JMI("gain", fixed_features=[0]).fit(X, y).order_[0] == 0


def test_rows_that_belong_together_are_rejected():
    rng = np.random.default_rng(0)
    X, y, patients = rng.normal(size=(100, 5)), np.arange(100) // 5 % 2, np.arange(100) // 5
    with pytest.raises(ep.exceptions.CombinationError, match="Gain takes rows as independent"):
        ep.JMI("gain").fit(X, y, groups=patients)


def test_noise_keeps_nothing_and_says_so():
    rng = np.random.default_rng(7)
    y, kept = np.arange(200) % 2, 0
    for _ in range(20):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = ep.JMI("gain").fit(rng.normal(size=(200, 30)), y)
        kept += len(found.order_) > 0
        assert any(issubclass(one.category, NothingFoundWarning) for one in caught) == (
            len(found.order_) == 0
        )
    assert kept <= 4


@pytest.mark.parametrize("method", [ep.MIM, ep.CMIM, ep.MRMR])
def test_identifiers_do_not_end_the_search(method):
    """An identifier comes first on these paths, and tells nothing."""
    X, y = make_table(9)
    X = np.column_stack([np.random.default_rng(9).permutation(600), X])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"target": "class", "n_bins": 1000}
        assert method(1, **options).fit(X, y).order_.tolist() == [0]
        found = method("auto", **options).fit(*as_kind("3 partitions", X, y))
    assert sorted(found.order_.tolist()) == [3, 6, 8]


def test_nothing_that_matters_is_kept_with_a_warning():
    """Columns that depend on y, but add less than the share that they must."""
    X, y = make_table(10, 5000)
    with pytest.warns(NothingFoundWarning, match=r"no column adds enough to matter.*Hint: give a number"):
        assert ep.JMI(ep.cuts.Gain(share=0.9)).fit(X, y).n_features_ == 0


def test_floating_search():
    X, y = make_table(8)
    assert sorted(ep.select(X, y, measure="jmi", search="floating", cut="gain").order.tolist()) == [2, 5, 7]

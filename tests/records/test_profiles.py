"""Profiles, redundancy and stand-ins, as a table says them."""

import numpy as np
import pytest

import naive
from entropick import JMI
from entropick.contracts import Need
from entropick.records import profiles
from entropick.records.profiles import Described
from entropick.selectors.method import fit_keeping_table
from entropick.table import Rules
from entropick.table.encoding.target import encode_target
from entropick.table.memory import make_table


def described(columns, y=None, correction=None, n_bins=10):
    """What is said of columns given as lists, named by their keys."""
    X = np.column_stack(list(columns.values()))
    y = np.arange(len(X)) % 2 if y is None else y
    rules, names = Rules(n_bins), list(columns)
    return Described.of_values(X, y, names, names, rules=rules, correction=correction)


def test_redundancy_by_hand():
    """A copy is fully redundant, an independent column not at all, a constant only with itself."""
    columns = {"a": [0, 0, 1, 1], "copy": [1, 1, 0, 0], "other": [0, 1, 0, 1], "constant": [0] * 4}
    expected = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    found = described(columns).redundancy(list(columns))
    assert found == {"names": list(columns), "values": expected}
    assert described(columns).redundancy([]) is None


def test_redundancy_of_many_levels():
    """Columns of very many levels, each of which determines the other."""
    texts = [f"t{k:05}" for k in range(20_000)]
    found = described({"a": texts, "b": texts[::-1]}).redundancy(["b", "a"])
    assert found["values"] == [[1, 1], [1, 1]]


@pytest.mark.parametrize("n_bins", [2, 5])
def test_redundancy_is_that_of_the_definition(n_bins):
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 300))
    columns = {"a": x, "b": x + y, "c": y > 0}
    levels = [naive.quantile_levels(columns[name].tolist(), n_bins) for name in "abc"]
    found = np.array(described(columns, n_bins=n_bins).redundancy(list("abc"))["values"])
    for i in range(3):
        for j in range(i):
            least = min(naive.entropy(levels[i]), naive.entropy(levels[j]))
            assert found[i, j] == pytest.approx(
                naive.mutual_information(levels[i], levels[j]) / least, abs=1e-6
            )
    assert (found == found.T).all()


def test_stand_ins_share_no_more_than_by_chance():
    """A column of one level per row tells everything by chance: it stands in for nothing, if adjusted."""
    rng = np.random.default_rng(0)
    level = rng.integers(0, 2, 200)
    columns = {
        "level": level,
        "again": 1 - level,
        "id": [f"r{k}" for k in range(200)],
        "noise": rng.integers(0, 2, 200),
    }

    def stand_ins(correction):
        found = described(columns, level, correction).profiles(["level"])
        return {one["name"]: one["shared"] for one in found["columns"][0]["stand_ins"]}

    assert stand_ins("adjusted") == {"again": 1.0}
    assert stand_ins(None)["again"] == 1.0
    assert stand_ins("adjusted").get("id") is None


def test_a_fit_is_described_as_its_values(monkeypatch):
    """The table of a fit, and one made of X and y, say the same."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((400, 6))
    X[:, 5] = X[:, 0]
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    selector = JMI(3)
    table = fit_keeping_table(selector, X, y)
    names = selector.selection_.selected_names
    by_fit = Described.by_fit(table, "adjusted")
    of_values = Described.of_values(
        X, y, table.names, names, rules=selector.rules(lambda: len(y)), correction="adjusted"
    )
    for one in (by_fit, of_values):
        assert one.table.names == table.names
    assert by_fit.profiles(names) == of_values.profiles(names)
    assert by_fit.redundancy(names) == of_values.redundancy(names)
    monkeypatch.setattr(profiles, "MAX_ENCODED", 0)
    few = Described.of_values(
        X, y, table.names, names, rules=selector.rules(lambda: len(y)), correction="adjusted"
    )
    assert few.table.names == tuple(sorted(names))
    assert few.profiles(names) == by_fit.profiles(names)
    assert few.redundancy(names) == by_fit.redundancy(names)


def test_stand_ins_of_a_sample(monkeypatch):
    """Of many values some rows are searched, with the levels of all."""
    monkeypatch.setattr(profiles, "MAX_VALUES", 600)
    monkeypatch.setattr(profiles, "MIN_SAMPLE", 50)
    rng = np.random.default_rng(2)
    x = rng.standard_normal(400)
    found = described({"a": x, "b": rng.random(400), "same": np.exp(x)}, x > 0)
    assert found.sample.n_rows == 200
    assert found.profiles(["a"])["columns"][0]["stand_ins"] == [{"name": "same", "shared": 1.0}]


def test_determining_columns():
    """Few levels that determine the class; not a column of a level per row, nor in a table of few rows."""
    y = np.arange(60) // 10 % 2
    columns = {"six": np.arange(60) // 10, "id": [f"r{k}" for k in range(60)], "noise": np.arange(60) % 2}
    assert described(columns, y).determining(list(columns)) == ["six"]
    assert (
        described({name: list(column)[:16] for name, column in columns.items()}, y[:16]).determining(["six"])
        == []
    )


def test_tables_without_levels_are_not_described():
    """Groups of columns have joint levels; numbers have none."""
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    target = encode_target(y, kind="class", rules=Rules())
    assert Described.by_fit(make_table(X, target, frozenset({Need.NUMBERS}))) is None
    assert Described.by_fit(make_table(X, target, frozenset({Need.COUNTS}), groups=[[0, 1]])) is None
    assert Described.by_fit(make_table(X, target, frozenset({Need.COUNTS}))) is not None

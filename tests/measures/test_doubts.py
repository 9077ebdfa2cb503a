"""Words on columns that add nothing agree with the tests of single columns, wherever they are shown."""

import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick._base.wording import doubt_in_words
from program_runs import run


def make_table():
    """A cause, its opposite, which adds nothing, and noise."""
    rng = np.random.default_rng(0)
    cause = rng.integers(0, 2, 400)
    y = cause ^ (rng.random(400) < 0.2)
    return pd.DataFrame({"cause": cause, "copy": 1 - cause, "noise": rng.integers(0, 2, 400)}), y


@pytest.mark.parametrize(
    ("is_chance", "q_alone", "is_first", "expected"),
    [
        (False, 0.5, False, ""),
        (True, 0.5, False, "may be chance"),
        (True, 0.5, True, "may be chance"),
        (True, 1e-9, False, "may add nothing"),
        (True, None, False, "may add nothing"),
        (True, 0.04, True, ""),
    ],
)
def test_words(is_chance, q_alone, is_first, expected):
    assert doubt_in_words(is_chance, q_alone, is_first=is_first) == expected


def test_no_column_with_a_small_q_value_may_be_chance(tmp_path):
    """The record, the screen and the report say the same."""
    X, y = make_table()
    selection = ep.JMI(3).fit(X, y).selection_
    q_alone = dict(zip(X.columns, selection.relevances.q_values, strict=True))
    assert q_alone["copy"] < 1e-6
    assert q_alone["noise"] > 0.05
    X.assign(y=y).to_csv(tmp_path / "table.csv", index=False)
    shown = run(
        "select", tmp_path / "table.csv", "--target", "y", "--n-features", 3, "--method", "jmi"
    ).output
    for text in (str(selection), shown):
        lines = {name: next(line for line in text.splitlines() if f"  {name} " in line) for name in X}
        assert lines["copy"].endswith("may add nothing")
        assert lines["noise"].endswith("may be chance")
        assert "may" not in lines["cause"]
    page = selection.to_html()
    assert page.count("may add nothing") == page.count("may be chance") == 2  # in the table and its legend

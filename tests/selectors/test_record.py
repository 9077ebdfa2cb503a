"""The record of a selection: as a frame, a dictionary, a text and a picture."""

import datetime

import numpy as np
import pytest
from sklearn.datasets import load_wine

import entropick as ep
from entropick import cuts
from entropick._base.plain import to_plain

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

X, y = load_wine(return_X_y=True)


def test_record_as_frame_dict_and_text():
    """Steps as a dataframe of any library, as plain data and as text."""
    import json

    selection = ep.select(X, y, measure="jmi", cut=cuts.Permutation(random_state=0))
    as_dict = json.loads(json.dumps(selection.to_dict(), allow_nan=False))
    assert [step["kept"] for step in as_dict["steps"]][-1] is False
    assert as_dict["selected"] == selection.selected_names
    for backend, kind in (("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)):
        frame = selection.to_frame(backend)
        assert isinstance(frame, kind)
        assert len(frame) == len(selection.steps)
        assert len(selection.encoding_frame(backend)) == 13
    assert str(selection).startswith("6 of 13 columns selected from 178 rows")
    assert selection.steps[0].lead == selection.steps[0].score - selection.steps[0].runner_up_score


def test_records_are_plain_whatever_they_hold():
    """Booleans of numpy and infinities were no JSON."""
    import json

    held = {
        1: np.bool_(True),
        "a": np.array([1.0, np.inf]),
        "b": (-np.inf, np.nan, np.float32(0.5)),
        "c": np.arange(2),
    }
    day = datetime.date(2026, 1, 2)
    plain = to_plain(held | {"d": [day, None, "x"]})
    assert plain == {
        "1": True,
        "a": [1.0, "inf"],
        "b": ["-inf", None, 0.5],
        "c": [0, 1],
        "d": ["2026-01-02", None, "x"],
    }
    assert plain["1"] is True
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_record_can_be_cut_again():
    """Another number of columns needs no new fit."""
    selection = ep.select(X, y, measure="mim", cut=6)
    assert selection.keep(2).order.tolist() == selection.order[:2].tolist()
    with pytest.raises(ValueError, match="The search took 6 steps; 7 of them"):
        selection.keep(7)


def test_record_can_be_drawn():
    """A bar per step on given or new axes."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    selection = ep.select(X, y, measure="jmi", cut=4)
    _, ax = plt.subplots()
    assert selection.plot(ax=ax) is ax
    assert len(ax.patches) == 4
    assert len(selection.plot().patches) == 4
    plt.close("all")

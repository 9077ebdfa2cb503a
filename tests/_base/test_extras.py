"""Libraries that are not installed are named with the extra that brings them."""

import sys

import pytest

import entropick as ep


def test_figures_without_matplotlib_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    selection = ep.select([[0, 1], [1, 0], [0, 0], [1, 1]], [0, 1, 0, 1], cut=1)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'entropick\[plot\]'"):
        selection.plot()

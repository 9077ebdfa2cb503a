"""Records of searches over subsets, in a line and in a notebook."""

import html

import numpy as np

from entropick.records.exploration import Exploration, Generation, ParetoFront


def test_in_a_line_and_in_a_notebook():
    """Both fit a line, and show the front as in the report; columns have numbers."""
    subsets = np.array([[True, False, False], [True, True, False]])
    values = np.array([[0.5, 1.0], [0.25, 2.0]])
    front = ParetoFront(subsets, values, values, ("H(y|S)", "H(S)"))
    rounds = (Generation(10, (0.5, 1.0), 1), Generation(20, (0.25, 2.0), 2))
    exploration = Exploration(np.array([1.0, 0.5, 0.0]), front, rounds)
    assert repr(front) == "ParetoFront(2 subsets of 1 to 2 of 3 columns, by H(y|S) and H(S))"
    assert repr(exploration) == "Exploration(2 subsets after 2 rounds, complete)"
    shown = html.unescape(front._repr_html_())
    assert "<h1>Front of 2 subsets</h1>" in shown
    assert "column 0, column 1" in shown
    assert 'id="history"' not in shown
    assert 'id="history"' in html.unescape(exploration._repr_html_())

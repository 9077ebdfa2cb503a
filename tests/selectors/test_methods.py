"""Selectors of single methods: their cuts as objects, and parts that are made once."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.utils._param_validation import InvalidParameterError

import entropick as ep
from entropick import cuts
from entropick.exceptions import SelectionWarning
from entropick.selectors.methods import METHODS

X, y = load_wine(return_X_y=True)
# searches that draw are to be short, and to draw the same again
OPTIONS = {"n_samples": 50, "n_evaluations": 500, "n_particles": 10, "n_rounds": 3, "random_state": 0}


def fitted(name, n_features):
    selector = METHODS[name](n_features)
    known = selector.get_params()
    selector.set_params(**{option: value for option, value in OPTIONS.items() if option in known})
    return selector.fit(X[::2], y[::2])


@pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")
@pytest.mark.every_method
@pytest.mark.parametrize("name", METHODS)
def test_a_cut_as_an_object(name):
    """It does what its number does, and stays as it was."""
    cut = cuts.Count(3)
    by_object, by_number = fitted(name, cut), fitted(name, 3)
    assert by_object.n_features is cut
    assert by_object.n_features_ == 3
    assert by_object.order_.tolist() == by_number.order_.tolist()


def test_a_cut_as_an_object_is_cloned_and_set():
    """It is a parameter like others, for grids too."""
    selector = clone(ep.JMI(cuts.Count(3)))
    assert selector.set_params(n_features__n=2).fit(X, y).n_features_ == 2


def test_a_wrong_cut_is_refused():
    """Parameters of an object are checked as those of the selector are."""
    with pytest.raises(InvalidParameterError, match="'n' parameter of Count must be"):
        ep.JMI(cuts.Count(0)).fit(X, y)
    with pytest.raises(InvalidParameterError, match="'n' parameter of Count must be"):
        ep.InfFS(cut=cuts.Count(0)).fit(X, y)


def test_rules_of_inffs():
    """The rule by name is that of an object, and a seed is given to a copy."""
    by_name = ep.InfFS(cut="histogram").fit(X, y)
    rule = cuts.Histogram()
    assert ep.InfFS(cut=rule).fit(X, y).order_.tolist() == by_name.order_.tolist()
    drawing = cuts.Permutation()
    selector = ep.JMI(drawing, random_state=0).fit(X, y)
    assert drawing.random_state is None
    assert np.isfinite(selector.scores_[selector.order_]).all()


def test_held_out_risk_of_inffs():
    """Its rule gives way to the number of columns that were selected."""
    selector = ep.InfFS(cut="mean_shift").fit(X, y)
    risk = selector.held_out_risk(X, y, folds=2)
    assert len(risk.risk) == len(risk.counted_risk)
    assert selector.cut == "mean_shift"


def test_parts_are_made_once(monkeypatch):
    """Only what the user made is copied."""
    copied = []
    monkeypatch.setattr("entropick.registry.clone", lambda part: copied.append(part) or clone(part))
    for name in METHODS:
        METHODS[name]()._parts()
    assert copied == []
    with pytest.warns(SelectionWarning, match="40 columns were asked for"):
        ep.JMI(cuts.Count(40)).fit(X, y)
    assert len(copied) == 1

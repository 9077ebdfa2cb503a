"""What is remembered of estimators between fits."""

import numpy as np
import pytest
from sklearn.utils._param_validation import InvalidParameterError

import entropick as ep

X, Y = np.random.default_rng(0).random((30, 3)), np.arange(30) % 2


def test_checked_values_are_of_one_type_and_class():
    """Values that were valid once are not checked again; equal ones of other types, or elsewhere, are."""
    selector = ep.MIM(n_features=1, n_jobs=1)
    for _ in range(2):
        selector.fit(X, Y)
        with pytest.raises(TypeError):
            ep.MIM(n_features=True, n_jobs=1).fit(X, Y)
        with pytest.raises(InvalidParameterError):
            ep.MIM(n_features=1, n_jobs=1.0).fit(X, Y)
        with pytest.raises(InvalidParameterError):
            ep.MIM(n_features=-1, n_jobs=1).fit(X, Y)
    with pytest.raises(InvalidParameterError):
        selector.set_params(n_bins=-3).fit(X, Y)


def test_names_of_another_table_go():
    pandas = pytest.importorskip("pandas")
    selector = ep.MIM(n_features=1).fit(pandas.DataFrame(X, columns=list("abc")), Y)
    assert hasattr(selector, "feature_names_in_")
    assert not hasattr(selector.fit(X[:, :2], Y), "feature_names_in_")
    assert selector.n_features_in_ == 2

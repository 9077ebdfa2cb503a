"""Bad parameters and bad data are rejected with a clear message."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

import entropick as ep
from entropick import measures
from entropick.exceptions import CombinationError, DataError

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

X, y = load_wine(return_X_y=True)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: ep.FeatureSelector("jmmi"), ValueError, r"no measure named 'jmmi'\. Hint: Did you mean 'jmim' or 'jmi'"),
        (lambda: ep.FeatureSelector(search="fwd"), ValueError, r"no search named 'fwd'.*forward"),
        (lambda: ep.FeatureSelector(cut="permutations"), ValueError, "Did you mean 'permutation'"),
        (lambda: ep.FeatureSelector("jmi", "ranking"), CombinationError,
         r"Ranking needs a ranking measure, but JMI is of kind removal and step\. Hint: searches that fit this "
         r"measure: backward, floating, forward; measures that fit this search: .*mim"),
        (lambda: ep.FeatureSelector(cut=0), ValueError, "'cut' parameter of FeatureSelector must be an int in"),
        (lambda: ep.FeatureSelector(cut=1.5), ValueError, r"'cut' parameter of FeatureSelector must be .* a float in"),
        (lambda: ep.FeatureSelector(cut=True), TypeError, "must be a number of columns"),
        (lambda: ep.FeatureSelector(measures.MIFS(beta=-1)), ValueError, "'beta' parameter of MIFS must be"),
        (lambda: ep.JMI(True), TypeError, "^n_features must be a number of columns, a share, .* got True"),
        (lambda: ep.JMI(n_features=0), ValueError, "'n_features' parameter of JMI must be"),
        (lambda: ep.JMI(n_bins=1), ValueError, "'n_bins' parameter of JMI must be"),
        (lambda: ep.JMI(binning="mdl"), ValueError, "'binning' parameter of JMI must be"),
        (lambda: ep.RenyiFS(alpha=0), ValueError, "'alpha' parameter of RenyiFS must be"),
        (lambda: ep.RenyiFS(alpha=2, correction="miller_madow"), CombinationError, "Shannon entropy"),
        (lambda: ep.JMI(fixed_features=["nope"]), DataError, "column 'nope', which is not in the table"),
        (lambda: ep.JMI(feature_groups=[["x1", "nope"]]), DataError,
         r"^feature_groups names column 'nope', which .* Hint: the columns are 'x0', 'x1', 'x2', 'x3', 'x4', \.\.\.; an"),
        (lambda: ep.JMI(fixed_features=[13]), DataError, "column 13, but the table has 13 columns"),
        (lambda: ep.JMI(feature_groups=[[0, 1], [1, 2]]), DataError, "Column 'x1' is in two groups"),
        (lambda: ep.JMI(feature_groups=[[]]), DataError, "empty group"),
        (lambda: ep.JMI(feature_groups=[0, 1]), DataError, r"feature_groups must hold lists of columns, got the single column 0"),
        (lambda: ep.JMI(target="real").fit(X, [str(v) for v in y]), DataError, "must hold numbers"),
    ],
)  # fmt: skip
def test_bad_parameters(make, error, message):
    """One clear sentence for each mistake, before or while fitting."""
    with pytest.raises(error, match=message):
        make().fit(X, y)


@pytest.mark.parametrize(
    ("data", "target", "error", "message"),
    [
        (X, y[:-1], ValueError, "inconsistent numbers of samples"),
        (X[:0], y[:0], ValueError, "0 sample"),
        (X[:, :0], y, ValueError, "0 feature"),
        (np.where(X == X[3, 4], np.inf, X), y, DataError, r"Column 'x4' holds an infinite value \(row 3: inf\)"),
        (X, None, ValueError, "requires y to be passed"),
        (X, np.stack([y, y])[None], ValueError, "y should be a 1d array, or a 2d array of several targets"),
        (X, np.empty((len(y), 0)), DataError, r"y must have at least one column, got a table of shape \(178, 0\)"),
        (X, np.where(y == 1, np.nan, y * 1.0), DataError, "The target has 71 missing values, the first in row 59"),
        (pd.DataFrame({"a": [[1], [2]]}), [0, 1], TypeError, "Column 'a' holds a list"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), [0, 1], DataError, "'a' appears 2 times"),
        (pl.DataFrame({"a": [1, 2]}).lazy(), [0, 1, 1], ValueError, "inconsistent numbers of samples"),
    ],
)  # fmt: skip
def test_bad_data(data, target, error, message):
    """The column, the row and the way out are named."""
    with pytest.raises(error, match=message):
        ep.JMI().fit(data, target)

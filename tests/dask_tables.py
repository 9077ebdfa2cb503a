"""Tables and checks for tests with Dask."""

import distributed
import numpy as np
import pandas as pd
import pytest

# Dask's own warnings about its processes are none of our business.
MARKS = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*:UserWarning:distributed"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.xdist_group("dask"),
]


def make_cluster(n_workers=2, **options):
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=None, silence_logs=50, **options
    )


def table(n_rows=900, n_columns=9, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, n_columns))
    X[:, 2] += y
    X[:, 5] = np.round(X[:, 5] + 0.5 * y, 1)
    X[:, 0] = rng.integers(0, 4, n_rows)
    X[::11, 1] = np.nan
    return X, y


def frame(n_rows=600):
    X, y = table(n_rows)
    made = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    rng = np.random.default_rng(1)
    made["text"] = np.where(rng.random(n_rows) < 0.3, "none", np.array(["a", "b", "c"])[y])
    made["flag"] = rng.random(n_rows) < 0.5
    made["time"] = pd.date_range("2020", periods=n_rows, freq="h").to_numpy()[rng.permutation(n_rows)]
    made["kind"] = pd.Categorical(rng.choice(["u", "v"], n_rows))
    return made.assign(y=y)


def path(selection):
    """Everything about the steps that does not depend on the clock."""
    return [
        (s.columns, s.score, s.runner_up, s.runner_up_score, s.ties, s.n_ties, s.residual)
        for s in selection.steps
    ]


def check_same(got, expected):
    assert path(got.selection_) == path(expected.selection_)
    assert got.selection_.encodings == expected.selection_.encodings
    assert got.selection_.target == expected.selection_.target
    assert got.selection_.learned == expected.selection_.learned
    assert np.array_equal(got.scores_, expected.scores_, equal_nan=True)
    assert got.order_.tolist() == expected.order_.tolist()
    assert got.n_features_in_ == expected.n_features_in_

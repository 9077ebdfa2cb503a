"""MultiSURF, SURF and SURF* against naive versions, and against skrebate where it is right."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import entropick as ep
import naive
from entropick.exceptions import DataError
from strategies import examples

VARIANTS = ["multisurf", "surf", "surf_star"]

# feature_importances_ of skrebate 0.8.4 on the table of `known`, by variant
SKREBATE = {
    "multisurf": [0.12072241, -0.01822014, -0.0016643, -0.0269871, -0.01275616],
    "surf": [0.12951469, -0.03225027, 0.0201886, -0.02471373, 0.00160437],
    "surf_star": [0.00789046, 0.01530522, 0.04612124, -0.00073661, -0.00176093],
}


def known():
    """Numbers of which two matter together, and one alone."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 5))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)


def scores(X, y, variant, **options):
    return ep.MultiSURF(1.0, variant=variant, **options).fit(X, y).scores_


@pytest.mark.parametrize("variant", VARIANTS)
@examples(15)
@given(seed=st.integers(0, 10_000), n_classes=st.integers(1, 4), n=st.integers(2, 30))
def test_equals_naive(variant, seed, n_classes, n):
    """Numbers, categories and gaps, any number of classes."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    number, gaps = rng.normal(size=n) + y, np.where(rng.random(n) < 0.3, np.nan, rng.random(n))
    text = rng.choice(["a", "b", "c"], n)
    frame = pd.DataFrame({"number": number, "gaps": gaps, "text": text})
    rows = [[a, None if b != b else b, c] for a, b, c in zip(number, gaps, text, strict=True)]
    expected = naive.surf(rows, list(y), variant, ["number", "number", "category"])
    options = {"target": "class"}
    if n_classes == 1 or len(set(y)) == 1:
        with pytest.warns(match="only one class"):
            found = scores(frame, y, variant, **options)
    else:
        found = scores(frame, y, variant, **options)
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_equals_skrebate(variant):
    """On two classes; SURF and SURF* there count the distance of each row to itself in the mean distance."""
    X, y = known()
    is_wrong = variant != "multisurf"
    theirs = naive.surf(X.tolist(), list(y), variant, counts_itself=is_wrong)
    assert theirs == pytest.approx(SKREBATE[variant], abs=1e-6)
    assert (np.abs(scores(X, y, variant) - SKREBATE[variant]).max() > 1e-3) == is_wrong


@pytest.mark.parametrize("variant", VARIANTS)
def test_laws(variant):
    """Threads and containers change no bit; rows, columns and units no more than last digits; groups add up."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    expected = scores(X, y, variant)
    assert set(np.argsort(-expected)[:2]) == {0, 1}
    assert np.array_equal(scores(X, y, variant, n_jobs=3), expected)
    assert np.array_equal(scores(pd.DataFrame(X), y, variant), expected)
    order = rng.permutation(300)
    assert scores(X[order], y[order], variant) == pytest.approx(expected, abs=1e-6)
    assert scores(X[:, ::-1], y, variant) == pytest.approx(expected[::-1], abs=1e-6)
    assert scores(X * 2.0 ** np.arange(6), y, variant) == pytest.approx(expected, abs=1e-6)
    grouped = scores(X, y, variant, feature_groups=[[0, 3]])
    assert grouped[0] == grouped[3] == pytest.approx(expected[0] + expected[3])


def test_odd_tables():
    """Constants score 0; one row is refused; rows that are all alike have no near ones."""
    X, y = known()
    with_constant = scores(np.column_stack([X, np.ones(60)]), y, "multisurf")
    assert with_constant[5] == 0
    assert scores(np.ones((10, 2)), np.arange(10) % 2, "surf").tolist() == [0, 0]
    with pytest.warns(match="only one class"), pytest.raises(DataError, match="got 1 sample"):
        ep.MultiSURF().fit(X[:1], y[:1])

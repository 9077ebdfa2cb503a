"""Tables for tests of measures by near rows."""

import numpy as np
import pytest


def points(seed, n=40, d=5, classes=2):
    rng = np.random.default_rng(seed)
    return rng.random((n, d)), rng.integers(0, classes, n)


def mixed(seed, n=40):
    """Numbers with gaps beside categories with gaps, as a frame and as rows for the naive twin."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    numbers = np.where(rng.random(n) < 0.2, np.nan, rng.random(n))
    frame = pd.DataFrame({"a": numbers, "b": rng.random(n), "c": rng.choice(["u", "v", None], n)})
    rows = [[None if v is None or v != v else v for v in row] for row in frame.to_numpy(dtype=object)]
    return frame, rows, ["number", "number", "category"]

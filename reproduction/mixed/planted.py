"""Add columns of noise to a table."""

import numpy as np
import pandas as pd

SHUFFLED, MANY, SOME, NORMAL, COUNTER = "shuffled copy", "300 codes", "20 codes", "normal", "counter"


def plant(X: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, list[str]]:
    """X with five columns of noise at random positions, and their names."""
    rng = np.random.default_rng(seed)
    n_rows = len(X)
    copied = X.iloc[:, rng.integers(X.shape[1])]
    noise = {
        SHUFFLED: copied.iloc[rng.permutation(n_rows)].to_numpy(),
        MANY: _codes(rng, 300, n_rows),
        SOME: _codes(rng, 20, n_rows),
        NORMAL: rng.normal(size=n_rows),
        COUNTER: 10_000 + np.arange(n_rows),
    }
    planted = pd.concat([X, pd.DataFrame(noise, index=X.index)], axis=1)
    return planted.iloc[:, rng.permutation(planted.shape[1])], list(noise)


def _codes(rng, n_codes, n_rows):
    return np.char.add("code ", rng.integers(n_codes, size=n_rows).astype(str))

"""A table and its file, for the program; its tests need what the program needs (extra cli)."""

import importlib.util

import numpy as np
import polars as pl
import pytest

from program_runs import N_ROWS

if importlib.util.find_spec("click") is None:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def table():
    """Ids, a good number, a good category, noise, missing values, and a class."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, N_ROWS)
    size = label + 0.3 * rng.standard_normal(N_ROWS)
    size[3] = np.nan
    return pl.DataFrame(
        {
            "id": [f"r{i}" for i in range(N_ROWS)],
            "size": size,
            "site": np.where(rng.random(N_ROWS) < 0.9, label, 1 - label).astype(str),
            "noise": rng.standard_normal(N_ROWS),
            "label": np.array(["no", "yes"])[label],
        },
        nan_to_null=True,
    )


@pytest.fixture
def csv(table, tmp_path):
    path = tmp_path / "table.csv"
    table.write_csv(path)
    return path

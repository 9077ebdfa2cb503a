"""Columns with very different numbers of levels.

Each way of counting is then followed by each other one: by bit planes, in a table, while counting, by hashing.
"""

import math

import numpy as np

KINDS = ("constant", "two", "three", "root", "tenth", "identifier", "ties", "copy")


def unlike_columns(rng: np.random.Generator, n_rows: int, n_columns: int) -> list[np.ndarray]:
    """Codes of columns of all kinds, in any order."""
    columns: list[np.ndarray] = []
    kinds = rng.permutation(np.resize(KINDS, max(n_columns, len(KINDS))))[:n_columns]
    for kind in kinds:
        columns.append(rng.choice(columns) if kind == "copy" and columns else _column(rng, n_rows, kind))
    return columns


def _column(rng: np.random.Generator, n_rows: int, kind: str) -> np.ndarray:
    if kind == "identifier":
        return rng.permutation(n_rows)
    n_levels = {"constant": 1, "two": 2, "three": 3, "root": math.isqrt(n_rows) + 1}.get(
        kind, n_rows // 10 + 1
    )
    codes = rng.integers(0, n_levels, n_rows)
    if kind == "ties":  # nearly all rows have the same value
        codes[rng.random(n_rows) < 0.95] = 0
    return codes

"""The document of a run: what `--json` prints and the report is made of."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

import entropick
from entropick.cli.prepare import Prepared, data_part
from entropick.cli.screen import SCHEMA_VERSION
from entropick.table import Table, encode

MOST_REDUNDANT = 30  # columns of the redundancy map
MOST_ROWS = 500_000  # rows it is counted from


def make_document(
    prepared: Prepared,
    *,
    command: str | None,
    seed: int | None,
    seconds: float,
    warnings: Sequence[str],
    top_columns: Sequence[str],
    method: str | None = None,
    selection: dict[str, Any] | None = None,
    comparison: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything a run found, plain, with what is needed to repeat it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "select" if comparison is None else "compare",
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "seconds": round(seconds, 3),
        "versions": _versions(),
        "seed": seed,
        "data": data_part(prepared),
        "warnings": list(warnings),
        "selection": selection,
        "method": method,
        "redundancy": _redundancy_part(prepared, list(top_columns)[:MOST_REDUNDANT]),
        "comparison": comparison,
    }


def _versions() -> dict[str, str]:
    libraries = {name: version(name) for name in ("numpy", "scikit-learn")}
    return {"entropick": entropick.__version__, "python": platform.python_version()} | libraries


def _redundancy_part(prepared: Prepared, names: list[str]) -> dict[str, Any] | None:
    if not names:
        return None
    values = redundancy(encode(prepared.X.select(names)))
    return {"names": names, "values": values.round(6).tolist()}


def redundancy(table: Table) -> np.ndarray:
    """What two columns tell about each other, as a share of the most they could: I(f;g) / min(H(f), H(g)).

    A constant column has nothing to tell: 0 with all others, 1 with itself. Evenly spaced rows
    of a long table are enough.
    """
    stride = -(-table.n_rows // MOST_ROWS)
    columns = [column[::stride].astype(np.int64) for column in table]
    entropies = [_entropy(column, int(n)) for column, n in zip(columns, table.n_levels, strict=True)]
    shares = np.eye(len(columns))
    for i, one in enumerate(columns):
        for j in range(i):
            n_one, n_other = int(table.n_levels[i]), int(table.n_levels[j])
            joint = _entropy(one * n_other + columns[j], n_one * n_other)
            most = min(entropies[i], entropies[j])
            share = (entropies[i] + entropies[j] - joint) / most if most > 0 else 0.0
            shares[i, j] = shares[j, i] = min(max(share, 0.0), 1.0)
    return shares


def _entropy(levels: np.ndarray, n_levels: int) -> float:
    """Shannon's entropy in bits."""
    few = n_levels <= 4 * len(levels)
    counts = np.bincount(levels) if few else np.unique(levels, return_counts=True)[1]
    p = counts[counts > 0] / len(levels)
    return float(-(p * np.log2(p)).sum())

"""The document of a run, which `--json` prints and the report is rendered from."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

import entropick
from entropick.cli.prepare import Prepared, data_entry
from entropick.cli.profiles import profiles_entry
from entropick.cli.screen import SCHEMA_VERSION
from entropick.files.frames import take
from entropick.measures.entropies import entropy
from entropick.table import Rules, encode
from entropick.table.encoding.target import encode_target

MAX_REDUNDANT = 30  # columns of the redundancy map
MAX_ROWS = 50_000  # that are counted; 435 pairs of columns then take about two seconds


def make_document(
    prepared: Prepared,
    *,
    command: str | None,
    seed: int | None,
    seconds: float,
    warnings: Sequence[str],
    answer: Sequence[str],
    top_columns: Sequence[str],
    rules: Rules,
    method: str | None = None,
    code: str | None = None,
    selection: dict[str, Any] | None = None,
    comparison: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Assemble everything a run found, as plain values, with what is needed to repeat it.

    `answer` are the columns to use; `top_columns` are compared with each other. `rules` are those the columns
    were encoded by, `code` is a selector of the answer in Python.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "select" if comparison is None else "compare",
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "seconds": round(seconds, 3),
        "versions": _versions(),
        "seed": seed,
        "data": data_entry(prepared),
        "warnings": list(warnings),
        "selection": selection,
        "method": method,
        "code": code,
        "profiles": profiles_entry(prepared, answer, rules),
        "redundancy": _redundancy_entry(prepared, list(top_columns)[:MAX_REDUNDANT], rules),
        "comparison": comparison,
    }


def _versions() -> dict[str, str]:
    libraries = {name: version(name) for name in ("numpy", "scikit-learn")}
    return {"entropick": entropick.__version__, "python": platform.python_version()} | libraries


def _redundancy_entry(prepared: Prepared, names: list[str], rules: Rules) -> dict[str, Any] | None:
    if not names:
        return None
    target = encode_target(prepared.y, kind=prepared.kind, rules=rules) if rules.binning == "mdlp" else None
    table, _ = encode(take(prepared.X, names), target, rules=rules)
    stride = -(-table.n_rows // MAX_ROWS)
    values = redundancy([codes[::stride] for codes in table], table.n_levels.tolist())
    return {"names": names, "values": values.round(6).tolist()}


def redundancy(codes: Sequence[np.ndarray], n_levels: Sequence[int]) -> np.ndarray:
    """Mutual information of each pair of columns, relative to its maximum: I(f;g) / min(H(f), H(g)).

    A constant column has 0 with all others, 1 with itself.

    Parameters
    ----------
    codes : level of each row, one array per column
    n_levels : levels of each column
    """
    entropies = [entropy(column) for column in codes]
    shares = np.eye(len(codes))
    for i, one in enumerate(codes):
        for j in range(i):
            joint = entropy(one.astype(np.int64) * n_levels[j] + codes[j])
            most = min(entropies[i], entropies[j])
            share = (entropies[i] + entropies[j] - joint) / most if most > 0 else 0.0
            shares[i, j] = shares[j, i] = min(max(share, 0.0), 1.0)
    return shares

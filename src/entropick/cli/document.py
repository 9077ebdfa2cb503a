"""The document of a run, which `--json` prints and the report is rendered from."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import entropick
from entropick.cli.prepare import Prepared, data_entry
from entropick.cli.screen import SCHEMA_VERSION
from entropick.records.profiles import Described


def make_document(
    prepared: Prepared,
    *,
    command: str | None,
    seed: int | None,
    seconds: float,
    warnings: Sequence[str],
    answer: Sequence[str],
    top_columns: Sequence[str],
    described: Described,
    method: str | None = None,
    code: str | None = None,
    selection: dict[str, Any] | None = None,
    comparison: dict[str, Any] | None = None,
    has_report: bool = False,
) -> dict[str, Any]:
    """Assemble everything a run found, as plain values, with what is needed to repeat it.

    `answer` are the columns to use; `top_columns` are compared with each other; `described` has their levels.
    `code` is a selector of the answer in Python. A report also has profiles of columns that were left out.
    """
    left_out = described.left_out(answer) if has_report else []
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
        "profiles": described.profiles(answer, left_out),
        "redundancy": described.redundancy(top_columns),
        "comparison": comparison,
    }


def _versions() -> dict[str, str]:
    libraries = {name: version(name) for name in ("numpy", "scikit-learn")}
    return {"entropick": entropick.__version__, "python": platform.python_version()} | libraries

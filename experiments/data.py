"""Data sets of the papers: from a folder, from OpenML, or from a generator."""

import functools
import socket
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from entropick.exceptions import DataError
from entropick.table.inputs import default_names

OPENML_SECONDS = 30.0
OPENML = {  # name here -> name and version there
    "abalone": ("abalone", 1),
    "arrhythmia": ("arrhythmia", 1),
    "segment": ("segment", 1),
    "spambase": ("spambase", 1),
    "usps": ("USPS", 1),
    "lymphography": ("lymph", 1),
    "mushroom": ("mushroom", 1),
    "spect": ("SPECT", 1),
    "ionosphere": ("ionosphere", 1),
    "chess_krvskp": ("kr-vs-kp", 1),
    "lungcancer_uci": ("lung-cancer", 1),
    "splice": ("splice", 1),
    "wdbc": ("wdbc", 1),
    "connect4": ("connect-4", 1),
    "madelon": ("madelon", 1),
    "semeion": ("semeion", 1),
    "leukemia": ("leukemia", 1),
    "gisette": ("gisette", 1),
    "basehock": ("BASEHOCK", 1),
}


@dataclass(frozen=True)
class Dataset:
    """A table with its target.

    Attributes
    ----------
    name : str
    X : rows, columns of numbers (codes where categorical), an array of floats or a CSR matrix
    y : classes 0..c-1, or real values
    categorical : True for each column whose numbers are codes
    names : of the columns
    extra : further arrays of the file, such as `split` or `y_class`
    origin : where it came from
    """

    name: str
    X: Any
    y: np.ndarray
    categorical: np.ndarray
    names: tuple[str, ...]
    extra: dict[str, np.ndarray]
    origin: str

    def rows(self, chosen: np.ndarray) -> "Dataset":
        """Some rows."""
        extra = {key: v[chosen] if len(v) == len(self.y) else v for key, v in self.extra.items()}
        return replace(self, X=self.X[chosen], y=self.y[chosen], extra=extra)


class MissingDataError(DataError):
    """A data set that is neither in the folder nor on OpenML."""


@dataclass(frozen=True)
class Data:
    """Where data sets are looked for: a folder of .npz files, then OpenML if that is allowed."""

    folder: str | None = None
    openml: bool = True
    cache: str | None = None

    def load(self, name: str) -> Dataset:
        """A data set, read once per process."""
        return _load(self, name)

    def missing(self, name: str) -> str | None:
        """Why a data set cannot be had; None where it can."""
        try:
            self.load(name)
        except DataError as error:
            return str(error)
        return None


@functools.lru_cache(maxsize=8)
def _load(data: Data, name: str) -> Dataset:
    if data.folder is not None:
        path = Path(data.folder) / f"{name}.npz"
        if path.exists():
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
    names = arrays.pop("feature_names", None)
    columns = default_names(X.shape[1]) if names is None else map(str, names)
    return Dataset(name, X, y, categorical, tuple(columns), arrays, path.name)


def _table_of(arrays: dict[str, np.ndarray]) -> Any:
    """The table X, taken out of the arrays of a file; of a sparse one these are its parts."""
    if "data" not in arrays:
        return arrays.pop("X")
    parts = tuple(arrays.pop(key) for key in ("data", "indices", "indptr"))
    return scipy.sparse.csr_matrix(parts, shape=tuple(arrays.pop("shape")))


def _from_openml(name: str, cache: str | None) -> Dataset:
    """Fetch from OpenML, through scikit-learn's loader and its cache (`~/scikit_learn_data` by default)."""
    from sklearn.datasets import fetch_openml

    there, version = OPENML[name]
    with warnings.catch_warnings(), _patience(OPENML_SECONDS):
        warnings.simplefilter("ignore")  # of retries; what fails in the end is raised
        found = fetch_openml(
            there,
            version=version,
            as_frame=False,
            parser="liac-arff",
            data_home=cache,
            n_retries=1,
            delay=0.1,
        )
    X = found.data.astype(np.float64)
    levels = found.categories or {}
    categorical = np.array([column in levels for column in found.feature_names])
    _, y = np.unique(found.target, return_inverse=True)
    origin = f"OpenML, {there}, version {version}"
    return Dataset(name, X, y, categorical, tuple(found.feature_names), {}, origin)


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """How long a server may say nothing: scikit-learn's loader would wait for ever."""
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

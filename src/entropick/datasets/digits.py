"""Tables like GISETTE and GINA, made of the files of MNIST."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

_SIDE = 28
_SEEN = 0.01  # a pixel counts if it is on in more than this share of the images
_TOP, _MIDDLE = slice(2, 16), slice(6, 22)  # where a 4 and a 9 differ


def make_gisette(
    folder: str | Path, n_samples: int = 6000, n_features: int = 5000, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """A table like GISETTE: the digits 4 and 9, by pixels, products of pixels, and probes.

    The first half of the columns are pixels of the middle top part, where the two digits differ, and products
    of two of them; the second half are columns of the first half with shuffled rows, which tell nothing.
    GISETTE itself was made in this way, with other draws.

    Parameters
    ----------
    folder : str or Path
        Folder with the files of MNIST (train-images-idx3-ubyte, train-labels-idx1-ubyte and, if there, those
        of t10k), also as .gz.
    n_samples : int, default=6000
        Rows, half of them of each digit.
    n_features : int, default=5000
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), whole numbers from 0 to 999
    y : ndarray of shape (n_samples,), 1 for a 9
    """
    rng = check_random_state(random_state)
    images, labels = _read_mnist(Path(folder))
    rows = np.concatenate([_draw(np.flatnonzero(labels == digit), n_samples // 2, rng) for digit in (4, 9)])
    rows = rng.permutation(rows)
    part = images[rows].reshape(-1, _SIDE, _SIDE)[:, _TOP, _MIDDLE].reshape(len(rows), -1)
    pixels = part[:, (part > 0).mean(axis=0) > _SEEN].astype(np.float32) / 255
    n_real = (n_features + 1) // 2
    pairs = rng.randint(0, pixels.shape[1], size=(max(0, n_real - pixels.shape[1]), 2))
    real = np.hstack([pixels[:, :n_real], pixels[:, pairs[:, 0]] * pixels[:, pairs[:, 1]]])
    shuffled = [rng.permutation(real[:, j]) for j in rng.permutation(n_real)[: n_features - n_real]]
    X = np.column_stack([real, *shuffled])
    return np.round(999 * X).astype(np.int64), (labels[rows] == 9).astype(np.int64)


def make_gina(
    folder: str | Path, n_samples: int = 3468, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """A table like GINA: is a number of two written digits odd? Half of the columns, the tens, tell nothing.

    Parameters
    ----------
    folder : str or Path
        Folder with the files of MNIST, as for `make_gisette`.
    n_samples : int, default=3468
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, about 970), pixels of the tens, then of the units, from 0 to 255
    y : ndarray of shape (n_samples,), 1 for odd numbers
    """
    rng = check_random_state(random_state)
    images, labels = _read_mnist(Path(folder))
    seen = (images > 0).mean(axis=0) > _SEEN
    digits = _draw(np.arange(len(labels)), 2 * n_samples, rng)
    tens, units = digits[:n_samples], digits[n_samples:]
    X = np.hstack([images[tens][:, seen], images[units][:, seen]]).astype(np.int64)
    return X, labels[units] % 2


def _draw(rows: np.ndarray, n_rows: int, rng: Any) -> np.ndarray:
    if n_rows > len(rows):
        raise ValueError(f"n_samples is too large: {n_rows} images are needed, the files have {len(rows)}.")
    chosen: np.ndarray = rng.permutation(rows)[:n_rows]
    return chosen


def _read_mnist(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """All images, a line of pixels each, and their digits."""
    parts = [part for part in ("train", "t10k") if _file(folder, f"{part}-labels-idx1-ubyte") is not None]
    if not parts:
        raise FileNotFoundError(f"No file train-labels-idx1-ubyte or train-labels-idx1-ubyte.gz in {folder}.")
    images = [_read(folder, f"{part}-images-idx3-ubyte", 16).reshape(-1, _SIDE**2) for part in parts]
    labels = [_read(folder, f"{part}-labels-idx1-ubyte", 8) for part in parts]
    return np.concatenate(images), np.concatenate(labels).astype(np.int64)


def _file(folder: Path, name: str) -> Path | None:
    found = [path for path in (folder / name, folder / f"{name}.gz") if path.exists()]
    return found[0] if found else None


def _read(folder: Path, name: str, n_head: int) -> np.ndarray:
    """The bytes of a file after its head."""
    path = _file(folder, name)
    if path is None:
        raise FileNotFoundError(f"No file {name} or {name}.gz in {folder}.")
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return np.frombuffer(content, np.uint8, offset=n_head)

"""The small tables printed in the papers, for checking numbers by hand."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state


def make_renyi_figure1() -> tuple[np.ndarray, np.ndarray]:
    """Ten rows of ten classes, six columns f0..f5 (Palamidessi and Romanelli 2018, Fig. 1).

    Shannon's entropy selects f0 first and needs all six columns, min-entropy needs only f1..f5.

    Returns
    -------
    X : ndarray of shape (10, 6), letters
    y : ndarray of shape (10,)
    """
    rows = [
        "ACFILO",
        "ADFILO",
        "AEGILO",
        "AEHILO",
        "BEFJLO",
        "BEFKLO",
        "BEFIMO",
        "BEFINO",
        "BEFILP",
        "BEFILQ",
    ]
    return np.array([list(row) for row in rows]), np.arange(10)


def make_renyi_section32() -> tuple[np.ndarray, np.ndarray]:
    """32 rows of 32 classes, columns f1..f4 and f'1..f'4 (Palamidessi and Romanelli 2018, sec. 3.2).

    f1..f4 are bits of the class; f'i has a separate level for each of the classes 4j+i−1 and one common
    level for the others. Shannon's entropy needs three columns, min-entropy four.

    Returns
    -------
    X : ndarray of shape (32, 8)
    y : ndarray of shape (32,)
    """
    y = np.arange(32)
    bits = [y & 3, (y >> 1) & 3, (y >> 2) & 3, y >> 4]
    private = [np.where(y % 4 == i, y // 4, 8) for i in range(4)]
    return np.column_stack(bits + private), y


def make_bayes_table1(subset: str = "train") -> tuple[np.ndarray, np.ndarray]:
    """The training or test rows of Table 1 of Mei, Xue and Zhang.

    y is the parity of X1, X2, X3 and also X4 and X5, so {X1, X2, X3}, {X4, X5} and the row number
    all determine it on the training rows.

    Parameters
    ----------
    subset : {"train", "test"}, default="train"

    Returns
    -------
    X : ndarray of shape (8, 6) or (5, 6), columns ID, X1..X5
    y : ndarray of shape (8,) or (5,)
    """
    rows = {
        "train": ["001111", "110010", "110010", "101010", "101100", "110100", "001111", "110100"],
        "test": ["100111", "111111", "011010", "000000", "010111"],
    }
    if subset not in rows:
        raise ValueError(f"subset must be 'train' or 'test', got {subset!r}.")
    table = np.array([[int(bit) for bit in row] for row in rows[subset]])
    numbers = np.arange(1, len(table) + 1)
    return np.column_stack([numbers, table[:, :5]]), table[:, 5]


def make_nefs_figure1(
    labels: str = "corner", n_samples: int = 100, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Uniform points of the unit square with one of two labelings (Mariello and Battiti, Fig. 1).

    Parameters
    ----------
    labels : {"corner", "random"}, default="corner"
        Class 1 where both coordinates are above 0.5, or a random half of the points.
    n_samples : int, default=100
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
    """
    if labels not in ("corner", "random"):
        raise ValueError(f"labels must be 'corner' or 'random', got {labels!r}.")
    rng = check_random_state(random_state)
    X = rng.uniform(size=(n_samples, 2))
    if labels == "corner":
        return X, (X > 0.5).all(axis=1).astype(np.int64)
    return X, rng.permutation(np.arange(n_samples) % 2)

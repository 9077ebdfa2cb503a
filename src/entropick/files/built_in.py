"""Built-in data sets: those of scikit-learn, and generators of the papers' data."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

TARGET = "target"
LED_SEGMENTS = ["top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom"]


@dataclass(frozen=True)
class BuiltIn:
    """A built-in data set.

    Attributes
    ----------
    summary : one-line description
    load : function of a seed that returns column names, X and y
    """

    summary: str
    load: Callable[[int], tuple[list[str], np.ndarray, np.ndarray]]


def _of_scikit_learn(name: str) -> Callable[[int], tuple[list[str], np.ndarray, np.ndarray]]:
    def load(seed: int) -> tuple[list[str], np.ndarray, np.ndarray]:
        from sklearn import datasets

        data = getattr(datasets, f"load_{name}")()
        return [str(column) for column in data.feature_names], data.data, data.target_names[data.target]

    return load


def _generated(
    name: str, columns: str = "", *, seeded: bool = True
) -> Callable[[int], tuple[list[str], np.ndarray, np.ndarray]]:
    def load(seed: int) -> tuple[list[str], np.ndarray, np.ndarray]:
        from entropick import datasets

        options: dict[str, Any] = {"random_state": seed} if seeded else {}
        X, y = getattr(datasets, f"make_{name}")(**options)
        return columns.split() or [f"x{j}" for j in range(X.shape[1])], X, y

    return load


BUILT_IN: dict[str, BuiltIn] = {
    "breast_cancer": BuiltIn("569 tumours, 30 measurements, 2 classes", _of_scikit_learn("breast_cancer")),
    "wine": BuiltIn("178 wines, 13 measurements, 3 classes", _of_scikit_learn("wine")),
    "iris": BuiltIn("150 flowers, 4 measurements, 3 classes", _of_scikit_learn("iris")),
    "digits": BuiltIn("1,797 handwritten digits, 64 pixels, 10 classes", _of_scikit_learn("digits")),
    "corral": BuiltIn(
        "generated: y = (A0 and A1) or (B0 and B1), with a noisy copy of y and noise",
        _generated("corral", "A0 A1 B0 B1 I C"),
    ),
    "hyperspheres": BuiltIn(
        "generated: 5,000 points inside or outside two balls, 7 of 100 columns matter",
        _generated("hyperspheres"),
    ),
    "led24": BuiltIn(
        "generated: 1,000 digits of 7 noisy segments, and 17 columns of noise",
        _generated("led24", " ".join([*LED_SEGMENTS, *(f"noise{j}" for j in range(1, 18))])),
    ),
    "madelon": BuiltIn(
        "generated: 2,000 points in clusters in 5 dimensions, 15 combinations, 480 noise columns",
        _generated("madelon"),
    ),
    "renyi_figure1": BuiltIn(
        "10 rows of a paper where Shannon's entropy and min-entropy disagree",
        _generated("renyi_figure1", "f0 f1 f2 f3 f4 f5", seeded=False),
    ),
    "renyi_section32": BuiltIn(
        "32 rows of the same paper",
        _generated("renyi_section32", "f1 f2 f3 f4 f'1 f'2 f'3 f'4", seeded=False),
    ),
    "bayes_table1": BuiltIn(
        "8 rows of a paper where a row number determines the class",
        _generated("bayes_table1", "ID X1 X2 X3 X4 X5", seeded=False),
    ),
    "nefs_figure1": BuiltIn(
        "generated: 100 points in a square, one corner is a class", _generated("nefs_figure1")
    ),
}

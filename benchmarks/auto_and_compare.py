"""Whether ``n_features="auto"`` and ``compare`` give the same advice on the same table.

    python -m benchmarks.auto_and_compare --save benchmarks/auto_and_compare.json

Both use the same rows, numbers of columns, losses, rule and test. They differ in the models, and in that
"auto" splits the rows several times.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_friedman1

import entropick as ep


def tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Tables of scikit-learn, one with noise beside few causes, and one of noise alone."""
    digits, digit = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    return {
        "breast cancer": load_breast_cancer(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "diabetes": load_diabetes(return_X_y=True),
        "digits": (digits[:600], digit[:600]),
        "Friedman": make_friedman1(400, 15, noise=1.0, random_state=0),
        "noise": (rng.normal(size=(200, 20)), rng.integers(0, 2, 200)),
    }


def both(X: np.ndarray, y: np.ndarray) -> dict[str, object]:
    """Numbers of columns, p-values, and the score of a linear model with all columns, of both."""
    found = ep.JMI("auto", random_state=0).fit(X, y).selection_.evidence
    assert found is not None
    linear = "ridge" if found.scoring == "R²" else "logistic"
    other = ep.compare(X, y, methods=["jmi"], estimators=[linear, "neighbors"], random_state=0)
    advice = other.recommendation
    return {
        "auto": {"columns": found.n_chosen, "interval": found.interval, "p_value": found.p_value,
                 "linear_all": round(found.by_model["linear"][-1], 3), "sizes": found.sizes[1:]},
        "compare": {"columns": advice.n_features, "p_value": advice.p_value,
                    "linear_all": round(other.baseline[linear], 3), "sizes": other.methods[0].sizes},
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Advice of auto and compare on the same tables.")
    parser.add_argument("--save", type=Path)
    given = parser.parse_args()
    stored = {}
    for name, (X, y) in tables().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stored[name] = both(X, y)
        print(name, stored[name], flush=True)
    if given.save:
        given.save.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()

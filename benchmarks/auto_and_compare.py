"""Whether ``n_features="auto"`` and ``compare`` give the same advice on the same table.

    python -m benchmarks.auto_and_compare --save benchmarks/auto_and_compare.json

Both use the same rows, folds, numbers of columns, losses, rule and test. They differ in the models, and in
that "auto" splits the rows several times. Given one split and the models of "auto", they find the same
(`tests/comparison/test_agreement.py`).
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_friedman1,
    make_friedman2,
    make_regression,
)

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
        "iris": load_iris(return_X_y=True),
        "Friedman 2": make_friedman2(300, noise=50.0, random_state=0),
        "six causes of 40": make_regression(300, 40, n_informative=6, noise=50.0, random_state=0),
        "classes 80 : 20": make_classification(500, 30, n_informative=5, weights=[0.8], random_state=0),
        "four classes": make_classification(500, 20, n_informative=6, n_classes=4, random_state=0),
        "few rows": make_classification(80, 20, n_informative=4, random_state=0),
    }


def both(X: np.ndarray, y: np.ndarray) -> dict[str, object]:
    """Numbers of columns with their intervals: of "auto", of it with rows split once, and of compare."""
    found = {}
    for name, n_repeats in (("auto", None), ("auto, rows split once", 1)):
        auto = ep.JMI(ep.cuts.HeldOut(n_repeats=n_repeats), random_state=0).fit(X, y).selection_.evidence
        found[name] = (auto.n_chosen, *auto.interval) if auto.n_chosen else 0
    linear = "ridge" if auto.scoring == "R²" else "logistic"
    advice = ep.compare(X, y, methods=["jmi"], estimators=[linear, "neighbors"]).recommendation
    found["compare"] = (advice.n_features, *advice.interval) if advice.interval else 0
    found["p_values"] = auto.p_value, advice.p_value
    return found


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

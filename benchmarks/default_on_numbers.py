"""JMI as it comes beside JMI as published and scikit-learn's filter, on the data sets that JMI was chosen on.

    python -m benchmarks.default_on_numbers --data ../shared/data --save benchmarks/default_on_numbers.json

Data sets, rows and classifiers are those of `python -m reproduction methods`: accuracy on the test rows of a
split, in the mean of 5 neighbours, a forest and a linear model on the first 5, 10, 20 and 50 columns.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse
from sklearn.feature_selection import mutual_info_classif

import entropick as ep
from reproduction.data import Data
from reproduction.methods import protocol

SPLITS = range(1)
DEFAULT, PUBLISHED, FILTER = "JMI", "JMI as published", "mutual_info_classif"


def by_information(X: np.ndarray, y: np.ndarray, is_category: np.ndarray, seed: int) -> np.ndarray:
    discrete = "auto" if scipy.sparse.issparse(X) else is_category  # sparse columns are all discrete for it
    X = X if scipy.sparse.issparse(X) else np.nan_to_num(X)
    scores = mutual_info_classif(X, y, discrete_features=discrete, random_state=seed)
    return np.argsort(-scores, kind="stable")


def by_jmi(**given: object) -> Callable[..., np.ndarray]:
    def order_of(X: np.ndarray, y: np.ndarray, is_category: np.ndarray, seed: int) -> np.ndarray:
        n_features = min(max(protocol.SIZES), X.shape[1])
        return ep.JMI(n_features, target="class", n_jobs=1, random_state=seed, **given).fit(X, y).order_

    return order_of


SELECTORS = {
    DEFAULT: by_jmi(),
    PUBLISHED: by_jmi(correction=None, n_bins=protocol.N_BINS),
    FILTER: by_information,
}


def measure(dataset) -> dict[str, float]:
    """Accuracy with each selector."""
    found = dict.fromkeys(SELECTORS, 0.0)
    for split in SPLITS:
        task = protocol.make_task(dataset, split, protocol.MAX_ROWS)
        for name, order_of in SELECTORS.items():
            order = order_of(task.X[task.train], task.y[task.train], task.is_category, split)
            sizes = protocol.sizes_below(task.n_columns)
            right = [task.correct(order[:size], model) for size in sizes for model in protocol.CLASSIFIERS]
            found[name] += float(np.mean(right)) / len(task.test) / len(SPLITS)
    return {name: round(value, 4) for name, value in found.items()}


def summary(results: dict[str, dict[str, float]]) -> str:
    lines = [f"{len(results)} data sets"]
    for other in (PUBLISHED, FILTER):
        leads = np.array([found[DEFAULT] - found[other] for found in results.values()])
        error = leads.std(ddof=1) / np.sqrt(len(leads))
        worst = f"{leads.min():+.4f} ({list(results)[int(leads.argmin())]})"
        lines.append(
            f"ahead of {other} by {leads.mean():+.4f} ± {error:.4f}, median {np.median(leads):+.4f}, "
            f"better on {np.count_nonzero(leads > 0)}, worse on {np.count_nonzero(leads < 0)}, worst {worst}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--most-columns", type=int, default=1000, help="leave out wider ones")
    parser.add_argument("--save", type=Path, help="JSON file to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    data, results = Data(str(options.data), openml=False), {}
    for name in protocol.KIND_OF:
        if name not in protocol.GENERATED and data.missing(name):
            print(name, "is not there")
            continue
        dataset = protocol.load(name, data)
        if dataset.X.shape[1] > options.most_columns:
            continue
        results[name] = measure(dataset)
        print(name, results[name], flush=True)
    print(summary(results))
    if options.save:
        options.save.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

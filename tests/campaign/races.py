"""Fits in threads of the library within threads of the user, for a core that is watched by the thread sanitizer.

    make sanitize-threads

The sanitizer ends the process at the first race. The loops are called by methods of every kind, each on its own
table and all on one table, with several numbers of threads.
"""

import argparse
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import entropick as ep
from entropick.evaluation.forest import ForestClassifier
from entropick.selectors.catalog import METHODS, set_known_params

WATCHED = [
    "MIM", "JMI", "MRMR", "CMIM", "JMIM", "DISR", "NJMIM", "JMI3", "FCBF", "RenyiFS", "BayesianEntropyFS", "NEFS", "SNEFS",
    "ReliefF", "MultiSURF", "KSG", "CFSSubset", "XMIFS", "LaplacianScore", "FSASL", "FisherScore",
]  # fmt: skip
SLOW = ["NEFS", "SNEFS", "KSG", "ReliefF", "MultiSURF", "LaplacianScore", "FSASL"]  # for more rows
FOREST = "forest"  # of comparisons
N_USERS, N_JOBS = 3, 4


def fit(task: tuple[str, int]) -> bytes:
    """A fit whose blocks are small, so that every thread has some."""
    name, seed = task
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (1500, 24)).astype(float)
    X[:, ::3] += rng.normal(size=(1500, 8))
    y = (X[:, 0] + X[:, 1] > 5).astype(int)
    if name in SLOW:
        X, y = X[:300], y[:300]
    if name == FOREST:
        return ForestClassifier(seed).fit(X, y).predict_proba(X).tobytes()
    selector = set_known_params(METHODS[name](n_features=4), random_state=0, n_jobs=N_JOBS)
    return selector.fit(X, y).order_.tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    tasks = [(name, seed) for seed in range(rounds) for name in [*WATCHED, FOREST] for _ in range(2)]
    with ThreadPoolExecutor(N_USERS) as pool:
        results = list(pool.map(fit, tasks))
    assert results[::2] == results[1::2], "the same fit gives something else beside others"
    print(
        f"{len(tasks)} fits of {len(set(tasks)) // rounds} methods with {N_JOBS} threads, {N_USERS} at a time: no race"
    )
    print(ep.__file__)


if __name__ == "__main__":
    main()

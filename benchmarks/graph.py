"""LaplacianScore and the other methods without a target: speed, and ratios to scikit-feature.

    python -m benchmarks.graph           # the goal of LaplacianScore, then ratios
    python -m benchmarks.graph --quick   # fewer repeats, smaller tables for the peer

The peer is the maintained fork of scikit-feature (pip install skfeature-chappers), if it is installed. It
stores dense matrices (rows, rows), so it gets fewer rows.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

import entropick as ep
from benchmarks import report
from benchmarks.timing import OtherWork, time_call

GOAL_ROWS, GOAL_COLUMNS, GOAL = 20_000, 200, 3.0
TOP = 10  # columns whose overlap is shown


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer repeats and smaller tables")
    args = parser.parse_args(arguments)
    repeats = 2 if args.quick else 5
    print(report.machine())
    others = OtherWork()
    show_goal(repeats)
    show_ratios(repeats, 500 if args.quick else 1500)
    print(f"\n{others}")


def clouds(n_rows: int, n_columns: int, seed: int = 0) -> np.ndarray:
    """Six clouds of rows that differ in the first ten columns."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(6, n_columns)) * (np.arange(n_columns) < 10)
    return rng.normal(size=(n_rows, n_columns)) + 2 * centres[rng.integers(0, 6, n_rows)]


def show_goal(repeats: int) -> None:
    """The whole fit of each method at the size of the goal; only LaplacianScore has one."""
    print(f"\n## {GOAL_ROWS:,} x {GOAL_COLUMNS}, whole fit, two threads\n")
    print("method, best s, median s, of the ten true columns\n")
    X = clouds(GOAL_ROWS, GOAL_COLUMNS)
    for selector in (ep.LaplacianScore(TOP), ep.MCFS(TOP), ep.UDFS(TOP), ep.CFS(TOP)):
        selector.set_params(n_jobs=2)
        selector.fit(X[:300])  # imports
        timing, fitted = time_call(lambda chosen=selector: chosen.fit(X), repeats)
        name = type(selector).__name__
        goal = f", goal {GOAL} s" if name == "LaplacianScore" else ""
        found = sum(j < TOP for j in fitted.order_)
        print(f"{name:<15} {timing.best:7.2f} {timing.median:7.2f}   {found} of {TOP}{goal}", flush=True)


def show_ratios(repeats: int, n_rows: int) -> None:
    """The same data for the peer; its graph has the same neighbours and weights where possible."""
    X = clouds(n_rows, 100)
    print(f"\n## {n_rows:,} x 100 against scikit-feature\n")
    print(f"method, our best s, peer's best s, ratio, first {TOP} shared\n")
    for selector, prepare in _pairs(X):
        ours, fitted = time_call(lambda chosen=selector: chosen.fit(X), repeats)
        name = type(selector).__name__
        try:
            peer, order = time_call(prepare(), repeats)
        except ImportError as error:
            print(f"{name:<15} {ours.best:7.3f}   peer missing: {error}")
            continue
        except Exception as error:  # a peer that fails is a result too
            print(f"{name:<15} {ours.best:7.3f}   peer fails: {error!r}")
            continue
        shared = len(set(fitted.order_) & set(np.asarray(order)[:TOP].tolist()))
        print(
            f"{name:<15} {ours.best:7.3f} {peer.best:7.3f} {peer.best / ours.best:7.1f}   {shared} of {TOP}",
            flush=True,
        )


def _pairs(X: np.ndarray) -> list[tuple[Any, Callable[[], Callable[[], Any]]]]:
    """Our selectors without scaling, and functions that prepare the peer."""

    def laplacian() -> Callable[[], Any]:
        from skfeature.function.similarity_based.lap_score import lap_score
        from skfeature.utility.construct_W import construct_W

        options = {
            "metric": "euclidean",
            "neighbor_mode": "knn",
            "weight_mode": "heat_kernel",
            "k": 5,
            "t": 10.0,
        }
        return lambda: lap_score(X, W=construct_W(X, **options), mode="index")

    def mcfs() -> Callable[[], Any]:
        from skfeature.function.sparse_learning_based.MCFS import mcfs

        return lambda: mcfs(X, n_selected_features=TOP, mode="index")

    def udfs() -> Callable[[], Any]:
        from skfeature.function.sparse_learning_based.UDFS import udfs

        return lambda: udfs(X, gamma=1.0, mode="index")

    return [
        (ep.LaplacianScore(TOP, scaling=None), laplacian),
        (ep.MCFS(TOP, scaling=None), mcfs),
        (ep.UDFS(TOP, scaling=None), udfs),
    ]


if __name__ == "__main__":
    main()

"""Whole fits, from the user's table to the fitted selector: processor seconds as JSON.

    python -m benchmarks.endtoend
    python -m benchmarks.endtoend --only W3 "polars, JMI"
    python -m benchmarks.endtoend --only "W1 array, JMI"   # also without the correction for chance
    python -m benchmarks.endtoend --against ../other/src   # ratios to another version of the package
    python -m benchmarks.endtoend --against ../other/src --only slow --rounds 1   # of methods that take long

With `--against` both versions run alternately, each in its own process, and the best time of each counts.
Only the public interface is used, so that versions with other internals can be compared. Processor time of
all threads hardly depends on other load; the first fit, which imports modules, is not timed.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import entropick as ep
from benchmarks import report
from benchmarks.timing import time_call
from benchmarks.workloads import SEED, WORKLOADS

Table = tuple[Any, Any]  # X and y
ROOT = Path(__file__).resolve().parents[1]
METHODS = ("MIM", "MRMR", "JMI", "CMIM")
PICKS = {"W1": 50, "W2": 20, "W3": 50, "W4": 50}
FRAME_SHAPE, FRAME_PICKS = (60, 20_000), 20
NUMBERS_SHAPE = (10_000, 500)
REPEATS = 5


# -- tables ----------------------------------------------------------------------------------


@cache
def workload(name: str) -> Table:
    made = WORKLOADS[name]()
    return made.X, made.y


@cache
def numbers(n_rows: int, n_columns: int) -> Table:
    """Normal columns, of which the first tenth is informative about three classes."""
    rng = np.random.default_rng(SEED)
    X, y = rng.standard_normal((n_rows, n_columns)), rng.integers(0, 3, n_rows)
    X[:, : n_columns // 10] += y[:, None] * np.linspace(1.0, 0.1, n_columns // 10)
    return X, y


def named_columns() -> tuple[dict[str, np.ndarray], np.ndarray]:
    X, y = numbers(*FRAME_SHAPE)
    return {f"gene_{j}": np.ascontiguousarray(column) for j, column in enumerate(X.T)}, y


@cache
def pandas_frame() -> Table:
    import pandas as pd

    X, y = numbers(*FRAME_SHAPE)
    return pd.DataFrame(X, columns=[f"gene_{j}" for j in range(X.shape[1])]), y


@cache
def polars_frame() -> Table:
    import polars as pl

    columns, y = named_columns()
    return pl.DataFrame(columns), y


@cache
def arrow_table() -> Table:
    import pyarrow as pa

    columns, y = named_columns()
    return pa.table(columns), y


FRAMES = {"pandas": pandas_frame, "polars": polars_frame, "pyarrow": arrow_table}


def cases() -> Iterator[tuple[str, Callable[[], Table], Any]]:
    """Title, table and selector."""
    for name, picks in PICKS.items():
        for method in METHODS:
            make = partial(workload, name)
            yield f"{name} array, {method}", make, getattr(ep, method)(picks)
            if "correction" in getattr(ep, method)().get_params():  # not in old versions
                plain = getattr(ep, method)(picks, correction=None)
                yield f"{name} array, {method} without correction", make, plain
    for library, make_frame in FRAMES.items():
        for method in METHODS:
            yield f"60 x 20,000 {library}, {method}", make_frame, getattr(ep, method)(FRAME_PICKS)
    yield "10,000 x 1,000 array, JMI auto", partial(numbers, 10_000, 1_000), ep.JMI("auto", random_state=0)
    yield "10,000 x 500 array, FisherScore", partial(numbers, *NUMBERS_SHAPE), ep.FisherScore(50)
    yield from slow_ones()


class Compared:
    """`compare` as if it were a selector."""

    order_ = ()  # which it does not have

    def fit(self, X: Any, y: Any) -> "Compared":
        ep.compare(X, y, n_jobs=1)
        return self


def slow_ones() -> Iterator[tuple[str, Callable[[], Table], Any]]:
    """Methods that people wait for, in one thread."""
    some, wide = partial(numbers, 500, 100), partial(numbers, 300, 1_500)
    for method in ("LLCFS", "FSASL", "BayesianEntropyFS", "CrossEntropyFS"):
        options = {"random_state": 0} if "random_state" in getattr(ep, method)().get_params() else {}
        yield f"slow, 500 x 100, {method}", some, getattr(ep, method)(10, n_jobs=1, **options)
    for method in ("UFSOL", "L1SVM"):
        yield f"slow, 300 x 1,500, {method}", wide, getattr(ep, method)(10, n_jobs=1)
    yield "slow, 500 x 30, compare", partial(numbers, 500, 30), Compared()


# -- one version -----------------------------------------------------------------------------


def measure(only: list[str]) -> dict[str, Any]:
    """Processor seconds and selected columns of each case whose title contains one of some texts."""
    found: dict[str, Any] = {}
    for title, make, selector in cases():
        if not any(text in title for text in only):
            continue
        try:
            X, y = make()
        except ImportError as error:
            print(f"{title}: left out, {error}", file=sys.stderr)
            continue
        found[title] = time_fit(partial(selector.fit, X, y))
        print(f"done: {title}", file=sys.stderr, flush=True)
    return found


def time_fit(fit: Callable[[], Any]) -> dict[str, Any]:
    """The best processor time of some fits, and what was selected."""
    fit()
    timing, fitted = time_call(fit, REPEATS, process_time)
    return {"seconds": timing.best, "selected": [int(j) for j in fitted.order_]}


# -- two versions ----------------------------------------------------------------------------


def compare(own: Path, other: Path, rounds: int, only: list[str]) -> None:
    """Run both versions alternately and print the best times and their ratios."""
    best: dict[Path, dict[str, Any]] = {other: {}, own: {}}
    for _ in range(rounds):
        for source, so_far in best.items():
            for title, result in run_with(source, only).items():
                known = so_far.setdefault(title, result)
                known["seconds"] = min(known["seconds"], result["seconds"])
    titles = [title for title in best[own] if title in best[other]]
    rows = [row(title, best[other][title], best[own][title]) for title in titles]
    print(report.markdown_table(["fit", "other s", "this s", "times faster", "same columns"], rows))
    logs = [math.log(best[other][title]["seconds"] / best[own][title]["seconds"]) for title in titles]
    print(f"\ntimes faster, geometric mean of {len(titles)} fits: {math.exp(sum(logs) / len(logs)):.2f}")


def row(title: str, other: dict[str, Any], own: dict[str, Any]) -> list[str]:
    same = "yes" if other["selected"] == own["selected"] else "NO"
    seconds = [report.seconds(result["seconds"]) for result in (other, own)]
    return [title, *seconds, f"{other['seconds'] / own['seconds']:.2f}", same]


def run_with(source: Path, only: list[str]) -> dict[str, Any]:
    """The measurements of this program with the package of another source tree."""
    environment = os.environ | {"PYTHONPATH": f"{source}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "benchmarks.endtoend", "--only", *only]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    measured = json.loads(done.stdout)
    if Path(measured["package"]) != source:
        raise RuntimeError(
            f"The package of {source} was to be timed, but {measured['package']} was imported."
        )
    return dict(measured["fits"])


def package_source() -> Path:
    """The source tree of the package that is imported here."""
    return Path(ep.__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="TEXT", help="fits whose title has one of these"
    )
    parser.add_argument("--against", type=Path, metavar="SRC", help="source tree of the other version")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each version (default: 3)")
    args = parser.parse_args(arguments)
    if args.against is None:
        print(json.dumps({"package": str(package_source()), "fits": measure(args.only)}, indent=1))
    elif not (args.against / "entropick").is_dir():
        parser.error(f"{args.against} must be a folder with the package entropick in it")
    else:
        compare(package_source(), args.against.resolve(), args.rounds, args.only)


if __name__ == "__main__":
    main()

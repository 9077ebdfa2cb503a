"""Whole fits of entropick beside those of other libraries on the same tables, in one process and one thread.

    pip install mrmrs fastcan fast-select skrebate mrmr_selection
    python -m benchmarks.beside
    python -m benchmarks.beside --only "floats, real target" --against ../before/src
    python -m benchmarks.beside --task "F statistic" --against ../before/src

Processor seconds, the best of three fits, of 40 if they are short, after one on some of the rows; each
library gets the table in the form it likes best before the clock starts. `--against` also times another
source tree of the package.
"""

import os

for name in ("OMP", "OPENBLAS", "MKL", "RAYON", "NUMBA"):
    os.environ.setdefault(f"{name}_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import argparse  # noqa: E402
import json  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import warnings  # noqa: E402
from collections.abc import Callable, Iterator  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from functools import partial  # noqa: E402
from pathlib import Path  # noqa: E402
from time import process_time  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
import scipy.sparse  # noqa: E402

import entropick as ep  # noqa: E402
from benchmarks import report  # noqa: E402
from benchmarks.timing import time_call  # noqa: E402
from benchmarks.workloads import SEED, discrete, sparse_words  # noqa: E402

Fit = Callable[[], Any]
Prepare = Callable[[Any, np.ndarray, int], Fit]  # table, target, picks -> what is timed
SHORT = 0.02  # seconds; such fits are mostly Python, whose time differs much from one to the next
WARM_ROWS, WARM_COLUMNS, WARM_PICKS = 200, 30, 3


@dataclass(frozen=True)
class Cell:
    """One line of the table: a task, entropick's selector for it and the peer's."""

    table: str
    task: str
    X: Any
    y: np.ndarray
    picks: int
    ours: Prepare
    peer: str
    theirs: Prepare


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="TABLE", help="tables whose names begin like this")
    parser.add_argument("--task", default="", metavar="TASK", help="tasks whose names begin like this")
    parser.add_argument("--against", type=Path, metavar="SRC", help="another source tree, timed as well")
    parser.add_argument("--alone", action="store_true", help="time entropick alone and print JSON")
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    chosen = tuple(args.only or [""])
    cells = [
        cell for cell in all_cells() if cell.table.startswith(chosen) and cell.task.startswith(args.task)
    ]
    if args.alone:
        print(json.dumps({key_of(cell): best(cell.ours, cell) for cell in cells}))
        return
    before = times_of(args.against, args.only, args.task) if args.against else {}
    print(report.machine())
    header = [
        "table",
        "task",
        "entropick s",
        *(["before s"] if before else []),
        "peer",
        "peer s",
        "peer / entropick",
    ]
    print("| " + " | ".join(header) + " |", "|---" * len(header) + "|", sep="\n", flush=True)
    known: dict[str, float | None] = {}
    for cell in cells:
        if key_of(cell) not in known:
            known[key_of(cell)] = best(cell.ours, cell)
        own, other = known[key_of(cell)], best(cell.theirs, cell)
        earlier = [report.seconds(before[key_of(cell)])] if before else []
        seconds = "not installed" if other is None else report.seconds(other)
        ratio = "" if other is None or own is None else f"{other / own:.1f}"
        row = [cell.table, cell.task, report.seconds(own or 0.0), *earlier, cell.peer, seconds, ratio]
        print("| " + " | ".join(row) + " |", flush=True)  # some take minutes


def key_of(cell: Cell) -> str:
    return f"{cell.table}: {cell.task}"


def best(prepare: Prepare, cell: Cell) -> float | None:
    """The best processor time of a fit; None if the library is missing."""
    rows, columns = slice(WARM_ROWS), slice(WARM_COLUMNS)
    try:
        prepare(cell.X[rows][:, columns], cell.y[rows], WARM_PICKS)()
    except ImportError:
        return None
    fit = prepare(cell.X, cell.y, cell.picks)
    found = time_call(fit, 3, process_time)[0].best
    return found if found > SHORT else time_call(fit, 40, process_time)[0].best


def times_of(source: Path, only: list[str] | None, task: str) -> dict[str, float]:
    """The times of another source tree of the package."""
    command = [sys.executable, "-m", "benchmarks.beside", "--alone", "--task", task]
    command += ["--only", *only] if only else []
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(run.stdout)
    return found


# -- tables --------------------------------------------------------------------------------------


def floats(n_rows: int, n_columns: int, is_real: bool) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns, 20 of which tell something of the target."""
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((n_rows, n_columns))
    wanted = X[:, :20] @ rng.standard_normal(20) + rng.standard_normal(n_rows)
    return X, wanted if is_real else np.digitize(wanted, np.quantile(wanted, [1 / 3, 2 / 3]))


def words(n_rows: int, n_columns: int) -> tuple[Any, np.ndarray]:
    X, y = sparse_words(n_rows, n_columns, 0.014)
    return scipy.sparse.csr_array(X.astype(np.float64)), y


def all_cells() -> Iterator[Cell]:
    for n_rows, n_columns in ((1_000, 100), (10_000, 1_000)):
        yield from of_numbers(f"{n_rows:,} x {n_columns:,}", n_rows, n_columns, 50)
    yield from of_integers("2,000 x 100", discrete(2_000, 100, 5, 3, 20), 20)
    yield from of_integers("10,000 x 500", discrete(10_000, 500, 5, 3, 50), 50)
    for n_rows, n_columns in ((2_000, 1_000), (2_000, 5_000)):
        X, y = words(n_rows, n_columns)
        table = f"sparse, {n_rows:,} x {n_columns:,}"
        yield Cell(table, "I(f;y)", X, y, 50, selector(ep.MIM), "scikit-learn mutual_info_classif", counted)
        yield from f_statistics(table, X, y)
    for n_columns in (2_000, 20_000):
        yield from correlations(f"wide, 100 x {n_columns:,}", *floats(100, n_columns, True), "regression")


def of_numbers(size: str, n_rows: int, n_columns: int, picks: int) -> Iterator[Cell]:
    X, y = floats(n_rows, n_columns, True)
    table = f"floats, real target, {size}"
    yield from correlations(table, X, y, "regression")
    neighbours = "I(f;y) from neighbours"
    few = slice(100)
    yield Cell(
        table, neighbours, X[:, few], y, 50, selector(ep.KSG), "scikit-learn mutual_info_regression", nearest
    )
    X, y = floats(n_rows, n_columns, False)
    table = f"floats, 3 classes, {size}"
    yield from correlations(table, X, y, "classification")
    yield Cell(
        table, neighbours, X[:, few], y, 50, selector(ep.KSG), "scikit-learn mutual_info_classif", nearest
    )
    yield from f_statistics(table, X, y)
    some, columns = slice(2_000), slice(200)
    near = X[some, columns], y[some]
    relief = partial(Cell, table, "ReliefF, at most 2,000 x 200", *near, 50, selector(ep.ReliefF))
    yield relief("fast-select", fast_select_relief)
    yield relief("skrebate", skrebate_relief)


def correlations(table: str, X: np.ndarray, y: np.ndarray, kind: str) -> Iterator[Cell]:
    """Relevance and redundancy by correlations: the criteria differ, the work is the same."""
    picks = 50
    task = f"{picks} picks by correlations"
    ours = framed(ep.Gaussian)
    yield Cell(table, task, X, y, picks, ours, "mrmrs", partial(mrmrs, kind))
    yield Cell(table, task, X, y, picks, ours, "fastcan", fastcan)
    if X.shape[1] <= 2_000:
        yield Cell(table, task, X, y, picks, ours, "mrmr_selection", partial(mrmr_selection, kind))


def f_statistics(table: str, X: Any, y: np.ndarray) -> Iterator[Cell]:
    """Beside the function alone, and beside the selector, which ranks the columns as well."""
    cell = partial(Cell, table, "F statistic", X, y, 50, selector(ep.FisherScore))
    yield cell("scikit-learn f_classif", f_statistic)
    yield cell("scikit-learn SelectKBest", best_by_f)


def of_integers(size: str, table: tuple[np.ndarray, np.ndarray], picks: int) -> Iterator[Cell]:
    X, y = table
    name = f"integers of 5 levels, {size}"
    yield Cell(name, "mRMR", X, y, picks, selector(ep.MRMR), "fast-select", fast_select_mrmr)
    yield Cell(name, "I(f;y)", X, y, picks, selector(ep.MIM), "scikit-learn mutual_info_classif", counted)


# -- fits ----------------------------------------------------------------------------------------


def selector(kind: type[Any]) -> Prepare:
    return lambda X, y, picks: lambda: kind(n_features=min(picks, X.shape[1]), n_jobs=1).fit(X, y)


def framed(kind: type[Any]) -> Prepare:
    """A fit of a polars dataframe, which mrmrs takes."""

    def prepare(X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
        import polars as pl

        frame = pl.DataFrame(X)
        return lambda: kind(n_features=picks, n_jobs=1).fit(frame, y)

    return prepare


def mrmrs(kind: str, X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    import polars as pl
    from mrmrs import mrmr

    frame, target = pl.DataFrame(X), pl.Series("y", y)
    return lambda: mrmr(frame, target, picks, kind)


def fastcan(X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    from fastcan import FastCan

    wanted = y if y.dtype.kind == "f" else np.eye(3)[y][:, :2]
    return lambda: FastCan(min(picks, len(X) // 2), verbose=0).fit(X, wanted)


def mrmr_selection(kind: str, X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    import pandas as pd
    from mrmr import mrmr_classif, mrmr_regression

    frame, target = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]), pd.Series(y)
    select = mrmr_regression if kind == "regression" else mrmr_classif
    return lambda: select(X=frame, y=target, K=picks, n_jobs=1, show_progress=False)


def nearest(X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

    estimate = mutual_info_regression if y.dtype.kind == "f" else mutual_info_classif
    return lambda: estimate(X, y, random_state=0)


def counted(X: Any, y: np.ndarray, picks: int) -> Fit:
    from sklearn.feature_selection import mutual_info_classif

    return lambda: mutual_info_classif(X, y, discrete_features=True)


def f_statistic(X: Any, y: np.ndarray, picks: int) -> Fit:
    from sklearn.feature_selection import f_classif

    return lambda: f_classif(X, y)


def best_by_f(X: Any, y: np.ndarray, picks: int) -> Fit:
    from sklearn.feature_selection import SelectKBest

    return lambda: SelectKBest(k=min(picks, X.shape[1])).fit(X, y)


def fast_select_relief(X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    from fast_select import ReliefF

    return lambda: ReliefF(n_features_to_select=picks, n_neighbors=10, backend="cpu", n_jobs=1).fit(X, y)


def skrebate_relief(X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    from skrebate import ReliefF

    return lambda: ReliefF(n_features_to_select=picks, n_neighbors=10, n_jobs=1).fit(X, y)


def fast_select_mrmr(X: np.ndarray, y: np.ndarray, picks: int) -> Fit:
    from fast_select.mRMR import mRMR

    return lambda: mRMR(picks, method="MID", backend="cpu").fit(X, y)


if __name__ == "__main__":
    main()

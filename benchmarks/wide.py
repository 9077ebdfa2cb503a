"""Scaling with the number of columns, from the user's table to the selected columns.

    python -m benchmarks.wide
    python -m benchmarks.wide --columns 5000 20000

Processor seconds of a fit of MIM on an array and on dataframes, and of the program on files, less those to
start the program. Linear growth shows as a constant time per column. The last columns are the time of the cut
`fdr` on the array in times that of MIM in the same run: with two classes of about the same size, with a class
of 20 %, for which χ² is not right, and with that class and counts, whose levels differ in size by column.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import polars as pl

import entropick as ep
from benchmarks import report
from benchmarks.timing import time_call

ROWS, PICKS, REPEATS = 100, 5, 3
COLUMNS = (5_000, 20_000, 50_000, 100_000)
ENTROPICK = (sys.executable, "-m", "entropick.cli")


def containers(frame: pl.DataFrame) -> dict[str, Any]:
    return {
        "array": frame.to_numpy(),
        "pandas": frame.to_pandas(),
        "polars": frame,
        "pyarrow": frame.to_arrow(),
    }


def make_table(n_columns: int) -> tuple[pl.DataFrame, np.ndarray]:
    """Normal columns, of which ten are informative about two classes."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((ROWS, n_columns)), rng.integers(0, 2, ROWS)
    X[:, :10] += y[:, None]
    return pl.DataFrame(X, schema=[f"gene_{j}" for j in range(n_columns)]), y


def fit_seconds(fit: Callable[[], Any]) -> float:
    fit()  # imports what is needed
    return time_call(fit, REPEATS, process_time)[0].best


def times_of_fdr(X: np.ndarray, y: np.ndarray) -> list[float]:
    rng, rare = np.random.default_rng(1), np.arange(ROWS) < ROWS // 5
    counts = rng.poisson(rng.uniform(0.3, 2, X.shape[1]), X.shape)
    found = []
    for table, target in ((X, y), (X, rare), (counts, rare)):
        methods = (ep.MIM("fdr"), ep.MIM(PICKS))
        by_fdr, by_number = (fit_seconds(lambda m=m, X=table, y=target: m.fit(X, y)) for m in methods)
        found.append(by_fdr / by_number)
    return found


def program_seconds(*arguments: str) -> float:
    times = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*ENTROPICK, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def measure(n_columns: int, start: float, folder: Path) -> list[float]:
    frame, y = make_table(n_columns)
    found = [fit_seconds(lambda X=X: ep.MIM(PICKS).fit(X, y)) for X in containers(frame).values()]
    array = frame.to_numpy()
    by_fdr = times_of_fdr(array, y)
    table = frame.with_columns(pl.Series("y", y))
    for suffix, write in {".parquet": table.write_parquet, ".csv": table.write_csv}.items():
        path = folder / f"table{suffix}"
        write(path)
        found.append(program_seconds("select", str(path), "--target", "y", "-n", str(PICKS)) - start)
    return [*found, *by_fdr]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--columns", type=int, nargs="+", default=COLUMNS, metavar="N")
    args = parser.parse_args(arguments)
    start = program_seconds("select", "wine", "-n", str(PICKS))
    titles = ["array", "pandas", "polars", "pyarrow", "program, Parquet", "program, CSV"]
    titles += [f"fdr / MIM, {kind}" for kind in ("half", "a class of 20 %", "counts")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for n_columns in args.columns:
            found = measure(n_columns, start, Path(folder))
            times = (f"{s:.2f} ({s / n_columns * 1e6:.1f})" for s in found[:-3])
            rows.append([f"{n_columns:,}", *times, *(f"{ratio:.2f}" for ratio in found[-3:])])
    print(f"{ROWS} rows: processor seconds, in brackets microseconds per column")
    print(report.markdown_table(["columns", *titles], rows))


if __name__ == "__main__":
    main()

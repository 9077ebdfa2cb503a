"""What describing a selection costs beside computing it: `entropick select --report`, 20,000 x 200.

    python -m benchmarks.description [ROWS COLUMNS]

A Parquet file is read and ten columns are selected, as the program does it. Describing is what the document
adds to the fit: leaks, profiles, stand-ins and the redundancy map. Rendering the page depends on the number
of columns shown, not on the table. Times are medians of some runs in one process, after a first one.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from click.testing import CliRunner

from entropick import report
from entropick.cli import commands
from entropick.cli.program import program

REPEATS = 7
GOAL = 0.5  # describing over computing


def main(n_rows: int = 20_000, n_columns: int = 200) -> None:
    """Print the seconds of each step, and the ratio."""
    clock = Clock()
    commands.fit_keeping_table = clock.timed("computing", commands.fit_keeping_table)
    commands.Described.by_fit = clock.timed("describing", commands.Described.by_fit)
    commands.leaks = clock.timed("describing", commands.leaks)
    commands.make_document = clock.timed("describing", commands.make_document)
    report.render = clock.timed("rendering", report.render)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        make_table(n_rows, n_columns).write_parquet(path)
        arguments = ["select", path, "-t", "y", "-n", 10, "--report", Path(folder) / "report.html"]
        runs = []
        for _ in range(REPEATS + 1):
            clock.seconds = dict.fromkeys(clock.seconds, 0.0)
            result = CliRunner().invoke(program, list(map(str, arguments)))
            assert result.exit_code == 0, result.output
            runs.append(clock.seconds)
    for name in clock.seconds:
        print(f"{name}: {statistics.median(run[name] for run in runs[1:]):.3f} s")
    ratio = statistics.median(run["describing"] / run["computing"] for run in runs[1:])
    print(f"describing / computing: {ratio:.2f}, goal < {GOAL}")


class Clock:
    """Adds up the seconds spent in functions, by a name for each."""

    def __init__(self) -> None:
        self.seconds = {"computing": 0.0, "describing": 0.0, "rendering": 0.0}

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*given, **options)
            finally:
                self.seconds[name] += time.perf_counter() - start

        return call


def make_table(n_rows: int, n_columns: int) -> pl.DataFrame:
    """Normal columns, the first five of which say whether a noisy sum is above 0."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_columns))
    y = X[:, :5].sum(axis=1) + rng.standard_normal(n_rows) > 0
    return pl.DataFrame(X, schema=[f"x{j}" for j in range(n_columns)]).with_columns(y=y.astype(int))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""Scaling with rows, columns and picks; then start-up and memory (`benchmarks.footprint`).

    python -m benchmarks.scaling

Processor time. Linear growth shows as a constant time per row, per column or per pick, and an exponent of 1.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from benchmarks import report
from benchmarks.encoded import encoded, select
from benchmarks.rate import Rates, measure_rates
from benchmarks.timing import OtherWork, time_call
from benchmarks.workloads import discrete, sparse_words
from entropick.measures import JMI, MRMR, Measure, Renyi
from entropick.table import Codes

REPEATS = 5
PICKS = 10
ROWS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
COLUMNS = (100, 300, 1_000, 3_000, 10_000)
PICKED = (5, 15, 50, 150, 500)


@dataclass(frozen=True)
class Line:
    """One thing whose growth is shown: a measure on its tables.

    Attributes
    ----------
    name : for people
    measure : what is grown
    make : (rows, columns) -> encoded table
    """

    name: str
    measure: Measure
    make: Callable[[int, int], Codes]


def five_levels(n_rows: int, n_columns: int) -> Codes:
    return encoded(*discrete(n_rows, n_columns, 5, 3, 20))


def two_levels(n_rows: int, n_columns: int) -> Codes:
    """Binary columns, ten of which do not yet distinguish all rows."""
    return encoded(*discrete(n_rows, n_columns, 2, 2, 20))


def words(n_rows: int, n_columns: int) -> Codes:
    """Sparse binary columns, hundreds of which do not yet distinguish all rows."""
    return encoded(*sparse_words(n_rows, n_columns, 0.014))


PAIRWISE = (Line("JMI", JMI(), five_levels), Line("MRMR", MRMR(), five_levels))
RENYI = Renyi(alpha=np.inf)
LINES = (*PAIRWISE, Line("Rényi alpha=inf (binary)", RENYI, two_levels))
PICK_LINES = (*PAIRWISE, Line("Rényi alpha=inf (sparse binary)", RENYI, words))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave the two largest sizes out")
    parser.add_argument("--jobs", type=int, default=2, help="threads (default: 2)")
    args = parser.parse_args(arguments)
    end = -2 if args.quick else None
    rates = measure_rates(args.jobs)
    print(report.machine(), rates, sep="\n")
    others = OtherWork()

    print(f"\n## Rows: 100 columns, {PICKS} picks\n", flush=True)
    show_growth("rows", ROWS[:end], LINES, lambda n: (n, 100, PICKS), rates)
    print(f"\n## Columns: 10,000 rows, {PICKS} picks\n", flush=True)
    show_growth("columns", COLUMNS[:end], LINES, lambda n: (10_000, n, PICKS), rates)
    print("\n## Picks: 10,000 rows, 1,000 columns\n", flush=True)
    show_growth("picks", PICKED[:end], PICK_LINES, lambda n: (10_000, 1_000, n), rates)
    print(f"\n{others}", flush=True)
    subprocess.run(
        [sys.executable, "-m", "benchmarks.footprint"], check=True
    )  # why not here: see its docstring


def show_growth(
    unit: str,
    sizes: Sequence[int],
    lines: Sequence[Line],
    shape: Callable[[int], tuple[int, int, int]],
    rates: Rates,
) -> None:
    """Print times, times per unit, multiples of the time of the plain counting loop, and fitted exponents.

    `shape` gives the rows, columns and picks of a size.
    """
    header = [unit]
    for line in lines:
        header += [f"{line.name} s", f"µs per {unit[:-1]}", "x counting"]
    rows, all_times = [], []
    for size in sizes:
        n_rows, n_columns, picks = shape(size)
        naive_seconds = n_rows * n_columns * (picks - 1) / rates.counts_threaded
        cells = [f"{size:,}"]
        all_times.append([best_time(line, n_rows, n_columns, picks, rates.n_threads) for line in lines])
        for best in all_times[-1]:
            cells += [report.seconds(best), short(best / size * 1e6), f"{best / naive_seconds:.2f}"]
        rows.append(cells)
    exponents = [np.polyfit(np.log(sizes), np.log(times), 1)[0] for times in zip(*all_times, strict=True)]
    rows.append(["exponent", *(cell for exponent in exponents for cell in (f"{exponent:.2f}", "", ""))])
    print(report.markdown_table(header, rows), flush=True)


def short(value: float) -> str:
    """A number with about three digits."""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def best_time(line: Line, n_rows: int, n_columns: int, picks: int, jobs: int) -> float:
    """Best processor time of a selection from an encoded table."""
    call: Callable[[], Any] = partial(select, line.make(n_rows, n_columns), line.measure, picks, jobs)
    call()
    return time_call(call, REPEATS, process_time)[0].best


if __name__ == "__main__":
    main()

"""Scaling with rows, columns and picks; then start-up and memory (`benchmarks.footprint`).

    python -m benchmarks.scaling --jobs 1

Processor time of selections from encoded tables, and of whole fits of numbers (`Gaussian`, `FisherScore`).
Linear growth shows as a constant time per row, per column or per pick, and an exponent of 1.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from time import process_time
from typing import Any

import numpy as np

import entropick as ep
from benchmarks import report
from benchmarks.encoded import encoded, select
from benchmarks.timing import OtherWork, time_call
from benchmarks.workloads import SEED, discrete, sparse_words
from entropick.measures import CMIM, JMI, MIM, MRMR, Measure, Renyi
from entropick.table import Codes

REPEATS = 5
PICKS = 10
ROWS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
COLUMNS = (100, 300, 1_000, 3_000, 10_000)
PICKED = (5, 15, 50, 150, 500)


Call = Callable[[], Any]
Table = tuple[Any, np.ndarray]


@dataclass(frozen=True)
class Line:
    """One thing whose growth is shown: what is timed, and its tables.

    Attributes
    ----------
    name : for people
    make : (rows, columns) -> what is kept between calls
    prepare : (that, picks, threads) -> what is timed
    """

    name: str
    make: Callable[[int, int], Any]
    prepare: Callable[[Any, int, int], Call]


@lru_cache(maxsize=1)
def five_levels(n_rows: int, n_columns: int) -> Codes:
    return encoded(*discrete(n_rows, n_columns, 5, 3, 20))


@lru_cache(maxsize=1)
def two_levels(n_rows: int, n_columns: int) -> Codes:
    """Binary columns, ten of which do not yet distinguish all rows."""
    return encoded(*discrete(n_rows, n_columns, 2, 2, 20))


@lru_cache(maxsize=1)
def words(n_rows: int, n_columns: int) -> Codes:
    """Sparse binary columns, hundreds of which do not yet distinguish all rows."""
    return encoded(*sparse_words(n_rows, n_columns, 0.014))


@lru_cache(maxsize=1)
def numbers(n_rows: int, n_columns: int) -> Table:
    """Normal columns, stored by column, twenty of which tell something of two classes."""
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((n_columns, n_rows)).T
    return X, X[:, :20] @ rng.standard_normal(20) + rng.standard_normal(n_rows) > 0


def counts(name: str, measure: Measure, make: Callable[[int, int], Codes] = five_levels) -> Line:
    return Line(name, make, lambda codes, picks, jobs: partial(select, codes, measure, picks, jobs))


def fit(kind: type[Any]) -> Line:
    """A whole fit of numbers, with all its checks."""
    return Line(
        kind.__name__,
        numbers,
        lambda table, picks, jobs: lambda: kind(n_features=picks, n_jobs=jobs).fit(*table),
    )


RENYI = Renyi(alpha=np.inf)
BY_COUNTS = (counts("JMI", JMI()), counts("MRMR", MRMR()), counts("CMIM", CMIM()), counts("MIM", MIM()))
BY_NUMBERS = (fit(ep.Gaussian), fit(ep.FisherScore))
LINES = (*BY_COUNTS, counts("Rényi alpha=inf (binary)", RENYI, two_levels), *BY_NUMBERS)
PICK_LINES = (*BY_COUNTS, counts("Rényi alpha=inf (sparse binary)", RENYI, words), *BY_NUMBERS)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave the two largest sizes out")
    parser.add_argument("--jobs", type=int, default=2, help="threads (default: 2)")
    args = parser.parse_args(arguments)
    end = -2 if args.quick else None
    print(report.machine())
    others = OtherWork()

    print(f"\n## Rows: 100 columns, {PICKS} picks\n", flush=True)
    show_growth("rows", ROWS[:end], LINES, lambda n: (n, 100, PICKS), args.jobs)
    print(f"\n## Columns: 10,000 rows, {PICKS} picks\n", flush=True)
    show_growth("columns", COLUMNS[:end], LINES, lambda n: (10_000, n, PICKS), args.jobs)
    print("\n## Picks: 10,000 rows, 1,000 columns\n", flush=True)
    show_growth("picks", PICKED[:end], PICK_LINES, lambda n: (10_000, 1_000, n), args.jobs)
    print(f"\n{others}", flush=True)
    subprocess.run(
        [sys.executable, "-m", "benchmarks.footprint"], check=True
    )  # why not here: see its docstring


def show_growth(
    unit: str,
    sizes: Sequence[int],
    lines: Sequence[Line],
    shape: Callable[[int], tuple[int, int, int]],
    jobs: int,
) -> None:
    """Print times, times per unit, and fitted exponents.

    `shape` gives the rows, columns and picks of a size.
    """
    header = [unit]
    for line in lines:
        header += [f"{line.name} s", f"µs per {unit[:-1]}"]
    rows, all_times = [[f"{size:,}"] for size in sizes], []
    for line in lines:
        times = [best_time(line, *shape(size), jobs) for size in sizes]
        all_times.append(times)
        for row, size, best in zip(rows, sizes, times, strict=True):
            row += [report.seconds(best), short(best / size * 1e6)]
    for name, first in (("exponent", 0), ("of the last decade", -3)):
        some = np.log(sizes[first:])
        slopes = [np.polyfit(some, np.log(times[first:]), 1)[0] for times in all_times]
        rows.append([name, *(cell for slope in slopes for cell in (f"{slope:.2f}", ""))])
    print(report.markdown_table(header, rows), flush=True)


def short(value: float) -> str:
    """A number with about three digits."""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def best_time(line: Line, n_rows: int, n_columns: int, picks: int, jobs: int) -> float:
    """Best processor time of a selection."""
    call = line.prepare(line.make(n_rows, n_columns), picks, jobs)
    call()
    return time_call(call, REPEATS, process_time)[0].best


if __name__ == "__main__":
    main()

"""Time and peak memory of the program on large files: `python -m benchmarks.large`.

A CSV file of 500,000 x 50 and a Parquet file of 10,000,000 x 50 are written to the directory for temporary
files, and `entropick select` selects 20 columns of each by JMI. A process that only imports what the program
imports is measured as well: the difference is the cost of the table itself.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from entropick.cli import MEMORY_OF_POLARS

IMPORTS = "import entropick.cli.commands, entropick._core"
N_NUMBERS, N_COUNTS = 40, 10
BATCH = 250_000  # rows


def batches(n_rows: int) -> Iterator[pl.DataFrame]:
    """A class, 40 columns of numbers, half of them informative, and 10 uninformative columns of counts."""
    rng = np.random.default_rng(0)
    for first in range(0, n_rows, BATCH):
        n = min(BATCH, n_rows - first)
        y = rng.integers(0, 2, n)
        shifts = [0.02 * j if j < N_NUMBERS // 2 else 0.0 for j in range(N_NUMBERS)]
        data = {f"x{j}": (rng.normal(size=n) + y * shift).round(3) for j, shift in enumerate(shifts)}
        data |= {f"k{j}": rng.integers(0, 50, n) for j in range(N_COUNTS)}
        yield pl.DataFrame(data | {"y": y})


def make_csv(path: Path, n_rows: int) -> None:
    """Write the table as CSV."""
    with path.open("wb") as file:
        for i, batch in enumerate(batches(n_rows)):
            batch.write_csv(file, include_header=i == 0)


def make_parquet(path: Path, n_rows: int) -> None:
    """Write the table as Parquet in batches, so that it is never all in memory."""
    with tempfile.TemporaryDirectory(dir=path.parent) as parts:
        for i, batch in enumerate(batches(n_rows)):
            batch.write_parquet(Path(parts) / f"{i:05}.parquet")
        pl.scan_parquet(Path(parts) / "*.parquet").sink_parquet(path)


def measure(command: list[str]) -> tuple[float, float]:
    """Seconds and peak resident memory (MB) of a process."""
    environment = {name: value for name, value in os.environ.items() if name != MEMORY_OF_POLARS[0]}
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,  # polars, imported here, set its memory for all that follows
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command} ended with {status}.")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def report(name: str, path: Path, imports: tuple[float, float]) -> None:
    """Select and print a line."""
    command = [sys.executable, "-m", "entropick.cli", "select", str(path), "-t", "y", "-n", "20", "-q"]
    measure(command)  # brings the file into the system's cache
    seconds, peak = measure(command)
    size, own = path.stat().st_size / 1e6, peak - imports[1]
    print(
        f"{name:<32} file {size:7.0f} MB   {seconds:6.1f} s, {seconds - imports[0]:6.1f} over imports   "
        f"peak {peak:6.0f} MB, {own:6.0f} over imports ({own / size:.2f} x the file)"
    )


def main() -> None:
    """Make the files, measure, remove them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--csv-rows", type=int, default=500_000)
    parser.add_argument("--parquet-rows", type=int, default=10_000_000)
    rows = parser.parse_args()
    measure([sys.executable, "-c", IMPORTS])
    imports = measure([sys.executable, "-c", IMPORTS])
    print(f"imports alone: {imports[0]:.1f} s, {imports[1]:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        csv, parquet = Path(folder) / "large.csv", Path(folder) / "large.parquet"
        make_csv(csv, rows.csv_rows)
        report(f"CSV, {rows.csv_rows:,} x 50", csv, imports)
        csv.unlink()
        make_parquet(parquet, rows.parquet_rows)
        report(f"Parquet, {rows.parquet_rows:,} x 50", parquet, imports)


if __name__ == "__main__":
    main()

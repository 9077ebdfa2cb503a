"""Tables as large as the largest that are reported elsewhere: time and memory of whole fits.

    python -m benchmarks.records sparse   # mRMR, 200 of 4,272,227 sparse columns (E2006-log1p)
    python -m benchmarks.records floats   # Gaussian, 100 of 2,000 columns x 400,000 rows (epsilon)
    python -m benchmarks.records parquet  # JMI, 30 of 631 columns x 3,200,000 rows from Parquet (ECBDL14)

`--share 0.1` makes a tenth of the columns (of the rows for `floats` and `parquet`). The data are random and
not kept.
"""

import argparse
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import scipy.sparse

import entropick as ep
from benchmarks import report
from benchmarks.workloads import SEED

PER_COLUMN = 22.5  # stored values of a sparse column, as in E2006-log1p
COLUMNS_AT_ONCE = 100_000
ROWS_AT_ONCE = 100_000


def sparse(share: float) -> tuple[Any, np.ndarray]:
    """Few common columns, many rare ones; the target depends on some of the more common ones."""
    rng = np.random.default_rng(SEED)
    n_rows, n_columns = 16_087, round(4_272_227 * share)
    sizes = rng.lognormal(sigma=1.5, size=n_columns)
    sizes = np.clip(sizes * PER_COLUMN / sizes.mean(), 1, n_rows // 2).astype(np.int64)
    rows, starts = [], [np.zeros(1, np.int64)]
    for first in range(0, n_columns, COLUMNS_AT_ONCE):
        some = sizes[first : first + COLUMNS_AT_ONCE]
        column = np.repeat(np.arange(len(some)), some)
        stored = np.unique(column * n_rows + rng.integers(0, n_rows, len(column)))
        rows.append((stored % n_rows).astype(np.int32))
        starts.append(starts[-1][-1] + np.cumsum(np.bincount(stored // n_rows, minlength=len(some))))
    indices, indptr = np.concatenate(rows), np.concatenate(starts)
    data = np.log1p(rng.integers(1, 6, len(indices))).astype(np.float32)
    X = scipy.sparse.csc_array((data, indices, indptr), shape=(n_rows, n_columns))
    telling = np.argsort(-sizes, kind="stable")[:300]
    return X, X[:, telling] @ rng.standard_normal(300) + rng.standard_normal(n_rows)


def floats(share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    n_rows = round(400_000 * share)
    X = rng.standard_normal((n_rows, 2_000), np.float32)  # 3.2 GB, which a fit copies as float64
    return X, X[:, :50] @ rng.standard_normal(50) + rng.standard_normal(n_rows) > 0


def parquet(share: float, folder: Path) -> tuple[Any, np.ndarray]:
    import polars as pl
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    rng = np.random.default_rng(SEED)
    n_rows, names = round(3_200_000 * share), [f"x{j}" for j in range(631)]
    y = rng.integers(0, 2, n_rows)
    schema, tells = pyarrow.schema([(name, pyarrow.float32()) for name in names]), np.arange(631) % 100 < 50
    with ParquetWriter(folder / "whole.parquet", schema, compression="none", use_dictionary=False) as file:
        for first in range(0, n_rows, ROWS_AT_ONCE):
            labels = y[first : first + ROWS_AT_ONCE].astype(np.float32)
            block = rng.standard_normal((631, len(labels)), np.float32)
            block[tells] += 0.1 * labels
            file.write_table(pyarrow.table(list(block), schema=schema))
    return pl.scan_parquet(folder / "whole.parquet"), y


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("record", choices=["sparse", "floats", "parquet"])
    parser.add_argument("--share", type=float, default=1.0, help="of the full size (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, help="threads (default: 2)")
    args = parser.parse_args(arguments)
    selectors: dict[str, Callable[[], Any]] = {
        "sparse": lambda: ep.MRMR(n_features=200, n_jobs=args.jobs),
        "floats": lambda: ep.Gaussian(n_features=100, n_jobs=args.jobs),
        "parquet": lambda: ep.JMI(n_features=30, n_jobs=args.jobs),
    }
    with tempfile.TemporaryDirectory() as folder:
        if args.record == "parquet":
            X, y = parquet(args.share, Path(folder))
        else:
            X, y = sparse(args.share) if args.record == "sparse" else floats(args.share)
        data, start, processor = peak(), perf_counter(), process_time()
        fitted = selectors[args.record]().fit(X, y)
    print(report.machine())
    stored = f", {X.nnz:,} stored values" if scipy.sparse.issparse(X) else ""
    shape = " x ".join(f"{n:,}" for n in getattr(X, "shape", (len(y), 631)))
    print(f"{args.record}: {shape}{stored}; {fitted}, first columns {fitted.order_[:5].tolist()}")
    print(f"{perf_counter() - start:.1f} s, {process_time() - processor:.1f} processor s")
    print(f"peak memory {data:.1f} GB with the data, {peak():.1f} GB in all")


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()

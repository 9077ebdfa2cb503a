"""mRMR on columns of floats, which must be binned first, and mrmr_selection: ``python -m benchmarks.floats``.

Processor seconds of one thread, the best of three fits of ours.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits

import entropick as ep

N_ROWS, N_COLUMNS, N_PICKS = 10_000, 1_000, 50


def main() -> None:
    import pandas as pd
    from mrmr import mrmr_classif

    rng = np.random.default_rng(0)
    X = rng.standard_normal((N_ROWS, N_COLUMNS))
    y = (X[:, :100].sum(axis=1) + 5 * rng.standard_normal(N_ROWS) > 0).astype(int)
    times = []
    for _ in range(3):
        start = time.process_time()
        picked = ep.MRMR(N_PICKS, n_jobs=1).fit(X, y).order_
        times.append(time.process_time() - start)
    frame = pd.DataFrame(X, columns=[str(j) for j in range(N_COLUMNS)])
    start = time.process_time()
    theirs = mrmr_classif(frame, pd.Series(y), K=N_PICKS, n_jobs=1, show_progress=False)
    seconds = time.process_time() - start
    common = len({str(j) for j in picked} & set(theirs))
    print(
        f"MRMR {min(times):.2f} s, mrmr_selection {seconds:.2f} s: {seconds / min(times):.0f} times as long"
    )
    print(f"{common} of {N_PICKS} picks in common")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()

"""Select columns of Parquet files with two worker processes on this machine (extra dask)."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from distributed import Client

import entropick as ep


def write_files(folder, n_files=4, n_rows=50_000):
    """Files as on a cluster: 20 columns, of which f3 and f7 are informative about y."""
    for k in range(n_files):
        rng = np.random.default_rng(k)
        y = rng.integers(0, 2, n_rows)
        table = pd.DataFrame(rng.normal(size=(n_rows, 20)), columns=[f"f{j}" for j in range(20)])
        table["f3"] += y
        table["f7"] += 0.5 * y
        table.assign(y=y).to_parquet(folder / f"part-{k}.parquet")


if __name__ == "__main__":  # worker processes import this file
    with tempfile.TemporaryDirectory() as folder, Client(n_workers=2, threads_per_worker=1):
        write_files(Path(folder))
        table = ep.scan(f"{folder}/part-*.parquet")  # the workers read the files
        selector = ep.JMI(n_features=2).fit(table.drop("y"), table["y"])
        print(table, selector.get_feature_names_out().tolist())

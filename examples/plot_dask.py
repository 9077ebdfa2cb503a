"""
Larger than one machine: Dask
=============================

Counts add up over rows, so each worker counts its own partitions and only tables of counts are moved.
However the rows are partitioned, the result is the same to the last bit.
"""

import dask.array as da
import numpy as np

import entropick as ep

rng = np.random.default_rng(0)
y = rng.integers(0, 2, 40_000)
X = rng.standard_normal((40_000, 30))
X[:, :8] += np.linspace(1, 0.3, 8) * y[:, None]

# %%
# ``fit`` takes Dask arrays and dataframes. Without a cluster Dask's threads do the work; with a
# ``distributed.Client`` its workers do.

whole = ep.JMI(n_features=8).fit(X, y)
for n_rows in (40_000, 10_000, 3_333):
    table = da.from_array(X, chunks=(n_rows, -1))
    parts = ep.JMI(n_features=8).fit(table, da.from_array(y, chunks=n_rows))
    same = parts.scores_.tobytes() == whole.scores_.tobytes()
    print(f"{table.npartitions:>2} partitions: {parts.order_}, same bits: {same}")

# %%
# ``transform`` stays lazy.

print(parts.transform(table))

# %%
# The bars show how many bits each column adds to those selected before it.

ax = parts.selection_.plot()
ax.figure.set_size_inches(7, 3.5)

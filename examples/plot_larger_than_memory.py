"""
A table that is never in memory
===============================

Entropies need only counts. From a polars lazy frame, columns are read a few at a time, and only their
levels are kept, one byte per value.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

import entropick as ep

rng = np.random.default_rng(0)
n = 200_000
y = rng.integers(0, 2, n)
columns = {f"sensor {i}": rng.standard_normal(n) + (0.1 * i * y if i < 6 else 0) for i in range(20)}
folder = tempfile.TemporaryDirectory()
path = Path(folder.name, "sensors.parquet")
pl.DataFrame({**columns, "fault": y}).write_parquet(path)
print(f"{n:,} rows, {path.stat().st_size / 1e6:.0f} MB on disk")

# %%
# ``scan_parquet`` reads nothing yet. The target is small and is collected.

lazy = pl.scan_parquet(path)
target = lazy.select("fault").collect()["fault"]
selection = ep.JMI(n_features=6).fit(lazy.drop("fault"), target).selection_
print(selection)

# %%
# The result is that of the same table in memory, to the last bit.

in_memory = ep.JMI(n_features=6).fit(pl.DataFrame(columns), target).selection_
print("same columns and scores:", [s.score for s in selection.steps] == [s.score for s in in_memory.steps])

# %%
# The strength of a sensor's signal grows with its number.

alone = ep.MIM(n_features=20).fit(lazy.drop("fault"), target)
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.bar(range(20), alone.scores_)
ax.set(xlabel="sensor", ylabel="bits about the fault", xticks=range(0, 20, 2))
folder.cleanup()

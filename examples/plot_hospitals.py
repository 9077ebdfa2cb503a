"""
Federated selection: three hospitals
====================================

Three hospitals select the columns of their pooled rows without sending a row. They exchange files: first
sketches of columns, from which common levels follow, then counts. The result is that of all rows in one
place, to the last bit.
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import entropick as ep

rng = np.random.default_rng(0)
n_rows = 30_000
ill = rng.integers(0, 2, n_rows)
rows = pd.DataFrame({f"lab{j}": rng.normal(size=n_rows) + ill / (j + 1) for j in range(12)})
rows["ward"] = rng.choice(["A", "B", "C"], n_rows)
rows["ill"] = ill
hospitals = {"north": rows[:15_000], "south": rows[15_000:22_000], "west": rows[22_000:]}
shared = Path(tempfile.mkdtemp())  # what all can read

# %%
# First, common levels. Each hospital writes sketches, and anyone merges them. A sketch knows the ranks of
# some values only, so the merged file asks for what is still open; two or three rounds are enough.

levels = None
for number in range(1, 10):
    for name, own in hospitals.items():
        ep.Sketches.count(own, "ill", after=levels).save(shared / f"{name}.sketch")
    first, *others = (ep.Sketches.load(shared / f"{name}.sketch") for name in hospitals)
    levels = first.merge(*others)
    print(f"round {number}: the edges of {len(levels.open_columns)} columns are open")
    if levels.is_complete:
        break

# %%
# Then, counts by these levels.

for name, own in hospitals.items():
    ep.Cube.count(own, "ill", edges=levels).save(shared / f"{name}.counts")
first, *others = (ep.Cube.load(shared / f"{name}.counts") for name in hospitals)
federated = first.merge(*others)
print(federated)

# %%
# The selection from these counts is that of all rows in one place.

pooled = ep.JMI(n_features=5).fit(rows.drop(columns="ill"), rows["ill"])
selector = ep.JMI(n_features=5).fit(federated)
print(selector.get_feature_names_out().tolist())
print("same bits:", selector.scores_.tobytes() == pooled.scores_.tobytes())

# %%
# Small counts may point at a person. If each hospital leaves out its counts below 5, scores are approximate.

for name, own in hospitals.items():
    ep.Cube.count(own, "ill", edges=levels).save(shared / f"{name}.counts", min_cell=5)
first, *others = (ep.Cube.load(shared / f"{name}.counts") for name in hospitals)
safer = ep.JMI(n_features=5).fit(first.merge(*others))
change = np.nanmax(np.abs(safer.scores_ - selector.scores_) / selector.scores_)
print(safer.get_feature_names_out().tolist(), f"scores change by up to {change:.2%}")

ax = selector.selection_.plot()
ax.figure.set_size_inches(7, 2.5)

"""
Federated selection: three hospitals
====================================

Three hospitals select the columns of their pooled rows without sending a row. Each answers questions about
its own rows with sketches and counts. These add up to those of all rows, so the result is the same to the
last bit.
"""

import numpy as np
import pandas as pd

import entropick as ep

rng = np.random.default_rng(0)
n_rows = 6_000
ill = rng.integers(0, 2, n_rows)
rows = pd.DataFrame({f"lab{j}": rng.normal(size=n_rows) + ill / (j + 1) for j in range(12)})
rows["ward"] = rng.choice(["A", "B", "C"], n_rows)
rows["ill"] = ill
hospitals = [rows[:3_000], rows[3_000:4_500], rows[4_500:]]


# %%
# Functions are called at each hospital, and only their results are sent. Here the three are in one list.


class Hospitals:
    """Rows, or what was made of them, that stay at each hospital."""

    def __init__(self, held):
        self.held = held

    def map(self, call):
        return Hospitals([call(own) for own in self.held])

    def reduce(self, call, add):
        return add([call(own) for own in self.held])


table = ep.partitioned(Hospitals(hospitals), rows.columns)
federated = ep.Cube.count(table.drop("ill"), table["ill"])
print(federated)

# %%
# The selection from these counts is that of all rows in one place.

pooled = ep.JMI(n_features=5).fit(rows.drop(columns="ill"), rows["ill"])
selector = ep.JMI(n_features=5).fit(federated)
print(selector.get_feature_names_out().tolist())
print("same bits:", selector.scores_.tobytes() == pooled.scores_.tobytes())

# %%
# Small counts may point at a person. Without counts below 5, scores are approximate.

safer = ep.JMI(n_features=5).fit(federated.suppressed(5))
change = np.nanmax(np.abs(safer.scores_ - selector.scores_) / selector.scores_)
print(safer.get_feature_names_out().tolist(), f"scores change by up to {change:.2%}")

ax = selector.selection_.plot()
ax.figure.set_size_inches(7, 2.5)

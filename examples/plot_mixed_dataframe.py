"""
Numbers, categories, dates and gaps in one dataframe
====================================================

Columns need no preparation. Numbers and dates are binned, categories and booleans keep their values,
and missing values are a level of their own. The record shows how each column was encoded.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import entropick as ep

rng = np.random.default_rng(0)
n = 2_000
table = pd.DataFrame(
    {
        "age": rng.integers(18, 90, n),
        "plan": pd.Categorical(rng.choice(["basic", "plus", "pro"], n)),
        "joined": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D"),
        "newsletter": rng.random(n) < 0.4,
        "monthly fee": rng.gamma(3, 10, n),
        "city": rng.choice([f"city {i}" for i in range(40)], n),
    }
)
table.loc[rng.random(n) < 0.3, "monthly fee"] = np.nan  # unknown for those who never paid
leaves = (table["plan"] == "basic") & (table["joined"] > "2025-01-01") | table["monthly fee"].isna()
churn = np.where(rng.random(n) < 0.9, leaves, ~leaves)

# Forty cities look informative by chance; the correction removes that bias.
selection = ep.JMI("auto", correction="miller_madow", random_state=0).fit(table, churn).selection_
print(selection.reason)
print(selection)

# %%
# How each column was read:

for encoding in selection.encodings:
    print(encoding)

# %%
# What the first column says about the target: customers without a fee leave.

first = selection.selected_names[0]
levels = pd.qcut(table["monthly fee"], 5).cat.add_categories("missing").fillna("missing")
share = pd.Series(churn).groupby(levels.to_numpy()).mean()
fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
ax.barh(share.index.astype(str), share)
ax.set(xlabel="share of customers who leave", ylabel="monthly fee", title=f"first column: {first}")

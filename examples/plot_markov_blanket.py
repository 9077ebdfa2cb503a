"""
Which columns are directly related to the target?
==================================================

A column can depend on the target by way of another one. :class:`~entropick.MarkovBlanket` finds the
columns that are still informative given the others: causes, effects, and other causes of the effects.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import entropick as ep

rng = np.random.default_rng(0)


def noisy(bits, share=0.1):
    """The bits, a share of them flipped."""
    return bits ^ (rng.random(len(bits)) < share)


smoking, gene, dust = rng.integers(0, 2, (3, 3000)) == 1
illness = noisy(smoking & gene)
X = pd.DataFrame(
    {
        "smoking": smoking,
        "gene": gene,
        "yellow fingers": noisy(smoking),
        "lighter": noisy(noisy(smoking)),
        "cough": noisy(illness | dust),
        "dust": dust,
        "noise": rng.integers(0, 2, 3000),
    }
)

blanket = ep.MarkovBlanket().fit(X, illness)
print("parents and children:", [X.columns[j] for j in blanket.parents_children_])
print("spouses:", [X.columns[j] for j in blanket.spouses_])

# %%
# Yellow fingers and a lighter say something about the illness, but nothing beyond smoking. Dust says nothing
# on its own, and something once the cough is known.

relevance = blanket.selection_.relevances.information
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
colours = np.where(blanket.get_support(), "C0", "0.7")
ax.barh(X.columns, relevance, color=colours)
ax.invert_yaxis()
ax.set_xlabel("information about the illness, alone, in bits (blue: in the blanket)")

"""
Words that separate texts
=========================

Sparse matrices stay sparse. The texts here are docstrings: which words distinguish statistics functions
from those of signal processing?
"""

import inspect

import matplotlib.pyplot as plt
import scipy.signal
import scipy.stats
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline

import entropick as ep


def docstrings(module):
    """Documentation of all public objects."""
    objects = [getattr(module, name) for name in module.__all__]
    return [inspect.getdoc(thing) for thing in objects if inspect.getdoc(thing)]


statistics, signals = docstrings(scipy.stats), docstrings(scipy.signal)
subject = ["statistics"] * len(statistics) + ["signals"] * len(signals)
words = CountVectorizer(
    binary=True, min_df=5, token_pattern=r"[a-z]{3,}", stop_words=["scipy", "stats", "signal"]
)
occurs = words.fit_transform(statistics + signals)
print(f"{occurs.shape[0]} texts, {occurs.shape[1]} words, {occurs.nnz / occurs.shape[0]:.0f} in each")

# %%
# CMIM selects a word only if it says something that no earlier word said.

selector = ep.CMIM(n_features=8).fit(occurs, subject)
names = words.get_feature_names_out()[selector.order_]
in_statistics = occurs[: len(statistics)].mean(axis=0).A1[selector.order_]
in_signals = occurs[len(statistics) :].mean(axis=0).A1[selector.order_]
fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
ax.barh(names, in_statistics, height=0.4, align="edge", label="scipy.stats")
ax.barh(names, in_signals, height=-0.4, align="edge", label="scipy.signal")
ax.set(xlabel="share of texts with the word")
ax.invert_yaxis()
ax.legend()

# %%
# A few words do most of the work.

for n_words in (1, 2, 4, 8, 30):
    model = make_pipeline(ep.CMIM(n_words), BernoulliNB())
    print(f"{n_words:>2} words: accuracy {cross_val_score(model, occurs, subject).mean():.3f}")

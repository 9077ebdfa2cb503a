"""Palamidessi and Romanelli: feature selection with Rényi min-entropy."""

from experiments.texts import Texts

EXPERIMENT = Texts("renyi").experiment()

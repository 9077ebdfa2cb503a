"""Palamidessi and Romanelli: feature selection with Rényi min-entropy."""

from reproduction.texts import Texts

EXPERIMENT = Texts("renyi").experiment()

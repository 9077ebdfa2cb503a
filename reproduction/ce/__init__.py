"""Cassarà and Rozza: a novel mutual information-based feature selection algorithm."""

from reproduction.texts import Texts

EXPERIMENT = Texts("ce").experiment()

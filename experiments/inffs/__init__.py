"""Roffo et al.: infinite feature selection."""

from experiments.texts import Texts

EXPERIMENT = Texts("inffs").experiment()

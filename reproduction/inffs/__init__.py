"""Roffo et al.: infinite feature selection."""

from reproduction.texts import Texts

EXPERIMENT = Texts("inffs").experiment()

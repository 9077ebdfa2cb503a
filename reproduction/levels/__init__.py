"""How many levels numeric columns should have: the evidence behind n_bins="auto"."""

from reproduction.texts import Texts

EXPERIMENT = Texts("levels").experiment()

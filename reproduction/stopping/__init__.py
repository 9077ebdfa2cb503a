"""How many are enough: what the rule behind n_features="auto" costs, on all data sets and on noise."""

from reproduction.texts import Texts

EXPERIMENT = Texts("stopping").experiment()

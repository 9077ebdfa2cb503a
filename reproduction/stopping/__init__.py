"""How many columns: what the rule behind n_features="auto" loses, on all data sets and on noise."""

from reproduction.texts import Texts

EXPERIMENT = Texts("stopping").experiment()

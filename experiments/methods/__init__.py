"""Which method when: one benchmark over all data sets and all methods."""

from experiments.texts import Texts

EXPERIMENT = Texts("methods").experiment()

"""Which method when: one benchmark over all data sets and all methods."""

from reproduction.texts import Texts

EXPERIMENT = Texts("methods").experiment()

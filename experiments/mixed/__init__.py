"""Which correction, levels and method serve ordinary tables: the evidence behind the defaults."""

from experiments.texts import Texts

EXPERIMENT = Texts("mixed").experiment()

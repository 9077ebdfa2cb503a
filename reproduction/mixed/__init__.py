"""Which correction, levels and method serve ordinary tables: the evidence behind the defaults."""

from reproduction.texts import Texts

EXPERIMENT = Texts("mixed").experiment()

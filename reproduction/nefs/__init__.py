"""Mariello and Battiti: NEFS and SNEFS against five others."""

from reproduction.texts import Texts

EXPERIMENT = Texts("nefs").experiment()

"""Mariello and Battiti: NEFS and SNEFS against five others."""

from experiments.texts import Texts

EXPERIMENT = Texts("nefs").experiment()

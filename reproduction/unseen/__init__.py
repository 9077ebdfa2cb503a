"""Rules for the number of columns on tables that had no part in making them."""

from reproduction.texts import Texts

EXPERIMENT = Texts("unseen").experiment()

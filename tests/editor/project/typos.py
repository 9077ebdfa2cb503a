"""Slips of a user: each line that ends with "wrong" must be an error, and no other."""

import entropick as ep


def slips() -> None:
    """Names that do not exist, and a value of the wrong type."""
    ep.JMII(2)  # wrong
    ep.comparre([[0]], [0])  # wrong
    ep.measures.Nope()  # wrong
    ep.searches.Nope()  # wrong
    ep.cuts.Nope()  # wrong
    ep.JMI(2, n_bin=3)  # wrong
    ep.JMI(2)

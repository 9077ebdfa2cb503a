"""Verdicts."""

from entropick.experiments.protocol import Claim, Results


def claims(results: Results) -> list[Claim]:
    """The verdicts."""
    return []

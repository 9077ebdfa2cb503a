"""What is asked of the benchmark, and the answers."""

from collections.abc import Sequence

from entropick.experiments.protocol import Claim, Results


def claims(results: Results) -> Sequence[Claim]:
    """The verdicts."""
    return []

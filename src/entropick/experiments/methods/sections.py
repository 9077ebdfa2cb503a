"""Tables and figures of the benchmark."""

from collections.abc import Sequence

from entropick.experiments.protocol import Results, Section


def sections(results: Results) -> Sequence[Section]:
    """What the page shows."""
    return []

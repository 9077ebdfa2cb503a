"""Tables."""

from entropick.experiments.protocol import Results, Section


def sections(results: Results) -> list[Section]:
    """The tables."""
    return []

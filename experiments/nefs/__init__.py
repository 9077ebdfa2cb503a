"""Mariello and Battiti: NEFS and SNEFS against five others."""

from experiments.nefs import protocol
from experiments.nefs.findings import claims
from experiments.nefs.sections import sections

EXPERIMENT = protocol.TEXTS.experiment(
    vars(protocol),
    datasets=tuple(curves.source for curves in protocol.CURVES if curves.source is not None),
    cells=protocol.cells,
    run=protocol.run,
    claims=claims,
    sections=sections,
)

"""Palamidessi and Romanelli: feature selection with Rényi min-entropy."""

from experiments.renyi import protocol
from experiments.renyi.findings import claims
from experiments.renyi.sections import sections

EXPERIMENT = protocol.TEXTS.experiment(
    vars(protocol),
    datasets=tuple(protocol.LEVELS),
    cells=protocol.cells,
    run=protocol.run,
    claims=claims,
    sections=sections,
)

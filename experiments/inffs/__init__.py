"""Roffo et al.: infinite feature selection."""

from experiments.inffs import protocol
from experiments.inffs.findings import claims
from experiments.inffs.sections import sections

EXPERIMENT = protocol.TEXTS.experiment(
    vars(protocol),
    datasets=protocol.DATASETS,
    cells=protocol.cells,
    run=protocol.run,
    claims=claims,
    sections=sections,
)

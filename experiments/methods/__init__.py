"""Which method when: one benchmark over all data sets and all methods."""

from experiments.methods import protocol
from experiments.methods.findings import claims
from experiments.methods.sections import sections

EXPERIMENT = protocol.TEXTS.experiment(
    vars(protocol),
    datasets=protocol.DATASETS,
    cells=protocol.cells,
    run=protocol.run,
    claims=claims,
    sections=sections,
)

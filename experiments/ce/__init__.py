"""Cassarà and Rozza: a novel mutual information-based feature selection algorithm."""

from experiments.ce import protocol
from experiments.ce.findings import claims
from experiments.ce.sections import sections

EXPERIMENT = protocol.TEXTS.experiment(
    vars(protocol),
    datasets=tuple(dict.fromkeys(task["file"] for task in protocol.TASKS.values())),
    cells=protocol.cells,
    run=protocol.run,
    claims=claims,
    sections=sections,
)

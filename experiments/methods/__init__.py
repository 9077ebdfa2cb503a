"""Which method when: one benchmark over all data sets and all methods."""

from experiments.methods.claims import claims
from experiments.methods.protocol import DATASETS, cells, describe_protocol
from experiments.methods.sections import sections
from experiments.methods.selecting import run
from experiments.protocol import Experiment

EXPERIMENT = Experiment(
    name="methods",
    title="Which method when",
    reference="A benchmark of this library; no paper.",
    protocol=describe_protocol(),
    datasets=DATASETS,
    cells=cells,
    run=run,
    claims=claims,
    sections=sections,
)

"""Palamidessi and Romanelli: feature selection with Rényi min-entropy."""

from experiments.protocol import Experiment
from experiments.renyi.claims import claims
from experiments.renyi.protocol import LEVELS, PROTOCOL, cells, run
from experiments.renyi.sections import sections

EXPERIMENT = Experiment(
    name="renyi",
    title="Feature selection with Rényi min-entropy",
    reference="C. Palamidessi and M. Romanelli (2018), ANNPR, LNCS 11081, 226-239",
    protocol=PROTOCOL,
    datasets=tuple(LEVELS),
    cells=cells,
    run=run,
    claims=claims,
    sections=sections,
)

"""Roffo et al.: infinite feature selection."""

from experiments.inffs.claims import claims
from experiments.inffs.protocol import DATASETS, PROTOCOL, cells, run
from experiments.inffs.sections import sections
from experiments.protocol import Experiment

EXPERIMENT = Experiment(
    name="inffs",
    title="Infinite feature selection: a graph-based feature filtering approach",
    reference=(
        "G. Roffo, S. Melzi, U. Castellani, A. Vinciarelli and M. Cristani (2020), IEEE Transactions on "
        "Pattern Analysis and Machine Intelligence"
    ),
    protocol=PROTOCOL,
    datasets=DATASETS,
    cells=cells,
    run=run,
    claims=claims,
    sections=sections,
)

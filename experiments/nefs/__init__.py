"""The experiments of Mariello and Battiti: NEFS and SNEFS against five others."""

from experiments.nefs.claims import claims
from experiments.nefs.computing import run
from experiments.nefs.design import CURVES, cells
from experiments.nefs.sections import sections
from experiments.nefs.text import PROTOCOL
from experiments.protocol import Experiment

EXPERIMENT = Experiment(
    name="nefs",
    title="Feature selection based on the neighborhood entropy",
    reference="A. Mariello and R. Battiti (2018), IEEE Trans. Neural Netw. Learn. Syst. 29, 6313–6322",
    protocol=PROTOCOL,
    datasets=tuple(curves.source for curves in CURVES if curves.source is not None),
    cells=cells,
    run=run,
    claims=claims,
    sections=sections,
)

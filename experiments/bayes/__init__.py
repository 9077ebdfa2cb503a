"""Mei, Xue and Zhang: fast bi-objective feature selection using entropy measures and Bayesian inference."""

from experiments.bayes import protocol
from experiments.bayes.findings import claims
from experiments.bayes.sections import sections

EXPERIMENT = protocol.TEXTS.experiment(
    vars(protocol),
    datasets=tuple(name for name in protocol.DATASETS if name != protocol.NOISE_FREE),
    cells=protocol.cells,
    run=protocol.run,
    claims=claims,
    sections=sections,
)

"""Mei, Xue and Zhang: fast bi-objective feature selection using entropy measures and Bayesian inference."""

from entropick.experiments.bayes.protocol import DATASETS, NOISE_FREE, cells, run
from entropick.experiments.protocol import Experiment

EXPERIMENT = Experiment(
    name="bayes",
    title="Fast bi-objective feature selection using entropy measures and Bayesian inference",
    reference="Mei, Xue and Zhang, GECCO 2016, doi:10.1145/2908812.2908823",
    protocol="",
    datasets=tuple(name for name in DATASETS if name != NOISE_FREE),
    cells=cells,
    run=run,
    claims=lambda results: [],
    sections=lambda results: [],
)

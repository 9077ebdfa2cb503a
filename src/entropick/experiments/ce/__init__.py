"""Cassarà and Rozza: a novel mutual information-based feature selection algorithm."""

from entropick.experiments.ce.protocol import TASKS, cells, run
from entropick.experiments.protocol import Experiment

EXPERIMENT = Experiment(
    name="ce",
    title="A novel mutual information-based feature selection algorithm",
    reference="Cassarà and Rozza",
    protocol="",
    datasets=tuple(dict.fromkeys(task.file for task in TASKS.values())),
    cells=cells,
    run=run,
    claims=lambda results: [],
    sections=lambda results: [],
)

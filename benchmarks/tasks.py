"""Tasks for each workload, with their peers and time goals."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.peers import (
    FAST_SELECT_MRMR,
    MRMR_SELECTION,
    SKFEATURE_CMIM,
    SKFEATURE_DISR,
    SKLEARN_MIM,
    Peer,
)

ENCODING_GOAL = 5.0  # times faster than KBinsDiscretizer


@dataclass(frozen=True)
class Task:
    """A selection to time.

    Attributes
    ----------
    measure, parameters : a name of `entropick.registry.MEASURES` and what to set
    picks : columns to select
    goal : seconds with two threads, the table encoded
    no_slower_than : title of an earlier task of the workload whose best time is the goal, up to noise
    columns : use only the first columns, for peers that are too slow for all of them
    peers : always run
    slow_peers : peers that take more than about 20 seconds, skipped by ``--quick``
    """

    measure: str
    picks: int
    goal: float | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    no_slower_than: str | None = None
    columns: int | None = None
    peers: tuple[Peer, ...] = ()
    slow_peers: tuple[Peer, ...] = ()

    @property
    def title(self) -> str:
        settings = "".join(f" {name}={value:g}" for name, value in self.parameters.items())
        subset = f" of the first {self.columns:,} columns" if self.columns else ""
        return f"{self.measure}{settings}, {self.picks} picks{subset}"

    @property
    def passes(self) -> int:
        """How often a naive program counts every column against another one."""
        return 1 if self.measure == "mim" else self.picks - 1


TASKS: dict[str, tuple[Task, ...]] = {
    "W1": (
        Task("mim", 50, 0.01, peers=(SKLEARN_MIM,)),
        Task("mrmr", 50, 0.2, peers=(MRMR_SELECTION,), slow_peers=(FAST_SELECT_MRMR,)),
        Task("jmi", 50, 0.25),
        Task("disr", 50, 0.3),
        Task("jmim", 50, 0.25),
        Task("cmim", 50, 0.04),
        Task("cmim", 4, columns=50, peers=(SKFEATURE_CMIM,)),
        Task("disr", 4, columns=50, peers=(SKFEATURE_DISR,)),
    ),
    "W2": (
        Task("mim", 20, peers=(SKLEARN_MIM,)),
        Task("mrmr", 20, 0.03, peers=(MRMR_SELECTION, FAST_SELECT_MRMR)),
        Task("jmi", 20, 0.03),
        Task("cmim", 20, 0.015),
    ),
    "W3": (
        Task("mim", 50, slow_peers=(SKLEARN_MIM,)),
        Task("mrmr", 50, 0.08),
        Task("jmi", 50, 0.1),
        Task("cmim", 50, 0.01),
        # On all columns fast-select fills a 20,000 x 20,000 matrix: 3.2 GB and minutes.
        Task("mrmr", 50, columns=2_000, peers=(FAST_SELECT_MRMR,), slow_peers=(MRMR_SELECTION,)),
        Task("cmim", 10, columns=500, peers=(SKFEATURE_CMIM,)),
        Task("disr", 10, columns=500, peers=(SKFEATURE_DISR,)),
    ),
    "W4": (
        Task("renyi", 50, 0.4, {"alpha": 1.0}),
        Task("renyi", 50, None, {"alpha": np.inf}, no_slower_than="renyi alpha=1, 50 picks"),
    ),
}

"""Binary particle swarm: subsets that move towards their own best and the best of all."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, logit

from entropick._base.compat import Interval
from entropick._base.ties import dense_ranks, is_better
from entropick.records.exploration import Generation, ParetoFront
from entropick.searches.subsets.runs import FoundForOne, RunForOne
from entropick.searches.subsets.scored import ScoredSubsets
from entropick.searches.subsets.sets import RandomSearch


@dataclass(eq=False, repr=False)
class Swarm(RandomSearch):
    """Particle swarm with one velocity per column; a column is selected with probability sigmoid(velocity).

    A velocity is pulled towards the particle's best subset and the best of all. The smaller of equally good
    subsets is better.

    Parameters
    ----------
    n_particles : int, default=30
        Subsets in each round.
    n_rounds : int, default=100
        Rounds.
    inertia : float in [0, 1], default=1.0
        Weight of the previous velocity.
    own_pull : float, default=2.0
        Largest pull of the particle's own best subset.
    common_pull : float, default=2.0
        Largest pull of the best subset of all.
    max_velocity : float, default=6.0
        Bound of the velocities.

    References
    ----------
    Kennedy and Eberhart (1997), A discrete binary version of the particle swarm algorithm.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **RandomSearch._parameter_constraints,
        "n_particles": [Interval(Integral, 2, None, closed="left")],
        "n_rounds": [Interval(Integral, 1, None, closed="left")],
        "inertia": [Interval(Real, 0, 1, closed="both")],
        "own_pull": [Interval(Real, 0, None, closed="left")],
        "common_pull": [Interval(Real, 0, None, closed="left")],
        "max_velocity": [Interval(Real, 0, None, closed="neither")],
    }

    n_particles: int = 30
    n_rounds: int = 100
    inertia: float = 1.0
    own_pull: float = 2.0
    common_pull: float = 2.0
    max_velocity: float = 6.0

    def begin_run(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> "Particles":
        return Particles(self, scored, rng, start)


@dataclass
class Flight(FoundForOne):
    """State of the search: positions, velocities and the best subsets so far."""

    rng: np.random.RandomState
    subsets: np.ndarray
    velocities: np.ndarray
    own: np.ndarray  # the best subset of each particle,
    own_keys: np.ndarray  # its objective and price
    leader: int = 0
    n_rounds: int = 0


class Particles(RunForOne[Flight]):
    """Rounds in which all particles move."""

    def __init__(
        self, search: Swarm, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None
    ) -> None:
        self._search = search
        shape = (search.n_particles, scored.n_columns)
        velocities = rng.uniform(-1, 1, shape)
        drawn, densities = rng.random_sample(shape), rng.random_sample((search.n_particles, 1))
        subsets = drawn < densities
        if start is not None:
            subsets[: len(start)] = start[: len(subsets)]
            densities[: len(start), 0] = np.clip(start[: len(subsets)].mean(axis=1), 1e-9, 1 - 1e-9)
        subsets = scored.admit(subsets, rng)
        # A particle keeps about as many columns as it starts with: velocities around zero would select half
        # of the columns of a wide table at once.
        velocities = np.clip(velocities + logit(densities), -search.max_velocity, search.max_velocity)
        own_keys = np.full((search.n_particles, 2), np.inf)
        super().__init__(scored, Flight(rng, subsets, velocities, subsets.copy(), own_keys))

    def n_expected(self) -> int:
        return self._search.n_rounds * self._search.n_particles

    def advance(self) -> Generation | None:
        now = self._found
        if now.n_rounds == self._search.n_rounds:
            return None
        if now.n_rounds:
            self._move()
        objectives = self._scored.objectives(now.subsets)
        n = len(objectives)  # fewer than particles if time is up
        keys = np.column_stack([objectives, self._scored.costs.of(now.subsets[:n])])
        better = np.flatnonzero(is_better(keys[:, 0], keys[:, 1], *now.own_keys[:n].T))
        now.own[better], now.own_keys[better] = now.subsets[better], keys[better]
        now.leader = int(np.lexsort((now.own_keys[:, 1], dense_ranks(now.own_keys[:, 0])))[0])
        now.n_rounds += 1
        best = (float(now.own_keys[now.leader, 0]),)
        return Generation(self._scored.n_asked, best, int(self.best_subset().sum()))

    def _move(self) -> None:
        search, now = self._search, self._found
        shape = now.velocities.shape
        here = now.subsets.astype(np.float64)
        pull = search.own_pull * now.rng.random_sample(shape) * (now.own - here)
        pull += search.common_pull * now.rng.random_sample(shape) * (now.own[now.leader] - here)
        velocities = search.inertia * now.velocities + pull
        now.velocities = np.clip(velocities, -search.max_velocity, search.max_velocity)
        drawn = now.rng.random_sample(shape) < expit(now.velocities)
        now.subsets = self._scored.admit(drawn, now.rng)

    def best_subset(self) -> np.ndarray:
        return np.asarray(self._found.own[self._found.leader])

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        return self._found.own.mean(axis=0), self.front()

"""NSGA-II: a population of subsets that spreads along the front of two objectives."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from entropick import _core
from entropick._base.compat import Interval, StrOptions
from entropick._base.subsets import as_bit_strings, changed
from entropick._base.ties import TOLERANCE, best_of, dense_ranks, tolerance
from entropick.exceptions import Hint, Message, warn_user
from entropick.records.exploration import Generation, ParetoFront
from entropick.searches.paths import open_columns
from entropick.searches.subsets.archive import Archive
from entropick.searches.subsets.polish import neighbours
from entropick.searches.subsets.runs import Run
from entropick.searches.subsets.scored import ScoredSubsets, blocks
from entropick.searches.subsets.sets import RandomSearch

EVALUATIONS_PER_COLUMN = 1000  # as in the paper
GROWING_SHARE, MAX_GROWING_SHARE = 0.03, 0.1  # of all evaluations, for growing subsets at first; the larger
MIN_STEPS = 3  # share only if the smaller does not suffice for this many columns
MEAN_FLIPS = 0.5  # columns flipped in a child, on average
DROPPED_SHARE = 0.2  # of the children are subsets of the archive without one column
RENEWALS = 3  # times that a child seen before is changed, so that no evaluation is wasted on it
MAX_KEY_BYTES = 16  # longer subsets are identified by a digest
MAX_SEEN = 100_000  # subsets remembered as seen


@dataclass(eq=False, repr=False)
class NSGA2(RandomSearch):
    """NSGA-II: subsets that spread along the front of two objectives.

    Bit strings, tournaments on rank and crowding, single-point crossover, half a column flipped on average.
    Children that were scored before are changed further.

    Parents and children are sorted together into fronts, and the best survive; each subset at most once, and
    the smaller of equally good ones is better. The first generation has subsets of all sizes: those found by
    forward selection while the first objective falls (with at most 3 to 10 % of all evaluations), and random
    ones. All non-dominated subsets are kept in an archive. A measure with one objective gets the share of
    selected columns as the second.

    Parameters
    ----------
    n_evaluations : int or None, default=None
        Subsets to score; None for 1000 per column.
    population_size : int, default=100
        Subsets in a generation.
    variant : {"improved", "paper"}, default="improved"
        "paper" is the algorithm as printed by Mei, Xue and Zhang: a random first generation, one column of
        each child flipped, no child changed further, repeated subsets kept, and an archive of the first and
        the last generation alone.

    References
    ----------
    Deb et al. (2002), A fast and elitist multiobjective genetic algorithm: NSGA-II.
    Mei, Xue and Zhang (2016), Fast bi-objective feature selection using entropy measures and Bayesian
    inference.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **RandomSearch._parameter_constraints,
        "n_evaluations": [Interval(Integral, 1, None, closed="left"), None],
        "population_size": [Interval(Integral, 4, None, closed="left")],
        "variant": [StrOptions({"improved", "paper"})],
    }

    n_evaluations: int | None = None
    population_size: int = 100
    variant: str = "improved"

    def begin_run(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> "Population":
        n_evaluations = self.n_evaluations or max(
            EVALUATIONS_PER_COLUMN * scored.n_columns, self.population_size
        )
        if n_evaluations < self.population_size:
            raise ValueError(
                f"n_evaluations must be at least population_size, got n_evaluations={n_evaluations} and "
                f"population_size={self.population_size}. Hint: g generations take g times the population."
            )
        kind = PrintedPopulation if self.variant == "paper" else Population
        return kind(scored, rng, self.population_size, n_evaluations, start)


@dataclass
class Evolved:
    """State of the search: the current generation, and the archive of non-dominated subsets."""

    rng: np.random.RandomState
    subsets: np.ndarray
    start: np.ndarray  # subsets to begin with
    archive: Archive
    values: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))
    ranks: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    crowding: np.ndarray = field(default_factory=lambda: np.empty(0))
    polished_around: set[bytes] = field(default_factory=set)
    seen: dict[bytes, None] = field(default_factory=dict)  # keys of subsets scored in previous rounds,
    news: list[bytes] = field(default_factory=list)  # and in the last one
    least: np.ndarray = field(default_factory=lambda: np.full(2, np.inf))  # of all values so far
    greatest: np.ndarray = field(default_factory=lambda: np.full(2, -np.inf))
    first: Archive | None = None  # of the first generation, for the variant that keeps it


class Population(Run[Evolved]):
    """Generations of subsets."""

    def __init__(
        self,
        scored: ScoredSubsets,
        rng: np.random.RandomState,
        size: int,
        n_evaluations: int,
        start: np.ndarray | None = None,
    ) -> None:
        nothing = np.empty((0, scored.n_columns), bool)
        start = nothing if start is None else start
        super().__init__(scored, Evolved(rng, nothing, start, Archive(scored.n_columns, scored.costs)))
        self._size = size
        self._n_evaluations = n_evaluations
        self._open = open_columns(scored.n_columns, scored.fixed)

    def n_expected(self) -> int:
        return self._n_evaluations

    def pause(self) -> Evolved:
        """State of the search.

        `seen` is not copied: it only grows when the next round begins, and repeating that changes nothing.
        """
        return replace(deepcopy(replace(self._found, seen={})), seen=self._found.seen)

    def advance(self) -> Generation | None:
        if self._scored.n_asked + self._size > self._n_evaluations:
            return None
        first = not len(self._found.subsets)
        self._update_seen()
        children = self._scored.admit(self._first() if first else self._children(), self._found.rng)
        children, values = self._evaluate(children)
        self._survive(
            np.concatenate([self._found.subsets, children]), np.concatenate([self._found.values, values])
        )
        return self._generation()

    def _update_seen(self) -> None:
        self._found.seen.update(dict.fromkeys(self._found.news))
        self._found.news = []
        if len(self._found.seen) > MAX_SEEN:  # forget the older half
            self._found.seen = dict.fromkeys(list(self._found.seen)[len(self._found.seen) // 2 :])

    def _generation(self) -> Generation:
        best, subset = self._found.archive.values[0], self._found.archive.subsets[0]
        return Generation(self._scored.n_asked, tuple(best.tolist()), int(subset.sum()))

    def polish(self, swaps: bool) -> Iterator[Generation]:
        """Score the neighbours of all subsets of the archive, until it does not change."""
        while not self._scored.is_out_of_time():
            done = self._found.polished_around
            unseen = (subset for subset in self._found.archive.subsets if subset.tobytes() not in done)
            subset = next(unseen, None)
            if subset is None:
                return
            done.add(subset.tobytes())
            for some in neighbours(self._scored, subset, swaps):
                self._evaluate(some, swaps_ties=False)
                if self._scored.is_out_of_time():
                    break
            yield self._generation()

    def _compared(self, values: np.ndarray) -> np.ndarray:
        return values

    def _evaluate(self, subsets: np.ndarray, swaps_ties: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Score subsets, only the first ones if time is up, and update the archive."""
        values = self._scored.values(subsets)
        subsets = subsets[: len(values)]
        if values.shape[1] == 1:
            values = np.column_stack([values, self._scored.costs.shares(subsets)])
        if not len(values):
            return subsets, values
        self._found.archive.update(subsets, values, swaps_ties)
        self._found.news += digests(subsets)
        self._found.least = np.minimum(self._found.least, values.min(axis=0))
        self._found.greatest = np.maximum(self._found.greatest, values.max(axis=0))
        return subsets, values

    def _normalized(self, values: np.ndarray) -> np.ndarray:
        """Objectives on a common scale, for distances."""
        if len(self._scored.state.objectives) > 1:
            return self._scored.state.normalized(values)
        low, high = self._found.archive.values[:, 0].min(), self._found.archive.values[:, 0].max()
        return np.column_stack([(values[:, 0] - low) / ((high - low) or 1.0), values[:, 1]])

    def _first(self) -> np.ndarray:
        """First generation: some of the best subsets found by growing, and random ones of all sizes."""
        archive, rng = self._found.archive, self._found.rng
        begun = self._scored.admit(self._found.start[: self._size].copy(), rng)
        if len(begun):
            self._evaluate(begun)
        self._grow()
        if self._scored.is_out_of_time() and len(archive.subsets):
            return archive.subsets.copy()
        n_best = min(len(archive.subsets), self._size // 2)
        best = np.linspace(0, len(archive.subsets) - 1, n_best).astype(np.int64)
        n_columns = self._scored.n_columns
        densities = n_columns ** -rng.random_sample((self._size - n_best, 1))  # from one column to all
        subsets = [archive.subsets[best]]
        for some in blocks(densities, 8 * n_columns):
            subsets.append(rng.random_sample((len(some), n_columns)) < some)
            if self._scored.is_out_of_time():
                break
        return np.concatenate(subsets)

    def _grow(self) -> None:
        """Greedily add the column that minimizes the first objective; all subsets go to the archive.

        Random subsets alone make no progress if nearly every large subset determines y.
        """
        subset = np.zeros(self._scored.n_columns, bool)
        subset[self._scored.fixed] = True
        wanted = max(GROWING_SHARE * self._n_evaluations, MIN_STEPS * self._scored.n_columns)
        budget = min(wanted, MAX_GROWING_SHARE * self._n_evaluations, self._n_evaluations - self._size)
        lowest = np.inf
        for _ in range(self._size // 2):
            candidates = np.flatnonzero(~subset)
            candidates = candidates[self._scored.costs.allow_more(subset, candidates)]
            if not len(candidates) or self._scored.n_asked + len(candidates) > budget:
                return
            found = self._values_with_each(subset, candidates)
            best = best_of(-found)
            if len(found) < len(candidates) or not -best.score + tolerance(best.score) < lowest:
                return
            lowest = -best.score
            subset[candidates[best.winner]] = True

    def _values_with_each(self, subset: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """First objective of the subset with each candidate added; fewer if time is up."""
        found = [np.empty(0)]
        for some in blocks(candidates, len(subset)):
            found.append(self._evaluate(changed(subset, some, True))[1][:, 0])
            if self._scored.is_out_of_time():
                break
        return np.concatenate(found)

    def _children(self) -> np.ndarray:
        """Make as many children as the population has members."""
        children = self._crossed()
        if len(self._open):
            self._flip(children, self._found.rng.poisson(MEAN_FLIPS, len(children)))
            n_dropped = round(DROPPED_SHARE * len(children))
            children[:n_dropped] = self._less_one(n_dropped)
            self._renew(children)
        return children[: self._size]

    def _crossed(self) -> np.ndarray:
        """Children of pairs of tournament winners by single-point crossover."""
        members = self._found.subsets
        n_columns, n_pairs = self._scored.n_columns, -(-self._size // 2)
        mothers, fathers = members[self._winners(n_pairs)], members[self._winners(n_pairs)]
        crossover = self._found.rng.randint(1, max(n_columns, 2), size=(n_pairs, 1))
        from_mother = np.arange(n_columns) < crossover
        children = np.empty((2 * n_pairs, n_columns), bool)
        children[0::2] = np.where(from_mother, mothers, fathers)
        children[1::2] = np.where(from_mother, fathers, mothers)
        return children

    def _flip(self, subsets: np.ndarray, n_flips: np.ndarray) -> None:
        """Flip `n_flips` random columns of each subset."""
        rows = np.repeat(np.arange(len(subsets)), n_flips)
        columns = self._open[self._found.rng.randint(len(self._open), size=len(rows))]
        np.logical_xor.at(subsets, (rows, columns), True)

    def _less_one(self, n: int) -> np.ndarray:
        """Random subsets of the archive, each without one of its columns."""
        known, rng = self._found.archive.subsets, self._found.rng
        subsets = known[rng.randint(len(known), size=n)]
        is_member = subsets.copy()
        is_member[:, self._scored.fixed] = False
        rows, columns = np.nonzero(is_member)
        n_members = np.bincount(rows, minlength=n)
        some = np.flatnonzero(n_members)
        before = np.cumsum(n_members) - n_members
        subsets[some, columns[before[some] + rng.randint(n_members[some])]] = False
        return subsets

    def _renew(self, children: np.ndarray) -> None:
        """Flip a column of children that were scored before or repeat another."""
        names = digests(children)
        for _ in range(RENEWALS):
            first = {name: i for i, name in reversed(list(enumerate(names)))}
            known = [i for i, name in enumerate(names) if name in self._found.seen or first[name] != i]
            if not known:
                return
            renewed = children[known]
            self._flip(renewed, np.ones(len(known), np.int64))
            children[known] = renewed
            for i, name in zip(known, digests(renewed), strict=True):
                names[i] = name

    def _winners(self, n: int) -> np.ndarray:
        """Binary tournaments: the member of lower rank wins, then the less crowded one."""
        first, second = self._found.rng.randint(len(self._found.subsets), size=(2, n))
        rank, crowding = self._found.ranks, self._found.crowding
        second_wins = (rank[second] < rank[first]) | (
            (rank[second] == rank[first]) & (crowding[second] > crowding[first])
        )
        return np.asarray(np.where(second_wins, second, first))

    def _survive(self, subsets: np.ndarray, values: np.ndarray) -> None:
        """Keep the best subsets; repeated ones only if nothing else is left."""
        is_repeated = np.ones(len(subsets), bool)
        is_repeated[first_occurrences(subsets)] = False
        distances_of = self._normalized(values)
        keys = self._ranked(distances_of, self._scored.costs.of(subsets))
        order = np.argsort(keys[:, 0], kind="stable")
        once = order[~is_repeated[order]]
        ranks = np.full(len(subsets), len(subsets), np.int64)
        crowding = np.zeros(len(subsets))
        ranked, spread = np.empty(len(once), np.int64), np.empty(len(once))
        in_order = np.arange(len(once))
        _core.front_ranks(keys[once], in_order, ranked)
        _core.crowding(distances_of[once], in_order, ranked, spread)
        ranks[once], crowding[once] = ranked, spread
        kept = np.lexsort((-crowding, ranks))[: self._size]
        self._found.subsets, self._found.values = subsets[kept], values[kept]
        self._found.ranks, self._found.crowding = ranks[kept], crowding[kept]

    def _ranked(self, values: np.ndarray, prices: np.ndarray) -> np.ndarray:
        """Ranks that compare like the objectives, or like prices if both objectives are equal."""
        first, second, third = map(dense_ranks, (*values.T, prices.astype(np.float64)))
        n = len(values)
        keys = [(first * n + second) * n + third, (second * n + first) * n + third]
        return np.stack(keys, axis=1).astype(np.float64)

    def _warn_if_nothing_differs(self) -> None:
        least, greatest = self._found.least, self._found.greatest
        margins = TOLERANCE * np.maximum(1.0, np.abs(greatest))
        is_flat = (greatest - least <= margins).all()
        if is_flat and len(self._open) > 1 and not self._scored.is_out_of_time():
            labels = self._labels()
            warn_user(
                Message(
                    f"All {self._scored.n_asked} subsets evaluated are equally good, with {labels[0]} = "
                    f"{least[0]:.4g} and {labels[1]} = {least[1]:.4g}, so the smallest was kept. "
                    "Hint: this measure cannot distinguish columns with nearly as many levels as rows; use "
                    "fewer levels (",
                    Hint("n_bins"),
                    ").",
                )
            )

    def _labels(self) -> tuple[str, ...]:
        return (*self._scored.state.objectives, f"share of {self._scored.costs.unit}")[:2]

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        archive = self._found.archive
        self._warn_if_nothing_differs()
        front = ParetoFront(archive.subsets, archive.values, self._normalized(archive.values), self._labels())
        return archive.subsets.mean(axis=0), front


class PrintedPopulation(Population):
    """Generations as in Algorithm 1 of Mei, Xue and Zhang."""

    def _first(self) -> np.ndarray:
        subsets = self._found.rng.random_sample((self._size, self._scored.n_columns)) < 0.5
        begun = self._found.start[: self._size]
        subsets[: len(begun)] = begun
        return subsets

    def _children(self) -> np.ndarray:
        children = self._crossed()
        if len(self._open):
            self._flip(children, np.ones(len(children), np.int64))
        return children[: self._size]

    def _survive(self, subsets: np.ndarray, values: np.ndarray) -> None:
        """Keep the best by rank and crowding, repeated ones too; the archive is of the first and these."""
        distances_of = self._normalized(values)
        keys = np.stack(list(map(dense_ranks, distances_of.T)), axis=1).astype(np.float64)
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        ranks, crowding = np.empty(len(subsets), np.int64), np.empty(len(subsets))
        _core.front_ranks(keys[order], np.arange(len(order)), ranks)
        _core.crowding(distances_of[order], np.arange(len(order)), ranks, crowding)
        kept = np.lexsort((-crowding, ranks))[: self._size]
        self._found.subsets, self._found.values = subsets[order[kept]], values[order[kept]]
        self._found.ranks, self._found.crowding = ranks[kept], crowding[kept]
        if self._found.first is None:
            self._found.first = self._found.archive
        self._found.archive = deepcopy(self._found.first)
        self._found.archive.update(self._found.subsets, self._found.values)


def digests(subsets: np.ndarray) -> list[bytes]:
    """A key of a few bytes for each subset, the same in every process: its bits, or their digest."""
    packed = np.packbits(subsets, axis=1)
    bits, width = packed.tobytes(), packed.shape[1]
    strings = [bits[i : i + width] for i in range(0, len(bits), width)]
    return strings if width <= MAX_KEY_BYTES else [blake2b(s, digest_size=8).digest() for s in strings]


def first_occurrences(subsets: np.ndarray) -> np.ndarray:
    """Index of the first occurrence of each distinct subset."""
    return np.unique(as_bit_strings(subsets), return_index=True)[1]

"""The cross-entropy method: draw subsets, keep the best, and draw more subsets like these."""

from collections import deque
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.ties import TOLERANCE, is_better
from entropick.exceptions import DataError, Hint, Message, warn_user
from entropick.records.exploration import Draw, ParetoFront
from entropick.searches.subsets.runs import FoundForOne, RunForOne
from entropick.searches.subsets.scored import ScoredSubsets
from entropick.searches.subsets.sets import RandomSearch

ADAPTIVE_ELITE = 0.05  # adaptive sampling: size of the elite per column,
MAX_BATCHES = 20  # batches drawn in a round of adaptive sampling, at most
ADAPTIVE_PATIENCE = 3  # consecutive rounds of all batches without improvement before stopping
BLOCK_BYTES = 1 << 22  # of random numbers, or of unpacked subsets, held at a time
PIECE_BYTES = 1 << 20  # of packed subsets, drawn between two checks of the time limit
SIZE_TOLERANCE = 0.1  # columns; smaller changes of the mean size of the elite do not count


@dataclass(eq=False, repr=False)
class CrossEntropy(RandomSearch):
    """Draw columns with probabilities that move towards their shares in the best subsets.

    Subsets are compared by their objective; among equally good ones the smaller is better (`parsimony`). The
    search ends when `end_share` of the subsets drawn are as good as the elite, or when over `patience` rounds
    the elite's objective changed by at most `tolerance` and its mean size by at most a tenth of a column.

    Parameters
    ----------
    sampling : {"static", "adaptive"}, default="static"
        `n_samples` subsets in each round, or as many as needed for an improvement (FACE): batches of one
        subset per column (at least 2 `min_elite`), at most 20 batches, with an elite of 0.05 per column (at
        least `min_elite`).
    n_samples : int, default=5000
        Subsets drawn in each round of static sampling.
    quantile : float in (0, 1), default=0.25
        Share of the subsets that form the elite.
    min_elite : int, default=10
        Minimum size of the elite of adaptive sampling, since the mean of very few is unreliable; 1 gives the
        numbers of the paper.
    initial : float in (0, 1) or array-like of shape (n_features,), default=0.5
        Probabilities of the columns in the first round.
    smoothing : float in (0, 1], default=1.0
        Weight of the elite relative to the previous probabilities.
    parsimony : bool, default=True
        Whether the smaller of equally good subsets is better. Without it the search ends at once if a random
        half of the columns already determines y.
    end_share : float in (0, 1], default=0.95
        The search ends when this share of the subsets drawn is as good as the elite.
    tolerance : float, default=1e-9
        Minimum improvement of the elite in bits; the search ends after `patience` rounds without one.
    patience : int, default=10
        Rounds without improvement before stopping.
    max_rounds : int, default=1000
        Maximum number of rounds.

    References
    ----------
    Cassarà and Rozza, A novel mutual information-based feature selection algorithm.
    Rubinstein and Kroese (2004), The cross-entropy method.
    """

    default_cut = "probability"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **RandomSearch._parameter_constraints,
        "sampling": [StrOptions({"static", "adaptive"})],
        "n_samples": [Interval(Integral, 2, None, closed="left")],
        "quantile": [Interval(Real, 0, 1, closed="neither")],
        "min_elite": [Interval(Integral, 1, None, closed="left")],
        "initial": [Interval(Real, 0, 1, closed="neither"), "array-like"],
        "smoothing": [Interval(Real, 0, 1, closed="right")],
        "parsimony": ["boolean"],
        "end_share": [Interval(Real, 0, 1, closed="right")],
        "tolerance": [Interval(Real, 0, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
    }

    sampling: str = "static"
    n_samples: int = 5000
    quantile: float = 0.25
    min_elite: int = 10
    initial: Any = 0.5
    smoothing: float = 1.0
    parsimony: bool = True
    end_share: float = 0.95
    tolerance: float = 1e-9
    patience: int = 10
    max_rounds: int = 1000

    def begin_run(
        self, scored: ScoredSubsets, rng: np.random.RandomState, start: np.ndarray | None = None
    ) -> "Drawing":
        return Drawing(self, scored, rng, start)


@dataclass(frozen=True)
class Drawn:
    """Subsets with their sizes, prices and objectives.

    `bits` holds some of them packed, and `rows` the row of each subset there.
    """

    n_columns: int
    bits: np.ndarray
    rows: np.ndarray
    sizes: np.ndarray
    prices: np.ndarray
    objectives: np.ndarray

    def __len__(self) -> int:
        return len(self.objectives)

    def subset(self, at: np.intp) -> np.ndarray:
        return np.unpackbits(self.bits[self.rows[at]], count=self.n_columns).view(bool)

    def shares(self, chosen: np.ndarray) -> np.ndarray:
        """Share of the chosen subsets that contain each column."""
        counts = np.zeros(self.n_columns, np.int64)
        for at in chosen:
            counts += self.subset(at)
        return counts / len(chosen)

    def and_more(self, more: "Drawn") -> "Drawn":
        return Drawn(
            self.n_columns,
            np.concatenate([self.bits, more.bits]),
            np.concatenate([self.rows, more.rows + len(self.bits)]),
            np.concatenate([self.sizes, more.sizes]),
            np.concatenate([self.prices, more.prices]),
            np.concatenate([self.objectives, more.objectives]),
        )

    def holding(self, chosen: np.ndarray) -> "Drawn":
        """Drop the bits of all subsets except the chosen ones."""
        rows = np.full(len(self), len(chosen))
        rows[chosen] = np.arange(len(chosen))
        return replace(self, bits=self.bits[self.rows[chosen]], rows=rows)


@dataclass
class Learned(FoundForOne):
    """State of the search: probabilities, and the best subset drawn."""

    rng: np.random.RandomState
    probabilities: np.ndarray
    sum_of_probabilities: np.ndarray
    start: np.ndarray | None  # drawn first
    recent: deque[tuple[float, float]]
    best: tuple[tuple[float, float], np.ndarray] | None = None  # objective and price, subset
    bar: tuple[float, float] = (np.inf, np.inf)  # objective and price of the worst subset of the elite
    n_stuck: int = 0
    elite_share: float = 0.0
    n_rounds: int = 0
    is_over: bool = False


class Drawing(RunForOne[Learned]):
    """Rounds that draw subsets."""

    def __init__(
        self,
        search: CrossEntropy,
        scored: ScoredSubsets,
        rng: np.random.RandomState,
        start: np.ndarray | None,
    ) -> None:
        self._search = search
        probabilities = initial_probabilities(search.initial, scored.n_columns)
        if start is not None and len(start):
            probabilities = (probabilities + start.mean(axis=0)) / 2
        probabilities[scored.fixed] = 1.0
        recent: deque[tuple[float, float]] = deque(maxlen=search.patience + 1)
        super().__init__(scored, Learned(rng, probabilities, np.zeros(scored.n_columns), start, recent))

    def n_expected(self) -> None:
        return None

    def advance(self) -> Draw | None:
        if self._found.is_over or self._found.n_rounds == self._search.max_rounds:
            return None
        static = self._search.sampling == "static"
        drawn = self._draw(self._search.n_samples) if static else self._draw_until_better()
        order = self._order(drawn)
        n_elite = max(1, round(self._search.quantile * len(drawn))) if static else self._adaptive_elite(drawn)
        last = order[n_elite - 1]
        self._found.bar = self._key(drawn, last)
        is_elite = self._is_as_good(drawn, last)
        # In the paper, all subsets as good as the worst of the elite belong to it. With parsimony these may
        # be so many that the search makes no progress; adaptive sampling sets the size of its elite.
        has_fixed_size = self._search.parsimony or not static
        elite = order[:n_elite] if has_fixed_size else np.flatnonzero(is_elite)
        weight = self._search.smoothing
        self._found.probabilities = weight * drawn.shares(elite) + (1 - weight) * self._found.probabilities
        self._found.sum_of_probabilities += self._found.probabilities
        self._remember(drawn, order[0])
        self._found.n_rounds += 1
        draw = Draw(
            n_evaluated=self._scored.n_asked,
            best=self._best_value(),
            size=int(self.best_subset().sum()),
            gamma=float(drawn.objectives[last]),
            elite_size=float(drawn.sizes[elite].mean()),
            elite_share=float(is_elite.mean()),
            n_drawn=len(drawn),
            probabilities=self._found.probabilities,
        )
        self._found.is_over = self._has_ended(draw)
        return draw

    # -- drawing -----------------------------------------------------------------------------

    def _draw(self, n: int) -> Drawn:
        """Draw random subsets and score them; fewer if time is up."""
        pieces = self._blocks(n, BLOCK_BYTES / PIECE_BYTES / 8)
        drawn = self._draw_piece(pieces[0])
        for size in pieces[1:]:
            if self._scored.is_out_of_time():
                break
            drawn = drawn.and_more(self._draw_piece(size))
            if self._search.sampling == "adaptive":  # may draw very many subsets
                drawn = drawn.holding(self._order(drawn)[: self._adaptive_elite()])
        return drawn

    def _draw_piece(self, n: int) -> Drawn:
        scored, rng = self._scored, self._found.rng
        bits = np.concatenate([self._random_bits(size) for size in self._blocks(n, 8)])
        empty = np.flatnonzero(~bits.any(axis=1))
        columns = scored.random_columns(len(empty), rng)
        bits[empty, columns // 8] = 128 >> columns % 8
        if self._found.start is not None:
            first = np.packbits(scored.admit(self._found.start[:n].copy(), rng), axis=1)
            bits[: len(first)], self._found.start = first, None
        sizes, prices, objectives = [], [], []
        for some in np.split(bits, np.cumsum(self._blocks(n, 1))[:-1]):
            subsets = np.unpackbits(some, axis=1, count=scored.n_columns).view(bool)
            sizes.append(subsets.sum(axis=1))
            prices.append(scored.costs.of(subsets))
            objectives.append(scored.objectives(subsets))
            if len(objectives[-1]) < len(subsets) or scored.is_out_of_time():
                break
        known = np.concatenate(objectives)
        n = len(known)
        return Drawn(
            scored.n_columns,
            bits[:n],
            np.arange(n),
            np.concatenate(sizes)[:n],
            np.concatenate(prices)[:n],
            known,
        )

    def _random_bits(self, n: int) -> np.ndarray:
        subsets = self._found.rng.random_sample((n, self._scored.n_columns)) < self._found.probabilities
        subsets[:, self._scored.fixed] = True
        self._scored.costs.trim(subsets, self._found.rng)
        return np.packbits(subsets, axis=1)

    def _blocks(self, n: int, item_bytes: float) -> list[int]:
        """Sizes of blocks that fit into memory with this many bytes per subset and column."""
        step = max(1, int(BLOCK_BYTES / (item_bytes * self._scored.n_columns)))
        return [min(step, n - start) for start in range(0, n, step)]

    def _adaptive_elite(self, drawn: Drawn | None = None) -> int:
        wanted = max(self._search.min_elite, round(ADAPTIVE_ELITE * self._scored.n_columns))
        return wanted if drawn is None else min(wanted, len(drawn))

    def _draw_until_better(self) -> Drawn:
        """Draw batches until the elite is better than in the previous round, within limits."""
        batch = max(self._scored.n_columns, 2 * self._adaptive_elite())
        drawn = self._draw(batch)
        while not (is_better := self._is_better(drawn)) and batch <= len(drawn) < MAX_BATCHES * batch:
            drawn = drawn.and_more(self._draw(batch))
            drawn = drawn.holding(self._order(drawn)[: self._adaptive_elite()])
            if self._scored.is_out_of_time():
                break
        self._found.n_stuck = 0 if is_better else self._found.n_stuck + 1
        return drawn

    def _is_better(self, drawn: Drawn) -> bool:
        """Whether the worst of the elite is better than in the previous round."""
        last = self._order(drawn)[self._adaptive_elite(drawn) - 1]
        objective, price = self._key(drawn, last)
        bar, bar_price = self._found.bar
        return objective < bar - TOLERANCE or (objective <= bar + TOLERANCE and price < bar_price)

    # -- comparing ---------------------------------------------------------------------------

    def _key(self, drawn: Drawn, at: np.intp) -> tuple[float, float]:
        return float(drawn.objectives[at]), float(drawn.prices[at]) if self._search.parsimony else 0.0

    def _order(self, drawn: Drawn) -> np.ndarray:
        """Indices from the best subset to the worst."""
        prices = drawn.prices if self._search.parsimony else np.zeros(len(drawn))
        return np.lexsort((prices, np.round(drawn.objectives / TOLERANCE)))

    def _is_as_good(self, drawn: Drawn, last: np.intp) -> np.ndarray:
        """Which subsets are as good as the one at index `last`."""
        objectives, worst = drawn.objectives, drawn.objectives[last]
        no_dearer = drawn.prices <= drawn.prices[last] if self._search.parsimony else True
        is_equal = np.abs(objectives - worst) <= TOLERANCE
        return np.asarray((objectives < worst - TOLERANCE) | (is_equal & no_dearer))

    def _remember(self, drawn: Drawn, at: np.intp) -> None:
        """Update the best subset so far."""
        key = (float(drawn.objectives[at]), float(drawn.prices[at]))
        if self._found.best is None or is_better(*key, *self._found.best[0]):
            self._found.best = key, drawn.subset(at)

    def _best_value(self) -> tuple[float]:
        assert self._found.best is not None
        return (self._found.best[0][0],)

    def best_subset(self) -> np.ndarray:
        assert self._found.best is not None
        return self._found.best[1]

    # -- ending ------------------------------------------------------------------------------

    def _has_ended(self, draw: Draw) -> bool:
        self._found.recent.append((draw.gamma, draw.elite_size if self._search.parsimony else 0.0))
        if draw.elite_share >= self._search.end_share:
            self._warn_if_nothing_was_learned()
            return True
        is_settling = draw.elite_share > self._found.elite_share  # equally good, but a growing share
        self._found.elite_share = draw.elite_share
        if self._found.n_stuck >= ADAPTIVE_PATIENCE and not is_settling:
            return True
        if len(self._found.recent) <= self._search.patience:
            return False
        first, now = self._found.recent[0], self._found.recent[-1]
        return abs(first[0] - now[0]) <= self._search.tolerance and abs(first[1] - now[1]) <= SIZE_TOLERANCE

    def _warn_if_nothing_was_learned(self) -> None:
        """Warn if nearly all subsets are equally good from the start, so that the search ends at once."""
        if self._found.n_rounds <= 2 and not self._search.parsimony:
            warn_user(
                Message(
                    f"The search ended after round {self._found.n_rounds}: {self._search.end_share:.0%} of "
                    "random subsets are as good as the best, so nothing was learned about single columns. "
                    "Hint: ",
                    Hint("parsimony", True, owner="CrossEntropyFS"),
                    " prefers the smaller of equally good subsets.",
                )
            )

    def result(self) -> tuple[np.ndarray, ParetoFront]:
        return self._found.probabilities, self.front()

    def tie_scores(self) -> np.ndarray:
        """Mean probability of each column over all rounds."""
        return self._found.sum_of_probabilities / max(self._found.n_rounds, 1)


def initial_probabilities(given: Any, n_columns: int) -> np.ndarray:
    """One probability for each column, from one for all or from those given."""
    found = np.array(given, dtype=np.float64)
    if found.ndim and found.shape != (n_columns,):
        raise DataError(
            f"initial must be one probability, or one for each of {n_columns} columns (or groups), got the "
            f"shape {found.shape}."
        )
    wrong = np.flatnonzero(~((found > 0) & (found < 1)))
    if len(wrong):
        raise DataError(
            f"Initial probabilities must be above 0 and below 1, got {found.ravel()[wrong[0]]} at position "
            f"{wrong[0]}. Hint: fix columns by fixed_features."
        )
    return np.full(n_columns, found) if not found.ndim else found

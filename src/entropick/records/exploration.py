"""The record of a search over whole subsets: its rounds, and the best subsets found. Frozen."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick._base.plain import make_frame, to_plain


@dataclass(frozen=True)
class Generation:
    """One round of a search over subsets.

    Attributes
    ----------
    n_evaluated : subsets asked for so far, repeated ones included
    best : objectives of the best subset so far (of a front: the one with the smallest first objective)
    size : how many columns that subset has
    """

    n_evaluated: int
    best: tuple[float, ...]
    size: int

    def __str__(self) -> str:
        values = ", ".join(f"{value:.4g}" for value in self.best)
        return f"{self.n_evaluated} subsets, best {values} with {self.size} columns"


@dataclass(frozen=True)
class Draw(Generation):
    """One round of the cross-entropy method.

    Attributes
    ----------
    gamma : objective of the worst subset in the elite
    elite_size : mean number of columns of the elite's subsets
    elite_share : share of the subsets drawn that are as good as the elite
    n_drawn : subsets drawn in this round
    probabilities : of each column, after the round
    """

    gamma: float
    elite_size: float
    elite_share: float
    n_drawn: int
    probabilities: np.ndarray


@dataclass(frozen=True)
class ParetoFront:
    """Subsets none of which is beaten in all objectives, from the smallest first objective to the largest.

    Of several subsets with equal objectives the smallest, or where columns have costs the cheapest, is kept.

    Attributes
    ----------
    subsets : bool (subsets, columns)
    objectives : float (subsets, objectives), to be small
    normalized : the same on a common scale
    labels : names of the objectives
    equivalents : for each subset, others as good and of the same size (or cost) that the search came across,
        bool (others, columns); empty where none were asked for
    """

    subsets: np.ndarray
    objectives: np.ndarray
    normalized: np.ndarray
    labels: tuple[str, ...]
    equivalents: tuple[np.ndarray, ...] = ()

    def __len__(self) -> int:
        return len(self.subsets)

    def __str__(self) -> str:
        return f"front of {len(self)} subsets"

    @property
    def sizes(self) -> np.ndarray:
        """Columns per subset."""
        return np.asarray(self.subsets.sum(axis=1))

    def with_equivalents(self, equivalents: tuple[np.ndarray, ...]) -> "ParetoFront":
        """The same front, with equally good subsets listed."""
        return dataclasses.replace(self, equivalents=equivalents)

    def equivalents_of(self, subset: np.ndarray) -> np.ndarray:
        """The others that are as good as a subset, none where it is not of the front."""
        at = np.flatnonzero((self.subsets == subset).all(axis=1))
        return self.equivalents[at[0]] if len(at) and self.equivalents else self.subsets[:0]

    def knee(self) -> int:
        """The subset where one objective cannot get much better without the other getting much worse.

        It is the one farthest below the straight line between the two ends of the normalised front. Where
        none is below, it is the one nearest to the best value of each objective.
        """
        x, y = self.normalized[:, 0], self.normalized[:, -1]
        below = (x[-1] - x[0]) * (y[0] - y) - (x - x[0]) * (y[0] - y[-1])
        if len(x) > 2 and below.max() > 1e-12:
            return int(below.argmax())
        return int(np.hypot(x - x.min(), y - y.min()).argmin())

    def to_frame(self, backend: Any = None) -> Any:
        """One row per subset, as a dataframe: objectives, size and columns.

        Parameters
        ----------
        backend : "pandas", "polars" or "pyarrow"; by default the first of these installed
        """
        data: dict[str, list[Any]] = {
            label: self.objectives[:, k].tolist() for k, label in enumerate(self.labels)
        }
        data["size"] = self.sizes.tolist()
        data["columns"] = [" ".join(map(str, np.flatnonzero(subset))) for subset in self.subsets]
        return make_frame(data, backend)

    def plot(self, ax: Any = None, chosen: int | None = None) -> Any:
        """The front on matplotlib axes (extra ``plot``), each subset with its size.

        Parameters
        ----------
        ax : axes to draw on; new ones by default
        chosen : subset to mark; the knee by default

        Returns
        -------
        ax : the axes drawn on
        """
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        x, y = self.objectives[:, 0], self.objectives[:, -1]
        ax.plot(x, y, "o-", color="C0", markersize=4, linewidth=0.8)
        marked = self.knee() if chosen is None else chosen
        ax.plot(x[marked], y[marked], "o", color="C3", label=f"chosen, {self.sizes[marked]} columns")
        for at in np.unique(np.linspace(0, len(x) - 1, 12).astype(int)):
            ax.annotate(
                str(self.sizes[at]), (x[at], y[at]), textcoords="offset points", xytext=(3, 3), fontsize=8
            )
        ax.set_xlabel(f"{self.labels[0]} (bits)")
        ax.set_ylabel(self.labels[-1])
        ax.legend()
        return ax


@dataclass(frozen=True)
class Proof:
    """The smallest subset that is as good as any.

    Attributes
    ----------
    size : of that subset
    value : what it reaches, in words
    has_fixed : whether only subsets with the fixed columns were tried
    unit : what is counted
    price : what it costs; None where columns have no costs
    budget : what subsets may cost; None where that has no bound
    """

    size: int
    value: str
    has_fixed: bool
    unit: str = "columns"
    price: float | None = None
    budget: float | None = None

    def __str__(self) -> str:
        those = " that has the fixed ones" if self.has_fixed else ""
        less = f"of fewer than {self.size} {self.unit}{those}"
        if self.price is not None:
            less = f"for less than {self.price:g}{those}"
        any_other = "of any size" if self.budget is None else f"within the budget of {self.budget:g}"
        return f"No subset {less} reaches {self.value}, and no subset {any_other} does better."


@dataclass(frozen=True)
class Pause:
    """Where a search was stopped: all that is needed to go on as if it had not been.

    Attributes
    ----------
    search : name of the search
    n_columns, fixed : units it chose from, and those that every subset has
    n_asked : subsets asked for
    history : its rounds
    found : its own state
    """

    search: str
    n_columns: int
    fixed: tuple[int, ...]
    n_asked: int
    history: tuple[Generation, ...]
    found: object


@dataclass(frozen=True)
class Exploration:
    """What a search over subsets found.

    Attributes
    ----------
    scores : per column, how much it belongs to good subsets: its probability (cross-entropy), or the share of
        the front's subsets (NSGA-II, exhaustive) or of the particles' best subsets (swarm) that have it
    front : the best subsets: along two objectives, of each size (exhaustive), or a single one
    history : every round
    complete : False if the search was stopped early
    tie_scores : per column, what decides between equal scores; None leaves it to the lowest index
    proof : what the search proves about its result; None where it proves nothing
    is_final : whether only subsets of the front may be kept: they were polished, or keep to a budget
    pause : where the search was stopped early; None where it came to its end
    """

    scores: np.ndarray
    front: ParetoFront
    history: tuple[Generation, ...]
    complete: bool = True
    tie_scores: np.ndarray | None = None
    proof: Proof | None = None
    is_final: bool = False
    pause: Pause | None = None

    def __str__(self) -> str:
        state = "complete" if self.complete else "stopped early"
        return f"{len(self.front)} subsets after {len(self.history)} rounds, {state}"

    @property
    def statement(self) -> str | None:
        """What the search proves, in a sentence."""
        return None if self.proof is None else str(self.proof)

    def expanded(self, unit_of: np.ndarray) -> "Exploration":
        """The same over columns, where it was made over groups of columns, given the group of each."""
        front = dataclasses.replace(
            self.front,
            subsets=self.front.subsets[:, unit_of],
            equivalents=tuple(others[:, unit_of] for others in self.front.equivalents),
        )
        history = tuple(
            dataclasses.replace(draw, probabilities=draw.probabilities[unit_of])
            if isinstance(draw, Draw)
            else draw
            for draw in self.history
        )
        ties = None if self.tie_scores is None else self.tie_scores[unit_of]
        proof = (
            None if self.proof is None else dataclasses.replace(self.proof, unit="groups or single columns")
        )
        return dataclasses.replace(
            self, scores=self.scores[unit_of], front=front, history=history, tie_scores=ties, proof=proof
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        equivalents = self.front.equivalents or [self.front.subsets[:0]] * len(self.front)
        return {
            "complete": self.complete,
            "statement": self.statement,
            "objectives": list(self.front.labels),
            "front": [
                {
                    "columns": np.flatnonzero(subset).tolist(),
                    "values": to_plain(values),
                    "equivalents": [np.flatnonzero(other).tolist() for other in others],
                }
                for subset, values, others in zip(
                    self.front.subsets, self.front.objectives, equivalents, strict=True
                )
            ],
            "scores": to_plain(self.scores),
            "history": to_plain(self.history),
        }


def plot_history(history: Sequence[Generation], ax: Any = None) -> Any:
    """The rounds of a search on matplotlib axes (extra ``plot``).

    Parameters
    ----------
    history : rounds, as in `Exploration.history` or the `history_` of a selector
    ax : axes to draw on; new ones by default

    Returns
    -------
    ax : the axes drawn on: the probability of each column where the rounds have them, else the best value
        of the first objective
    """
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    rounds = range(1, len(history) + 1)
    draws = [entry for entry in history if isinstance(entry, Draw)]
    if draws:  # what comes after them polishes the result
        ax.plot(
            rounds[: len(draws)], [draw.probabilities for draw in draws], color="C0", linewidth=0.8, alpha=0.7
        )
        ax.set_ylim(-0.02, 1.02)
        ax.set_ylabel("probability of each column")
    else:
        ax.plot(rounds, [entry.best[0] for entry in history], color="C0")
        ax.set_ylabel("best value so far")
    ax.set_xlabel("round")
    return ax

"""Record of a search over whole subsets: its rounds, and the best subsets found."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick._base.extras import pyplot
from entropick._base.plain import make_frame, to_plain
from entropick._base.wording import counted


@dataclass(frozen=True)
class Generation:
    """One round of a search over subsets.

    Attributes
    ----------
    n_evaluated : number of subsets evaluated so far, including repeated ones
    best : objectives of the best subset so far (of a front: the one with the smallest first objective)
    size : number of columns in that subset
    """

    n_evaluated: int
    best: tuple[float, ...]
    size: int

    def __str__(self) -> str:
        values = ", ".join(f"{value:.4g}" for value in self.best)
        return f"{counted(self.n_evaluated, 'subset')}, best {values} with {counted(self.size, 'column')}"


@dataclass(frozen=True)
class Draw(Generation):
    """One round of the cross-entropy method.

    Attributes
    ----------
    gamma : objective of the worst subset in the elite
    elite_size : mean number of columns of the elite's subsets
    elite_share : share of the subsets drawn that are as good as the elite
    n_drawn : subsets drawn in this round
    probabilities : probability of each column after the round
    """

    gamma: float
    elite_size: float
    elite_share: float
    n_drawn: int
    probabilities: np.ndarray


@dataclass(frozen=True)
class ParetoFront:
    """Non-dominated subsets, sorted by the first objective.

    Among subsets with equal objectives the smallest, or the cheapest if columns have costs, is kept.

    Attributes
    ----------
    subsets : bool (subsets, columns)
    objectives : float (subsets, objectives); smaller is better
    normalized : objectives on a common scale
    labels : names of the objectives
    equivalents : for each subset, others the search found that are as good and of the same size (or cost),
        bool (others, columns); empty if not requested
    """

    subsets: np.ndarray
    objectives: np.ndarray
    normalized: np.ndarray
    labels: tuple[str, ...]
    equivalents: tuple[np.ndarray, ...] = ()

    def __len__(self) -> int:
        return len(self.subsets)

    def __str__(self) -> str:
        return f"front of {counted(len(self), 'subset')}"

    def __repr__(self) -> str:
        sizes = f"{self.sizes.min()} to {self.sizes.max()}" if len(self) else "0"
        labels = " and ".join(self.labels)
        n_columns = self.subsets.shape[1]
        return f"ParetoFront({counted(len(self), 'subset')} of {sizes} of {n_columns} columns, by {labels})"

    def _repr_html_(self) -> str:
        """The front as in the report, for notebooks."""
        one = Exploration(np.zeros(self.subsets.shape[1]), self, ())
        return _framed(one, str(self))

    @property
    def sizes(self) -> np.ndarray:
        """Number of columns of each subset."""
        return np.asarray(self.subsets.sum(axis=1))

    def with_equivalents(self, equivalents: tuple[np.ndarray, ...]) -> "ParetoFront":
        """Return the front with lists of equally good subsets."""
        return dataclasses.replace(self, equivalents=equivalents)

    def equivalents_of(self, subset: np.ndarray) -> np.ndarray:
        """Subsets as good as the given one; none if it is not on the front."""
        at = np.flatnonzero((self.subsets == subset).all(axis=1))
        return self.equivalents[at[0]] if len(at) and self.equivalents else self.subsets[:0]

    def knee(self) -> int:
        """Index of the subset with the best compromise between the objectives.

        It is the one farthest below the straight line between the two ends of the normalized front. If none
        is below, it is the one nearest to the best value of each objective.
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
        """Plot the front with the sizes of the subsets (matplotlib, extra ``plot``).

        Parameters
        ----------
        ax : axes to draw on; new ones by default
        chosen : subset to mark; the knee by default

        Returns
        -------
        ax : the axes
        """
        if ax is None:
            _, ax = pyplot().subplots(layout="constrained")
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
    """Proof that a subset is the smallest of those as good as any.

    Attributes
    ----------
    size : size of the subset
    value : its objective, as text
    has_fixed : whether only subsets with the fixed columns were tried
    unit : what the size counts
    price : cost of the subset; None if columns have no costs
    budget : largest cost of a subset; None for no limit
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
    """State of a search that was stopped, from which it can be resumed.

    Attributes
    ----------
    search : name of the search
    n_columns, fixed : number of candidates, and those in every subset
    n_asked : number of subsets evaluated
    history : rounds so far
    found : state of the search
    """

    search: str
    n_columns: int
    fixed: tuple[int, ...]
    n_asked: int
    history: tuple[Generation, ...]
    found: object


@dataclass(frozen=True)
class Exploration:
    """Result of a search over subsets.

    Attributes
    ----------
    scores : score of each column: its probability (cross-entropy), or the share of the front's subsets
        (NSGA-II, exhaustive) or of the particles' best subsets (swarm) that contain it
    front : the best subsets: along two objectives, of each size (exhaustive), or a single one
    history : rounds of the search
    complete : False if the search was stopped early
    tie_scores : secondary score of each column, for equal scores; None for the lowest index
    proof : what the search proves about its result; None if nothing
    is_final : whether only subsets of the front may be selected, since they were polished or have a budget
    pause : state of a search that was stopped early; None if it is complete
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
        return f"{counted(len(self.front), 'subset')} after {counted(len(self.history), 'round')}, {state}"

    def __repr__(self) -> str:
        return f"Exploration({self})"

    def _repr_html_(self) -> str:
        """Front and rounds as in the report, for notebooks."""
        return _framed(self, str(self))

    @property
    def statement(self) -> str | None:
        """What the search proves, as a sentence."""
        return None if self.proof is None else str(self.proof)

    def expanded(self, unit_of: np.ndarray) -> "Exploration":
        """Translate an exploration over groups of columns to single columns, given the group of each."""
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


def _framed(exploration: Exploration, text: str) -> str:
    """The sections of the report about a search over subsets; columns have numbers, not names."""
    from entropick.report import framed

    n_columns = len(exploration.scores)
    names = [f"column {j}" for j in range(n_columns)]
    record = {"names": names, "n_columns": n_columns, "steps": [], "exploration": exploration.to_dict()}
    return framed({"kind": "subsets", "title": text[:1].upper() + text[1:], "selection": record}, text)


def plot_history(history: Sequence[Generation], ax: Any = None) -> Any:
    """Plot the rounds of a search (matplotlib, extra ``plot``).

    Parameters
    ----------
    history : rounds, as in `Exploration.history` or the `history_` of a selector
    ax : axes to draw on; new ones by default

    Returns
    -------
    ax : the axes, with the probability of each column if the rounds have them, otherwise with the best value
        of the first objective
    """
    if ax is None:
        _, ax = pyplot().subplots(layout="constrained")
    rounds = range(1, len(history) + 1)
    draws = [entry for entry in history if isinstance(entry, Draw)]
    if draws:  # later rounds polish the result
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

"""The record of a selection: every step with its score, runner-up, ties and time. Frozen."""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from entropick.exploration import Exploration, Generation
from entropick.table import ColumnEncoding

SHOWN_TIES = 20  # a step lists at most so many tied columns


@dataclass(frozen=True)
class Step:
    """One step of a search.

    Attributes
    ----------
    columns : the column picked, or all columns of the picked group
    score : what the measure gave it; NaN for columns fixed from the start
    runner_up, runner_up_score : the second best column (first of its group) and its score
    ties : columns with the same score, the first of them; the lowest index was picked
    n_ties : how many columns tied with the pick
    seconds : time the step took
    fixed : whether the user asked for the column
    residual : H(y | columns picked so far), where the cut computed it
    p_value : of the column's conditional gain, where the cut tested it
    chance : where 90 % of the shuffled tables left `residual`, if the cut tested it
    """

    columns: tuple[int, ...]
    score: float
    runner_up: int | None = None
    runner_up_score: float | None = None
    ties: tuple[int, ...] = ()
    n_ties: int = 0
    seconds: float = 0.0
    fixed: bool = False
    residual: float | None = None
    p_value: float | None = None
    chance: tuple[float, float] | None = None

    @property
    def column(self) -> int:
        """The column picked; the first one of a group."""
        return self.columns[0]

    @property
    def margin(self) -> float | None:
        """By how much the pick beat the runner-up."""
        return None if self.runner_up_score is None else self.score - self.runner_up_score

    def annotated(self, **notes: Any) -> "Step":
        """The same step with some of its attributes changed."""
        return dataclasses.replace(self, **notes)


@dataclass(frozen=True)
class Selection:
    """What a selection found, and how.

    Attributes
    ----------
    steps : all steps of the search, the ones not kept included
    n_kept : how many of them the cut kept
    names : names of all columns of the table
    scores : score per column, NaN where the method gives none
    settings : measure, search and cut with their parameters
    encodings : how each column became levels
    target : how the target became classes; None where there was none
    n_rows : rows of the table
    complete : False if the search was stopped early
    exploration : rounds and best subsets, where the search was one over whole subsets
    learned : what the measure found out about its own parameters
    """

    steps: tuple[Step, ...]
    n_kept: int
    names: tuple[str, ...]
    scores: np.ndarray
    settings: dict[str, Any]
    encodings: tuple[ColumnEncoding, ...]
    target: ColumnEncoding | None
    n_rows: int
    complete: bool = True
    exploration: Exploration | None = None
    learned: dict[str, Any] = field(default_factory=dict)

    @property
    def kept(self) -> tuple[Step, ...]:
        """The steps that were kept."""
        return self.steps[: self.n_kept]

    @property
    def order(self) -> np.ndarray:
        """Selected columns, first pick first."""
        return np.array([j for step in self.kept for j in step.columns], dtype=np.int64)

    @property
    def selected_names(self) -> list[str]:
        """Names of the selected columns, first pick first."""
        return [self.names[j] for j in self.order]

    @property
    def ranking(self) -> np.ndarray:
        """Rank per column, 1 = best; columns the search did not reach share the next rank.

        Columns of a group share the rank of their step.
        """
        ranks = np.full(len(self.names), len(self.steps) + 1, dtype=np.int64)
        for rank, step in enumerate(self.steps, start=1):
            ranks[list(step.columns)] = rank
        return ranks

    def keep(self, n: int) -> "Selection":
        """The same record, keeping the first n steps of the search instead; nothing is computed anew."""
        if not 0 <= n <= len(self.steps):
            raise ValueError(f"The search took {len(self.steps)} steps; {n} of them cannot be kept.")
        return dataclasses.replace(self, n_kept=n)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, numbers and texts, ready for JSON; NaN and infinities become None or text."""
        return {
            "n_rows": self.n_rows,
            "n_columns": len(self.names),
            "selected": self.selected_names,
            "steps": [self._step_dict(i, step) for i, step in enumerate(self.steps)],
            "settings": {name: _plain(value) for name, value in self.settings.items()},
            "learned": _plain(self.learned),
            "target": None if self.target is None else _plain(dataclasses.asdict(self.target)),
            "encodings": [_plain(dataclasses.asdict(encoding)) for encoding in self.encodings],
            "complete": self.complete,
            "exploration": None if self.exploration is None else self.exploration.to_dict(),
        }

    def _step_dict(self, i: int, step: Step) -> dict[str, Any]:
        return {
            "step": i + 1,
            "columns": list(step.columns),
            "names": [self.names[j] for j in step.columns],
            "score": _plain(step.score),
            "runner_up": None if step.runner_up is None else self.names[step.runner_up],
            "runner_up_score": _plain(step.runner_up_score),
            "margin": _plain(step.margin),
            "n_ties": step.n_ties,
            "ties": [self.names[j] for j in step.ties],
            "seconds": step.seconds,
            "fixed": step.fixed,
            "residual": _plain(step.residual),
            "p_value": _plain(step.p_value),
            "chance": _plain(step.chance),
            "kept": i < self.n_kept,
        }

    def to_frame(self, backend: Any = None) -> Any:
        """One row per step, as a dataframe.

        Parameters
        ----------
        backend : "pandas", "polars" or "pyarrow"; by default the first of these installed
        """
        rows = self.to_dict()["steps"]
        for row in rows:
            row["name"] = " + ".join(row.pop("names"))
            row["columns"] = " ".join(map(str, row["columns"]))
            row["ties"] = ", ".join(row["ties"])
        names = ["step", "name", "columns", "score", "runner_up", "runner_up_score", "margin", "n_ties"]
        names += ["ties", "seconds", "fixed", "residual", "p_value", "kept"]
        return make_frame({name: [row[name] for row in rows] for name in names}, backend)

    def encoding_frame(self, backend: Any = None) -> Any:
        """One row per column: how it became levels."""
        data: dict[str, list[Any]] = {
            "name": [e.name for e in self.encodings],
            "kind": [e.kind for e in self.encodings],
            "n_levels": [e.n_levels for e in self.encodings],
            "n_missing": [e.n_missing for e in self.encodings],
            "encoding": [str(e).split(": ", 2)[-1] for e in self.encodings],
        }
        return make_frame(data, backend)

    def plot(self, ax: Any = None) -> Any:
        """Bars of the scores in picking order, on matplotlib axes (extra ``plot``).

        Parameters
        ----------
        ax : axes to draw on; new ones by default

        Returns
        -------
        ax : the axes drawn on
        """
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(figsize=(7, 0.8 + 0.3 * len(self.steps)), layout="constrained")
        labels = [" + ".join(self.names[j] for j in step.columns) for step in self.steps]
        colors = ["C0" if i < self.n_kept else "0.75" for i in range(len(self.steps))]
        places = range(len(self.steps))
        ax.barh(places, [0.0 if math.isnan(s.score) else s.score for s in self.steps], color=colors)
        ax.set_yticks(places, labels)
        ax.invert_yaxis()
        ax.set_xlabel(f"score ({self.settings['measure']})")
        return ax

    def __str__(self) -> str:
        lines = [f"{len(self.order)} of {len(self.names)} columns selected from {self.n_rows} rows"]
        picks = [" + ".join(self.names[j] for j in step.columns) for step in self.kept]
        width = max(map(len, picks), default=0)
        for i, (pick, step) in enumerate(zip(picks, self.kept, strict=True), start=1):
            lines.append(f"{i:>4}  {pick:<{width}}  {step.score:.4f}")
        return "\n".join(lines)


Progress = Callable[[Step | Generation, int, int | None], None]


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def make_frame(data: dict[str, list[Any]], backend: Any = None) -> Any:
    """Columns as a dataframe of the given library, by default the first of those installed."""
    import narwhals.stable.v2 as nw

    return nw.from_dict(data, backend=backend or _installed_backend()).to_native()


def _installed_backend() -> Any:
    from importlib.util import find_spec

    for backend in ("pandas", "polars", "pyarrow"):
        if find_spec(backend) is not None:
            return backend
    raise ImportError("to_frame() needs a dataframe library. Hint: pip install pandas, or use to_dict().")

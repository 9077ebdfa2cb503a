"""Record of a selection: every step with its score, runner-up, ties and time."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import numpy as np

from entropick._base.extras import pyplot
from entropick._base.plain import make_frame, to_plain
from entropick._base.wording import doubt_in_words, listed
from entropick.evaluation.risk import HeldOutRisk
from entropick.inference.relevance import DESCRIPTION, Relevances
from entropick.records.exploration import Exploration, Generation
from entropick.records.held_out import HeldOutScores
from entropick.table.codes import ColumnEncoding
from entropick.table.notes import TARGET, Note

SHOWN_NAMES = 10  # column names in a line
AGREEING = 0.5  # share of the folds that selected a column on average, from which they agree
SHOWN_TIES = 20  # tied columns listed by a step


@dataclass(frozen=True)
class Step:
    """One step of a search.

    Attributes
    ----------
    columns : the column selected, or all columns of the selected group
    score : value of the criterion; NaN for fixed columns
    gain : bits added to the earlier columns, less those expected by chance: the mean of I(f;y|s) over these
        columns s, 0 if one of them determines the column; known for every method that counts, for paths of
        at most 64 steps if the criterion itself is not adjusted for chance
    is_chance : whether the gain is not significant at 5 %, corrected for the number of candidates; False if
        it was not tested
    lead_error : standard error of the lead over the runner-up, if scores are I(f;y)
    explained : lower bound on the share of H(y) that the columns so far explain, corrected for chance; None
        if not known
    runner_up, runner_up_score : the second best column (first of its group) and its score
    ties : the first columns with the same score; the lowest index or a second score decided
    n_ties : number of columns with the same score
    seconds : time the step took
    fixed : whether the column is a fixed one
    residual : H(y | columns selected so far), if the cut computed it
    p_value : p-value of the column's conditional gain, if the cut tested it
    q_value : false discovery rate at which the cut keeps it, if it controls that
    chance : interval of `residual` in 90 % of the shuffled tables, if the cut tested it
    dropped : earlier columns that the search or the cut removed after this step
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
    dropped: tuple[int, ...] = ()
    gain: float | None = None
    is_chance: bool = False
    explained: float | None = None
    lead_error: float | None = None
    q_value: float | None = None

    @property
    def criterion(self) -> float:
        """Alias of `score`."""
        return self.score

    @property
    def column(self) -> int:
        """The selected column; the first one of a group."""
        return self.columns[0]

    @property
    def lead(self) -> float | None:
        """Score minus that of the runner-up."""
        return None if self.runner_up_score is None else self.score - self.runner_up_score

    def annotated(self, **notes: Any) -> "Step":
        """Copy of the step with some attributes changed."""
        return dataclasses.replace(self, **notes)


@dataclass(frozen=True)
class Selection:
    """Result of a selection.

    Attributes
    ----------
    steps : all steps of the search, including those not kept
    n_kept : number of steps that the cut kept
    names : names of all columns of the table
    scores : score of each column, NaN if the method gives none
    settings : measure, search and cut: "name" and "parameters" of each
    encodings : encoding of each column; empty if the method does not need levels
    target : encoding of the target; None without a target
    n_rows : rows of the table
    complete : False if the search was stopped early
    exploration : rounds and best subsets of a search over whole subsets
    learned : results of the measure about its own parameters or the selected columns
    evidence : scores by which the number of columns was chosen, if the cut used held-out rows
    held_out_risk : risk of the columns on held-out rows, if requested
    notes : suspicious columns: constants, identifiers, copies of a column or of the target
    relevances : I(f;y) of every column with its standard error, p-value and q-value; None if the method does
        not count, or levels were chosen by the target
    alike : first and last rank of columns that cannot be told apart, if scores are I(f;y): their leads are
        less than two standard errors
    """

    steps: tuple[Step, ...]
    n_kept: int
    names: tuple[str, ...]
    scores: np.ndarray
    settings: Mapping[str, Mapping[str, Any]]
    encodings: Sequence[ColumnEncoding]
    target: ColumnEncoding | None
    n_rows: int
    complete: bool = True
    exploration: Exploration | None = None
    learned: dict[str, Any] = field(default_factory=dict)
    evidence: HeldOutScores | None = None
    held_out_risk: HeldOutRisk | None = None
    notes: tuple[Note, ...] = ()
    relevances: Relevances | None = None
    alike: tuple[tuple[int, int], ...] = ()

    @property
    def kept(self) -> tuple[Step, ...]:
        """The steps that were kept."""
        return self.steps[: self.n_kept]

    @property
    def order(self) -> np.ndarray:
        """Indices of the selected columns, in order of selection."""
        return np.array([j for step in self.kept for j in step.columns], dtype=np.int64)

    @property
    def selected_names(self) -> list[str]:
        """Names of the selected columns, in order of selection."""
        return [self.names[j] for j in self.order]

    @property
    def shows_gains(self) -> bool:
        """Whether the gain of every step is known; otherwise scores are shown."""
        gains = [step.gain for step in self.steps if not step.fixed]
        return bool(gains) and None not in gains

    def _shown(self, step: Step) -> float:
        """The value to show for a step: its gain if every step has one, otherwise its score."""
        value = step.gain if self.shows_gains else step.score
        return math.nan if value is None else value

    @property
    def ranking(self) -> np.ndarray:
        """Rank per column, 1 = best; columns the search did not reach share the next rank.

        Columns of a group share the rank of their step.
        """
        n_steps = len(self.steps)
        ranks = np.full(len(self.names), n_steps + 1, dtype=np.int64)
        sizes = [len(step.columns) for step in self.steps]
        columns = [column for step in self.steps for column in step.columns]
        ranks[columns] = np.repeat(np.arange(1, n_steps + 1), sizes)
        return ranks

    @property
    def reason(self) -> str | None:
        """Why this number of columns was kept, if held-out rows were used."""
        if self.evidence is None or self.evidence.n_chosen != self.n_kept:
            return None
        sentence = self.evidence.sentence(len(self.names))
        return " ".join([*self._about_target(), sentence, *self._about_folds()])

    def _about_folds(self) -> list[str]:
        """A caveat if the folds, which the score is about, mostly selected other columns."""
        shares = self.fold_shares
        if shares is None or not self.n_kept or (share := float(shares[self.order].mean())) >= AGREEING:
            return []
        return [
            f"But the folds selected other columns: each of those kept was in {100 * share:.0f} % of the "
            "folds on average. So the score says little about these columns, and others may matter."
        ]

    def _about_target(self) -> list[str]:
        """A caveat about the score if a selected column copies the target."""
        selected = set(self.order.tolist())
        names = [repr(note.name) for note in self.notes if note.kind == TARGET and note.column in selected]
        if not names:
            return []
        copies = "copies" if len(names) == 1 else "copy"
        return [
            f"{' and '.join(names)} {copies} the target, so what follows says nothing about other columns:"
        ]

    def keep(self, n: int) -> "Selection":
        """Copy of the record that keeps the first n steps of the search; nothing is recomputed."""
        if not 0 <= n <= len(self.steps):
            raise ValueError(f"The search took {len(self.steps)} steps; {n} of them cannot be kept.")
        return dataclasses.replace(self, n_kept=n)

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values for JSON; NaN becomes None, infinities become strings."""
        return {
            "n_rows": self.n_rows,
            "n_columns": len(self.names),
            "names": list(self.names),
            "selected": self.selected_names,
            "steps": self.step_dicts(),
            "settings": to_plain(self.settings),
            "learned": to_plain(self.learned),
            "held_out_risk": None if self.held_out_risk is None else self.held_out_risk.to_dict(),
            "target": None if self.target is None else to_plain(self.target.to_dict()),
            "encodings": [to_plain(encoding.to_dict()) for encoding in self.encodings],
            "complete": self.complete,
            "evidence": to_plain(self.evidence),
            "reason": self.reason,
            "notes": [note.to_dict() for note in self.notes],
            "alike": [list(ranks) for ranks in self.alike],
            "exploration": None if self.exploration is None else self.exploration.to_dict(),
        }

    def step_dicts(self) -> list[dict[str, Any]]:
        """The steps of the search as in `to_dict`."""
        return [self._step_dict(i, step) for i, step in enumerate(self.steps)]

    def _step_dict(self, i: int, step: Step) -> dict[str, Any]:
        by_name = {
            "names": [self.names[j] for j in step.columns],
            "runner_up": None if step.runner_up is None else self.names[step.runner_up],
            "ties": [self.names[j] for j in step.ties],
            "dropped": [self.names[j] for j in step.dropped],
        }
        numbers = {"step": i + 1, "lead": to_plain(step.lead), "kept": i < self.n_kept}
        share = None if self.evidence is None else self.evidence.fold_share(step.columns)
        plain: dict[str, Any] = to_plain(step)
        return numbers | plain | by_name | self._relevance_of(step) | {"fold_share": share}

    def _relevance_of(self, step: Step) -> dict[str, float | None]:
        if self.relevances is None:
            return dict.fromkeys(DESCRIPTION)
        return {**self.relevances.describe(step.column)}

    def to_frame(self, backend: Any = None) -> Any:
        """One row per step, as a dataframe.

        Parameters
        ----------
        backend : "pandas", "polars" or "pyarrow"; by default the first of these installed
        """
        rows = self.step_dicts()
        for row in rows:
            row["columns"] = " ".join(map(str, row["columns"]))
            row["chance_low"], row["chance_high"] = row.pop("chance") or (None, None)
            for name in ("names", "ties", "dropped"):
                row[name] = (" + " if name == "names" else ", ").join(row[name])
        order = ["step", "names", "columns", "score", "runner_up", "runner_up_score", "lead"]
        order += [name for name in (rows[0] if rows else ()) if name not in order]
        return make_frame(
            {name.replace("names", "name"): [row[name] for row in rows] for name in order}, backend
        )

    def document(self) -> dict[str, Any]:
        """What the report is made from; the schema is that of ``entropick select --json``."""
        size = {"n_rows": self.n_rows, "n_columns": len(self.names)}
        return {"kind": "select", "selection": self.to_dict(), "data": size}

    @overload
    def to_html(self, path: None = None) -> str: ...

    @overload
    def to_html(self, path: str | Path) -> None: ...

    def to_html(self, path: str | Path | None = None) -> str | None:
        """Render the report as one HTML page (extra ``cli``).

        A record does not hold the table. The `to_html` of a fitted selector also takes that, and describes
        the columns.

        Parameters
        ----------
        path : file to write; None returns the page
        """
        from entropick.report import to_html

        return to_html(self.document(), path)

    def encoding_frame(self, backend: Any = None) -> Any:
        """One row per column, with its encoding."""
        data: dict[str, list[Any]] = {
            "name": [e.name for e in self.encodings],
            "kind": [e.kind for e in self.encodings],
            "n_levels": [e.n_levels for e in self.encodings],
            "n_missing": [e.n_missing for e in self.encodings],
            "encoding": [e.describe() for e in self.encodings],
        }
        return make_frame(data, backend)

    def plot(self, ax: Any = None) -> Any:
        """Plot the gains, or else the scores, in order of selection (matplotlib, extra ``plot``).

        Parameters
        ----------
        ax : axes to draw on; new ones by default

        Returns
        -------
        ax : the axes
        """
        if ax is None:
            _, ax = pyplot().subplots(figsize=(7, 0.8 + 0.3 * len(self.steps)), layout="constrained")
        labels = [" + ".join(self.names[j] for j in step.columns) for step in self.steps]
        colors = ["C0" if i < self.n_kept else "0.75" for i in range(len(self.steps))]
        positions = range(len(self.steps))
        values = [self._shown(step) for step in self.steps]
        ax.barh(positions, [0.0 if math.isnan(value) else value for value in values], color=colors)
        ax.set_yticks(positions, labels)
        ax.invert_yaxis()
        name = self.settings["measure"]["name"]
        ax.set_xlabel(f"bits added ({name})" if self.shows_gains else f"score ({name})")
        return ax

    def __repr__(self) -> str:
        shown = listed(self.selected_names, SHOWN_NAMES)
        return f"Selection({len(self.order)} of {len(self.names)} columns: {shown})"

    def _repr_html_(self) -> str:
        """The first screen of the report, for notebooks."""
        from entropick.report import framed

        return framed(self.document(), str(self))

    def _picks(self) -> list[str]:
        """Column names of each step that was kept."""
        return [" + ".join(self.names[j] for j in step.columns) for step in self.kept]

    def __str__(self) -> str:
        lines = [f"{len(self.order)} of {len(self.names)} columns selected from {self.n_rows:,} rows"]
        picks = self._picks()
        width = max(map(len, picks), default=0)
        for i, (pick, step) in enumerate(zip(picks, self.kept, strict=True), start=1):
            doubt = self._doubt(i, step)
            lines.append(f"{i:>4}  {pick:<{width}}  {self._shown(step):.4f}{doubt and f'  {doubt}'}")
        return "\n".join([*lines, *([self.told_apart] if self.told_apart else [])])

    def _doubt(self, number: int, step: Step) -> str:
        """Words on a step that may add nothing; steps are numbered from 1."""
        q_alone = self._relevance_of(step)[DESCRIPTION[-1]]
        return doubt_in_words(step.is_chance, q_alone, is_first=number == 1)

    @property
    def told_apart(self) -> str | None:
        """A sentence on the ranks that cannot be told apart, if there are any."""
        ranks = [f"{first} to {last}" for first, last in self.alike if first < self.n_kept]
        return f"Ranks {listed(ranks, SHOWN_NAMES)} cannot be told apart." if ranks else None

    @property
    def fold_shares(self) -> np.ndarray | None:
        """Share of the folds that selected each column; None if held-out rows did not decide."""
        if self.evidence is None or not self.evidence.n_chosen:
            return None
        found = np.zeros(len(self.names))
        for selected in self.evidence.by_fold:
            found[list(selected)] += 1 / len(self.evidence.by_fold)
        return found


@dataclass(frozen=True)
class Resample:
    """Progress of stability selection: index of a resample, and number of columns selected on it."""

    index: int
    n_selected: int

    def __str__(self) -> str:
        return f"resample {self.index + 1} keeps {self.n_selected} columns"


Progress = Callable[[Step | Generation | Resample, int, int | None], None]

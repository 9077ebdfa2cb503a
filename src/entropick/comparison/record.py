"""Record of a comparison."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import numpy as np

from entropick._base.plain import to_plain
from entropick._base.wording import listed, score_in_words
from entropick.evaluation.stability import Stability

SHOWN_METHODS = 8  # names in a line


@dataclass(frozen=True)
class MethodResult:
    """Results of one method.

    Attributes
    ----------
    name : name of the method
    seconds : time of a fit to all rows
    order : names of its columns, best first, from that fit
    sizes : numbers of columns that were tried
    scores : by estimator, (folds, sizes); columns were selected on the training rows of each fold
    stability : stability of the columns selected in the folds
    n_features : number of its columns to use, as the recommendation is chosen; None if nothing was found
    warnings : warnings of its fits
    """

    name: str
    seconds: float
    order: tuple[str, ...]
    sizes: tuple[int, ...]
    scores: dict[str, np.ndarray]
    stability: Stability
    n_features: int | None
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values for JSON."""
        scores = {
            name: {"mean": by_fold.mean(axis=0), "std": by_fold.std(axis=0, ddof=1)}
            for name, by_fold in self.scores.items()
        }
        plain: dict[str, Any] = to_plain(self) | {"scores": to_plain(scores)}
        return plain


@dataclass(frozen=True)
class Recommendation:
    """What to use, and why.

    Attributes
    ----------
    method, estimator : names; None if no method is better than guessing
    n_features : number of columns; 0 if nothing was found
    score : score of the estimator with these columns; that of guessing if nothing was found
    sentence : the recommendation as a sentence, with the reason
    code : a selector of these columns in Python; None if a search over subsets, or a measure that depends on
        the number of columns, would select others
    p_value : share of shuffled targets that are predicted as well by any method, estimator and size; with few
        rows, twice that, or twice the share as close to single columns if that is less
    interval : numbers of columns between which the choice lies in 90 % of the samples of the rows
    """

    method: str | None
    n_features: int
    estimator: str | None
    score: float
    sentence: str
    code: str | None = None
    p_value: float | None = None
    interval: tuple[int, int] | None = None


@dataclass(frozen=True)
class Comparison:
    """Several methods on one table.

    Attributes
    ----------
    methods : results of the methods
    estimators : names of the estimators that scored the columns
    scoring : name of the score, as in scikit-learn
    folds : number of folds
    n_scored_rows : number of rows that were split into folds
    baseline : score of each estimator with all columns
    chance : score of guessing by the class shares, or the mean, without any column
    agreement : mean overlap of the first columns of two methods, (methods, methods)
    consensus : columns with their mean rank over all methods, best first
    stability_size : number of columns per fold that the stabilities compare
    recommendation : recommended method and number of columns
    """

    methods: tuple[MethodResult, ...]
    estimators: tuple[str, ...]
    scoring: str
    folds: int
    n_scored_rows: int
    baseline: dict[str, float]
    chance: float
    agreement: np.ndarray
    consensus: tuple[tuple[str, float], ...]
    stability_size: int
    recommendation: Recommendation

    def __getitem__(self, name: str) -> MethodResult:
        """The result of a method."""
        for method in self.methods:
            if method.name == name:
                return method
        raise KeyError(name)

    @property
    def recommended_columns(self) -> tuple[str, ...]:
        """The recommended columns, best first; empty if nothing was found."""
        advice = self.recommendation
        return () if advice.method is None else self[advice.method].order[: advice.n_features]

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values for JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain | {
            "methods": [method.to_dict() for method in self.methods],
            "agreement": {"names": [m.name for m in self.methods], "values": plain["agreement"]},
            "consensus": [{"name": name, "mean_rank": rank} for name, rank in self.consensus],
            "recommendation": plain["recommendation"] | {"columns": list(self.recommended_columns)},
        }

    @overload
    def to_html(self, path: None = None) -> str: ...

    @overload
    def to_html(self, path: str | Path) -> None: ...

    def to_html(self, path: str | Path | None = None) -> str | None:
        """Render the report as one HTML page (extra ``cli``).

        Parameters
        ----------
        path : file to write; None returns the page
        """
        from entropick.report import to_html

        return to_html({"kind": "compare", "comparison": self.to_dict()}, path)

    def _repr_html_(self) -> str:
        """The first screen of the report, for notebooks."""
        from entropick.report import framed

        return framed({"kind": "compare", "comparison": self.to_dict()}, str(self))

    def __repr__(self) -> str:
        names = listed([method.name for method in self.methods], SHOWN_METHODS)
        return f"Comparison({len(self.methods)} methods, {self.folds} folds: {names})"

    def plot(self, ax: Any = None, estimator: str | None = None) -> Any:
        """Plot the score of each method by number of columns (matplotlib, extra ``plot``).

        Parameters
        ----------
        ax : axes to draw on; new ones by default
        estimator : whose scores to plot; by default those of the recommended one, or the first

        Returns
        -------
        ax : the axes
        """
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        advice = self.recommendation
        name = estimator or advice.estimator or self.estimators[0]
        if name not in self.estimators:
            raise ValueError(f"estimator must be one of {listed(self.estimators)}, got {name!r}.")
        for method in self.methods:
            means, is_best = method.scores[name].mean(axis=0), method.name == advice.method
            ax.plot(method.sizes, means, label=method.name, linewidth=2.5 if is_best else 1.0)
        ax.axhline(self.baseline[name], color="0.5", linestyle=":", label="all columns")
        if advice.method is not None and name == advice.estimator:
            ax.plot(advice.n_features, advice.score, "o", color="C3", label="recommended")
        ax.set_xlabel("number of columns")
        ax.set_ylabel(f"{score_in_words(self.scoring)}, {name}")
        ax.legend()
        return ax

    def __str__(self) -> str:
        width = max(len(method.name) for method in self.methods)
        lines = [f"{len(self.methods)} methods, {score_in_words(self.scoring)} over {self.folds} folds"]
        for method in self.methods:
            best = {name: by_fold.mean(axis=0).max() for name, by_fold in method.scores.items()}
            shown = "  ".join(f"{name} {score:.3f}" for name, score in best.items())
            lines.append(f"  {method.name:<{width}}  {shown}  stability {method.stability.value:.2f}")
        return "\n".join([*lines, self.recommendation.sentence])

"""Record of a comparison."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from entropick._base.plain import to_plain
from entropick._base.wording import score_in_words
from entropick.evaluation.stability import Stability


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
    n_features : number of columns kept by its own rule; None if it has none
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
    p_value : share of shuffled targets that are predicted as well by any method, estimator and size
    """

    method: str | None
    n_features: int
    estimator: str | None
    score: float
    sentence: str
    code: str | None = None
    p_value: float | None = None


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

    def to_html(self, path: str | Path | None = None) -> str | None:
        """Render the report as one HTML page (extra ``cli``).

        Parameters
        ----------
        path : file to write; None returns the page
        """
        from entropick.report import to_html

        return to_html({"kind": "compare", "comparison": self.to_dict()}, path)

    def __str__(self) -> str:
        width = max(len(method.name) for method in self.methods)
        lines = [f"{len(self.methods)} methods, {score_in_words(self.scoring)} over {self.folds} folds"]
        for method in self.methods:
            best = {name: by_fold.mean(axis=0).max() for name, by_fold in method.scores.items()}
            shown = "  ".join(f"{name} {score:.3f}" for name, score in best.items())
            lines.append(f"  {method.name:<{width}}  {shown}  stability {method.stability.value:.2f}")
        return "\n".join([*lines, self.recommendation.sentence])

"""Keep one of the subsets found by a search over subsets."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import StrOptions
from entropick._base.ties import best_of
from entropick.contracts import Judge, Need, SetState
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.evaluation.scoring import CONSTRAINTS, SubsetScorer
from entropick.records.exploration import Exploration
from entropick.records.selection import Step
from entropick.table.table import Table


class ChosenSubset(PlainJudge):
    """A judge that keeps one subset as a whole."""

    def __init__(self) -> None:
        self._n = 0

    def keep_subset(self, subset: np.ndarray) -> np.ndarray:
        """Remember the number of columns to keep, and return the subset."""
        self._n = int(subset.sum())
        return subset

    def is_done(self, path: Sequence[Step]) -> bool:
        return len(path) >= self._n

    def keep(self, path: Sequence[Step]) -> int:
        return min(len(path), self._n)


class Front(Cut):
    """Keep one subset of the front: the best for an estimator, or the knee.

    The knee is the subset where one objective cannot get much better without the other getting much worse.

    Parameters
    ----------
    estimator : scikit-learn estimator or None, default=None
        Selects the subset of the front with the best score; None selects the knee.
    cv : int, splitter, iterable of splits or "train", default=5
        How the estimator is scored; "train" fits and scores it on the same rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as in `sklearn.model_selection.cross_val_score`.
    ties : {"smallest", "first"}, default="smallest"
        Of subsets with equally good scores, the smallest is selected, or the first of the front, whose first
        objective is lowest.
    """

    rule = "selects one subset of the front: the best for `estimator`, or the knee"

    needs = frozenset({Need.SOURCE})
    needs_exploration = True

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "ties": [StrOptions({"smallest", "first"})],
    }

    def __init__(
        self, estimator: Any = None, cv: Any = 5, scoring: Any = None, ties: str = "smallest"
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.ties = ties

    @property
    def uses_target(self) -> bool:  # type: ignore[override]
        return self.estimator is not None

    def check(self, table: Table) -> None:
        if self.estimator is not None:
            self._require_target(table)

    def begin(self, run: Run) -> Judge:
        if self.estimator is None:
            return _Knee()
        scorer = SubsetScorer(self.estimator, self.cv, self.scoring, run.table, run.threads)
        return _BestForEstimator(scorer, self.ties == "smallest")


class BestSubset(Cut):
    """Keep the subset with the best value of the first objective; of equally good ones the smallest."""

    rule = "keeps the subset with the best value"
    needs_exploration = True

    def begin(self, run: Run) -> Judge:
        return _First()


class _First(ChosenSubset):
    def choose(self, exploration: Exploration, state: SetState) -> np.ndarray:
        return self.keep_subset(exploration.front.subsets[0])


class _Knee(ChosenSubset):
    def choose(self, exploration: Exploration, state: SetState) -> np.ndarray:
        front = exploration.front
        return self.keep_subset(front.subsets[front.knee()])


class _BestForEstimator(ChosenSubset):
    def __init__(self, scorer: SubsetScorer, prefers_small: bool) -> None:
        super().__init__()
        self._scorer = scorer
        self._prefers_small = prefers_small

    def choose(self, exploration: Exploration, state: SetState) -> np.ndarray:
        front = exploration.front
        scores = self._scorer.scores(front.subsets)
        by_size = (lambda tied: -front.sizes[tied].astype(np.float64)) if self._prefers_small else None
        best = best_of(scores, by_size)
        return self.keep_subset(front.subsets[best.winner])

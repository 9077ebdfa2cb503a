"""The score of an estimator as the value of a subset, which turns any search into a wrapper."""

from typing import Any, ClassVar

import numpy as np

from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.evaluation.scoring import CONSTRAINTS, SubsetScorer
from entropick.measures.base import OneObjective, SetMeasure
from entropick.table.table import Table

__all__ = ["CrossValidated"]


class CrossValidated(SetMeasure):
    """The negated cross-validated score of an estimator on the columns of a subset.

    The estimator sees the columns unchanged: handle categories and missing values in a Pipeline.

    Parameters
    ----------
    estimator : scikit-learn estimator; None for a decision tree
    cv : int, splitter, iterable of splits, or "train" to fit and score on the same rows
    scoring : as in `sklearn.model_selection.cross_val_score`
    """

    needs = frozenset({Need.SOURCE})
    default_search = "swarm"
    default_cut = "front"

    _parameter_constraints: ClassVar[dict[str, Any]] = CONSTRAINTS

    def __init__(self, estimator: Any = None, cv: Any = 5, scoring: Any = None) -> None:
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring

    def begin_sets(self, table: Table, threads: Threads) -> "CrossValidatedState":
        return CrossValidatedState(SubsetScorer(self.estimator, self.cv, self.scoring, table, threads))


class CrossValidatedState(OneObjective):
    """Scores of any subset."""

    objectives = ("− score",)
    can_value_nothing = False

    def __init__(self, scorer: SubsetScorer) -> None:
        self._scorer = scorer

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """The negative mean score on whole subsets, as one column of values."""
        return 0.0 - self._scorer.scores(subsets)[:, None]

"""The number of columns with the best score of an estimator."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval
from entropick._base.ties import TOLERANCE, best_of
from entropick.contracts import Judge, Need
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.evaluation.scoring import CONSTRAINTS, SubsetScorer
from entropick.records.selection import Step
from entropick.table.table import Table

EVERY_SIZE_UP_TO = 30  # larger sizes grow by a fifth
GROWTH = 1.2


class BestSize(Cut):
    """Keep the number of first columns that gives an estimator its best cross-validated score.

    Every size up to 30 is tried, then sizes that grow by a fifth. The smallest of equally good sizes is kept.
    The columns were ranked on all rows, so these scores are optimistic: evaluate the result on other rows.

    Parameters
    ----------
    estimator : scikit-learn estimator or None, default=None
        Estimator whose cross-validated score chooses the number of columns.
    cv : int, splitter, iterable of splits or "train", default=5
        How the estimator is scored; "train" fits and scores it on the same rows.
    scoring : str, callable or None, default=None
        Score of the estimator, as in `sklearn.model_selection.cross_val_score`.
    max_size : int or None, default=None
        The largest size tried; None for all columns.
    enough : float or None, default=None
        Score that is good enough: the first size that reaches it is kept, and the search ends there. If none
        does, the best is kept.
    """

    rule = "keeps as many columns as serve `estimator` best"
    uses_target = True

    needs = frozenset({Need.SOURCE})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "max_size": [Interval(Integral, 1, None, closed="left"), None],
        "enough": [Real, None],
    }

    def __init__(
        self,
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = None,
        max_size: int | None = None,
        enough: float | None = None,
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.max_size = max_size
        self.enough = enough

    def check(self, table: Table) -> None:
        self._require_target(table)

    def begin(self, run: Run) -> Judge:
        scorer = SubsetScorer(self.estimator, self.cv, self.scoring, run.table, run.threads)
        n_columns = run.table.n_columns
        return _BestPrefix(scorer, n_columns, min(self.max_size or n_columns, n_columns), self.enough)


class _BestPrefix(PlainJudge):
    def __init__(self, scorer: SubsetScorer, n_columns: int, largest: int, enough: float | None) -> None:
        self._scorer = scorer
        self._n_columns = n_columns
        self._largest = largest
        self._enough = enough
        self._tried = set(fine_sizes(largest))
        self._reached: int | None = None

    def is_done(self, path: Sequence[Step]) -> bool:
        if self._is_good_enough(path):
            self._reached = len(path)
        return self._reached is not None or len(path) >= self._largest

    def _is_good_enough(self, path: Sequence[Step]) -> bool:
        if self._enough is None or self._reached is not None or len(path) not in self._tried:
            return False
        return bool(self._scores(path, [len(path)])[0] >= self._enough - TOLERANCE)

    def expected_steps(self) -> int:
        return self._largest

    def keep(self, path: Sequence[Step]) -> int:
        if self._reached is not None and self._reached <= len(path):
            return self._reached
        sizes = fine_sizes(len(path))
        return sizes[best_of(self._scores(path, sizes)).winner]

    def _scores(self, path: Sequence[Step], sizes: list[int]) -> np.ndarray:
        """Scores of the estimator on the first columns of the path."""
        prefixes = np.zeros((len(sizes), self._n_columns), bool)
        for prefix, size in zip(prefixes, sizes, strict=True):
            prefix[[step.column for step in path[:size]]] = True
        return self._scorer.scores(prefixes)


def fine_sizes(largest: int) -> list[int]:
    """1, 2, 3, ... up to 30, then growing by a fifth, up to the largest."""
    sizes = list(range(1, min(largest, EVERY_SIZE_UP_TO) + 1))
    while sizes and sizes[-1] < largest:
        sizes.append(min(largest, round(sizes[-1] * GROWTH)))
    return sizes

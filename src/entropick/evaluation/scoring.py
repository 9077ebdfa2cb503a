"""Scorers of scikit-learn by name, and scores of an estimator on subsets of columns."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.model_selection import StratifiedKFold, check_cv, cross_val_score

from entropick._base.compat import HasMethods, StrOptions
from entropick._base.threads import Threads
from entropick.evaluation.resample import Split, split_by, warn_of_rare
from entropick.exceptions import DataError, unknown_name
from entropick.table.readers.inputs import container_columns, open_input
from entropick.table.table import Table

ON_TRAINING_ROWS = "train"  # instead of cross-validation: fit and score on the same rows

# Parameters of every measure or cut that scores an estimator.
CONSTRAINTS: dict[str, Any] = {
    "estimator": [HasMethods("fit"), None],
    "cv": ["cv_object", StrOptions({ON_TRAINING_ROWS})],
    "scoring": [StrOptions(set(get_scorer_names())), callable, None],
}


Scorer = Callable[[Any, Any, Any], float]  # estimator, X, y -> score, higher is better


def resolve_scoring(scoring: str | Scorer) -> Scorer:
    """Look up a scikit-learn scorer by name; a callable is returned as is."""
    if callable(scoring):
        return scoring
    if scoring not in get_scorer_names():
        listing = "All names are those of sklearn.metrics.get_scorer_names()"
        raise ValueError(unknown_name("score", str(scoring), get_scorer_names(), listing))
    scorer: Scorer = get_scorer(scoring)
    return scorer


def scoring_name(scoring: str | Scorer) -> str:
    """Name of a score."""
    if isinstance(scoring, str):
        return scoring
    named = getattr(scoring, "_score_func", scoring)  # scorers of scikit-learn's make_scorer
    return str(getattr(named, "__name__", type(named).__name__))


class SubsetScorer:
    """Scores an estimator on subsets of the original columns.

    Parameters
    ----------
    estimator : scikit-learn estimator; None for a decision tree
    cv : int, splitter, iterable of splits, or "train" to fit and score on the same rows
    scoring : as in `sklearn.model_selection.cross_val_score`
    table : table with the original columns
    threads : thread pool; its size is the number of subsets scored in parallel
    """

    def __init__(self, estimator: Any, cv: Any, scoring: Any, table: Table, threads: Threads) -> None:
        if estimator is None:
            is_class = table.target.values is None
            from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # slow to import

            estimator = (DecisionTreeClassifier if is_class else DecisionTreeRegressor)(random_state=0)
        self._estimator = estimator
        self._table = table
        self._n_threads = threads.n_threads
        self._y = table.target.truth
        self._on_training_rows = isinstance(cv, str) and cv == ON_TRAINING_ROWS
        if not self._on_training_rows:
            self._splits = _splits(cv, self._y, is_classifier(estimator))
        self._scoring = scoring

    def scores(self, subsets: np.ndarray) -> np.ndarray:
        """Mean score on each subset, bool (subsets, columns); higher is better."""
        from joblib import Parallel, delayed

        tasks = (delayed(self._score)(np.flatnonzero(subset)) for subset in subsets)
        return np.array(Parallel(n_jobs=self._n_threads, prefer="threads")(tasks))

    def _score(self, units: np.ndarray) -> float:
        X = container_columns(self._table.source, self._table.units.columns_of(units))
        try:
            if self._on_training_rows:
                fitted = clone(self._estimator).fit(X, self._y)
                return float(check_scoring(fitted, self._scoring)(fitted, X, self._y))
            scores = cross_val_score(
                self._estimator, X, self._y, cv=self._splits, scoring=self._scoring, error_score="raise"
            )
        except (ValueError, TypeError) as error:
            reason = str(error).rstrip(". ")
            raise DataError(
                f"{type(self._estimator).__name__} cannot be scored on {self._suspects(units)}: {reason}. "
                "Hint: put the encoding of categories and missing values into a Pipeline with the estimator."
            ) from error
        if np.isnan(scores).any():
            raise DataError(
                f"The score of {type(self._estimator).__name__} is not a number (NaN) on column "
                f"{self._table.names[units[0]]!r} and {len(units) - 1} others. Hint: use fewer folds (cv), "
                "so that every fold has enough rows to score, or another scoring."
            )
        return float(scores.mean())

    def _suspects(self, units: np.ndarray) -> str:
        """Columns that an estimator may not support: strings, else those with missing values, else all."""
        source = open_input(container_columns(self._table.source, self._table.units.columns_of(units)))
        every = range(len(source.names))
        texts = [j for j in every if source.kinds[j] == "category"]
        gaps = [j for j in every if j not in texts and np.isnan(source.numeric([j])[0][1]).any()]
        suspects = [source.names[j] for j in texts or gaps or every]
        names = ", ".join(map(repr, suspects[:3]))
        return f"the column{'s' * (len(suspects) > 1)} {names}{', ...' * (len(suspects) > 3)}"


def _splits(cv: Any, y: np.ndarray, is_class: bool) -> list[Split]:
    """Training and test rows of each fold."""
    splitter = check_cv(cv, y, classifier=is_class)
    sizes = np.unique(y, return_counts=True)[1]
    classes = f" y has {len(sizes)} classes, the largest of {sizes.max()} rows." if is_class else ""
    hint = f"{classes} Hint: use fewer folds (cv), or cv={ON_TRAINING_ROWS!r}."
    splits = split_by(splitter, y, hint=hint)
    if isinstance(splitter, StratifiedKFold):
        warn_of_rare(sizes, len(splits))
    return splits

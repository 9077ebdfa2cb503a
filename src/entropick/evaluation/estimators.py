"""Estimators with preprocessing for categories and missing values, and the features they get."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from entropick.evaluation.forest import ForestClassifier, ForestRegressor
from entropick.evaluation.models import MAX_LEVELS
from entropick.evaluation.scoring import Scorer, resolve_scoring, scoring_name
from entropick.evaluation.task import Task
from entropick.exceptions import DataError, unknown_name
from entropick.table.numeric.magnitude import exponents_of, tamed
from entropick.table.readers.inputs import SparseInput, open_input

CLASSIFIERS: dict[str, Callable[[int], BaseEstimator]] = {
    "logistic": lambda seed: LogisticRegression(max_iter=2000),
    "neighbors": lambda seed: KNeighborsClassifier(),
    "forest": ForestClassifier,
    "tree": lambda seed: DecisionTreeClassifier(min_samples_leaf=5, random_state=seed),
    "bayes": lambda seed: GaussianNB(var_smoothing=1e-6),
}
REGRESSORS: dict[str, Callable[[int], BaseEstimator]] = {
    "ridge": lambda seed: Ridge(),
    "neighbors": lambda seed: KNeighborsRegressor(),
    "forest": ForestRegressor,
    "tree": lambda seed: DecisionTreeRegressor(min_samples_leaf=5, random_state=seed),
}
N_DEFAULT = 3  # number of default estimators, from the start of each list


class EqualClasses(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A classifier that weights all classes equally.

    Probabilities are divided by the class shares of the training rows, which maximizes the balanced accuracy;
    otherwise a rare class would never be the most probable one.

    Parameters
    ----------
    estimator : classifier with `predict_proba`
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> "EqualClasses":
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_, sizes = np.unique(y, return_counts=True)
        self._shares = sizes / sizes.sum()
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Class probabilities if all classes were equally frequent."""
        weights = self.estimator_.predict_proba(X) / self._shares
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def resolve_estimators(
    estimators: Any, is_class: bool, seed: int, equal_classes: bool = False
) -> dict[str, BaseEstimator]:
    """Estimators by name, from a list of names, a mapping, or the defaults.

    With `equal_classes` those given by name weight classes equally.
    """
    known = CLASSIFIERS if is_class else REGRESSORS
    if isinstance(estimators, Mapping):
        return {str(name): clone(estimator) for name, estimator in estimators.items()}
    names: Iterable[str] = list(known)[:N_DEFAULT] if estimators is None else estimators
    names = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    for name in names:
        if not isinstance(name, str) or name not in known:
            role = "classifier" if is_class else "regressor"
            raise ValueError(unknown_name(role, str(name), known))
    if not names:
        raise ValueError(f"At least one estimator is needed. Hint: the names are {', '.join(known)}.")
    made = {name: known[name](seed) for name in names}
    if equal_classes:
        return {name: EqualClasses(estimator) for name, estimator in made.items()}
    return made


@dataclass(frozen=True)
class Features:
    """Columns as numbers: categories as codes, NaN where missing.

    Codes only identify levels; one-hot encoding is learned from the training rows.
    """

    values: Any  # (rows, columns), an array or a CSC matrix
    is_category: np.ndarray

    @property
    def n_columns(self) -> int:
        return len(self.is_category)

    def take(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Some rows of some columns."""
        if scipy.sparse.issparse(self.values):
            return np.asarray(self.values[:, columns].tocsr()[rows].toarray())
        return np.asarray(self.values[np.ix_(rows, columns)])


def make_features(X: Any) -> Features:
    """Convert a table of any container to numbers for estimators; squares of the numbers are finite."""
    source = open_input(X, exact=True)
    n_columns = len(source.names)
    if isinstance(source, SparseInput):
        low, high = source.matrix.nanmin(axis=0).toarray(), source.matrix.nanmax(axis=0).toarray()
        exponents = exponents_of(low.ravel(), high.ravel())
        return Features(tamed(source.matrix, exponents), np.zeros(n_columns, bool))
    values = np.empty((source.n_rows, n_columns), order="F")
    is_category = np.array([source.kinds[j] == "category" for j in range(n_columns)], bool)
    for j in range(n_columns):
        if is_category[j]:
            codes, _ = source.category(j)
            values[:, j] = np.where(codes < 0, np.nan, codes)
        else:
            values[:, j] = source.numeric([j])[0][1][0]
    low, high = (extreme.reduce(values, initial=0.0) for extreme in (np.fmin, np.fmax))
    return Features(tamed(values, exponents_of(low, high)), is_category)


def with_preparation(estimator: BaseEstimator, is_category: np.ndarray) -> BaseEstimator:
    """Pipeline of imputation, scaling, one-hot encoding and the estimator.

    All steps are fitted to the training rows of each fold.
    """
    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    if not is_category.any():
        return make_pipeline(numbers, clone(estimator))
    levels = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=MAX_LEVELS, sparse_output=False
    )
    by_kind = [("numbers", numbers, ~is_category), ("categories", levels, is_category)]
    return make_pipeline(ColumnTransformer(by_kind), clone(estimator))


class Judge:
    """Fits estimators to the training rows of a split; predicts and scores the held-out rows.

    Parameters
    ----------
    task : what is to be predicted, with its splits
    scoring : name of a scikit-learn score, or a scorer
    truth : classes or real values of the rows of the task, as scorers get them
    features : columns of these rows
    """

    def __init__(self, task: Task, scoring: str | Scorer, truth: np.ndarray, features: Features) -> None:
        self.task, self.features = task, features
        self.scoring = scoring_name(scoring)
        self._score = resolve_scoring(scoring)
        self._truth = truth
        if not task.is_class:  # goals are the real values, scaled and shifted
            self._scale = 1 / (np.abs(truth).max() or 1.0)
            self._shift = float(task.goal[0, 0] - truth[0] * self._scale)

    def of(
        self, name: str, estimator: BaseEstimator | None, columns: np.ndarray, fold: int
    ) -> tuple[np.ndarray, float]:
        """Predictions, (held-out rows, goals), and their score; guesses without columns or a second class."""
        train, test = self.task.splits.splits[fold]
        is_one_class = self.task.is_class and len(np.unique(self._truth[train])) == 1
        if estimator is None or not len(columns) or is_one_class:  # many classifiers reject a single class
            model = DummyClassifier(strategy="prior") if self.task.is_class else DummyRegressor()
        else:
            model = with_preparation(estimator, self.features.is_category[columns])
        model.fit(self.features.take(train, columns), self._truth[train])
        X = self.features.take(test, columns)
        return self._predicted(model, X, train), self._scored(model, X, test, name)

    def _predicted(self, model: Any, X: np.ndarray, train: np.ndarray) -> np.ndarray:
        if not self.task.is_class:
            return np.asarray(model.predict(X) * self._scale + self._shift).reshape(-1, 1)
        found = np.zeros((len(X), self.task.goal.shape[1]))
        classes, first = np.unique(self._truth[train], return_index=True)
        goals = self.task.goal[train[first]].argmax(axis=1)
        if hasattr(model, "predict_proba"):
            found[:, goals] = model.predict_proba(X)
        else:
            found[np.arange(len(X)), goals[np.searchsorted(classes, model.predict(X))]] = 1.0
        return found

    def _scored(self, model: Any, X: np.ndarray, test: np.ndarray, name: str) -> float:
        try:
            score = float(self._score(model, X, self._truth[test]))
        except (ValueError, TypeError, AttributeError) as error:
            reason = str(error).rstrip(". ")
            raise DataError(
                f"The score {self.scoring!r} cannot be computed for {name}: {reason}. Hint: choose another "
                "scoring, or estimators that fit it."
            ) from error
        if np.isnan(score):
            raise DataError(
                f"The score {self.scoring!r} of {name} is not a number (NaN) on {len(X)} test rows. Hint: "
                "use fewer folds, so that the test rows have every class, or another scoring."
            )
        return score

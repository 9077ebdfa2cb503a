"""Selections on parts of the rows, judged by the rows left out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from sklearn.base import clone

from entropick.evaluation.risk import HeldOutRisk, held_out_risk
from entropick.exceptions import CombinationError, Hint, Message
from entropick.table.codes import Target
from entropick.table.encoding.encoding import encode
from entropick.table.encoding.target import encode_target
from entropick.table.readers.inputs import as_frame, container_columns, container_rows, is_lazy, plain_array

if TYPE_CHECKING:
    from entropick.selectors.base import PartsSelector


def risk_of(selector: "PartsSelector", X: Any, y: Any, folds: int, rng: np.random.RandomState) -> HeldOutRisk:
    """See `PartsSelector.held_out_risk`."""
    rules = selector.rules(lambda: len(y))
    if rules.binning == "mdlp":
        raise CombinationError(
            Message(
                "held_out_risk cannot judge columns binned by the target (",
                Hint("binning", "mdlp"),
                "): their levels depend on the rows to be held out. Hint: use ",
                Hint("binning", "quantile"),
                " or 'uniform'.",
            )
        )
    unlabelled = selector.get_params(deep=False).get("unlabelled")
    target = encode_target(y, kind=selector.target_kind(), rules=rules, unlabelled=unlabelled)
    n_rows = len(target.codes)
    if not 2 <= folds <= n_rows:
        raise ValueError(f"folds must be at least 2 and at most the number of rows, {n_rows}; got {folds}.")
    X = X.collect() if is_lazy(X) else X
    X = X if as_frame(X) is not None or scipy.sparse.issparse(X) else plain_array(X)
    fold_of = _dealt_out(target.codes, folds, rng)
    truth = target.codes if target.values is None else target.values
    order = [step.columns for step in selector.selection_.kept]
    paths = []
    for fold in range(folds):
        train = np.flatnonzero(fold_of != fold)
        again = _sized(selector, len(order), target).fit(container_rows(X, train), truth[train])
        paths.append([step.columns for step in again.selection_.kept])
    used = sorted({j for path in [*paths, order] for step in path for j in step})
    place = {j: k for k, j in enumerate(used)}
    parts = [
        (np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold), _renamed(path, place))
        for fold, path in enumerate(paths)
    ]
    # Levels are found on all rows, which know nothing of y.
    columns = list(encode(container_columns(X, np.array(used)), None, rules=rules)[0]) if used else []
    return held_out_risk(columns, target.codes, _renamed(order, place), parts)


def _sized(selector: "PartsSelector", n: int, target: Target) -> "PartsSelector":
    """A copy that selects n columns, or units, of other rows."""
    again: PartsSelector = clone(selector)
    given: dict[str, Any] = {"target": "class" if target.values is None else "real", "progress": None}
    known = again._get_param_names()
    given |= {"n_features" if "n_features" in known else "cut": n} if n else {}
    again.set_params(**{name: value for name, value in given.items() if name in known})
    return again


def _dealt_out(classes: np.ndarray, folds: int, rng: np.random.RandomState) -> np.ndarray:
    """The fold of each row; rows of a class are dealt out one by one."""
    order = rng.permutation(len(classes))
    order = order[np.argsort(classes[order], kind="stable")]
    fold_of = np.empty(len(classes), np.int64)
    fold_of[order] = np.arange(len(classes)) % folds
    return fold_of


def _renamed(steps: Sequence[Sequence[int]], place: Mapping[int, int]) -> list[list[int]]:
    return [[place[j] for j in step] for step in steps]

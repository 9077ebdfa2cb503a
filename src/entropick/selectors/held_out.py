"""Held-out risk of a selection: the same selector fitted again to the training rows of every fold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from entropick.evaluation.resample import Splits, make_folds, splits_of
from entropick.evaluation.risk import HeldOutRisk, held_out_risk
from entropick.exceptions import CombinationError, Hint, Message
from entropick.table.codes import Target
from entropick.table.encoding.encoding import encode
from entropick.table.encoding.target import encode_target
from entropick.table.readers.inputs import as_frame, container_columns, container_rows, is_lazy, plain_array
from entropick.table.row_groups import encode_row_groups

if TYPE_CHECKING:
    from entropick.selectors.method import PartsSelector


def risk_of(
    selector: "PartsSelector", X: Any, y: Any, folds: int, rng: np.random.Generator, cv: Any, groups: Any
) -> HeldOutRisk:
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
    target = encode_target(y, kind=selector.target, rules=rules, unlabelled=unlabelled)
    X = X.collect() if is_lazy(X) else X
    X = X if as_frame(X) is not None or scipy.sparse.issparse(X) else plain_array(X)
    row_groups = None if groups is None else encode_row_groups(groups, len(target.codes))
    splits = _splits(target, folds, rng, cv, row_groups)
    order = [step.columns for step in selector.selection_.kept]
    paths = [_path(selector, X, target, split.train, len(order), row_groups) for split in splits]
    used = sorted({j for path in [*paths, order] for step in path for j in step})
    place = {j: k for k, j in enumerate(used)}
    parts = [(*split, _renamed(path, place)) for split, path in zip(splits, paths, strict=True)]
    # Levels are found on all rows, which know nothing of y.
    columns = list(encode(container_columns(X, np.array(used)), None, rules=rules)[0]) if used else []
    return held_out_risk(columns, target.codes, _renamed(order, place), parts, splits.losses_of_units)


def _splits(
    target: Target, folds: int, rng: np.random.Generator, cv: Any, row_groups: np.ndarray | None
) -> Splits:
    n_rows = len(target.codes)
    if cv is not None:
        truth = target.codes if target.values is None else target.values
        return splits_of(cv, truth, row_groups, np.arange(n_rows))
    if not 2 <= folds <= n_rows:
        raise ValueError(f"folds must be at least 2 and at most the number of rows, {n_rows}; got {folds}.")
    return make_folds(target.codes, row_groups, folds, 1, rng)


def _path(
    selector: "PartsSelector", X: Any, target: Target, rows: np.ndarray, n: int, groups: np.ndarray | None
) -> list[tuple[int, ...]]:
    """The first n columns, or units, that a copy of the selector finds on some of the rows."""
    again: PartsSelector = clone(selector)
    given: dict[str, Any] = {"target": "class" if target.values is None else "real", "progress": None}
    known = again._get_param_names()
    given |= {"n_features" if "n_features" in known else "cut": n} if n else {}
    again.set_params(**{name: value for name, value in given.items() if name in known})
    truth = target.codes if target.values is None else target.values
    with_groups = {} if groups is None or not has_fit_parameter(again, "groups") else {"groups": groups[rows]}
    again.fit(container_rows(X, rows), truth[rows], **with_groups)
    return [step.columns for step in again.selection_.kept]


def _renamed(steps: Sequence[Sequence[int]], place: Mapping[int, int]) -> list[list[int]]:
    return [[place[j] for j in step] for step in steps]

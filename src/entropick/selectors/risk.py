"""Held-out risk of a selection: the same selector fitted again to the training rows of every fold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from entropick.evaluation.resample import Splits, check_folds, make_folds, splits_of
from entropick.evaluation.risk import HeldOutRisk, held_out_risk
from entropick.exceptions import CombinationError, Hint, Message
from entropick.selectors.base import fit_to_rows, in_memory
from entropick.table.codes import Target
from entropick.table.encoding.encoding import encode
from entropick.table.encoding.target import encode_target
from entropick.table.readers.inputs import container_columns
from entropick.table.row_groups import encode_row_groups

if TYPE_CHECKING:
    from entropick.selectors.method import PartsSelector


def risk_of(
    selector: "PartsSelector", X: Any, y: Any, folds: int, rng: np.random.Generator, cv: Any, groups: Any
) -> HeldOutRisk:
    """See `PartsSelector.held_out_risk`."""
    rules = selector._rules(lambda: len(y))
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
    X = in_memory(X)
    row_groups = encode_row_groups(groups, len(target.codes))
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
        return splits_of(cv, target.truth, row_groups, np.arange(n_rows))
    check_folds(folds, n_rows)
    return make_folds(target.codes, row_groups, folds, 1, rng)


def _path(
    selector: "PartsSelector", X: Any, target: Target, rows: np.ndarray, n: int, groups: np.ndarray | None
) -> list[tuple[int, ...]]:
    """The first n columns, or units, that a copy of the selector finds on some of the rows."""
    again: PartsSelector = clone(selector)
    given: dict[str, Any] = {"target": target.kind, "progress": None}
    known = again._get_param_names()
    given |= {"n_features" if "n_features" in known else "cut": n} if n else {}
    again.set_params(**{name: value for name, value in given.items() if name in known})
    fitted = fit_to_rows(again, X, target.truth, rows, groups, len(target.codes))
    return [step.columns for step in fitted.selection_.kept]


def _renamed(steps: Sequence[Sequence[int]], place: Mapping[int, int]) -> list[list[int]]:
    return [[place[j] for j in step] for step in steps]

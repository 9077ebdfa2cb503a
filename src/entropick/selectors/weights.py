"""Weights of rows: a row of weight 3 counts as three equal rows, one of weight 0 is left out."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse

from entropick.contracts import Need
from entropick.cuts import Cut
from entropick.exceptions import CombinationError, DataError
from entropick.measures import Measure
from entropick.table.inputs import container_rows, is_lazy
from entropick.table.target import TargetColumns

MAX_VALUES = 1 << 28  # values of the repeated table: 2 GB of floats


def can_weigh(measure: type[Measure] | Measure) -> bool:
    """Whether equal rows may be told apart from one row of larger weight by nothing but their number.

    That is so where levels are counted. Among distances equal rows become each other's nearest rows.
    """
    return measure.needs <= {Need.COUNTS}


def check_weighable(measure: Measure, cut: Cut) -> None:
    """Refuse weights where they are more than counts."""
    if not can_weigh(measure):
        raise CombinationError(
            f"sample_weight is for measures that count levels, but {type(measure).__name__} goes by "
            f"{' and '.join(sorted(measure.needs - {Need.COUNTS}))}. Hint: leave sample_weight out, or use a "
            "measure that counts, such as JMI."
        )
    if Need.SOURCE in cut.needs and cut.uses_target:
        raise CombinationError(
            f"sample_weight is for cuts that count levels, but {type(cut).__name__} fits an estimator, and "
            "would test it on copies of rows it was fitted on. Hint: leave sample_weight out, or cut by a "
            "number of columns."
        )


def check_in_memory(X: Any) -> None:
    """Refuse tables whose rows are not there to be repeated."""
    for is_elsewhere, what, how in (
        (is_lazy(X), "a lazy frame", "collect"),
        (hasattr(X, "__dask_graph__"), "a Dask collection", "compute"),
    ):
        if is_elsewhere:
            raise DataError(
                f"sample_weight needs a table in memory, got {what}. Hint: call its {how}() first."
            )


def repeat_rows(X: Any, y: TargetColumns | None, sample_weight: Any) -> tuple[Any, TargetColumns | None]:
    """The table and the columns of its target (or None) with every row as often as its weight says."""
    check_in_memory(X)
    weights = _whole_weights(sample_weight, X.shape[0])
    if (weights == 1).all():
        return X, y
    _check_size(X, weights)
    rows = np.repeat(np.arange(len(weights)), weights)
    y = None if y is None else [(name, _series_rows(values, rows)) for name, values in y]
    return container_rows(X, rows), y


def _whole_weights(sample_weight: Any, n_rows: int) -> np.ndarray:
    """Weights as integers, one per row."""
    weights = np.asarray(sample_weight)
    if weights.shape != (n_rows,):
        raise DataError(
            f"sample_weight must hold one weight for each of the {n_rows} rows, got an array of shape "
            f"{weights.shape}."
        )
    if weights.dtype.kind not in "biuf":
        try:
            weights = weights.astype(np.float64)
        except (TypeError, ValueError):
            raise DataError(
                f"sample_weight must hold whole numbers, got values of type {weights.dtype}."
            ) from None
    wrong = ~(weights >= 0) | ~np.isfinite(weights) | (weights != np.floor(weights))
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"sample_weight must hold whole numbers that are not negative, got {weights[at]} in row {at}: a "
            "weight says how often a row counts. Hint: multiply fractions by their common denominator."
        )
    if not weights.any():
        raise DataError("sample_weight must not be zero in all rows: no row would be left.")
    most = MAX_VALUES + 1  # of one row: too many anyway
    return np.minimum(weights.astype(np.float64), most).astype(np.int64)


def _check_size(X: Any, weights: np.ndarray) -> None:
    """Refuse to repeat rows until memory is full."""
    per_row = X.nnz / X.shape[0] if scipy.sparse.issparse(X) else X.shape[1]
    total = sum(weights.tolist())  # of Python's integers, which do not overflow
    if total * max(1, per_row) > MAX_VALUES:
        raise DataError(
            f"sample_weight adds up to {total} rows; with {X.shape[1]} columns the repeated table must have "
            f"at most {MAX_VALUES} values. Hint: divide all weights by their greatest common divisor, or "
            "round them to smaller ones."
        )


def _series_rows(values: Any, rows: np.ndarray) -> Any:
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series[rows.tolist()].to_native() if isinstance(series, nw.Series) else values[rows]

"""Columns that tell the target too well to be true."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import polars.selectors as cs

from entropick.cli.prepare import Prepared
from entropick.files.frames import collected, take
from entropick.records.profiles import MAX_LEAKS, MIN_ROWS, Described
from entropick.table.notes import SAME_ORDER

MAX_ERRORS = 0.1  # of a column that nearly tells two classes apart, as a share of the rows of the smaller one


def leaks(prepared: Prepared, names: Sequence[str], described: Described) -> dict[str, str]:
    """Those of the first `names` that determine the target alone, or nearly, and what each does."""
    names = list(names)[:MAX_LEAKS]
    if not names or prepared.n_rows < MIN_ROWS:
        return {}
    if prepared.kind == "real":
        X = collected(take(prepared.X, names)).select(cs.numeric())
        found = [name for name in X.columns if _has_order_of(X[name], prepared.y)]
    else:
        found = described.determining(names)
    does = dict.fromkeys(found, "alone determines the target")
    if prepared.kind != "real" and prepared.y.n_unique() == 2:
        others = collected(take(prepared.X, [name for name in names if name not in does]))
        is_first = (prepared.y.alias("") == prepared.y[0]).to_numpy()
        for column in others.iter_columns():
            if _n_errors(column, is_first) <= MAX_ERRORS * min(is_first.sum(), (~is_first).sum()):
                does[column.name] = "alone predicts the target almost without errors"
    return does


def _n_errors(column: pl.Series, is_first: np.ndarray) -> int:
    """Rows that are taken for the other class by whether a value is there, or by one threshold of numbers."""
    column = column.alias("")  # polars reads "^...$" as a pattern
    is_there = column.is_not_null().to_numpy()
    found = _n_misplaced(is_there.astype(np.float64), is_first)
    if column.dtype.is_numeric() and is_there.all():
        found = min(found, _n_misplaced(column.cast(pl.Float64).to_numpy(), is_first))
    return found


def _n_misplaced(values: np.ndarray, is_first: np.ndarray) -> int:
    """Rows on the wrong side of the best threshold between two classes."""
    order = np.argsort(values, kind="stable")
    ordered, ends = values[order], np.arange(1, len(values))
    ends = ends[ordered[1:] > ordered[:-1]]  # rows below each threshold
    n_first = np.cumsum(is_first[order])
    wrong = ends - n_first[ends - 1] + n_first[-1] - n_first[ends - 1]  # if the first class is below it
    return int(np.minimum(wrong, len(values) - wrong).min(initial=len(values)))


def _has_order_of(column: pl.Series, y: pl.Series) -> bool:
    pairs = pl.DataFrame({"column": column.cast(pl.Float64), "y": y.alias("").to_physical().cast(pl.Float64)})
    correlation = pairs.drop_nulls().select(pl.corr("column", "y", method="spearman")).item()
    return correlation is not None and abs(correlation) > SAME_ORDER

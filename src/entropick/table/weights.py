"""Weights of rows: a row of weight 3 counts as three equal rows, a row of weight 0 is left out.

Counts are whole numbers, so fractional weights are scaled to whole numbers of copies. Such weights are
relative: corrections use the effective number of rows, not the number of copies.
"""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse

from entropick.exceptions import DataError
from entropick.table.codes import Target
from entropick.table.encoding.target import TargetColumns
from entropick.table.readers.inputs import container_rows, is_lazy

MAX_VALUES = 1 << 28  # values of the repeated table: 2 GB of floats
COPIES = 10  # per row on average, at least, for fractional weights: these are rounded to 1 / 20 of their mean
MORE_COPIES = 4  # up to as many times more, if many rows share a weight that would be rounded one way
N_UNITS = 97  # numbers of copies that are tried,
FEW_MOVED = 0.001  # until rounding moves at most this share of the weight
SAME = 1e-6  # tolerance for multiples of a unit to be whole numbers


def check_in_memory(X: Any) -> None:
    """Reject tables whose rows cannot be repeated here."""
    if is_lazy(X):
        what, hint = "a lazy frame", "call its collect() first"
    elif getattr(X, "__dask_graph__", None) is not None:
        what, hint = "a Dask collection", "call its compute() first"
    elif hasattr(X, "__dask_graph__"):  # None, as tables of our own have that are elsewhere
        what, hint = f"a {type(X).__name__}", "leave it out, or weigh the rows before they are counted"
    else:
        return
    raise DataError(f"sample_weight needs a table in memory, got {what}. Hint: {hint}.")


@dataclass(frozen=True)
class Weighed:
    """A table whose rows are repeated as often as their weights say.

    Attributes
    ----------
    X, y : the repeated table and the columns of its target (or None)
    n_rows : number of repeated rows for whole weights, Kish's effective number of rows for fractional ones
    n_rows_in : number of rows for the record: that of the input if weights are fractional
    copies : repeated rows per row of `n_rows`
    firsts : position of the first copy of each row; None if no row is repeated
    """

    X: Any
    y: TargetColumns | None
    n_rows: int
    n_rows_in: int
    copies: float = 1.0
    firsts: np.ndarray | None = None

    def once(self, target: Target | None) -> tuple[Any, Target | None]:
        """The table and its encoded target without repeated rows."""
        if self.firsts is None:
            return self.X, target
        return container_rows(self.X, self.firsts), target and target.take_rows(self.firsts)


def weigh(X: Any, y: TargetColumns | None, weights: np.ndarray) -> Weighed:
    """Repeat every row of a table and its target (or None) as often as its weight says."""
    if not are_shares(weights):
        # clipped before the cast; one row of MAX_VALUES + 1 copies is rejected below
        whole = np.minimum(weights.astype(np.float64), MAX_VALUES + 1).astype(np.int64)
        _check_size(X, whole)
        n_rows = int(whole.sum())
        return Weighed(*_repeated(X, y, whole), n_rows, n_rows, firsts=_firsts(whole))
    shares = weights / weights.max()  # so that squares and sums stay finite
    copies = _copies(shares, X)
    n_rows = max(1, round(shares.sum() ** 2 / (shares**2).sum()))
    return Weighed(*_repeated(X, y, copies), n_rows, X.shape[0], copies.sum() / n_rows, _firsts(copies))


def are_shares(weights: np.ndarray) -> bool:
    """Whether weights are fractional, so that only their ratios matter."""
    return bool((weights != np.floor(weights)).any())


def _firsts(copies: np.ndarray) -> np.ndarray | None:
    return None if (copies == 1).all() else (np.cumsum(copies) - copies)[copies > 0]


def _repeated(X: Any, y: TargetColumns | None, copies: np.ndarray) -> tuple[Any, TargetColumns | None]:
    if (copies == 1).all():
        return X, y
    rows = np.repeat(np.arange(len(copies)), copies)
    y = None if y is None else [(name, _series_rows(values, rows)) for name, values in y]
    return container_rows(X, rows), y


def checked_weights(X: Any, sample_weight: Any) -> np.ndarray:
    """Check that there is a valid weight for each row of a table in memory."""
    n_rows = X.shape[0]
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
            raise DataError(f"sample_weight must hold numbers, got values of type {weights.dtype}.") from None
    wrong = ~(weights >= 0) | ~np.isfinite(weights)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"sample_weight must be finite and must not be negative, got {weights[at]} in row {at}: a weight "
            "says how often a row counts."
        )
    if not weights.any():
        raise DataError("sample_weight must not be zero in all rows: no row would be left.")
    return weights


def _copies(shares: np.ndarray, X: Any) -> np.ndarray:
    """Number of copies of each row: exact if few copies suffice, else rounded, `COPIES` on average."""
    kept = shares[shares > 0]
    most = COPIES * len(kept)
    n_values = most * max(1, _values_per_row(X))
    if n_values > MAX_VALUES:
        raise DataError(
            f"sample_weight with fractions makes {COPIES} copies of a row; with {len(kept)} rows and "
            f"{X.shape[1]} columns these are {round(n_values)} values; there may be at most {MAX_VALUES}. "
            "Hint: round the weights to small whole numbers, or use fewer rows or columns."
        )
    least = kept.min()
    for n_units in range(1, COPIES + 1):
        if n_units > least * most:
            break  # the largest weight alone would need more than `most` copies
        multiples = shares * (n_units / least)
        if multiples.sum() <= most and (abs(multiples - np.rint(multiples)) < SAME).all():
            return np.asarray(np.rint(multiples), np.int64)
    return _rounded(shares, most, min(MORE_COPIES, MAX_VALUES / n_values))


def _rounded(shares: np.ndarray, least: int, times: float) -> np.ndarray:
    """Copies rounded in the unit, for `least` to `times` as many of them, that moves the least weight.

    Rounding errors of different weights cancel out, those of rows that share a weight add up.
    """
    weight = float(shares.sum())
    values, n_rows = np.unique(shares.round(9), return_counts=True)
    values, n_rows = values[n_rows > 1], n_rows[n_rows > 1]
    best, least_moved = 0.0, np.inf
    for scale in (least / weight * np.linspace(1.0, times, N_UNITS)).tolist():
        scaled = (values * scale).round(6)
        moved = float(np.sqrt(((n_rows * (np.rint(scaled) - scaled)) ** 2).sum())) / (scale * weight)
        if moved < least_moved:
            best, least_moved = scale, moved
        if moved < FEW_MOVED:  # more copies cost more
            break
    # rounded twice, so that halves go the same way in any unit of the weights
    return np.asarray(np.rint((shares * best).round(6)), np.int64)


def _values_per_row(X: Any) -> float:
    return float(X.nnz / X.shape[0] if scipy.sparse.issparse(X) else X.shape[1])


def _check_size(X: Any, weights: np.ndarray) -> None:
    """Reject weights whose repeated rows would fill memory."""
    total = sum(weights.tolist())  # Python integers do not overflow
    if total * max(1, _values_per_row(X)) > MAX_VALUES and (weights != 1).any():
        raise DataError(
            f"sample_weight adds up to {total} rows; with {X.shape[1]} columns the repeated table must have "
            f"at most {MAX_VALUES} values. Hint: divide all weights by their mean: weights with fractions "
            "are taken as shares."
        )


def _series_rows(values: Any, rows: np.ndarray) -> Any:
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series[rows.tolist()].to_native() if isinstance(series, nw.Series) else values[rows]
